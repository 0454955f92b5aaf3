//! Tests the public interface: a reference implementation, hostile data, and numbers of other programs.
//! `tests/rows` has the laws and the refused data.

use bleuprint_core::{Accumulator, Observe, Segment};
use bleuprint_diarization::{Regions, Turn, Turns};

mod hostile;
mod jaccard;
mod naive;

fn turns(given: &[(&str, f64, f64)]) -> Turns {
    Turns(given.iter().map(|(speaker, start, end)| Turn::new(*speaker, *start, *end)).collect())
}

/// Returns an accumulator in which the metric has observed these files.
fn observed<M>(metric: M, files: &[(Turns, Turns, Option<Regions>)]) -> Accumulator<M, Turns, Turns, Regions>
where
    M: Observe<Turns, Turns, Regions>,
{
    let mut all = Accumulator::new(metric);
    for (reference, hypothesis, regions) in files {
        all.push_segment(Segment::with_source(hypothesis, &[reference], regions.as_ref())).unwrap();
    }
    all
}
