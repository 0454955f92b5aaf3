//! Planted bugs in identities: configurations that cannot be distinguished, and metrics with two passes.

use bleuprint_core::{Identity, InputError, Observe, Scale, Segment, SegmentCounts, Totals, columns};
use bleuprint_registry::{AnyMetric, AnyState, laws};

use super::{breaks, segment};

/// Number of hypotheses longer than a number of tokens, times a factor.
#[derive(Clone, Copy)]
struct Longer {
    than: u64,
    factor: f64,
}

impl Longer {
    fn with(self, identity: fn(&Longer, Identity) -> Identity) -> impl Observe<[u32], Stats = [u64; 1]> {
        let longer =
            move |segment: Segment<'_, [u32]>| Ok([u64::from(segment.hypothesis.len() as u64 > self.than)]);
        let identity = identity(&self, Identity::new("longer", 1, Scale::UNBOUNDED).reference_free());
        Totals::new(identity, longer, move |[longer]: &[u64; 1], _| Ok(*longer as f64 * self.factor))
    }
}

fn configurations(identity: fn(&Longer, Identity) -> Identity) -> Vec<AnyMetric> {
    let all = [(1, 1.0), (2, 1.0), (1, 3.0)];
    all.map(|(than, factor)| AnyMetric::for_ids(Longer { than, factor }.with(identity)).unwrap()).to_vec()
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

/// Returns a metric of the mean length of hypotheses, which a first pass learns.
fn lengths() -> impl Observe<[u32], Stats = [u64; 2]> {
    let length = |segment: Segment<'_, [u32]>| Ok([segment.hypothesis.len() as u64, 1]);
    let identity = Identity::new("lengths", 1, Scale::UNBOUNDED).reference_free();
    Totals::new(identity, length, |[tokens, lines]: &[u64; 2], _| Ok((tokens / lines.max(&1)) as f64))
}

columns! {
    struct Long { long <= segments }
}

/// Returns a metric of the share of hypotheses longer than the mean, and the share of the rest.
fn long(mean: u64, wrong: &str) -> impl Observe<[u32], Stats = Long> + use<> {
    let identity = Identity::new("long", 1, Scale::UNIT).reference_free();
    let identity = if wrong == "key" { identity } else { identity.counted("mean", "mean", mean) };
    let of_segment = move |segment: Segment<'_, [u32]>| {
        Ok(Long { long: u64::from(segment.hypothesis.len() as u64 > mean) })
    };
    let shares = |stats: &Long, counts: &SegmentCounts| {
        let share = stats.long as f64 / counts.segments.max(1) as f64;
        Ok([share, 1.0 - share])
    };
    let second = if wrong == "names" && mean > 0 { &["long", "other"] } else { &["long", "short"] };
    Totals::new(identity, of_segment, shares).headlines(second)
}

fn two_passes(wrong: &'static str) -> AnyMetric {
    let second = move |mean| AnyMetric::for_ids(long(mean, wrong)).unwrap();
    let learn = move |first: &AnyState| {
        let [tokens, lines]: &[u64; 2] = first.stats().typed()?;
        if wrong == "refuses" && *lines == 3 {
            return Err(InputError::malformed("three lines"));
        }
        Ok(second(tokens / lines.max(&1)))
    };
    AnyMetric::two_pass(AnyMetric::for_ids(lengths()).unwrap(), second(0), learn)
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
