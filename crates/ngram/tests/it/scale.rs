//! Tests that long and hostile segments take nearly linear time, and that unusual ones do not panic.

use bleuprint_ngram::pairwise::overlap_all;
use bleuprint_ngram::{Interner, PreparedIds, Scratch, leave_one_out, naive, overlap, prepare};
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

const MILLION: u32 = 1_000_000;

/// Generous time limit: linear work takes a fraction of a second in any build, quadratic work takes hours.
const LIMIT: Duration = Duration::from_secs(30);

fn within_limit(work: impl FnOnce()) {
    let start = Instant::now();
    work();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn a_million_tokens() {
    let hypothesis: Vec<u32> = (0..MILLION).map(|i| i.wrapping_mul(2_654_435_761) >> 12).collect();
    within_limit(|| {
        let mut clipped = [0; 4];
        overlap(&mut Scratch::default(), &hypothesis, &[&hypothesis], &mut clipped);
        assert_eq!(clipped, [1_000_000, 999_999, 999_998, 999_997]);
    });
    let words: Vec<String> = hypothesis.iter().take(200_000).map(u32::to_string).collect();
    within_limit(|| {
        let mut clipped = [0; 4];
        overlap(&mut Scratch::default(), &words, &[&words[1..]], &mut clipped);
        assert_eq!(clipped[3], 199_996);
    });
}

#[test]
fn one_token_a_million_times() {
    let (long, longer) = (vec![7u32; MILLION as usize], vec![7u32; MILLION as usize + 1]);
    let expected = [1_000_000, 999_999, 999_998, 999_997];
    within_limit(|| {
        let (mut scratch, mut clipped) = (Scratch::default(), [0; 4]);
        overlap(&mut scratch, &long, &[&longer], &mut clipped);
        assert_eq!(clipped, expected);
        overlap(&mut scratch, &longer, &[&long], &mut clipped);
        assert_eq!(clipped, expected);
        overlap(&mut scratch, &longer, &[&long, &[7; 50]], &mut clipped);
        assert_eq!(clipped, expected);
        overlap(&mut scratch, &long, &[&[7; 50], &[7; 60], &[7]], &mut clipped);
        assert_eq!(clipped, [60, 59, 58, 57]);
        PreparedIds::new(&mut scratch, &[&longer], 4).overlap(&mut scratch, &long, &mut clipped);
        assert_eq!(clipped, expected);
    });
}

/// Uses one token a million times, crafted tokens, and a hundred thousand hypotheses.
#[test]
fn pools_are_linear() {
    let long = vec![7u32; MILLION as usize];
    within_limit(|| {
        let matches = leave_one_out(&[&long, &long[1..], &[7; 50]], 4).unwrap();
        assert_eq!(matches.clipped(0), [999_999, 999_998, 999_997, 999_996]);
        assert_eq!(matches.clipped(2), [50, 49, 48, 47]);
        let mut last = 0;
        assert!(overlap_all(&[&long], &[&long[1..], &[7; 50]], 4, |_, _, counts| last = counts[3][0]));
        assert_eq!(last, 999_996);
    });
    for tokens in crafted(4000) {
        let tokens: Vec<u32> = tokens.iter().copied().cycle().take(MILLION as usize / 4).collect();
        within_limit(|| {
            assert_eq!(leave_one_out(&[&tokens, &tokens], 4).unwrap().clipped(1)[3], 249_997);
            assert!(overlap_all(&[&tokens], &[&tokens], 4, |_, _, counts| assert_eq!(counts[3][0], 249_997)));
        });
    }
    let pool: Vec<[u32; 6]> = (0..100_000).map(|i: u32| [1, i % 7, 2, i % 1009, 3, i % 7]).collect();
    let pool: Vec<&[u32]> = pool.iter().map(|sequence| &sequence[..]).collect();
    within_limit(|| {
        let matches = leave_one_out(&pool, 4).unwrap();
        assert!((0..pool.len()).all(|at| matches.clipped(at) == [6, 5, 4, 3]));
        let mut seen = 0;
        assert!(overlap_all(&pool, &pool[..64], 4, |_, _, _| seen += 1));
        assert_eq!(seen, 100_000);
    });
}

/// Returns tokens that the tables' multiplicative hashes map to one slot, for up to 14 bits.
fn crafted(count: usize) -> [Vec<u32>; 2] {
    let wide = |token: &u32| u64::from(*token).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50 == 1;
    let narrow = |token: &u32| token.wrapping_mul(0x9E37_79B1) >> 18 == 1;
    [(0..).filter(wide).take(count).collect(), (0..).filter(narrow).take(count).collect()]
}

#[test]
fn crafted_tokens_are_not_quadratic() {
    for tokens in crafted(4000) {
        // Repeated, so that a table with unbounded probing would pay for each of a million tokens.
        let tokens: Vec<u32> = tokens.iter().copied().cycle().take(MILLION as usize / 4).collect();
        within_limit(|| {
            let (mut scratch, mut clipped) = (Scratch::default(), [0; 4]);
            let expected = [250_000, 249_999, 249_998, 249_997];
            overlap(&mut scratch, &tokens, &[&tokens], &mut clipped);
            assert_eq!(clipped, expected);
            overlap(&mut scratch, &tokens, &[&tokens[1..], &tokens], &mut clipped);
            assert_eq!(clipped, expected);
            let short = &tokens[..60];
            overlap(&mut scratch, &tokens, &[&short[..2], short], &mut clipped);
            assert_eq!(clipped, [60, 59, 58, 57]);
            PreparedIds::new(&mut scratch, &[&tokens], 4).overlap(&mut scratch, &tokens, &mut clipped);
            assert_eq!(clipped, expected);
        });
        let distinct = &tokens[..4000];
        let mut clipped = [0; 4];
        overlap(&mut Scratch::default(), distinct, &[distinct], &mut clipped);
        assert_eq!(clipped, [4000, 3999, 3998, 3997]);
    }
}

/// A token type with a constant hash, so that only equality distinguishes tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Clash(u32);

impl Hash for Clash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(0);
    }
}

