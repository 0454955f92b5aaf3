//! The registry entry of SARI: its options as data.

use bleuprint_core::{AnyMetric, Case, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec};

use super::{EasseSari, Sari};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new("sari-dialect", OptionKind::Choice(&["hf", "easse"]))
        .default("hf")
        .help("Whose arithmetic: HF evaluate's mean of segments, or EASSE's sums over the corpus"),
    OptionSpec::new("sari-deletion-precision", OptionKind::Flag)
        .default("no")
        .help("EASSE: score deletions by precision in place of F (use_f1_for_deletion=False)"),
    OptionSpec::new("sari-average-first", OptionKind::Flag)
        .default("no")
        .help("EASSE: average precision and recall over orders before F (use_paper_version=True)"),
];

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "sari",
    "Words rightly kept, deleted and added in a simplification; needs the source",
    build,
)
.paper("Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification")
.agrees_with("HF evaluate 0.4.6; EASSE as a dialect")
.options(OPTIONS);

/// Both programs take lower-cased 13a tokens.
fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let precision = options.flag("sari-deletion-precision")?.unwrap_or(false);
    let average_first = options.flag("sari-average-first")?.unwrap_or(false);
    if options.get("sari-dialect") == Some("easse") {
        let easse = EasseSari::default().precision_of_deletions(precision).average_first(average_first);
        return Ok(AnyMetric::over_ids(easse)?.with_tokenizer("13a").with_case(Case::Lower));
    }
    if precision || average_first {
        let message = "--sari-deletion-precision and --sari-average-first belong to --sari-dialect easse";
        return Err(ConfigError::Conflict(message.to_owned()));
    }
    Ok(AnyMetric::over_ids(Sari)?.with_tokenizer("13a").with_case(Case::Lower))
}
