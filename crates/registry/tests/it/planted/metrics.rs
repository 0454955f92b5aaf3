//! Planted bugs in the methods of a metric.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

use bleuprint_core::{Identity, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats, Totals};
use bleuprint_registry::{AnyMetric, laws};

use super::length_error::LengthError;
use super::{breaks, segment};

#[test]
fn the_right_metric_passes() {
    laws::check(&LengthError::right());
}

#[track_caller]
fn bug(bug: &'static str, law: &str, smallest: &[String]) {
    breaks("length_error", law, smallest, || laws::check(&LengthError::with(bug)));
}

#[test]
fn observing() {
    let empty = [segment(&[], &[&[]])];
    bug("caches references in scratch", "scratch", &empty);
    bug("counts before it fails", "errors", &empty);
    bug("first reference counts", "reference order", &[segment(&[], &[&[], &[7]])]);
    bug("needs an unsaid source", "without a source", &empty);
    bug("needs unsaid references", "without references", &empty);
    bug("observes several references", "one reference", &empty);
    bug("refuses two tokens", "observing", &[segment(&[7, 7], &[&[]])]);
    bug("panics on empty hypotheses", "no panic", &empty);
    bug("zero goes on", "fresh zero", &[]);
    bug("counts at home only", "threads", &[]);
}

#[test]
fn finishing() {
    let empty = [segment(&[], &[&[]])];
    bug("score in the configuration", "finishing only reads", &empty);
    bug("error without reason", "finishing only reads", &[]);
    bug("below the scale", "scale", &[]);
    bug("not a number", "scale", &[]);
    let halves = [segment(&[], &[&[]]), segment(&[7], &[&[]])];
    bug("number of its own", "number", &halves);
    bug("second headline first", "number", &empty);
    bug("quotient of other counts", "quotient", &empty);
    bug("quotient of an unknown column", "quotient", &[]);
    bug("one name for two", "headlines", &[]);
    bug("one name twice", "headlines", &[]);
    bug("refuses its own", "own check", &[segment(&[7, 7], &[&[]])]);
    bug("panics on hostile rows", "no panic", &[]);
}

#[test]
fn identity() {
    bug("serves other layouts", "storing", &[segment(&[], &[&[]])]);
    bug("key of its own", "key and signature", &[]);
    breaks("length|error", "key and signature", &[], || laws::check(&LengthError::with("unreadable name")));
}

#[test]
fn speed_ups() {
    let empty = segment(&[], &[&[]]);
    bug("pairs", "pairs", &[segment(&[], &[&[7]])]);
    bug("answers in another form", "pairs: the answer has the form of another question's", &[]);
    bug("left out of others", "leave one out", &[segment(&[], &[&[7]])]);
    bug("left out", "leave one out", &[segment(&[], &[&[7]]), segment(&[7], &[&[]])]);
    bug("aggregate", "aggregate", std::slice::from_ref(&empty));
    bug("aggregate of no segments", "aggregate", &[empty.clone(), empty.clone()]);
    bug("prepare", "prepared references", &[segment(&[], &[&[], &[]])]);
    bug("prepare without references", "prepared references", std::slice::from_ref(&empty));
    bug("prefixes", "prefixes", &[segment(&[7, 7], &[&[]])]);
    bug("last prefix", "prefixes", &[segment(&[7, 7, 7], &[&[]])]);
    bug("batches", "batches", &[empty.clone(), empty.clone()]);
    bug("batch errors", "batches", &[empty]);
}

#[test]
fn nan_is_called_nan() {
    let check = || laws::check(&LengthError::with("not a number"));
    let message = std::panic::catch_unwind(check).unwrap_err().downcast::<String>().unwrap();
    assert!(message.starts_with("length_error: scale: NaN is not on the scale from 0 to inf"), "{message}");
}

/// A metric without speed-ups, made of a function that counts and an identity.
#[derive(Clone)]
struct Plain {
    count: fn(&Looked) -> u64,
    says: fn(Identity) -> Identity,
}

/// Everything that such a metric sees: the hashes of tokens, and the size of their type.
struct Looked {
    size: usize,
    hypothesis: Vec<u64>,
    references: Vec<Vec<u64>>,
    source: Vec<u64>,
}

