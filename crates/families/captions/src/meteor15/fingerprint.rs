//! Computes fingerprints of METEOR's data files, and defines the error of their readers.

use bleuprint_core::ConfigError;

/// Returns a 64-bit FNV-1a hash over the byte strings and their lengths, in words of eight bytes. It detects
/// scores that used different data files, but gives no protection against attacks.
pub(super) fn fingerprint<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(29);
    pieces.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, piece| {
        let (words, rest) = piece.as_chunks::<8>();
        let hash = words.iter().fold(hash, |hash, word| step(hash, u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        // The length separates pieces: "ab" + "c" and "a" + "bc" get different hashes.
        step(step(hash, u64::from_le_bytes(last)), piece.len() as u64)
    })
}

pub(super) fn malformed(what: &str, file: &str, line: u64, reason: &str) -> ConfigError {
    ConfigError::Resource {
        what: what.to_owned(),
        reason: format!("{file}, line {line}: {reason}"),
        hint: "give a file in the form of METEOR 1.5".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_bytes_have_another_fingerprint() {
        let of = |text: &str| fingerprint([text.as_bytes()]);
        for (one, other) in
            [("", "\0"), ("a", "a\0"), ("12345678", "12345678\0"), ("12345678a", "12345678b"), ("ab", "ba")]
        {
            assert_ne!(of(one), of(other));
        }
        assert_ne!(fingerprint([&b"a"[..], b"b"]), of("ab"));
    }
}
