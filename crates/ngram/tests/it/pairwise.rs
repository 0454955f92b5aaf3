//! Property test of n-gram counts for all pairs: each pair's counts equal the reference implementation's, for
//! all lengths, orders and pool sizes.

use bleuprint_ngram::naive;
use bleuprint_ngram::pairwise::{HypothesisNgrams, NumberedReferences, ReferenceBlock, WIDTH, overlap_all};
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// Random test sequences that are edits of one another, like several translations of one source.
#[derive(Debug, Clone)]
struct Pool {
    hypotheses: Vec<Vec<u32>>,
    references: Vec<Vec<u32>>,
    max_order: usize,
}

fn below(g: &mut Gen, limit: usize) -> usize {
    usize::arbitrary(g) % limit.max(1)
}

impl Arbitrary for Pool {
    fn arbitrary(g: &mut Gen) -> Self {
        let alphabet = *g.choose(&[1, 2, 5, 60]).unwrap();
        let length = *g.choose(&[0, 3, 12, 40, 300]).unwrap();
        let most = *g.choose(&[0, 1, 5, 70, 140]).unwrap();
        let token = |g: &mut Gen| (below(g, alphabet) as u32).wrapping_mul(0x9E37_79B1);
        let source: Vec<u32> = (0..length).map(|_| token(g)).collect();
        let edited = |g: &mut Gen| -> Vec<u32> {
            let cut = below(g, source.len() + 1);
            let kept = |g: &mut Gen, &known: &u32| if below(g, 5) == 0 { token(g) } else { known };
            source[cut / 4..].iter().map(|known| kept(g, known)).collect()
        };
        let count = |g: &mut Gen| below(g, if length > 100 { 4 } else { most + 1 });
        let (hypotheses, references) = (count(g), count(g));
        Pool {
            hypotheses: (0..hypotheses.min(9)).map(|_| edited(g)).collect(),
            references: (0..references).map(|_| edited(g)).collect(),
            max_order: below(g, 7),
        }
    }
}

fn slices(rows: &[Vec<u32>]) -> Vec<&[u32]> {
    rows.iter().map(Vec::as_slice).collect()
}

impl Pool {
    /// Returns the matches of each order, for each hypothesis and each reference.
    fn expected(&self) -> Vec<Vec<Vec<u64>>> {
        let pair = |hypothesis: &Vec<u32>, reference: &Vec<u32>| {
            let mut clipped = vec![0; self.max_order];
            naive::overlap(hypothesis, &[reference], &mut clipped);
            clipped
        };
        let row = |hypothesis| self.references.iter().map(|reference| pair(hypothesis, reference)).collect();
        self.hypotheses.iter().map(row).collect()
    }

    fn counted(&self) -> Vec<Vec<Vec<u64>>> {
        let mut all = vec![vec![Vec::new(); self.references.len()]; self.hypotheses.len()];
        let (hypotheses, references) = (slices(&self.hypotheses), slices(&self.references));
        let done = overlap_all(&hypotheses, &references, self.max_order, |hypothesis, first, counts| {
            let lanes = WIDTH.min(references.len() - first);
            for lane in 0..lanes {
                all[hypothesis][first + lane] = counts.iter().map(|order| order[lane].into()).collect();
            }
            assert!(counts.iter().all(|order| order[lanes..].iter().all(|&count| count == 0)));
        });
        assert!(done);
        all
    }
}

#[test]
fn all_pairs_equal_the_twin() {
    fn law(pool: Pool) -> bool {
        pool.counted() == pool.expected()
    }
    QuickCheck::new().tests(300).quickcheck(law as fn(Pool) -> bool);
}

#[test]
fn tables_are_used_again() {
    let long: Vec<u32> = (0..70_000).map(|i| i % 7).collect();
    let pools =
        [vec![vec![1, 2, 3]; 3], vec![long.clone(), vec![4; 300]], vec![vec![3, 2, 1, 2]; 65], vec![]];
    let (mut looked_up, mut block) = (HypothesisNgrams::default(), ReferenceBlock::default());
    for pool in pools.iter().chain(&pools) {
        let references = NumberedReferences::new(&slices(pool), 3).unwrap();
        let hypotheses: [&[u32]; 3] = [&long[..20], &[1, 2, 3, 2, 1], &[]];
        assert!(looked_up.look_up(&references, &hypotheses));
        for number in 0..references.len().div_ceil(WIDTH) {
            block.load(&references, number);
            for (index, hypothesis) in hypotheses.iter().enumerate() {
                let mut counts = [[9; WIDTH]; 3];
                block.overlap(&looked_up, index, &mut counts);
                for (lane, reference) in pool.iter().skip(number * WIDTH).take(WIDTH).enumerate() {
                    let (mut expected, mut scratch) = ([0; 3], bleuprint_ngram::Scratch::default());
                    bleuprint_ngram::overlap(&mut scratch, hypothesis, &[reference], &mut expected);
                    assert_eq!(counts.map(|order| u64::from(order[lane])), expected);
                }
            }
        }
    }
}

#[test]
fn counts_fill_their_rows() {
    for len in [255, 256, 65_535, 65_536] {
        let (short, long) = (vec![7; len], vec![7; len + 1]);
        let mut seen = Vec::new();
        let pools: [[&[u32]; 2]; 2] = [[&short, &long], [&short, &long]];
        assert!(overlap_all(&pools[0], &pools[1], 2, |_, _, counts| {
            seen.push([counts[0][0], counts[0][1], counts[1][0], counts[1][1]]);
        }));
        let len = len as u32;
        assert_eq!(seen, [[len, len, len - 1, len - 1], [len, len + 1, len - 1, len]]);
        assert!(overlap_all(&pools[0], &pools[1][..1], 1, |_, _, counts| assert_eq!(counts[0][0], len)));
    }
}
