import type {MetricName} from './index.js';

export interface AssertionConfig {
  /** Name of the metric, which may contain options, such as `bleu:max-order=2`. */
  metric: MetricName | (string & {});
  /** Smallest score that passes. If lower scores are better, it is the largest score that passes. */
  threshold: number;
  /** Name of the test variable that has the reference or a list of references. The default is `reference`. */
  reference?: string;
  /** The reference or references as text. If they are given, no test variable is read. */
  references?: string | readonly string[];
  /** Any other key is an option of the metric. */
  [option: string]: unknown;
}

export interface GradingResult {
  pass: boolean;
  score: number;
  reason: string;
}

type Assertion = (output: unknown, context: {vars?: object; config?: object}) => GradingResult;

/** An assertion for promptfoo. The metric and the threshold are in the `config` of the assertion. */
export declare const assertion: Assertion;
/** Creates an assertion with this metric and these settings, for use in a file of your own. */
export declare function assertionOf(name: MetricName | (string & {}), config: Omit<AssertionConfig, 'metric'>): Assertion;
export default assertion;
