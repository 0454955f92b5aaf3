//! The registry entry of NIST: its options as data, and its two passes.

use bleuprint_core::{AnyMetric, Case, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec};

use super::{Information, Nist, ReferenceNgrams, Rules};
use crate::shared::ngrams::NgramCounts;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new("nist-order", OptionKind::Integer).default("5").help("The highest order of n-gram"),
    OptionSpec::new("nist-dialect", OptionKind::Choice(Rules::NAMES))
        .default("standard")
        .help("Whose arithmetic: mteval's without its quirks, mteval's (with its tokens), or NLTK's"),
];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("nist", "n-gram precision in which rare n-grams weigh more; two passes", build)
        .paper("Doddington 2002, Automatic Evaluation of Machine Translation Quality Using N-gram Co-occurrence Statistics")
        .agrees_with("mteval-v13a within 1e-12; NLTK 3.10.4")
        .options(OPTIONS);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let max_order = options.parse("nist-order", "a whole number")?.unwrap_or(Nist::DEFAULT_MAX_ORDER);
    let rules = Rules::by_name(options.get("nist-dialect").unwrap_or(Rules::default().name()))?;
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
