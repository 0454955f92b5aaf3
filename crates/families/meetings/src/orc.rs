//! [`OrcWer`]: ORC-WER and tcORC-WER, exact and greedy.

use bleuprint_core::{InputError, Result};
use bleuprint_metrics::PairTables;

use crate::cp::REFERENCES;
use crate::entry::SEARCH;
use crate::given::{Given, OrcCounts, identity, observe_given};
use crate::grid::{Grid, Stop};
use crate::session::{Most, Session, SpeakerScratch, Talk};
use crate::timed::TimedWords;
use crate::timing::TimeConstraint;
use crate::{MOST_BYTES, greedy};

pub(crate) const STREAMS: Most = ("streams of the hypothesis", 10);
const ANY: Most = ("speakers of the reference", usize::MAX);

/// The way to the stream of each utterance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Search {
    /// The fewest errors.
    #[default]
    Exact,
    /// Those that no move of a single utterance lowers, which may be more.
    Greedy,
}

bleuprint_core::choice!(Search: Exact "exact", Greedy "greedy");

/// The word error rate where each utterance of the reference is given to the stream of the hypothesis that suits best, in
/// order of start; [the package](crate) has the definition.
///
/// ```
/// use bleuprint_core::Metric;
/// use bleuprint_meetings::{OrcWer, Search, TimeConstraint};
/// let collar = TimeConstraint::new(5.0).unwrap();
/// assert_eq!(OrcWer::timed(collar).search(Search::Greedy).identity().name(), "tcORC-WER");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OrcWer {
    time: Option<TimeConstraint>,
    search: Search,
}

impl OrcWer {
    /// ORC-WER.
    pub fn untimed() -> Self {
        OrcWer::default()
    }

    /// tcORC-WER.
    pub fn timed(constraint: TimeConstraint) -> Self {
        OrcWer { time: Some(constraint), search: Search::Exact }
    }

    /// With another search.
    #[must_use]
    pub fn search(self, search: Search) -> Self {
        OrcWer { search, ..self }
    }

    fn names(&self) -> [&'static str; 2] {
        if self.time.is_some() { ["tcorcwer", "tcORC-WER"] } else { ["orcwer", "ORC-WER"] }
    }

    /// For each utterance its stream; where there is none, a number beyond theirs.
    pub(crate) fn exact(&self, talk: &Talk<'_>) -> Result<Vec<usize>> {
        // Under the time rule MeetEval leaves out utterances and streams without words, and lists such utterances with the
        // stream of the least name.
        let has_words = |words: &TimedWords| !talk.timed || !words.words.is_empty();
        let streams: Vec<usize> =
            (0..talk.streams.len()).filter(|&stream| has_words(&talk.streams[stream])).collect();
        if let [] | [_] = streams[..] {
            let only = streams.first().copied().unwrap_or(usize::MAX);
            return Ok(vec![only; talk.utterances.len()]);
        }
        let utterances: Vec<&TimedWords> = talk.utterances.iter().filter(|words| has_words(words)).collect();
        let words: Vec<TimedWords> = streams.iter().map(|&stream| talk.streams[stream].clone()).collect();
        let grid = Grid::of(&words, talk.distinct, talk.timed, MOST_BYTES);
        let given = grid.give(&utterances).map_err(|stop| {
            let ([of, unit], value) = match stop {
                Stop::TooLarge(bytes) => (["memory", "bytes"], bytes),
                Stop::TooLong(cells) => (["work", "cells"], cells),
                Stop::Interrupted(error) => return error,
            };
            let lengths: Vec<String> = words.iter().map(|stream| stream.words.len().to_string()).collect();
            let what = format!(
                "the {of} of {} for {} utterances and streams of {} words, in {unit}",
                self.name(),
                utterances.len(),
                lengths.join(" x ")
            );
            let limit = format!(
                "at most {MOST_BYTES}; search=greedy has no such limit, and shorter sessions need less"
            );
            InputError::limit(what, value, limit)
        })?;
        let least = streams.iter().copied().min_by_key(|&stream| talk.stream_names[stream]).unwrap_or(0);
        let mut given = given.into_iter().map(|place| streams[place]);
        let of_utterance = |words: &TimedWords| match has_words(words) {
            true => given.next().unwrap_or(least),
            false => least,
        };
        Ok(talk.utterances.iter().map(of_utterance).collect())
    }
}

impl Given for OrcWer {
    fn name(&self) -> &'static str {
        self.names()[1]
    }

    fn talk<'t>(&self, session: &Session<'t>) -> Result<Talk<'t>> {
        let (sides, times) =
            ([&session.reference, &session.hypothesis], self.time.map(|time| time.of_sides()));
        let speakers = if self.search == Search::Greedy { REFERENCES } else { ANY };
        Talk::of(self.name(), sides, session.distinct, times, [speakers, STREAMS])
    }

    fn give(&self, pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        let given = match self.search {
            Search::Greedy => greedy::give(self.name(), pairs, talk),
            Search::Exact => self.exact(talk),
        };
        Ok(given?.into_iter().enumerate().collect())
    }
}

observe_given!(OrcWer, self => identity(self.names(), self.time).option(SEARCH, self.search));
