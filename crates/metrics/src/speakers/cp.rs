//! [`CpWer`]: cpWER and tcpWER.

use bleuprint_core::{
    Answer, Ask, Identity, InputError, Metric, Observe, Pairing, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats as _, Wanted, columns,
};
use bleuprint_ngram::Interner;

use super::entry::{COLLAR, HYP_TIMING, REF_TIMING};
use super::lazily::assign_lazily;
use super::session::{Session, Side, Speaker};
use super::timed::{TimedWords, timed_errors};
use super::timing::{TimeConstraint, WordTiming};
use super::{errors, rate, require_few};
use crate::edit::EditCounts;
use crate::edit::distance::{DistanceScratch, distance};
use crate::edit::path::{PathScratch, Prefer, path};

const MOST_SPEAKERS: usize = 20;

columns! {
    /// The errors of sessions, and their speakers.
    pub struct SpeakerCounts {
        /// Words of hypotheses that their partner has not.
        insertions,
        /// Words of references that their partner lacks.
        deletions <= ref_len,
        /// Words of hypotheses in place of another word of their partner.
        substitutions <= ref_len,
        /// Words of references.
        ref_len,
        /// Speakers of references beyond those of the hypothesis.
        missed_speakers <= scored_speakers,
        /// Speakers of hypotheses beyond those of the reference.
        falarm_speakers,
        /// Speakers of references.
        scored_speakers
    }
}

/// The word error rate of the concatenated words of each speaker, with the best assignment of speakers; [`speakers`](super) has
/// the definition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CpWer {
    time: Option<TimeConstraint>,
}

impl CpWer {
    /// cpWER.
    pub fn untimed() -> Self {
        CpWer { time: None }
    }

    /// tcpWER.
    pub fn timed(constraint: TimeConstraint) -> Self {
        CpWer { time: Some(constraint) }
    }

    fn name(&self) -> &'static str {
        if self.time.is_some() { "tcpWER" } else { "cpWER" }
    }
}

/// Tables reused from session to session.
#[derive(Debug, Clone, Default)]
pub struct SpeakerScratch {
    pub(super) interner: Interner,
    distance: DistanceScratch,
    pub(super) path: PathScratch,
}

impl Metric for CpWer {
    type Stats = SpeakerCounts;
    type Score = PlainScore;
    type Scratch = SpeakerScratch;

    fn identity(&self) -> Identity {
        let Some(time) = self.time else {
            return Identity::new("cpwer", 1, Scale::ERROR_RATE).named(self.name()).one_reference();
        };
        Identity::new("tcpwer", 1, Scale::ERROR_RATE)
            .named(self.name())
            .one_reference()
            .option(COLLAR, Some(time.collar))
            .option(REF_TIMING, time.reference)
            .option(HYP_TIMING, time.hypothesis)
    }

    fn finalize(&self, stats: &SpeakerCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let SpeakerCounts { insertions, deletions, substitutions, ref_len, .. } = *stats;
        Ok(rate(self.name(), [insertions, deletions, substitutions], ref_len)?
            .with_count("missed_speakers", stats.missed_speakers)
            .with_count("falarm_speakers", stats.falarm_speakers)
            .with_count("scored_speakers", stats.scored_speakers))
    }
}

impl<'t> Observe<[&'t str]> for CpWer {
    fn observe(
        &self,
        scratch: &mut SpeakerScratch,
        stats: &mut SpeakerCounts,
        segment: Segment<'_, [&'t str]>,
    ) -> Result<()> {
        let session = Session::of(&mut scratch.interner, self.name(), segment)?;
        stats.merge(&self.pair(scratch, &session)?.0)
    }

    fn ask(
        &self,
        scratch: &mut SpeakerScratch,
        ask: Ask<'_, [&'t str]>,
    ) -> Result<Option<Answer<'_, Self::Stats>>> {
        let (Wanted::Pairing, Some(segment)) = (ask.wanted, ask.segment()) else { return Ok(None) };
        let session = Session::of(&mut scratch.interner, self.name(), segment)?;
        Ok(Some(Answer::Pairing(self.pair(scratch, &session)?.1)))
    }
}

