//! [`OrcWer`]: ORC-WER, a word error rate of meetings for output without speaker labels, and tcORC-WER, which
//! also uses word times. Both have an exact and a greedy search.

use bleuprint_core::{InputError, Result};
use bleuprint_metrics::PairTables;

use crate::cp::REFERENCES;
use crate::entry::SEARCH;
use crate::given::{GivenWords, OrcCounts, identity, observe_given};
use crate::grid::{GridStop, StreamGrid};
use crate::session::{MeetingSession, Most, SpeakerScratch, Talk};
use crate::timed::WordsWithTimes;
use crate::timing::TimeConstraint;
use crate::{MOST_BYTES, greedy};

pub(crate) const STREAMS: Most = ("streams of the hypothesis", 10);
const ANY: Most = ("speakers of the reference", usize::MAX);

/// Search method that assigns each reference utterance to a stream (output channel) of the hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreamSearch {
    /// Finds the assignment of utterances to streams (output channels) with the fewest word errors.
    #[default]
    Exact,
    /// Moves single utterances to other streams (output channels) until no move lowers the errors; the result
    /// may have more errors than the exact search finds.
    Greedy,
}

bleuprint_core::choice!(StreamSearch: Exact "exact", Greedy "greedy");

/// Word error rate of meetings that assigns each reference utterance, in order of start, to the hypothesis
/// stream (output channel) where the errors are fewest. The [crate documentation](crate) has the definition.
///
/// ```
/// use bleuprint_core::Metric;
/// use bleuprint_meetings::{OrcWer, StreamSearch, TimeConstraint};
/// let collar = TimeConstraint::new(5.0).unwrap();
/// assert_eq!(OrcWer::timed(collar).search(StreamSearch::Greedy).identity().name(), "tcORC-WER");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OrcWer {
    time: Option<TimeConstraint>,
    search: StreamSearch,
}

impl OrcWer {
    /// Creates the metric ORC-WER, which ignores the times of words.
    pub fn untimed() -> Self {
        OrcWer::default()
    }

    /// Creates the metric tcORC-WER, which matches or substitutes only words that overlap in time within the
    /// collar, a tolerance in seconds.
    pub fn timed(constraint: TimeConstraint) -> Self {
        OrcWer { time: Some(constraint), search: StreamSearch::Exact }
    }

    /// Sets the search method, exact or greedy.
    #[must_use]
    pub fn search(self, search: StreamSearch) -> Self {
        OrcWer { search, ..self }
    }

    fn names(&self) -> [&'static str; 2] {
        if self.time.is_some() { ["tcorcwer", "tcORC-WER"] } else { ["orcwer", "ORC-WER"] }
    }

    /// Returns the index of the best stream (output channel) for each utterance. If there are no streams, the
    /// indices are out of range.
    pub(crate) fn exact(&self, talk: &Talk<'_>) -> Result<Vec<usize>> {
        // Under the time rule MeetEval leaves out utterances and streams without words. It then reports such
        // utterances with the stream whose name sorts first.
        let has_words = |words: &WordsWithTimes| !talk.timed || !words.words.is_empty();
        let streams: Vec<usize> =
            (0..talk.streams.len()).filter(|&stream| has_words(&talk.streams[stream])).collect();
        // With one stream there is no choice, and no table is needed.
        if let [] | [_] = streams[..] {
            let only = streams.first().copied().unwrap_or(usize::MAX);
            return Ok(vec![only; talk.utterances.len()]);
        }
        let utterances: Vec<&WordsWithTimes> =
            talk.utterances.iter().filter(|words| has_words(words)).collect();
        let words: Vec<WordsWithTimes> = streams.iter().map(|&stream| talk.streams[stream].clone()).collect();
        let grid = StreamGrid::over_streams(&words, talk.distinct, talk.timed, MOST_BYTES);
        let given = grid.give(&utterances).map_err(|stop| {
            let ([of, unit], value) = match stop {
                GridStop::TooLarge(bytes) => (["memory", "bytes"], bytes),
                GridStop::TooLong(cells) => (["work", "cells"], cells),
                GridStop::Interrupted(error) => return error,
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
        let of_utterance =
            |words: &WordsWithTimes| if has_words(words) { given.next().unwrap_or(least) } else { least };
        Ok(talk.utterances.iter().map(of_utterance).collect())
    }
}

impl GivenWords for OrcWer {
    fn name(&self) -> &'static str {
        self.names()[1]
    }

    fn talk<'t>(&self, session: &MeetingSession<'t>) -> Result<Talk<'t>> {
        let sides = [&session.reference, &session.hypothesis];
        let times = self.time.map(|time| time.of_sides());
        let speakers = if self.search == StreamSearch::Greedy { REFERENCES } else { ANY };
        Talk::from_session(self.name(), sides, session.distinct, times, [speakers, STREAMS])
    }

    fn give(&self, pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        let given = match self.search {
            StreamSearch::Greedy => greedy::give(self.name(), pairs, talk),
            StreamSearch::Exact => self.exact(talk),
        };
        Ok(given?.into_iter().enumerate().collect())
    }
}

observe_given!(OrcWer, self => identity(self.names(), self.time).option(SEARCH, self.search));