impl Metric for Plain {
    type Stats = [u64; 1];
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        (self.says)(Identity::new("plain", 1, Scale::UNBOUNDED))
    }
    fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64> {
        Ok(stats[0] as f64)
    }
}

impl<T: Hash> Observe<[T]> for Plain {
    fn observe(&self, (): &mut (), stats: &mut [u64; 1], segment: Segment<'_, [T]>) -> Result<()> {
        let hash = |token: &T| BuildHasherDefault::<DefaultHasher>::default().hash_one(token);
        let hashes = |tokens: &[T]| tokens.iter().map(hash).collect();
        let looked = Looked {
            size: size_of::<T>(),
            hypothesis: hashes(segment.hypothesis),
            references: segment.references.iter().map(|tokens| hashes(tokens)).collect(),
            source: segment.source.map(hashes).unwrap_or_default(),
        };
        stats.merge(&[(self.count)(&looked)])
    }
}

#[test]
fn what_a_metric_looks_at() {
    let even: fn(&Looked) -> u64 = |looked| looked.hypothesis.iter().map(|hash| hash % 2).sum();
    laws::check(&Plain {
        count: even,
        says: |identity| identity.reference_free().needing(|needs| needs.tokens = true),
    });
    let tokens = || laws::check(&Plain { count: even, says: Identity::reference_free });
    breaks("plain", "relabelling", &[segment(&[7], &[&[]])], tokens);

    let references: fn(&Looked) -> u64 =
        |looked| looked.references.iter().map(|tokens| tokens.len() as u64).sum();
    laws::check(&Plain { count: references, says: |identity| identity });
    let references = || laws::check(&Plain { count: references, says: Identity::reference_free });
    breaks("plain", "without references", &[segment(&[], &[&[7]])], references);

    let source: fn(&Looked) -> u64 = |looked| looked.source.len() as u64;
    laws::check(&Plain {
        count: source,
        says: |identity| identity.reference_free().needing(|needs| needs.source = true),
    });
    let source = || laws::check(&Plain { count: source, says: Identity::reference_free });
    let smallest = segment(&[], &[&[]]).replace("source []", "source [7]");
    breaks("plain", "without a source", &[smallest], source);

    let first: fn(&Looked) -> u64 =
        |looked| looked.references.first().map_or(0, |tokens| tokens.len() as u64);
    laws::check(&Plain {
        count: first,
        says: |identity| identity.needing(|needs| needs.reference_order = true),
    });
}

/// Uses a metric over any tokens, which cannot name their type but can measure its size.
#[test]
fn views_of_the_same_tokens_give_the_same_counts() {
    type Count = fn(&Looked) -> u64;
    let counts: [(Count, &str); 3] = [
        (|looked| u64::from(looked.size == size_of::<u32>()), "relabelling: bytes"),
        (|looked| u64::from(looked.size == size_of::<u8>()), "relabelling: bytes"),
        (|looked| u64::from(looked.size == size_of::<String>()), "relabelling: words"),
    ];
    for (of_a_type, law) in counts {
        let longer = |count: Count| Plain { count, says: Identity::reference_free };
        breaks("plain", law, &[segment(&[], &[&[]])], || laws::check(&longer(of_a_type)));
    }
}

/// Returns a metric that counts the tokens equal to one token.
fn equal(to: u32) -> impl Observe<[u32], Stats = [u64; 1]> {
    let count = move |segment: Segment<'_, [u32]>| {
        Ok([segment.hypothesis.iter().filter(|token| **token == to).count() as u64])
    };
    let identity = Identity::new("equal", 1, Scale::UNBOUNDED).reference_free();
    Totals::new(identity, count, |[equal]: &[u64; 1], _| Ok(*equal as f64))
}

fn few(raw: &[u8]) -> Vec<u32> {
    raw.iter().map(|token| u32::from(token % 3)).collect()
}

fn check_equal(token: u32) {
    laws::check_sequences::<[u32]>(&equal(token), few);
}

#[test]
fn a_metric_that_is_never_reached_is_caught() {
    check_equal(2);
    let law = "reaching: the generator never reaches this metric";
    breaks("equal", law, &[], || check_equal(9));
    breaks("equal", law, &[], || laws::check_any(&AnyMetric::for_ids(equal(9)).unwrap()));
}
