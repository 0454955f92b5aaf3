// Assertions of promptfoo by any metric.

/** Creates the assertions of `bleuprint/promptfoo`. `metric` is the function that creates a metric. */
function createAssertions(metric) {
  const known = new Map();

  /** Returns a metric with its options. It is created at the first call and reused later. */
  function metricOf(name, options) {
    const key = JSON.stringify([name, options]);
    if (!known.has(key)) known.set(key, metric(name, options));
    return known.get(key);
  }

  function textOf(value, what) {
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) throw new TypeError(`bleuprint: there is no ${what}`);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** Scores an output that promptfoo gives, and returns promptfoo's result `{pass, score, reason}`. */
  function graded(output, context, {metric: name, threshold, reference = 'reference', references, ...options}) {
    if (name === undefined) throw new TypeError('bleuprint: the config names no metric, as in `config: {metric: rougeL, threshold: 0.4}`');
    if (typeof threshold !== 'number') throw new TypeError(`bleuprint: the threshold of ${name} is ${threshold}, but must be a number`);
    const own = metricOf(name, options);
    const given = references ?? context.vars?.[reference];
    const all = (Array.isArray(given) ? given : [given]).map(one => textOf(one, `reference: the variable \`${reference}\` is missing`));
    // One output is a single sentence, which has its own defaults, such as smoothing.
    const [score] = own.sentences([textOf(output, 'output')], [all]);
    const pass = score.higherIsBetter ? score.score >= threshold : score.score <= threshold;
    const wanted = `${score.higherIsBetter ? 'at least' : 'at most'} ${threshold}`;
    return {pass, score: share(own, score, pass), reason: `${score.name} is ${score.score}, wanted ${wanted} (${score.signature})`};
  }

  /** Converts a score to promptfoo's scale from 0 (bad) to 1 (good). If the metric's scale has no limits, returns 1 for a pass and 0 for a failure. */
  function share(own, score, pass) {
    const {min, max} = own.info;
    if (min === null) return pass ? 1 : 0;
    if (score.higherIsBetter) return max === null ? Number(pass) : (score.score - min) / (max - min);
    // An error rate has no end: 0 errors are 1, as many errors as words are 0.
    return Math.max(0, 1 - (score.score - min) / (max ?? 1));
  }

  /** The assertion for `file://` and `package:` paths. The metric and the threshold are in the `config` of the assertion. */
  const assertion = (output, context) => graded(output, context, context.config ?? {});
  /** Creates an assertion with this metric and these settings, for use in a file of your own. */
  const assertionOf = (name, config) => (output, context) => graded(output, context, {metric: name, ...config});
  return {assertion, assertionOf};
}

export {createAssertions};
