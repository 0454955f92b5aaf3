//! Registry entries of WER, CER and other edit-distance error rates, by which the command line and Python
//! create them.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Paper, settings};

use super::{CompoundWer, EditRate};

const JIWER: &str = "jiwer 4.0.0";

const LEVENSHTEIN_1966: &[Paper] = &[crate::paper("levenshtein-1966-binary")];

const MORRIS_2004: &[Paper] = &[crate::paper("morris-etal-2004-wer")];

fn over(rate: EditRate, tokenizer: &str) -> Result<AnyMetric, ConfigError> {
    Ok(AnyMetric::for_ids(rate)?.with_default_tokens(tokenizer, Case::Mixed))
}

settings! {
    /// Options of WER.
    pub(super) struct WerSettings {
        /// Whether words written together on one side and apart on the other are errors (keep) or not (merge)
        pub(super) merges_compounds: bool =
            Opt::either("compounds", &["keep", "merge"]).counted("compounds", "comp").added_later();
    }
}

fn wer(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    if WerSettings::from_options(options)?.merges_compounds {
        return Ok(AnyMetric::for_tokens(CompoundWer).with_default_tokens("jiwer", Case::Mixed));
    }
    over(EditRate::WER, "jiwer")
}

pub(crate) const WER: MetricEntry =
    MetricEntry::new("wer", "Word error rate: edits per word of the reference", wer)
        .options(WerSettings::SPECS)
        .aliases(&["WER"])
        .papers(LEVENSHTEIN_1966)
        .agrees_with(JIWER)
        .example(crate::TEXT_EXAMPLE);

pub(crate) const CER: MetricEntry =
    MetricEntry::new("cer", "Character error rate: edits per character of the reference", |_| {
        over(EditRate::CER, "jiwer-char")
    })
    .aliases(&["CER"])
    .papers(LEVENSHTEIN_1966)
    .agrees_with(JIWER)
    .example(crate::TEXT_EXAMPLE);

pub(crate) const MER: MetricEntry =
    MetricEntry::new("mer", "Match error rate: edits per step of the alignment", |_| {
        over(EditRate::MER, "jiwer")
    })
    .aliases(&["MER"])
    .papers(MORRIS_2004)
    .agrees_with(JIWER)
    .example(crate::TEXT_EXAMPLE);

pub(crate) const CMER: MetricEntry =
    MetricEntry::new("cmer", "Match error rate of characters: edits per step of the alignment", |_| {
        over(EditRate::CMER, "jiwer-char")
    })
    .aliases(&["CMER"])
    .papers(MORRIS_2004)
    .agrees_with(JIWER)
    .example(crate::TEXT_EXAMPLE);

pub(crate) const WIL: MetricEntry =
    MetricEntry::new("wil", "Word information lost: 1 less the word information preserved", |_| {
        over(EditRate::WIL, "jiwer")
    })
    .aliases(&["WIL"])
    .papers(MORRIS_2004)
    .agrees_with(JIWER)
    .example(crate::TEXT_EXAMPLE);

pub(crate) const WIP: MetricEntry =
    MetricEntry::new("wip", "Word information preserved: hits per word, of both sides", |_| {
        over(EditRate::WIP, "jiwer")
    })
    .aliases(&["WIP"])
    .papers(MORRIS_2004)
    .agrees_with(JIWER)
    .example(crate::TEXT_EXAMPLE);

pub(crate) const ER: MetricEntry =
    MetricEntry::new("error_rate", "Edits per reference token: WER over words, CER over characters", |_| {
        AnyMetric::for_ids(EditRate::ER)
    })
    .papers(LEVENSHTEIN_1966)
    .example(crate::TEXT_EXAMPLE);
