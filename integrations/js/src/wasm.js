// One WebAssembly module of bleuprint: its memory, and calls of the C interface that it contains.

// The statuses of the C interface, by number.
const CODES = ['ok', 'config', 'input', 'argument', 'fault', 'missing'];
const MISSING = 5;

// Size in bytes of `bleuprint_text` and `bleuprint_ids` on a machine of 32 bits, and the place of the source in a segment.
const SEQUENCE = 8;
const SOURCE = 16;

// Most bytes of UTF-8 for one unit of UTF-16.
const MOST_BYTES = 3;

/** An error of bleuprint. `code` is `config` (a wrong name or option), `input` (invalid data), `argument` (a wrong argument), `missing` (a metric that is not in the module) or `fault` (a bug of the library). */
class BleuprintError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'BleuprintError';
    this.code = code;
  }
}

const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/;
const isWellFormed = typeof ''.isWellFormed === 'function' ? text => text.isWellFormed() : text => !LONE.test(text);

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', {fatal: true});

// The sequences of segments: the size of a segment's struct, the most bytes of a sequence, and its copy into the module.
const SEQUENCES = {
  text: {
    struct: 20,
    most(text, place) {
      if (!isWellFormed(text)) {
        throw new BleuprintError('argument', `${place()} has half of a surrogate pair, which is no text: use toWellFormed()`);
      }
      return text.length * MOST_BYTES;
    },
    write(bytes, at, text) {
      const {written} = encoder.encodeInto(text, bytes.subarray(at, at + text.length * MOST_BYTES));
      return {written, length: written};
    },
  },
  ids: {
    struct: 16,
    most: ids => ids.byteLength,
    write(bytes, at, ids) {
      new Uint32Array(bytes.buffer, at, ids.length).set(ids);
      return {written: ids.byteLength, length: ids.length};
    },
  },
};

class WasmModule {
  constructor(compiled, instance) {
    this.compiled = compiled;
    this.start(instance);
  }

  start(instance = new WebAssembly.Instance(this.compiled, {})) {
    this.exports = instance.exports;
    // States of an instance that has failed are lost with its memory.
    this.instance = {};
    const free = {metric: this.exports.bleuprint_metric_free, state: this.exports.bleuprint_state_free};
    this.freed = new FinalizationRegistry(({kind, pointer, instance}) => {
      if (instance === this.instance) free[kind](pointer);
    });
  }

  get bytes() {
    return new Uint8Array(this.exports.memory.buffer);
  }

  /** Calls a function of the library. If it returns an error, throws a `BleuprintError` with the library's message. */
  call(name, ...given) {
    let status;
    try {
      status = this.exports[name](...given);
    } catch (error) {
      // A panic ends in a trap. Nothing in this memory can be trusted after it.
      this.start();
      throw new BleuprintError('fault', `a fault of bleuprint, please report it: ${name}: ${error.message}`);
    }
    if (status === 0) return;
    const start = this.exports.bleuprint_last_error();
    const {bytes} = this;
    throw new BleuprintError(CODES[status], decoder.decode(bytes.slice(start, bytes.indexOf(0, start))));
  }

  /** Allocates `size` bytes in the module, runs `use` with their address, and frees them. */
  within(size, use) {
    const {instance} = this;
    const pointer = this.exports.bleuprint_memory_new(size);
    if (pointer === 0) throw new BleuprintError('argument', `there is no memory for ${size} bytes`);
    try {
      return use(pointer);
    } finally {
      // After a fault this memory belongs to an instance that has gone.
      if (instance === this.instance) this.exports.bleuprint_memory_free(pointer, size);
    }
  }

  /** Calls a function that creates a metric or a state, and returns the handle that it writes to its last argument. */
  handle(kind, name, ...given) {
    const pointer = this.within(8, out => {
      this.call(name, ...given, out);
      return this.word(out);
    });
    const owned = {module: this, instance: this.instance, kind, pointer};
    this.freed.register(owned, {kind, pointer, instance: this.instance}, owned);
    return owned;
  }

