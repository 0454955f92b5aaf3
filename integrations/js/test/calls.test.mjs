// Errors, ids, data of a metric's own, several modules, comparisons: what the golden rows do not reach.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import * as named from 'bleuprint/web';
import {Accumulator, BleuprintError, Metric, Score, compare, explain, load, metric, metrics, registry} from 'bleuprint';

const refuses = (call, code, words) => assert.throws(call, error => {
  assert.equal(error.code, code, error.message);
  assert.match(error.message, words);
  return error instanceof BleuprintError;
});

test('options are those of the registry, in the words of JavaScript', () => {
  const order = metric('bleu', {maxOrder: 2, tokenize: 'zh'});
  assert.match(order.info.stateKey, /order:2.*tok:zh/);
  assert.equal(metric('bleu:max-order=2,tokenize=zh').info.stateKey, order.info.stateKey);
  assert.equal(metric('chrf', {wordOrder: 2, lowercase: true, norm: undefined}).info.name, 'chrF2++');
  refuses(() => metric('blue'), 'config', /did you mean `bleu`\?/);
  refuses(() => metric('bleu', {words: 2}), 'config', /unknown option of bleu `words`/);
  refuses(() => metric('bleu', {maxOrder: 0}), 'config', /at least 1|from 1/);
  refuses(() => metric('bleu', {maxOrder: null}), 'config', /null/);
  assert.throws(() => metric(7), TypeError);
});

test('data of a wrong kind is an error that says where', () => {
  const bleu = metric('bleu');
  assert.throws(() => bleu.score('a', 'a'), /hypotheses is string, but must be an array/);
  assert.throws(() => bleu.score(['a', 7], ['a', 'b']), /hypotheses\[1\] is number, but must be a string/);
  assert.throws(() => bleu.score(['a'], [['a', 7]]), /references\[0\]\[1\] is number/);
  refuses(() => bleu.score(['a', 'b'], ['a']), 'input', /2 segments, but references has 1/);
  refuses(() => bleu.score([], []), 'input', /empty|no segment/i);
  refuses(() => bleu.score(['a']), 'input', /reference/);
  refuses(() => bleu.score(['a', 'b'], [['x'], []]), 'input', /segment 2/);
  refuses(() => bleu.score(['a'], [['x', '']]), 'input', /empty reference/);
  refuses(() => bleu.score(['\ud800'], ['x']), 'argument', /surrogate/);
  assert.equal(bleu.score(['😀 \0 é 東京 x'], ['😀 \0 é 東京 x']).score.toFixed(6), '100.000000');
  assert.equal(metric('bleu', {emptyReferences: 'missing'}).score(['a b c d'], [['a b c d', '']]).segments, 1);
});

test('ids need neither JSON nor a tokenizer', () => {
  const bleu = metric('bleu', {tokenSpace: 'mine'});
  const ids = [[5, 6, 7, 8, 9], [1, 2, 3, 4]];
  const references = [[5, 6, 7, 8], [1, 2, 3, 4]];
  const typed = list => list.map(one => Uint32Array.from(one));
  const whole = bleu.accumulator().update(typed(ids), typed(references));
  assert.deepEqual(bleu.accumulator().update(ids, references.map(one => [one])).toBytes(), whole.toBytes());
  assert.match(whole.compute().signature, /tok:mine/);
  assert.equal(bleu.sentences(typed(ids), typed(references)).length, 2);
  const read = Accumulator.fromBytes(bleu, whole.toBytes());
  assert.equal(read.segments, 2);
  assert.throws(() => bleu.score([[1.5]], [[1]]), /hypotheses\[0\]\[0\] is 1.5/);
  assert.throws(() => bleu.score([[-1]], [[1]]), RangeError);
  refuses(() => metric('chrf').score(ids, references), 'config', /ids/);
  const mixed = metric('bleu').accumulator().update(['a'], ['a']);
  refuses(() => mixed.update(ids, references), 'argument', /text/);
});

