// Matchers for Vitest and Jest: `expect.extend(matchers)`.
import {metric} from 'bleuprint';

function matcher(words, holds) {
  return function matched(received, metricName, threshold, references, options) {
    const all = Array.isArray(references) ? references : [references];
    const [score] = metric(metricName, options).sentences([received], [all]);
    const pass = holds(score.score, threshold);
    return {
      pass,
      actual: score.score,
      expected: threshold,
      message: () => `expected ${score.name} ${pass ? 'not ' : ''}to be ${words} ${threshold}, but it is ${score.score} (${score.signature})`,
    };
  };
}

export const matchers = {
  toScoreAtLeast: matcher('at least', (score, threshold) => score >= threshold),
  toScoreAtMost: matcher('at most', (score, threshold) => score <= threshold),
};
