// Two charts over the segments that are filters too: a histogram of differences, a scatter of one system against the other.
const BARS = 40, PAD = { left: 34, right: 8, top: 8, bottom: 24 };

function drawHistogram() {
  // Four points and two bars of a rate show nothing that the outcomes do not count.
  $('charts').hidden = K < 2 || isRate();
  if ($('charts').hidden) return;
  const most = Math.max(1e-9, ...Array.from({ length: N }, (_, i) => Math.abs(delta(i))).map(x => Number.isFinite(x) ? x : 0));
  // A perfect score may exceed 100 by an ulp.
  const about = most * 0.999999, power = 10 ** Math.floor(Math.log10(about)), ends = [1, 2, 5, 10].map(x => x * power).find(x => x >= about), width = 2 * ends / BARS, bins = Array(BARS).fill(0);
  let a = 0, b = 0, equal = 0;
  for (let i = 0; i < N; i++) {
    const d = delta(i), better = M.higher ? d : -d;
    if (!Number.isFinite(d)) continue;
    if (Math.abs(d) < 1e-9) { equal++; continue; }
    if (better > 0) a++; else b++;
    bins[Math.max(0, Math.min(BARS - 1, Math.floor((d + ends) / width)))]++;
  }
  const high = Math.max(1, ...bins), used = bins.map((n, k) => [n, k]).filter(([n]) => n).map(([, k]) => k), from = Math.min(...used, BARS / 2 - 1), to = Math.max(...used, BARS / 2);
  const column = k => {
    const low = -ends + k * width, range = [low, k === BARS - 1 ? low + 2 * width : low + width], on = S.range && Math.abs(S.range[0] - low) < 1e-9;
    const text = `difference ${fixed(low, M.digits)} to ${fixed(low + width, M.digits)}: ${count(bins[k])} segments`;
    return h('button', { class: low >= -1e-9 ? 'a' : 'b', title: text, 'aria-label': text, 'aria-pressed': String(!!on), onclick: () => { S.range = on ? null : range; drawSegments(); } }, h('i', { at: { height: percent(100 * bins[k] / high) } }));
  };
  fill($('histogram'), Array.from({ length: to - from + 1 }, (_, k) => column(from + k)));
  fill($('histogram-axis'), h('span', {}, fixed(-ends + from * width, M.digits)), h('span', {}, h('span', { class: 'is-b' }, `\u25C6 better ${count(b)}`), ` \u00A0 equal ${count(equal)} \u00A0 `, h('span', { class: 'is-a' }, `\u25CF better ${count(a)}`)), h('span', {}, fixed(-ends + (to + 1) * width, M.digits)));
}

