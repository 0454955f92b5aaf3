import type {MetricNames, MetricOptions, NormalizerName, TokenizerName} from './registry.js';

export type {MetricNames, MetricOptions, NormalizerName, TokenizerName} from './registry.js';

/** Name of a metric, such as `bleu`. */
export type MetricName = keyof MetricNames;

/** Settings that every metric has, such as the tokenizer. */
export interface MetricSettings {
  tokenize?: TokenizerName | (string & {});
  lowercase?: boolean;
  norm?: NormalizerName | (string & {});
  tokenizerModel?: string;
  dictionary?: string;
  /** Name of the vocabulary that token ids come from. If it is given, the metric scores ids in place of text. */
  tokenSpace?: string;
  /** Treatment of an empty reference if its segment has other references: an error, dropped (`missing`), or kept. */
  emptyReferences?: 'error' | 'missing' | 'keep';
}

/** The options of a metric, and the settings that every metric has. */
export type OptionsOf<N extends MetricName> = MetricOptions[MetricNames[N]] & MetricSettings;

export type Ids = Uint32Array | readonly number[];
/** Hypotheses, one for each segment: texts, token ids, numbers, vectors, or structured data for metrics such as `der`. */
export type Hypotheses = readonly string[] | readonly Ids[] | readonly unknown[];
/** References: one reference or a list of references for each segment. */
export type References = readonly (string | readonly string[])[] | readonly (Ids | readonly Ids[])[] | readonly unknown[];

export interface DataOptions {
  /** Sources, one for each segment, for metrics that need them. */
  sources?: readonly string[] | readonly unknown[];
}

export type PartValue = number | readonly number[] | readonly (readonly [number, number])[] | readonly (readonly [string, string, number])[];

/** The score of a corpus or of one segment. */
export declare class Score {
  private constructor();
  readonly name: string;
  /** The score as a number, with all its digits. If the metric has several main numbers (`headlines`), it is the first. */
  readonly score: number;
  /** All settings that the score depends on, as one line of text. */
  readonly signature: string;
  readonly shortSignature: string;
  /** The score as the command line prints it. */
  readonly line: string;
  readonly higherIsBetter: boolean;
  readonly segments: number;
  /** The main numbers of the metric by name, such as precision and recall. */
  readonly headlines: Readonly<Record<string, number>>;
  /** The numbers that the score is computed from, such as BLEU's brevity penalty. */
  readonly parts: Readonly<Record<string, PartValue>>;
  toString(): string;
  valueOf(): number;
}

export interface MetricInfo {
  readonly metric: string;
  readonly name: string;
  readonly stateKey: string;
  readonly signature: string;
  readonly higherIsBetter: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly needsReferences: boolean;
  readonly needsSources: boolean;
  readonly oneReference: boolean;
  readonly twoPasses: boolean;
  readonly view: 'text' | 'ids' | 'numbers' | 'vectors' | 'own';
  readonly form: string | null;
  readonly columns: readonly string[] | null;
}

/** A metric with its options. Its settings never change. */
export declare class Metric {
  constructor(name: string, options?: MetricSettings & Record<string, unknown>);
  readonly info: MetricInfo;
  /** Warnings about tokenizers that found no tokens in some texts, since the last use of this property. */
  readonly warnings: readonly string[];
  /** Returns the score of all segments together. */
  score(hypotheses: Hypotheses, references?: References, options?: DataOptions): Score;
  /** Returns the score of each segment alone. Options that are not given have the defaults for single sentences, such as smoothing. */
  sentences(hypotheses: Hypotheses, references?: References, options?: DataOptions): Score[];
  /** Returns a metric with weights learned from this data. It is for metrics that learn in a first pass over the data, such as `cider_d`. */
  learn(hypotheses: Hypotheses, references?: References, options?: DataOptions): Metric;
  accumulator(): Accumulator;
}

