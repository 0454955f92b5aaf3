//! Leaves out the segments of a run whose weight is 0.

use super::{OwnData, Run};

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
