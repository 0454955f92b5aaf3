'use strict';
// The package in Node, Bun and Deno: the modules are read from files when they are needed, without `await`.
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {BleuprintError, WasmModule, createBleuprint} = require('./core.cjs');

const loaded = new Map();

function module_(name) {
  if (!loaded.has(name)) {
    loaded.set(name, new WasmModule(new WebAssembly.Module(readFileSync(join(__dirname, `${name}.wasm`)))));
  }
  return loaded.get(name);
}

// Once the families are loaded, they serve all: the states of two modules would merge by way of bytes.
const find = missing => module_(missing || loaded.has('families') ? 'families' : 'text');

/** Loads a WebAssembly module now. Without this call, it is loaded when a metric needs it. */
async function load(name = 'text') {
  if (name !== 'text' && name !== 'families') {
    throw new BleuprintError('argument', `there is no module \`${name}\`; expected one of: text, families`);
  }
  module_(name);
}

module.exports = {load, ...createBleuprint({find})};
