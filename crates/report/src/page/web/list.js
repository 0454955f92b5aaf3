// The list of segments: filters, order, a live score of what is kept, and as many row elements as fit the window.
let VIEW = [], FOLDED;

function folded(i) {
  FOLDED ||= [];
  return FOLDED[i] ??= [...D.texts.references, ...D.texts.hypotheses, ...(D.texts.source ? [D.texts.source] : [])].map(list => plain(list[i])).join('\n').toLowerCase();
}
// A text, or a regular expression between slashes.
function matcher() {
  if (!S.query || !D.texts) return null;
  const expression = /^\/(.+)\/([imsu]*)$/s.exec(S.query);
  if (!expression) { const text = S.query.toLowerCase(); return i => folded(i).includes(text); }
  try {
    const pattern = new RegExp(expression[1], expression[2] || 'iu');
    return i => [...D.texts.references, ...D.texts.hypotheses].some(list => pattern.test(plain(list[i])));
  } catch (error) { return error; }
}
function order() {
  const key = { share: i => SHARES[i], size: i => Math.abs(SHARES[i]), delta, a: i => M.sentences[S.a][i], b: i => M.sentences[S.b][i], length: i => D.lengths[i], number: i => i }[S.sort];
  const keys = Float64Array.from({ length: N }, (_, i) => Number.isFinite(key(i)) ? key(i) : -1e300), sign = S.down ? -1 : 1;
  return (i, j) => sign * (keys[i] - keys[j]) || i - j;
}
function keep() {
  const match = matcher(), fields = Object.entries(S.fields).map(([name, label]) => [D.fields.find(f => f.name === name).of, label]);
  $('problem').textContent = match instanceof Error ? 'This is not a regular expression: ' + match.message : '';
  const gram = S.ngram ? holdsNgram() : null, error = S.error ? holdsError() : null;
  const holds = i => fields.every(([of, label]) => of[i] === label)
    && (!S.range || delta(i) >= S.range[0] && delta(i) < S.range[1])
    && (!S.box || M.sentences[S.b][i] >= S.box[0] && M.sentences[S.b][i] <= S.box[1] && M.sentences[S.a][i] >= S.box[2] && M.sentences[S.a][i] <= S.box[3])
    && (!S.outcome || outcome(i))
    && (!gram || gram(i)) && (!error || error(i)) && (typeof match !== 'function' || match(i));
  VIEW = [];
  for (let i = 0; i < N; i++) if (holds(i)) VIEW.push(i);
  VIEW.sort(order());
}

function drawLive() {
  const of = Int32Array.from(VIEW), live = $('live');
  if (!of.length) return fill(live, 'No segment is left.');
  const several = of.length === 1 ? 'segment' : 'segments';
  if (K < 2) {
    const x = of.length === N ? M.scores[0].score : M.finisher ? M.finish(M.sum(0, of)) : NaN;
    return fill(live, `${count(of.length)} ${several}: `, h('b', { 'data-value': x }, `${fixed(x, M.digits)} ${M.name}`));
  }
  const d = M.difference(S.a, S.b, of);
  if (!d) return fill(live, `${count(of.length)} of ${count(N)} ${several}. ${M.name} of a selection is not computed in this page.`);
  fill(live, `${count(of.length)} of ${count(N)} ${several}: `, h('span', { class: 'is-a', 'data-value': d.a }, `\u25CF ${fixed(d.a, M.digits)}`), ', ', h('span', { class: 'is-b', 'data-value': d.b }, `\u25C6 ${fixed(d.b, M.digits)}`), ` ${M.name}, difference `,
    h('b', { 'data-value': d.difference, 'data-low': d.low, 'data-high': d.high }, signed(d.difference, M.digits)), Number.isFinite(d.low) ? ` (95 % interval ${fixed(d.low, M.digits)} to ${fixed(d.high, M.digits)})` : '');
}
function drawChips() {
  const chip = (text, drop) => h('button', { title: 'drop this filter', onclick: () => { drop(); drawSegments(); } }, text + ' \u00D7');
  fill($('chips'), Object.entries(S.fields).map(([name, label]) => chip(`${name}: ${D.fields.find(f => f.name === name).labels[label]}`, () => delete S.fields[name])),
    S.range ? chip(`difference ${fixed(S.range[0], M.digits)} to ${fixed(S.range[1], M.digits)}`, () => { S.range = null; }) : null,
    S.box ? chip('box in the scatter', () => { S.box = null; }) : null,
    S.outcome ? chip(OUTCOMES.find(([key]) => key === S.outcome)[1], () => { S.outcome = ''; }) : null,
    S.ngram ? chip(`n-gram: ${S.ngram}`, () => { S.ngram = ''; }) : null,
    S.error ? chip(`error of ${D.systems[S.error[0]]}: ${errorText(wordsOf().errors[S.error[1]])}`, () => { S.error = null; }) : null,
    S.query ? chip(`text: ${S.query}`, () => { S.query = $('q').value = ''; }) : null);
}

