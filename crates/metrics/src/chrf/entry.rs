//! chrF's registry entry: its options as data.

use bleuprint_core::{
    AnyMetric, Case, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec, Preset,
};

use super::Chrf;

/// The options, with sacreBLEU's names.
const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new("chrf-char-order", OptionKind::Integer)
        .short("cc")
        .default("6")
        .help("The highest order of character n-grams"),
    OptionSpec::new("chrf-word-order", OptionKind::Integer)
        .short("cw")
        .default("0")
        .help("The highest order of word n-grams; 2 makes it chrF++"),
    OptionSpec::new("chrf-beta", OptionKind::Number)
        .default("2")
        .help("How many times as important recall is as precision"),
    OptionSpec::new("chrf-whitespace", OptionKind::Flag).default("no").help("Count whitespace as characters"),
    OptionSpec::new("chrf-lowercase", OptionKind::Flag).default("no").help("Lower-case the texts first"),
    OptionSpec::new("chrf-eps-smoothing", OptionKind::Flag)
        .default("no")
        .help("Average the F-scores of all orders, with an epsilon where there is nothing"),
];

const PRESETS: &[Preset] = &[Preset {
    name: "chrf++",
    options: &[("chrf-word-order", "2")],
    summary: "chrF with word n-grams of orders 1 and 2",
}];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("chrf", "The F-score of character n-grams, recall weighing more", build)
        .aliases(&["chrF"])
        .presets(PRESETS)
        .paper("Popović 2015, chrF: character n-gram F-score; Popović 2017, chrF++")
        .agrees_with("sacreBLEU 2.6.0")
        .options(OPTIONS);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let mut builder = Chrf::builder()
        .whitespace(options.flag("chrf-whitespace")?.unwrap_or(false))
        .eps_smoothing(options.flag("chrf-eps-smoothing")?.unwrap_or(false));
    if let Some(order) = options.parse("chrf-char-order", "a whole number")? {
        builder = builder.char_order(order);
    }
    if let Some(order) = options.parse("chrf-word-order", "a whole number")? {
        builder = builder.word_order(order);
    }
    if let Some(beta) = options.parse("chrf-beta", "a number")? {
        builder = builder.beta(beta);
    }
    let lowercase = options.flag("chrf-lowercase")?.unwrap_or(false);
    // As in sacreBLEU, only its own option lower-cases chrF.
    let case = if lowercase { Case::Lower } else { Case::Mixed };
    Ok(AnyMetric::over_text(builder.build()?).with_case(case))
}
