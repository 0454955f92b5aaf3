//! The options of BLEU, each declared once.

use bleuprint_registry::Opt;

use super::Smoothing;
use crate::shared::MAX_ORDER_LIMIT;

/// The reference length that the brevity penalty compares with if a segment has several references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefLen {
    /// The one closest to the hypothesis, ties to the shorter.
    Closest,
    /// The shortest.
    Shortest,
    /// The mean, exact for up to 16 references and for every number that divides 720,720.
    Average,
}

bleuprint_core::choice!(RefLen: Closest "closest", Shortest "shortest", Average "average");

/// The addition of the logarithms of the precisions: the last bits depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Summation {
    /// From left to right: `sum` of CPython up to 3.11.
    Plain,
    /// Neumaier's compensated sum: `sum` of CPython from 3.12 on.
    Compensated,
}

bleuprint_core::choice!(Summation: Plain "plain", Compensated "compensated");

pub(super) const SMOOTH_METHOD: Opt<Smoothing> =
    Opt::choice("smooth-method").finished("smooth", "s").help("What is done with orders without matches");

/// Signatures show it to two decimals; in full only where these do not say it.
pub(super) const SMOOTH_VALUE: Opt<Option<f64>> = {
    let mut option = Opt::optional_number("smooth-value", "0.1 for floor, 1 for add-k")
        .finished("sv", "sv")
        .help("The value of the smoothing methods floor and add-k");
    option.spec.field.brackets_of = "smooth";
    option
};

pub(super) const MAX_ORDER: Opt<usize> = Opt::integer("max-order", super::Bleu::DEFAULT_MAX_ORDER)
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

/// States of single references hold finished scores.
pub(super) const REFERENCES: Opt<&str> =
    Opt::word("bleu-references", &["together", "best", "average"], "together")
        .counted("references", "refs")
        .unless_default()
        .help(
            "BLEU of all references together, or the best or the average of the sentence BLEU with each; of a corpus their \
             mean, with effective-order",
        );

pub(super) const DIALECT: Opt<Option<String>> = Opt::name("dialect", "none: sacreBLEU's BLEU")
    .finished("dialect", "d")
    .help("BLEU as another program finishes it; see `bleuprint dialects`");
