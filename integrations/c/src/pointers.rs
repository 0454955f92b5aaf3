//! Types of the data that C passes, and their conversion to slices and texts. All `unsafe` reads of the
//! caller's memory are in this module.

use std::ffi::c_char;
use std::ptr;
use std::slice;
use std::str::Utf8Error;

use crate::call::{CallError, CallResult};

/// Text in UTF-8: a pointer and a length in bytes. It needs no zero byte at its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TextSlice {
    /// Pointer to the first byte; may be null if the length is 0.
    pub data: *const c_char,
    /// Number of bytes.
    pub length: usize,
}

/// Sequence of token ids: a pointer and a length.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IdSlice {
    /// Pointer to the first id; may be null if the length is 0.
    pub data: *const u32,
    /// Number of ids.
    pub length: usize,
}

/// A segment of text: one hypothesis with its references, and its source if the metric needs one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SegmentPointers {
    /// Output of the system.
    pub hypothesis: TextSlice,
    /// Pointer to the first reference; may be null if there is none.
    pub references: *const TextSlice,
    /// Number of references.
    pub reference_count: usize,
    /// Pointer to the source text, or null if there is none.
    pub source: *const TextSlice,
}

/// A segment of token ids: one hypothesis with its references.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IdSegmentPointers {
    /// Output of the system.
    pub hypothesis: IdSlice,
    /// Pointer to the first reference; may be null if there is none.
    pub references: *const IdSlice,
    /// Number of references.
    pub reference_count: usize,
}

/// Token ids in rows of equal length, as in a tensor. Padding ids at both ends of a row are ignored.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PaddedRows {
    /// Pointer to the first id of the first row; may be null if there are no rows.
    pub data: *const i64,
    /// Number of rows.
    pub rows: usize,
    /// Number of ids in a row, padding included.
    pub width: usize,
    /// Id that fills short rows at either end. Between other ids of a row, it is an ordinary id.
    pub padding: i64,
}

/// Bytes that the library has allocated; [`bleuprint_bytes_free`] frees them. A zero byte follows them, so C
/// can read text as a string; `length` does not count it.
#[repr(C)]
pub struct OwnedBytes {
    /// Pointer to the first byte; null if the call failed or the bytes are freed.
    pub data: *mut c_char,
    /// Number of bytes.
    pub length: usize,
}

impl OwnedBytes {
    const EMPTY: Self = OwnedBytes { data: ptr::null_mut(), length: 0 };

    fn new(mut bytes: Vec<u8>) -> Self {
        let length = bytes.len();
        bytes.push(0);
        OwnedBytes { data: Box::into_raw(bytes.into_boxed_slice()).cast(), length }
    }
}

/// Frees the bytes that a function has written, and sets `data` to null and `length` to 0. It does nothing if
/// `bytes` or its `data` is null.
///
/// Threads: any thread, but not two threads for the same bytes at the same time.
///
/// # Safety
/// `bytes` is null, or points to bytes that a function of this library wrote and the caller has not changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_bytes_free(bytes: *mut OwnedBytes) {
    // SAFETY: the caller passes null or an output of `OwnedBytes::new`, whose allocation has one byte more
    // than its length.
    unsafe {
        let Some(bytes) = bytes.as_mut() else { return };
        let OwnedBytes { data, length } = std::mem::replace(bytes, OwnedBytes::EMPTY);
        if !data.is_null() {
            drop(Box::from_raw(ptr::slice_from_raw_parts_mut(data.cast::<u8>(), length + 1)));
        }
    }
}

/// Creates the error of a wrong pointer. Errors are apart from the checks, which then are small enough to be
/// inlined: every call makes several.
#[cold]
fn wrong_pointer<T>(pointer: *const T, what: &str) -> CallError {
    let problem = if pointer.is_null() { "a null pointer" } else { "not aligned" };
    CallError::argument(format!("{what} is {problem}"))
}

#[cold]
fn too_long(length: usize, what: &str) -> CallError {
    CallError::argument(format!("{what} has the length {length}, beyond the memory"))
}

#[cold]
fn not_utf8(error: Utf8Error, what: &str) -> CallError {
    CallError::argument(format!("{what} is not UTF-8: {error}"))
}

