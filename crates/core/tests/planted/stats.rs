//! Bugs in statistics: merging, rows, storing.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::marker::PhantomData;

use bleuprint_core::{
    Identity, InputError, Linear, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats, Storable, laws,
};
use serde::{Deserialize, Serialize};

use super::caught;

/// Statistics that say what a segment adds, and what they are worth.
trait Counts: Storable {
    fn of(length: u64) -> Self;
    fn value(&self) -> f64;
    fn zero() -> Self {
        Self::default()
    }
}

/// A right metric over these statistics.
struct Over<S>(PhantomData<fn() -> S>);

impl<S> Clone for Over<S> {
    fn clone(&self) -> Self {
        Over(PhantomData)
    }
}

impl<S: Counts> Metric for Over<S> {
    type Stats = S;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("over", 1, Scale::UNBOUNDED).reference_free()
    }
    fn zero(&self) -> S {
        S::zero()
    }
    fn finalize(&self, stats: &S, _: &SegmentCounts) -> Result<f64> {
        Ok(stats.value())
    }
}

impl<S: Counts, T> Observe<[T]> for Over<S> {
    fn observe(&self, (): &mut (), stats: &mut S, segment: Segment<'_, [T]>) -> Result<()> {
        stats.merge(&S::of(segment.hypothesis().len() as u64))
    }
}

#[track_caller]
fn breaks<S: Counts>(law: &str, smallest: &str) {
    let message = caught(|| laws::check(&Over::<S>(PhantomData)));
    assert!(message.starts_with(&format!("over: {law}: ")), "{message}");
    let (_, segments) = message.split_once("the smallest segments:").unwrap_or_default();
    assert_eq!(segments, smallest, "{message}");
}

const TWO_EMPTY: &str = "\n  1: hypothesis [], references [[]], source []\n  2: hypothesis [], references [[]], source []";
const ONE_EMPTY: &str = "\n  1: hypothesis [], references [[]], source []";

/// Segments and tokens, in a row.
macro_rules! row {
    ($name:ident, $columns:expr, $add:expr) => {
        #[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
        struct $name([u64; 2]);

        impl Linear for $name {
            fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
                let names: [&str; 2] = $columns;
                names.iter().zip(&mut self.0).for_each(|(name, count)| visit(name, count));
            }

            fn add(&mut self, other: &Self) -> Result<()> {
                let add: fn([&mut u64; 2], [u64; 2]) -> Result<()> = $add;
                add(self.0.each_mut(), other.0)
            }
        }

        impl Counts for $name {
            fn of(length: u64) -> Self {
                $name([1, length])
            }
            fn value(&self) -> f64 {
                self.0[1] as f64
            }
        }
    };
}

fn added(count: &mut u64, other: u64) -> Result<()> {
    let sum = count.checked_add(other).ok_or_else(|| InputError::malformed_state("too much"))?;
    *count = sum;
    Ok(())
}

row!(Right, ["segments_too", "tokens"], |own, other| {
    let mut sums = own.each_ref().map(|own| **own);
    sums.iter_mut().zip(other).try_for_each(|(own, other)| added(own, other))?;
    own.into_iter().zip(sums).for_each(|(own, sum)| *own = sum);
    Ok(())
});
row!(ForgetsAColumn, ["segments_too", "tokens"], |[own, _], [other, _]| added(own, other));
row!(Wraps, ["segments_too", "tokens"], |own, other| {
    own.into_iter().zip(other).for_each(|(own, other)| *own = own.wrapping_add(other));
    Ok(())
});
row!(MergesHalf, ["segments_too", "tokens"], |[segments, tokens], other| {
    *segments = segments.saturating_add(other[0]);
    added(tokens, other[1])
});
row!(OneNameTwice, ["tokens", "tokens"], |own, other| {
    own.into_iter().zip(other).try_for_each(|(own, other)| added(own, other))
});

#[test]
fn rows() {
    laws::check(&Over::<Right>(PhantomData));
    breaks::<ForgetsAColumn>("homomorphism", "\n  1: hypothesis [], references [[]], source []\n  2: hypothesis [7], references [[]], source []");
    breaks::<Wraps>("limits", "");
    breaks::<MergesHalf>("limits", "");
    breaks::<OneNameTwice>("columns", "");
}
