//! Random corpora for the laws, small, repeatable, with things that match; and the way from a corpus that breaks a law
//! to the smallest.

use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quickcheck::{Arbitrary, Gen};

use bleuprint_core::Segment;

use super::broken::{Broken, Held};
use crate::prelude::*;

/// The number of random corpora for each law.
const CASES: usize = 200;
/// The greatest number of smaller corpora tried for a broken law.
const SHRINKS: usize = 600;

/// A sequence before its view: a byte per token.
pub(super) type Raw = Vec<u8>;

#[derive(Debug, Clone)]
pub(super) struct Owned {
    pub(super) hypothesis: Raw,
    pub(super) references: Vec<Raw>,
    pub(super) source: Option<Raw>,
}

impl Owned {
    /// The segment in words, with its sequences as `show` shows them.
    pub(super) fn shown(&self, show: impl Fn(&Raw) -> String) -> String {
        let references: Vec<String> = self.references.iter().map(&show).collect();
        let source = self.source.as_ref().map_or_else(|| "none".into(), &show);
        let hypothesis = show(&self.hypothesis);
        format!("hypothesis {hypothesis}, references [{}], source {source}", references.join(", "))
    }
}

impl Arbitrary for Owned {
    fn arbitrary(generator: &mut Gen) -> Self {
        let references = 1 + usize::arbitrary(generator) % 3;
        let hypothesis = Raw::arbitrary(generator);
        let references = (0..references).map(|_| Raw::arbitrary(generator)).collect();
        Owned { hypothesis, references, source: Some(Raw::arbitrary(generator)) }
    }

    /// Every smaller segment that still has a reference and a source.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let parts = (self.hypothesis.clone(), self.references.clone(), self.source.clone());
        let owned = |(hypothesis, references, source)| Owned { hypothesis, references, source };
        let whole = |owned: &Owned| !owned.references.is_empty() && owned.source.is_some();
        Box::new(parts.shrink().map(owned).filter(whole))
    }
}

/// Random corpora: the same at every call.
pub(super) fn corpora() -> impl Iterator<Item = Vec<Owned>> {
    (0..CASES).map(|case| {
        let mut generator = Gen::from_size_and_seed(2 + case % 12, case as u64);
        let count = usize::arbitrary(&mut generator) % 6;
        (0..count).map(|_| Owned::arbitrary(&mut generator)).collect()
    })
}

/// A segment outside all corpora.
pub(super) fn another() -> Owned {
    Owned { hypothesis: vec![0, 1, 2], references: vec![vec![0, 1]], source: Some(vec![1]) }
}

/// One corpus of several segments, for laws that need only one.
pub(super) fn sample() -> Vec<Owned> {
    corpora().find(|corpus| corpus.len() == 3).unwrap_or_default()
}

pub(super) fn with_segments<R>(corpus: &[Owned], look: impl FnOnce(&[Segment<'_, [u8]>]) -> R) -> R {
    let references: Vec<Vec<&[u8]>> =
        corpus.iter().map(|owned| owned.references.iter().map(Vec::as_slice).collect()).collect();
    let segments = corpus
        .iter()
        .zip(&references)
        .map(|(owned, references)| Segment::of(&owned.hypothesis[..], references, owned.source.as_deref()));
    look(&segments.collect::<Vec<_>>())
}

pub(super) fn with_references<'s>(
    segment: Segment<'s, [u8]>,
    references: &'s [&'s [u8]],
) -> Segment<'s, [u8]> {
    Segment::of(segment.hypothesis, references, segment.source)
}

/// Puts laws to a metric without a corpus.
///
/// # Panics
/// When one is broken.
pub(super) fn hold(metric: &str, laws: impl Fn() -> Held) {
    if let Err(Broken { law, shown }) = guarded(laws) {
        panic!("{metric}: {law}: {shown}");
    }
}

/// Puts laws to every corpus.
///
/// # Panics
/// When one is broken, with the smallest corpus that breaks it, as `show` shows its segments.
pub(super) fn hold_on_corpora(
    metric: &str,
    show: &dyn Fn(&Owned) -> String,
    laws: &dyn Fn(&[Owned]) -> Held,
) {
    let laws = |corpus: &[Owned]| guarded(|| laws(corpus));
    for corpus in corpora() {
        if let Err(broken) = laws(&corpus) {
            let (corpus, Broken { law, shown }) = smallest(corpus, broken, laws);
            panic!("{metric}: {law}: {shown}{}", listed(&corpus, show));
        }
    }
}

fn listed(corpus: &[Owned], show: &dyn Fn(&Owned) -> String) -> String {
    let segments = (1..).zip(corpus).map(|(number, owned)| format!("\n  {number}: {}", show(owned)));
    let segments: String = segments.collect();
    format!("\nthe smallest segments:{}", if segments.is_empty() { " none" } else { &segments })
}

/// A metric that panics breaks a law like any other.
fn guarded(laws: impl FnOnce() -> Held) -> Held {
    let in_words = |panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Broken { law: "no panic", shown: text.unwrap_or_else(|| "a panic without words".into()) }
    };
    catch_unwind(AssertUnwindSafe(laws)).map_err(in_words)?
}

fn smallest(
    mut corpus: Vec<Owned>,
    mut broken: Broken,
    laws: impl Fn(&[Owned]) -> Held,
) -> (Vec<Owned>, Broken) {
    let mut left = SHRINKS;
    loop {
        let mut tried = corpus.shrink().take(left).inspect(|_| left -= 1);
        let next = tried.find_map(|corpus| match laws(&corpus) {
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
