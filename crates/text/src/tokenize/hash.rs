//! The hash that tells one file of a model from another in a key.

/// FNV-1a of 64 bits. It is no protection against tampering: it keeps counts from different files from merging by
/// accident.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
