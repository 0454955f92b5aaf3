//! [`MimoWer`]: MIMO-WER, a word error rate of meetings that keeps only the order of each speaker's
//! utterances, and tcMIMO-WER, which also uses word times.

use bleuprint_core::{InputError, Result};
use bleuprint_metrics::PairTables;

use crate::MOST_BYTES;
use crate::given::{GivenWords, OrcCounts, identity, observe_given};
use crate::grid::FIRST_SLACK;
use crate::orc::STREAMS;
use crate::orders::UtteranceOrders;
use crate::session::{MeetingSession, Most, SpeakerScratch, Talk};
use crate::timing::TimeConstraint;

const SPEAKERS: Most = ("speakers of the reference", 10);

/// Word error rate of meetings that assigns each reference utterance to the hypothesis stream (output
/// channel) where the errors are fewest. Only the order of each speaker's utterances is kept. The [crate
/// documentation](crate) has the definition.
///
/// ```
/// use bleuprint_core::Metric;
/// use bleuprint_meetings::MimoWer;
/// assert_eq!(MimoWer::untimed().identity().name(), "MIMO-WER");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MimoWer {
    time: Option<TimeConstraint>,
}

impl MimoWer {
    /// Creates the metric MIMO-WER, which ignores the times of words.
    pub fn untimed() -> Self {
        MimoWer { time: None }
    }

    /// Creates the metric tcMIMO-WER, which matches or substitutes only words that overlap in time within the
    /// collar, a tolerance in seconds.
    pub fn timed(constraint: TimeConstraint) -> Self {
        MimoWer { time: Some(constraint) }
    }

    fn names(&self) -> [&'static str; 2] {
        if self.time.is_some() { ["tcmimower", "tcMIMO-WER"] } else { ["mimower", "MIMO-WER"] }
    }

    /// Returns the best assignment as pairs of utterance index and stream index, in the order of the best
    /// path.
    pub(crate) fn path(&self, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        self.path_with_slack(talk, FIRST_SLACK)
    }

    /// Returns the best assignment like [`MimoWer::path`]. The first limit of edits is `slack` above a lower
    /// bound, and does not affect the result.
    pub(crate) fn path_with_slack(&self, talk: &Talk<'_>, slack: u32) -> Result<Vec<(usize, usize)>> {
        if talk.streams.is_empty() {
            return Ok(Vec::new());
        }
        let mut of_speakers = vec![Vec::new(); talk.speakers.len()];
        for (number, (utterance, &speaker)) in talk.utterances.iter().zip(&talk.owners).enumerate() {
            // MeetEval drops utterances without words under the time rule.
            if !talk.timed || !utterance.words.is_empty() {
                of_speakers[speaker].push(number);
            }
        }
        self.require_memory(talk, &of_speakers)?;
        UtteranceOrders::from_utterances(&talk.utterances, of_speakers).best_path(talk, slack)
    }

    fn require_memory(&self, talk: &Talk<'_>, of_speakers: &[Vec<usize>]) -> Result<()> {
        let product = |sizes: &mut dyn Iterator<Item = usize>| {
            sizes.fold(1u128, |product, size| product.saturating_mul(size as u128 + 1))
        };
        let cells = product(&mut talk.streams.iter().map(|stream| stream.words.len()));
        let orders = product(&mut of_speakers.iter().map(Vec::len));
        // The rows along each stream need memory too.
        let bytes =
            cells.saturating_mul(orders.saturating_add(2 * talk.streams.len() as u128)).saturating_mul(4);
        if bytes <= MOST_BYTES {
            return Ok(());
        }
        let list = |sizes: &mut dyn Iterator<Item = usize>| {
            sizes.map(|size| size.to_string()).collect::<Vec<String>>().join(" x ")
        };
        let what = format!(
            "the memory of {} for speakers of {} utterances and streams of {} words, in bytes",
            self.name(),
            list(&mut of_speakers.iter().map(Vec::len)),
            list(&mut talk.streams.iter().map(|stream| stream.words.len()))
        );
        let greedy = if talk.timed { "tcorcwer:search=greedy" } else { "orcwer:search=greedy" };
        let limit = format!(
            "at most {MOST_BYTES}; {greedy} is no less and has no such limit, and shorter sessions need less"
        );
        Err(InputError::limit(what, bytes, limit))
    }
}

impl GivenWords for MimoWer {
    fn name(&self) -> &'static str {
        self.names()[1]
    }

    fn talk<'t>(&self, session: &MeetingSession<'t>) -> Result<Talk<'t>> {
        let sides = [&session.reference, &session.hypothesis];
        let times = self.time.map(|time| time.of_sides());
        Talk::from_session(self.name(), sides, session.distinct, times, [SPEAKERS, STREAMS])
    }

    fn give(&self, _: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        self.path(talk)
    }
}

observe_given!(MimoWer, self => identity(self.names(), self.time));