impl CpWer {
    fn pair(&self, scratch: &mut SpeakerScratch, session: &Session<'_>) -> Result<(SpeakerCounts, Pairing)> {
        let (references, hypotheses) = (session.reference.speakers(), session.hypothesis.speakers());
        require_few("speakers of the reference", references.len(), MOST_SPEAKERS)?;
        require_few("speakers of the hypothesis", hypotheses.len(), MOST_SPEAKERS)?;
        let n = references.len().max(hypotheses.len());
        let timed =
            self.time.map(|time| TimedSides::of(&time, session, &references, &hypotheses)).transpose()?;
        let least = least_distances(&references, &hypotheses, session.distinct);
        let costs = square(n, &references, &hypotheses, |row, column| least[row][column]);
        let is_pair = |row, column| row < references.len() && column < hypotheses.len();
        let mut stopped = Ok(());
        let assigned = assign_lazily(costs, is_pair, |row, column| {
            let edits = match &timed {
                Some(timed) => timed.errors(row, column).map(|errors| errors.edits()),
                None => {
                    let (one, other) = (&references[row].words, &hypotheses[column].words);
                    distance(&mut scratch.distance, one, other, session.distinct)
                }
            };
            edits.unwrap_or_else(|error| {
                stopped = Err(error);
                0
            })
        });
        stopped?;
        let mut all = SpeakerCounts {
            ref_len: session.reference.len(),
            scored_speakers: references.len() as u64,
            missed_speakers: references.len().saturating_sub(hypotheses.len()) as u64,
            falarm_speakers: hypotheses.len().saturating_sub(references.len()) as u64,
            ..SpeakerCounts::default()
        };
        let mut pairs = Pairing::default();
        for (row, column) in assigned.into_iter().enumerate() {
            let pair = (references.get(row), hypotheses.get(column));
            let counted = match (pair, &timed) {
                ((Some(_), Some(_)), Some(timed)) => timed.errors(row, column)?,
                ((one, other), _) => {
                    let [one, other] = [one, other].map(|speaker| speaker.map_or(&[][..], |s| &s.words));
                    let distinct = session.distinct;
                    EditCounts::of(path(&mut scratch.path, one, other, distinct, Prefer::Insertion)?)
                }
            };
            let [insertions, deletions, substitutions] = errors(&counted);
            all.insertions += insertions;
            all.deletions += deletions;
            all.substitutions += substitutions;
            pairs.push(pair.0.map(|speaker| speaker.name), pair.1.map(|speaker| speaker.name));
        }
        Ok((all, pairs))
    }
}

/// The costs of all pairs, where speakers without a partner are inserted or deleted.
fn square(
    n: usize,
    references: &[Speaker<'_>],
    hypotheses: &[Speaker<'_>],
    pair: impl Fn(usize, usize) -> u64,
) -> Vec<Vec<u64>> {
    let cost = |row: usize, column: usize| match (references.get(row), hypotheses.get(column)) {
        (Some(_), Some(_)) => pair(row, column),
        (Some(alone), None) | (None, Some(alone)) => alone.words.len() as u64,
        (None, None) => 0,
    };
    (0..n).map(|row| (0..n).map(|column| cost(row, column)).collect()).collect()
}

/// For each pair of speakers the edits that the words alone, in whatever order, ask for.
fn least_distances(references: &[Speaker<'_>], hypotheses: &[Speaker<'_>], distinct: usize) -> Vec<Vec<u64>> {
    let count = |speaker: &Speaker<'_>| {
        let mut counts = vec![0u32; distinct];
        speaker.words.iter().for_each(|&word| counts[word as usize] += 1);
        counts
    };
    let hypotheses: Vec<(usize, Vec<u32>)> =
        hypotheses.iter().map(|speaker| (speaker.words.len(), count(speaker))).collect();
    let row = |speaker: &Speaker<'_>| {
        let own = count(speaker);
        let least = |(len, other): &(usize, Vec<u32>)| {
            let common: u64 = own.iter().zip(other).map(|(one, other)| u64::from(*one.min(other))).sum();
            speaker.words.len().max(*len) as u64 - common
        };
        hypotheses.iter().map(least).collect()
    };
    references.iter().map(row).collect()
}

struct TimedSides {
    references: Vec<TimedWords>,
    hypotheses: Vec<TimedWords>,
}

impl TimedSides {
    fn of(
        time: &TimeConstraint,
        session: &Session<'_>,
        references: &[Speaker<'_>],
        hypotheses: &[Speaker<'_>],
    ) -> Result<Self> {
        let of = |side, speakers: &[Speaker<'_>], timing, collar| -> Result<Vec<TimedWords>> {
            speakers.iter().map(|speaker| timed_words(side, speaker, timing, collar)).collect()
        };
        Ok(TimedSides {
            references: of(&session.reference, references, time.reference, 0.0)?,
            hypotheses: of(&session.hypothesis, hypotheses, time.hypothesis, time.collar)?,
        })
    }

    fn errors(&self, reference: usize, hypothesis: usize) -> Result<EditCounts> {
        timed_errors(&self.references[reference], &self.hypotheses[hypothesis])
    }
}

fn timed_words(
    side: &Side<'_>,
    speaker: &Speaker<'_>,
    timing: WordTiming,
    collar: f64,
) -> Result<TimedWords> {
    let mut times = Vec::with_capacity(speaker.words.len());
    for &index in &speaker.utterances {
        let utterance = &side.utterances[index];
        let Some(own) = utterance.times else {
            let message = format!("tcpWER needs times, but an utterance of `{}` has none", speaker.name);
            return Err(InputError::malformed(message));
        };
        timing.times(own, side.words(&utterance.words), &mut times)?;
    }
    for [start, end] in &mut times {
        *start -= collar;
        *end += collar;
    }
    Ok(TimedWords { words: speaker.words.clone(), times })
}
