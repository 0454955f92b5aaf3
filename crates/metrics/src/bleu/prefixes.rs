//! Computes BLEU's statistics of every prefix of a hypothesis in one pass.

use bleuprint_core::{Metric, Observe, Result, Segment};
use bleuprint_ngram::Scratch;

use super::{Bleu, BleuStats};
use crate::shared::RefLengths;

/// Calls `each` with the statistics of every prefix of the hypothesis. Returns `false` if
/// [`gains`](bleuprint_ngram::gains) does not support the highest order.
///
/// Each token completes at most one n-gram of each order. This n-gram adds one to the total of its order, and
/// one or nothing to the matches.
pub(super) fn observe_prefixes(
    bleu: &Bleu,
    scratch: &mut Scratch,
    segment: Segment<'_, [u32]>,
    each: &mut dyn FnMut(&BleuStats) -> Result<()>,
) -> Result<bool> {
    let hypothesis = segment.hypothesis;
    let references = segment.references()?;
    let mut stats = bleu.zero();
    // An empty hypothesis yields all errors of observing: they depend on the references alone.
    bleu.observe(scratch, &mut bleu.zero(), Segment::new(&hypothesis[..0], references))?;
    let Some(gains) = bleuprint_ngram::gains(hypothesis, references, bleu.max_order) else {
        return Ok(false);
    };
    for (length, gains) in (1..).zip(gains) {
        for (index, order) in stats.orders.iter_mut().enumerate() {
            // Each bit of a gain belongs to one order, so the orders are limited by the bits of the word.
            order.clipped += gains >> index & 1;
            order.total = usize::saturating_sub(length, index) as u64;
            order.short = u64::from(order.total == 0);
        }
        stats.ref_len = RefLengths::of_segment(length, references.iter().map(|reference| reference.len()));
        each(&stats)?;
    }
    Ok(true)
}
