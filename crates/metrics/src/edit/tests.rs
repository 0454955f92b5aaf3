//! Tests of the edit-distance algorithms against their reference implementations.

use bleuprint_core::{Observe, Segment};
use bleuprint_testkit::random::Rng;
use quickcheck::{Arbitrary, Gen, quickcheck};

use super::align::{AlignScratch, align, align_by, pairs_first};
use super::distance::{DistanceScratch, distance};
use super::ordered::Preference;
use super::path::{PathLimits, PathScratch, Prefer, path, path_by};
use super::{Borders, EditCounts, EditOperation, EditRate, naive, resegment};

/// Two random sequences over a small alphabet, similar or not, with lengths that reach every branch of the
/// edit-distance algorithms.
#[derive(Debug, Clone)]
struct Pair(Vec<u32>, Vec<u32>);

impl Arbitrary for Pair {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, limit: usize| usize::arbitrary(g) % limit;
        let longest: usize = *g.choose(&[3, 8, 8, 20, 60, 70, 130, 300, 600]).unwrap();
        let alphabet: usize = *g.choose(&[1, 2, 3, 4, 10, 100]).unwrap();
        let tokens = |g: &mut Gen, longest: usize| -> Vec<u32> {
            (0..below(g, longest + 1)).map(|_| below(g, alphabet) as u32).collect()
        };
        let reference = tokens(g, longest);
        if below(g, 3) == 0 {
            return Pair(reference, tokens(g, longest));
        }
        let mut hypothesis = reference.clone();
        for _ in 0..below(g, 12) {
            let at = below(g, hypothesis.len() + 1);
            let to = (at + below(g, 4)).min(hypothesis.len());
            hypothesis.splice(at..to, tokens(g, 3));
        }
        Pair(reference, hypothesis)
    }
}

impl Pair {
    fn distinct(&self) -> usize {
        self.0.iter().chain(&self.1).max().map_or(0, |id| *id as usize + 1)
    }

    fn unrelated(lengths: [usize; 2], alphabet: usize) -> Pair {
        let mut random = Rng::new(7);
        let [reference, hypothesis] =
            lengths.map(|len| (0..len).map(|_| random.below(alphabet) as u32).collect());
        Pair(reference, hypothesis)
    }
}

fn cut_often(reference: usize, hypothesis: usize, bound: Option<usize>) -> bool {
    let edits = bound.unwrap_or(usize::MAX).min(reference.max(hypothesis));
    reference.min(2 * edits + 1) * hypothesis >= 300 && reference >= 6 && hypothesis >= 4
}

