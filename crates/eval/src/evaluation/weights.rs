//! Weights of segments: the number of times that a segment counts. A segment with the weight 0 is left out.

use bleuprint_core::{InputError, Result};
use bleuprint_inference::require_equal;
use bleuprint_registry::{AnyMetric, AnyState};

use super::{OwnData, Run};

/// Checks that there is one weight for each segment, and that one of them is not 0.
pub(super) fn check_weights(weights: &[u64], segments: usize) -> Result<()> {
    require_equal("the list of weights", weights.len(), "the corpus", segments)?;
    if weights.iter().all(|weight| *weight == 0) {
        return Err(InputError::malformed("all weights are 0, so that no segment counts"));
    }
    Ok(())
}

/// Multiplies the metric statistics of each segment by the segment's weight; an empty list of weights changes
/// nothing.
pub(super) fn weigh(
    systems: &mut [Vec<Vec<AnyState>>],
    metrics: &[AnyMetric],
    weights: &[u64],
) -> Result<()> {
    if weights.is_empty() {
        return Ok(());
    }
    let zeros: Vec<AnyState> = metrics.iter().map(AnyState::zero).collect();
    for system in systems {
        for (segment, &weight) in system.iter_mut().zip(weights) {
            for (state, zero) in segment.iter_mut().zip(&zeros) {
                let mut weighted = zero.clone();
                weighted.merge_times(state, weight)?;
                *state = weighted;
            }
        }
    }
    Ok(())
}

impl Run {
    /// Returns the run without the segments whose weight is 0. An empty list of weights changes nothing.
    ///
    /// Such a segment has no statistics, so that intervals and tests could not draw it.
    pub(super) fn without_weightless(mut self, weights: &[u64]) -> Run {
        if weights.iter().all(|weight| *weight > 0) {
            return self;
        }
        let kept = |at: usize| weights.get(at).is_none_or(|weight| *weight > 0);
        self.states.iter_mut().for_each(|system| keep(system, &kept));
        keep(&mut self.fingerprints, &kept);
        keep(&mut self.labels.values, &kept);
        if let Some(texts) = &mut self.texts {
            keep(&mut texts.segments, &kept);
        }
        for OwnData { systems, references, sources, .. } in &mut self.own {
            keep(references, &kept);
            keep(sources, &kept);
            for system in systems {
                keep(&mut system.hypotheses, &kept);
                if let Some((_, lines)) = &mut system.origin {
                    keep(lines, &kept);
                }
            }
        }
        self
    }
}

/// Keeps the items of a list whose index `kept` accepts.
fn keep<T>(list: &mut Vec<T>, kept: &impl Fn(usize) -> bool) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        kept(at - 1)
    });
}
