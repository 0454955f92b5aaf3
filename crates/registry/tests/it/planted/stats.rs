//! Planted bugs in statistics that are rows, sets or anything else.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::marker::PhantomData;

use bleuprint_core::{
    Identity, InputError, Linear, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats,
};
use bleuprint_registry::{AnyMetric, Storable, laws};
use serde::{Deserialize, Serialize};

use super::{breaks, segment};

/// Statistics that define how a segment is added and how the score is computed.
trait Counts: Storable {
    fn count(&mut self, length: u64);
    fn value(&self) -> f64;
    fn zero() -> Self {
        Self::default()
    }
}

#[derive(Clone)]
struct Over<S>(PhantomData<S>);

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
        stats.count(segment.hypothesis.len() as u64);
        Ok(())
    }
}

fn check<S: Counts>() {
    laws::check_any(&AnyMetric::for_ids(Over(PhantomData::<S>)).unwrap());
}

/// Asserts that the statistics break a law. `lengths` are the hypothesis lengths of the smallest segments
/// that show it.
#[track_caller]
fn bug<S: Counts>(law: &str, lengths: &[usize]) {
    let smallest: Vec<String> = lengths.iter().map(|length| segment(&vec![7; *length], &[&[]])).collect();
    breaks("over", law, &smallest, || check::<S>());
}

/// Declares statistics with the columns `segments` and `tokens`.
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
                let add: fn(&mut [u64; 2], &[u64; 2]) -> Result<()> = $add;
                add(&mut self.0, &other.0)
            }
        }

        impl Counts for $name {
            fn count(&mut self, length: u64) {
                self.0[0] += 1;
                self.0[1] += length;
            }
            fn value(&self) -> f64 {
                self.0[1] as f64
            }
        }
    };
}

row!(Right, ["lines", "tokens"], |own, other| own.merge(other));
row!(OneNameTwice, ["tokens", "tokens"], |own, other| own.merge(other));
row!(ForgetsAColumn, ["lines", "tokens"], |own, other| own.merge(&[other[0], 0]));
row!(Wraps, ["lines", "tokens"], |own, other| {
    own.iter_mut().zip(other).for_each(|(own, other)| *own = own.wrapping_add(*other));
    Ok(())
});
row!(MergesHalf, ["lines", "tokens"], |own, other| {
    own[0] = own[0].saturating_add(other[0]);
    own.merge(&[0, other[1]])
});

#[test]
fn rows() {
    check::<Right>();
    bug::<OneNameTwice>("columns", &[]);
    bug::<ForgetsAColumn>("homomorphism", &[1]);
    bug::<Wraps>("limits", &[]);
    bug::<MergesHalf>("errors", &[]);
}

/// A count whose methods for rows are written by hand, one of them wrong.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct ByHand<const BUG: char>([u64; 1]);

impl<const BUG: char> Stats for ByHand<BUG> {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.0.merge(&other.0)
    }
    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        self.0.merge_times(&other.0, if BUG == 'm' { times.min(2) } else { times })
    }
    fn check_merge(&self, other: &Self) -> Result<()> {
        match BUG {
            'y' => Ok(()),
            'n' => Err(InputError::malformed_state("never")),
            _ => self.0.check_merge(&other.0),
        }
    }
    fn is_row(&self) -> bool {
        BUG != 's' && BUG != 'c' && (BUG != 'f' || self.0[0] == 0)
    }
    fn column_names(&self) -> Vec<String> {
        if BUG == 's' { Vec::new() } else { self.0.column_names() }
    }
    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
        if BUG == 'w' {
            row.clear();
        }
        self.0.write_row(row)
    }
    fn read_row(&mut self, row: &[u64]) -> Result<()> {
        if BUG == 'r' { self.0.read_row(&[row.first().copied().unwrap_or(0)]) } else { self.0.read_row(row) }
    }
    fn retract(&mut self, other: &Self) -> Result<()> {
        match BUG {
            't' => self.0[0] = self.0[0].saturating_sub(other.0[0]),
            'l' => {
                self.0.retract(&other.0)?;
                self.0[0] = self.0[0].saturating_sub(1);
            }
            _ => self.0.retract(&other.0)?,
        }
        Ok(())
    }
}

impl<const BUG: char> Counts for ByHand<BUG> {
    fn count(&mut self, length: u64) {
        self.0[0] += length;
    }
    fn value(&self) -> f64 {
        self.0[0] as f64
    }
}

