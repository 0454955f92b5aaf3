// The upper half: scores, each against each, why BLEU differs, groups.
function drawScores() {
  const ends = M.scores.flatMap(s => [s.lower ?? s.score, s.upper ?? s.score]), low = Math.min(...ends), high = Math.max(...ends);
  const arrow = M.higher ? '' : ' (lower is better)';
  const rows = D.systems.map((_, s) => {
    const x = M.scores[s], only = Array(K).fill(NaN), bounds = Array(K).fill(null);
    only[s] = x.score; bounds[s] = x.lower == null ? null : [x.lower, x.upper];
    return h('tr', {}, h('th', { scope: 'row' }, who(s)), cell(x.score, M.digits),
      h('td', { class: 'num' }, x.lower == null ? '\u2013' : `${fixed(x.lower, M.digits)} to ${fixed(x.upper, M.digits)}`),
      h('td', { class: 'wide' }, track(only, low, high, bounds)),
      METRICS.filter(m => m !== M).map(m => h('td', { class: 'num hide' }, fixed(m.scores[s].score, m.digits))),
      D.identical ? h('td', { class: 'num hide' }, count(D.identical[s])) : null);
  });
  const head = h('tr', {}, h('th', { scope: 'col' }, 'system'), h('th', { scope: 'col', class: 'num' }, M.name + arrow), h('th', { scope: 'col', class: 'num' }, '95 % interval'), h('th', { scope: 'col', class: 'wide' }, 'on one axis'),
    METRICS.filter(m => m !== M).map(m => h('th', { scope: 'col', class: 'num hide', title: m.signature }, m.name)),
    D.identical ? h('th', { scope: 'col', class: 'num hide', title: 'outputs that equal a reference word for word' }, 'identical') : null);
  fill($('scores'), h('thead', {}, head), h('tbody', {}, rows));
  for (const table of document.querySelectorAll('table.matrix')) {
    table.parentNode.hidden = Number(table.dataset.metric) !== S.metric;
    for (const td of table.querySelectorAll('td[data-a]')) td.classList.toggle('on', K > 2 && Number(td.dataset.a) === S.a && Number(td.dataset.b) === S.b);
  }
}

// Points per order and brevity with the logarithmic mean of the two scores: they add up to the difference exactly.
function drawWhy() {
  const section = $('s-why'), data = M.finisher && M.data.finisher.kind === 'bleu';
  section.hidden = !data || K < 2;
  if (section.hidden) return;
  const x = bleuParts(M.totals[S.a]), y = bleuParts(M.totals[S.b]), difference = x.score - y.score;
  const mean = x.score === y.score ? x.score : difference / Math.log(x.score / y.score);
  const points = x.precisions.map((p, n) => mean / 4 * Math.log(p / y.precisions[n]));
  points.push(mean * Math.log(x.penalty / y.penalty));
  const told = x.score > 0 && y.score > 0 && points.every(Number.isFinite);
  $('why-note').textContent = told
    ? 'Each row is a part of the difference in points; the parts add up to it exactly.'
    : 'One of the scores is 0, so the difference has no parts.';
  const span = Math.max(1e-9, ...points.map(Math.abs));
  const row = (name, p, q, digits, n) => h('tr', {}, h('th', { scope: 'row' }, name), cell(p, digits), cell(q, digits),
    told ? cell(points[n], 2, true) : h('td', { class: 'num' }, '\u2013'), h('td', { class: 'wide' }, told ? bar(points[n], span) : null));
  const orders = ['1-grams', '2-grams', '3-grams', '4-grams'];
  fill($('why'), h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'part'), h('th', { scope: 'col', class: 'num' }, who(S.a)), h('th', { scope: 'col', class: 'num' }, who(S.b)), h('th', { scope: 'col', class: 'num' }, 'points'), h('th', { scope: 'col', class: 'wide' }, barAxis(span)))),
    h('tbody', {}, x.precisions.map((p, n) => row(['precision of ', h('span', { class: 'whole' }, orders[n])], p, y.precisions[n], 1, n)), row('brevity penalty', x.penalty, y.penalty, 3, 4),
      h('tr', { class: 'total' }, h('th', { scope: 'row' }, 'BLEU'), cell(x.score, 2), cell(y.score, 2), cell(difference, 2, true), h('td', { class: 'wide' }))));
}

