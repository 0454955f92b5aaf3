//! Random corpora for the laws: small, repeatable, with things that match.

use alloc::vec::Vec;
use core::borrow::Borrow;

use quickcheck::{Arbitrary, Gen};

use crate::Segment;

/// How many random corpora each law sees.
pub const CASES: usize = 200;

/// A segment that owns its sequences.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnedSegment<O> {
    /// The hypothesis.
    pub hypothesis: O,
    /// One reference or more.
    pub references: Vec<O>,
    /// The source.
    pub source: O,
}

impl<O> OwnedSegment<O> {
    /// Hands the segment, as a metric observes it, to `look`.
    pub fn with<S: ?Sized, R>(&self, look: impl FnOnce(Segment<'_, S>) -> R) -> R
    where
        O: Borrow<S>,
    {
        let references: Vec<&S> = self.references.iter().map(Borrow::borrow).collect();
        look(Segment::new(self.hypothesis.borrow(), &references).with_source(self.source.borrow()))
    }

    /// The segment with every sequence replaced.
    pub fn map<P>(&self, map: impl Fn(&O) -> P) -> OwnedSegment<P> {
        OwnedSegment {
            hypothesis: map(&self.hypothesis),
            references: self.references.iter().map(&map).collect(),
            source: map(&self.source),
        }
    }

    /// The segment with its references in the opposite order.
    #[must_use]
    pub fn reversed(&self) -> Self
    where
        O: Clone,
    {
        OwnedSegment { references: self.references.iter().rev().cloned().collect(), ..self.clone() }
    }
}

/// Small tokens, of the alphabet `0..3`.
pub fn tokens(generator: &mut Gen) -> Vec<u8> {
    Vec::<u8>::arbitrary(generator).into_iter().map(|token| token % 3).collect()
}

/// Random corpora of sequences that `generate` makes: the same at every call.
pub fn corpora<O>(mut generate: impl FnMut(&mut Gen) -> O) -> impl Iterator<Item = Vec<OwnedSegment<O>>> {
    (0..CASES).map(move |case| {
        let mut generator = Gen::from_size_and_seed(2 + case % 12, case as u64);
        let count = usize::arbitrary(&mut generator) % 6;
        (0..count)
            .map(|_| {
                let references = 1 + usize::arbitrary(&mut generator) % 3;
                let hypothesis = generate(&mut generator);
                let references = (0..references).map(|_| generate(&mut generator)).collect();
                OwnedSegment { hypothesis, references, source: generate(&mut generator) }
            })
            .collect()
    })
}
