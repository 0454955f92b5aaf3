//! The registry entry of SARI.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper, PaperKind};

use super::options::{AVERAGE_FIRST, DELETION_PRECISION, DIALECT};
use super::{EasseSari, Sari};

const PAPERS: &[Paper] = &[Paper::new(
    "xu-etal-2016-optimizing",
    "Xu, Wei and Napoles, Courtney and Pavlick, Ellie and Chen, Quanze and Callison-Burch, Chris",
    "Optimizing Statistical Machine Translation for Text Simplification",
    2016,
)
.at("Transactions of the Association for Computational Linguistics, 4")
.kind(PaperKind::Journal)
.link("https://aclanthology.org/Q16-1029/")];

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "sari",
    "Words rightly kept, deleted and added in a simplification; needs the source",
    build,
)
.papers(PAPERS)
.agrees_with("HF evaluate 0.4.6; EASSE as a dialect")
.options(&[DIALECT.spec, DELETION_PRECISION.spec, AVERAGE_FIRST.spec]);

/// Both programs take lower-cased 13a tokens.
fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let (precision, average_first) = (DELETION_PRECISION.of(options)?, AVERAGE_FIRST.of(options)?);
    if DIALECT.of(options)? == "easse" {
        let easse = EasseSari::default().precision_of_deletions(precision).average_first(average_first);
        return Ok(AnyMetric::over_ids(easse)?.with_tokenizer("13a").with_case(Case::Lower));
    }
    if precision || average_first {
        let message = "deletion-precision and average-first belong to dialect=easse";
        return Err(ConfigError::Conflict(message.to_owned()));
    }
    Ok(AnyMetric::over_ids(Sari)?.with_tokenizer("13a").with_case(Case::Lower))
}
