//! Word error rates of sessions with several speakers: cpWER, tcpWER and ORC-WER.
//!
//! A segment of these metrics is a session: utterances with their speaker, their words and, where they are known, their
//! times. The labels of speakers of the two sides have nothing to do with each other, so each metric first pairs the
//! sides, by the fewest errors, and then counts as WER does:
//!
//! ```text
//! cpWER    the words of each speaker in order of time are one string; every speaker of the reference is paired with one
//!          of the hypothesis, and those without a partner with nothing
//! tcpWER   the same, where words are matched or substituted only if they overlap in time, within a collar
//! ORC-WER  every utterance of the reference is given to one stream of the hypothesis; the order is kept
//! rate     (S + D + I) / words of the reference, over all sessions; from 0 without limit, lower is better
//! ```
//!
//! Words never cross speakers. Of equal pairings the choice is that of SciPy's `linear_sum_assignment` (ORC-WER: the first
//! stream), and of equal alignments insertions come before deletions, and these before pairs, so that S, D and I are those
//! of MeetEval.
//!
//! | singular case | |
//! |---|---|
//! | a speaker without words | counts as a speaker |
//! | a side without speakers | all words are deleted, or inserted |
//! | no word in any reference | no score |
//! | several references, no reference | error |
//! | more than 20 speakers (ORC-WER: 10 streams) on a side | error |
//! | tcpWER without times, times of some utterances only, an end before its start | error |
//!
//! Sources: Watanabe et al. 2020, CHiME-6 (cpWER); von Neumann et al. 2023, MeetEval (tcpWER); Sklyar et al. 2022
//! (ORC-WER). Counts and assignments as MeetEval 0.4.3. Time: cpWER the product of the words of both sides over 64;
//! tcpWER the pairs of words that overlap; ORC-WER the words of the reference times the positions in all streams together that
//! a path with few edits passes, over 32: at most the product of the lengths of the streams, and a small part of it where
//! errors are few. It keeps 4 bytes of each such position for each utterance: sessions that need more than 2 GiB are refused.
//!
//! ```
//! use bleuprint_core::{Accumulator, Utterance};
//! use bleuprint_metrics::CpWer;
//!
//! let heads = |names: [&str; 2]| names.map(|name| Utterance::head(name, None, 2));
//! let (reference, hypothesis) = (heads(["A", "B"]), heads(["1", "2"]));
//! let mut sessions = Accumulator::<_, [&str]>::new(CpWer::untimed());
//! let hypothesis = [&hypothesis[0], "see", "you", &hypothesis[1], "good", "day"];
//! sessions.push(&hypothesis, &[&[&reference[0], "good", "morning", &reference[1], "see", "you"]]).unwrap();
//! assert_eq!(sessions.score().unwrap().score.score, 0.25);
//! ```

mod cp;
mod entry;
mod grid;
mod lazily;
mod least;
mod orc;
mod session;
#[cfg(test)]
mod tests;
mod timed;
mod timing;

pub use cp::{CpWer, SpeakerCounts};
pub(crate) use entry::{CPWER, ORCWER, TCPWER};
pub use orc::{OrcCounts, OrcWer};
pub use timing::{TimeConstraint, WordTiming};

use bleuprint_core::{InputError, InputErrorKind, PlainScore, Result};

use crate::edit::EditCounts;

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

fn require_few(what: &str, given: usize, most: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    let (what, limit) = (format!("the number of {what} of a session"), format!("at most {most}"));
    Err(InputErrorKind::Limit { what, given: given.to_string(), limit }.into())
}
