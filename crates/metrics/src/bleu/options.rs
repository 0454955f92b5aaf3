//! Options of BLEU, each declared once for the builder, the registry and the signature.

use bleuprint_registry::Opt;

use super::Smoothing;
use crate::shared::MAX_ORDER_LIMIT;

/// Reference length that the brevity penalty compares with if a segment has several references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefLen {
    /// BLEU's brevity penalty uses the length of the reference closest in length to the hypothesis; ties go
    /// to the shorter.
    Closest,
    /// BLEU's brevity penalty uses the length of the shortest reference.
    Shortest,
    /// BLEU's brevity penalty uses the mean of the reference lengths. The mean is exact for up to 16
    /// references and for every number of references that divides 720,720.
    Average,
}

bleuprint_core::choice!(RefLen: Closest "closest", Shortest "shortest", Average "average");

/// Method of adding the logarithms of the precisions; the last bits of the score depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Summation {
    /// Floats are added from left to right, like CPython's `sum` up to version 3.11.
    Plain,
    /// Floats are added with Neumaier's compensation of rounding errors, like CPython's `sum` from version
    /// 3.12 on.
    Compensated,
}

bleuprint_core::choice!(Summation: Plain "plain", Compensated "compensated");

pub(super) const SMOOTH_METHOD: Opt<Smoothing> =
    Opt::choice("smooth-method").finished("smooth", "s").help("How orders without matches are smoothed");

/// Option for the constant of BLEU's smoothing method. The signature shows the value to two decimals, as in
/// sacreBLEU, and in full only if two decimals lose digits.
pub(super) const SMOOTH_VALUE: Opt<Option<f64>> = {
    let mut option = Opt::optional_number("smooth-value", "0.1 for floor, 1 for add-k")
        .finished("sv", "sv")
        .help("The value of the smoothing methods floor and add-k");
    option.spec.field.brackets_of = "smooth";
    option
};

/// Default highest order of n-grams, as in the paper.
pub(super) const DEFAULT_MAX_ORDER: usize = 4;

pub(super) const MAX_ORDER: Opt<usize> = Opt::integer("max-order", DEFAULT_MAX_ORDER)
    .limits(1, MAX_ORDER_LIMIT as u64)
    .counted("order", "order")
    .unless_default()
    .help("The highest order of n-gram");

pub(super) const WEIGHTS: Opt<Option<Vec<f64>>> = Opt::numbers("weights", "uniform")
    .finished("weights", "weights")
    .help("The weight of each order; their sum is 1");

pub(super) const EFFECTIVE_ORDER: Opt<bool> = {
    let mut option = Opt::flag("effective-order")
        .finished("eff", "e")
        .help("Leave orders longer than the hypothesis out of the mean");
    option.spec.sentence_default = Some("yes");
    option
};

pub(super) const REF_LEN: Opt<RefLen> = Opt::choice("ref-len")
    .finished("len", "len")
    .unless_default()
    .help("Which reference length the brevity penalty compares with");

pub(super) const SUMMATION: Opt<Summation> = Opt::choice("summation")
    .finished("sum", "sum")
    .unless_default()
    .help("How logarithms are added: plain as CPython up to 3.11, compensated as from 3.12 on");

/// Option that chooses among three rules for several references. A metric scores with all references
/// together, or with each reference alone and then takes the best or the average. The statistics of `best`
/// and `average` hold finished scores of segments, not counts.
pub(super) const REFERENCES: Opt<&str> =
    Opt::word("bleu-references", &["together", "best", "average"], "together")
        .counted("references", "refs")
        .unless_default()
        .help(
            "BLEU of all references together, or the best or the average of the sentence BLEU with each; a corpus has their \
             mean, with effective-order",
        );

pub(super) const DIALECT: Opt<Option<String>> = Opt::name("dialect", "none: sacreBLEU's BLEU")
    .finished("dialect", "d")
    .help("BLEU as another program finishes it; see `bleuprint dialects`");
