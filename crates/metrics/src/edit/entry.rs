//! The registry entries of the error rates.

use bleuprint_core::{AnyMetric, BuildMetric, Case, ConfigError, MetricEntry, OverIds};

use super::EditRate;

const LEVENSHTEIN: &str =
    "Levenshtein 1966, Binary codes capable of correcting deletions, insertions and reversals";
const MORRIS: &str = "Morris et al. 2004, From WER and RIL to MER and WIL";

const fn entry(name: &'static str, summary: &'static str, build: BuildMetric) -> MetricEntry {
    MetricEntry::new(name, summary, build).agrees_with("jiwer 4.0.0")
}

fn over(rate: EditRate, tokenizer: &str) -> Result<Box<dyn AnyMetric>, ConfigError> {
    Ok(Box::new(OverIds::new(rate).with_default_tokens(tokenizer, Case::Mixed)))
}

pub(crate) const WER: MetricEntry =
    entry("wer", "Word error rate: edits per word of the reference", |_| over(EditRate::WER, "jiwer"))
        .aliases(&["WER"])
        .paper(LEVENSHTEIN);

pub(crate) const CER: MetricEntry =
    entry("cer", "Character error rate: edits per character of the reference", |_| {
        over(EditRate::CER, "jiwer-char")
    })
    .aliases(&["CER"])
    .paper(LEVENSHTEIN);

pub(crate) const MER: MetricEntry =
    entry("mer", "Match error rate: edits per step of the alignment", |_| over(EditRate::MER, "jiwer"))
        .aliases(&["MER"])
        .paper(MORRIS);

pub(crate) const WIL: MetricEntry =
    entry("wil", "Word information lost: 1 less the word information preserved", |_| {
        over(EditRate::WIL, "jiwer")
    })
    .aliases(&["WIL"])
    .paper(MORRIS);

pub(crate) const WIP: MetricEntry =
    entry("wip", "Word information preserved: hits per word, of both sides", |_| {
        over(EditRate::WIP, "jiwer")
    })
    .aliases(&["WIP"])
    .paper(MORRIS);

pub(crate) const ER: MetricEntry =
    MetricEntry::new("error_rate", "Edits per reference token: WER over words, CER over characters", |_| {
        Ok(Box::new(OverIds::new(EditRate::ER)))
    })
    .paper(LEVENSHTEIN);
