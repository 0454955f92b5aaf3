// promptfoo and Vitest with the package, as their users run them, without a network; and js-rouge beside our ROUGE.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {metric} from 'bleuprint';
import * as rouge from 'js-rouge';

const run = promisify(execFile);
// A proxy that does not answer: a request would fail.
const OFFLINE = {
  ...process.env, HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1', PROMPTFOO_DISABLE_REMOTE_GENERATION: 'true', PROMPTFOO_CONFIG_DIR: `${import.meta.dirname}/promptfoo`,
};

test('promptfoo scores with our assertions', {timeout: 240_000}, async () => {
  const command = ['node_modules/promptfoo/dist/src/entrypoint.js', 'eval', '-c', 'promptfooconfig.yaml', '-o', 'results.json', '--no-cache', '--no-progress-bar', '--no-write'];
  // Its exit code is 100 if a test fails, and two fail on purpose.
  const {code = 0, stderr, stdout} = await run(process.execPath, command, {cwd: import.meta.dirname, env: OFFLINE}).catch(error => error);
  assert.equal(code, 100, stdout + stderr);
  const {results} = JSON.parse(readFileSync(new URL('results.json', import.meta.url)));
  const of = new Map(results.results.map(one => [one.testCase.description, one]));
  const graded = words => of.get(words).gradingResult;
  const close = graded('an answer close to its reference passes');
  assert.equal(close.pass, true, JSON.stringify(close));
  assert.equal(close.componentResults.length, 4);
  const [first, , wer] = close.componentResults;
  assert.ok(Math.abs(first.score - 10 / 11) < 1e-12 && first.reason.includes('ROUGE-L is 0.9090909090909091'));
  assert.ok(Math.abs(wer.score - 5 / 6) < 1e-12);
  assert.equal(graded('several references').pass, true);
  assert.equal(graded('blank text and repeated words have a score').pass, true);
  const far = graded('an answer far from its reference fails');
  assert.ok(far.pass === false && far.reason.includes('wanted at least 0.4'));
  assert.ok(JSON.stringify(of.get('a metric without a name is an error')).includes('did you mean `bleu`?'));
});

test('the matchers of Vitest pass', {timeout: 120_000}, async () => {
  const {stdout} = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'summary.test.ts'], {cwd: import.meta.dirname, env: OFFLINE});
  assert.match(stdout, /1 passed/);
});

test('js-rouge agrees where words do not repeat, and throws on blank text', () => {
  const rows = [['the dog bit the man', 'the dog had bit the man'], ['a b c d e', 'a c b e d'], ['one two three', 'four five six']];
  const differences = rows.filter(([hypothesis, reference]) => {
    const ours = metric('rouge1').sentences([hypothesis], [reference])[0].score;
    return Math.abs(rouge.n(hypothesis, reference, {n: 1}) - ours) > 1e-12;
  });
  console.log(`  js-rouge: ${rows.length - differences.length} of ${rows.length} equal`, JSON.stringify(differences));
  assert.throws(() => rouge.l(' ', 'the cat'));
  assert.equal(metric('rougeL').sentences([' '], ['the cat'])[0].score, 0);
});
