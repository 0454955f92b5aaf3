//! Registry entry of chrF: the name, options and constructor by which the command line and Python create the
//! metric.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Preset, Spelling};

use super::ChrfBuilder;

const PRESETS: &[Preset] = &[Preset {
    name: "chrf++",
    options: &[("chrf-word-order", "2")],
    summary: "chrF with word n-grams of orders 1 and 2",
}];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("chrf", "The F-score of character n-grams, recall weighing more", build)
        .aliases(&["chrF"])
        .presets(PRESETS)
        .spellings(&[Spelling::new("chrF2", "chrf"), Spelling::new("chrF2++", "chrf++")])
        .papers(&[crate::paper("popovic-2015-chrf"), crate::paper("popovic-2017-chrf")])
        .agrees_with("sacreBLEU 2.6.0")
        .options(ChrfBuilder::SPECS)
        .example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let chrf = ChrfBuilder::from_options(options)?;
    // Like in sacreBLEU, only chrF's own option converts texts to lower case.
    let case = if chrf.lowercase { Case::Lower } else { Case::Mixed };
    Ok(AnyMetric::for_text(chrf.build()?).with_case(case))
}
