//! Code that ORC-WER, MIMO-WER and DI-cpWER share. Each metric assigns utterances to streams of words (output
//! channels or speakers) in its own way; errors are then counted per stream.

use bleuprint_core::{
    Answer, Ask, Identity, Pairing, PlainScore, Result, Scale, Segment, Stats as _, Wanted, columns,
};
use bleuprint_metrics::{EditCounts, PairTables};

use crate::entry::TimeSettings;
use crate::session::{MeetingSession, SpeakerScratch, Talk};
use crate::timing::TimeConstraint;
use crate::{errors, rate};

columns! {
    /// Word errors of meetings, counted after each utterance is assigned to a stream of words, such as an
    /// output channel (as in ORC-WER).
    pub struct OrcCounts {
        /// Number of hypothesis words that have no counterpart in the reference.
        insertions,
        /// Number of reference words that have no counterpart in the hypothesis.
        deletions <= ref_len,
        /// Number of hypothesis words that are aligned with a different reference word.
        substitutions <= ref_len,
        /// Number of words in the references, the denominator of the error rate.
        ref_len
    }
}

impl OrcCounts {
    pub(crate) fn from_edits(counts: &EditCounts, ref_len: u64) -> Self {
        let [insertions, deletions, substitutions] = errors(counts);
        OrcCounts { insertions, deletions, substitutions, ref_len }
    }

    pub(crate) fn errors(&self) -> [u64; 3] {
        [self.insertions, self.deletions, self.substitutions]
    }
}

/// Returns the name, scale and options of a meeting metric; `time` adds the options for word times.
pub(crate) fn identity([key, name]: [&'static str; 2], time: Option<TimeConstraint>) -> Identity {
    let identity =
        Identity::new(key, 1, Scale::ERROR_RATE).named(name).needing(|needs| needs.one_reference = true);
    let Some(time) = time else { return identity };
    TimeSettings { collar: Some(time.collar), reference: time.reference, hypothesis: time.hypothesis }
        .add_to_identity(identity)
}

pub(crate) trait GivenWords {
    /// `true` if utterances of the hypothesis are assigned to reference speakers, as in DI-cpWER. `false` if
    /// reference utterances are assigned to hypothesis streams.
    const TURNED: bool = false;

    fn name(&self) -> &'static str;

    fn talk<'t>(&self, session: &MeetingSession<'t>) -> Result<Talk<'t>>;

    /// Assigns each utterance to a stream of words (output channel or speaker) and returns pairs of utterance
    /// index and stream index. If there are no streams, the stream index is out of range.
    fn give(&self, pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>>;

    fn add(
        &self,
        scratch: &mut SpeakerScratch,
        stats: &mut OrcCounts,
        segment: Segment<'_, [&str]>,
    ) -> Result<()> {
        let session = MeetingSession::from_segment(&mut scratch.interner, self.name(), segment)?;
        let talk = self.talk(&session)?;
        let given = self.give(&mut scratch.pairs, &talk)?;
        let mut counts = talk.counts_of(&mut scratch.pairs, given.into_iter())?;
        // The sides are swapped here, so words missing from a stream are insertions of the hypothesis.
        if Self::TURNED {
            core::mem::swap(&mut counts.insertions, &mut counts.deletions);
        }
        stats.merge(&OrcCounts::from_edits(&counts, session.reference.len()))
    }

    fn answer(
        &self,
        scratch: &mut SpeakerScratch,
        ask: Ask<'_, [&str]>,
    ) -> Result<Option<Answer<'static, OrcCounts>>> {
        let (Wanted::Pairing, Some(segment)) = (ask.wanted, ask.segment()) else { return Ok(None) };
        let session = MeetingSession::from_segment(&mut scratch.interner, self.name(), segment)?;
        let talk = self.talk(&session)?;
        let mut pairs = Pairing::default();
        for (utterance, stream) in self.give(&mut scratch.pairs, &talk)? {
            let speaker = Some(talk.speakers[talk.owners[utterance]]);
            let stream = talk.stream_names.get(stream).copied();
            let (one, other) = if Self::TURNED { (stream, speaker) } else { (speaker, stream) };
            pairs.push([one, other].map(|name| name.map(str::to_owned)));
        }
        Ok(Some(Answer::Pairing(pairs)))
    }

    fn score(&self, stats: &OrcCounts) -> Result<PlainScore> {
        rate(self.name(), stats.errors(), stats.ref_len)
    }
}

/// Implements the traits `Metric` and `Observe` for a type that implements [`GivenWords`]; the given
/// expression is the metric's identity.
macro_rules! observe_given {
    ($metric:ty, $this:ident => $identity:expr) => {
        impl bleuprint_core::Metric for $metric {
            type Stats = OrcCounts;
            type Score = bleuprint_core::PlainScore;
            type Scratch = SpeakerScratch;

            fn identity(&$this) -> bleuprint_core::Identity {
                $identity
            }

            fn finalize(
                &self,
                stats: &OrcCounts,
                _: &bleuprint_core::SegmentCounts,
            ) -> Result<bleuprint_core::PlainScore> {
                self.score(stats)
            }

            fn quotient(&self) -> Option<bleuprint_core::Quotient> {
                Some(crate::ERROR_RATE)
            }
        }

        impl<'t> bleuprint_core::Observe<[&'t str]> for $metric {
            fn observe(
                &self,
                scratch: &mut SpeakerScratch,
                stats: &mut OrcCounts,
                segment: bleuprint_core::Segment<'_, [&'t str]>,
            ) -> Result<()> {
                self.add(scratch, stats, segment)
            }

            fn ask(
                &self,
                scratch: &mut SpeakerScratch,
                ask: bleuprint_core::Ask<'_, [&'t str]>,
            ) -> Result<Option<bleuprint_core::Answer<'_, OrcCounts>>> {
                self.answer(scratch, ask)
            }
        }
    };
}
pub(crate) use observe_given;
