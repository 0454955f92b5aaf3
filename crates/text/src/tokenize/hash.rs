//! The hash function that distinguishes the content of files, such as models, in names of tokenizers and keys
//! of stored results.

/// Returns the 64-bit FNV-1a hash. It does not protect against tampering; it only keeps counts from different
/// files from merging by accident.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        // The offset basis and the prime of FNV-1a for 64 bits.
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
