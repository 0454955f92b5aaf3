//! Tests TER's kernels against their naive implementation.

use bleuprint_core::{Accumulator, Metric, SegmentCounts};
use quickcheck::{Arbitrary, Gen, quickcheck};

use super::beam::Width;
use super::search::{SearchScratch, edits, edits_by};
use super::{BEAM_WIDTH, Ter, TerStats, naive};

#[derive(Debug, Clone)]
struct Pair(Vec<u32>, Vec<u32>);

impl Arbitrary for Pair {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, limit: usize| usize::arbitrary(g) % limit;
        let longest: usize = *g.choose(&[4, 9, 20, 40, 40, 70, 70, 140, 200]).unwrap();
        let alphabet: usize = *g.choose(&[1, 2, 3, 5, 10, 30, 100]).unwrap();
        let words = |g: &mut Gen, longest: usize| -> Vec<u32> {
            (0..below(g, longest + 1)).map(|_| below(g, alphabet) as u32).collect()
        };
        let mut reference = words(g, longest);
        let hypothesis = if below(g, 4) == 0 {
            let longest = *g.choose(&[1, 3, longest]).unwrap();
            words(g, longest)
        } else {
            let mut hypothesis = reference.clone();
            for _ in 0..below(g, 5) {
                let len = hypothesis.len();
                let a = below(g, len + 1);
                let b = below(g, len + 1);
                let (a, b) = (a.min(b), a.max(b));
                match below(g, 4) {
                    0 => hypothesis[a..b].rotate_left((b - a).min(3)),
                    1 => hypothesis[a..b].rotate_right((b - a).min(2)),
                    2 => drop(hypothesis.drain(a..b.min(a + 4))),
                    _ => drop(hypothesis.splice(a..a, words(g, 6))),
                }
            }
            hypothesis
        };
        if below(g, 20) == 0 {
            reference = reference.repeat(1 + below(g, 20));
        }
        Pair(hypothesis, reference)
    }
}

fn fast(scratch: &mut SearchScratch, Pair(hypothesis, reference): &Pair) -> u64 {
    let distinct = hypothesis.iter().chain(reference).max().map_or(0, |id| *id as usize + 1);
    edits(scratch, hypothesis, reference, distinct, u64::MAX).unwrap().unwrap()
}

quickcheck! {
    fn equals_the_naive_twin(pairs: Vec<Pair>) -> bool {
        let mut scratch = SearchScratch::default();
        pairs.iter().take(25).all(|Pair(hypothesis, reference)| {
            let naive = naive::edits(hypothesis, reference.len(), Width::TER, &|word, at| Some(word == reference[at]));
            fast(&mut scratch, &Pair(hypothesis.clone(), reference.clone())) == naive
        })
    }

    /// Checks pairing by a rule against the naive implementation. Only words in nearby groups of four may be
    /// paired, as only subtitles near in time are.
    fn pairs_by_a_rule_equal_the_naive_twin(pairs: Vec<Pair>, band: u8) -> bool {
        let beam = if band < 128 { BEAM_WIDTH } else { 100 };
        let mut scratch = SearchScratch::default();
        pairs.iter().take(10).all(|Pair(hypothesis, reference)| {
            let rule = |one: usize, other: usize| {
                let near = (one / 4).abs_diff(other / 4) <= usize::from(band % 4);
                (near && (hypothesis[one] == 0) == (reference[other] == 0)).then(|| hypothesis[one] == reference[other])
            };
            let places: Vec<u32> = (0..hypothesis.len() as u32).collect();
            let naive = naive::edits(&places, reference.len(), Width { half: beam, joined: true }, &|word, at| rule(word as usize, at));
            edits_by(&mut scratch, [hypothesis.len(), reference.len()], beam, rule).unwrap() == naive
        })
    }
}

#[test]
fn obeys_the_laws() {
    bleuprint_registry::laws::check(&Ter::default());
    bleuprint_registry::laws::check(&Ter::default().normalized(true).no_punct(true).asian_support(true));
}

#[test]
fn a_long_segment_ends_soon() {
    // Every word once, in another order: candidates run out after long walks. The bound is for a test build on a
    // machine with other work to do.
    let words: Vec<u32> = (0..2000).collect();
    let mut shuffled = words.clone();
    shuffled.chunks_mut(40).for_each(|chunk| chunk.reverse());
    let start = std::time::Instant::now();
    let mut ter = Accumulator::<_, [u32]>::new(Ter::default());
    ter.push(&shuffled, &[&words]).unwrap();
    assert!(ter.total().stats().edits > 1000);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn the_mean_of_seventeen_references_is_refused() {
    let mut ter = Accumulator::<_, [u32]>::new(Ter::default());
    let references: [&[u32]; 17] = [&[1, 2]; 17];
    assert!(ter.push(&[1], &references).unwrap_err().to_string().contains("17"));
    ter.push(&[1], &references[..16]).unwrap();
    assert_eq!(ter.score().unwrap().score.score, 50.0);
}

#[test]
fn impossible_counts_are_refused() {
    let ter = Ter::default();
    let two = SegmentCounts::of_segment(2);
    assert!(ter.check(&TerStats { edits: 3, ref_len: 720_720 / 2 }, &two).is_ok());
    assert!(ter.check(&TerStats { edits: 3, ref_len: 720_720 / 3 }, &two).is_err());
    assert!(ter.check(&TerStats { edits: 3, ref_len: 0 }, &SegmentCounts::default()).is_err());
    assert!(ter.check(&TerStats::default(), &SegmentCounts::default()).is_ok());
}

/// Checks the TER 100.0 of sacreBLEU 2.6.0 for a reference fifty times as long as the hypothesis. At the last
/// hypothesis word, two rows of the beam have no column in common.
#[test]
fn rows_of_fifty_times_the_length_are_apart() {
    let reference: Vec<u32> = (0..100).collect();
    assert_eq!(fast(&mut SearchScratch::default(), &Pair(vec![0, 73], reference)), 100);
}
