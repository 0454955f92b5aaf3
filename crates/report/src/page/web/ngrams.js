// N-grams won and lost: of those that are listed for some pair, the ones of this pair; pressed, they filter the segments.
const MOST_NGRAMS = 15;

// The n-grams that the first system matches more often, those first that chance explains least; without parts of listed ones
// with the same counts. The same as in the tables that are there without scripts.
function ngramsWon(a, b) {
  const x = D.ngrams.matches[a], y = D.ngrams.matches[b], texts = D.ngrams.texts, listed = [];
  const sure = n => (x[n] - y[n]) / Math.sqrt(x[n] + y[n]);
  const order = [...texts.keys()].filter(n => x[n] > y[n]).sort((m, n) => sure(n) - sure(m) || m - n);
  for (const n of order) {
    if (listed.some(m => x[m] === x[n] && y[m] === y[n] && ` ${texts[m]} `.includes(` ${texts[n]} `))) continue;
    if (listed.push(n) === MOST_NGRAMS) break;
  }
  return listed;
}
function drawGrams() {
  // Under a metric of aligned words these are shown instead.
  $('s-grams').hidden = !D.ngrams || K < 2 || wordsOf() != null;
  if ($('s-grams').hidden) return;
  const pick = text => { S.ngram = text; drawSegments(); $('segments').scrollIntoView(); };
  const column = text => h('th', { scope: 'col', class: 'num' }, text);
  const row = n => h('tr', {}, h('th', { scope: 'row' }, h('button', { dir: 'auto', title: 'keep the segments whose references have it', disabled: !D.texts, onclick: () => pick(D.ngrams.texts[n]) }, D.ngrams.texts[n])),
    h('td', { class: 'num' }, count(D.ngrams.matches[S.a][n])), h('td', { class: 'num' }, count(D.ngrams.matches[S.b][n])), h('td', { class: 'num' }, count(D.ngrams.references[n])));
  const side = (s, other) => {
    const won = ngramsWon(s, other);
    return h('div', {}, h('h3', {}, who(s), ' has it more often'), h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `n-grams that ${D.systems[s]} has more often` }, won.length ? h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'n-gram'), column('\u25CF'), column('\u25C6'), column('in references'))), h('tbody', {}, won.map(row))) : h('p', { class: 'note' }, 'None.')));
  };
  fill($('grams'), side(S.a, S.b), side(S.b, S.a));
}
// Whether a reference of a segment has the n-gram that is looked for.
function holdsNgram() {
  const wanted = ` ${S.ngram} `;
  return i => D.texts.references.some(list => list[i] != null && ` ${list[i].replaceAll(D.texts.glue, ' ')} `.includes(wanted));
}
