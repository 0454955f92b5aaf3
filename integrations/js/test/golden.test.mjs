// The golden rows of crates/testkit/data: the same files that all interfaces run.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {Accumulator, metric} from 'bleuprint';

const root = new URL('../../../', import.meta.url);
const data = new URL('crates/testkit/data/', root);
const lines = url => readFileSync(url, 'utf8').replace(/\n$/, '').split('\n');
const example = name => lines(new URL(`examples/data/${name}`, root));

/** Returns the golden rows with their texts. Rows over statistics are left out, because the library tests them, and so are rows that need files, which a WebAssembly module cannot read. */
function textRows(url) {
  const texts = new Map();
  const rows = [];
  for (const row of lines(url).map(line => JSON.parse(line))) {
    if (row.statistics) continue;
    if (row.texts) row.given = texts.get(row.texts);
    else if (row.files) {
      const streams = row.files.references.map(example);
      row.given = [example(row.files.hypotheses), streams[0].map((_, at) => streams.map(stream => stream[at])), undefined];
    } else row.given = [row.hypotheses, row.references, row.sources];
    texts.set(row.name, row.given);
    if (!row.spec.includes('wordnet=..')) rows.push(row);
  }
  return rows;
}

const flat = value => (Array.isArray(value) ? value.flatMap(flat) : [Number(value)]);

function near(ours, theirs, tolerance) {
  if (theirs === null) return Number.isNaN(ours);
  return Object.is(ours, theirs) || ours === theirs || Math.abs(ours - theirs) <= tolerance * Math.max(Math.abs(theirs), 1);
}

function check(place, ours, theirs, tolerance) {
  assert.ok(ours.length === theirs.length && ours.every((one, at) => near(one, theirs[at], tolerance)), `${place}: ${ours}, not ${theirs}`);
}

const made = new Map();
function metricOf(spec) {
  if (!made.has(spec)) made.set(spec, metric(spec, {emptyReferences: 'keep'}));
  return made.get(spec);
}

/** Two parts of the data, one of which has travelled as bytes, merge to the bytes of the whole. */
function checkMerging(place, own, [hypotheses, references, sources], data) {
  const learned = own.info.twoPasses ? own.learn(...data) : own;
  const part = (from, to) => learned.accumulator().update(hypotheses.slice(from, to), references?.slice(from, to), {sources: sources?.slice(from, to)});
  const middle = hypotheses.length >> 1;
  const whole = part(0, hypotheses.length);
  const merged = part(0, middle).merge(Accumulator.fromBytes(learned, part(middle, hypotheses.length).toBytes()));
  assert.deepEqual(merged.toBytes(), whole.toBytes(), place);
  assert.ok(Object.is(merged.value(), whole.value()) && merged.segments === hypotheses.length, place);
}

function checkText(row) {
  const {expected, tolerance = 0, sentence_tolerance: ofSentences = 0} = row;
  const place = `${row.name}, ${row.spec}`;
  const [hypotheses, references, sources] = row.given;
  if (expected.error) {
    assert.throws(() => metric(row.spec).score(hypotheses, references, {sources}), {name: 'BleuprintError'}, place);
    return;
  }
  const own = metricOf(row.spec);
  const given = [hypotheses, references, {sources}];
  const score = own.score(...given);
  check(place, [score.score], [expected.score], tolerance);
  if (expected.headlines) check(place, Object.values(score.headlines), expected.headlines, tolerance);
  for (const [key, part] of Object.entries(expected.parts ?? {})) check(`${place}: ${key}`, flat(score.parts[key]), flat(part), tolerance);
  if (expected.signature) assert.equal(score.signature.replace(/:[^:]*$/, ''), expected.signature.replace(/:[^:]*$/, ''), place);
  if (expected.sentences) {
    const each = own.sentences(...given);
    assert.equal(each.length, expected.sentences.length, place);
    each.forEach((one, at) => check(place, Object.values(one.headlines), expected.sentences[at], ofSentences));
  }
  checkMerging(place, own, row.given, given);
}

let met = 0;
for (const folder of readdirSync(data, {withFileTypes: true}).filter(entry => entry.isDirectory())) {
  for (const name of readdirSync(new URL(`${folder.name}/`, data)).filter(file => file.endsWith('.jsonl'))) {
    const url = new URL(`${folder.name}/${name}`, data);
    if (!readFileSync(url, 'utf8').includes('"spec"')) continue;
    test(`golden rows of ${folder.name}/${name}`, () => {
      const rows = textRows(url);
      rows.forEach(checkText);
      met += rows.length;
    });
  }
}

test('golden rows of families', () => {
  const families = new URL('crates/families/', root);
  const files = readdirSync(families).map(name => new URL(`${name}/tests/rows/programs.jsonl`, families)).filter(existsSync);
  for (const row of files.flatMap(lines).map(line => JSON.parse(line))) {
    const [[spec, expected]] = Object.entries(row.expected);
    const place = `${row.why}, ${spec}`;
    const own = metricOf(spec);
    const hypotheses = row.segments.map(one => one.hypothesis);
    const wanted = own.info.oneReference ? one => one.reference ?? one.references?.[0] : one => one.references ?? (own.info.view === 'own' && 'reference' in one ? [one.reference] : one.reference);
    const references = row.segments.some(one => 'reference' in one || 'references' in one) ? row.segments.map(wanted) : undefined;
    const sources = 'source' in row.segments[0] ? row.segments.map(one => one.source) : undefined;
    const score = () => own.score(hypotheses, references, {sources});
    if (expected === null) {
      assert.throws(score, {name: 'BleuprintError'}, place);
      continue;
    }
    const found = score();
    Object.entries(expected).forEach(([key, theirs]) => {
      const number = key === 'score' ? found.score : found.parts[key] ?? found.headlines[key];
      if (Array.isArray(theirs) && theirs.some(Array.isArray)) assert.deepEqual(number, theirs, place);
      else check(`${place}: ${key}`, flat(number), theirs === null ? [null] : flat(theirs), row.tolerance);
    });
    if (row.each) check(place, own.sentences(hypotheses, references, {sources}).map(one => one.score), row.each[spec], row.tolerance);
    checkMerging(place, own, [hypotheses, references, sources], [hypotheses, references, {sources}]);
    met += 1;
  }
});

test('every row is met', () => {
  // 973 rows of families; of the 2252 others, those with a database of files are left out.
  assert.ok(met > 3100, String(met));
});