test('accumulators merge as states do', () => {
  const bleu = metric('bleu');
  const here = bleu.accumulator().update(['The dog bit the man.'], ['The dog had bit the man.']);
  const there = bleu.accumulator().update(['It was late.'], ['It was too late.']);
  const score = bleu.score(['The dog bit the man.', 'It was late.'], ['The dog had bit the man.', 'It was too late.']);
  assert.deepEqual(here.merge(there).compute(), score);
  assert.equal(there.segments, 1);
  assert.ok(score instanceof Score && score > 10 && String(score).startsWith('BLEU|'));
  refuses(() => here.merge(metric('bleu:max-order=2').accumulator()), 'input', /order/);
  refuses(() => Accumulator.fromBytes(bleu, here.toBytes().slice(0, 99)), 'input', /./);
  refuses(() => Accumulator.fromBytes(metric('chrf'), here.toBytes()), 'input', /./);
  assert.throws(() => here.merge(7), TypeError);
  here.free();
  assert.equal(here.segments, 0);
});

test('after an error an accumulator is unchanged', () => {
  const own = metric('bleu').accumulator().update(['a'], ['a']);
  const before = own.toBytes();
  refuses(() => own.update(['b', 'c'], [['b'], []]), 'input', /segment 2/);
  assert.deepEqual(own.toBytes(), before);
});

test('families are there by themselves, and their data are objects', () => {
  const own = registry({all: true});
  assert.ok(own.metrics.length > 60 && own.sets.length > 0 && own.tokenizers.includes('13a'));
  const [first] = registry({all: true}).metrics;
  assert.ok(first.summary && first.options);
  const samples = metric('pass:k=1');
  assert.equal(samples.score([{n: 4, c: 1}, {n: 4, c: 2}]).score, 0.375);
  assert.throws(() => samples.score([{n: 4, c: 'x'}]), /`c`/);
  assert.throws(() => samples.score([{n: Infinity, c: 1}]), /Infinity/);
  assert.throws(() => samples.score([{n: 4, c: () => 1}]), /function/);
  // A state of the module of texts and one of the module of families have the same bytes.
  assert.equal(metric('wer').score(['a b'], ['a c']).score, 0.5);
});

test('numbers of other programs and vectors of a model are data too', () => {
  const judge = metric('given', {name: 'judge', scale: '0..1'});
  assert.equal(judge.info.view, 'numbers');
  assert.equal(judge.score([0.5, {judge: 1}]).score, 0.75);
  assert.deepEqual(judge.sentences([0.5, 1]).map(score => score.score), [0.5, 1]);
  refuses(() => judge.score([NaN]), 'input', /judge has no number here/);
  refuses(() => judge.score([1, NaN]), 'input', /segment 2/);
  refuses(() => judge.score([{other: 1}]), 'input', /the key `other`; expected one of: judge/);
  refuses(() => judge.score([0.5], [1]), 'input', /a hypothesis alone/);
  assert.equal(metric('given', {name: 'errors', over: 'words'}).score([{errors: 1, words: 4}, {errors: 1, words: 0}]).score, 0.5);
  const bertscore = metric('bertscore');
  const one = [Float32Array.of(1, 0), [0, 1]];
  const part = bertscore.accumulator().update([one], [one]);
  const whole = bertscore.accumulator().update([one, {vectors: one, weights: [1, 0]}], [[one], [one, one]]);
  assert.equal(Accumulator.fromBytes(bertscore, part.toBytes()).compute().headlines.F, whole.compute().headlines.F);
  refuses(() => bertscore.score([[[1, 0]]], [[[1]]]), 'input', /width of reference 1/);
  refuses(() => bertscore.score([{vectors: one, ids: [7]}], [one]), 'input', /2 vectors, but 1 ids/);
});

test('metrics score the same data', () => {
  const both = metrics(['bleu', ['chrf', {wordOrder: 2}]]);
  const scores = both.score(['a b c d'], ['a b c d']);
  assert.deepEqual(Object.keys(scores), ['bleu', 'chrf']);
  assert.equal(scores.chrf.name, 'chrF2++');
  assert.equal(both.sentences(['a'], ['a']).bleu.length, 1);
});

