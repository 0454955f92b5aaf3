// Finishers: from the sum of integer rows to a score, as the library does it. A metric without one has scores of segments
// and of all segments without each, computed beforehand.
const FINISHERS = {
  // Row: hypothesis length, reference length, clipped counts of orders 1 to 4; totals follow from the length.
  bleu: {
    width: 10,
    expand(row) {
      const length = row[0];
      return [row[0], row[1], ...row.slice(2, 6), length, Math.max(0, length - 1), Math.max(0, length - 2), Math.max(0, length - 3)];
    },
    finish(x) { return bleuParts(x, false).score; },
    segment(x) { return bleuParts(x, true).score; },
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

// BLEU with exponential smoothing; over the orders that there are when a segment stands alone.
function bleuParts(x, effective) {
  const precisions = [];
  let halves = 1, logs = 0, orders = 0, any = false;
  for (let n = 0; n < 4; n++) {
    const matches = x[2 + n], total = x[6 + n];
    any ||= matches > 0;
    if (!total) { precisions.push(0); continue; }
    if (!matches) halves *= 2;
    precisions.push(matches ? 100 * matches / total : 100 / (halves * total));
    logs += Math.log(precisions[n]); orders++;
  }
  const penalty = x[0] >= x[1] ? 1 : x[0] ? Math.exp(1 - x[1] / x[0]) : 0;
  const reached = effective ? orders : orders === 4 ? 4 : 0;
  return { score: any && reached ? penalty * Math.exp(logs / reached) : 0, penalty, precisions };
}

// ---- a metric of the page ----
class Metric {
  constructor(data) {
    Object.assign(this, data);
    this.finisher = data.finisher && FINISHERS[data.finisher.kind];
    if (!this.finisher) {
      this.sentences = data.sentences.map(list => Float64Array.from(list, x => x ?? NaN));
      return;
    }
    const stored = data.finisher.width, expand = this.finisher.expand;
    this.width = this.finisher.width || stored;
    this.table = data.rows.map(flat => {
      const table = new Float64Array(N * this.width);
      for (let i = 0; i < N; i++) {
        const row = flat.slice(i * stored, (i + 1) * stored);
        table.set(expand ? expand(row) : row, i * this.width);
      }
      return table;
    });
    this.totals = this.table.map((_, s) => this.sum(s));
    const one = this.finisher.segment || (x => this.finish(x));
    this.sentences = this.table.map(table => Float64Array.from({ length: N }, (_, i) => one(table.subarray(i * this.width, (i + 1) * this.width))));
  }
  finish(row) { return this.finisher.finish(row, this.data().finisher); }
  data() { return D.metrics[this.place]; }
  sum(s, of) {
    const total = new Float64Array(this.width), table = this.table[s], width = this.width;
    const add = i => { for (let k = 0; k < width; k++) total[k] += table[i * width + k]; };
    if (of) of.forEach(add); else for (let i = 0; i < N; i++) add(i);
    return total;
  }
  // The scores of some segments without each of them, in their order.
  without(s, of, total) {
    const rest = new Float64Array(this.width), width = this.width, table = this.table[s], scores = new Float64Array(of.length);
    for (let j = 0; j < of.length; j++) {
      const at = of[j] * width;
      for (let k = 0; k < width; k++) rest[k] = total[k] - table[at + k];
      scores[j] = this.finish(rest);
    }
    return scores;
  }
  leftOut(s) {
    this.kept ||= [];
    return this.kept[s] ||= this.finisher ? this.without(s, everything(), this.totals[s]) : Float64Array.from(this.left_out[s], x => x ?? NaN);
  }
  // Two systems on some segments: their scores, the difference, and its interval by the jackknife. Null where the metric
  // has no finisher and it is not all segments.
  difference(a, b, of) {
    const all = of.length === N;
    if (!this.finisher && !all) return null;
    const score = s => all ? this.scores[s].score : this.finish(this.sum(s, of));
    const rest = s => all ? this.leftOut(s) : this.without(s, of, this.sum(s, of));
    const [x, y, p, q] = [score(a), score(b), rest(a), rest(b)];
    const half = 1.959963984540054 * jackknife(Float64Array.from(p, (v, j) => v - q[j]));
    return { a: x, b: y, difference: x - y, low: x - y - half, high: x - y + half };
  }
  // One system on some segments, with its interval.
  interval(s, of) {
    const total = this.sum(s, of), score = this.finish(total), half = 1.959963984540054 * jackknife(this.without(s, of, total));
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
const METRICS = D.metrics.map((data, place) => new Metric({ ...data, place }));
