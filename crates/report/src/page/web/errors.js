// Errors of aligned words: the alignments that the metric counts, and the errors that each system makes most often.
const MOST_ERRORS = 15;
const KINDS = { S: 'Substitutions', D: 'Deletions', I: 'Insertions' };
const wordsOf = () => M.data.words == null ? null : D.words[M.data.words];
const listOf = tokens => typeof tokens === 'string' ? tokens ? tokens.split(' ') : [] : tokens;
const shownWord = word => word == null ? '' : word.trim() ? word : word.replaceAll(' ', '\u2423').replaceAll('\n', '\u23ce');

// One output beside the reference that it is counted against: a column for each word of the reference, insertions between.
function countedAlignment(W, s, i) {
  const [r, steps] = W.alignments[s][i], reference = listOf(W.references[r][i]), words = listOf(W.hypotheses[s][i]);
  const columns = Array(reference.length).fill(null), between = Array.from({ length: reference.length + 1 }, () => []), counts = { S: 0, D: 0, I: 0 };
  let x = 0, y = 0;
  const errors = [];
  for (const [, times, step] of steps.matchAll(/(\d+)([=SDI])/g)) for (let n = Number(times); n; n--) {
    if (step !== '=') { counts[step]++; errors.push([step, step === 'I' ? null : reference[x], step === 'D' ? null : words[y]]); }
    if (step === 'I') between[x].push(words[y++]);
    else if (step === 'D') x++;
    else columns[x++] = words[y++];
  }
  return { s, r, reference, columns, between, counts, errors };
}
const sameError = (error, [kind, reference, hypothesis]) => error.kind === kind && error.reference === reference && error.hypothesis === hypothesis;
function errorsOf(W, s, kind) {
  const of = [...W.errors.keys()].filter(n => W.errors[n].kind === kind && W.errors[n].times[s]);
  return of.sort((m, n) => W.errors[n].times[s] - W.errors[m].times[s] || m - n).slice(0, MOST_ERRORS);
}
const errorText = e => [e.reference, e.hypothesis].map(shownWord).join(' \u2192 ');
function drawErrors() {
  const W = wordsOf();
  $('s-errors').hidden = !W;
  for (const name of ['s-grams', 's-errors']) document.querySelector(`nav a[href="#${name}"]`).hidden = $(name).hidden;
  if (!W) return;
  const what = W.characters ? 'character' : 'word', column = text => h('th', { scope: 'col', class: 'num' }, text);
  $('errors-title').textContent = `Errors by ${what}`;
  $('errors-note').textContent = `The errors that ${M.name} counts, by the ${what}s of its alignment. Press one to keep the segments in which the system makes it.`;
  const pick = (s, n) => { S.error = [s, n]; drawSegments(); $('segments').scrollIntoView(); };
  const word = (text, s, n) => h('button', { dir: 'auto', title: 'keep the segments with this error', disabled: !D.texts, onclick: () => pick(s, n) }, shownWord(text));
  const row = (s, n) => {
    const e = W.errors[n], cells = [e.reference, e.hypothesis].filter(x => x != null);
    return h('tr', { 'data-error': e.kind }, cells.map((x, k) => h(k ? 'td' : 'th', k ? { dir: 'auto' } : { scope: 'row' }, k ? shownWord(x) : word(x, s, n))),
      [S.a, S.b].slice(0, K).map(t => h('td', { class: 'num' }, count(e.times[t]))), h('td', { class: 'num' }, count(e.in_references[s])));
  };
  const table = (s, kind) => {
    const rows = errorsOf(W, s, kind), words = kind === 'S' ? ['reference', 'output'] : [kind === 'D' ? 'reference' : 'output'];
    return [h('h4', {}, KINDS[kind]), rows.length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${KINDS[kind]} of ${D.systems[s]}` }, h('table', { 'data-kind': kind },
      h('thead', {}, h('tr', {}, words.map(text => h('th', { scope: 'col' }, text)), (K > 1 ? ['\u25CF', '\u25C6'] : ['times']).map(column), column('in references'))), h('tbody', {}, rows.map(n => row(s, n))))) : h('p', { class: 'note' }, 'None.')];
  };
  fill($('errors'), [S.a, S.b].slice(0, K).map(s => h('div', {}, h('h3', {}, who(s)), Object.keys(KINDS).map(kind => table(s, kind)))));
}
// Whether a system makes an error in a segment.
function holdsError() {
  const W = wordsOf(), [s, n] = S.error, error = W.errors[n];
  return i => W.alignments[s][i] != null && countedAlignment(W, s, i).errors.some(other => sameError(error, other));
}
