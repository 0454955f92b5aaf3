// The same functions and classes as `require` returns, so that a program has them once.
import bleuprint from './node.cjs';

export const {Accumulator, BleuprintError, Metric, Score, compare, explain, load, metric, metrics, registry} = bleuprint;
