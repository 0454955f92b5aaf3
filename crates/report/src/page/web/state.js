// No label of segments is called this.
const BY_WORDS = ':words';

// What is looked at, kept in the address: a link shows a colleague the same. Unknown keys are ignored, impossible values
// fall back.
const START = { metric: 0, a: 0, b: Math.min(1, K - 1), ...(K < 2 && METRICS[0].pictures ? { sort: 'a', down: !METRICS[0].higher } : { sort: 'share', down: true }), query: '', ngram: '', error: null, outcome: '', fields: Object.create(null), range: null, box: null, segment: null, view: 'matches', by: null };
let S = { ...START };
let M = METRICS[0];

const theme = () => document.documentElement.dataset.theme || '';
const SORTS = ['share', 'size', 'delta', 'a', 'b', 'length', 'number'];
// What the two systems made of a segment that is right or wrong, such as an item of an evaluation.
const OUTCOMES = [['', 'all outcomes'], ['flipped', 'flipped: one alone right'], ['a', '\u25CF alone right'], ['b', '\u25C6 alone right'], ['right', 'both right'], ['wrong', 'both wrong']];
const right = (s, i) => M.sentences[s][i] === M.data.max;
function outcome(i) {
  const a = right(S.a, i), b = right(S.b, i);
  return { '': true, flipped: a !== b, a: a && !b, b: b && !a, right: a && b, wrong: !a && !b }[S.outcome];
}
// A score of every segment is 0 or the maximum.
const isRate = () => K > 1 && M.data.max != null && [S.a, S.b].every(s => M.sentences[s].every(x => x === 0 || x === M.data.max || !Number.isFinite(x)));
// Texts beside the numbers of a log: no metric compares them with the target.
const LOG = D.texts && !D.identical;
const labelOf = (field, i) => field.labels[field.of[i]];

function writeAddress() {
  const u = new URLSearchParams();
  if (S.metric) u.set('metric', M.name);
  if (S.a !== START.a || S.b !== START.b) { u.set('a', D.systems[S.a]); u.set('b', D.systems[S.b]); }
  if (S.sort !== START.sort || S.down !== START.down) u.set('sort', (S.down ? '-' : '') + S.sort);
  if (S.query) u.set('q', S.query);
  if (S.ngram) u.set('ngram', S.ngram);
  if (S.error) { const [s, n] = S.error, { kind, reference, hypothesis } = wordsOf().errors[n]; u.set('error', JSON.stringify([D.systems[s], kind, reference, hypothesis])); }
  for (const [name, label] of Object.entries(S.fields)) u.set('in.' + name, D.fields.find(f => f.name === name).labels[label]);
  if (S.range) u.set('difference', S.range.join('..'));
  if (S.box) u.set('box', S.box.map(x => x.toFixed(4)).join('..'));
  if (S.outcome) u.set('outcome', S.outcome);
  if (S.segment != null) u.set('segment', S.segment + 1);
  if (S.view !== START.view) u.set('view', S.view);
  if (S.by) u.set('by', S.by);
  if (theme()) u.set('theme', theme());
  const text = u.toString();
  // From disk, some browsers forbid it; the page works without.
  try { history.replaceState(null, '', text ? '#' + text : location.pathname + location.search); } catch { /* stays as it is */ }
}

function readAddress() {
  const u = new URLSearchParams(location.hash.slice(1));
  const system = key => D.systems.indexOf(u.get(key));
  S = { ...START, fields: Object.create(null) };
  const metric = METRICS.findIndex(m => m.name === u.get('metric'));
  S.metric = Math.max(0, metric);
  M = METRICS[S.metric];
  if (system('a') >= 0 && system('b') >= 0 && system('a') !== system('b')) { S.a = system('a'); S.b = system('b'); }
  const sort = u.get('sort') || '', name = sort.replace(/^-/, '');
  if (SORTS.includes(name)) { S.sort = name; S.down = sort[0] === '-'; }
  S.query = u.get('q') || '';
  S.ngram = D.texts && u.get('ngram') || '';
  if (u.has('error') && wordsOf() && D.texts) try {
    const [system, ...error] = JSON.parse(u.get('error')), s = D.systems.indexOf(system), n = wordsOf().errors.findIndex(e => sameError(e, error));
    if (s >= 0 && n >= 0) S.error = [s, n];
  } catch { /* no error is kept */ }
  for (const field of D.fields) {
    const label = u.has('in.' + field.name) ? field.labels.indexOf(u.get('in.' + field.name)) : -1;
    if (label >= 0) S.fields[field.name] = label;
  }
  const numbers = (key, n) => { const x = (u.get(key) || '').split('..').map(Number); return x.length === n && x.every(Number.isFinite) ? x : null; };
  S.range = u.get('difference') ? numbers('difference', 2) : null;
  S.box = u.get('box') ? numbers('box', 4) : null;
  S.outcome = OUTCOMES.some(([key]) => key === u.get('outcome')) ? u.get('outcome') : '';
  const segment = Number(u.get('segment'));
  if (Number.isInteger(segment) && segment >= 1 && segment <= N) S.segment = segment - 1;
  if (u.get('view') === 'aligned') S.view = 'aligned';
  if (D.fields.some(f => f.name === u.get('by')) || u.get('by') === BY_WORDS) S.by = u.get('by');
  if (['light', 'dark'].includes(u.get('theme'))) document.documentElement.dataset.theme = u.get('theme');
}

// ---- what depends on the pair ----
let SHARES;
const delta = i => M.sentences[S.a][i] - M.sentences[S.b][i];
function measurePair() {
  const all = M.scores[S.a].score - M.scores[S.b].score, p = M.leftOut(S.a), q = M.leftOut(S.b);
  SHARES = Float64Array.from(p, (x, i) => all - (x - q[i]));
}
function pairTest() {
  const same = M.pairs.find(p => p.first === S.a && p.second === S.b);
  if (same) return same;
  const p = M.pairs.find(p => p.first === S.b && p.second === S.a);
  return p && { ...p, difference: -p.difference, lower: -p.upper, upper: -p.lower };
}
