// Wiring: what the controls do, and the first drawing.
function drawControls() {
  for (const key of ['a', 'b']) fill($('pick-' + key), D.systems.map((name, s) => h('option', { value: s, selected: s === S[key] }, name)));
  fill($('pick-metric'), METRICS.map((m, k) => h('option', { value: k, selected: k === S.metric }, m.name)));
  $('pick-metric').parentNode.hidden = METRICS.length < 2;
  for (const element of document.querySelectorAll('.of-two')) element.hidden = K < 2;
  $('q').value = S.query;
  $('q').disabled = !D.texts;
}
function drawAll(stay) {
  M = METRICS[S.metric].load();
  measurePair(); drawControls(); drawScores(); drawWhy(); drawSlices(); drawGrams(); drawErrors(); drawSegments(stay);
}
function choose(a, b) {
  if (a === b) [a, b] = [b, S.a === a ? S.b : S.a];
  S.a = a; S.b = b; S.range = null; S.box = null;
  drawAll();
}
function listen() {
  $('pick-a').addEventListener('change', e => { const a = Number(e.target.value); choose(a, a === S.b ? S.a : S.b); });
  $('pick-b').addEventListener('change', e => { const b = Number(e.target.value); choose(b === S.a ? S.b : S.a, b); });
  $('pick-metric').addEventListener('change', e => { S.metric = Number(e.target.value); S.range = S.box = S.error = null; drawAll(); });
  $('swap').addEventListener('click', () => choose(S.b, S.a));
  for (const td of document.querySelectorAll('table.matrix td[data-a]')) {
    const text = td.textContent, button = h('button', { title: 'compare these two' });
    button.append(...td.childNodes); td.append(button);
    button.addEventListener('click', () => choose(Number(td.dataset.a), Number(td.dataset.b)));
    button.setAttribute('aria-label', `${D.systems[td.dataset.a]} minus ${D.systems[td.dataset.b]}: ${text}`);
  }
  $('theme').addEventListener('click', () => {
    const dark = theme() ? theme() === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark'; drawScatter(); writeAddress();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawScatter());
  let wait;
  $('q').addEventListener('input', e => { clearTimeout(wait); wait = setTimeout(() => { S.query = e.target.value.trim(); drawSegments(); }, 120); });
  $('sort').addEventListener('change', e => { S.down = e.target.value[0] === '-'; S.sort = e.target.value.replace('-', ''); drawSegments(); });
  $('outcome').addEventListener('change', e => { S.outcome = e.target.value; drawSegments(); });
  $('tsv').addEventListener('click', save);
  const view = $('view');
  view.addEventListener('scroll', () => requestAnimationFrame(drawRows), { passive: true });
  view.addEventListener('click', e => { const row = e.target.closest('[data-segment]'); if (row) select(Number(row.dataset.segment)); });
  view.addEventListener('keydown', e => {
    if (e.target !== view || e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor(view.clientHeight / rowHeight()) - 1);
    const n = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -N, End: N }[e.key];
    if (n && VIEW.length) { e.preventDefault(); step(n); }
  });
  document.addEventListener('keydown', e => { if (e.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); $('q').focus(); } });
  listenScatter();
  addEventListener('resize', () => { drawScatter(); drawRows(); });
  addEventListener('hashchange', () => { readAddress(); drawAll(true); });
  addEventListener('beforeprint', drawPrint);
}
document.documentElement.classList.add('scripted');
readAddress(); listen(); drawAll(true);
document.documentElement.dataset.ready = (performance.now() - BEGAN).toFixed(1);