test('a metric of two passes learns from the data, or from other data', () => {
  const cider = metric('cider_d', {tokenize: 'none'});
  const texts = ['a cat sat here now', 'dogs ran away from it'];
  const alone = cider.score(texts, texts).score;
  assert.equal(cider.learn(texts, texts).score(texts, texts).score, alone);
  assert.ok(alone > 0);
});

test('warnings name a tokenizer that leaves nothing', () => {
  const rouge = metric('rougeL');
  rouge.score(['नमस्ते दुनिया'], ['नमस्ते दुनिया']);
  assert.match(rouge.warnings[0], /leaves nothing of 2 texts/);
  assert.deepEqual(rouge.warnings, []);
});

test('compare has intervals and p-values', () => {
  const references = Array.from({length: 40}, (_, at) => `the cat number ${at} sat on the mat`);
  const worse = references.map((text, at) => (at % 2 ? text : text.replace('mat', 'dog')));
  const [bleu, chrf] = compare({first: references, second: worse}, references, {metrics: ['bleu', 'chrf'], resamples: 200});
  assert.deepEqual(bleu.systems, ['first', 'second']);
  assert.ok(bleu.pairs[0].p_value < 0.05 && bleu.intervals[1].lower < bleu.scores[1] && chrf.metric === 'chrf');
  const again = compare({first: references, second: worse}, references, {metrics: ['bleu', 'chrf'], resamples: 200});
  assert.deepEqual(again, [bleu, chrf]);
  assert.throws(() => compare({a: ['x']}, ['x'], {metrics: ['bleu'], tests: 1}), /unknown field `tests`/);
  const [pass] = compare({a: [{n: 2, c: 1}, {n: 2, c: 2}], b: [{n: 2, c: 0}, {n: 2, c: 1}]}, undefined, {metrics: ['pass:k=1']});
  assert.deepEqual(pass.scores, [0.75, 0.25]);
});

test('explain finds the settings of a number', () => {
  const all = explain(['The cat was on the mat.'], ['the cat is on the mat.'], {target: '36.56'});
  assert.ok(all.rows.length > 100 && typeof all.rows[0].score === 'number');
});

test('CommonJS and ECMAScript share one implementation', () => {
  const required = createRequire(import.meta.url)('bleuprint');
  assert.equal(required.metric, metric);
  assert.equal(required.Metric, Metric);
  assert.ok(required.metric('bleu').accumulator() instanceof Accumulator);
});

test('the entry of browsers asks for its modules', async () => {
  refuses2(() => named.metric('bleu'), /await load\(\)/);
  const wasm = name => readFileSync(fileURLToPath(new URL(`../dist/${name}.wasm`, import.meta.url)));
  await named.load('text', wasm('text'));
  assert.equal(named.metric('wer').score(['a b'], ['a c']).score, 0.5);
  refuses2(() => named.metric('der'), /await load\("families"\)/);
  const text = named.metric('wer').accumulator().update(['a'], ['b']);
  await named.load('families', await WebAssembly.compile(wasm('families')));
  const later = named.metric('wer').accumulator().update(['a'], ['a']);
  assert.equal(later.merge(text).value(), 0.5);
  assert.equal(named.metric('der').info.view, 'own');
  await assert.rejects(named.load('other'), /there is no module `other`/);
  await load('families');

  function refuses2(call, words) {
    assert.throws(call, error => error instanceof named.BleuprintError && words.test(error.message));
  }
});

test('a fault of a module is an error, and the next metric works', () => {
  const code = `
    const {metric} = require('bleuprint');
    const bleu = metric('bleu');
    const kept = bleu.accumulator().update(['a'], ['a']);
    const module = bleu._handle(0, false).module;
    module.exports = {...module.exports, bleuprint_state_observe: () => { throw new WebAssembly.RuntimeError('unreachable'); }};
    try { bleu.score(['a'], ['a']); } catch (error) { console.log(error.code); }
    try { kept.compute(); } catch (error) { console.log(error.message); }
    console.log(bleu.score(['a b c d'], ['a b c d']).segments);
  `;
  const out = execFileSync(process.execPath, ['-e', code], {cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8'});
  assert.match(out, /^fault\nthe state is lost after a fault: create it again\n1\n$/);
});
