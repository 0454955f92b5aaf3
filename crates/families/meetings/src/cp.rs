//! [`CpWer`]: cpWER, the word error rate under the best pairing of speakers, and tcpWER, which also uses word
//! times.

use bleuprint_core::{
    Answer, Ask, Identity, Metric, Observe, Pairing, PlainScore, Quotient, Result, Segment, SegmentCounts,
    Stats as _, Wanted, columns,
};
use bleuprint_metrics::PairTables;

use crate::given::identity;
use crate::lazily::assign_lazily;
use crate::session::{MeetingSession, Most, SpeakerScratch, Talk};
use crate::timed::WordsWithTimes;
use crate::timing::TimeConstraint;
use crate::{errors, rate};

columns! {
    /// Word errors of meeting recordings after speakers are paired, and numbers of speakers.
    pub struct SpeakerCounts {
        /// Number of hypothesis words that have no counterpart in the words of the paired reference speaker.
        insertions,
        /// Number of reference words that have no counterpart in the words of the paired hypothesis speaker.
        deletions <= ref_len,
        /// Number of hypothesis words that are aligned with a different word of the paired reference speaker.
        substitutions <= ref_len,
        /// Number of words in the references, the denominator of the error rate.
        ref_len,
        /// Number of reference speakers to whom no hypothesis speaker is assigned.
        missed_speakers <= scored_speakers,
        /// Number of hypothesis speakers to whom no reference speaker is assigned.
        falarm_speakers,
        /// Number of speakers in the references.
        scored_speakers
    }
}

/// Word error rate of meetings under the best pairing of speakers: each reference speaker's words are
/// compared with the words of one hypothesis speaker. The [crate documentation](crate) has the definition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CpWer {
    time: Option<TimeConstraint>,
}

impl CpWer {
    /// Creates the metric cpWER, which ignores the times of words.
    pub fn untimed() -> Self {
        CpWer { time: None }
    }

    /// Creates the metric tcpWER, which matches or substitutes only words that overlap in time within the
    /// collar, a tolerance in seconds.
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

    fn quotient(&self) -> Option<Quotient> {
        Some(crate::ERROR_RATE)
    }
}

impl<'t> Observe<[&'t str]> for CpWer {
    fn observe(
        &self,
        scratch: &mut SpeakerScratch,
        stats: &mut SpeakerCounts,
        segment: Segment<'_, [&'t str]>,
    ) -> Result<()> {
        let session = MeetingSession::from_segment(&mut scratch.interner, self.name(), segment)?;
        stats.merge(&self.pair(scratch, &session)?.0)
    }

    fn ask(
        &self,
        scratch: &mut SpeakerScratch,
        ask: Ask<'_, [&'t str]>,
    ) -> Result<Option<Answer<'_, Self::Stats>>> {
        let (Wanted::Pairing, Some(segment)) = (ask.wanted, ask.segment()) else { return Ok(None) };
        let session = MeetingSession::from_segment(&mut scratch.interner, self.name(), segment)?;
        Ok(Some(Answer::Pairing(self.pair(scratch, &session)?.1)))
    }
}

impl CpWer {
    fn pair(
        &self,
        scratch: &mut SpeakerScratch,
        session: &MeetingSession<'_>,
    ) -> Result<(SpeakerCounts, Pairing)> {
        let sides = [&session.reference, &session.hypothesis];
        let times = self.time.map(|time| time.of_sides());
        let most = [REFERENCES, HYPOTHESES];
        let talk = Talk::from_session(self.name(), sides, session.distinct, times, most)?;
        let references = talk.voices();
        let hypotheses = &talk.streams;
        let assigned = assigned(&mut scratch.pairs, &talk, &references)?;
        let rows = references.len();
        let columns = hypotheses.len();
        let mut all = SpeakerCounts {
            ref_len: session.reference.len(),
            scored_speakers: rows as u64,
            missed_speakers: rows.saturating_sub(columns) as u64,
            falarm_speakers: columns.saturating_sub(rows) as u64,
            ..SpeakerCounts::default()
        };
        // A speaker without a partner is paired with no words: all of its words are inserted or deleted.
        let nobody = WordsWithTimes::default();
        let mut pairs = Pairing::default();
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

/// Pairs the speakers of one side with the speakers of the other (called streams) so that the total number of
/// edits is smallest. Returns the stream index for each speaker, which is beyond the last stream for a
/// speaker without a stream. Further indices belong to streams without a speaker.
///
/// # Errors
/// Returns an error if the user interrupts the work.
pub(crate) fn assigned(
    pairs: &mut PairTables,
    talk: &Talk<'_>,
    voices: &[WordsWithTimes],
) -> Result<Vec<usize>> {
    let streams = &talk.streams;
    let n = voices.len().max(streams.len());
    // Lower bounds come first; the search asks for the exact distance only of pairs that can matter.
    let least = least_distances(voices, streams, talk.distinct);
    let costs = square(n, voices, streams, |row, column| least[row][column]);
    let is_pair = |row, column| row < voices.len() && column < streams.len();
    let mut stopped = Ok(());
    let assigned = assign_lazily(costs, is_pair, |row, column| {
        // The callback cannot return an error. The error is kept, and the assignment is thrown away below.
        talk.edits(pairs, &voices[row], &streams[column]).unwrap_or_else(|error| {
            stopped = Err(error);
            0
        })
    });
    stopped?;
    Ok(assigned)
}

/// Returns the square cost table for pairing speakers. `pair` returns the cost of two speakers. A speaker
/// without a partner costs one for each of the speaker's words, because all are inserted or deleted.
fn square(
    n: usize,
    references: &[WordsWithTimes],
    hypotheses: &[WordsWithTimes],
    pair: impl Fn(usize, usize) -> u64,
) -> Vec<Vec<u64>> {
    let cost = |row: usize, column: usize| match (references.get(row), hypotheses.get(column)) {
        (Some(_), Some(_)) => pair(row, column),
        (Some(alone), None) | (None, Some(alone)) => alone.words.len() as u64,
        (None, None) => 0,
    };
    (0..n).map(|row| (0..n).map(|column| cost(row, column)).collect()).collect()
}

/// Returns a lower bound of the edit distance for each pair of speakers: the number of edits that their word
/// counts require, whatever the order of words.
fn least_distances(
    references: &[WordsWithTimes],
    hypotheses: &[WordsWithTimes],
    distinct: usize,
) -> Vec<Vec<u64>> {
    let count = |speaker: &WordsWithTimes| {
        let mut counts = vec![0u32; distinct];
        speaker.words.iter().for_each(|&word| counts[word as usize] += 1);
        counts
    };
    let hypotheses: Vec<(usize, Vec<u32>)> =
        hypotheses.iter().map(|speaker| (speaker.words.len(), count(speaker))).collect();
    let row = |speaker: &WordsWithTimes| {
        let own = count(speaker);
        let least = |(len, other): &(usize, Vec<u32>)| {
            // An edit pairs at most one word of each side, so every word outside the common ones costs an
            // edit on the longer side. The time rule only forbids pairs, so the bound holds for tcpWER too.
            let common: u64 = own.iter().zip(other).map(|(one, other)| u64::from(*one.min(other))).sum();
            speaker.words.len().max(*len) as u64 - common
        };
        hypotheses.iter().map(least).collect()
    };
    references.iter().map(row).collect()
}
