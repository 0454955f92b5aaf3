// Words by how often the references have them: matches of every system, counted here from the tokens.
const CLASSES = ['once', '2 to 5 times', '6 to 50 times', 'more often'];
const classOf = n => n <= 1 ? 0 : n <= 5 ? 1 : n <= 50 ? 2 : 3;
const counted = words => { const own = new Map(); for (const w of words) own.set(w, (own.get(w) || 0) + 1); return own; };
let WORDS;

// For every segment and class the words of the references, each as often as the reference that has it most, and of these
// what each system matches.
function wordClasses() {
  if (WORDS) return WORDS;
  const total = new Map(), limits = Array.from({ length: N }, (_, i) => {
    const limit = new Map();
    for (const r of D.texts.references) counted(split(r[i]).words).forEach((n, w) => limit.set(w, Math.max(n, limit.get(w) || 0)));
    limit.forEach((n, w) => total.set(w, (total.get(w) || 0) + n));
    return limit;
  });
  const table = () => new Float64Array(N * CLASSES.length), at = (i, w) => i * CLASSES.length + classOf(total.get(w));
  const words = table(), matches = D.systems.map(table);
  limits.forEach((limit, i) => limit.forEach((n, w) => { words[at(i, w)] += n; }));
  D.systems.forEach((_, s) => limits.forEach((limit, i) => counted(split(D.texts.hypotheses[s][i]).words).forEach((n, w) => {
    if (limit.has(w)) matches[s][at(i, w)] += Math.min(n, limit.get(w));
  })));
  return WORDS = { words, matches };
}
// One class: of 100 words what each system matches, and the jackknife over segments or units as for scores.
function wordRow(label, k) {
  const { words, matches } = wordClasses(), width = CLASSES.length;
  const sum = table => { let x = 0; for (let i = 0; i < N; i++) x += table[i * width + k]; return x; };
  const size = sum(words), totals = matches.map(sum), values = totals.map(x => 100 * x / size);
  const ofUnits = table => { const sums = []; for (let i = 0; i < N; i++) { const u = D.units ? D.units[i] : i; sums[u] = (sums[u] || 0) + table[i * width + k]; } return sums; };
  const own = ofUnits(words), without = s => { const matched = ofUnits(matches[s]); return Float64Array.from(own, (x, u) => 100 * (totals[s] - matched[u]) / (size - x)); };
  const half = of => 1.959963984540054 * jackknife(of), bounds = D.systems.map(() => null);
  const rest = [S.a, S.b].map(without), difference = values[S.a] - values[S.b];
  [S.a, S.b].forEach((s, n) => { const e = half(rest[n]); bounds[s] = Number.isFinite(e) ? [values[s] - e, values[s] + e] : null; });
  const e = half(rest[0].map((x, i) => x - rest[1][i]));
  return { label, size, values, bounds, difference, low: difference - e, high: difference + e };
}
const wordRows = () => CLASSES.map(wordRow).filter(r => r.size);
