//! The registry entries of the error rates.

use bleuprint_core::{Case, MetricEntry, OverIds};

use super::EditRate;

const JIWER: &str = "jiwer 4.0.0";
const LEVENSHTEIN: &str =
    "Levenshtein 1966, Binary codes capable of correcting deletions, insertions and reversals";
const MORRIS: &str = "Morris et al. 2004, From WER and RIL to MER and WIL";

pub(crate) const WER: MetricEntry =
    MetricEntry::new("wer", "Word error rate: edits per word of the reference", |_| {
        Ok(Box::new(OverIds::new(EditRate::WER).with_default_tokens("jiwer", Case::Mixed)))
    })
    .aliases(&["WER"])
    .paper(LEVENSHTEIN)
    .agrees_with(JIWER);

pub(crate) const CER: MetricEntry =
    MetricEntry::new("cer", "Character error rate: edits per character of the reference", |_| {
        Ok(Box::new(OverIds::new(EditRate::CER).with_default_tokens("jiwer-char", Case::Mixed)))
    })
    .aliases(&["CER"])
    .paper(LEVENSHTEIN)
    .agrees_with(JIWER);

pub(crate) const MER: MetricEntry =
    MetricEntry::new("mer", "Match error rate: edits per step of the alignment", |_| {
        Ok(Box::new(OverIds::new(EditRate::MER).with_default_tokens("jiwer", Case::Mixed)))
    })
    .aliases(&["MER"])
    .paper(MORRIS)
    .agrees_with(JIWER);

pub(crate) const WIL: MetricEntry =
    MetricEntry::new("wil", "Word information lost: 1 less the word information preserved", |_| {
        Ok(Box::new(OverIds::new(EditRate::WIL).with_default_tokens("jiwer", Case::Mixed)))
    })
    .aliases(&["WIL"])
    .paper(MORRIS)
    .agrees_with(JIWER);

pub(crate) const WIP: MetricEntry =
    MetricEntry::new("wip", "Word information preserved: hits per word, of both sides", |_| {
        Ok(Box::new(OverIds::new(EditRate::WIP).with_default_tokens("jiwer", Case::Mixed)))
    })
    .aliases(&["WIP"])
    .paper(MORRIS)
    .agrees_with(JIWER);
