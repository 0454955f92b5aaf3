// The examples of docs/javascript.md that need no other package.
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';

const page = readFileSync(new URL('../../../docs/javascript.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);

for (const [number, code] of blocks.entries()) {
  test(`block ${number + 1} of the page runs`, async () => {
    const file = new URL(`page-${number}.mjs`, import.meta.url);
    writeFileSync(file, code);
    try {
      await import(file.href);
    } finally {
      rmSync(file);
    }
  });
}
