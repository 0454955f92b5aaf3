// A filter above the tables of metrics: it hides rows without the typed words, and groups without rows.
'use strict';
addEventListener('DOMContentLoaded', () => {
  if (!/(^|\/)metrics\.html$/.test(location.pathname)) return;
  const tables = [...document.querySelectorAll('.md-content table')];
  if (!tables.length) return;
  const groups = tables.map(table => {
    const box = table.closest('.md-typeset__scrollwrap') ?? table;
    let title = box.previousElementSibling;
    while (title && title.tagName !== 'H2') title = title.previousElementSibling;
    return {box, title, rows: [...table.querySelectorAll('tbody tr')].map(row => ({row, text: `${title?.textContent} ${row.textContent}`.toLowerCase()}))};
  });
  const all = groups.reduce((sum, group) => sum + group.rows.length, 0);
  const input = Object.assign(document.createElement('input'), {type: 'search', id: 'filter', placeholder: 'name, task, program: wer, summary, rapidfuzz', spellcheck: false});
  const count = Object.assign(document.createElement('output'), {htmlFor: 'filter'});
  const label = document.createElement('label');
  label.className = 'filter';
  label.append('Filter ', input, count);
  (groups[0].title ?? groups[0].box).before(label);
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const {box, title, rows} of groups) {
      const fits = rows.filter(({row, text}) => !(row.hidden = !words.every(word => text.includes(word))));
      shown += fits.length;
      box.hidden = !fits.length;
      if (title) title.hidden = !fits.length;
    }
    count.textContent = words.length ? `${shown} of ${all} rows` : `${all} rows`;
  };
  input.addEventListener('input', show);
  show();
});
