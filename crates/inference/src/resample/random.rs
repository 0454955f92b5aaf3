//! [`NumpyRandom`]: random generator with the same draws as NumPy's `default_rng(seed)`, so that resamples
//! match programs that use NumPy.

/// Random generator that matches NumPy's `default_rng(seed)`: `SeedSequence` for the seed and PCG64 (XSL-RR)
/// for the bits.
///
/// It supports the draws of resampling: indices below a bound, and booleans. Both take 32 bits at a time, the
/// low half of a 64-bit draw first. The high half is kept for the next call.
///
/// ```
/// use bleuprint_inference::NumpyRandom;
/// let mut random = NumpyRandom::new(12345);
/// let mut indices = [0; 10];
/// random.fill_indices(10, &mut indices); // default_rng(12345).choice(10, size=10)
/// assert_eq!(indices, [6, 2, 7, 3, 2, 7, 6, 6, 9, 3]);
/// ```
#[derive(Debug, Clone)]
pub struct NumpyRandom {
    bits: Pcg64,
    /// High 32 bits of the last 64-bit random number, if they are still unused.
    half: Option<u32>,
}

impl NumpyRandom {
    /// Creates the generator that draws the numbers of NumPy's `default_rng(seed)`.
    pub fn new(seed: u128) -> Self {
        let [state_high, state_low, sequence_high, sequence_low] = seed_sequence(seed);
        let wide = |high: u64, low: u64| (u128::from(high) << 64) | u128::from(low);
        let bits = Pcg64::new(wide(state_high, state_low), wide(sequence_high, sequence_low));
        NumpyRandom { bits, half: None }
    }

    fn next_u32(&mut self) -> u32 {
        self.half.take().unwrap_or_else(|| {
            let bits = self.bits.next();
            self.half = Some((bits >> 32) as u32);
            bits as u32
        })
    }

    /// Fills `indices` with uniform draws from `0..bound`, by Lemire's multiplication with rejection. A bound
    /// of 0 or 1 fills zeros without a draw.
    pub fn fill_indices(&mut self, bound: u32, indices: &mut [u32]) {
        if bound <= 1 {
            indices.fill(0);
            return;
        }
        let rejected_below = bound.wrapping_neg() % bound;
        let scaled = |draw: u32| u64::from(draw) * u64::from(bound);
        // 2³² draws do not divide evenly among `bound` indices. Lemire's method rejects the surplus: products
        // whose low half is below 2³² mod bound.
        let is_rejected = |product: u64| (product as u32) < rejected_below;
        let mut at = 0;
        while at < indices.len() {
            // Both halves of a draw at once, unless one is rejected, which is rare. On a rejection the
            // generator has not moved, and the slower code below draws the same bits one by one.
            if self.half.is_none() && at + 1 < indices.len() {
                let mut bits = self.bits.clone();
                let draw = bits.next();
                let products = [scaled(draw as u32), scaled((draw >> 32) as u32)];
                if !products.into_iter().any(is_rejected) {
                    self.bits = bits;
                    indices[at] = (products[0] >> 32) as u32;
                    indices[at + 1] = (products[1] >> 32) as u32;
                    at += 2;
                    continue;
                }
            }
            let mut product = scaled(self.next_u32());
            while is_rejected(product) {
                product = scaled(self.next_u32());
            }
            indices[at] = (product >> 32) as u32;
            at += 1;
        }
    }

    /// Draws random bits: each is a number of NumPy's `random(dtype=float32)`, rounded to 0 or 1. A half is
    /// rounded to 0.
    pub(crate) fn fill_rounded(&mut self, coins: &mut [bool]) {
        // NumPy's float is the upper 24 bits over 2²⁴. It exceeds a half if these bits exceed 2²³; `round`
        // takes a half to the even 0.
        coins.iter_mut().for_each(|coin| *coin = self.next_u32() >> 8 > 1 << 23);
    }

    /// Returns an iterator over the random booleans of one call of NumPy's `integers(2, dtype=bool)`. A
    /// 32-bit draw gives 32 booleans, the lowest bit first. Dropping the iterator discards the rest of the
    /// last draw.
    pub(crate) fn booleans(&mut self) -> Booleans<'_> {
        Booleans { random: self, bits: 0, left: 0 }
    }

    /// Skips `count` random booleans, as if one call of NumPy had drawn them.
    pub(crate) fn skip_booleans(&mut self, count: u64) {
        (0..count.div_ceil(32)).for_each(|_| {
            self.next_u32();
        });
    }
}

/// Endless source of random booleans: the bits of one random 32-bit number after another. See
/// [`NumpyRandom::booleans`].
#[derive(Debug)]
pub(crate) struct Booleans<'r> {
    random: &'r mut NumpyRandom,
    bits: u32,
    left: u32,
}

impl Booleans<'_> {
    pub(crate) fn draw(&mut self) -> bool {
        if self.left == 0 {
            (self.bits, self.left) = (self.random.next_u32(), 32);
        }
        let bit = self.bits & 1 == 1;
        self.bits >>= 1;
        self.left -= 1;
        bit
    }
}

/// PCG64 (XSL-RR): a linear congruential generator of 128 bits, whose state is folded to 64 bits and rotated
/// by its highest six bits.
#[derive(Debug, Clone)]
struct Pcg64 {
    state: u128,
    increment: u128,
}

