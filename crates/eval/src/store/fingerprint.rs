//! [`Fingerprint`]: a hash of a segment's references or source, which shows if two files of statistics belong
//! to the same texts without storing the texts.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// Hash that identifies a segment's references or its source, or the sum of such hashes over several
/// segments.
///
/// The fingerprint is the first 8 bytes, as a big-endian number, of a SHA-256. The hash covers the texts,
/// sorted by their bytes, each preceded by its length in bytes as a big-endian `u64`. It is printed as 16
/// hexadecimal digits. Sums are modulo 2⁶⁴, so the fingerprint of a corpus merges and subtracts like its
/// counts. The order of a segment's references and the order of segments in a sum do not matter. Fingerprints
/// detect mistakes, not deliberate changes.
///
/// ```
/// use bleuprint_eval::store::Fingerprint;
/// let one = Fingerprint::from_texts(["The dog bit the man.", "The dog had bit the man."]);
/// assert_eq!(one, Fingerprint::from_texts(["The dog had bit the man.", "The dog bit the man."]));
/// assert_ne!(one, Fingerprint::from_texts(["The dog bit the man."]));
/// assert_eq!(one.to_string().parse::<Fingerprint>().unwrap(), one);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Computes the fingerprint (hash) of one segment's references, or of its source.
    pub fn from_texts<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts: Vec<T> = texts.into_iter().collect();
        Self::of_all(texts.iter().map(AsRef::as_ref).collect())
    }

    fn of_all(mut texts: Vec<&[u8]>) -> Self {
        texts.sort_unstable();
        let mut hash = Sha256::new();
        for text in texts {
            // The lengths keep the borders of texts: "ab", "c" and "a", "bc" have different fingerprints.
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        let digest = hash.finalize();
        let first = digest.first_chunk().copied().unwrap_or_default();
        Fingerprint(u64::from_be_bytes(first))
    }

    pub(super) fn number(self) -> u64 {
        self.0
    }

    #[cfg(feature = "arrow")]
    pub(super) fn from_number(number: u64) -> Self {
        Fingerprint(number)
    }

    #[must_use]
    pub(crate) fn plus(self, other: Fingerprint) -> Fingerprint {
        Fingerprint(self.0.wrapping_add(other.0))
    }

    /// Returns the sum of all fingerprints (hashes) that are not `None`, or `None` if there are none.
    pub(crate) fn sum(all: impl IntoIterator<Item = Option<Fingerprint>>) -> Option<Fingerprint> {
        all.into_iter().flatten().reduce(Fingerprint::plus)
    }

    #[must_use]
    pub(crate) fn minus(self, other: Fingerprint) -> Fingerprint {
        Fingerprint(self.0.wrapping_sub(other.0))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = |c: char| matches!(c, '0'..='9' | 'a'..='f');
        let number =
            (text.len() == 16 && text.chars().all(digits)).then(|| u64::from_str_radix(text, 16).ok());
        number.flatten().map(Fingerprint).ok_or_else(|| format!("`{text}` is not 16 hexadecimal digits"))
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
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
        assert_eq!(Fingerprint::from_texts(["bc", "a"]).to_string(), "3fafa1cf2f19a7c1");
        assert_eq!(Fingerprint::from_texts([""; 0]).to_string(), "e3b0c44298fc1c14");
    }

    #[test]
    fn borders_between_references_matter() {
        assert_ne!(Fingerprint::from_texts(["ab", "c"]), Fingerprint::from_texts(["a", "bc"]));
        let one = Fingerprint::from_texts(["a"]);
        let other = Fingerprint::from_texts(["b"]);
        assert_eq!(one.plus(other).minus(one), other);
        assert!("12".parse::<Fingerprint>().is_err() && "G3b0c44298fc1c14".parse::<Fingerprint>().is_err());
    }
}
