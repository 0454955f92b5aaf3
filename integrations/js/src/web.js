// The package in browsers and workers: `await load()` before the first metric, `await load("families")` for all families.
import {BleuprintError, WasmModule, createBleuprint} from './core.js';

const FILES = {text: new URL('./text.wasm', import.meta.url), families: new URL('./families.wasm', import.meta.url)};
const loaded = new Map();

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new BleuprintError('argument', `cannot load ${response.url}: ${response.status}`);
  // Some servers do not send the type that compiling while loading needs.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Loads a WebAssembly module, unless it is loaded already. `source` replaces the default address, for bundlers that move files: an address, a response, bytes or a compiled module. */
async function load(name = 'text', source = FILES[name]) {
  if (!(name in FILES)) {
    throw new BleuprintError('argument', `there is no module \`${name}\`; expected one of: text, families`);
  }
  if (loaded.has(name)) return;
  const module = await compiled(source);
  // The main thread of a page may not instantiate a large module at once.
  const instance = await WebAssembly.instantiate(module, {});
  if (!loaded.has(name)) loaded.set(name, new WasmModule(module, instance));
}

function find(missing) {
  const all = loaded.get('families');
  if (missing || all !== undefined) return all ?? null;
  const text = loaded.get('text');
  if (text === undefined) throw new BleuprintError('argument', 'the module is not loaded: `await load()` before the first metric');
  return text;
}

export const {Accumulator, Metric, Score, compare, explain, metric, metrics, registry} = createBleuprint({find});
export {BleuprintError, load};
