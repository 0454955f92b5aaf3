//! Configurations that are not told apart, and metrics of two passes.

use std::borrow::Cow;

use bleuprint_core::{
    Identity, Metric, Observe, PlainScore, Result, Scale, Score, Segment, SegmentCounts, Stats,
};
use bleuprint_registry::{AnyMetric, AnyState, laws};

use super::{breaks, segment};

/// The number of hypotheses longer than a number of tokens, times a factor.
#[derive(Clone)]
struct Longer {
    than: u64,
    factor: f64,
    identity: fn(&Longer, Identity) -> Identity,
}

impl Metric for Longer {
    type Stats = [u64; 1];
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        (self.identity)(self, Identity::new("longer", 1, Scale::UNBOUNDED).reference_free())
    }
    fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64> {
        Ok(stats[0] as f64 * self.factor)
    }
}

impl<T> Observe<[T]> for Longer {
    fn observe(&self, (): &mut (), stats: &mut [u64; 1], segment: Segment<'_, [T]>) -> Result<()> {
        stats.merge(&[u64::from(segment.hypothesis.len() as u64 > self.than)])
    }
}

fn configurations(identity: fn(&Longer, Identity) -> Identity) -> Vec<AnyMetric> {
    let all = [(1, 1.0), (2, 1.0), (1, 3.0)];
    all.map(|(than, factor)| AnyMetric::over_ids(Longer { than, factor, identity }).unwrap()).to_vec()
}

#[test]
fn configurations_are_told_apart() {
    laws::check_distinct(&configurations(|own, identity| {
        identity.counted("than", "t", own.than).finished("factor", "f", own.factor)
    }));
    let two_tokens = ["hypothesis [0, 0], references [[]], source []".to_string()];
    let unsaid = || {
        laws::check_distinct(&configurations(|own, identity| identity.finished("factor", "f", own.factor)))
    };
    breaks("longer", "distinct keys", &two_tokens, unsaid);
    let unsaid =
        || laws::check_distinct(&configurations(|own, identity| identity.counted("than", "t", own.than)));
    breaks("longer", "distinct signatures", &two_tokens, unsaid);
}

/// The mean length of hypotheses, learned in a first pass.
#[derive(Clone)]
struct Long {
    mean: u64,
    wrong: &'static str,
}

#[derive(Clone)]
struct Lengths;

/// A score and the share of the rest.
struct Shares([f64; 2]);

impl Score for Shares {
    fn value(&self) -> f64 {
        self.0[0]
    }
    fn headlines(&self) -> Vec<f64> {
        self.0.to_vec()
    }
}

impl Metric for Lengths {
    type Stats = [u64; 2];
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("lengths", 1, Scale::UNBOUNDED).reference_free()
    }
    fn finalize(&self, stats: &[u64; 2], _: &SegmentCounts) -> Result<PlainScore> {
        Ok(PlainScore::new((stats[0] / stats[1].max(1)) as f64))
    }
}

impl<T> Observe<[T]> for Lengths {
    fn observe(&self, (): &mut (), stats: &mut [u64; 2], segment: Segment<'_, [T]>) -> Result<()> {
        stats.merge(&[segment.hypothesis.len() as u64, 1])
    }
}

impl Metric for Long {
    type Stats = [u64; 1];
    type Score = Shares;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let identity = Identity::new("long", 1, Scale::UNIT).reference_free();
        if self.wrong == "key" { identity } else { identity.counted("mean", "mean", self.mean) }
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        let second = if self.wrong == "names" && self.mean > 0 { "other" } else { "short" };
        vec!["long".into(), second.into()]
    }
    fn finalize(&self, stats: &[u64; 1], counts: &SegmentCounts) -> Result<Shares> {
        let share = stats[0] as f64 / counts.segments.max(1) as f64;
        Ok(Shares([share, 1.0 - share]))
    }
    fn check(&self, stats: &[u64; 1], counts: &SegmentCounts) -> Result<()> {
        bleuprint_core::InputError::require_at_most("long", stats[0], "segments", counts.segments)
    }
}

impl<T> Observe<[T]> for Long {
    fn observe(&self, (): &mut (), stats: &mut [u64; 1], segment: Segment<'_, [T]>) -> Result<()> {
        stats.merge(&[u64::from(segment.hypothesis.len() as u64 > self.mean)])
    }
}

fn two_passes(wrong: &'static str) -> AnyMetric {
    let second = move |mean| AnyMetric::over_ids(Long { mean, wrong }).unwrap();
    let learn = move |first: &AnyState| {
        let [tokens, lines]: &[u64; 2] = first.stats().typed()?;
        if wrong == "refuses" && *lines == 3 {
            return Err(bleuprint_core::InputError::malformed("three lines"));
        }
        Ok(second(tokens / lines.max(&1)))
    };
    AnyMetric::two_pass(AnyMetric::over_ids(Lengths).unwrap(), second(0), learn)
}

#[test]
fn two_passes_that_learn() {
    laws::check_any(&two_passes("nothing"));
    let segments = |lengths: &[usize]| -> Vec<String> {
        lengths.iter().map(|length| segment(&vec![7; *length], &[&[]])).collect()
    };
    for (wrong, law, smallest) in [
        ("key", "distinct keys", &[1, 2][..]),
        ("names", "two passes: headline names", &[]),
        ("refuses", "two passes: the second after the first", &[0]),
    ] {
        breaks("long", law, &segments(smallest), || laws::check_any(&two_passes(wrong)));
    }
}
