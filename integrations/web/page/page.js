// The page: boxes of text in, answers of the program out. Texts enter the page as text nodes only.
'use strict';
(async () => {
const at = id => document.getElementById(id);
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

// What a newcomer sees: two systems, two references.
const EXAMPLE = {
  systems: [
    ['system A', 'The dog bit the man.\nIt was not surprising.\nThe man had just bitten him.\n'],
    ['system B', 'A dog has bitten a man.\nIt was no surprise.\nThe man bit him first.\n'],
  ],
  references: [
    'The dog bit the man.\nIt was not unexpected.\nThe man bit him first.\n',
    'The dog had bit the man.\nNo one was surprised.\nThe man had bitten the dog.\n',
  ],
};

const boxes = {systems: [], references: []};

function addBox(kind, name, text) {
  const own = boxes[kind];
  const label = kind === 'systems' ? 'Output of ' : 'Reference ';
  const title = make('input', {value: name, spellcheck: false, ariaLabel: 'Name of the system'});
  const area = make('textarea', {value: text, spellcheck: false, ariaLabel: label + name});
  const file = make('input', {type: 'file', hidden: true});
  const open = make('button', {type: 'button', textContent: 'Open'});
  const close = make('button', {type: 'button', textContent: 'Remove', ariaLabel: `Remove ${name}`});
  const heading = kind === 'systems' ? title : make('b', {textContent: label + name});
  const element = make('div', {className: 'box'}, make('div', {className: 'head'}, heading, open, close, file), area);
  const box = {title, area, element};
  open.onclick = () => file.click();
  file.onchange = async () => { area.value = await file.files[0].text(); changed(); };
  close.onclick = () => {
    own.splice(own.indexOf(box), 1);
    element.remove();
    changed();
  };
  title.oninput = area.oninput = changed;
  own.push(box);
  at('boxes').append(element);
}

const question = more => JSON.stringify({
  systems: boxes.systems.map(box => ({name: box.title.value, text: box.area.value})),
  references: boxes.references.map(box => box.area.value),
  metrics: at('metrics').value, tokenize: at('tokenize').value, lowercase: at('lowercase').checked,
  target: at('target').value, segment: selected, ...more,
});

/// The answer, or an error where the page shows it.
function ask(which, where) {
  const answer = JSON.parse(wasm_bindgen[which](question()));
  at(where).textContent = answer.error ?? '';
  return answer.error === undefined ? answer : null;
}

// The first segment of the example matches exactly, so the second shows more.
let selected = 2;
let waiting;
function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(show, 120);
}

function show() {
  at('report').hidden = true;
  const scores = ask('score', 'error');
  showScores(scores);
  if (scores === null) return void [at('rows'), at('ngrams'), at('working'), at('explanation')].forEach(part => part.replaceChildren());
  showSegments(scores);
  showWorking();
  showExplanation();
}

function showScores(scores) {
  const systems = scores?.systems ?? [];
  const names = systems[0]?.metrics.map(metric => metric.name) ?? [];
  const head = make('tr', {}, make('th', {scope: 'col', textContent: 'system'}), ...names.map(name => make('th', {scope: 'col', className: 'num', textContent: name})));
  const rows = systems.map(system => make('tr', {}, make('th', {scope: 'row', textContent: system.name}), ...system.metrics.map(metric => {
    const number = / = (\S+)/.exec(metric.line)?.[1] ?? String(metric.value);
    const cell = make('td', {className: 'num line', title: String(metric.value)}, make('b', {textContent: number}));
    // Every digit, for tests and for those who want them.
    cell.dataset.value = metric.value;
    return cell;
  })));
  at('lines').replaceChildren(make('thead', {}, head), make('tbody', {}, ...rows));
  at('signatures').replaceChildren(...systems.flatMap(system => [
    make('h3', {textContent: system.name}), ...system.metrics.map(metric => make('p', {className: 'signature', textContent: metric.line})),
  ]));
  showChosen();
}

const chosen = () => at('metrics').value.split(/\s+/).filter(Boolean);

/// A button for each chosen metric, which removes the metric.
function showChosen() {
  at('chosen').replaceChildren(...chosen().map(name => {
    const remove = make('button', {type: 'button', textContent: `${name} \u00d7`, ariaLabel: `Remove the metric ${name}`});
    remove.onclick = () => { at('metrics').value = chosen().filter(other => other !== name).join(' '); changed(); };
    return remove;
  }));
}

function showSegments(scores) {
  const names = scores.systems[0]?.metrics.map(metric => metric.name) ?? [];
  const head = make('tr', {}, make('th', {textContent: 'segment'}),
    ...scores.systems.flatMap(system => names.map(name => make('th', {className: 'num', textContent: `${name}, ${system.name}`}))));
  const hypotheses = boxes.systems[0].area.value.split('\n');
  const count = scores.segments[0]?.[0]?.length ?? 0;
  selected = Math.min(Math.max(selected, 1), Math.max(count, 1));
  const shown = Math.min(count, 500);
  const rows = Array.from({length: shown}, (_, index) => {
    const pick = make('button', {type: 'button', textContent: `${index + 1}  ${hypotheses[index] ?? ''}`});
    pick.onclick = () => { selected = index + 1; showSegments(scores); showWorking(); };
    const cells = scores.segments.flatMap(system => system.map(column => {
      const value = column[index];
      const text = typeof value === 'number' ? value.toFixed(2) : String(value);
      return make('td', {className: 'num', textContent: text});
    }));
    const row = make('tr', {}, make('td', {}, pick), ...cells);
    row.setAttribute('aria-selected', index + 1 === selected);
    return row;
  });
  const more = count > shown ? [make('tr', {}, make('td', {textContent: `${count - shown} more segments`}))] : [];
  at('rows').replaceChildren(make('thead', {}, head), make('tbody', {}, ...rows, ...more));
}

function showWorking() {
  const working = ask('working', 'error');
  const orders = (working?.orders ?? []).map((order, index) => make('p', {className: 'order'},
    make('b', {textContent: `${index + 1}-grams`}),
    ...order.map(([ngram, , , clipped]) => ngramOf(order, ngram, clipped))));
  at('ngrams').replaceChildren(...orders);
  at('working').textContent = working?.text ?? '';
}

function ngramOf(order, ngram, clipped) {
  const [, hypothesis] = order.find(([other]) => other === ngram);
  const counts = make('small', {textContent: ` ${clipped} of ${hypothesis}`});
  return make('span', {className: clipped > 0 ? 'gram hit' : 'gram'}, ngram, counts);
}

function showExplanation() {
  const explained = ask('explain', 'error');
  const rows = (explained?.rows ?? []).map((row, index) => make('tr', {className: index < explained.fits ? 'fits' : ''},
    make('td', {className: 'num', textContent: row.error ?? row.percent.toFixed(2)}),
    make('td', {textContent: row.settings.join(' ') || 'default'})));
  const head = make('tr', {}, make('th', {className: 'num', textContent: 'BLEU'}), make('th', {textContent: 'settings'}));
  at('explanation').replaceChildren(make('thead', {}, head), make('tbody', {}, ...rows));
}

function makeReport() {
  const made = ask('report', 'report-error');
  if (made === null) return;
  at('report').srcdoc = made.html;
  at('report').hidden = false;
}

const packed = Uint8Array.from(atob(at('wasm').textContent), character => character.charCodeAt(0));
const program = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
await wasm_bindgen({module_or_path: await new Response(program).arrayBuffer()});
const names = JSON.parse(wasm_bindgen.names());
at('tokenize').append(...names.tokenizers.map(name => make('option', {value: name, textContent: name})));
at('add-metric').append(...names.metrics.map(name => make('option', {value: name, textContent: name})));
at('add-metric').oninput = () => {
  if (!chosen().includes(at('add-metric').value)) at('metrics').value = [...chosen(), at('add-metric').value].join(' ');
  at('add-metric').value = '';
  changed();
};
EXAMPLE.systems.forEach(([name, text]) => addBox('systems', name, text));
EXAMPLE.references.forEach((text, index) => addBox('references', String(index + 1), text));
at('add-system').onclick = () => { addBox('systems', `system ${boxes.systems.length + 1}`, ''); changed(); };
at('add-reference').onclick = () => { addBox('references', String(boxes.references.length + 1), ''); changed(); };
for (const id of ['metrics', 'tokenize', 'lowercase', 'target']) at(id).oninput = changed;
at('make-report').onclick = makeReport;
show();
// A page around this one has the title already.
document.body.classList.toggle('framed', self !== top);
document.body.dataset.ready = 'yes';
})();
