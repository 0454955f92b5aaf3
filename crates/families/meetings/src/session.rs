//! [`MeetingSession`]: reference and hypothesis of a meeting as word ids. [`Talk`]: the utterances of one of
//! them, and the words of the other by speaker.

use std::collections::HashMap;

use bleuprint_core::{InputError, Result, Segment};
use bleuprint_metrics::edit::require_few_tokens;
use bleuprint_metrics::{EditCounts, PairTables};
use bleuprint_ngram::Interner;

use crate::Utterance;
use crate::timed::{WordsWithTimes, timed_errors};
use crate::timing::WordTiming;

/// Reusable tables for aligning meeting transcripts, kept from session to session.
#[derive(Debug, Clone, Default)]
pub struct SpeakerScratch {
    pub(crate) interner: Interner,
    pub(crate) pairs: PairTables,
}

pub(crate) struct MeetingSession<'t> {
    pub(crate) reference: SessionSide<'t>,
    pub(crate) hypothesis: SessionSide<'t>,
    pub(crate) distinct: usize,
}

pub(crate) struct SessionSide<'t> {
    pub(crate) utterances: Vec<Utterance<'t>>,
    ids: Vec<u32>,
    tokens: &'t [&'t str],
}

impl<'t> MeetingSession<'t> {
    pub(crate) fn from_segment(
        interner: &mut Interner,
        metric: &str,
        segment: Segment<'t, [&'t str]>,
    ) -> Result<Self> {
        let hypothesis = segment.hypothesis;
        let reference = segment.one_reference(metric)?;
        require_few_tokens(hypothesis, &[reference])?;
        interner.intern_segment(hypothesis, &[reference]);
        let session = MeetingSession {
            reference: SessionSide::from_tokens(reference, interner.reference(0))?,
            hypothesis: SessionSide::from_tokens(hypothesis, interner.hypothesis())?,
            distinct: interner.distinct(),
        };
        session.require_one_session()?;
        Ok(session)
    }

    /// Rejects sides that name two sessions. A side without a name fits any session.
    fn require_one_session(&self) -> Result<()> {
        let id = |side: &SessionSide<'t>| side.utterances.iter().find_map(|utterance| utterance.session);
        match id(&self.hypothesis).zip(id(&self.reference)) {
            Some((hypothesis, reference)) if hypothesis != reference => Err(InputError::malformed(format!(
                "the hypothesis is of the session `{hypothesis}`, but the reference is of `{reference}`"
            ))),
            _ => Ok(()),
        }
    }
}

/// Rule that derives word times from utterance times, and the collar in seconds that extends each word at
/// both ends.
pub(crate) type Times = (WordTiming, f64);

impl<'t> SessionSide<'t> {
    fn from_tokens(tokens: &'t [&'t str], ids: &[u32]) -> Result<Self> {
        Ok(SessionSide { utterances: Utterance::all(tokens)?, ids: ids.to_vec(), tokens })
    }

    /// Returns the speaker names in order of appearance, and for each utterance the index of its speaker.
    fn speakers(&self) -> (Vec<&'t str>, Vec<usize>) {
        let mut names = Vec::new();
        let mut places = HashMap::new();
        let owners = self.utterances.iter().map(|utterance| {
            *places.entry(utterance.speaker).or_insert_with(|| {
                names.push(utterance.speaker);
                names.len() - 1
            })
        });
        let owners = owners.collect();
        (names, owners)
    }

    pub(crate) fn len(&self) -> u64 {
        self.utterances.iter().map(|utterance| utterance.words.len() as u64).sum()
    }

    /// Returns the words of each utterance as ids, with word times if `times` is given.
    fn words(&self, metric: &str, times: Option<Times>) -> Result<Vec<WordsWithTimes>> {
        let of = |utterance: &Utterance<'_>| {
            let mut own =
                WordsWithTimes { words: self.ids[utterance.words.clone()].to_vec(), times: Vec::new() };
            let Some((timing, collar)) = times else { return Ok(own) };
            let Some(interval) = utterance.times else {
                let message =
                    format!("{metric} needs times, but an utterance of `{}` has none", utterance.speaker);
                return Err(InputError::malformed(message));
            };
            timing.times(interval, &self.tokens[utterance.words.clone()], &mut own.times)?;
            for [start, end] in &mut own.times {
                *start -= collar;
                *end += collar;
            }
            Ok(own)
        };
        self.utterances.iter().map(of).collect()
    }
}

