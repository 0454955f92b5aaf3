//! TER's registry entry.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper};

use super::Ter;
use super::options::{ASIAN_SUPPORT, CASE_SENSITIVE, NO_PUNCT, NORMALIZED};

const PAPERS: &[Paper] = &[Paper::new(
    "snover-etal-2006-study",
    "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
    "A Study of Translation Edit Rate with Targeted Human Annotation",
    2006,
)
.at("Proceedings of the 7th Conference of the Association for Machine Translation in the Americas: Technical Papers")
.link("https://aclanthology.org/2006.amta-papers.25/")];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("ter", "Edits per reference word, where moving a block of words is one", build)
        .aliases(&["TER"])
        .papers(PAPERS)
        .agrees_with("sacreBLEU 2.6.0")
        .options(&[CASE_SENSITIVE.spec, ASIAN_SUPPORT.spec, NO_PUNCT.spec, NORMALIZED.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let ter = Ter {
        normalized: NORMALIZED.of(options)?,
        no_punct: NO_PUNCT.of(options)?,
        asian_support: ASIAN_SUPPORT.of(options)?,
    };
    let case = if CASE_SENSITIVE.of(options)? { Case::Mixed } else { Case::Lower };
    // The names that the tokenizer has with its options.
    let mut tokenizer = String::from("tercom");
    let marks = [(ter.normalized, "-norm"), (ter.no_punct, "-nopunct"), (ter.asian_support, "-asian")];
    tokenizer.extend(marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark));
    Ok(AnyMetric::over_ids(ter)?.with_tokenizer(tokenizer).with_case(case))
}