quickcheck! {
    fn pairs_come_first_as_by_the_table(pair: Pair) -> bool {
        let Pair(mut reference, hypothesis) = pair;
        reference.truncate(64);
        let distinct = Pair(reference.clone(), hypothesis.clone()).distinct();
        let found = pairs_first(&mut AlignScratch::default(), &reference, &hypothesis, distinct);
        found.unwrap() == Preference::TEXTERRORS.align(&reference, &hypothesis).unwrap()
    }

    fn alignments_equal_the_naive_twins(pairs: Vec<Pair>) -> bool {
        let mut scratch = AlignScratch::default();
        pairs.iter().all(|pair| {
            let whole = align(&mut scratch, &pair.0, &pair.1, pair.distinct(), Vec::new()).unwrap();
            let counts = align(&mut scratch, &pair.0, &pair.1, pair.distinct(), EditCounts::default()).unwrap();
            counts == EditCounts::from_operations(&whole) && whole == naive::align(&pair.0, &pair.1, None, |_, _, _| false)
        })
    }

    fn alignments_by_halves_equal_the_naive_twins(pairs: Vec<Pair>) -> bool {
        let mut scratch = AlignScratch::default();
        pairs.iter().all(|pair| {
            let cut = naive::align(&pair.0, &pair.1, None, cut_often);
            [0, 2_000, usize::MAX].into_iter().all(|most_kept| {
                let rule = (cut_often as _, most_kept);
                cut == align_by(&mut scratch, &pair.0, &pair.1, pair.distinct(), rule, Vec::new()).unwrap()
            })
        })
    }

    fn paths_equal_the_naive_twins(pairs: Vec<Pair>) -> bool {
        let mut scratch = PathScratch::default();
        pairs.iter().all(|pair| [Prefer::Insertion, Prefer::Deletion].into_iter().all(|prefer| {
            let wanted = naive::path(&pair.0, &pair.1, prefer);
            // The whole table, narrow and wide bands of the grid, and the grid with its strips in groups.
            [(usize::MAX, 0, 1), (0, usize::MAX, 1), (0, usize::MAX, 600), (0, 0, 1), (0, 0, 600)]
                .into_iter()
                .all(|(whole_cells, most_kept, first_guess)| {
                    let limits = PathLimits { whole_cells, most_kept, first_guess };
                    path_by(&mut scratch, &pair.0, &pair.1, pair.distinct(), prefer, limits).unwrap() == wanted
                })
        }))
    }

    fn paths_by_default_equal_the_naive_twins(pairs: Vec<Pair>) -> bool {
        let mut scratch = PathScratch::default();
        pairs.iter().all(|pair| {
            [Prefer::Insertion, Prefer::Deletion].into_iter().all(|prefer| {
                path(&mut scratch, &pair.0, &pair.1, pair.distinct(), prefer).unwrap() == naive::path(&pair.0, &pair.1, prefer)
            })
        })
    }

    fn distances_equal_the_naive_twins(pairs: Vec<Pair>) -> bool {
        let mut scratch = DistanceScratch::default();
        pairs.iter().all(|pair| {
            let edits = distance(&mut scratch, &pair.0, &pair.1, pair.distinct()).unwrap();
            edits == naive::fewest_edits(&pair.0, &pair.1)
        })
    }
}

#[test]
fn long_sequences_equal_the_naive_twins() {
    let mut scratch = AlignScratch::default();
    for (lengths, alphabet) in [([1500, 1400], 3), ([1300, 1500], 300), ([700, 1800], 20), ([1900, 40], 5)] {
        let pair = Pair::unrelated(lengths, alphabet);
        let cut = naive::align(&pair.0, &pair.1, None, cut_often);
        for most_kept in [0, usize::MAX] {
            let rule = (cut_often as _, most_kept);
            let found = align_by(&mut scratch, &pair.0, &pair.1, pair.distinct(), rule, Vec::new()).unwrap();
            assert_eq!(found, cut, "{lengths:?}, {most_kept}");
        }
    }
}

#[test]
fn long_paths_equal_the_naive_twins() {
    let mut scratch = PathScratch::default();
    let similar = |lengths: [usize; 2], alphabet| {
        let Pair(reference, inserted) = Pair::unrelated(lengths, alphabet);
        let mut hypothesis = reference.clone();
        for (at, token) in (0..).step_by(37).zip(inserted) {
            hypothesis.insert(at, token);
            hypothesis.remove(at + 17);
        }
        Pair(reference, hypothesis)
    };
    for pair in [
        Pair::unrelated([1500, 1400], 2),
        Pair::unrelated([1300, 1500], 300),
        Pair::unrelated([1900, 40], 3),
        Pair::unrelated([40, 1900], 3),
        Pair::unrelated([1600, 0], 3),
        Pair::unrelated([0, 1600], 3),
        similar([1800, 40], 2),
        similar([1800, 40], 100),
    ] {
        for prefer in [Prefer::Insertion, Prefer::Deletion] {
            let wanted = naive::path(&pair.0, &pair.1, prefer);
            // One strip in each group, several strips, and all strips.
            for (most_kept, first_guess) in [(0, 1), (5_000, 30), (usize::MAX, 1), (usize::MAX, 30)] {
                let limits = PathLimits { whole_cells: 0, most_kept, first_guess };
                let found = path_by(&mut scratch, &pair.0, &pair.1, pair.distinct(), prefer, limits).unwrap();
                assert_eq!(found, wanted, "{} x {}, {prefer:?}, {limits:?}", pair.0.len(), pair.1.len());
            }
        }
    }
}

