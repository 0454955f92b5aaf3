// Metrics, accumulators and comparisons over a WebAssembly module of bleuprint. How modules are found is given from outside.
import {BleuprintError, MISSING, NON_FINITE, WasmModule} from './wasm.js';

const TEXT_VIEW = 0;
const IDS_VIEW = 1;

/** The score of a corpus or of one segment, with the numbers that make it up and with the signature of the settings. */
class Score {
  constructor({name, score, signature, short_signature, line, higher_is_better, segments, headlines, parts}) {
    this.name = name;
    this.score = score;
    this.signature = signature;
    this.shortSignature = short_signature;
    this.line = line;
    this.higherIsBetter = higher_is_better;
    this.segments = segments;
    this.headlines = Object.fromEntries(headlines);
    this.parts = Object.fromEntries(parts);
    Object.freeze(this);
  }

  toString() {
    return this.line;
  }

  valueOf() {
    return this.score;
  }
}

function isIds(given) {
  return given instanceof Uint32Array || (Array.isArray(given) && (given.length === 0 || typeof given[0] === 'number'));
}

function isVector(given) {
  return ArrayBuffer.isView(given) || (Array.isArray(given) && typeof given[0] === 'number');
}

function typeName(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? value.constructor?.name ?? 'an object' : typeof value;
}

function textOf(value, place) {
  if (typeof value !== 'string') throw new TypeError(`${place} is ${typeName(value)}, but must be a string`);
  return value;
}

function idsOf(value, place) {
  if (value instanceof Uint32Array) return value;
  if (!Array.isArray(value)) throw new TypeError(`${place} is ${typeName(value)}, but must be a Uint32Array or an array of ids`);
  value.forEach((id, at) => {
    if (!Number.isInteger(id) || id < 0 || id > 0xffffffff) {
      throw new RangeError(`${place}[${at}] is ${id}, but an id is a whole number from 0 to 4294967295`);
    }
  });
  return Uint32Array.from(value);
}

function listOf(value, place) {
  if (!Array.isArray(value)) throw new TypeError(`${place} is ${typeName(value)}, but must be an array with an item for each segment`);
  return value;
}

/** Returns a value as JSON. NaN and infinities are kept as objects; throws if JSON would drop a value, such as a function. */
function jsonOf(value) {
  return JSON.stringify(value, function replaced(key, converted) {
    const own = this[key];
    if (typeof own === 'number' && !Number.isFinite(own)) return {[NON_FINITE]: String(own)};
    if (ArrayBuffer.isView(own) && !(own instanceof DataView)) return Array.from(own);
    const dropped = typeof own === 'function' || typeof own === 'symbol' || (own === undefined && Array.isArray(this));
    if (dropped) throw new TypeError(`${key || 'the value'} is ${typeof own}, which JSON has not`);
    return converted;
  });
}

/** Returns the name of an option in the registry for its name in JavaScript: `maxOrder` becomes `max-order`. */
function optionName(name) {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replace(/_/g, '-');
}

