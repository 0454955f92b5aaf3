//! Word error rates of meetings with several speakers: cpWER, ORC-WER, MIMO-WER and DI-cpWER, and a variant
//! of each that uses word times.
//!
//! A segment of these metrics is a session (one meeting): utterances with a speaker, words and, if known,
//! times. Reference and hypothesis may use different speaker labels. Each metric therefore first pairs their
//! speakers or utterances so that the errors are fewest, and then counts errors as WER does:
//!
//! ```text
//! cpWER      the words of each speaker, in order of time, are one string; every reference speaker is paired with one
//!            hypothesis speaker, and a speaker without a partner with no words
//! ORC-WER    every utterance of the reference is given to one stream of the hypothesis; the order is kept
//! MIMO-WER   as ORC-WER, but only the order of the utterances of each speaker is kept
//! DI-cpWER   every utterance of the hypothesis is given to one speaker of the reference, by the greedy search
//! tc..       each of these, but words are matched or substituted only if they overlap in time, within a collar
//! rate       (S + D + I) / words of the reference, summed over all sessions; at least 0, lower is better
//! ```
//!
//! ORC-WER and tcORC-WER are exact by default. [`StreamSearch::Greedy`] may find more errors than necessary. It
//! starts from cpWER's pairing and moves each utterance to the stream where it adds the fewest errors, until
//! none moves. A substitution costs two errors in the first phase and one in the second.
//!
//! The collar extends the words of the hypothesis; in DI-tcpWER it extends the words of the reference.
//!
//! Words never cross speakers in cpWER. Ties decide how errors divide into S, D and I, so they follow
//! MeetEval:
//!
//! - pairings: the choice of SciPy's `linear_sum_assignment`;
//! - ORC-WER and MIMO-WER: the first stream;
//! - greedy search: the current stream, else the first;
//! - alignments: insertions before deletions, and deletions before pairs.
//!
//! | singular case | |
//! |---|---|
//! | a speaker without words | counts as a speaker |
//! | a side without speakers | all words are deleted, or inserted |
//! | no word in any reference | no score |
//! | several references, no reference | error |
//! | more speakers or streams than below | error |
//! | no times for a metric with times, times of some utterances only, an end before its start | error |
//!
//! | | most speakers of the reference | most speakers or streams of the hypothesis | time grows with | memory grows with |
//! |---|---|---|---|---|
//! | cpWER | 20 | 20 | words of the reference · words of the hypothesis / 64 | the words |
//! | tcpWER | 20 | 20 | pairs of words that overlap in time | the words |
//! | ORC-WER, tcORC-WER | any | 10 | words of the reference · combinations of positions in the streams (one position for each stream, on a path with few errors) / 32, with times / 16 | 4 bytes for each of these combinations and each utterance |
//! | ORC-WER, tcORC-WER with the greedy search | 20 | 10 | a few rounds of: words of the reference · words of all streams / 32, or with times pairs of words that overlap | a quarter of a byte · utterances · words of the longest stream |
//! | MIMO-WER, tcMIMO-WER | 10 | 10 | words · combinations of positions in the streams · combinations of the speakers' numbers of finished utterances, of each those on a path with few errors | 4 bytes for each of these combinations |
//! | DI-cpWER, DI-tcpWER | 10 | 20 | like ORC-WER with the greedy search | like ORC-WER with the greedy search |
//!
//! Sessions that need tables of more than 2 GiB are rejected; the error names the size and a search that
//! needs less.
//!
//! Sources: Watanabe et al. 2020, CHiME-6 (cpWER); von Neumann et al. 2023, MeetEval (with times, greedy,
//! DI-cpWER); Sklyar et al. 2022 (ORC-WER); von Neumann et al. 2023, "On Word Error Rate Definitions"
//! (MIMO-WER). Counts and pairings equal MeetEval 0.4.3.
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_meetings::{CpWer, Utterance};
//!
//! let heads = |names: [&str; 2]| names.map(|name| Utterance::head(name, None, 2));
//! let (reference, hypothesis) = (heads(["A", "B"]), heads(["1", "2"]));
//! let mut sessions = Accumulator::<_, [&str]>::new(CpWer::untimed());
//! let hypothesis = [&hypothesis[0], "see", "you", &hypothesis[1], "good", "day"];
//! sessions.push(&hypothesis, &[&[&reference[0], "good", "morning", &reference[1], "see", "you"]]).unwrap();
//! assert_eq!(sessions.score().unwrap().score.score, 0.25);
//! ```

mod block;
mod cp;
mod cut;
mod di;
mod entry;
mod files;
mod gain;
mod given;
mod greedy;
mod grid;
mod lazily;
mod least;
mod lines;
mod mimo;
mod orc;
mod orders;
mod seglst;
mod session;
mod spoken;
#[cfg(test)]
mod tests;
mod timed;
mod timing;
mod utterance;

pub use cp::{CpWer, SpeakerCounts};
pub use di::DiCpWer;
pub use files::{MissingSessions, Sessions, self_overlap};
pub use given::OrcCounts;
pub use mimo::MimoWer;
pub use orc::{OrcWer, StreamSearch};
pub use spoken::{Spoken, parse_session};
pub use timing::{TimeConstraint, WordTiming};
pub use utterance::Utterance;

use bleuprint_core::{InputError, PlainScore, Quotient, Result};
use bleuprint_metrics::EditCounts;
use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

/// Registry entries of all word error rates of meetings in this crate.
pub static ENTRIES: &[MetricEntry] = &[
    entry::CPWER,
    entry::TCPWER,
    entry::ORCWER,
    entry::TCORCWER,
    entry::MIMOWER,
    entry::TCMIMOWER,
    entry::DICPWER,
    entry::DITCPWER,
];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "meetings", text: include_str!("../docs/meetings.md") }];

/// Returns the family of meeting metrics, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("meetings", "Sessions of several speakers: cpWER, ORC-WER and their relatives")
        .metrics(ENTRIES)
        .readers(files::READERS)
        .parted(cut::PARTED)
        .pages(PAGES)
}

/// Largest total size of the tables for aligning one session, in bytes.
const MOST_BYTES: u128 = 2 << 30;

/// The formula of every error rate of this package: see [`rate`].
const ERROR_RATE: Quotient = Quotient {
    numerator: &["insertions", "deletions", "substitutions"],
    denominator: &["ref_len"],
    factor: 1.0,
};

fn rate(metric: &str, errors: [u64; 3], ref_len: u64) -> Result<PlainScore> {
    if ref_len == 0 {
        return Err(InputError::no_score(metric, "the references have no word"));
    }
    let [insertions, deletions, substitutions] = errors;
    let edits = errors.iter().fold(0, |sum: u64, count| sum.saturating_add(*count));
    Ok(PlainScore::new(edits as f64 / ref_len as f64)
        .with_count("insertions", insertions)
        .with_count("deletions", deletions)
        .with_count("substitutions", substitutions)
        .with_count("ref_len", ref_len))
}

/// Returns the insertions, deletions and substitutions, in this order.
fn errors(counts: &EditCounts) -> [u64; 3] {
    [counts.insertions, counts.deletions, counts.substitutions]
}

/// Returns the paper with this key in the crate's bibliography.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}