  /** Frees a handle now. Otherwise the garbage collector frees it later. */
  free(owned) {
    if (owned.pointer === 0) return;
    this.freed.unregister(owned);
    if (owned.instance === this.instance) this.exports[`bleuprint_${owned.kind}_free`](owned.pointer);
    owned.pointer = 0;
  }

  /** Returns the address of a handle. Throws if the handle is freed, or was lost after a fault. */
  pointer(owned) {
    if (owned.pointer === 0) throw new BleuprintError('argument', `the ${owned.kind} is freed`);
    if (owned.instance !== this.instance) {
      throw new BleuprintError('fault', `the ${owned.kind} is lost after a fault: create it again`);
    }
    return owned.pointer;
  }

  word(at) {
    return new DataView(this.exports.memory.buffer).getUint32(at, true);
  }

  /** Calls a function that writes bytes to its last argument, and returns a copy of these bytes. */
  output(name, ...given) {
    return this.within(8, out => {
      this.call(name, ...given, out);
      const start = this.word(out);
      const copy = this.bytes.slice(start, start + this.word(out + 4));
      this.exports.bleuprint_bytes_free(out);
      return copy;
    });
  }

  json(name, ...given) {
    return JSON.parse(decoder.decode(this.output(name, ...given)), (_, value) => untagged(value));
  }

  number(name, ...given) {
    return this.within(8, out => {
      this.call(name, ...given, out);
      return new DataView(this.exports.memory.buffer).getFloat64(out, true);
    });
  }

  /** Copies texts into the module, and runs `use` with the address and the length in bytes of each text. */
  texts(texts, use) {
    const encoded = texts.map(text => encoder.encode(text));
    const size = encoded.reduce((sum, own) => sum + own.length, 1);
    return this.within(size, start => {
      const {bytes} = this;
      const given = [];
      let at = start;
      for (const own of encoded) {
        bytes.set(own, at);
        given.push(at, own.length);
        at += own.length;
      }
      return use(...given);
    });
  }

  copied(bytes, use) {
    return this.within(bytes.length + 1, start => {
      this.bytes.set(bytes, start);
      return use(start, bytes.length);
    });
  }

  /** Copies segments of a kind (`text` or `ids`) into the module as an array of C structs. Runs `use` with its address and the size of one struct in bytes. */
  segments(kind, segments, use) {
    const {struct, most, write} = SEQUENCES[kind];
    let head = segments.length * struct;
    let size = 1;
    const measure = (sequence, place) => {
      head += SEQUENCE;
      size += most(sequence, place);
    };
    segments.forEach(({hypothesis, references, source}, at) => {
      measure(hypothesis, () => `hypotheses[${at}]`);
      references.forEach((reference, number) => measure(reference, () => `references[${at}][${number}]`));
      if (source !== undefined) measure(source, () => `sources[${at}]`);
    });
    return this.within(head + size, start => {
      const view = new DataView(this.exports.memory.buffer);
      const {bytes} = this;
      let own = start + segments.length * struct;
      let end = start + head;
      // Writes a sequence behind the others, and its place at `at`.
      const put = (at, sequence) => {
        const {written, length} = write(bytes, end, sequence);
        view.setUint32(at, end, true);
        view.setUint32(at + 4, length, true);
        end += written;
      };
      const next = sequence => {
        put(own, sequence);
        own += SEQUENCE;
      };
      segments.forEach(({hypothesis, references, source}, index) => {
        const at = start + index * struct;
        put(at, hypothesis);
        view.setUint32(at + 8, own, true);
        view.setUint32(at + 12, references.length, true);
        references.forEach(next);
        // The struct of ids ends here.
        if (struct > SOURCE) view.setUint32(at + SOURCE, source === undefined ? 0 : own, true);
        if (source !== undefined) next(source);
      });
      return use(start, struct);
    });
  }
}

// The key of a number that JSON does not have, as the library reads and writes it.
const NON_FINITE = '$bleuprint::non_finite';

function untagged(value) {
  return typeof value === 'object' && value !== null && NON_FINITE in value ? Number(value[NON_FINITE]) : value;
}

export {BleuprintError, MISSING, NON_FINITE, WasmModule};
