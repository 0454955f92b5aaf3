//! Registry entry of SARI: the name, options and constructor by which the command line and Python create the
//! metric.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

use super::{EasseSari, Sari};

settings! {
    pub(super) struct SariSettings {
        /// Whose arithmetic: HF evaluate's mean of segments, or EASSE's sums over the corpus
        pub(super) easse: bool = Opt::either("sari-dialect", &["hf", "easse"]).counted("dialect", "d").unless_default();
        /// EASSE: score deletions by precision instead of F (use_f1_for_deletion=False)
        pub(super) precision_of_deletions: bool =
            Opt::flag("sari-deletion-precision").finished("deletion", "deletion").words("precision", "");
        /// EASSE: average precision and recall over orders before F (use_paper_version=True)
        pub(super) average_first: bool =
            Opt::flag("sari-average-first").finished("average", "average").words("first", "");
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "sari",
    "Words rightly kept, deleted and added in a simplification; needs the source",
    build,
)
.papers(&[crate::paper("xu-etal-2016-optimizing")])
.agrees_with("HF evaluate 0.4.6; EASSE as a dialect")
.options(SariSettings::SPECS)
.example(r#"{"hypothesis": "the cat sat", "references": ["a cat sat"], "source": "the cat was sitting"}"#);

/// Creates SARI over lower-cased tokens of the tokenizer `13a`, which both HF evaluate and EASSE use.
fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let SariSettings { easse, precision_of_deletions, average_first } = SariSettings::from_options(options)?;
    if easse {
        let easse =
            EasseSari::default().precision_of_deletions(precision_of_deletions).average_first(average_first);
        return Ok(AnyMetric::for_ids(easse)?.with_tokenizer("13a").with_case(Case::Lower));
    }
    if precision_of_deletions || average_first {
        let message = "deletion-precision and average-first belong to dialect=easse";
        return Err(ConfigError::Conflict(message.to_owned()));
    }
    Ok(AnyMetric::for_ids(Sari)?.with_tokenizer("13a").with_case(Case::Lower))
}