/** Creates the functions and classes of the package. `modules.find(false)` returns a WebAssembly module for most metrics; `modules.find(true)` returns the module with all metrics, or `null`. */
function createBleuprint(modules) {
  /** Runs `use` with a module. If that module lacks a metric that `use` needs, runs `use` again with the module of all metrics. */
  function withMetrics(name, use) {
    try {
      return use(modules.find(false));
    } catch (error) {
      if (error.code !== 'missing') throw error;
      const all = modules.find(true);
      if (all === null) {
        throw new BleuprintError('missing', `metric("${name}") is in the module of all families: await load("families") before it`);
      }
      return use(all);
    }
  }

  /** A metric with its options. Its settings never change. */
  class Metric {
    #name;
    #options;
    #handles = new Map();

    constructor(name, options = {}, handles = undefined) {
      this.#name = textOf(name, 'the name');
      this.#options = options;
      if (handles) this.#handles = handles;
      // Wrong options are errors now, not with the first data.
      this.info = Object.freeze(this.#describe(this._handle(options.tokenSpace === undefined ? TEXT_VIEW : IDS_VIEW, false)));
      Object.freeze(this);
    }

    #describe(handle) {
      const about = handle.module.json('bleuprint_metric_describe', handle.module.pointer(handle));
      return Object.fromEntries(Object.entries(about).map(([key, value]) => [key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), value]));
    }

    /** Returns the handle of this metric in the WebAssembly module. `view` selects text or ids, and `sentence` the defaults for single sentences. */
    _handle(view, sentence) {
      const key = `${view} ${sentence}`;
      const known = this.#handles.get(key);
      if (known && known.instance === known.module.instance) return known;
      if (sentence) {
        const corpus = this._handle(view, false);
        const made = corpus.module.handle('metric', 'bleuprint_metric_for_sentences', corpus.module.pointer(corpus));
        this.#handles.set(key, made);
        return made;
      }
      const given = Object.entries(this.#options).filter(([, value]) => value !== undefined);
      const options = jsonOf(Object.fromEntries(given.map(([name, value]) => [optionName(name), value])));
      const made = withMetrics(this.#name, module => module.texts([this.#name, options], (...texts) =>
        module.handle('metric', 'bleuprint_metric_new', ...texts, view)));
      this.#handles.set(key, made);
      return made;
    }

    /** Returns a warning for each tokenizer that found no tokens in some texts since the last use of this property. */
    get warnings() {
      return [...this.#handles.values()].flatMap(handle => this.#describe(handle).warnings);
    }

    /** Checks hypotheses, references and sources, and returns them as a list of segments of one kind: text, ids, or other data. */
    _data(hypotheses, references, sources) {
      const {info} = this;
      listOf(hypotheses, 'hypotheses');
      const count = hypotheses.length;
      for (const [list, place] of [[references, 'references'], [sources, 'sources']]) {
        if (list !== undefined && listOf(list, place).length !== count) {
          throw new BleuprintError('input', `hypotheses has ${count} segments, but ${place} has ${list.length}`);
        }
      }
      const own = !['text', 'ids'].includes(info.view);
      const ids = !own && count > 0 && isIds(hypotheses[0]);
      const kind = own ? 'own' : ids ? 'ids' : 'text';
      if (ids && sources !== undefined) throw new TypeError('sources are given, but the data are ids');
      const item = {own: value => value, ids: idsOf, text: textOf}[kind];
      const isOne = {
        // One text of vectors is an array, too: its first item is a vector.
        own: value => info.oneReference || !Array.isArray(value) || (info.view === 'vectors' && isVector(value[0])),
        ids: value => value instanceof Uint32Array || (Array.isArray(value) && value.some(one => typeof one === 'number')),
        text: value => typeof value === 'string',
      }[kind];
      const segments = hypotheses.map((hypothesis, at) => {
        const given = references?.[at];
        const place = `references[${at}]`;
        const all = given === undefined || given === null ? [] : isOne(given) ? [given] : listOf(given, place);
        const present = all.flatMap((one, number) => (one === null ? [] : [item(one, all[0] === given ? place : `${place}[${number}]`)]));
        const source = sources === undefined ? undefined : item(sources[at], `sources[${at}]`);
        return {hypothesis: item(hypothesis, `hypotheses[${at}]`), references: present, source};
      });
      return {kind, segments, view: ids ? IDS_VIEW : TEXT_VIEW};
    }

    /** Returns the metric that scores this data. A metric with a first pass learns its weights from the data; any other metric is returned unchanged. */
    _for(data) {
      return this.info.twoPasses ? this.#learnedFrom(data) : this;
    }

    #learnedFrom(data) {
      const handle = this._handle(data.view, false);
      const {module} = handle;
      const first = module.handle('metric', 'bleuprint_metric_first_pass', module.pointer(handle));
      const state = newState(first);
      observe(state, data);
      const second = module.handle('metric', 'bleuprint_metric_second_pass', module.pointer(handle), module.pointer(state));
      module.free(state);
      module.free(first);
      return new Metric(this.#name, this.#options, new Map([[`${data.view} false`, second], [`${TEXT_VIEW} false`, second]]));
    }

    /** Returns a metric with weights learned from this data. It is for metrics that learn in a first pass over the data, such as `cider_d`. */
    learn(hypotheses, references, {sources} = {}) {
      return this.#learnedFrom(this._data(hypotheses, references, sources));
    }

    /** Returns the score of all segments together. */
    score(hypotheses, references, {sources} = {}) {
      const data = this._data(hypotheses, references, sources);
      const state = newState(this._for(data)._handle(data.view, false));
      try {
        observe(state, data);
        return scoreOf(state);
      } finally {
        state.module.free(state);
      }
    }

    /** Returns the score of each segment alone. Options that are not given have the defaults for single sentences, such as smoothing. */
    sentences(hypotheses, references, {sources} = {}) {
      const data = this._data(hypotheses, references, sources);
      const state = newState(this._for(data)._handle(data.view, true));
      const {module} = state;
      const numbered = (error, at) => {
        error.message = `segment ${at + 1}: ${error.message}`;
        return error;
      };
      const each = observeOne => data.segments.map((_, at) => {
        module.call('bleuprint_state_clear', module.pointer(state));
        try {
          observeOne(at);
          return scoreOf(state);
        } catch (error) {
          throw numbered(error, at);
        }
      });
      const {name, write} = FORMS[data.kind];
      try {
        if (data.kind === 'own') {
          return each(at => observe(state, {...data, segments: [data.segments[at]]}));
        }
        return write(module, data.segments, (start, size) =>
          each(at => module.call(name, module.pointer(state), start + at * size, 1)));
      } finally {
        module.free(state);
      }
    }

    /** Creates an empty accumulator for this metric. */
    accumulator() {
      return new Accumulator(this);
    }
  }

  // How the segments of each kind of data are written for C, and the function that takes them.
  const FORMS = {
    text: {name: 'bleuprint_state_observe', write: (module, segments, use) => module.segments('text', segments, use)},
    ids: {name: 'bleuprint_state_observe_ids', write: (module, segments, use) => module.segments('ids', segments, use)},
    own: {
      name: 'bleuprint_state_observe_json',
      write: (module, segments, use) => module.texts([jsonOf(segments)], use),
    },
  };

  function newState(metric) {
    return metric.module.handle('state', 'bleuprint_state_new', metric.module.pointer(metric));
  }

  function observe(state, {kind, segments}) {
    const {module} = state;
    const {name, write} = FORMS[kind];
    write(module, segments, (start, size) => {
      module.call(name, module.pointer(state), start, kind === 'own' ? size : segments.length);
    });
  }

  function scoreOf(state) {
    return new Score(state.module.json('bleuprint_state_score_json', state.module.pointer(state)));
  }

  /** The statistics of all observed segments. The score depends neither on the order of segments nor on their division into batches. */
  class Accumulator {
    #metric;
    #state;
    #view;

    constructor(metric) {
      this.#metric = metric;
    }

    get metric() {
      return this.#metric;
    }

    #opened(view) {
      if (this.#state === undefined) {
        this.#view = view;
        this.#state = newState(this.#metric._handle(view, false));
      }
      if (this.#view !== view) {
        throw new BleuprintError('argument', `the accumulator has observed ${this.#view === IDS_VIEW ? 'ids' : 'text'}, not the other kind of data`);
      }
      return this.#state;
    }

    get #defaultView() {
      return this.#view ?? (this.#metric.info.view === 'ids' ? IDS_VIEW : TEXT_VIEW);
    }

    /** Adds the statistics of a batch of segments. If one segment is invalid, none is added. */
    update(hypotheses, references, {sources} = {}) {
      const data = this.#metric._data(hypotheses, references, sources);
      if (data.segments.length > 0) observe(this.#opened(data.view), data);
      return this;
    }

    /** Adds the statistics of another accumulator. The other accumulator is unchanged. */
    merge(other) {
      if (!(other instanceof Accumulator)) throw new TypeError(`an accumulator merges with another, not with ${typeName(other)}`);
      const view = other.#state === undefined ? this.#defaultView : other.#view;
      const own = this.#opened(view);
      const added = other.#opened(view);
      if (own.module === added.module) {
        own.module.call('bleuprint_state_merge', own.module.pointer(own), own.module.pointer(added));
        return this;
      }
      // The accumulators are of different modules, so the statistics travel as bytes.
      const read = Accumulator.fromBytes(this.#metric, other.toBytes());
      return this.merge(read);
    }

    /** Returns the number of observed segments. */
    get segments() {
      return this.#state === undefined ? 0 : Number(this.#state.module.exports.bleuprint_state_segments(this.#state.module.pointer(this.#state)));
    }

    /** Returns the score of all observed segments. */
    compute() {
      return scoreOf(this.#opened(this.#defaultView));
    }

    /** Returns the score as a number only. This is faster than `compute`, which returns parts and a signature too. */
    value() {
      const state = this.#opened(this.#defaultView);
      return state.module.number('bleuprint_state_score', state.module.pointer(state));
    }

    /** Returns the statistics as bytes, which Python, Rust and the other interfaces of bleuprint can read, too. */
    toBytes() {
      const state = this.#opened(this.#defaultView);
      return state.module.output('bleuprint_state_to_bytes', state.module.pointer(state));
    }

    /** Creates an accumulator from the bytes that `toBytes` or another interface of bleuprint wrote for the same metric. */
    static fromBytes(metric, bytes) {
      if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes is ${typeName(bytes)}, but must be a Uint8Array`);
      const read = new Accumulator(metric);
      const views = ['text', 'ids'].includes(metric.info.view) ? [TEXT_VIEW, IDS_VIEW] : [TEXT_VIEW];
      let first;
      for (const view of metric.info.view === 'ids' ? views.reverse() : views) {
        try {
          const handle = metric._handle(view, false);
          const {module} = handle;
          read.#state = module.copied(bytes, (start, length) =>
            module.handle('state', 'bleuprint_state_from_bytes', module.pointer(handle), start, length));
          read.#view = view;
          return read;
        } catch (error) {
          first ??= error;
        }
      }
      // The first error is about the kind of data that the metric was made for.
      throw first;
    }

    /** Frees the memory now. Otherwise the garbage collector frees it later. */
    free() {
      if (this.#state !== undefined) this.#state.module.free(this.#state);
      this.#state = undefined;
    }
  }

  /** Creates a metric by its name, with options as an object. */
  function metric(name, options) {
    return new Metric(name, options);
  }

  /** Creates several metrics that score the same data in one call. */
  function metrics(list) {
    const all = listOf(list, 'the metrics').map(one => (Array.isArray(one) ? [one[0], new Metric(...one)] : [one, new Metric(one)]));
    const each = use => Object.fromEntries(all.map(([name, own]) => [name, use(own)]));
    return Object.freeze({
      metrics: all.map(([, own]) => own),
      score: (...data) => each(own => own.score(...data)),
      sentences: (...data) => each(own => own.sentences(...data)),
    });
  }

  function asked(name, call, request) {
    return withMetrics(name, module => module.texts([jsonOf(request)], (...text) => module.json(call, ...text)));
  }

  /** Compares systems on the same segments. For each metric, returns the scores, the ranks, and the difference of each pair of systems with its interval and p-value. */
  function compare(systems, references, {metrics: names, emptyReferences, sources, ...more} = {}) {
    const listed = references === undefined ? [] : listOf(references, 'references').map(one => (Array.isArray(one) ? one : [one]));
    return asked(String(names), 'bleuprint_compare', {
      systems: Object.entries(systems).map(([name, hypotheses]) => ({name, hypotheses: listOf(hypotheses, name)})),
      references: listed,
      metrics: listOf(names, 'metrics'),
      sources: sources ?? [],
      empty_references: emptyReferences,
      ...more,
    });
  }

  /** Finds the settings behind a reported BLEU score (`target`): computes the score under many settings and under the formulas of other programs. */
  function explain(hypotheses, references, {target, tokenizers} = {}) {
    return asked('', 'bleuprint_explain', {
      hypotheses: listOf(hypotheses, 'hypotheses'),
      references: listOf(references, 'references').map(one => (typeof one === 'string' ? [one] : one)),
      tokenizers,
      target: target === undefined ? undefined : String(target),
    });
  }

  /** Lists the metrics with their options, the tokenizers and the normalizers. With `all`, the list has all metrics. */
  function registry({all = false} = {}) {
    const module = modules.find(all);
    if (module === null) throw new BleuprintError('missing', 'the module of all families is not there: await load("families")');
    return module.json('bleuprint_registry');
  }

  return {Accumulator, BleuprintError, Metric, Score, compare, explain, metric, metrics, registry};
}

export {BleuprintError, MISSING, WasmModule, createBleuprint};
