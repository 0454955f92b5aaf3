// The example of every metric of the registry: its score is the recorded one to the last bit. The metrics and their data come from the module, so those of a new family are met without a change.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {BleuprintError, load, metric, registry} from 'bleuprint';

const recorded = JSON.parse(readFileSync(new URL('../../../crates/testkit/data/examples.json', import.meta.url), 'utf8'));

/** Returns the score of an example. */
function scored(own, record) {
  const {info} = own;
  // A list under `reference` is one reference of a metric that takes several.
  const one = 'reference' in record && !(info.oneReference || typeof record.reference === 'string') ? [record.reference] : record.reference;
  const references = one ?? (info.oneReference ? record.references?.[0] : record.references);
  const sources = 'source' in record ? [record.source] : undefined;
  return own.score([record.hypothesis ?? record.number], references === undefined ? undefined : [references], {sources}).score;
}

/** Checks each metric of a registry, and returns the names of the recorded metrics that it lacks. */
function checkExamples(metrics) {
  for (const {example_metric: name, example} of metrics) {
    assert.ok(name in recorded, `${name} has no recorded score`);
    const found = scored(metric(name), JSON.parse(example));
    assert.ok(Object.is(found, recorded[name]), `${name}: ${found}, recorded ${recorded[name]}`);
  }
  const there = new Set(metrics.map(one => one.example_metric));
  return Object.keys(recorded).filter(name => !there.has(name));
}

test('the module of text metrics has the score of each of its examples', () => {
  const {metrics} = registry();
  assert.ok(metrics.length >= 20, String(metrics.length));
  checkExamples(metrics);
});

test('all metrics have the scores of their examples, or this package has no compiler for them', async () => {
  await load('families');
  const absent = checkExamples(registry({all: true}).metrics);
  for (const name of absent) {
    // Grammars in C are the only metrics that no module has.
    assert.throws(() => metric(name), error => error instanceof BleuprintError && error.code === 'missing' && error.message.includes('the feature `code`'), name);
  }
  assert.ok(absent.length < 3, String(absent));
});
