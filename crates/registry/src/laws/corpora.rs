//! Random test corpora for the property tests of metrics: small, repeatable, and with many matches. A corpus
//! that fails a test is shrunk to a small one.

use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quickcheck::{Arbitrary, Gen};

use bleuprint_core::Segment;

use super::broken::{Broken, Held};
use crate::prelude::*;

/// Number of random test corpora for each property test.
const CASES: usize = 200;
/// Maximal number of smaller corpora that are tried after a property test fails.
const SHRINKS: usize = 600;

/// A random sequence before it becomes tokens, text or numbers: one byte per token.
pub(super) type Raw = Vec<u8>;

#[derive(Debug, Clone)]
pub(super) struct OwnedSegment {
    pub(super) hypothesis: Raw,
    pub(super) references: Vec<Raw>,
    pub(super) source: Option<Raw>,
}

impl OwnedSegment {
    /// Returns the segment as text for messages. `show` prints each sequence.
    pub(super) fn shown(&self, show: impl Fn(&Raw) -> String) -> String {
        let references: Vec<String> = self.references.iter().map(&show).collect();
        let source = self.source.as_ref().map_or_else(|| "none".into(), &show);
        let hypothesis = show(&self.hypothesis);
        format!("hypothesis {hypothesis}, references [{}], source {source}", references.join(", "))
    }
}

impl Arbitrary for OwnedSegment {
    fn arbitrary(generator: &mut Gen) -> Self {
        let references = 1 + usize::arbitrary(generator) % 3;
        let hypothesis = Raw::arbitrary(generator);
        let references = (0..references).map(|_| Raw::arbitrary(generator)).collect();
        OwnedSegment { hypothesis, references, source: Some(Raw::arbitrary(generator)) }
    }

    /// Returns smaller variants of a failing test segment. They still have a reference and a source.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let parts = (self.hypothesis.clone(), self.references.clone(), self.source.clone());
        let owned = |(hypothesis, references, source)| OwnedSegment { hypothesis, references, source };
        // Without a reference or source the metric would fail for another reason, which hides the broken law.
        let whole = |owned: &OwnedSegment| !owned.references.is_empty() && owned.source.is_some();
        Box::new(parts.shrink().map(owned).filter(whole))
    }
}

/// Returns the random test corpora, the same at every call.
pub(super) fn corpora() -> impl Iterator<Item = Vec<OwnedSegment>> {
    (0..CASES).map(|case| {
        // The size grows with the case, so that the first corpora are tiny and failures in them need little
        // shrinking.
        let mut generator = Gen::from_size_and_seed(2 + case % 12, case as u64);
        let count = usize::arbitrary(&mut generator) % 6;
        (0..count).map(|_| OwnedSegment::arbitrary(&mut generator)).collect()
    })
}

/// Returns a test segment that occurs in none of the random corpora.
pub(super) fn another() -> OwnedSegment {
    OwnedSegment { hypothesis: vec![0, 1, 2], references: vec![vec![0, 1]], source: Some(vec![1]) }
}

/// Returns one test corpus of three segments, for property tests that need only one.
pub(super) fn sample() -> Vec<OwnedSegment> {
    corpora().find(|corpus| corpus.len() == 3).unwrap_or_default()
}

pub(super) fn with_segments<R>(corpus: &[OwnedSegment], look: impl FnOnce(&[Segment<'_, [u8]>]) -> R) -> R {
    let references: Vec<Vec<&[u8]>> =
        corpus.iter().map(|owned| owned.references.iter().map(Vec::as_slice).collect()).collect();
    let segments = corpus.iter().zip(&references).map(|(owned, references)| {
        Segment::with_source(&owned.hypothesis[..], references, owned.source.as_deref())
    });
    look(&segments.collect::<Vec<_>>())
}

pub(super) fn with_references<'s>(
    segment: Segment<'s, [u8]>,
    references: &'s [&'s [u8]],
) -> Segment<'s, [u8]> {
    Segment::with_source(segment.hypothesis, references, segment.source)
}

/// Runs those property tests of a metric that do not need a test corpus.
///
/// # Panics
/// Panics if a test fails.
pub(super) fn hold(metric: &str, laws: impl Fn() -> Held) {
    if let Err(Broken { law, shown }) = guarded(laws) {
        panic!("{metric}: {law}: {shown}");
    }
}

/// Runs property tests of a metric on every random test corpus.
///
/// # Panics
/// Panics if a test fails, with the smallest corpus on which it fails. `show` prints its segments.
pub(super) fn hold_on_corpora(
    metric: &str,
    show: &dyn Fn(&OwnedSegment) -> String,
    laws: &dyn Fn(&[OwnedSegment]) -> Held,
) {
    let laws = |corpus: &[OwnedSegment]| guarded(|| laws(corpus));
    for corpus in corpora() {
        if let Err(broken) = laws(&corpus) {
            let (corpus, Broken { law, shown }) = smallest(corpus, broken, laws);
            panic!("{metric}: {law}: {shown}{}", listed(&corpus, show));
        }
    }
}

fn listed(corpus: &[OwnedSegment], show: &dyn Fn(&OwnedSegment) -> String) -> String {
    let segments = (1..).zip(corpus).map(|(number, owned)| format!("\n  {number}: {}", show(owned)));
    let segments: String = segments.collect();
    format!("\nthe smallest segments:{}", if segments.is_empty() { " none" } else { &segments })
}

/// Runs property tests, and reports a panic of the metric as a failed test.
fn guarded(laws: impl FnOnce() -> Held) -> Held {
    let in_words = |panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Broken { law: "no panic", shown: text.unwrap_or_else(|| "a panic without words".into()) }
    };
    catch_unwind(AssertUnwindSafe(laws)).map_err(in_words)?
}

fn smallest(
    mut corpus: Vec<OwnedSegment>,
    mut broken: Broken,
    laws: impl Fn(&[OwnedSegment]) -> Held,
) -> (Vec<OwnedSegment>, Broken) {
    let mut left = SHRINKS;
    loop {
        let mut tried = corpus.shrink().take(left).inspect(|_| left -= 1);
        let next = tried.find_map(|corpus| match laws(&corpus) {
            // Only the same law counts: a smaller corpus may break another law, which would mislead the
            // reader.
            Err(still) if still.law == broken.law => Some((corpus, still)),
            _ => None,
        });
        drop(tried);
        match next {
            Some(next) => (corpus, broken) = next,
            None => return (corpus, broken),
        }
    }
}
