//! Metrics of speaker diarization (who spoke when), such as the diarization error rate (DER).
//!
//! The scored region of a file is cut at every start and end of a turn. In the formulas, a piece has the
//! length d, the reference speakers r and the hypothesis speakers h. A mapping m assigns a hypothesis speaker
//! to each reference speaker. I and U are the times in which both of two speakers speak, or at least one of
//! them:
//!
//! ```text
//! miss        = Σ d · max(|r| - |h|, 0)          correct   = Σ d · |{s in r: m(s) in h}|
//! false alarm = Σ d · max(|h| - |r|, 0)          confusion = Σ d · min(|r|, |h|) - correct
//! DER         = (miss + false alarm + confusion) / Σ d · |r|
//! JER         = mean over reference speakers of 1 - I(s, m(s)) / U(s, m(s)), 1 without a partner
//! detection   = DER of one speaker on each side
//! accuracy    = (time with speech on both sides + time with speech on no side) / scored time
//! precision   = time with speech on both sides / speech of the hypothesis; recall: / speech of the reference
//! F           = (1 + β²) · precision · recall / (β² · precision + recall)
//! cost        = 0.75 · miss / speech of the reference + 0.25 · false alarm / time without speech
//! purity      = Σ over hypothesis speakers of the largest time in common with a reference speaker / their time
//! coverage    = purity with the sides exchanged
//! ```
//!
//! A segment is a file: the turns of both sides, with the scored regions (UEM) as the source. Each file has
//! its own one-to-one mapping, which maximizes the sum of common time. Programs differ in the region, the
//! collar, the overlap and the singular cases: [`ScoredTime`] has the table. [`explain`] computes the number
//! of each program for the same data.
//!
//! Times are whole ticks of half a microsecond, so sums are exact and do not depend on the order of files. A
//! file cannot be split between batches. JER is an exact sum of quotients. [`BCubed`] counts frames as dscore
//! does.
//!
//! | singular case | result |
//! |---|---|
//! | no reference time in the scored region | no score (`like` may give a number) |
//! | a turn without duration | nothing, except a collar around its time |
//! | a time that is negative, infinite, NaN or above 1e7 s; an end before the start | error |
//! | more than six decimal places | error, or rounded with `times=rounded` |
//! | no regions | error; `uem=extent` takes the extent of the turns |
//! | regions that overlap, or end at their start | error |
//! | more than 100 speakers or 400,000 turns of a side | error |
//!
//! Range from 0, without an upper limit for DER and detection, lower is better; purity, coverage, B-cubed and
//! the rates of speech detection from 0 to 1, higher is better, except for the cost. Sources: NIST's md-eval 22, Bredin 2017 (pyannote.metrics), Ryant et al.
//! 2019 (JER). Time grows with the number of turns times the number of simultaneous speakers.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_diarization::{ScoredTime, Diarization, Regions, Turn, Turns};
//!
//! let reference = Turns(vec![Turn::new("Ann", 0.0, 4.0), Turn::new("Bob", 4.0, 10.0)]);
//! let hypothesis = Turns(vec![Turn::new("1", 0.0, 5.0), Turn::new("2", 5.0, 9.0)]);
//! let mut files = Accumulator::<_, Turns, Turns, Regions>::new(Diarization::der(ScoredTime::default()).unwrap());
//! let regions = Regions(vec![(0.0, 10.0)]);
//! files.push_segment(Segment::with_source(&hypothesis, &[&reference], Some(&regions))).unwrap();
//! // A second of Bob is missed, and another is given to Ann.
//! assert_eq!(files.score().unwrap().value(), 0.2);
//! ```

mod bcubed;
mod choices;
mod command;
mod der;
mod entry;
mod explain;
mod file;
mod frames;
mod jer;
mod mapping;
mod notes;
mod picture;
mod purity;
mod rttm;
mod side;
mod speech;
mod ticks;
mod turns;

pub use bcubed::{BCubed, BCubedScore, FrameSums};
pub use choices::{DiarizationProgram, LongDecimals, MappingSearch, Overlap, ScoredTime, Uem};
pub use der::{Diarization, DiarizationTimes};
pub use explain::{Explained, explain};
pub use jer::{Jer, JerMapping, JerSum};
pub use notes::notes;
pub use purity::{Purity, PurityScore, PurityTimes};
pub use rttm::{Recording, recordings};
pub use speech::{SpeechDetection, SpeechTimes};
pub use turns::{Regions, Turn, Turns};

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

/// Registry entries of the speaker diarization metrics.
pub static ENTRIES: &[MetricEntry] =
    &[entry::DER, entry::JER, entry::DETECTION, entry::SPEECH_DETECTION, entry::PURITY, entry::BCUBED];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] =
    &[FamilyPage { name: "diarization", text: include_str!("../docs/diarization.md") }];

/// Returns the family of diarization metrics, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("diarization", "Who spoke when: DER, JER, detection, purity and coverage")
        .metrics(ENTRIES)
        .readers(rttm::READERS)
        .commands(command::COMMANDS)
        .pages(PAGES)
}

/// Returns the paper with this key in the crate's bibliography `papers.bib`.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}
