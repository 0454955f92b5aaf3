//! Property tests of the kernels: each equals the computation of one pair at a time.

use super::super::EditCounts;
use super::super::align::{AlignScratch, align, is_cut, without_ends};
use super::super::naive::fewest_edits;
use super::*;

/// Exclusive bound of the tokens of [`pairs`].
const DISTINCT: usize = 104;

/// Creates pairs of token sequences of various lengths and alphabets. The two sequences of a pair differ
/// in their first tokens and in their last tokens.
fn pairs(seeds: &[(u8, u16, u16, u8)]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let tokens = |seed: usize, length: u16, alphabet: u8, own: u32| {
        let token =
            |at: usize| ((at * at + 31 * seed * at / 7 + seed) % (usize::from(alphabet % 60) + 1)) as u32;
        let inner = (0..usize::from(length % 400)).map(token);
        core::iter::once(100 + own).chain(inner).chain([102 + own]).collect()
    };
    let pair = |&(seed, rows, columns, alphabet): &(u8, u16, u16, u8)| {
        let columns = if seed % 3 == 0 { rows.wrapping_add(columns % 20) } else { columns };
        (tokens(usize::from(seed), rows, alphabet, 0), tokens(usize::from(seed / 16), columns, alphabet, 1))
    };
    seeds.iter().map(pair).collect()
}

/// Kernel that computes like `K`, but never in vectors that only some processors have.
#[derive(Debug, Clone, Default)]
struct Portable<K>(K);

/// Returns the results of a kernel for all pairs, as it is chosen for this processor and as it is compiled
/// for every processor. Each runs twice, because the tables are reused.
fn compared<K: LaneKernel + Default>(pairs: &[Pair<'_>]) -> [Vec<K::Found>; 3] {
    let mut tables = LaneTables::<K>::default();
    let mut portable = LaneTables::<Portable<K>>::default();
    let mut found = [(); 3].map(|()| vec![K::Found::default(); pairs.len()]);
    let [first, second, third] = &mut found;
    tables.compare_each(pairs, DISTINCT, |at, one| first[at] = one);
    tables.compare_each(pairs, DISTINCT, |at, one| second[at] = one);
    portable.compare_each(pairs, DISTINCT, |at, one| third[at] = one);
    found
}

impl<K: LaneKernel> LaneKernel for Portable<K> {
    type Found = K::Found;
    const FIRST_ROW: usize = K::FIRST_ROW;
    const IS_SYMMETRIC: bool = K::IS_SYMMETRIC;

    // A call, so that the body is not compiled with the features of its caller.
    #[inline(never)]
    fn compute(&mut self, masks: &[Lanes], group: &LaneGroup<'_>) -> [K::Found; LANES] {
        self.0.compute(masks, group)
    }
}

fn agree<K: LaneKernel<Found: PartialEq> + Default>(
    seeds: &[(u8, u16, u16, u8)],
    one_pair: fn(&[u32], &[u32]) -> K::Found,
) -> bool {
    let owned = pairs(seeds);
    let pairs: Vec<Pair<'_>> = owned.iter().map(|(one, other)| (&one[..], &other[..])).collect();
    let expected: Vec<K::Found> = pairs.iter().map(|(one, other)| one_pair(one, other)).collect();
    assert!(pairs.iter().all(|&pair| fits(pair, DISTINCT) && without_ends(pair.0, pair.1).0 == 0));
    compared::<K>(&pairs).iter().all(|found| *found == expected)
}

quickcheck::quickcheck! {
    fn counts_are_those_of_the_alignment_of_each_pair(seeds: Vec<(u8, u16, u16, u8)>) -> bool {
        agree::<CountLanes>(&seeds, |reference, hypothesis| {
            let none = EditCounts::default();
            align(&mut AlignScratch::default(), reference, hypothesis, DISTINCT, none).unwrap()
        })
    }

    fn distances_are_those_of_the_whole_table(seeds: Vec<(u8, u16, u16, u8)>) -> bool {
        agree::<DistanceLanes>(&seeds[..seeds.len().min(20)], fewest_edits)
    }
}

#[test]
fn no_pair_that_fits_is_cut() {
    assert!(!is_cut(MOST_WORDS * WORD - 1, MOST_COLUMNS, None));
}
