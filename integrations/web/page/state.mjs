// Adds files of statistics and finishes BLEU in JavaScript alone, in a page or by `node state.mjs A.stats [B.stats ..]`.
//
// The layout is in docs/state.md. A file that was cut, changed, or counted otherwise is refused, and so are counts above
// 2^53 - 1, the largest that a number of JavaScript holds. Math.log and Math.exp are the engine's, so the last digits of a
// score may be others than the program's; the counts are the same.

const FORMATS = ["bleuprint-stats/1", "bleuprint-stats/2"];
const COMMON = ["segments", "references", "references_squared"];

/** The header, the total of each metric and the lines of the segments, all checked. */
export async function read(text, name = "statistics") {
  const refuse = (message) => { throw new Error(`${name}: ${message}`); };
  if (!text.endsWith("\n")) refuse("the last line does not end: the file was cut short");
  const lines = text.slice(0, -1).split("\n").map((line, at) => {
    try { return JSON.parse(line); } catch (error) { return refuse(`line ${at + 1}: ${error.message}`); }
  });
  const [header, end, segments] = [lines[0], lines.at(-1), lines.slice(1, -1)];
  if (lines.length < 2 || typeof end?.sha256 !== "string") refuse("there is no end line: the file was cut short");
  if (!FORMATS.includes(header.format)) refuse(`format ${header.format}, but this reads ${FORMATS.join(" and ")}`);
  const sealed = text.slice(0, -`,"sha256":"${end.sha256}"}\n`.length);
  if (await sha256(sealed) !== end.sha256) refuse("the SHA-256 is another: the file was changed");
  if (header.each && segments.length !== end.segments) refuse(`${segments.length} segments, but the end says ${end.segments}`);
  header.metrics.forEach((metric, at) => {
    if (metric.columns) checkRows(metric, segments.map((line) => line.states[at]), end.total[at], end.segments, refuse);
  });
  return { header, segments, total: end.total, count: end.segments };
}

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Rows of whole numbers, one segment each, whose sum is the total. */
function checkRows({ columns, spec }, rows, total, segments, refuse) {
  if (COMMON.some((column, at) => columns[at] !== column)) refuse(`the columns of ${spec} do not begin with ${COMMON}`);
  for (const row of [...rows, total]) {
    if (row.length !== columns.length) refuse(`${spec}: ${row.length} counts for ${columns.length} columns`);
    const wrong = row.find((count) => !Number.isSafeInteger(count) || count < 0);
    if (wrong !== undefined) refuse(`${spec}: ${wrong} is not a count from 0 to 2^53 - 1`);
  }
  if (rows.some((row) => row[0] !== 1) || total[0] !== segments) refuse(`${spec}: rows of another number of segments`);
  const sums = columns.map((_, at) => rows.reduce((sum, row) => sum + row[at], 0));
  if (rows.length > 0 && sums.some((sum, at) => sum !== total[at])) refuse(`${spec}: the total is not the sum of the rows`);
}

/** The sum of the totals of one metric. */
export function add(one, other, at = 0) {
  const keys = [one, other].map((file) => file.header.metrics[at].key);
  if (keys[0] !== keys[1]) throw new Error(`unlike states do not merge: ${keys[0]} and ${keys[1]}`);
  const total = one.total[at].map((count, column) => count + other.total[at][column]);
  if (!total.every(Number.isSafeInteger)) throw new Error("a count beyond 2^53 - 1");
  return total;
}

/** sacreBLEU's corpus score with exponential smoothing, in its order of operations. */
export function bleu(columns, total) {
  const counts = Object.fromEntries(columns.map((column, at) => [column, total[at]]));
  const orders = columns.filter((column) => column.startsWith("clipped_")).map((column) => column.slice("clipped_".length));
  if (orders.every((n) => counts[`clipped_${n}`] === 0)) return 0;
  if (orders.some((n) => counts[`total_${n}`] === 0)) return 0;
  let halved = 1;
  const logs = orders.map((n) => {
    const [clipped, ngrams] = [counts[`clipped_${n}`], counts[`total_${n}`]];
    if (clipped === 0) halved *= 2;
    return Math.log(clipped > 0 ? (100 * clipped) / ngrams : 100 / (halved * ngrams));
  });
  const [hypLen, refLen] = [counts.total_1, counts.ref_len_closest];
  const penalty = hypLen >= refLen ? 1 : Math.exp(1 - refLen / hypLen);
  return penalty * Math.exp(logs.reduce((sum, log) => sum + log, 0) / orders.length);
}

async function main(paths) {
  const { readFile } = await import("node:fs/promises");
  const files = await Promise.all(paths.map(async (path) => read(await readFile(path, "utf8"), path)));
  files[0].header.metrics.forEach((metric, at) => {
    if (!metric.key.startsWith("bleu/1|")) return;
    const sum = (one, other) => ({ header: one.header, total: { [at]: add(one, other, at) } });
    console.log(metric.key, bleu(metric.columns, files.reduce(sum).total[at]));
  });
}

if (typeof process !== "undefined" && process.argv[1] && import.meta.url.endsWith(process.argv[1].split("/").pop())) {
  await main(process.argv.slice(2));
}
