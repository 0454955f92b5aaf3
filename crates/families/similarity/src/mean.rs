//! Code shared by all metrics of this crate. Each metric's score is the exact mean of one number per segment.

use bleuprint_core::{ExactSum, InputError, InputErrorKind, Metric, PlainScore, Result, SegmentCounts};

/// Implements `Metric` for a type whose score is the mean of one number per segment. The macro takes the
/// metric's working memory, its identity, and optionally one more method. With `partial`, segments may lack a
/// number.
macro_rules! mean_of_segments {
    ($metric:ty, $scratch:ty, $this:ident => $identity:expr $(; $more:item)?) => {
        $crate::mean::mean_of_segments!($metric, $scratch, |counts, _| counts.segments, $this => $identity $(; $more)?);
    };
    (partial $metric:ty, $scratch:ty, $this:ident => $identity:expr) => {
        $crate::mean::mean_of_segments!(
            $metric, $scratch, |counts, sum| sum.count().min(counts.segments), $this => $identity
        );
    };
    ($metric:ty, $scratch:ty, |$counts:pat_param, $sum:pat_param| $values:expr, $this:ident => $identity:expr $(; $more:item)?) => {
        impl bleuprint_core::Metric for $metric {
            type Stats = bleuprint_core::ExactSum;
            type Score = bleuprint_core::PlainScore;
            type Scratch = $scratch;

            fn identity(&$this) -> bleuprint_core::Identity {
                $identity.composed(bleuprint_core::Composition::Mean)
            }
            $($more)?
            fn finalize(
                &self,
                sum: &bleuprint_core::ExactSum,
                counts: &bleuprint_core::SegmentCounts,
            ) -> bleuprint_core::Result<bleuprint_core::PlainScore> {
                $crate::mean::finish(self, sum, counts)
            }
            fn check(
                &self,
                sum: &bleuprint_core::ExactSum,
                counts: &bleuprint_core::SegmentCounts,
            ) -> bleuprint_core::Result<()> {
                let values = |$counts: &bleuprint_core::SegmentCounts, $sum: &bleuprint_core::ExactSum| $values;
                bleuprint_core::Metric::scale(self).check_mean(sum, values(counts, sum))
            }
        }
    };
}

pub(crate) use mean_of_segments;

pub(crate) fn finish(metric: &impl Metric, sum: &ExactSum, counts: &SegmentCounts) -> Result<PlainScore> {
    if sum.count() == 0 && counts.segments > 0 {
        return Err(InputError::no_score(metric.identity().name(), "no segment has a number"));
    }
    Ok(PlainScore::new(sum.mean(sum.count().max(1))).with_count("segments", counts.segments))
}

/// Returns the best of `numbers`, the results of a hypothesis with each of its references: the first number
/// that no other number `beats`.
pub(crate) fn best(
    numbers: impl Iterator<Item = Result<f64>>,
    beats: impl Fn(f64, f64) -> bool,
) -> Result<f64> {
    let mut best: Option<f64> = None;
    for number in numbers {
        let number = number?;
        if best.is_none_or(|best| beats(number, best)) {
            best = Some(number);
        }
    }
    best.ok_or_else(|| InputErrorKind::NoReferences.into())
}

pub(crate) fn highest(numbers: impl Iterator<Item = Result<f64>>) -> Result<f64> {
    best(numbers, |own, other| own > other)
}

pub(crate) fn lowest(numbers: impl Iterator<Item = Result<f64>>) -> Result<f64> {
    best(numbers, |own, other| own < other)
}