function drawSlices() {
  const section = $('s-slices'), whole = D.texts && D.texts.whole && !LOG, names = [...D.fields.map(f => f.name), ...(whole ? [BY_WORDS] : [])];
  section.hidden = !names.length;
  if (section.hidden) return;
  const by = names.includes(S.by) ? S.by : names[0];
  const choice = name => h('label', {}, h('input', { type: 'radio', name: 'by', value: name, checked: name === by, onchange: () => { S.by = name; drawSlices(); writeAddress(); document.querySelector(`#by input:checked`).focus(); } }), name === BY_WORDS ? 'word frequency' : name);
  fill($('by'), names.map(choice));
  const rows = by === BY_WORDS ? wordRows() : fieldRows(D.fields.find(f => f.name === by));
  const unit = by === BY_WORDS ? 'in 100' : M.name;
  $('slice-note').textContent = by === BY_WORDS
    ? 'Of 100 words of the references, how many each output matches, by how often all references have the word; intervals by the jackknife.'
    : 'Scores of groups of segments, by all their counts together; intervals of scores by the jackknife, of differences by the test above if there are at most six systems. Press a name to keep its segments.';
  const scored = rows.filter(r => r.values.every(Number.isFinite));
  const ends = scored.flatMap(r => [...r.values, ...r.bounds.filter(Boolean).flat()]).filter(Number.isFinite);
  const low = Math.min(...ends), high = Math.max(...ends), span = Math.max(1e-9, ...scored.flatMap(r => [r.difference, r.low, r.high]).filter(Number.isFinite).map(Math.abs));
  const two = K > 1;
  fill($('slices'),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, by === BY_WORDS ? 'in the references' : by), h('th', { scope: 'col', class: 'num hide' }, by === BY_WORDS ? 'words' : 'segments'), h('th', { scope: 'col', class: 'wide dotcol' }, h('div', { class: 'axis' }, h('span', {}, fixed(low, 1)), h('span', {}, unit), h('span', {}, fixed(high, 1)))),
      h('th', { scope: 'col', class: 'num' }, who(S.a)), two ? [h('th', { scope: 'col', class: 'num' }, who(S.b)), h('th', { scope: 'col', class: 'num' }, 'difference'), h('th', { scope: 'col', class: 'num hide' }, '95 % interval'), h('th', { scope: 'col', class: 'wide divcol' }, barAxis(span))] : null)),
    h('tbody', {}, rows.map(r => h('tr', { 'data-label': r.label }, h('th', { scope: 'row', class: 'name' }, r.pick ? h('button', { onclick: r.pick, title: 'keep only these segments' }, r.label) : r.label), h('td', { class: 'num hide' }, count(r.size)),
      h('td', { class: 'wide' }, track(r.values, low, high, r.bounds)), cell(r.values[S.a], M.digits), two ? [cell(r.values[S.b], M.digits), cell(r.difference, M.digits, true), h('td', { class: 'num hide', 'data-low': r.low, 'data-high': r.high }, Number.isFinite(r.low) ? `${fixed(r.low, M.digits)} to ${fixed(r.high, M.digits)}` : '\u2013'), h('td', { class: 'wide' }, Number.isFinite(r.difference) ? bar(r.difference, span, [r.low, r.high]) : null)] : null))));
}
function fieldRows(field) {
  const members = field.labels.map(() => []);
  field.of.forEach((label, i) => members[label].push(i));
  return field.labels.map((label, k) => {
    const of = members[k], pick = () => { S.fields = { ...S.fields, [field.name]: k }; drawSegments(); $('segments').scrollIntoView(); };
    if (!M.finisher) {
      const slice = M.slices[field.name][k], values = D.systems.map((_, s) => slice.scores[s] ?? NaN), pair = slice.pairs.find(p => p[0] === Math.min(S.a, S.b) && p[1] === Math.max(S.a, S.b));
      const difference = values[S.a] - values[S.b], half = pair && pair[2] != null ? 1.959963984540054 * pair[2] : NaN;
      return { label, size: of.length, values, bounds: [], difference, ...ends(field, k, difference - half, difference + half), pick };
    }
    const each = D.systems.map((_, s) => K > 6 && s !== S.a && s !== S.b ? { score: M.finish(M.sum(s, of)) } : M.interval(s, of)), d = M.difference(S.a, S.b, of);
    return { label, size: of.length, values: each.map(x => x.score), bounds: each.map(x => Number.isFinite(x.low) ? [x.low, x.high] : null), difference: d.difference, ...ends(field, k, d.low, d.high), pick };
  });
}
// The interval of the pair by the test of the whole run, or else the given one.
function ends(field, k, low, high) {
  const tests = M.slices[field.name]?.[k]?.tests ?? [];
  const one = tests.find(t => t.first === S.a && t.second === S.b), other = tests.find(t => t.first === S.b && t.second === S.a);
  if (one) return { low: one.lower ?? NaN, high: one.upper ?? NaN };
  if (other) return { low: other.upper == null ? NaN : -other.upper, high: other.lower == null ? NaN : -other.lower };
  return { low, high };
}
