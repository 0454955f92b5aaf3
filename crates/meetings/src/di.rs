//! [`DiCpWer`]: DI-cpWER and DI-tcpWER.

use bleuprint_core::{
    Answer, Ask, Identity, Metric, Observe, Pairing, PlainScore, Result, Scale, Segment, SegmentCounts,
    Stats as _, Wanted,
};

use crate::entry::{COLLAR, HYP_TIMING, REF_TIMING};
use crate::orc::OrcCounts;
use crate::session::{Most, Session, SpeakerScratch, Talk};
use crate::timing::TimeConstraint;
use crate::{greedy, rate};

const SPEAKERS: Most = ("speakers of the reference", 10);
const HYPOTHESES: Most = ("speakers of the hypothesis", 20);

/// The word error rate where each utterance of the hypothesis is given to the speaker of the reference that suits, by the greedy
/// search; [the package](crate) has the definition.
///
/// ```
/// use bleuprint_core::Metric;
/// use bleuprint_meetings::DiCpWer;
/// assert_eq!(DiCpWer::untimed().identity().name(), "DI-cpWER");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DiCpWer {
    time: Option<TimeConstraint>,
}

impl DiCpWer {
    /// DI-cpWER.
    pub fn untimed() -> Self {
        DiCpWer { time: None }
    }

    /// DI-tcpWER. The words of the reference have the collar here.
    pub fn timed(constraint: TimeConstraint) -> Self {
        DiCpWer { time: Some(constraint) }
    }

    fn name(&self) -> &'static str {
        if self.time.is_some() { "DI-tcpWER" } else { "DI-cpWER" }
    }

    /// The utterances of the hypothesis, and the speakers of the reference.
    fn talk<'t>(&self, session: &Session<'t>) -> Result<Talk<'t>> {
        let sides = [&session.hypothesis, &session.reference];
        let times = self.time.map(|time| [(time.hypothesis, 0.0), (time.reference, time.collar)]);
        Talk::of(self.name(), sides, session.distinct, times, [HYPOTHESES, SPEAKERS])
    }
}

impl Metric for DiCpWer {
    type Stats = OrcCounts;
    type Score = PlainScore;
    type Scratch = SpeakerScratch;

    fn identity(&self) -> Identity {
        let key = if self.time.is_some() { "ditcpwer" } else { "dicpwer" };
        let identity = Identity::new(key, 1, Scale::ERROR_RATE).named(self.name()).one_reference();
        let Some(time) = self.time else { return identity };
        let identity = identity.option(COLLAR, Some(time.collar));
        identity.option(REF_TIMING, time.reference).option(HYP_TIMING, time.hypothesis)
    }

    fn finalize(&self, stats: &OrcCounts, _: &SegmentCounts) -> Result<PlainScore> {
        rate(self.name(), stats.errors(), stats.ref_len)
    }
}

impl<'t> Observe<[&'t str]> for DiCpWer {
    fn observe(
        &self,
        scratch: &mut SpeakerScratch,
        stats: &mut OrcCounts,
        segment: Segment<'_, [&'t str]>,
    ) -> Result<()> {
        let session = Session::of(&mut scratch.interner, self.name(), segment)?;
        let talk = self.talk(&session)?;
        let given = greedy::give(self.name(), &mut scratch.pairs, &talk)?;
        let mut counts = talk.counts_of(&mut scratch.pairs, given.into_iter().enumerate())?;
        // The sides have changed places.
        core::mem::swap(&mut counts.insertions, &mut counts.deletions);
        stats.merge(&OrcCounts::of(&counts, session.reference.len()))
    }

    fn ask(
        &self,
        scratch: &mut SpeakerScratch,
        ask: Ask<'_, [&'t str]>,
    ) -> Result<Option<Answer<'_, Self::Stats>>> {
        let (Wanted::Pairing, Some(segment)) = (ask.wanted, ask.segment()) else { return Ok(None) };
        let session = Session::of(&mut scratch.interner, self.name(), segment)?;
        let talk = self.talk(&session)?;
        let given = greedy::give(self.name(), &mut scratch.pairs, &talk)?;
        let mut pairs = Pairing::default();
        for (&owner, speaker) in talk.owners.iter().zip(given) {
            pairs.push(talk.stream_names.get(speaker).copied(), Some(talk.speakers[owner]));
        }
        Ok(Some(Answer::Pairing(pairs)))
    }
}
