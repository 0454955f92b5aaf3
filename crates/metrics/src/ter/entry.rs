//! TER's registry entry: its options, with sacreBLEU's names.

use bleuprint_core::{AnyMetric, Case, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec};

use super::Ter;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new("ter-case-sensitive", OptionKind::Flag).default("no").help("Keep capital letters"),
    OptionSpec::new("ter-asian-support", OptionKind::Flag)
        .default("no")
        .help("Let normalization and the deletion of punctuation know East Asian text"),
    OptionSpec::new("ter-no-punct", OptionKind::Flag).default("no").help("Delete punctuation"),
    OptionSpec::new("ter-normalized", OptionKind::Flag).default("no").help("Cut punctuation off words"),
];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("ter", "Edits per reference word, where moving a block of words is one", build)
        .aliases(&["TER"])
        .paper("Snover et al. 2006, A Study of Translation Edit Rate with Targeted Human Annotation")
        .agrees_with("sacreBLEU 2.6.0")
        .options(OPTIONS);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let flag = |name| Ok::<_, ConfigError>(options.flag(name)?.unwrap_or(false));
    let ter = Ter {
        normalized: flag("ter-normalized")?,
        no_punct: flag("ter-no-punct")?,
        asian_support: flag("ter-asian-support")?,
    };
    let case = if flag("ter-case-sensitive")? { Case::Mixed } else { Case::Lower };
    // The names that the tokenizer has with its options.
    let mut tokenizer = String::from("tercom");
    let marks = [(ter.normalized, "-norm"), (ter.no_punct, "-nopunct"), (ter.asian_support, "-asian")];
    tokenizer.extend(marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark));
    Ok(AnyMetric::over_ids(ter)?.with_tokenizer(tokenizer).with_case(case))
}
