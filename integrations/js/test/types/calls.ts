// What the types accept, and what they refuse: an unused `@ts-expect-error` is an error.
import {Accumulator, compare, explain, load, metric, metrics, registry, type Score} from 'bleuprint';
import {assertion, assertionOf} from 'bleuprint/promptfoo';
import {matchers} from 'bleuprint/vitest';

const bleu = metric('bleu', {maxOrder: 2, tokenize: 'zh', lowercase: true});
const score: Score = bleu.score(['a'], [['a', 'b']]);
const numbers: number[] = bleu.sentences(['a'], ['a']).map(one => one.score + (one.headlines['BLEU'] ?? 0));
metric('bleu:max-order=2');
metric('der').score([{speaker: 'a'}], [{speaker: 'b'}]);
metric('chrf', {wordOrder: 2});
// @ts-expect-error No metric has this name.
metric('blue');
// @ts-expect-error No option of BLEU has this name.
metric('bleu', {words: 2});
// @ts-expect-error The value is a number.
metric('bleu', {maxOrder: 'two'});
// @ts-expect-error The smoothing is none of the names.
metric('bleu', {smoothMethod: 'none-such'});
// @ts-expect-error A corpus is a list.
bleu.score('a', 'a');

const ids = metric('bleu', {tokenSpace: 'mine'}).accumulator();
ids.update([Uint32Array.of(1, 2)], [[Uint32Array.of(1, 2)]]).update([[1, 2]], [[1, 2]]);
const bytes: Uint8Array = ids.toBytes();
Accumulator.fromBytes(bleu, bytes).merge(ids).compute();
metrics(['bleu', ['chrf', {wordOrder: 2}]]).score(['a'], ['a'])['bleu']?.score;
const [first] = compare({a: ['x'], b: ['y']}, ['x'], {metrics: ['bleu'], resamples: 100});
const low: number | undefined = first?.intervals?.[0]?.lower;
// @ts-expect-error There is no such test.
compare({a: ['x']}, ['x'], {metrics: ['bleu'], test: 'guess'});
explain(['a'], ['a'], {target: 34.5}).rows[0]?.changes;
registry({all: true}).metrics[0]?.name;
void load('families');
assertion('a', {vars: {reference: 'a'}, config: {metric: 'bleu', threshold: 1}}).pass;
assertionOf('rougeL', {threshold: 0.4});
export {low, matchers, numbers, score};
