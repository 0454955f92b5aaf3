import type {MetricName, OptionsOf} from './index.js';

type Matcher = <N extends MetricName>(
  metric: N,
  threshold: number,
  references: string | readonly string[],
  options?: OptionsOf<N>,
) => void;

export interface BleuprintMatchers {
  /** Expects a score of at least `threshold`. */
  toScoreAtLeast: Matcher;
  /** Expects a score of at most `threshold`, such as an error rate. */
  toScoreAtMost: Matcher;
}

/** `expect.extend(matchers)` */
export declare const matchers: Record<keyof BleuprintMatchers, (this: unknown, received: string, ...given: any[]) => {
  pass: boolean;
  message: () => string;
}>;
