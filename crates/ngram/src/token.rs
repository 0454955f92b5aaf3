//! Reads the values of tokens that are small integers, by passing a special hasher to their `Hash`
//! implementation; it needs no `unsafe`.
//!
//! [`overlap`](crate::overlap()) requires only `T: Hash + Eq`, yet `u32` ids should not pay for interning.
//! [`typeid`] recognises the primitive types by their `TypeId`. A primitive integer hashes itself by one call
//! of `write_u8`, `write_u32` and so on, so a [`Hasher`] that keeps the argument *is* the conversion. The
//! compiler reduces recognition and conversion to a plain copy loop. If a primitive ever hashes itself
//! differently, the hasher notices it, and the tokens are interned like any others: slower, but never wrong.

use alloc::vec::Vec;
use core::any::TypeId;
use core::hash::{Hash, Hasher};

/// A hypothesis and its references, each a slice of token ids.
type Ids<'a> = (&'a [u32], &'a [&'a [u32]]);

/// Returns a hypothesis and its references as token ids if the tokens are `u32`, without a copy; otherwise
/// `None`.
///
/// ```
/// use bleuprint_ngram::as_ids;
/// assert_eq!(as_ids(&[7_u32, 8], &[&[7_u32]]), Some((&[7, 8][..], &[&[7][..]][..])));
/// assert_eq!(as_ids(&['a'], &[]), None);
/// ```
#[inline]
#[allow(unsafe_code, reason = "a sixth off the time of short segments; `append_values` is the safe twin")]
pub fn as_ids<'a, T>(hypothesis: &'a [T], references: &'a [&'a [T]]) -> Option<Ids<'a>> {
    if typeid::of::<T>() != TypeId::of::<u32>() {
        return None;
    }
    // SAFETY: `T` is `u32`, because its `TypeId` is equal, so the type of the argument does not change.
    let hypothesis = unsafe { &*(&raw const *hypothesis as *const [u32]) };
    // SAFETY: as above.
    let references = unsafe { &*(&raw const *references as *const [&'a [u32]]) };
    Some((hypothesis, references))
}

/// Appends the values of all tokens of `sequence` to `ids`, if `T` is a primitive whose values all fit.
///
/// Equal tokens get equal ids and different tokens different ids. Returns `false` if `T` is another type, or
/// if some value needs more than 32 bits; `ids` then ends with unspecified values.
#[inline]
pub(crate) fn append_values<T: Hash>(sequence: &[T], ids: &mut Vec<u32>) -> bool {
    if !is_integer::<T>() {
        return false;
    }
    let mut all_bits = 0;
    let mut all_once = true;
    ids.extend(sequence.iter().map(|token| {
        let value = Captured::from(token);
        all_bits |= value.bits;
        all_once &= value.writes == 1;
        value.bits as u32
    }));
    all_once && u32::try_from(all_bits).is_ok()
}

/// Returns `true` if `T` is a primitive type of up to 64 bits whose hash writes its value once.
#[inline]
pub(crate) fn is_integer<T>() -> bool {
    macro_rules! any {
        ($($primitive:ty),*) => { $(typeid::of::<T>() == TypeId::of::<$primitive>())||* };
    }
    any!(u32, i32, u16, i16, u8, i8, char, bool, u64, i64, usize, isize)
}

/// A hasher that keeps the last integer written to it, and the number of writes.
struct Captured {
    bits: u64,
    writes: u32,
}

impl Captured {
    #[inline]
    fn from<T: Hash>(token: &T) -> Self {
        let mut captured = Captured { bits: 0, writes: 0 };
        token.hash(&mut captured);
        captured
    }

    #[inline]
    fn keep(&mut self, bits: u64) {
        self.bits = bits;
        self.writes += 1;
    }
}

impl Hasher for Captured {
    fn finish(&self) -> u64 {
        self.bits
    }

    /// Marks the hashed token as unsuitable, because it hashes bytes, which are not one integer. An integer
    /// makes exactly one write, so two writes are recorded.
    fn write(&mut self, _: &[u8]) {
        self.writes = 2;
    }

    // Signed integers arrive here too, because by default `write_i32(x)` calls `write_u32(x as u32)`.
    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.keep(value.into());
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.keep(value.into());
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.keep(value.into());
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.keep(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.keep(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec};

    fn values<T: Hash>(sequence: &[T]) -> Option<Vec<u32>> {
        let mut ids = vec![];
        append_values(sequence, &mut ids).then_some(ids)
    }

    #[test]
    fn primitives_are_read_exactly() {
        assert_eq!(values(&[0u32, 1, u32::MAX]), Some(vec![0, 1, u32::MAX]));
        assert_eq!(values(&[-1i32, i32::MIN]), Some(vec![u32::MAX, 1 << 31]));
        assert_eq!(values(&[7u16, u16::MAX]), Some(vec![7, 65_535]));
        assert_eq!(values(&[-1i16, 1]), Some(vec![65_535, 1]));
        assert_eq!(values(&[255u8, 0]), Some(vec![255, 0]));
        assert_eq!(values(&[-1i8, 1]), Some(vec![255, 1]));
        assert_eq!(values(&['a', char::MAX]), Some(vec![97, 0x10_FFFF]));
        assert_eq!(values(&[true, false]), Some(vec![1, 0]));
        assert_eq!(values(&[3u64, 4]), Some(vec![3, 4]));
        assert_eq!(values(&[3usize, 4]), Some(vec![3, 4]));
        assert_eq!(values(&[3i64, 4]), Some(vec![3, 4]));
        assert_eq!(values(&[3isize, 4]), Some(vec![3, 4]));
    }

    #[test]
    fn everything_else_is_declined() {
        assert_eq!(values(&[1u64 << 32]), None);
        assert_eq!(values(&[-100i64]), None);
        assert_eq!(values(&["a"]), None);
        assert_eq!(values(&[String::from("a")]), None);
        assert_eq!(values(&[1u128]), None);
        assert_eq!(values(&[(1u32, 2u32)]), None);
        assert_eq!(values(&[Some(1u32)]), None);
        assert_eq!(values(&[core::num::Wrapping(1u32)]), None);
    }
}
