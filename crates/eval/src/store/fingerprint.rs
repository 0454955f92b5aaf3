//! [`References`]: which references statistics were counted against, without keeping them.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// A fingerprint of the references of a segment, or the sum of those of several segments.
///
/// It is the first 8 bytes, as a big-endian number, of the SHA-256 of the references in the order of their bytes, each
/// preceded by its length in bytes as a big-endian `u64`; printed as 16 hexadecimal digits. Sums are modulo 2⁶⁴, so
/// that the fingerprint of a corpus merges and subtracts like its counts. Neither the order of the references of a
/// segment nor that of segments matters in a sum. It tells mistakes, not forgeries.
///
/// ```
/// use bleuprint_eval::store::References;
/// let one = References::of(["The dog bit the man.", "The dog had bit the man."]);
/// assert_eq!(one, References::of(["The dog had bit the man.", "The dog bit the man."]));
/// assert_ne!(one, References::of(["The dog bit the man."]));
/// assert_eq!(one.to_string().parse::<References>().unwrap(), one);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct References(u64);

impl References {
    /// The fingerprint of one segment's references.
    pub fn of<T: AsRef<[u8]>>(references: impl IntoIterator<Item = T>) -> Self {
        let mut references: Vec<T> = references.into_iter().collect();
        references.sort_unstable_by(|one, other| one.as_ref().cmp(other.as_ref()));
        let mut hash = Sha256::new();
        for reference in &references {
            hash.update((reference.as_ref().len() as u64).to_be_bytes());
            hash.update(reference.as_ref());
        }
        let digest = hash.finalize();
        let first = digest.first_chunk().copied().unwrap_or_default();
        References(u64::from_be_bytes(first))
    }

    /// The fingerprint of both.
    #[must_use]
    pub fn plus(self, other: References) -> References {
        References(self.0.wrapping_add(other.0))
    }

    /// What is left of `self` without `other`.
    #[must_use]
    pub fn minus(self, other: References) -> References {
        References(self.0.wrapping_sub(other.0))
    }
}

impl fmt::Display for References {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for References {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = |c: char| matches!(c, '0'..='9' | 'a'..='f');
        let number =
            (text.len() == 16 && text.chars().all(digits)).then(|| u64::from_str_radix(text, 16).ok());
        number.flatten().map(References).ok_or_else(|| format!("`{text}` is not 16 hexadecimal digits"))
    }
}

impl Serialize for References {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for References {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_never_changes() {
        // hashlib.sha256(b"\0\0\0\0\0\0\0\1a" + b"\0\0\0\0\0\0\0\2bc").hexdigest()[:16]
        assert_eq!(References::of(["bc", "a"]).to_string(), "3fafa1cf2f19a7c1");
        assert_eq!(References::of([""; 0]).to_string(), "e3b0c44298fc1c14");
    }

    #[test]
    fn borders_between_references_matter() {
        assert_ne!(References::of(["ab", "c"]), References::of(["a", "bc"]));
        let (one, other) = (References::of(["a"]), References::of(["b"]));
        assert_eq!(one.plus(other).minus(one), other);
        assert!("12".parse::<References>().is_err() && "G3b0c44298fc1c14".parse::<References>().is_err());
    }
}
