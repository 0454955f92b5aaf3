import type {MetricName} from './index.js';

export interface AssertionConfig {
  /** The metric, with its options if you like: `bleu:max-order=2`. */
  metric: MetricName | (string & {});
  /** The least score that passes, or the greatest if lower is better. */
  threshold: number;
  /** The variable with the reference or the list of references; `reference` by default. */
  reference?: string;
  /** The references, if no variable has them. */
  references?: string | readonly string[];
  /** Options of the metric. */
  [option: string]: unknown;
}

export interface GradingResult {
  pass: boolean;
  score: number;
  reason: string;
}

type Assertion = (output: unknown, context: {vars?: object; config?: object}) => GradingResult;

/** The assertion whose config names the metric. */
export declare const assertion: Assertion;
/** Returns an assertion by a metric, for a file of your own. */
export declare function assertionOf(name: MetricName | (string & {}), config: Omit<AssertionConfig, 'metric'>): Assertion;
export default assertion;