impl Pcg64 {
    fn new(state: u128, sequence: u128) -> Self {
        // The increment must be odd for the full period. The start is that of the reference implementation:
        // step from 0, add the seed, step again.
        let increment = sequence << 1 | 1;
        let mut bits = Pcg64 { state: state.wrapping_add(increment), increment };
        bits.step();
        bits
    }

    fn step(&mut self) {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    fn next(&mut self) -> u64 {
        self.step();
        ((self.state >> 64) as u64 ^ self.state as u64).rotate_right((self.state >> 122) as u32)
    }
}

/// Number of 32-bit words in the entropy pool of NumPy's `SeedSequence`, into which the seed is mixed.
const POOL: usize = 4;

/// Returns the four words that seed NumPy's generator: `SeedSequence(seed).generate_state(4, uint64)`.
fn seed_sequence(seed: u128) -> [u64; 4] {
    let pool = mixed_pool(seed);
    // The constants INIT_B and MULT_B of NumPy's `SeedSequence`.
    let mut hash = Hash { constant: 0x8b51_f9dd, multiplier: 0x58f3_8ded };
    let mut words = [0_u32; 8];
    for (index, word) in words.iter_mut().enumerate() {
        *word = hash.hash_word(pool[index % POOL]);
    }
    let pair = |index: usize| u64::from(words[2 * index]) | (u64::from(words[2 * index + 1]) << 32);
    [pair(0), pair(1), pair(2), pair(3)]
}

/// Returns the entropy pool of NumPy's `SeedSequence`: the 32-bit words of the seed, the lowest first, each
/// mixed into every other word.
fn mixed_pool(seed: u128) -> [u32; POOL] {
    // The constants INIT_A and MULT_A of NumPy's `SeedSequence`.
    let mut hash = Hash { constant: 0x43b0_d7e5, multiplier: 0x931e_8875 };
    let mut pool = [0, 32, 64, 96].map(|shift| hash.hash_word((seed >> shift) as u32));
    for source in 0..POOL {
        for target in 0..POOL {
            if source != target {
                pool[target] = mix(pool[target], hash.hash_word(pool[source]));
            }
        }
    }
    pool
}

/// Running hash of NumPy's `SeedSequence`, which mixes the words of a seed. Its constant changes with every
/// word.
struct Hash {
    constant: u32,
    multiplier: u32,
}

impl Hash {
    fn hash_word(&mut self, word: u32) -> u32 {
        let mixed = word ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.multiplier);
        let product = mixed.wrapping_mul(self.constant);
        product ^ (product >> 16)
    }
}

fn mix(one: u32, other: u32) -> u32 {
    // The constants MIX_MULT_L and MIX_MULT_R of NumPy's `SeedSequence`.
    let mixed = 0xca01_f9dd_u32.wrapping_mul(one).wrapping_sub(0x4973_f715_u32.wrapping_mul(other));
    mixed ^ (mixed >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::rand_core::Rng as _;

    #[test]
    fn the_words_are_those_of_a_proven_library() {
        for seed in [0, 1, 12345, u128::from(u64::MAX), u128::MAX, 1 << 100] {
            let mut ours = Pcg64::new(seed, !seed);
            let mut theirs = rand_pcg::Pcg64::new(seed, !seed);
            assert!((0..50).all(|_| ours.next() == theirs.next_u64()), "seed {seed}");
        }
    }

    #[test]
    fn skipping_is_drawing() {
        for count in [0, 1, 31, 32, 33, 64, 1000] {
            let mut drawn = NumpyRandom::new(3);
            let mut skipped = NumpyRandom::new(3);
            let mut booleans = drawn.booleans();
            (0..count).for_each(|_| {
                booleans.draw();
            });
            skipped.skip_booleans(count);
            assert_eq!(drawn.next_u32(), skipped.next_u32(), "{count}");
        }
    }

    /// Checks that drawing indices two at a time gives the numbers of single draws. Bounds near 2³¹ reject
    /// half of the draws, so that both code paths alternate.
    #[test]
    fn draws_in_pairs_are_draws_one_by_one() {
        for bound in [2, 3, 1000, (1 << 31) + 1, (1 << 31) + (1 << 29), u32::MAX] {
            let mut random = NumpyRandom::new(5);
            let mut slow = NumpyRandom::new(5);
            for length in [7, 1, 100, 0, 33] {
                let mut indices = vec![0; length];
                random.fill_indices(bound, &mut indices);
                let mut draw = || loop {
                    let product = u64::from(slow.next_u32()) * u64::from(bound);
                    if product as u32 >= bound.wrapping_neg() % bound {
                        return (product >> 32) as u32;
                    }
                };
                assert!(indices.iter().all(|&index| index == draw()), "{bound}");
            }
        }
    }

    #[test]
    fn one_segment_draws_nothing() {
        let mut random = NumpyRandom::new(7);
        let mut indices = [9; 3];
        random.fill_indices(1, &mut indices);
        assert_eq!(indices, [0; 3]);
        random.fill_indices(1000, &mut indices);
        let mut fresh = [0; 3];
        NumpyRandom::new(7).fill_indices(1000, &mut fresh);
        assert_eq!(indices, fresh);
    }
}
