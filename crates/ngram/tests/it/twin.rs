//! Property test of all n-gram counting algorithms: each equals the reference implementation, for every token
//! type, length, order and number of references.

use bleuprint_ngram::{PreparedIds, Scratch, gains, naive, overlap, prepare};
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// A segment over a tiny alphabet, so that n-grams match and repeat.
#[derive(Debug, Clone)]
struct Segment {
    hypothesis: Vec<u32>,
    references: Vec<Vec<u32>>,
    max_order: usize,
}

impl Arbitrary for Segment {
    fn arbitrary(g: &mut Gen) -> Self {
        let alphabet = *g.choose(&[1, 2, 3, 5, 12, 60, 1000]).unwrap();
        let lengths = *g.choose(&[4, 20, 70, 140, 300]).unwrap();
        let references = *g.choose(&[0, 1, 1, 1, 2, 3, 8]).unwrap();
        let mut source = sequence(g, lengths, alphabet);
        source.truncate(lengths as usize);
        let like = |g: &mut Gen| {
            if bool::arbitrary(g) { sequence(g, lengths, alphabet) } else { changed(g, &source, alphabet) }
        };
        Segment {
            hypothesis: like(g),
            references: (0..references).map(|_| like(g)).collect(),
            max_order: 1 + below(g, 9) as usize,
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let shrunk = (self.hypothesis.clone(), self.references.clone(), self.max_order).shrink();
        Box::new(
            shrunk
                .filter(|(.., max_order)| *max_order > 0)
                .map(|(hypothesis, references, max_order)| Segment { hypothesis, references, max_order }),
        )
    }
}

fn below(g: &mut Gen, limit: u32) -> u32 {
    u32::arbitrary(g) % limit
}

fn sequence(g: &mut Gen, max_length: u32, alphabet: u32) -> Vec<u32> {
    let length = below(g, max_length + 1);
    (0..length).map(|_| below(g, alphabet)).collect()
}

/// Returns the source with about one token in eight replaced, dropped or doubled, so that long runs match.
fn changed(g: &mut Gen, source: &[u32], alphabet: u32) -> Vec<u32> {
    let mut changed = Vec::new();
    for &token in source {
        match below(g, 24) {
            0 => changed.push(below(g, alphabet)),
            1 => {}
            2 => changed.extend([token; 2]),
            _ => changed.push(token),
        }
    }
    changed
}

fn slices<T>(rows: &[Vec<T>]) -> Vec<&[T]> {
    rows.iter().map(Vec::as_slice).collect()
}

impl Segment {
    fn expected(&self) -> Vec<u64> {
        let mut clipped = vec![u64::MAX; self.max_order];
        naive::overlap(&self.hypothesis, &slices(&self.references), &mut clipped);
        clipped
    }

    fn renamed<T>(&self, name: impl Fn(u32) -> T) -> (Vec<T>, Vec<Vec<T>>) {
        let rename = |sequence: &Vec<u32>| sequence.iter().map(|&token| name(token)).collect();
        (rename(&self.hypothesis), self.references.iter().map(rename).collect())
    }

    /// Counts directly and with prepared references, over tokens of type `T`.
    fn counted<T: std::hash::Hash + Eq>(
        &self,
        scratch: &mut Scratch,
        name: impl Fn(u32) -> T,
    ) -> [Vec<u64>; 2] {
        let (hypothesis, references) = self.renamed(name);
        let references = slices(&references);
        let mut counted = [vec![u64::MAX; self.max_order], vec![u64::MAX; self.max_order]];
        overlap(scratch, &hypothesis, &references, &mut counted[0]);
        let prepared = prepare(scratch, &references, self.max_order);
        assert!(prepared.references() == references);
        prepared.overlap(scratch, &hypothesis, &mut counted[1]);
        counted
    }
}

#[test]
fn ids_equal_the_twin() {
    fn law(segment: Segment) -> bool {
        thread_local!(static SCRATCH: std::cell::RefCell<Scratch> = Scratch::default().into());
        let expected = segment.expected();
        SCRATCH.with_borrow_mut(|scratch| {
            let sparse = |token: u32| token.wrapping_mul(0x9E37_79B1);
            segment.counted(scratch, |token| token).iter().all(|counted| *counted == expected)
                && segment.counted(scratch, sparse).iter().all(|counted| *counted == expected)
        })
    }
    QuickCheck::new().tests(3000).quickcheck(law as fn(Segment) -> bool);
}

#[test]
fn token_types_equal_the_twin() {
    fn law(segment: Segment) -> bool {
        let (expected, scratch) = (segment.expected(), &mut Scratch::default());
        let counted = [
            segment.counted(scratch, |token| token as u16),
            segment.counted(scratch, |token| char::from_u32(token + 0x1_F600)),
            segment.counted(scratch, |token| char::from_u32(token + 0x1_F600).unwrap()),
            segment.counted(scratch, |token| token.to_string()),
            segment.counted(scratch, |token| i64::from(token) - 1),
            segment.counted(scratch, |token| (token, ())),
        ];
        counted.iter().flatten().all(|counted| *counted == expected)
    }
    QuickCheck::new().tests(500).quickcheck(law as fn(Segment) -> bool);
}

/// Uses one set of prepared references for several hypotheses.
#[test]
fn prepared_ids_equal_the_twin() {
    fn law(segment: Segment, others: Vec<Segment>) -> bool {
        let references = slices(&segment.references);
        let scratch = &mut Scratch::default();
        let prepared = PreparedIds::new(scratch, &references, segment.max_order);
        std::iter::once(&segment).chain(others.iter().take(5)).all(|other| {
            let mut clipped = vec![u64::MAX; segment.max_order];
            prepared.overlap(scratch, &other.hypothesis, &mut clipped);
            let mut expected = clipped.clone();
            naive::overlap(&other.hypothesis, &references, &mut expected);
            clipped == expected
        })
    }
    QuickCheck::new().tests(300).quickcheck(law as fn(Segment, Vec<Segment>) -> bool);
}

#[test]
fn gains_of_prefixes_equal_the_twin() {
    fn law(segment: Segment, end: usize) -> bool {
        let references = slices(&segment.references);
        let gains = gains(&segment.hypothesis, &references, segment.max_order).unwrap();
        let prefix = &segment.hypothesis[..end % (segment.hypothesis.len() + 1)];
        let mut expected = vec![u64::MAX; segment.max_order];
        naive::overlap(prefix, &references, &mut expected);
        let of_order = |order: usize| gains[..prefix.len()].iter().map(|gain| gain >> order & 1).sum::<u64>();
        (0..segment.max_order).map(of_order).eq(expected)
            && gains.iter().all(|gain| gain >> segment.max_order == 0)
    }
    QuickCheck::new().tests(500).quickcheck(law as fn(Segment, usize) -> bool);
}
