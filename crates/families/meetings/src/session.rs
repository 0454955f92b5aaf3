//! [`Session`]: both sides of a session as ids of words; [`Talk`]: the utterances of one side, to be given to the streams of the other.

use std::collections::HashMap;

use bleuprint_core::{InputError, Result, Segment};
use bleuprint_metrics::edit::require_few_tokens;
use bleuprint_metrics::{EditCounts, PairTables};
use bleuprint_ngram::Interner;

use crate::Utterance;
use crate::timed::{TimedWords, timed_errors};
use crate::timing::WordTiming;

/// Tables reused from session to session.
#[derive(Debug, Clone, Default)]
pub struct SpeakerScratch {
    pub(crate) interner: Interner,
    pub(crate) pairs: PairTables,
}

pub(crate) struct Session<'t> {
    pub(crate) reference: Side<'t>,
    pub(crate) hypothesis: Side<'t>,
    pub(crate) distinct: usize,
}

pub(crate) struct Side<'t> {
    pub(crate) utterances: Vec<Utterance<'t>>,
    ids: Vec<u32>,
    tokens: &'t [&'t str],
}

impl<'t> Session<'t> {
    pub(crate) fn of(interner: &mut Interner, metric: &str, segment: Segment<'t, [&'t str]>) -> Result<Self> {
        let (hypothesis, reference) = (segment.hypothesis, segment.one_reference(metric)?);
        require_few_tokens(hypothesis, &[reference])?;
        interner.intern_segment(hypothesis, &[reference]);
        Ok(Session {
            reference: Side::of(reference, interner.reference(0))?,
            hypothesis: Side::of(hypothesis, interner.hypothesis())?,
            distinct: interner.distinct(),
        })
    }
}

/// The times of words, and the seconds by which they grow at both ends.
pub(crate) type Times = (WordTiming, f64);

impl<'t> Side<'t> {
    fn of(tokens: &'t [&'t str], ids: &[u32]) -> Result<Self> {
        Ok(Side { utterances: Utterance::all(tokens)?, ids: ids.to_vec(), tokens })
    }

    /// The speakers in order of appearance, and for each utterance the place of its own.
    fn speakers(&self) -> (Vec<&'t str>, Vec<usize>) {
        let (mut names, mut places) = (Vec::new(), HashMap::new());
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

    /// The words of each utterance, with times where they are asked for.
    fn words(&self, metric: &str, times: Option<Times>) -> Result<Vec<TimedWords>> {
        let of = |utterance: &Utterance<'_>| {
            let mut own = TimedWords { words: self.ids[utterance.words.clone()].to_vec(), times: Vec::new() };
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

/// The utterances of one side, and the speakers of the other as streams of words.
pub(crate) struct Talk<'t> {
    pub(crate) utterances: Vec<TimedWords>,
    /// For each utterance the place of its speaker.
    pub(crate) owners: Vec<usize>,
    pub(crate) speakers: Vec<&'t str>,
    pub(crate) streams: Vec<TimedWords>,
    pub(crate) stream_names: Vec<&'t str>,
    pub(crate) distinct: usize,
    pub(crate) timed: bool,
}

/// The greatest number of speakers of a side, and its name in errors.
pub(crate) type Most = (&'static str, usize);

impl<'t> Talk<'t> {
    /// The utterances of `from`, and the streams of `to`.
    ///
    /// # Errors
    /// More speakers than these; utterances without times where they are needed.
    pub(crate) fn of(
        metric: &str,
        [from, to]: [&Side<'t>; 2],
        distinct: usize,
        times: Option<[Times; 2]>,
        most: [Most; 2],
    ) -> Result<Self> {
        let ((speakers, owners), (stream_names, stream_of)) = (from.speakers(), to.speakers());
        require_few(most[0], speakers.len())?;
        require_few(most[1], stream_names.len())?;
        let utterances = from.words(metric, times.map(|times| times[0]))?;
        let streams = joined(&to.words(metric, times.map(|times| times[1]))?, &stream_of, stream_names.len());
        let timed = times.is_some();
        Ok(Talk { utterances, owners, speakers, streams, stream_names, distinct, timed })
    }

    /// The words of each speaker.
    pub(crate) fn voices(&self) -> Vec<TimedWords> {
        joined(&self.utterances, &self.owners, self.speakers.len())
    }

    /// The counts of two lists of words.
    ///
    /// # Errors
    /// An interruption.
    pub(crate) fn counts(
        &self,
        pairs: &mut PairTables,
        one: &TimedWords,
        other: &TimedWords,
    ) -> Result<EditCounts> {
        if self.timed {
            return timed_errors(one, other);
        }
        pairs.insertions_first(&one.words, &other.words, self.distinct)
    }

    /// Their fewest edits.
    ///
    /// # Errors
    /// An interruption.
    pub(crate) fn edits(&self, pairs: &mut PairTables, one: &TimedWords, other: &TimedWords) -> Result<u64> {
        if self.timed {
            return Ok(timed_errors(one, other)?.edits());
        }
        pairs.edits_of_ids(&one.words, &other.words, self.distinct)
    }

    /// The counts of all streams, each with the utterances given to it in this order.
    ///
    /// # Errors
    /// An interruption.
    pub(crate) fn counts_of(
        &self,
        pairs: &mut PairTables,
        given: impl Iterator<Item = (usize, usize)>,
    ) -> Result<EditCounts> {
        let mut all = EditCounts::default();
        if self.streams.is_empty() {
            all.deletions = self.utterances.iter().map(|utterance| utterance.words.len() as u64).sum();
            return Ok(all);
        }
        let mut words = vec![TimedWords::default(); self.streams.len()];
        for (utterance, stream) in given {
            match words.get_mut(stream) {
                Some(words) => words.extend(&self.utterances[utterance]),
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

fn joined(utterances: &[TimedWords], owners: &[usize], speakers: usize) -> Vec<TimedWords> {
    let mut all = vec![TimedWords::default(); speakers];
    utterances.iter().zip(owners).for_each(|(words, &owner)| all[owner].extend(words));
    all
}

fn require_few((what, most): Most, given: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    Err(InputError::limit(format!("the number of {what} of a session"), given, format!("at most {most}")))
}
