//! Random test inputs: a seeded random generator, and quickcheck generators of segments for property tests.
//!
//! All tokens are drawn from a tiny alphabet, because the code under test counts matches, and random text
//! over a large alphabet has hardly any. The number of references varies on purpose: segments of one corpus
//! have one, two or three, and some references are empty.

use quickcheck::{Arbitrary, Gen};

/// Number of distinct tokens in the random segments of property tests.
pub const ALPHABET: u8 = 4;

/// Small seeded random generator (SplitMix64), for tests that must be reproducible everywhere.
///
/// It is implemented here, so that committed generated data cannot change with the version of a dependency.
///
/// ```
/// use bleuprint_testkit::random::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(10) < 10);
/// ```
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Creates a random generator with this seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// Returns the next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a random number in `0..limit`, or 0 if the limit is 0. The bias of the remainder is below
    /// 2^-50 for the limits used here.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next_u64() % limit as u64) as usize }
    }

    /// Returns a random number in `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Returns `true` at random, with a probability of `per_mille` / 1000.
    pub fn chance(&mut self, per_mille: usize) -> bool {
        self.below(1000) < per_mille
    }

    /// Returns one of the items, chosen at random.
    ///
    /// # Panics
    /// Panics if there are no items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Shuffles the items in place (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Random segment over an alphabet of a few tokens: a hypothesis and one to three references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomSegment {
    /// Tokens of the hypothesis; the list may be empty.
    pub hypothesis: Vec<u8>,
    /// Tokens of each reference: one to three lists, each possibly empty.
    pub references: Vec<Vec<u8>>,
}

impl RandomSegment {
    /// Returns the tokens of each reference as a slice, for use as an argument of metrics.
    pub fn references(&self) -> Vec<&[u8]> {
        self.references.iter().map(Vec::as_slice).collect()
    }
}

impl Arbitrary for RandomSegment {
    fn arbitrary(g: &mut Gen) -> Self {
        let hypothesis = tokens(g);
        let count = 1 + usize::from(u8::arbitrary(g) % 3);
        let references = (0..count).map(|_| related(g, &hypothesis)).collect();
        RandomSegment { hypothesis, references }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let shrunk = (self.hypothesis.clone(), self.references.clone()).shrink();
        Box::new(
            shrunk
                .filter(|(_, references)| !references.is_empty())
                .map(|(hypothesis, references)| RandomSegment { hypothesis, references }),
        )
    }
}

/// Corpus of random segments; it may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomCorpus(pub Vec<RandomSegment>);

impl Arbitrary for RandomCorpus {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = usize::from(u8::arbitrary(g) % 12);
        RandomCorpus((0..count).map(|_| RandomSegment::arbitrary(g)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(RandomCorpus))
    }
}

/// Draws a random list of tokens: mostly short, sometimes longer than 64 or 128 tokens, because code that
/// uses bit masks changes its algorithm there.
fn tokens(g: &mut Gen) -> Vec<u8> {
    // Long lists are rare, because most failures need only a few tokens and shrink to few.
    let len = match u8::arbitrary(g) % 16 {
        0 => 0,
        1 => usize::from(u8::arbitrary(g)),
        2 => 60 + usize::from(u8::arbitrary(g) % 10),
        _ => usize::from(u8::arbitrary(g) % 12),
    };
    (0..len).map(|_| u8::arbitrary(g) % ALPHABET).collect()
}

/// Draws a random reference. Half of the time it shares runs of tokens with the hypothesis, so that long
/// n-grams match too.
fn related(g: &mut Gen, hypothesis: &[u8]) -> Vec<u8> {
    if bool::arbitrary(g) || hypothesis.is_empty() {
        return tokens(g);
    }
    let mut reference = hypothesis.to_vec();
    for _ in 0..1 + u8::arbitrary(g) % 3 {
        let at = usize::arbitrary(g) % (reference.len() + 1);
        match u8::arbitrary(g) % 3 {
            0 => reference.insert(at, u8::arbitrary(g) % ALPHABET),
            1 if at < reference.len() => {
                reference.remove(at);
            }
            _ if at < reference.len() => reference[at] = u8::arbitrary(g) % ALPHABET,
            _ => {}
        }
    }
    reference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_pinned() {
        // Committed data depends on these numbers, so they must never change.
        let mut rng = Rng::new(0);
        assert_eq!(rng.next_u64(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(rng.next_u64(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn limits_are_kept() {
        let mut rng = Rng::new(3);
        assert_eq!(rng.below(0), 0);
        assert!((0..1000).map(|_| rng.between(4, 6)).all(|n| (4..=6).contains(&n)));
        assert!(!rng.chance(0) && rng.chance(1000));
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn segments_have_references_matches_and_every_length_class() {
        let mut g = Gen::new(100);
        let segments: Vec<RandomSegment> = (0..2000).map(|_| RandomSegment::arbitrary(&mut g)).collect();
        assert!(segments.iter().all(|segment| !segment.references.is_empty()));
        assert!(segments.iter().any(|segment| segment.hypothesis.is_empty()));
        assert!(segments.iter().any(|segment| segment.hypothesis.len() > 128));
        assert!(segments.iter().any(|segment| segment.references.len() == 3));
        assert!(segments.iter().any(|s| s.hypothesis.len() > 4 && s.references[0] == s.hypothesis));
    }

    #[test]
    fn shrinking_keeps_a_reference() {
        let segment = RandomSegment { hypothesis: vec![1, 2], references: vec![vec![1]] };
        assert!(segment.shrink().all(|smaller| !smaller.references.is_empty()));
    }
}
