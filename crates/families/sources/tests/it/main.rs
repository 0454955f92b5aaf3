//! Tests of the metrics through the public API.

mod texts;

use bleuprint_core::{Accumulator, Metric, Observe, Result, Segment};

/// Returns the score of summaries and sources, split at white space.
fn score<M>(metric: M, pairs: &[(&str, &str)]) -> Result<M::Score>
where
    M: Metric + Observe<[String]>,
{
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let mut all = Accumulator::<_, [String]>::new(metric);
    for (summary, source) in pairs {
        all.push_segment(Segment::with_source(&words(summary)[..], &[], Some(&words(source))))?;
    }
    Ok(all.score()?.score)
}
