// Makes `dist` of the sources and of the WebAssembly modules: build.mjs TEXT.wasm FAMILIES.wasm. It needs no package.
import {copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

const here = name => fileURLToPath(new URL(name, import.meta.url));
const read = name => readFileSync(here(name), 'utf8');
const [text, families] = process.argv.slice(2);

mkdirSync(here('dist'), {recursive: true});
for (const [from, name] of [[text, 'text.wasm'], [families, 'families.wasm']]) {
  if (from !== undefined) copyFileSync(from, here(`dist/${name}`));
}

/** Converts the source of an ECMAScript module to CommonJS. Every import and export of the sources is one line in the form that this function expects. */
function common(source) {
  const converted = source
    .replace(/^import (\{[^}]*\}) from '\.\/(\w+)\.js';$/gm, "const $1 = require('./$2.cjs');")
    .replace(/^export (\{[^}]*\});$/gm, 'module.exports = $1;');
  if (/^(import|export) /m.test(converted)) throw new Error('a source has another form of import or export');
  return `'use strict';\n${converted}`;
}

for (const name of ['wasm', 'core', 'assertion']) {
  const source = read(`src/${name}.js`);
  writeFileSync(here(`dist/${name}.js`), source);
  writeFileSync(here(`dist/${name}.cjs`), common(source));
}
for (const name of ['node.cjs', 'node.mjs', 'web.js', 'promptfoo.cjs', 'promptfoo.mjs', 'vitest.js', 'index.d.ts', 'promptfoo.d.ts', 'vitest.d.ts']) {
  copyFileSync(here(`src/${name}`), here(`dist/${name}`));
}
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(here(`../../${name}`), here(name));
if (existsSync(here('dist/families.wasm'))) writeFileSync(here('dist/registry.d.ts'), registryTypes());

/** Returns a TypeScript file with types for the names and options of all metrics, tokenizers and normalizers. */
function registryTypes() {
  const registry = createRequire(import.meta.url)('./dist/node.cjs').registry({all: true});
  const literal = names => names.map(name => JSON.stringify(name)).join(' | ') || 'never';
  const camel = name => name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
  const typeOf = ({kind, choices}) => {
    if (kind === 'choice') {
      const numbers = choices.filter(choice => /^\d+$/.test(choice));
      const flags = ['yes', 'no'].every(word => choices.includes(word)) ? ' | boolean' : '';
      return literal(choices) + numbers.map(number => ` | ${number}`).join('') + flags;
    }
    const known = {integer: 'number', number: 'number', numbers: 'number | readonly number[] | string', path: 'string', flag: 'boolean'};
    return known[kind] ?? 'string | number | boolean | readonly (string | number)[]';
  };
  const metrics = registry.metrics.map(({name, other_names, options, summary}) => {
    const lines = new Map();
    for (const option of options) {
      // An option may leave out the name of its metric in front, unless every metric has a setting of that name.
      const names = [option.name.replace(new RegExp(`^${name.replace(/_/g, '-')}-`), ''), option.name];
      for (const one of names) {
        if (one !== 'norm' && one !== 'tokenize') lines.set(camel(one), [option.help, typeOf(option)]);
      }
    }
    const fields = [...lines].map(([field, [help, type]]) => `    /** ${help} */\n    ${field}?: ${type};\n`).join('');
    const all = [name, ...other_names].map(one => `  /** ${summary} */\n  ${JSON.stringify(one)}: ${JSON.stringify(name)};\n`);
    return {options: `  ${JSON.stringify(name)}: {\n${fields}  };\n`, names: all.join('')};
  });
  return [
    '// Names and options of the registry, made by `node build.mjs`: do not edit.\n\n',
    `export type TokenizerName = ${literal(registry.tokenizers)};\n`,
    `export type NormalizerName = ${literal(registry.normalizers)};\n\n`,
    `/** All names of metrics. Each name is mapped to the main name of its metric, under which MetricOptions has the options. */\nexport interface MetricNames {\n${metrics.map(one => one.names).join('')}}\n\n`,
    `/** The options of each metric. */\nexport interface MetricOptions {\n${metrics.map(one => one.options).join('')}}\n`,
  ].join('');
}