#[inline]
fn checked<T>(pointer: *const T, what: &str) -> CallResult<*const T> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(wrong_pointer(pointer, what));
    }
    Ok(pointer)
}

/// Returns a reference to the value that a pointer of the caller points to. Returns an error that names
/// `what` if the pointer is null or not aligned.
///
/// # Safety
/// The pointer is null, or points to a value that nobody changes while `'c` lasts.
#[inline]
pub(crate) unsafe fn given<'c, T>(pointer: *const T, what: &str) -> CallResult<&'c T> {
    let pointer = checked(pointer, what)?;
    // SAFETY: it is neither null nor misaligned; the caller vouches for the rest.
    Ok(unsafe { &*pointer })
}

/// Returns a mutable reference to the value that a pointer of the caller points to. Returns an error that
/// names `what` if the pointer is null or not aligned.
///
/// # Safety
/// The pointer is null, or points to a value that nobody else uses while `'c` lasts.
#[inline]
pub(crate) unsafe fn given_mut<'c, T>(pointer: *mut T, what: &str) -> CallResult<&'c mut T> {
    checked(pointer, what)?;
    // SAFETY: it is neither null nor misaligned; the caller vouches for the rest.
    Ok(unsafe { &mut *pointer })
}

/// Returns the `length` values that a pointer of the caller points to, as a slice. If `length` is 0, the
/// slice is empty and the pointer may be null. Errors name `what`.
///
/// # Safety
/// The pointer is null, or points to `length` values that nobody changes while `'c` lasts.
#[inline]
pub(crate) unsafe fn list<'c, T>(pointer: *const T, length: usize, what: &str) -> CallResult<&'c [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    let pointer = checked(pointer, what)?;
    if length > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(too_long(length, what));
    }
    // SAFETY: it is neither null nor misaligned nor too long; the caller vouches for the rest.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// Returns the UTF-8 text of `length` bytes that a pointer of the caller points to. Errors name `what`.
///
/// # Safety
/// As for [`list`].
#[inline]
pub(crate) unsafe fn text<'c>(pointer: *const c_char, length: usize, what: &str) -> CallResult<&'c str> {
    // SAFETY: the same rule.
    let bytes = unsafe { list(pointer.cast::<u8>(), length, what)? };
    if bytes.is_ascii() {
        // The general check takes several times as long for short texts, which cost most calls.
        // SAFETY: ASCII is UTF-8.
        return Ok(unsafe { str::from_utf8_unchecked(bytes) });
    }
    str::from_utf8(bytes).map_err(|error| not_utf8(error, what))
}

/// Writes the bytes that `make` returns to `place`. After an error of `make`, `place` is empty.
///
/// # Safety
/// `place` is null, or points to memory for the value.
pub(crate) unsafe fn write_bytes(
    place: *mut OwnedBytes,
    make: impl FnOnce() -> CallResult<Vec<u8>>,
) -> CallResult {
    // SAFETY: the same rule. The memory may not be initialised, so it is only written.
    unsafe { write(place, OwnedBytes::EMPTY, || make().map(OwnedBytes::new)) }
}

/// Allocates the value that `make` returns and writes a pointer to it (a handle) to `place`. After an error
/// of `make`, `place` is null.
///
/// # Safety
/// As for [`write_bytes`].
pub(crate) unsafe fn write_handle<T>(place: *mut *mut T, make: impl FnOnce() -> CallResult<T>) -> CallResult {
    // SAFETY: the same rule.
    unsafe { write(place, ptr::null_mut(), || Ok(Box::into_raw(Box::new(make()?)))) }
}

/// Writes the value that `make` returns to `place`. After an error of `make`, `place` has the value `failed`.
///
/// # Safety
/// As for [`write_bytes`].
pub(crate) unsafe fn write<T>(place: *mut T, failed: T, make: impl FnOnce() -> CallResult<T>) -> CallResult {
    checked(place, "the output")?;
    // SAFETY: it is neither null nor misaligned; the caller vouches for the memory.
    unsafe {
        place.write(failed);
        place.write(make()?);
    }
    Ok(())
}

/// Frees a handle of [`write_handle`]. It does nothing if the handle is null.
///
/// # Safety
/// `handle` is null, or a handle that [`write_handle`] wrote and that is not freed.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller vouches that it is a handle that is not freed.
        drop(unsafe { Box::from_raw(handle) });
    }
}
