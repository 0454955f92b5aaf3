//! Registry entry of chrF: the name, options and constructor by which the command line and Python create the
//! metric.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Preset, Spelling};

use super::{Chrf, MAX_ORDER_LIMIT};

pub(super) const CHAR_ORDER: Opt<usize> = Opt::integer("chrf-char-order", 6)
    .limits(0, MAX_ORDER_LIMIT as u64)
    .counted("nc", "nc")
    .help("The highest order of character n-grams");

pub(super) const WORD_ORDER: Opt<usize> = Opt::integer("chrf-word-order", 0)
    .limits(0, MAX_ORDER_LIMIT as u64)
    .counted("nw", "nw")
    .help("The highest order of word n-grams; 2 makes it chrF++");

/// Option for β, the importance of recall in chrF. The printed name contains β, as in sacreBLEU. β is limited
/// to 10^6, so that adding β² costs a score no digits.
pub(super) const BETA: Opt<f64> = {
    let mut option = Opt::number("chrf-beta", 2.0)
        .limits(0, 1_000_000)
        .counted("beta", "beta")
        .help("Importance of recall relative to precision");
    option.spec.field.in_name = true;
    option
};

pub(super) const WHITESPACE: Opt<bool> =
    Opt::flag("chrf-whitespace").counted("space", "s").help("Count whitespace as characters");

pub(super) const LOWERCASE: Opt<bool> = Opt::flag("chrf-lowercase").help("Lower-case the texts first");

pub(super) const EPS_SMOOTHING: Opt<bool> = Opt::flag("chrf-eps-smoothing")
    .counted("eff", "e")
    .words("no", "yes")
    .help("Average the F-scores of all orders, with an epsilon where there is nothing");

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
        .options(&[
            CHAR_ORDER.spec,
            WORD_ORDER.spec,
            BETA.spec,
            WHITESPACE.spec,
            LOWERCASE.spec,
            EPS_SMOOTHING.spec,
        ])
        .example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let chrf = Chrf::builder()
        .char_order(CHAR_ORDER.value_in(options)?)
        .word_order(WORD_ORDER.value_in(options)?)
        .beta(BETA.value_in(options)?)
        .whitespace(WHITESPACE.value_in(options)?)
        .eps_smoothing(EPS_SMOOTHING.value_in(options)?);
    // Like in sacreBLEU, only chrF's own option converts texts to lower case.
    let case = if LOWERCASE.value_in(options)? { Case::Lower } else { Case::Mixed };
    Ok(AnyMetric::for_text(chrf.build()?).with_case(case))
}
