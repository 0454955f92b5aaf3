// The reading pane: one segment, its matches by length of n-gram, or its words one below the other.
// A text travels with the borders of its tokens: a space, or the glue where nothing was written.
const plain = text => text == null ? '(text left out)' : text.replaceAll(D.texts.glue, '').replaceAll('\u00A0', ' ');
function split(text) {
  const words = [], gaps = [];
  if (!text) return { words, gaps };
  let from = 0;
  for (let k = 0; k <= text.length; k++) if (k === text.length || text[k] === ' ' || text[k] === D.texts.glue) {
    words.push(text.slice(from, k)); gaps.push(text[k] === ' ' ? ' ' : ''); from = k + 1;
  }
  return { words, gaps };
}
// For every word the longest matching n-gram it is part of, up to 4; each n-gram as often as the reference that has it most.
function levels(words, references) {
  const level = new Uint8Array(words.length);
  for (let n = 1; n <= 4; n++) {
    const limit = new Map();
    for (const other of references) {
      const own = new Map();
      for (let k = 0; k + n <= other.length; k++) { const gram = other.slice(k, k + n).join('\u0000'); own.set(gram, (own.get(gram) || 0) + 1); }
      own.forEach((c, gram) => limit.set(gram, Math.max(c, limit.get(gram) || 0)));
    }
    for (let k = 0; k + n <= words.length; k++) {
      const gram = words.slice(k, k + n).join('\u0000'), left = limit.get(gram) || 0;
      if (!left) continue;
      limit.set(gram, left - 1);
      for (let j = k; j < k + n; j++) level[j] = n;
    }
  }
  return level;
}
// Words of one class stand in one element, so that a screen reader reads runs, not words.
function runs(text, classOf) {
  const out = [];
  for (let k = 0; k < text.words.length;) {
    const name = classOf(k); let j = k, run = text.words[k];
    while (j + 1 < text.words.length && classOf(j + 1) === name) { run += text.gaps[j]; run += text.words[++j]; }
    out.push(name ? h('span', { class: name }, run) : run, text.gaps[j]);
    k = j + 1;
  }
  return out;
}
function matches(i, few) {
  const references = D.texts.references.map(r => split(r[i])), words = references.map(r => r.words), shown = [S.a, S.b, ...D.systems.keys()].filter((s, k, list) => list.indexOf(s) === k), out = [];
  const own = new Map(shown.map(s => [s, split(D.texts.hypotheses[s][i])]));
  if (D.texts.source && !few) out.push(h('div', { class: 'text src' }, h('div', { class: 'who' }, LOG ? 'question' : 'source'), h('p', { dir: 'auto' }, plain(D.texts.source[i]))));
  references.forEach((reference, r) => {
    const found = s => own.has(s) ? levels(reference.words, [own.get(s).words]) : [];
    const a = found(S.a), b = K > 1 ? found(S.b) : a;
    out.push(h('div', { class: 'text' }, h('div', { class: 'who' }, references.length > 1 ? `reference ${r + 1}` : LOG ? 'target' : 'reference', LOG ? null : h('span', { class: 'f' }, `${reference.words.length} tokens`)),
      h('p', { dir: 'auto' }, reference.words.length ? runs(reference, k => a[k] && b[k] ? '' : a[k] ? 'ra' : b[k] ? 'rb' : 'rn') : '(empty)')));
  });
  for (const s of few ? shown.slice(0, 2) : shown) {
    const text = own.get(s), level = levels(text.words, words);
    out.push(h('div', { class: 'text c-' + role(s) }, h('div', { class: 'who' }, h('span', {}, who(s)), h('span', { class: 'f' }, `${fixed(M.sentences[s][i], M.digits)} ${M.name}`)),
      h('p', { dir: 'auto' }, text.words.length ? runs(text, k => level[k] ? 'm m' + level[k] : '') : '(empty)')));
  }
  return out;
}
// Fewest edits: a column per word of the reference, insertions between.
function align(reference, words) {
  const n = reference.length, m = words.length, width = m + 1, cost = new Uint16Array((n + 1) * width);
  for (let i = 0; i <= n; i++) for (let j = 0; j <= m; j++)
    cost[i * width + j] = !i ? j : !j ? i : Math.min(cost[(i - 1) * width + j - 1] + (reference[i - 1] !== words[j - 1]), cost[(i - 1) * width + j] + 1, cost[i * width + j - 1] + 1);
  const columns = Array(n).fill(null), between = Array.from({ length: n + 1 }, () => []);
  for (let i = n, j = m; i || j;) {
    const here = cost[i * width + j];
    if (i && j && here === cost[(i - 1) * width + j - 1] + (reference[i - 1] !== words[j - 1])) columns[--i] = words[--j];
    else if (j && here === cost[i * width + j - 1] + 1) between[i].unshift(words[--j]);
    else i--;
  }
  return { columns, between };
}
const LONGEST = 2000;
// Outputs under a reference: a column per word of the reference, insertions between.
function columns(reference, sides) {
  const out = [], cell = (name, word, empty) => h('span', { class: name, dir: 'auto' }, word == null ? empty : shownWord(word));
  const column = (word, others) => h('span', { class: 'col' }, cell(word == null ? 'gap' : 'rf', word, '\u00A0'), others.map((z, k) => cell(z == null ? 'gap' : z === word ? 'eq' : sides[k].s === S.a ? 'da' : 'db', z, '\u00B7')));
  for (let k = 0; k <= reference.length; k++) {
    for (let n = 0; n < Math.max(...sides.map(side => side.between[k].length)); n++) out.push(column(null, sides.map(side => side.between[k][n])));
    if (k < reference.length) out.push(column(reference[k], sides.map(side => side.columns[k])));
  }
  return h('div', { class: 'cols', dir: rightToLeft(reference.join(' ')) ? 'rtl' : 'ltr' }, out);
}
function aligned(i) {
  const reference = split(D.texts.references[0][i]).words, both = [S.a, S.b].slice(0, K).map(s => [s, split(D.texts.hypotheses[s][i]).words]);
  if (Math.max(reference.length, ...both.map(([, words]) => words.length)) > LONGEST) return h('p', { class: 'note' }, 'Too long to be aligned here.');
  return columns(reference, both.map(([s, words]) => ({ s, ...align(reference, words) })));
}
// The alignments that the metric counts: both outputs under one reference, or each under its own.
function alignedWords(W, i) {
  const sides = [S.a, S.b].slice(0, K).map(s => countedAlignment(W, s, i)), unit = W.characters ? 'characters' : 'words';
  const facts = ({ s, reference, counts: { S: substitutions, D: deletions, I: insertions } }) => h('div', { class: 'who' }, h('span', {}, who(s)),
    h('span', { class: 'f' }, `${substitutions + deletions + insertions} errors in ${reference.length} ${unit}: ${substitutions} S, ${deletions} D, ${insertions} I \u00B7 ${fixed(M.sentences[s][i], M.digits)} ${M.name}`));
  const together = sides.every(side => side.r === sides[0].r);
  return (together ? [sides] : sides.map(side => [side])).map(of => h('div', { class: 'text words' },
    of.map(facts), W.references.length > 1 ? h('p', { class: 'note' }, `Against reference ${of[0].r + 1}.`) : null, columns(of[0].reference, of)));
}
// Rows of stretches on one axis, as the metric draws a segment; they scroll where they are wider than the pane.
let STRETCHED = 1;
const length = stretches => stretches.reduce((sum, [from, to]) => sum + to - from, 0);
function picture(rows) {
  const of = kind => rows.filter(row => row[0] === kind), [, unit, end] = of('axis')[0] || ['', '', 1], out = of('out').flatMap(row => row[2]);
  const place = x => percent(100 * x / (end || 1));
  const bars = (kind, stretches) => stretches.map(([from, to]) => h('i', { class: kind, title: `${from} to ${to} ${unit}`, at: { left: place(from), width: place(to - from) } }));
  const row = ([kind, name, stretches]) => {
    const words = kind === 'error' ? name : `${kind === 'hypothesis' ? 'output' : kind} ${name}`, sum = `${fixed(length(stretches), 2)} ${unit}`;
    return [h('span', { class: 'name', dir: 'auto', title: sum }, words), h('div', { class: 'lane', role: 'img', 'aria-label': `${words}: ${sum} in ${stretches.length}` }, bars('out', out), bars(kind, stretches))];
  };
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'picture' }, h('div', { class: 'picture', at: { width: 100 * STRETCHED + '%' } },
    rows.filter(([kind]) => kind !== 'out' && kind !== 'axis').map(row), h('span', { class: 'name' }), h('div', { class: 'axis' }, h('span', {}, '0'), h('span', {}, `${end} ${unit}`))));
}
function pictures(i) {
  const of = s => M.pictures[s][i], stretch = by => { STRETCHED = Math.max(1, Math.min(64, STRETCHED * by)); drawPane(); document.querySelector(`#pane [data-stretch="${by}"]`).focus(); };
  const button = (by, text) => h('button', { 'data-stretch': by, onclick: () => stretch(by) }, text);
  return [h('div', { class: 'seg' }, button(2, 'wider'), button(0.5, 'narrower')),
    [S.a, S.b].slice(0, K).map(s => h('div', { class: 'text c-' + role(s) }, h('div', { class: 'who' }, h('span', {}, who(s)), h('span', { class: 'f' }, `${fixed(M.sentences[s][i], M.digits)} ${M.name}`)),
      of(s) ? picture(of(s)) : h('p', { class: 'note' }, 'The picture was left out of this report.'))),
    h('p', { class: 'note' }, 'Grey is not scored.')];
}
const rightToLeft = text => /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(text);

