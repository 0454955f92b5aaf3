import type {MetricNames, MetricOptions, NormalizerName, TokenizerName} from './registry.js';

export type {MetricNames, MetricOptions, NormalizerName, TokenizerName} from './registry.js';

/** Every name of a metric. */
export type MetricName = keyof MetricNames;

/** Settings of every metric. */
export interface MetricSettings {
  tokenize?: TokenizerName | (string & {});
  lowercase?: boolean;
  norm?: NormalizerName | (string & {});
  tokenizerModel?: string;
  dictionary?: string;
  /** Name of the vocabulary that ids come from; the metric then takes ids. */
  tokenSpace?: string;
  /** Treatment of an empty reference next to others of its segment. */
  emptyReferences?: 'error' | 'missing' | 'keep';
}

/** The options of a metric, with the settings of every metric. */
export type OptionsOf<N extends MetricName> = MetricOptions[MetricNames[N]] & MetricSettings;

export type Ids = Uint32Array | readonly number[];
/** A hypothesis: text, ids, or the data of a metric's own. */
export type Hypotheses = readonly string[] | readonly Ids[] | readonly unknown[];
/** For each segment one reference or a list of references. */
export type References = readonly (string | readonly string[])[] | readonly (Ids | readonly Ids[])[] | readonly unknown[];

export interface DataOptions {
  /** The sources, one for each segment, for metrics that need them. */
  sources?: readonly string[] | readonly unknown[];
}

export type PartValue = number | readonly number[] | readonly (readonly [number, number])[] | readonly (readonly [string, string, number])[];

/** The score of a corpus or a segment. */
export declare class Score {
  private constructor();
  readonly name: string;
  /** The score: the first of the headline numbers, with all its digits. */
  readonly score: number;
  /** Everything that the score depends on, except the data. */
  readonly signature: string;
  readonly shortSignature: string;
  /** The score as the program prints it. */
  readonly line: string;
  readonly higherIsBetter: boolean;
  readonly segments: number;
  /** The main numbers by name, such as precision and recall. */
  readonly headlines: Readonly<Record<string, number>>;
  /** The numbers that make up the score, such as a brevity penalty. */
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
  readonly view: 'text' | 'ids' | 'own';
  readonly form: string | null;
  readonly columns: readonly string[] | null;
}

/** A metric with its options. It never changes. */
export declare class Metric {
  constructor(name: string, options?: MetricSettings & Record<string, unknown>);
  readonly info: MetricInfo;
  /** Warnings about the texts since the last call. */
  readonly warnings: readonly string[];
  /** Returns the score of a corpus. */
  score(hypotheses: Hypotheses, references?: References, options?: DataOptions): Score;
  /** Returns the score of each segment, with the defaults for single sentences. */
  sentences(hypotheses: Hypotheses, references?: References, options?: DataOptions): Score[];
  /** Returns this metric with what it learns from data, for metrics of two passes. */
  learn(hypotheses: Hypotheses, references?: References, options?: DataOptions): Metric;
  accumulator(): Accumulator;
}

/** The statistics of all observed segments. */
export declare class Accumulator {
  constructor(metric: Metric);
  readonly metric: Metric;
  readonly segments: number;
  /** Observes a batch: all of it, or nothing if there is an error. */
  update(hypotheses: Hypotheses, references?: References, options?: DataOptions): this;
  merge(other: Accumulator): this;
  compute(): Score;
  /** Returns the number of the score alone, which is faster. */
  value(): number;
  /** Returns the statistics as bytes, which every interface of bleuprint reads. */
  toBytes(): Uint8Array;
  static fromBytes(metric: Metric, bytes: Uint8Array): Accumulator;
  /** Frees the memory now; otherwise the collector of garbage does. */
  free(): void;
}

/** An error with the words that every interface of bleuprint uses. */
export declare class BleuprintError extends Error {
  readonly code: 'config' | 'input' | 'argument' | 'missing' | 'fault';
}

/** Creates a metric by its name, with its options. */
export declare function metric<N extends MetricName>(name: N, options?: OptionsOf<N>): Metric;
/** Creates a metric whose name contains its options, as in `bleu:max-order=2`. */
export declare function metric(name: `${MetricName}:${string}`, options?: MetricSettings): Metric;

export interface Metrics {
  readonly metrics: readonly Metric[];
  score(hypotheses: Hypotheses, references?: References, options?: DataOptions): Record<string, Score>;
  sentences(hypotheses: Hypotheses, references?: References, options?: DataOptions): Record<string, Score[]>;
}

/** Creates several metrics, which score the same data. */
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
  /** Number of resamples; it also requests the interval of each score. */
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

/** Compares systems on the same segments: scores, differences with intervals and p-values, ranks. */
export declare function compare(systems: Record<string, readonly unknown[]>, references: References, options: CompareOptions): Comparison[];

export interface Explanation {
  /** Number of settings that fit the target; they are the first rows. */
  readonly fits: number;
  readonly rows: readonly {readonly score: number | null; readonly error: string | null; readonly changes: readonly string[]; readonly signature: string | null; readonly [more: string]: unknown}[];
}

/** Finds the settings behind a reported BLEU. */
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

/** Returns the metrics with their options, the tokenizers and the normalizers; with `all`, those of all families. */
export declare function registry(options?: {all?: boolean}): RegistryDescription;

/** Loads a module: in browsers and workers before the first metric. Node loads by itself. */
export declare function load(name?: 'text' | 'families', source?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<void>;