// ---- rows: those in sight, and a few around ----
const HEAD = [['number', 'no.'], ['share', 'share'], ['a', '\u25CF'], ['b', '\u25C6'], ['delta', 'difference']];
const rowHeight = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 38;
function drawHead() {
  const column = ([key, text]) => h('div', { role: 'columnheader', class: 'r', 'aria-sort': S.sort !== key ? 'none' : S.down ? 'descending' : 'ascending' },
    h('button', { title: `order by ${text}`, 'data-sort': key, onclick: () => { S.down = S.sort === key ? !S.down : key !== 'number'; S.sort = key; drawSegments(); $('head').querySelector(`[data-sort=${key}]`).focus(); } }, text, S.sort === key ? S.down ? ' \u2193' : ' \u2191' : ''));
  fill($('head'), HEAD.filter(([key]) => K > 1 || key === 'number' || key === 'a').map(column), h('div', { role: 'columnheader', class: 't' }, LOG && D.texts.source ? 'question' : D.texts || !D.ids ? 'reference' : 'id'));
  const value = $('sort').querySelector(`[value="${S.down ? '-' : ''}${S.sort}"]`);
  if (value) $('sort').value = value.value;
}
function drawRows() {
  const view = $('view'), height = rowHeight(), first = Math.max(0, Math.floor(view.scrollTop / height) - 4), last = Math.min(VIEW.length, first + Math.ceil(view.clientHeight / height) + 8);
  $('size').style.height = VIEW.length * height + 'px';
  const row = at => {
    const i = VIEW[at], shown = LOG && D.texts.source ? plain(D.texts.source[i]) : D.texts && D.texts.references.length ? plain(D.texts.references[0][i]) : D.texts ? plain(D.texts.hypotheses[0][i]) : D.ids ? D.ids[i] : '';
    const two = K > 1 ? [h('div', { role: 'gridcell', class: 'r', 'data-value': SHARES[i] }, signed(SHARES[i], 3))] : [];
    return h('div', { class: 'lrow' + (K > 1 ? '' : ' single'), role: 'row', id: 'row-' + i, 'data-segment': i, 'aria-rowindex': at + 2, 'aria-selected': String(i === S.segment), at: { top: at * height + 'px' } },
      h('div', { role: 'gridcell', class: 'r' }, count(i + 1)), two, h('div', { role: 'gridcell', class: 'r', 'data-value': M.sentences[S.a][i] }, fixed(M.sentences[S.a][i], M.digits - 1)),
      K > 1 ? [h('div', { role: 'gridcell', class: 'r', 'data-value': M.sentences[S.b][i] }, fixed(M.sentences[S.b][i], M.digits - 1)), h('div', { role: 'gridcell', class: 'r d' }, h('span', {}, signed(delta(i), M.digits - 1)))] : null,
      h('div', { role: 'gridcell', class: 't', dir: 'auto' }, shown));
  };
  fill($('size'), VIEW.length ? Array.from({ length: last - first }, (_, k) => row(first + k)) : h('div', { role: 'row' }, h('div', { role: 'gridcell', class: 'none' }, 'No segment is left: drop a filter.')));
  view.setAttribute('aria-rowcount', VIEW.length + 1);
  const active = $('row-' + S.segment);
  if (active) view.setAttribute('aria-activedescendant', active.id); else view.removeAttribute('aria-activedescendant');
}
function select(i, scroll) {
  S.segment = i ?? null;
  const at = VIEW.indexOf(S.segment), view = $('view'), height = rowHeight(), head = $('head').offsetHeight;
  if (scroll && at >= 0) {
    if (at * height < view.scrollTop) view.scrollTop = at * height;
    else if ((at + 1) * height + head > view.scrollTop + view.clientHeight) view.scrollTop = (at + 1) * height + head - view.clientHeight;
  }
  drawRows(); drawPane(); drawScatter(); writeAddress();
}
function step(n) { select(VIEW[Math.max(0, Math.min(VIEW.length - 1, VIEW.indexOf(S.segment) + n))], true); }
function drawOutcomes() {
  const rate = isRate();
  $('outcomes').hidden = !rate;
  if (!rate) S.outcome = '';
  fill($('outcome'), OUTCOMES.map(([value, text]) => h('option', { value, selected: value === S.outcome }, text)));
}
function drawSegments(stay) {
  drawOutcomes();
  keep(); drawHead(); drawChips(); drawLive(); drawHistogram();
  if (S.segment == null || !VIEW.includes(S.segment)) { S.segment = VIEW[0] ?? null; stay = false; }
  if (!stay) $('view').scrollTop = 0;
  select(S.segment, true);
}

// What is kept, as tab-separated values; nothing in them is a formula to a spreadsheet.
function table() {
  const safe = x => String(x).replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').replace(/^(?=[\s"'\ufeff]*[=+\-@＝＋－＠])/, "'");
  const head = ['segment', ...D.fields.map(f => f.name), ...(D.texts ? D.texts.references.map((_, r) => `reference ${r + 1}`) : []), ...D.systems.flatMap(s => [...(D.texts ? [s] : []), `${s} ${M.name}`]), ...(K > 1 ? [`difference ${D.systems[S.a]} - ${D.systems[S.b]}`, 'share in points'] : [])];
  const line = i => [i + 1, ...D.fields.map(f => safe(labelOf(f, i))), ...(D.texts ? D.texts.references.map(r => safe(plain(r[i]))) : []), ...D.systems.flatMap((_, s) => [...(D.texts ? [safe(plain(D.texts.hypotheses[s][i]))] : []), M.sentences[s][i]]), ...(K > 1 ? [delta(i), SHARES[i]] : [])].join('\t');
  return [head.map(safe).join('\t'), ...VIEW.map(line)].join('\n') + '\n';
}
function save() {
  const url = URL.createObjectURL(new Blob([table()], { type: 'text/tab-separated-values' }));
  const link = h('a', { href: url, download: `segments-${VIEW.length}.tsv` });
  document.body.append(link); link.click(); link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
