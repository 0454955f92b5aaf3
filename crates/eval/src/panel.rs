//! [`Panel`]: several metrics chosen at run time, observing the text of one system or several.

use bleuprint_core::{
    AnyScore, ErasedMetric, ErasedScratch, ErasedStats, InputError, InputErrorKind, Scored, StateKey,
};
use bleuprint_text::Tokenizer;
use smallvec::SmallVec;

use crate::{Encoder, EncoderScratch};

/// Metrics behind pointers, and the encoder that all of them look through.
pub struct Panel {
    metrics: Vec<Box<dyn ErasedMetric>>,
    encoder: Encoder<Box<dyn Tokenizer>>,
}

/// The statistics of one system: one state per metric of the panel.
#[derive(Debug, Clone)]
pub struct PanelStats {
    states: Vec<ErasedStats>,
}

/// One segment as text: the hypothesis of each system, and the references they share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSegment<'t> {
    /// One per system, in their order.
    pub hypotheses: SmallVec<[&'t str; 2]>,
    /// Those that are there.
    pub references: SmallVec<[&'t str; 4]>,
}

/// What one thread has observed, and its scratch.
pub struct PanelWorker {
    scratch: PanelScratch,
    systems: Vec<PanelStats>,
}

/// Scratch of a panel, one per thread.
pub struct PanelScratch {
    encoder: EncoderScratch,
    metrics: Vec<ErasedScratch>,
}

impl Panel {
    /// These metrics over the tokens of this encoder.
    pub fn new(metrics: Vec<Box<dyn ErasedMetric>>, encoder: Encoder<Box<dyn Tokenizer>>) -> Self {
        Panel { metrics, encoder }
    }

    /// Fresh scratch.
    pub fn scratch(&self) -> PanelScratch {
        let metrics = self.metrics.iter().map(|metric| metric.erased_scratch()).collect();
        PanelScratch { encoder: EncoderScratch::default(), metrics }
    }

    /// Nothing observed yet, for one system.
    pub fn zero(&self) -> PanelStats {
        PanelStats { states: self.metrics.iter().map(|metric| metric.erased_zero()).collect() }
    }

    /// Observes one segment: the hypothesis of each system, with the references they share. Every text is
    /// tokenized once, however many systems and metrics there are.
    ///
    /// # Errors
    /// [`NoReferences`](InputErrorKind::NoReferences); [`LengthMismatch`](InputErrorKind::LengthMismatch) when
    /// there are not as many statistics as hypotheses; those of the tokenizer and the metrics.
    pub fn observe(
        &self,
        scratch: &mut PanelScratch,
        systems: &mut [PanelStats],
        hypotheses: &[&str],
        references: &[&str],
    ) -> Result<(), InputError> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        require_equal("the hypotheses of a segment", hypotheses.len(), "the systems", systems.len())?;
        let texts: SmallVec<[&str; 8]> = hypotheses.iter().chain(references).copied().collect();
        let ids = self.encoder.encode(&mut scratch.encoder, &texts)?;
        let references: SmallVec<[&[u32]; 8]> =
            (hypotheses.len()..texts.len()).map(|index| ids.get(index)).collect();
        for (index, system) in systems.iter_mut().enumerate() {
            self.observe_system(&mut scratch.metrics, system, ids.get(index), &references)?;
        }
        Ok(())
    }

    /// [`Panel::observe`] for segments that come as ids of the encoder's token space.
    ///
    /// # Errors
    /// As for [`Panel::observe`].
    pub fn observe_ids(
        &self,
        scratch: &mut PanelScratch,
        systems: &mut [PanelStats],
        hypotheses: &[&[u32]],
        references: &[&[u32]],
    ) -> Result<(), InputError> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        require_equal("the hypotheses of a segment", hypotheses.len(), "the systems", systems.len())?;
        for (system, hypothesis) in systems.iter_mut().zip(hypotheses) {
            self.observe_system(&mut scratch.metrics, system, hypothesis, references)?;
        }
        Ok(())
    }

    fn observe_system(
        &self,
        scratch: &mut [ErasedScratch],
        system: &mut PanelStats,
        hypothesis: &[u32],
        references: &[&[u32]],
    ) -> Result<(), InputError> {
        require_equal("the panel", self.metrics.len(), "the statistics of a system", system.states.len())?;
        for ((metric, scratch), state) in self.metrics.iter().zip(scratch).zip(&mut system.states) {
            metric.erased_observe(scratch, state, hypothesis, references)?;
        }
        Ok(())
    }

    /// As many workers as threads are to be used, each with statistics for `systems` systems.
    pub fn workers(&self, threads: usize, systems: usize) -> Vec<PanelWorker> {
        let worker = || PanelWorker { scratch: self.scratch(), systems: vec![self.zero(); systems] };
        (0..threads.max(1)).map(|_| worker()).collect()
    }

    /// Observes a batch of segments, shared out among the workers. Batch after batch, a corpus of any size is
    /// observed in the memory of one batch; [`Panel::gather`] gives the statistics.
    ///
    /// # Errors
    /// Those of [`Panel::observe`], with the index of the segment in the batch; of several, the first.
    pub fn observe_batch(
        &self,
        workers: &mut [PanelWorker],
        segments: &[TextSegment<'_>],
    ) -> Result<(), (usize, InputError)> {
        /// Fewer segments than this are not worth a thread.
        const LEAST: usize = 64;

        let share = segments.len().div_ceil(workers.len().max(1)).max(LEAST);
        let observe = |(index, (worker, share_of)): (usize, (&mut PanelWorker, &[TextSegment<'_>]))| {
            self.observe_share(worker, share_of).map_err(|(at, error)| (index * share + at, error))
        };
        #[cfg(feature = "parallel")]
        let results: Vec<_> = {
            use rayon::prelude::*;
            workers.par_iter_mut().zip(segments.par_chunks(share)).enumerate().map(observe).collect()
        };
        #[cfg(not(feature = "parallel"))]
        let results: Vec<_> =
            workers.iter_mut().zip(segments.chunks(share)).enumerate().map(observe).collect();
        results.into_iter().collect()
    }

    fn observe_share(
        &self,
        worker: &mut PanelWorker,
        segments: &[TextSegment<'_>],
    ) -> Result<(), (usize, InputError)> {
        let PanelWorker { scratch, systems } = worker;
        for (index, TextSegment { hypotheses, references }) in segments.iter().enumerate() {
            self.observe(scratch, systems, hypotheses, references).map_err(|error| (index, error))?;
        }
        Ok(())
    }

    /// The statistics of each system, merged over the workers.
    ///
    /// # Errors
    /// Those of [`Panel::merge`].
    pub fn gather(&self, workers: &[PanelWorker]) -> Result<Vec<PanelStats>, InputError> {
        let Some((first, others)) = workers.split_first() else { return Ok(Vec::new()) };
        let mut systems = first.systems.clone();
        for (system, other) in others.iter().flat_map(|worker| worker.systems.iter().enumerate()) {
            match systems.get_mut(system) {
                Some(own) => self.merge(own, other)?,
                None => require_equal("the systems of a worker", system + 1, "the first's", systems.len())?,
            }
        }
        Ok(systems)
    }

    /// Merges what another thread or shard has observed of the same system.
    ///
    /// # Errors
    /// Statistics of another panel; a count that does not fit 64 bits.
    pub fn merge(&self, system: &mut PanelStats, other: &PanelStats) -> Result<(), InputError> {
        require_equal("the statistics of a system", system.states.len(), "the other", other.states.len())?;
        for ((metric, state), other) in self.metrics.iter().zip(&mut system.states).zip(&other.states) {
            metric.erased_merge(state, other)?;
        }
        Ok(())
    }

    /// The score of every metric, with signatures that name the tokenizer and the case.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus), or statistics of another panel.
    pub fn scores(&self, system: &PanelStats) -> Result<Vec<Scored<AnyScore>>, InputError> {
        require_equal("the panel", self.metrics.len(), "the statistics of a system", system.states.len())?;
        let scores = self.metrics.iter().zip(&system.states).map(|(metric, state)| {
            let Scored { score, signature } = metric.erased_score(state)?;
            Ok(Scored { score, signature: signature.over(self.encoder.token_space()) })
        });
        scores.collect()
    }

    /// The state key of every metric.
    pub fn state_keys(&self) -> impl Iterator<Item = StateKey> {
        self.metrics.iter().map(|metric| metric.erased_state_key().over(self.encoder.token_space()))
    }
}

fn require_equal(left: &str, left_len: usize, right: &str, right_len: usize) -> Result<(), InputError> {
    if left_len == right_len {
        return Ok(());
    }
    let (left, right) = (left.to_owned(), right.to_owned());
    Err(InputErrorKind::LengthMismatch {
        left,
        left_len: left_len as u64,
        right,
        right_len: right_len as u64,
    }
    .into())
}