/** The statistics of all observed segments. The score depends neither on the order of segments nor on their division into batches. */
export declare class Accumulator {
  constructor(metric: Metric);
  readonly metric: Metric;
  readonly segments: number;
  /** Adds the statistics of a batch of segments. If one segment is invalid, none is added. */
  update(hypotheses: Hypotheses, references?: References, options?: DataOptions): this;
  merge(other: Accumulator): this;
  compute(): Score;
  /** Returns the score as a number only. This is faster than `compute`, which returns parts and a signature too. */
  value(): number;
  /** Returns the statistics as bytes, which Python, Rust and the other interfaces of bleuprint can read, too. */
  toBytes(): Uint8Array;
  static fromBytes(metric: Metric, bytes: Uint8Array): Accumulator;
  /** Frees the memory now. Otherwise the garbage collector frees it later. */
  free(): void;
}

/** An error with the same message as in the other interfaces of bleuprint. `code` is the kind of error. */
export declare class BleuprintError extends Error {
  readonly code: 'config' | 'input' | 'argument' | 'missing' | 'fault';
}

/** Creates a metric by its name, with options as an object. */
export declare function metric<N extends MetricName>(name: N, options?: OptionsOf<N>): Metric;
/** Creates a metric from a name that contains options, such as `bleu:max-order=2`. */
export declare function metric(name: `${MetricName}:${string}`, options?: MetricSettings): Metric;

export interface Metrics {
  readonly metrics: readonly Metric[];
  score(hypotheses: Hypotheses, references?: References, options?: DataOptions): Record<string, Score>;
  sentences(hypotheses: Hypotheses, references?: References, options?: DataOptions): Record<string, Score[]>;
}

/** Creates several metrics that score the same data in one call. */
export declare function metrics(list: readonly (MetricName | `${MetricName}:${string}` | readonly [string, object])[]): Metrics;

export interface CompareOptions {
  metrics: readonly (MetricName | (string & {}))[];
  sources?: readonly unknown[];
  labels?: Record<string, readonly string[]>;
  tokenize?: TokenizerName | (string & {});
  lowercase?: boolean;
  norm?: NormalizerName | (string & {});
  emptyReferences?: 'error' | 'missing' | 'keep';
  test?: 'bootstrap' | 'randomization';
  /** Number of resamples. If it is given, each comparison also has the confidence intervals of the scores. */
  resamples?: number;
  seed?: number;
  significance?: number;
  unit?: string;
  by?: readonly string[];
  correction?: 'holm' | 'bh';
  most?: number;
}

export interface Comparison {
  readonly metric: string;
  readonly key: string;
  readonly systems: readonly string[];
  readonly scores: readonly number[];
  readonly intervals?: readonly ({readonly mean: number; readonly lower: number; readonly upper: number} | null)[];
  readonly pairs: readonly Readonly<Record<string, unknown>>[];
  readonly ranks: unknown;
  readonly [more: string]: unknown;
}

/** Compares systems on the same segments. For each metric, returns the scores, the ranks, and the difference of each pair of systems with its interval and p-value. */
export declare function compare(systems: Record<string, readonly unknown[]>, references: References, options: CompareOptions): Comparison[];

export interface Explanation {
  /** Number of settings whose score, rounded, equals the target. They are the first rows. */
  readonly fits: number;
  readonly rows: readonly {readonly score: number | null; readonly error: string | null; readonly changes: readonly string[]; readonly signature: string | null; readonly [more: string]: unknown}[];
}

/** Finds the settings behind a reported BLEU score (`target`): computes the score under many settings and under the formulas of other programs. */
export declare function explain(
  hypotheses: readonly string[],
  references: readonly (string | readonly string[])[],
  options?: {target?: string | number; tokenizers?: readonly string[]},
): Explanation;

export interface RegistryDescription {
  readonly version: string;
  readonly metrics: readonly {readonly name: string; readonly other_names: readonly string[]; readonly summary: string; readonly [more: string]: unknown}[];
  readonly sets: readonly {readonly name: string; readonly metrics: readonly string[]}[];
  readonly tokenizers: readonly string[];
  readonly normalizers: readonly string[];
}

/** Lists the metrics with their options, the tokenizers and the normalizers. With `all`, the list has all metrics. */
export declare function registry(options?: {all?: boolean}): RegistryDescription;

/** Loads a WebAssembly module: `text` (metrics over text) or `families` (all metrics). Call it before the first metric in browsers and workers; Node loads modules when they are needed. */
export declare function load(name?: 'text' | 'families', source?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<void>;
