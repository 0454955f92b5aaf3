//! Panels over streams: the states of a corpus, or the scores of each segment, in bounded memory.

#[cfg(doc)]
use bleuprint_core::InputErrorKind;
use bleuprint_core::{AnyScore, InputError, Scored};

use super::{Panel, PanelScratch, PanelState, PanelWorker};
use crate::stream::{Batch, BatchObserver};

/// A panel scores batches of a stream.
struct PanelStream<'p> {
    panel: &'p Panel,
}

impl BatchObserver for PanelStream<'_> {
    type Worker = PanelWorker;
    type Output = ();

    fn worker(&self) -> PanelWorker {
        self.panel.worker_for(0)
    }

    fn observe(&self, worker: &mut PanelWorker, batch: &Batch) -> ((), Result<(), InputError>) {
        let PanelWorker { scratch, systems } = worker;
        let observed = batch.segments().try_for_each(|(number, segment)| {
            let of_segment = segment.systems();
            systems.resize_with(systems.len().max(of_segment.end), || self.panel.zero());
            let observed = self.panel.observe(scratch, &mut systems[of_segment], segment.as_segment());
            observed.map_err(|error| segment.locate(number, error))
        });
        ((), observed)
    }
}

impl Panel {
    /// Observes a corpus that `read` adds to the batch one segment at a time, in all threads of
    /// the current pool and in bounded memory; see [`observe_stream`](crate::observe_stream).
    ///
    /// # Errors
    /// Those of `read` and of [`Panel::observe`], with the number of the segment.
    pub fn observe_stream(
        &self,
        read: impl FnMut(&mut Batch) -> Result<bool, InputError> + Send,
    ) -> Result<Vec<PanelState>, InputError> {
        let observer = PanelStream { panel: self };
        let workers = crate::stream::stream(&observer, read, |()| Ok::<(), InputError>(()))?;
        self.gather(&workers)
    }

    /// The scores of each segment of each system, handed to `each` in the order of the segments with their number,
    /// while later segments are read and scored in all threads.
    ///
    /// # Errors
    /// Those of `read`, of `each` and of [`Panel::observe`]. A segment that has no score of a metric (an
    /// [`InputErrorKind::NoScore`]) is handed over as that error, and scoring goes on.
    pub fn score_stream<E: From<InputError> + Send>(
        &self,
        read: impl FnMut(&mut Batch) -> Result<bool, InputError> + Send,
        mut each: impl FnMut(u64, Vec<SegmentScores>) -> Result<(), E>,
    ) -> Result<(), E> {
        let observer = PanelScores { panel: self };
        let hand_over = |scored: Vec<(u64, Vec<SegmentScores>)>| {
            scored.into_iter().try_for_each(|(number, scores)| each(number, scores))
        };
        crate::stream::stream(&observer, read, hand_over).map(|_| ())
    }
}

/// The scores of one segment of one system, one for each metric: a score, or why there is none.
pub type SegmentScores = Vec<Result<Scored<AnyScore>, InputError>>;

/// A panel scores each segment of a stream.
struct PanelScores<'p> {
    panel: &'p Panel,
}

impl BatchObserver for PanelScores<'_> {
    type Worker = PanelScratch;
    type Output = Vec<(u64, Vec<SegmentScores>)>;

    fn worker(&self) -> PanelScratch {
        self.panel.scratch()
    }

    fn observe(&self, scratch: &mut PanelScratch, batch: &Batch) -> (Self::Output, Result<(), InputError>) {
        let mut scores = Vec::new();
        for (number, segment) in batch.segments() {
            let mut systems: Vec<PanelState> = segment.systems().map(|_| self.panel.zero()).collect();
            let observed = self.panel.observe(scratch, &mut systems, segment.as_segment());
            if let Err(error) = observed {
                return (scores, Err(segment.locate(number, error)));
            }
            scores.push((number, systems.iter().map(|system| self.panel.segment_scores(system)).collect()));
        }
        (scores, Ok(()))
    }
}

impl Panel {
    /// The score of every metric for one segment of one system, or why it has none.
    pub fn segment_scores(&self, system: &PanelState) -> SegmentScores {
        self.metrics().zip(&system.states).map(|(metric, state)| metric.score(state)).collect()
    }
}
