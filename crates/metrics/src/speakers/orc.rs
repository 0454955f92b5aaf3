//! [`OrcWer`]: ORC-WER.

use bleuprint_core::{
    Answer, Ask, Identity, InputErrorKind, Metric, Observe, Pairing, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats as _, Wanted, columns,
};

use super::cp::SpeakerScratch;
use super::grid::{Grid, Stop};
use super::session::{Session, Speaker};
use super::{errors, rate, require_few};
use crate::edit::EditCounts;
use crate::edit::path::{Prefer, path};

const MOST_STREAMS: usize = 10;
const MOST_BYTES: u128 = 2 << 30;

columns! {
    /// The errors of sessions.
    pub struct OrcCounts {
        /// Words of hypotheses that the utterances given to their stream have not.
        insertions,
        /// Words of references that their stream lacks.
        deletions <= ref_len,
        /// Words of hypotheses in place of another word.
        substitutions <= ref_len,
        /// Words of references.
        ref_len
    }
}

/// The word error rate where each utterance of the reference is given to the stream of the hypothesis that suits best, in
/// order of start; [`speakers`](super) has the definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrcWer;

const NAME: &str = "ORC-WER";

impl Metric for OrcWer {
    type Stats = OrcCounts;
    type Score = PlainScore;
    type Scratch = SpeakerScratch;

    fn identity(&self) -> Identity {
        Identity::new("orcwer", 1, Scale::ERROR_RATE).named(NAME).one_reference()
    }

    fn finalize(&self, stats: &OrcCounts, _: &SegmentCounts) -> Result<PlainScore> {
        rate(NAME, [stats.insertions, stats.deletions, stats.substitutions], stats.ref_len)
    }
}

impl<'t> Observe<[&'t str]> for OrcWer {
    fn observe(
        &self,
        scratch: &mut SpeakerScratch,
        stats: &mut OrcCounts,
        segment: Segment<'_, [&'t str]>,
    ) -> Result<()> {
        let session = Session::of(&mut scratch.interner, NAME, segment)?;
        let streams = session.hypothesis.speakers();
        let given = give(&session, &streams)?;
        let mut all = OrcCounts { ref_len: session.reference.len(), ..OrcCounts::default() };
        let mut add = |counts: EditCounts| {
            let [insertions, deletions, substitutions] = errors(&counts);
            all.insertions += insertions;
            all.deletions += deletions;
            all.substitutions += substitutions;
        };
        for (number, stream) in streams.iter().enumerate() {
            let mut words = Vec::new();
            for (utterance, _) in
                session.reference.utterances.iter().zip(&given).filter(|(_, k)| **k == number)
            {
                words.extend_from_slice(&session.reference.ids[utterance.words.clone()]);
            }
            let steps = path(&mut scratch.path, &words, &stream.words, session.distinct, Prefer::Insertion)?;
            add(EditCounts::of(steps));
        }
        if streams.is_empty() {
            add(EditCounts { deletions: session.reference.len(), ..EditCounts::default() });
        }
        stats.merge(&all)
    }

    fn ask(
        &self,
        scratch: &mut SpeakerScratch,
        ask: Ask<'_, [&'t str]>,
    ) -> Result<Option<Answer<'_, Self::Stats>>> {
        let (Wanted::Pairing, Some(segment)) = (ask.wanted, ask.segment()) else { return Ok(None) };
        let session = Session::of(&mut scratch.interner, NAME, segment)?;
        let streams = session.hypothesis.speakers();
        let given = give(&session, &streams)?;
        let mut pairs = Pairing::default();
        for (number, utterance) in session.reference.utterances.iter().enumerate() {
            let stream = given.get(number).and_then(|&stream| streams.get(stream));
            pairs.push(Some(utterance.speaker), stream.map(|stream| stream.name));
        }
        Ok(Some(Answer::Pairing(pairs)))
    }
}

fn give(session: &Session<'_>, streams: &[Speaker<'_>]) -> Result<Vec<usize>> {
    require_few("streams of the hypothesis", streams.len(), MOST_STREAMS)?;
    let reference = &session.reference;
    if streams.len() < 2 {
        return Ok(vec![0; if streams.is_empty() { 0 } else { reference.utterances.len() }]);
    }
    let utterances = reference.utterances.iter().map(|utterance| &reference.ids[utterance.words.clone()]);
    let utterances: Vec<&[u32]> = utterances.collect();
    let words: Vec<&[u32]> = streams.iter().map(|stream| &stream.words[..]).collect();
    let given = Grid::of(&words, session.distinct, MOST_BYTES).give(&utterances);
    given.map_err(|stop| {
        let bytes = match stop {
            Stop::TooLarge(bytes) => bytes,
            Stop::Interrupted(error) => return error,
        };
        let lengths: Vec<String> = words.iter().map(|words| words.len().to_string()).collect();
        let what = format!(
            "the memory of ORC-WER for {} utterances and streams of {} words, in bytes",
            utterances.len(),
            lengths.join(" x ")
        );
        let limit = format!("at most {MOST_BYTES}; cpwer has no such limit, and shorter sessions need less");
        InputErrorKind::Limit { what, given: bytes.to_string(), limit }.into()
    })
}
