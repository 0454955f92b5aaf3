//! chrF's registry entry.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper, Preset};

use super::Chrf;
use super::options::{BETA, CHAR_ORDER, EPS_SMOOTHING, LOWERCASE, WHITESPACE, WORD_ORDER};

const PRESETS: &[Preset] = &[Preset {
    name: "chrf++",
    options: &[("chrf-word-order", "2")],
    summary: "chrF with word n-grams of orders 1 and 2",
}];

const PAPERS: &[Paper] = &[
    Paper::new(
        "popovic-2015-chrf",
        "Popović, Maja",
        "chrF: character n-gram F-score for automatic MT evaluation",
        2015,
    )
    .at("Proceedings of the Tenth Workshop on Statistical Machine Translation")
    .link("https://aclanthology.org/W15-3049/"),
    Paper::new("popovic-2017-chrf", "Popović, Maja", "chrF++: words helping character n-grams", 2017)
        .at("Proceedings of the Second Conference on Machine Translation")
        .link("https://aclanthology.org/W17-4770/"),
];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("chrf", "The F-score of character n-grams, recall weighing more", build)
        .aliases(&["chrF"])
        .presets(PRESETS)
        .papers(PAPERS)
        .agrees_with("sacreBLEU 2.6.0")
        .options(&[
            CHAR_ORDER.spec,
            WORD_ORDER.spec,
            BETA.spec,
            WHITESPACE.spec,
            LOWERCASE.spec,
            EPS_SMOOTHING.spec,
        ]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let chrf = Chrf::builder()
        .char_order(CHAR_ORDER.of(options)?)
        .word_order(WORD_ORDER.of(options)?)
        .beta(BETA.of(options)?)
        .whitespace(WHITESPACE.of(options)?)
        .eps_smoothing(EPS_SMOOTHING.of(options)?);
    // As in sacreBLEU, only its own option lower-cases chrF.
    let case = if LOWERCASE.of(options)? { Case::Lower } else { Case::Mixed };
    Ok(AnyMetric::over_text(chrf.build()?).with_case(case))
}
