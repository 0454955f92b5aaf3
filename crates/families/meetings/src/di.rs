//! [`DiCpWer`]: DI-cpWER and DI-tcpWER.

use bleuprint_core::Result;
use bleuprint_metrics::PairTables;

use crate::given::{Given, OrcCounts, identity, observe_given};
use crate::greedy;
use crate::session::{Most, Session, SpeakerScratch, Talk};
use crate::timing::TimeConstraint;

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

    fn names(&self) -> [&'static str; 2] {
        if self.time.is_some() { ["ditcpwer", "DI-tcpWER"] } else { ["dicpwer", "DI-cpWER"] }
    }
}

impl Given for DiCpWer {
    const TURNED: bool = true;

    fn name(&self) -> &'static str {
        self.names()[1]
    }

    /// The utterances of the hypothesis, and the speakers of the reference.
    fn talk<'t>(&self, session: &Session<'t>) -> Result<Talk<'t>> {
        let sides = [&session.hypothesis, &session.reference];
        let times = self.time.map(|time| [(time.hypothesis, 0.0), (time.reference, time.collar)]);
        Talk::of(self.name(), sides, session.distinct, times, [HYPOTHESES, SPEAKERS])
    }

    fn give(&self, pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        Ok(greedy::give(self.name(), pairs, talk)?.into_iter().enumerate().collect())
    }
}

observe_given!(DiCpWer, self => identity(self.names(), self.time));
