//! Registry entry of TER: the name, options and constructor by which the command line and Python create the
//! metric.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt};

use super::Ter;

pub(super) const CASE_SENSITIVE: Opt<bool> = Opt::flag("ter-case-sensitive").help("Keep capital letters");

pub(super) const ASIAN_SUPPORT: Opt<bool> = Opt::flag("ter-asian-support")
    .counted("asian", "as")
    .help("Let normalization and the deletion of punctuation know East Asian text");

pub(super) const NO_PUNCT: Opt<bool> =
    Opt::flag("ter-no-punct").counted("punct", "pn").words("no", "yes").help("Delete punctuation");

pub(super) const NORMALIZED: Opt<bool> =
    Opt::flag("ter-normalized").counted("norm", "nr").help("Cut punctuation off words");

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("ter", "Edits per reference word, where moving a block of words is one", build)
        .aliases(&["TER"])
        .papers(&[crate::paper("snover-etal-2006-study")])
        .agrees_with("sacreBLEU 2.6.0")
        .options(&[CASE_SENSITIVE.spec, ASIAN_SUPPORT.spec, NO_PUNCT.spec, NORMALIZED.spec])
        .example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let ter = Ter {
        normalized: NORMALIZED.value_in(options)?,
        no_punct: NO_PUNCT.value_in(options)?,
        asian_support: ASIAN_SUPPORT.value_in(options)?,
    };
    let case = if CASE_SENSITIVE.value_in(options)? { Case::Mixed } else { Case::Lower };
    // The registry lists the tokenizer under one name for each combination of its options.
    let mut tokenizer = String::from("tercom");
    let marks = [(ter.normalized, "-norm"), (ter.no_punct, "-nopunct"), (ter.asian_support, "-asian")];
    tokenizer.extend(marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark));
    Ok(AnyMetric::for_ids(ter)?.with_tokenizer(tokenizer).with_case(case))
}