/// Input for assigning utterances to streams: the utterances of one side (hypothesis or reference), and the
/// speakers of the other side, each as one stream of words.
pub(crate) struct Talk<'t> {
    pub(crate) utterances: Vec<WordsWithTimes>,
    /// For each utterance: the index of its speaker in `speakers`.
    pub(crate) owners: Vec<usize>,
    pub(crate) speakers: Vec<&'t str>,
    pub(crate) streams: Vec<WordsWithTimes>,
    pub(crate) stream_names: Vec<&'t str>,
    pub(crate) distinct: usize,
    pub(crate) timed: bool,
}

/// Name of a group of speakers in error messages, and the largest number of speakers allowed in it.
pub(crate) type Most = (&'static str, usize);

impl<'t> Talk<'t> {
    /// Collects the utterances of `from` (hypothesis or reference), and joins the words of each speaker of
    /// `to`, the other side, to a stream.
    ///
    /// # Errors
    /// Returns an error if a side has more speakers than `most` allows, or if an utterance has no times but
    /// `times` is set.
    pub(crate) fn from_session(
        metric: &str,
        [from, to]: [&SessionSide<'t>; 2],
        distinct: usize,
        times: Option<[Times; 2]>,
        most: [Most; 2],
    ) -> Result<Self> {
        let (speakers, owners) = from.speakers();
        let (stream_names, stream_of) = to.speakers();
        require_few(most[0], speakers.len())?;
        require_few(most[1], stream_names.len())?;
        let utterances = from.words(metric, times.map(|times| times[0]))?;
        let streams = joined(&to.words(metric, times.map(|times| times[1]))?, &stream_of, stream_names.len());
        let timed = times.is_some();
        Ok(Talk { utterances, owners, speakers, streams, stream_names, distinct, timed })
    }

    /// Returns the words of each speaker's utterances, joined in order.
    pub(crate) fn voices(&self) -> Vec<WordsWithTimes> {
        joined(&self.utterances, &self.owners, self.speakers.len())
    }

    /// Counts the hits, substitutions, deletions and insertions between two lists of words.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn counts(
        &self,
        pairs: &mut PairTables,
        one: &WordsWithTimes,
        other: &WordsWithTimes,
    ) -> Result<EditCounts> {
        if self.timed {
            return timed_errors(one, other);
        }
        pairs.insertions_first(&one.words, &other.words, self.distinct)
    }

    /// Returns the fewest edits between two lists of words.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn edits(
        &self,
        pairs: &mut PairTables,
        one: &WordsWithTimes,
        other: &WordsWithTimes,
    ) -> Result<u64> {
        if self.timed {
            return Ok(timed_errors(one, other)?.edits());
        }
        pairs.edits_of_ids(&one.words, &other.words, self.distinct)
    }

    /// Counts the edits of all streams. `given` has pairs of an utterance index and its stream index; a
    /// stream receives its utterances in this order.
    ///
    /// # Errors
    /// Returns an error if the user interrupts the work.
    pub(crate) fn counts_of(
        &self,
        pairs: &mut PairTables,
        given: impl Iterator<Item = (usize, usize)>,
    ) -> Result<EditCounts> {
        let mut all = EditCounts::default();
        // Without streams nothing was recognized, so all words are deleted.
        if self.streams.is_empty() {
            all.deletions = self.utterances.iter().map(|utterance| utterance.words.len() as u64).sum();
            return Ok(all);
        }
        let mut words = vec![WordsWithTimes::default(); self.streams.len()];
        for (utterance, stream) in given {
            match words.get_mut(stream) {
                Some(words) => words.extend(&self.utterances[utterance]),
                // A number above every stream marks an utterance without a stream.
                None => all.deletions += self.utterances[utterance].words.len() as u64,
            }
        }
        for (words, stream) in words.iter().zip(&self.streams) {
            let counts = self.counts(pairs, words, stream)?;
            all.hits += counts.hits;
            all.substitutions += counts.substitutions;
            all.deletions += counts.deletions;
            all.insertions += counts.insertions;
        }
        Ok(all)
    }
}

fn joined(utterances: &[WordsWithTimes], owners: &[usize], speakers: usize) -> Vec<WordsWithTimes> {
    let mut all = vec![WordsWithTimes::default(); speakers];
    utterances.iter().zip(owners).for_each(|(words, &owner)| all[owner].extend(words));
    all
}

fn require_few((what, most): Most, given: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    Err(InputError::limit(format!("the number of {what} of a session"), given, format!("at most {most}")))
}
