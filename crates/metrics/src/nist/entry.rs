//! Registry entry of NIST, which needs two passes: first the n-gram counts of all references, then scores.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

use super::{Information, Nist, ReferenceNgrams};
use crate::shared::ngrams::{MAX_ORDER, NgramCounts};

/// Program whose rounding and special cases the NIST score follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NistArithmetic {
    /// NIST score by the published formula, without the two special rules of the program mteval: for the word
    /// `0`, and for segments whose references are all empty.
    Standard,
    /// NIST score as the programs mteval-v13a and v14 compute it, with their rules for the word `0` and for
    /// segments whose references are all empty.
    Mteval,
    /// NIST score as the Python library NLTK computes it.
    Nltk,
}

bleuprint_core::choice!(NistArithmetic: Standard "standard", Mteval "mteval", Nltk "nltk");

settings! {
    pub(super) struct NistSettings {
        /// The highest order of n-gram
        pub(super) max_order: usize =
            Opt::integer("nist-order", 5).limits(1, MAX_ORDER as u64).counted("order", "order").unless_default();
        /// Whose arithmetic: mteval's without its quirks, mteval's (with its tokens), or NLTK's
        pub(super) rules: NistArithmetic =
            Opt::choice("nist-dialect").counted("dialect", "dialect").unless_default();
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("nist", "n-gram precision in which rare n-grams weigh more; two passes", build)
        .papers(&[crate::paper("doddington-2002-automatic")])
        .agrees_with("mteval-v13a within 1e-12; NLTK 3.10.4")
        .options(NistSettings::SPECS)
        .example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let NistSettings { max_order, rules } = NistSettings::from_options(options)?;
    let first = viewed(AnyMetric::for_tokens(ReferenceNgrams::new(max_order)?), rules);
    let second = move |counts: &NgramCounts| {
        viewed(AnyMetric::for_tokens(Nist::new(Information::new(counts, rules))), rules)
    };
    let like = second(&NgramCounts::new(max_order));
    Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
}

/// Sets mteval's tokenizer and lower-casing if NIST follows the rules of mteval; otherwise returns the metric
/// unchanged.
fn viewed(metric: AnyMetric, rules: NistArithmetic) -> AnyMetric {
    match rules {
        NistArithmetic::Mteval => metric.with_tokenizer("mteval").with_case(Case::LowerAscii),
        NistArithmetic::Standard | NistArithmetic::Nltk => metric,
    }
}
