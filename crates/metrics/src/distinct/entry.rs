//! The registry entry of distinct-n: its options as data.

use bleuprint_core::{AnyMetric, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec, Preset};

use super::{Distinct, DistinctMean, Per};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new("distinct-order", OptionKind::Integer).default("2").help("The order of the n-grams"),
    OptionSpec::new("distinct-mean", OptionKind::Flag)
        .default("no")
        .help("The mean of the values of single segments, in place of that of the corpus"),
    OptionSpec::new("distinct-vocabulary", OptionKind::Integer)
        .default("none: not adjusted")
        .help("Adjust to what is expected with a vocabulary of this size (EAD)"),
    OptionSpec::new("distinct-per", OptionKind::Choice(Per::NAMES))
        .default("ngrams")
        .help("What the different n-grams are divided by"),
];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("distinct", "Different n-grams among all n-grams of the hypotheses", build)
        .aliases(&["dist"])
        .presets(&[
            preset("distinct-1", &[("distinct-order", "1")], "Different tokens among all tokens"),
            preset("distinct-2", &[("distinct-order", "2")], "Different bigrams among all bigrams"),
            preset("distinct-3", &[("distinct-order", "3")], "Different trigrams among all trigrams"),
        ])
        .paper("Li et al. 2016, A Diversity-Promoting Objective Function for Neural Conversation Models")
        .options(OPTIONS);

const fn preset(
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    summary: &'static str,
) -> Preset {
    Preset { name, options, summary }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let order = options.parse("distinct-order", "a whole number")?.unwrap_or(Distinct::DEFAULT_ORDER);
    let per = Per::by_name(options.get("distinct-per").unwrap_or("ngrams"))?;
    let vocabulary = options.parse("distinct-vocabulary", "a whole number")?;
    if options.flag("distinct-mean")?.unwrap_or(false) {
        if vocabulary.is_some() {
            return Err(ConfigError::Conflict("the mean of segments is not expectation-adjusted".into()));
        }
        return AnyMetric::over_ids(DistinctMean::new(order)?.per(per));
    }
    let corpus = Distinct::new(order)?.per(per);
    let corpus = vocabulary.map_or(Ok(corpus), |size| corpus.expectation_adjusted(size))?;
    Ok(AnyMetric::over_tokens(corpus))
}
