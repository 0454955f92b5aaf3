// Building blocks: nodes, numbers, marks. Text enters the page through text nodes and nowhere else.
async function unpacked(text, format) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))).text();
}
const HELD = document.getElementById('data');
const D = JSON.parse(HELD.dataset.packed ? await unpacked(HELD.textContent, HELD.dataset.packed) : HELD.textContent);
const N = D.segments, K = D.systems.length;
const $ = id => document.getElementById(id);

// An element: properties that begin with `on` are listeners, `at` are styles, the rest attributes.
function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value == null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'at') for (const [name, x] of Object.entries(value)) element.style[name] = x;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(3).filter(child => child != null));
  return element;
}
const fill = (element, ...children) => element.replaceChildren(...children.flat(3).filter(child => child != null));

const MINUS = '\u2212';
const fixed = (x, digits) => {
  if (!Number.isFinite(x)) return '\u2013';
  const text = x.toFixed(digits);
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', MINUS);
};
const signed = (x, digits) => (Number(x.toFixed(digits)) > 0 ? '+' : '') + fixed(x, digits);
const count = x => String(x).replace(/\B(?=(\d{3})+$)/g, ',');
const LEAST = 0.001, probability = p => p < LEAST ? `p < ${LEAST}` : 'p = ' + fixed(p, 3);

// A cell with a number; `data-value` holds all its digits.
const cell = (x, digits, sign) =>
  h('td', { class: 'num', 'data-value': x }, (sign ? signed : fixed)(x, digits));

// The two systems compared have colour, shape and letter; all others are grey rings.
const role = s => s === S.a ? 'a' : s === S.b ? 'b' : 'o';
const mark = of => h('span', { class: 'mk ' + of, 'aria-hidden': 'true' });
const who = s => [mark(role(s)), D.systems[s]];

// ---- small charts: positions in percent of a track ----
const percent = x => Math.max(0, Math.min(100, x)).toFixed(2) + '%';
function track(values, low, high, bounds) {
  const place = x => percent(100 * (x - low) / (high - low || 1));
  const label = values.map((x, s) => `${D.systems[s]} ${fixed(x, M.digits)}`).join(', ');
  const line = h('div', { class: 'track', role: 'img', 'aria-label': label });
  bounds.forEach((b, s) => b && Number.isFinite(b[0]) && line.append(h('i', { class: 'ci ' + role(s), at: { left: place(b[0]), right: percent(100 - 100 * (b[1] - low) / (high - low || 1)) } })));
  [...values.keys()].sort((x, y) => (role(y) === 'o') - (role(x) === 'o'))
    .forEach(s => Number.isFinite(values[s]) && line.append(h('i', { class: 'dot ' + role(s), at: { left: place(values[s]) } })));
  return line;
}
// From zero in the middle: the first system to the right, the second to the left; its interval as a whisker.
function bar(x, span, bounds) {
  const width = Math.min(50, 50 * Math.abs(x) / span);
  const line = h('div', { class: 'track div', 'aria-hidden': 'true' }, h('i', { class: 'zero' }),
    h('i', { class: 'box ' + (x >= 0 ? 'a' : 'b'), at: { left: (x >= 0 ? 50 : 50 - width) + '%', width: width + '%' } }));
  if (bounds) {
    const left = Math.max(0, 50 + 50 * bounds[0] / span), right = Math.min(100, 50 + 50 * bounds[1] / span);
    if (right > left) line.append(h('i', { class: 'whisk', at: { left: left + '%', width: right - left + '%' } }));
  }
  return line;
}
const barAxis = span => h('div', { class: 'axis' }, h('span', { class: 'is-b' }, '\u25C6 more'), h('span', {}, '\u00B1' + fixed(span, M.digits)), h('span', { class: 'is-a' }, '\u25CF more'));
