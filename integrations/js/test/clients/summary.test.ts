import {expect, test} from 'vitest';
import {metric} from 'bleuprint';
import {type BleuprintMatchers, matchers} from 'bleuprint/vitest';

declare module 'vitest' {
  interface Assertion extends BleuprintMatchers {}
}

expect.extend(matchers);

test('a summary is close to its reference', () => {
  expect('The dog bit the man.').toScoreAtLeast('rougeL', 0.4, 'The dog had bit the man.');
  expect('The dog bit the man.').toScoreAtMost('wer', 0.5, ['The dog had bit the man.', 'A dog bit the man.']);
  expect('Nothing of this.').not.toScoreAtLeast('bleu', 10, 'The dog had bit the man.', {maxOrder: 2});
  expect(() => expect('a').toScoreAtLeast('rougeL', 0.5, 'b')).toThrow('expected ROUGE-L to be at least 0.5, but it is 0');
  expect(metric('der').info.view).toBe('own');
});
