//! The registry entry of NIST, and its two passes.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper};

use super::options::{ORDER, RULES};
use super::{Information, Nist, ReferenceNgrams, Rules};
use crate::shared::ngrams::NgramCounts;

const PAPERS: &[Paper] = &[Paper::new(
    "doddington-2002-automatic",
    "Doddington, George",
    "Automatic Evaluation of Machine Translation Quality Using N-gram Co-occurrence Statistics",
    2002,
)
.at("Proceedings of the Second International Conference on Human Language Technology Research")];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("nist", "n-gram precision in which rare n-grams weigh more; two passes", build)
        .papers(PAPERS)
        .agrees_with("mteval-v13a within 1e-12; NLTK 3.10.4")
        .options(&[ORDER.spec, RULES.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let (max_order, rules) = (ORDER.of(options)?, RULES.of(options)?);
    let first = viewed(AnyMetric::over_tokens(ReferenceNgrams::new(max_order)?), rules);
    let second = move |counts: &NgramCounts| {
        viewed(AnyMetric::over_tokens(Nist::new(Information::new(counts, rules))), rules)
    };
    let like = second(&NgramCounts::new(max_order));
    Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
}

/// mteval has tokens of its own.
fn viewed(metric: AnyMetric, rules: Rules) -> AnyMetric {
    match rules {
        Rules::Mteval => metric.with_tokenizer("mteval").with_case(Case::LowerAscii),
        Rules::Standard | Rules::Nltk => metric,
    }
}
