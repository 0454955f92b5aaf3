//! [`CpWer`]: cpWER and tcpWER.

use bleuprint_core::{
    Answer, Ask, Identity, Metric, Observe, Pairing, PlainScore, Result, Segment, SegmentCounts, Stats as _,
    Wanted, columns,
};
use bleuprint_metrics::PairTables;

use crate::given::identity;
use crate::lazily::assign_lazily;
use crate::session::{Most, Session, SpeakerScratch, Talk};
use crate::timed::TimedWords;
use crate::timing::TimeConstraint;
use crate::{errors, rate};

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

/// The word error rate of the concatenated words of each speaker, with the best assignment of speakers; [the package](crate) has
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

    fn names(&self) -> [&'static str; 2] {
        if self.time.is_some() { ["tcpwer", "tcpWER"] } else { ["cpwer", "cpWER"] }
    }

    fn name(&self) -> &'static str {
        self.names()[1]
    }
}

impl Metric for CpWer {
    type Stats = SpeakerCounts;
    type Score = PlainScore;
    type Scratch = SpeakerScratch;

    fn identity(&self) -> Identity {
        identity(self.names(), self.time)
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
        let sides = [&session.reference, &session.hypothesis];
        let times = self.time.map(|time| time.of_sides());
        let most = [REFERENCES, HYPOTHESES];
        let talk = Talk::of(self.name(), sides, session.distinct, times, most)?;
        let (references, hypotheses) = (talk.voices(), &talk.streams);
        let assigned = assigned(&mut scratch.pairs, &talk, &references)?;
        let (rows, columns) = (references.len(), hypotheses.len());
        let mut all = SpeakerCounts {
            ref_len: session.reference.len(),
            scored_speakers: rows as u64,
            missed_speakers: rows.saturating_sub(columns) as u64,
            falarm_speakers: columns.saturating_sub(rows) as u64,
            ..SpeakerCounts::default()
        };
        let (nobody, mut pairs) = (TimedWords::default(), Pairing::default());
        for (row, column) in assigned.into_iter().enumerate() {
            let [one, other] =
                [references.get(row), hypotheses.get(column)].map(|own| own.unwrap_or(&nobody));
            let [insertions, deletions, substitutions] =
                errors(&talk.counts(&mut scratch.pairs, one, other)?);
            all.insertions += insertions;
            all.deletions += deletions;
            all.substitutions += substitutions;
            let pair = [talk.speakers.get(row), talk.stream_names.get(column)];
            pairs.push(pair.map(|name| name.map(|name| (*name).to_owned())));
        }
        Ok((all, pairs))
    }
}

pub(crate) const REFERENCES: Most = ("speakers of the reference", 20);
const HYPOTHESES: Most = ("speakers of the hypothesis", 20);

/// For each speaker, and for each stream beyond their number, the stream with which all have the fewest edits.
///
/// # Errors
/// An interruption.
pub(crate) fn assigned(pairs: &mut PairTables, talk: &Talk<'_>, voices: &[TimedWords]) -> Result<Vec<usize>> {
    let streams = &talk.streams;
    let n = voices.len().max(streams.len());
    let least = least_distances(voices, streams, talk.distinct);
    let costs = square(n, voices, streams, |row, column| least[row][column]);
    let is_pair = |row, column| row < voices.len() && column < streams.len();
    let mut stopped = Ok(());
    let assigned = assign_lazily(costs, is_pair, |row, column| {
        talk.edits(pairs, &voices[row], &streams[column]).unwrap_or_else(|error| {
            stopped = Err(error);
            0
        })
    });
    stopped?;
    Ok(assigned)
}

/// The costs of all pairs, where speakers without a partner are inserted or deleted.
fn square(
    n: usize,
    references: &[TimedWords],
    hypotheses: &[TimedWords],
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
fn least_distances(references: &[TimedWords], hypotheses: &[TimedWords], distinct: usize) -> Vec<Vec<u64>> {
    let count = |speaker: &TimedWords| {
        let mut counts = vec![0u32; distinct];
        speaker.words.iter().for_each(|&word| counts[word as usize] += 1);
        counts
    };
    let hypotheses: Vec<(usize, Vec<u32>)> =
        hypotheses.iter().map(|speaker| (speaker.words.len(), count(speaker))).collect();
    let row = |speaker: &TimedWords| {
        let own = count(speaker);
        let least = |(len, other): &(usize, Vec<u32>)| {
            let common: u64 = own.iter().zip(other).map(|(one, other)| u64::from(*one.min(other))).sum();
            speaker.words.len().max(*len) as u64 - common
        };
        hypotheses.iter().map(least).collect()
    };
    references.iter().map(row).collect()
}
