//! Word error rates of sessions with several speakers: cpWER, ORC-WER, MIMO-WER, DI-cpWER, and each with times.
//!
//! A segment of these metrics is a session: utterances with their speaker, their words and, where they are known, their
//! times. The labels of speakers of the two sides have nothing to do with each other, so each metric first pairs the
//! sides, by the fewest errors, and then counts as WER does:
//!
//! ```text
//! cpWER      the words of each speaker in order of time are one string; every speaker of the reference is paired with one
//!            of the hypothesis, and those without a partner with nothing
//! ORC-WER    every utterance of the reference is given to one stream of the hypothesis; the order is kept
//! MIMO-WER   the same, where only the order of the utterances of each speaker is kept
//! DI-cpWER   every utterance of the hypothesis is given to one speaker of the reference, by the greedy search
//! tc..       each of them, where words are matched or substituted only if they overlap in time, within a collar
//! rate       (S + D + I) / words of the reference, over all sessions; from 0 without limit, lower is better
//! ```
//!
//! ORC-WER and tcORC-WER are exact, or greedy with [`Search::Greedy`], which may find more errors than there need be: the start is
//! cpWER's assignment, and then each utterance is moved to the stream where it adds the fewest, until none moves, first with
//! two errors for a substitution and then with one. The collar is that of the hypothesis; in DI-tcpWER the reference has it.
//!
//! In cpWER words never cross speakers. Of equal pairings the choice is that of SciPy's `linear_sum_assignment` (ORC-WER and
//! MIMO-WER: the first stream; greedy: its own, else the first), and of equal alignments insertions come before deletions, and
//! these before pairs, so that S, D and I are those of MeetEval.
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
//! | | speakers of the reference | of the hypothesis | time | memory |
//! |---|---|---|---|---|
//! | cpWER | 20 | 20 | the product of the words of both sides over 64 | of the words |
//! | tcpWER | 20 | 20 | the pairs of words that overlap | of the words |
//! | ORC-WER, tcORC-WER | any | 10 | the words of the reference times the positions in all streams together that a path with few errors passes, over 32 or 16 | 4 bytes for each such position and utterance |
//! | greedy | 20 | 10 | a few rounds of the words times the streams, times their length over 32 or the words that overlap | a quarter of a byte for each utterance and word of a stream |
//! | MIMO-WER, tcMIMO-WER | 10 | 10 | the product of all positions in streams and all utterances done, times the words | 4 bytes for each |
//! | DI-cpWER, DI-tcpWER | 10 | 20 | greedy | greedy |
//!
//! Tables of more than 2 GiB are refused, with their size and the search that needs less.
//!
//! Sources: Watanabe et al. 2020, CHiME-6 (cpWER); von Neumann et al. 2023, MeetEval (with times, greedy, DI-cpWER); Sklyar et al. 2022
//! (ORC-WER); von Neumann et al. 2023, "On Word Error Rate Definitions" (MIMO-WER). Counts and assignments as MeetEval 0.4.3.
//!
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
pub use orc::{OrcWer, Search};
pub use spoken::{Spoken, parse_session};
pub use timing::{TimeConstraint, WordTiming};
pub use utterance::Utterance;

use bleuprint_core::{InputError, PlainScore, Result};
use bleuprint_metrics::EditCounts;
use bleuprint_registry::MetricEntry;
use bleuprint_text::Family;

/// The metrics of sessions, to be added to a registry.
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

/// The family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("meetings", "Sessions of several speakers: cpWER, ORC-WER and their relatives")
        .metrics(ENTRIES)
        .readers(files::READERS)
        .parted(cut::PARTED)
}

/// The bytes of the tables of a session at most.
const MOST_BYTES: u128 = 2 << 30;

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

/// Insertions, deletions and substitutions.
fn errors(counts: &EditCounts) -> [u64; 3] {
    [counts.insertions, counts.deletions, counts.substitutions]
}

/// The paper of this key in the file of this package.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::of(include_str!("papers.bib"), key)
}
