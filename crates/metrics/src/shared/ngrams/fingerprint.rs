//! Computes the fingerprint (hash) of a table of n-gram counts, which does not depend on the order of
//! insertion.

use super::NgramCounts;

impl NgramCounts {
    /// Returns a fingerprint of the n-grams and their counts. Equal tables have equal fingerprints, in any
    /// process and on any machine. Different tables have the same one with a chance of one in `2^64`.
    ///
    /// The statistics key and the signature of a metric that uses an n-gram table contain its fingerprint.
    /// Scores under different tables are therefore not compared or merged by mistake. The fingerprint does
    /// not protect against tables made to collide.
    pub(crate) fn fingerprint(&self) -> u64 {
        let tokens: Vec<u64> = self.ngrams().vocabulary().iter().map(of_token).collect();
        // Room for the longest list of hashes, so that the lists do not grow step by step.
        let most = self.ngrams().most();
        let mut prefixes = Vec::with_capacity(most);
        let mut ngrams = Vec::with_capacity(most);
        prefixes.extend_from_slice(&tokens);
        let mut sum = of_counts(&prefixes, self.counts(1), mixed(self.ngrams().max_order() as u64));
        for order in 2..=self.ngrams().max_order() {
            let ngram = |number: u32| {
                // Every number below the number of distinct n-grams has parts.
                let (prefix, token) = self.ngrams().parts(order, number).unwrap_or_default();
                // The rotation makes the hash depend on the order of prefix and token: a plain xor is
                // symmetric.
                mixed(prefixes[prefix as usize].rotate_left(17) ^ tokens[token as usize])
            };
            ngrams.clear();
            ngrams.extend((0..self.distinct(order) as u32).map(ngram));
            core::mem::swap(&mut prefixes, &mut ngrams);
            sum = of_counts(&prefixes, self.counts(order), sum);
        }
        mixed(sum)
    }
}

/// Returns `sum` plus a hash of each n-gram with its count, modulo 2^64, so that the order of the n-grams
/// does not matter. `ngrams` holds the hashes of the n-grams.
fn of_counts(ngrams: &[u64], counts: &[u64], sum: u64) -> u64 {
    let each = ngrams.iter().zip(counts).map(|(&ngram, &count)| mixed(ngram ^ mixed(count)));
    each.fold(sum, u64::wrapping_add)
}

/// Returns the 64-bit FNV-1a hash of a token, mixed by [`mixed`].
fn of_token(token: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    mixed(token.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// Mixes a number with the finalizer of splitmix64: every input bit changes about half of the output bits.
/// Metrics use it for the fingerprints in their keys.
///
/// ```
/// assert_eq!(bleuprint_metrics::mixed(0), 0xe220_a839_7b1d_cdaf);
/// ```
pub fn mixed(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
