// Finishers: from the sum of integer rows to a score, as the library does it. A metric without one has scores of segments
// and of all segments without each, computed beforehand.
const FINISHERS = {
  // Row: hypothesis length, reference length, clipped counts of orders 1 to 4; totals follow from the length.
  bleu: {
    width: 10,
    expand(flat, from, table, to) {
      for (let k = 0; k < 6; k++) table[to + k] = flat[from + k];
      for (let n = 0; n < 4; n++) table[to + 6 + n] = Math.max(0, flat[from] - n);
    },
    finish(x) { return bleu(x, false); },
    segment(x) { return bleu(x, true); },
  },
  // Row: for each order the counts of hypothesis, reference and matches.
  chrf: {
    finish(x, of) {
      const beta = of.beta * of.beta;
      let precision = 0, recall = 0, orders = 0;
      for (let k = 0; k < x.length; k += 3) if (x[k] > 0 && x[k + 1] > 0) {
        precision += x[k + 2] / x[k]; recall += x[k + 2] / x[k + 1]; orders++;
      }
      if (!orders) return 0;
      precision /= orders; recall /= orders;
      return precision + recall ? 100 * ((1 + beta) * precision * recall / (beta * precision + recall)) : 0;
    },
  },
  // Row: what is above and what is below.
  ratio: { finish(x, of) { return of.factor * x[0] / x[1]; } },
};

// BLEU with exponential smoothing; over the orders that there are when a segment stands alone. It is called once for every
// segment of every system, so it makes nothing.
function bleu(x, effective) {
  let halves = 1, logs = 0, orders = 0, any = false;
  for (let n = 0; n < 4; n++) {
    const matches = x[2 + n], total = x[6 + n];
    if (!total) continue;
    if (matches) any = true; else halves *= 2;
    logs += Math.log(matches ? 100 * matches / total : 100 / (halves * total));
    orders++;
  }
  return !any || !effective && orders < 4 ? 0 : brevity(x) * Math.exp(logs / orders);
}
const brevity = x => x[0] >= x[1] ? 1 : x[0] ? Math.exp(1 - x[1] / x[0]) : 0;
// The same with its parts.
function bleuParts(x) {
  let halves = 1;
  const precisions = [0, 1, 2, 3].map(n => {
    if (!x[6 + n]) return 0;
    if (!x[2 + n]) halves *= 2;
    return x[2 + n] ? 100 * x[2 + n] / x[6 + n] : 100 / (halves * x[6 + n]);
  });
  return { score: bleu(x, false), penalty: brevity(x), precisions };
}

// ---- a metric of the page ----
class Metric {
  constructor(data) {
    Object.assign(this, data);
    this.data = data;
    this.finisher = data.finisher && FINISHERS[data.finisher.kind];
  }
  // Tables and scores of segments are made when the metric is first shown.
  load() {
    if (this.sentences.length) return this;
    const { finisher, data } = this;
    if (!finisher) {
      this.sentences = data.sentences.map(list => Float64Array.from(list, x => x ?? NaN));
      return this;
    }
    const stored = data.finisher.width, width = this.width = finisher.width || stored;
    this.table = data.rows.map(flat => {
      if (!finisher.expand) return Float64Array.from(flat);
      const table = new Float64Array(N * width);
      for (let i = 0; i < N; i++) finisher.expand(flat, i * stored, table, i * width);
      return table;
    });
    this.totals = this.table.map((_, s) => this.sum(s));
    const one = finisher.segment || (x => this.finish(x)), row = new Float64Array(width);
    this.sentences = this.table.map(table => {
      const scores = new Float64Array(N);
      for (let i = 0; i < N; i++) {
        for (let k = 0; k < width; k++) row[k] = table[i * width + k];
        scores[i] = one(row);
      }
      return scores;
    });
    return this;
  }
  finish(row) { return this.finisher.finish(row, this.data.finisher); }
  sum(s, of) {
    const total = new Float64Array(this.width), table = this.table[s], width = this.width;
    const add = i => { for (let k = 0; k < width; k++) total[k] += table[i * width + k]; };
    if (of) of.forEach(add); else for (let i = 0; i < N; i++) add(i);
    return total;
  }
  // The scores of some segments without each of them, in their order.
  scoresWithout(s, of, total) {
    const rest = new Float64Array(this.width), width = this.width, table = this.table[s], scores = new Float64Array(of.length);
    for (let j = 0; j < of.length; j++) {
      const at = of[j] * width;
      for (let k = 0; k < width; k++) rest[k] = total[k] - table[at + k];
      scores[j] = this.finish(rest);
    }
    return scores;
  }
  // The scores of some segments without each unit of the resamples in turn: each segment, unless the data have units.
  withoutUnits(s, of, total) {
    if (!D.units) return this.scoresWithout(s, of, total);
    const rest = new Map(), width = this.width, table = this.table[s];
    for (const i of of) {
      const row = rest.get(D.units[i]) || rest.set(D.units[i], Float64Array.from(total)).get(D.units[i]);
      for (let k = 0; k < width; k++) row[k] -= table[i * width + k];
    }
    return Float64Array.from(rest.values(), row => this.finish(row));
  }
  leftOut(s) {
    this.kept ||= [];
    return this.kept[s] ||= this.finisher ? this.scoresWithout(s, everything(), this.totals[s]) : Float64Array.from(this.left_out[s], x => x ?? NaN);
  }
  // Two systems on some segments: their scores, the difference, and its interval by the jackknife. Null where the metric
  // has no finisher and it is not all segments.
  difference(a, b, of) {
    const all = of.length === N;
    if (!this.finisher && !all) return null;
    const score = s => all ? this.scores[s].score : this.finish(this.sum(s, of));
    const [x, y] = [score(a), score(b)];
    // Scores of single segments tell nothing of units, but the test of all segments does.
    if (!this.finisher && D.units) return { a: x, b: y, difference: x - y, low: pairTest()?.lower ?? NaN, high: pairTest()?.upper ?? NaN };
    const rest = s => all && !D.units ? this.leftOut(s) : this.withoutUnits(s, of, this.sum(s, of)), [p, q] = [rest(a), rest(b)];
    const half = 1.959963984540054 * jackknife(Float64Array.from(p, (v, j) => v - q[j]));
    return { a: x, b: y, difference: x - y, low: x - y - half, high: x - y + half };
  }
  // One system on some segments, with its interval.
  interval(s, of) {
    const total = this.sum(s, of), score = this.finish(total), half = 1.959963984540054 * jackknife(this.withoutUnits(s, of, total));
    return { score, low: score - half, high: score + half };
  }
}
const everything = () => Int32Array.from({ length: N }, (_, i) => i);
function jackknife(x) {
  const n = x.length;
  if (n < 2) return NaN;
  let mean = 0, squares = 0;
  for (const v of x) mean += v;
  mean /= n;
  for (const v of x) squares += (v - mean) * (v - mean);
  return Math.sqrt((n - 1) / n * squares);
}
const METRICS = D.metrics.map(data => new Metric(data));
