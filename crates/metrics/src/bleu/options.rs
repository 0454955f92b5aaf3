//! Options of BLEU, each declared once for the builder, the registry and the signature.

use bleuprint_registry::{Opt, settings};

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

/// Default highest order of n-grams, as in the paper.
pub(super) const DEFAULT_MAX_ORDER: usize = 4;

settings! {
    #[cfg_attr(not(feature = "all"), allow(dead_code, reason = "the entry reads the fields"))]
    pub(super) struct BleuSettings {
        /// How orders without matches are smoothed
        pub(super) smoothing: Smoothing = Opt::choice("smooth-method").finished("smooth", "s");
        /// The value of the smoothing methods floor and add-k
        pub(super) smooth_value: Option<f64> = {
            // The signature shows the value to two decimals, as in sacreBLEU, and in full only if two decimals lose digits.
            let mut option =
                Opt::optional_number("smooth-value", "0.1 for floor, 1 for add-k").finished("sv", "sv");
            option.spec.field.brackets_of = "smooth";
            option
        };
        /// The highest order of n-gram
        pub(super) max_order: usize = Opt::integer("max-order", DEFAULT_MAX_ORDER)
            .limits(1, MAX_ORDER_LIMIT as u64)
            .counted("order", "order")
            .unless_default();
        /// The weight of each order; their sum is 1
        pub(super) weights: Option<Vec<f64>> = Opt::numbers("weights", "uniform").finished("weights", "weights");
        /// Leave orders longer than the hypothesis out of the mean
        pub(super) effective_order: bool = {
            let mut option = Opt::flag("effective-order").finished("eff", "e");
            option.spec.sentence_default = Some("yes");
            option
        };
        /// Which reference length the brevity penalty compares with
        pub(super) ref_len: RefLen = Opt::choice("ref-len").finished("len", "len").unless_default();
        /// How logarithms are added: plain as CPython up to 3.11, compensated as from 3.12 on
        pub(super) summation: Summation = Opt::choice("summation").finished("sum", "sum").unless_default();
        // The statistics of `best` and `average` hold finished scores of segments, not counts.
        /// BLEU of all references together, or the best or the average of the sentence BLEU with each; a corpus has their mean,
        /// with effective-order
        pub(super) references: &'static str =
            Opt::word("bleu-references", &["together", "best", "average"], "together")
                .counted("references", "refs")
                .unless_default();
        /// BLEU as another program finishes it; see `bleuprint dialects`
        pub(super) dialect: Option<String> = Opt::name("dialect", "none: sacreBLEU's BLEU").finished("dialect", "d");
    }
}
