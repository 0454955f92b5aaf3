import type {MetricName, OptionsOf} from './index.js';

type Matcher = <N extends MetricName>(
  metric: N,
  threshold: number,
  references: string | readonly string[],
  options?: OptionsOf<N>,
) => void;

export interface BleuprintMatchers {
  /** Expects that the metric's score of the received text is at least `threshold`. */
  toScoreAtLeast: Matcher;
  /** Expects that the metric's score of the received text, such as an error rate, is at most `threshold`. */
  toScoreAtMost: Matcher;
}

/** The matchers of bleuprint for Vitest and Jest. Add them with `expect.extend(matchers)`. */
export declare const matchers: Record<keyof BleuprintMatchers, (this: unknown, received: string, ...given: any[]) => {
  pass: boolean;
  message: () => string;
}>;
