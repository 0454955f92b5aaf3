//! [`DiCpWer`]: DI-cpWER, a word error rate of meetings that ignores wrong speaker labels, and DI-tcpWER,
//! which also uses word times.

use bleuprint_core::Result;
use bleuprint_metrics::PairTables;

use crate::entry::GREEDY;
use crate::given::{GivenWords, OrcCounts, identity, observe_given};
use crate::greedy;
use crate::session::{MeetingSession, Most, SpeakerScratch, Talk};
use crate::timing::TimeConstraint;

const SPEAKERS: Most = ("speakers of the reference", 10);
const HYPOTHESES: Most = ("speakers of the hypothesis", 20);

/// Word error rate of meetings that ignores wrong speaker labels. A greedy search assigns each hypothesis
/// utterance to a reference speaker. Other assignments can have fewer errors, so the signature names the
/// search. The [crate documentation](crate) has the definition.
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
    /// Creates the metric DI-cpWER, which ignores the times of words.
    pub fn untimed() -> Self {
        DiCpWer { time: None }
    }

    /// Creates the metric DI-tcpWER, which matches or substitutes only words that overlap in time. The collar
    /// (tolerance in seconds) extends the reference words, whereas in the other metrics it extends the
    /// hypothesis words.
    pub fn timed(constraint: TimeConstraint) -> Self {
        DiCpWer { time: Some(constraint) }
    }

    fn names(&self) -> [&'static str; 2] {
        if self.time.is_some() { ["ditcpwer", "DI-tcpWER"] } else { ["dicpwer", "DI-cpWER"] }
    }
}

impl GivenWords for DiCpWer {
    const TURNED: bool = true;

    fn name(&self) -> &'static str {
        self.names()[1]
    }

    /// Returns the hypothesis utterances, and the words of each reference speaker joined to one stream.
    fn talk<'t>(&self, session: &MeetingSession<'t>) -> Result<Talk<'t>> {
        let sides = [&session.hypothesis, &session.reference];
        // MeetEval swaps the sides before it extends words by the collar, so here the reference gets the
        // collar.
        let times = self.time.map(|time| [(time.hypothesis, 0.0), (time.reference, time.collar)]);
        Talk::from_session(self.name(), sides, session.distinct, times, [HYPOTHESES, SPEAKERS])
    }

    fn give(&self, pairs: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        Ok(greedy::give(self.name(), pairs, talk)?.into_iter().enumerate().collect())
    }
}

observe_given!(DiCpWer, self => identity(self.names(), self.time).option(GREEDY, "greedy"));