#[test]
fn verbs_of_rows() {
    check::<ByHand<'-'>>();
    // `check_merge` predicts the wrong result.
    bug::<ByHand<'y'>>("limits", &[]);
    bug::<ByHand<'n'>>("merging", &[]);
    // A set that looks like a row, and one that writes a row.
    bug::<ByHand<'c'>>("no row", &[]);
    bug::<ByHand<'s'>>("no row", &[]);
    // A row as long as it is empty.
    bug::<ByHand<'f'>>("rows", &[1]);
    // Writing replaces what was there, and reading takes any length.
    bug::<ByHand<'w'>>("columns", &[]);
    bug::<ByHand<'r'>>("limits", &[]);
    // Subtraction stops at zero, or subtracts too much.
    bug::<ByHand<'t'>>("limits", &[]);
    bug::<ByHand<'l'>>("retraction", &[1]);
    bug::<ByHand<'m'>>("repetition", &[1]);
}

macro_rules! any_stats {
    ($(#[$attribute:meta])* $name:ident { $($field:ident: $type:ty $(= $serde:ident)?),+ }
     $own:ident + $other:ident: $merge:expr, $length:ident: $of:expr, value: $value:expr $(, zero: $zero:expr)?) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Default, Serialize, Deserialize)]
        struct $name { $($(#[serde($serde)])? $field: $type),+ }

        impl Stats for $name {
            fn merge(&mut self, $other: &Self) -> Result<()> {
                let $own = self;
                $merge
            }
        }

        impl Counts for $name {
            fn count(&mut self, $length: u64) {
                let $own = self;
                $of
            }
            fn value(&self) -> f64 {
                let $own = self;
                $value
            }
            $(fn zero() -> Self {
                $zero
            })?
        }
    };
}

any_stats!(
    #[derive(PartialEq)]
    Lengths { seen: BTreeSet<u64> }
    own + other: { own.seen.extend(&other.seen); Ok(()) },
    length: { own.seen.insert(length); }, value: own.seen.len() as f64
);
any_stats!(
    #[derive(PartialEq)]
    KeepsTheLarger { seen: BTreeSet<u64> }
    own + other: { if other.seen.len() > own.seen.len() { own.seen.clone_from(&other.seen); } Ok(()) },
    length: { own.seen.insert(length); }, value: own.seen.len() as f64
);
any_stats!(
    #[derive(PartialEq)]
    KeepsTheLast { last: u64 }
    own + other: { if other.last > 0 { own.last = other.last; } Ok(()) },
    length: if length > 0 { own.last = length; }, value: own.last as f64
);
any_stats!(
    #[derive(PartialEq)]
    StoresHalf { stored: u64, lost: u64 = skip }
    own + other: { own.stored += other.stored; own.lost += other.lost; Ok(()) },
    length: { own.stored += 1; own.lost += length; }, value: own.lost as f64
);
any_stats!(
    LosesItsScore { stored: u64, lost: u64 = skip }
    own + other: { own.stored += other.stored; own.lost += other.lost; Ok(()) },
    length: { own.stored += 1; own.lost += length; }, value: own.lost as f64
);
any_stats!(
    InOrderOfArrival { seen: Vec<u64> }
    own + other: {
        let new: Vec<u64> = other.seen.iter().copied().filter(|length| !own.seen.contains(length)).collect();
        own.seen.extend(new);
        Ok(())
    },
    length: if !own.seen.contains(&length) { own.seen.push(length); }, value: own.seen.len() as f64
);
any_stats!(
    #[derive(PartialEq)]
    MergesWithAnyShape { counts: Vec<u64> }
    own + other: { own.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| *own = own.saturating_add(*other)); Ok(()) },
    length: { own.counts[0] += 1; own.counts[1] += length; }, value: own.counts.last().map_or(0.0, |count| *count as f64),
    zero: MergesWithAnyShape { counts: vec![0, 0] }
);
any_stats!(
    #[derive(PartialEq)]
    TrustsWhatIsStored { at: usize, counts: Vec<u64> }
    own + other: {
        own.counts.extend(&other.counts);
        own.counts.sort_unstable();
        own.at = own.counts.len().saturating_sub(1);
        Ok(())
    },
    length: { own.counts.push(length); own.counts.sort_unstable(); own.at = own.counts.len() - 1; },
    value: if own.counts.is_empty() { 0.0 } else { own.counts[own.at] as f64 }
);

impl PartialEq for LosesItsScore {
    fn eq(&self, other: &Self) -> bool {
        self.stored == other.stored
    }
}

impl PartialEq for InOrderOfArrival {
    fn eq(&self, other: &Self) -> bool {
        self.seen.iter().collect::<BTreeSet<_>>() == other.seen.iter().collect()
    }
}

#[test]
fn sets_and_others() {
    check::<Lengths>();
    bug::<KeepsTheLarger>("homomorphism", &[0, 1]);
    bug::<KeepsTheLast>("commutativity", &[2, 1]);
    bug::<StoresHalf>("storing", &[1]);
    bug::<LosesItsScore>("storing", &[1]);
    bug::<InOrderOfArrival>("storing", &[0, 1]);
    breaks("over", "foreign statistics", &[], || laws::check(&Over(PhantomData::<MergesWithAnyShape>)));
    bug::<TrustsWhatIsStored>("no panic", &[]);
}