let drag = null;
const axisEnd = () => Number.isFinite(M.max) ? M.max : Math.max(1e-9, ...[S.a, S.b].map(s => M.sentences[s].reduce((x, y) => Number.isFinite(y) ? Math.max(x, y) : x, 0)));
function drawScatter() {
  const canvas = $('scatter'), width = canvas.clientWidth, height = canvas.clientHeight, ratio = devicePixelRatio || 1, end = axisEnd();
  if (!width || K < 2) return;
  canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  const g = canvas.getContext('2d'), style = getComputedStyle(document.documentElement), colour = name => style.getPropertyValue(name).trim();
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  const X = x => PAD.left + x / end * (width - PAD.left - PAD.right), Y = y => height - PAD.bottom - y / end * (height - PAD.top - PAD.bottom);
  g.font = '12px ' + colour('--sans'); g.fillStyle = colour('--muted'); g.strokeStyle = colour('--line');
  for (const t of [0, end / 2, end]) {
    g.beginPath(); g.moveTo(X(t), Y(0)); g.lineTo(X(t), Y(end)); g.moveTo(X(0), Y(t)); g.lineTo(X(end), Y(t)); g.stroke();
    g.textAlign = t ? t === end ? 'right' : 'center' : 'left'; g.fillText(fixed(t, end > 2 ? 0 : 1), X(t), height - 6);
    g.textAlign = 'right'; g.fillText(fixed(t, end > 2 ? 0 : 1), PAD.left - 5, Y(t) + 4);
  }
  g.strokeStyle = colour('--strong'); g.beginPath(); g.moveTo(X(0), Y(0)); g.lineTo(X(end), Y(end)); g.stroke();
  const kept = VIEW.length === N ? null : new Set(VIEW), stamps = [stamp(colour('--a'), true, ratio), stamp(colour('--b'), false, ratio)];
  for (let i = 0; i < N; i++) {
    const x = M.sentences[S.b][i], y = M.sentences[S.a][i];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    const above = M.higher ? y >= x : y <= x;
    g.globalAlpha = !kept ? 0.5 : kept.has(i) ? 0.95 : 0.07;
    g.drawImage(stamps[above ? 0 : 1], X(Math.min(x, end)) - 3, Y(Math.min(y, end)) - 3, 6, 6);
  }
  g.globalAlpha = 1;
  const box = drag ? drag.box : S.box;
  if (box) { g.strokeStyle = colour('--ink'); g.setLineDash([4, 3]); g.strokeRect(X(box[0]), Y(box[3]), X(box[1]) - X(box[0]), Y(box[2]) - Y(box[3])); g.setLineDash([]); }
  if (S.segment != null) { g.strokeStyle = colour('--ink'); g.lineWidth = 2; g.beginPath(); g.arc(X(M.sentences[S.b][S.segment]), Y(M.sentences[S.a][S.segment]), 6, 0, 7); g.stroke(); g.lineWidth = 1; }
  canvas.setAttribute('aria-label', `${M.name} of segments: ${D.systems[S.b]} to the right, ${D.systems[S.a]} upward. The list below holds the same numbers.`);
  fill($('scatter-axis'), h('span', { class: 'is-a' }, `\u25CF ${D.systems[S.a]} upward`), h('span', { class: 'is-b' }, `\u25C6 ${D.systems[S.b]} to the right`));
}
// A mark drawn once and stamped for every segment.
function stamp(colour, round, ratio) {
  const canvas = document.createElement('canvas'), d = canvas.width = canvas.height = Math.ceil(6 * ratio), g = canvas.getContext('2d');
  g.fillStyle = colour; g.beginPath();
  if (round) g.arc(d / 2, d / 2, 2.2 * ratio, 0, 7); else { g.moveTo(d / 2, 0); g.lineTo(d, d / 2); g.lineTo(d / 2, d); g.lineTo(0, d / 2); }
  g.fill();
  return canvas;
}
function pointer(event) {
  const box = $('scatter').getBoundingClientRect(), end = axisEnd(), clamp = x => Math.max(0, Math.min(end, x));
  return [clamp(end * (event.clientX - box.left - PAD.left) / (box.width - PAD.left - PAD.right)), clamp(end * (box.height - PAD.bottom - (event.clientY - box.top)) / (box.height - PAD.top - PAD.bottom))];
}
function listenScatter() {
  const canvas = $('scatter');
  canvas.addEventListener('pointerdown', event => { const [x, y] = pointer(event); drag = { x, y, box: null }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener('pointermove', event => {
    if (!drag) return;
    const [x, y] = pointer(event);
    drag.box = [Math.min(x, drag.x), Math.max(x, drag.x), Math.min(y, drag.y), Math.max(y, drag.y)]; drawScatter();
  });
  canvas.addEventListener('pointerup', event => {
    const end = axisEnd(), box = drag && drag.box; drag = null;
    if (box && (box[1] - box[0] > 0.02 * end || box[3] - box[2] > 0.02 * end)) { S.box = box.map(x => Number(x.toFixed(4))); return drawSegments(); } // as the address writes it
    const [x, y] = pointer(event);
    let best = null, near = 0.09 * end;
    for (const i of VIEW) { const d = Math.hypot(M.sentences[S.b][i] - x, M.sentences[S.a][i] - y); if (d < near) { near = d; best = i; } }
    if (best != null) select(best, true); else drawScatter();
  });
}