function drawPane() {
  const pane = $('pane'), i = S.segment;
  if (i == null) return fill(pane, h('p', { class: 'note' }, 'No segment is left.'));
  const facts = [...D.fields.map(f => `${f.name}: ${labelOf(f, i)}`), ...(K > 1 ? [`share of the difference: ${signed(SHARES[i], 3)} points of ${M.name}`] : [])].join(' \u00B7 ');
  const head = [h('h3', {}, `Segment ${count(i + 1)}${D.ids ? ': ' + D.ids[i] : ''}`), h('p', { class: 'facts' }, facts)];
  if (M.pictures) return fill(pane, head, pictures(i));
  if (!D.texts || D.texts.hypotheses[0][i] == null) return fill(pane, head, h('p', { class: 'note' }, 'The texts were left out of this report.'));
  const W = wordsOf();
  if (W) return fill(pane, head, D.texts.source ? h('div', { class: 'text src' }, h('div', { class: 'who' }, 'source'), h('p', { dir: 'auto' }, plain(D.texts.source[i]))) : null,
    h('p', { class: 'note' }, `Lines: reference, outputs, in the ${W.characters ? 'characters' : 'words'} that ${M.name} counts. Tinted where they differ from the reference, \u00B7 where they are missing.`), alignedWords(W, i));
  const view = (value, text) => h('label', {}, h('input', { type: 'radio', name: 'view', value, checked: S.view === value, onchange: () => { S.view = value; drawPane(); writeAddress(); document.querySelector('#pane input:checked').focus(); } }), text);
  const choice = D.texts.references.length && !LOG ? h('div', { class: 'seg', role: 'radiogroup', 'aria-label': 'view of the texts' }, view('matches', 'matches'), view('aligned', 'word by word')) : null;
  const key = h('div', { class: 'key' }, ['one word', '2 in a row', '3 in a row', '4 or more'].map((text, k) => h('span', { class: 'c-a m m' + (k + 1) }, `\u00A0${text}\u00A0`)), K > 1 ? [h('span', { class: 'ra' }, 'only \u25CF has it'), h('span', { class: 'rb' }, 'only \u25C6 has it')] : null, h('span', { class: 'rn' }, K > 1 ? 'neither' : 'not found'));
  if (S.view === 'aligned' && choice) fill(pane, head, choice, h('p', { class: 'note' }, D.texts.references.length > 1 ? 'Lines: first reference, ' : 'Lines: reference, ', h('span', { class: 'is-a' }, '\u25CF ' + D.systems[S.a]), K > 1 ? [', ', h('span', { class: 'is-b' }, '\u25C6 ' + D.systems[S.b])] : null, '. Tinted where it differs from the reference, \u00B7 where words are missing.'), aligned(i));
  else fill(pane, head, choice, matches(i), LOG ? null : key);
}
// On paper: the first segments of what is kept.
function drawPrint() {
  fill($('print'), h('h2', {}, `First ${Math.min(20, VIEW.length)} of ${count(VIEW.length)} segments`),
    D.texts || M.pictures ? VIEW.slice(0, 20).filter(i => M.pictures || D.texts.hypotheses[0][i] != null).map(i => h('div', { class: 'item' }, h('b', {}, `Segment ${i + 1}`), K > 1 ? ` difference ${signed(delta(i), M.digits)}, share ${signed(SHARES[i], 3)} points` : '', M.pictures ? pictures(i) : wordsOf() ? alignedWords(wordsOf(), i) : matches(i, true))) : null);
}
