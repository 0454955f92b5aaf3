//! [`MimoWer`]: MIMO-WER and tcMIMO-WER.

use bleuprint_core::{InputError, Result, check_interrupt};
use bleuprint_metrics::PairTables;

use crate::MOST_BYTES;
use crate::block::Block;
use crate::given::{Given, OrcCounts, identity, observe_given};
use crate::grid::Grid;
use crate::orc::STREAMS;
use crate::session::{Most, Session, SpeakerScratch, Talk};
use crate::timed::TimedWords;
use crate::timing::TimeConstraint;

const SPEAKERS: Most = ("speakers of the reference", 10);

/// The word error rate where each utterance of the reference is given to the stream of the hypothesis that suits best, and only
/// the order of the utterances of one speaker is kept; [the package](crate) has the definition.
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
    /// MIMO-WER.
    pub fn untimed() -> Self {
        MimoWer { time: None }
    }

    /// tcMIMO-WER.
    pub fn timed(constraint: TimeConstraint) -> Self {
        MimoWer { time: Some(constraint) }
    }

    fn names(&self) -> [&'static str; 2] {
        if self.time.is_some() { ["tcmimower", "tcMIMO-WER"] } else { ["mimower", "MIMO-WER"] }
    }

    /// The utterances in the order of the best path, each with its stream.
    pub(crate) fn path(&self, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        if talk.streams.is_empty() {
            return Ok(Vec::new());
        }
        let mut of_speakers = vec![Vec::new(); talk.speakers.len()];
        for (number, (utterance, &speaker)) in talk.utterances.iter().zip(&talk.owners).enumerate() {
            if !talk.timed || !utterance.words.is_empty() {
                of_speakers[speaker].push(number);
            }
        }
        self.require_memory(talk, &of_speakers)?;
        let grid = Grid::of(&talk.streams, talk.distinct, talk.timed, MOST_BYTES);
        Orders::of(&talk.utterances, of_speakers).best_path(grid)
    }

    fn require_memory(&self, talk: &Talk<'_>, of_speakers: &[Vec<usize>]) -> Result<()> {
        let product = |sizes: &mut dyn Iterator<Item = usize>| {
            sizes.fold(1u128, |product, size| product.saturating_mul(size as u128 + 1))
        };
        let cells = product(&mut talk.streams.iter().map(|stream| stream.words.len()));
        let orders = product(&mut of_speakers.iter().map(Vec::len));
        // The rows along each stream too.
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

/// The orders of the utterances of several speakers, each of which keeps its own: how many of each are done, as one number in
/// which those of the first speaker run fastest.
struct Orders<'a> {
    utterances: &'a [TimedWords],
    of_speakers: Vec<Vec<usize>>,
    strides: Vec<usize>,
    count: usize,
}

impl<'a> Orders<'a> {
    fn of(utterances: &'a [TimedWords], of_speakers: Vec<Vec<usize>>) -> Self {
        let mut count = 1;
        let mut strides = Vec::new();
        for own in &of_speakers {
            strides.push(count);
            count *= own.len() + 1;
        }
        Orders { utterances, of_speakers, strides, count }
    }

    /// The utterances that may be the last of those done, in order of speakers, with the number without each.
    fn last(&self, done: usize) -> impl Iterator<Item = (usize, usize)> {
        self.of_speakers.iter().zip(&self.strides).filter_map(move |(own, stride)| {
            let count = done / stride % (own.len() + 1);
            Some((*own.get(count.checked_sub(1)?)?, done - stride))
        })
    }

    fn best_path(&self, mut grid: Grid<'_>) -> Result<Vec<(usize, usize)>> {
        let mut blocks: Vec<Block> = Vec::with_capacity(self.count);
        blocks.push(grid.whole());
        for done in 1..self.count {
            check_interrupt()?;
            let mut block = blocks[0].unreached();
            for (number, before) in self.last(done) {
                grid.lower(&mut block, &blocks[before], &self.utterances[number])?;
            }
            blocks.push(block);
        }
        let (mut cell, mut done, mut path) = (grid.ends(), self.count - 1, Vec::new());
        while done > 0 {
            let mut best: Option<(u32, usize, usize, usize, usize)> = None;
            for (number, before) in self.last(done) {
                let origin = grid.origin(&blocks[before], &self.utterances[number], None, &cell)?;
                if let Some((cost, stream, position)) = origin
                    && best.is_none_or(|(least, ..)| cost < least)
                {
                    best = Some((cost, number, before, stream, position));
                }
            }
            let Some((_, number, before, stream, position)) = best else { break };
            path.push((number, stream));
            (done, cell[stream]) = (before, position);
        }
        path.reverse();
        Ok(path)
    }
}

impl Given for MimoWer {
    fn name(&self) -> &'static str {
        self.names()[1]
    }

    fn talk<'t>(&self, session: &Session<'t>) -> Result<Talk<'t>> {
        let (sides, times) =
            ([&session.reference, &session.hypothesis], self.time.map(|time| time.of_sides()));
        Talk::of(self.name(), sides, session.distinct, times, [SPEAKERS, STREAMS])
    }

    fn give(&self, _: &mut PairTables, talk: &Talk<'_>) -> Result<Vec<(usize, usize)>> {
        self.path(talk)
    }
}

observe_given!(MimoWer, self => identity(self.names(), self.time));
