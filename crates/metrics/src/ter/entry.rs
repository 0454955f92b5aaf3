//! Registry entry of TER: the name, options and constructor by which the command line and Python create the
//! metric.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions};

use super::Ter;

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("ter", "Edits per reference word, where moving a block of words is one", build)
        .aliases(&["TER"])
        .papers(&[crate::paper("snover-etal-2006-study")])
        .agrees_with("sacreBLEU 2.6.0")
        .options(Ter::SPECS)
        .example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let ter = Ter::from_options(options)?;
    let case = if ter.case_sensitive { Case::Mixed } else { Case::Lower };
    // The registry lists the tokenizer under one name for each combination of its options.
    let mut tokenizer = String::from("tercom");
    let marks = [(ter.normalized, "-norm"), (ter.no_punct, "-nopunct"), (ter.asian_support, "-asian")];
    tokenizer.extend(marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark));
    Ok(AnyMetric::for_ids(ter)?.with_tokenizer(tokenizer).with_case(case))
}