#[test]
fn equality_decides_not_the_hash() {
    let hypothesis: Vec<Clash> = (0..90).map(|i| Clash(i % 17)).collect();
    let reference: Vec<Clash> = (0..70).map(|i| Clash(i % 13 + 5)).collect();
    let references: [&[Clash]; 1] = [&reference];
    let (mut expected, mut clipped, mut scratch) = ([0; 4], [0; 4], Scratch::default());
    naive::overlap(&hypothesis, &references, &mut expected);
    overlap(&mut scratch, &hypothesis, &references, &mut clipped);
    assert_eq!(clipped, expected);
    prepare(&mut scratch, &references, 4).overlap(&mut scratch, &hypothesis, &mut clipped);
    assert_eq!(clipped, expected);
    let mut interner = Interner::default();
    interner.intern_segment(&hypothesis, &references);
    assert_eq!(interner.distinct(), 18);
}

#[test]
fn singular_cases() {
    let mut scratch = Scratch::default();
    let mut clipped = [9; 3];
    overlap(&mut scratch, &[1u32, 2], &[], &mut clipped);
    assert_eq!(clipped, [0; 3], "no reference");
    overlap(&mut scratch, &[], &[&[1u32, 2]], &mut clipped);
    assert_eq!(clipped, [0; 3], "an empty hypothesis");
    overlap(&mut scratch, &[1u32, 2], &[&[], &[1, 2]], &mut clipped);
    assert_eq!(clipped, [2, 1, 0], "an order above the length");
    overlap(&mut scratch, &[1u32], &[&[1]], &mut []);
    for (hypothesis, reference) in [(5u64 | 1 << 32, 5), (5, 5 | 1 << 32)] {
        overlap(&mut scratch, &[hypothesis], &[&[reference]], &mut clipped);
        assert_eq!(clipped, [0; 3], "one side beyond 32 bits");
    }
    prepare(&mut scratch, &[&[1u32, 2], &[]], 1).overlap(&mut scratch, &[1, 2], &mut clipped);
    assert_eq!(clipped, [2, 0, 0], "an order that was not prepared");
    prepare(&mut scratch, &[&["a"]], usize::MAX).overlap(&mut scratch, &["a"], &mut clipped);
    assert_eq!(clipped, [1, 0, 0]);
    overlap(&mut scratch, &[(); usize::MAX], &[&[(); 9], &[(); usize::MAX]], &mut clipped);
    assert_eq!(clipped[0], u64::MAX, "tokens without a size");
}

#[test]
fn scratch_and_prepared_cross_threads() {
    fn check<T: Send + Sync>() {}
    check::<Scratch>();
    check::<Interner>();
    check::<PreparedIds>();
    check::<bleuprint_ngram::PreparedReferences<'static, String>>();
}
