// Prints a table of the npm packages in use beside ours: equal answers and times, for sentences of examples/data.
import {readFileSync} from 'node:fs';
import {metric} from 'bleuprint';
import * as jsRouge from 'js-rouge';
import promptfoo from 'promptfoo';

const root = new URL(process.argv[2], `file://${process.cwd()}/`);
const lines = name => readFileSync(new URL(`examples/data/${name}`, root), 'utf8').replace(/\n$/, '').split('\n');
// Words without case and marks, so that tokenizers do not decide.
const plain = text => text.toLowerCase().replace(/[^a-z0-9 ]+/g, ' ').replace(/ +/g, ' ').trim();
const pairs = lines('en.sys-a.txt').map((text, at) => [plain(text), plain(lines('en.ref1.txt')[at])]).filter(([a, b]) => a && b);

const {bleu} = (await import('bleu-score')).default;
const {wordErrorRate} = (await import('word-error-rate')).default;
const {default: rouge} = await import('rouge');
const words = text => text.split(' ');
const options = {caseSensitive: true, tokenizer: words, nGram: undefined};

async function asserted(type, hypothesis, reference) {
  const {score} = await promptfoo.assertions.runAssertion({
    assertion: {type, value: reference, threshold: 0}, test: {vars: {}}, providerResponse: {output: hypothesis},
  });
  return score;
}

const peers = [
  ['js-rouge 3.2.3, n 1', (a, b) => jsRouge.n(a, b, {...options, n: 1}), ['rouge1', {tokenize: 'none'}]],
  ['js-rouge 3.2.3, n 2', (a, b) => jsRouge.n(a, b, {...options, n: 2}), ['rouge2', {tokenize: 'none'}]],
  ['js-rouge 3.2.3, l', (a, b) => jsRouge.l(a, b, {caseSensitive: true, tokenizer: words}), ['rougeL', {tokenize: 'none'}]],
  ['rouge 1.0.3, n 1', (a, b) => rouge.n(a, b, {n: 1, tokenizer: words}), ['rouge1', {tokenize: 'none'}]],
  ['bleu-score 1.0.4', (a, b) => bleu(b, a, 4) * 100, ['bleu', {tokenize: 'none', smoothMethod: 'none', effectiveOrder: false}]],
  ['word-error-rate 0.0.7', (a, b) => wordErrorRate(a, b), ['wer', {}]],
  ['promptfoo 0.121.20, bleu', async (a, b) => (await asserted('bleu', a, b)) * 100, ['bleu', {tokenize: 'none', smoothMethod: 'none', effectiveOrder: false}]],
  ['promptfoo 0.121.20, gleu', (a, b) => asserted('gleu', a, b), ['gleu', {tokenize: 'none'}]],
  ['promptfoo 0.121.20, rouge-n', (a, b) => asserted('rouge-n', a, b), ['rouge1', {tokenize: 'none'}]],
];

// Time of the processor, which other programs do not change.
const now = () => {
  const {user, system} = process.cpuUsage();
  return user + system;
};
const ROUNDS = 5;

console.log(`| package | equal of ${pairs.length} | errors | its us | our us |\n|---|--:|--:|--:|--:|`);
for (const [name, theirs, [own, settings]] of peers) {
  const ours = metric(own, settings);
  const scores = ours.sentences(pairs.map(([a]) => a), pairs.map(([, b]) => b));
  const scale = /bleu/.test(own) ? 1 : scores[0].higherIsBetter && ours.info.max === 100 ? 0.01 : 1;
  let equal = 0;
  let errors = 0;
  for (const [at, [a, b]] of pairs.entries()) {
    try {
      equal += Math.abs((await theirs(a, b)) - scores[at].score * scale) < 1e-9;
    } catch {
      errors += 1;
    }
  }
  const least = async call => {
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const start = now();
      for (const [a, b] of pairs) await call(a, b);
      best = Math.min(best, (now() - start) / pairs.length);
    }
    return best.toFixed(1);
  };
  const taken = errors === 0 ? await least(theirs) : '';
  console.log(`| ${name} | ${equal} | ${errors} | ${taken} | ${await least((a, b) => ours.sentences([a], [b]))} |`);
}