#[test]
fn growth_is_a_sixty_fourth_of_the_square() {
    // Cell by cell, in quadratic time, this would take minutes in a test build.
    let pair = Pair::unrelated([30_000, 30_000], 50);
    let steps = align(&mut AlignScratch::default(), &pair.0, &pair.1, 50, Vec::new()).unwrap();
    let edits = distance(&mut DistanceScratch::default(), &pair.0, &pair.1, 50).unwrap();
    let hits = steps.iter().filter(|step| **step == EditOperation::Hit).count() as u64;
    assert_eq!(steps.len() as u64 - hits, edits);
}

#[test]
fn all_obey_the_laws() {
    for rate in [
        EditRate::WER,
        EditRate::CER,
        EditRate::MER,
        EditRate::CMER,
        EditRate::WIL,
        EditRate::WIP,
        EditRate::ER,
    ] {
        bleuprint_registry::laws::check(&rate);
    }
}

#[test]
fn counts_follow_from_the_steps() {
    use EditOperation::{Deletion, Hit, Insertion, Substitution};
    let steps = [Hit, Deletion, Substitution, Insertion, Insertion, Hit];
    let counts = EditCounts::from_operations(&steps);
    assert_eq!((counts.edits(), counts.ref_len(), counts.hyp_len()), (4, 4, 5));
}

#[test]
fn the_reference_with_the_lowest_rate_counts() {
    for rate in [EditRate::WER, EditRate::ER] {
        let mut counts = EditCounts::default();
        let references: [&[u8]; 3] = [b"xyz", b"abcdeXXX", b"abc"];
        rate.observe(&mut Default::default(), &mut counts, Segment::new(b"abcd", &references)).unwrap();
        assert_eq!(counts, EditCounts { hits: 3, insertions: 1, ..Default::default() });
    }
}

fn fewest_edits(references: &[Vec<Vec<u32>>], hypothesis: &[u32]) -> u64 {
    let mut before: Vec<u64> =
        (0..=hypothesis.len()).map(|at| if at == 0 { 0 } else { u64::MAX / 2 }).collect();
    for segment in references {
        let cost = |from: usize, to: usize| {
            let each = segment.iter().map(|reference| naive::fewest_edits(reference, &hypothesis[from..to]));
            each.min().unwrap()
        };
        before = (0..=hypothesis.len())
            .map(|to| (0..=to).map(|from| before[from] + cost(from, to)).min().unwrap())
            .collect();
    }
    before[hypothesis.len()]
}

quickcheck! {
    fn cuts_have_the_fewest_edits(raw: Vec<Vec<Vec<u8>>>, hypothesis: Vec<u8>) -> bool {
        let ids = |raw: &[u8]| raw.iter().take(6).map(|id| u32::from(id % 3)).collect::<Vec<u32>>();
        let references: Vec<Vec<Vec<u32>>> = raw
            .iter()
            .take(6)
            .map(|segment| segment.iter().take(3).map(|reference| ids(reference)).collect())
            .filter(|segment: &Vec<_>| !segment.is_empty())
            .collect();
        if references.is_empty() {
            return true;
        }
        let hypothesis: Vec<u32> = hypothesis.iter().take(14).map(|id| u32::from(id % 3)).collect();
        let given = |most: usize| -> Vec<Vec<&[u32]>> {
            references.iter().map(|segment| segment.iter().take(most).map(Vec::as_slice).collect()).collect()
        };
        // A reference given twice scores like once, but takes the other kernel.
        let one = given(1);
        let several = given(3);
        let twice: Vec<Vec<&[u32]>> = one.iter().map(|segment| [&segment[..], segment].concat()).collect();
        let cut = |references: &[Vec<&[u32]>]| resegment(references, &hypothesis, Borders::Words).unwrap();
        let firsts: Vec<Vec<Vec<u32>>> = references.iter().map(|segment| segment[..1].to_vec()).collect();
        cut(&one) == cut(&twice)
            && cut(&one).edits.iter().sum::<u64>() == fewest_edits(&firsts, &hypothesis)
            && cut(&several).edits.iter().sum::<u64>() == fewest_edits(&references, &hypothesis)
    }
}
