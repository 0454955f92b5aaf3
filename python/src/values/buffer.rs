//! Reads arrays of integers through Python's buffer protocol, or through `__dlpack__` and NumPy. Accepts any
//! shape, strides and integer type, and copies the bytes once.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

use crate::errors::{type_error, value};
use crate::segments::lists::Ids;
use crate::values::place::{ValuePlace, type_name};

/// Integer array from Python, with its bytes copied in C order (row by row).
pub(crate) struct Array<'py> {
    bytes: Bound<'py, PyBytes>,
    kind: BufferKind,
    pub(crate) shape: Vec<usize>,
}

#[derive(Clone, Copy)]
struct BufferKind {
    size: usize,
    signed: bool,
    big: bool,
}

pub(crate) fn read<'py>(object: &Bound<'py, PyAny>, place: ValuePlace<'_>) -> PyResult<Option<Array<'py>>> {
    // `bytes` supports the buffer protocol, but its bytes are not ids.
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
        return Ok(None);
    }
    require_unmasked(object, place)?;
    if let Ok(view) = PyMemoryView::from(object) {
        return array(view.as_any(), place).map(Some);
    }
    if !object.hasattr("__dlpack__")? {
        return Ok(None);
    }
    let numpy = object.py().import("numpy").map_err(|_| {
        value(format!("{place} has `__dlpack__`, which is read through NumPy, but NumPy is not installed"))
    })?;
    let from = numpy
        .getattr("from_dlpack")
        .map_err(|_| value("arrays with `__dlpack__` need NumPy 1.23 or later"))?;
    let array_of = from.call1((object,)).map_err(|error| {
        value(format!("{place} cannot be read by `__dlpack__` (is it on the host?): {error}"))
    })?;
    let view = PyMemoryView::from(&array_of).map_err(|error| type_error(format!("{place}: {error}")))?;
    array(view.as_any(), place).map(Some)
}

/// Rejects a NumPy array with masked items, because its buffer also contains the values of these items.
fn require_unmasked(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<()> {
    if type_name(object) != "MaskedArray" {
        return Ok(());
    }
    if object.getattr("mask")?.call_method0("any")?.is_truthy()? {
        Err(value(format!(
            "{place} is an array with masked items: fill them, and name the value as `pad_id`"
        )))
    } else {
        Ok(())
    }
}

fn array<'py>(view: &Bound<'py, PyAny>, place: ValuePlace<'_>) -> PyResult<Array<'py>> {
    let format: String = view.getattr("format")?.extract()?;
    let size: usize = view.getattr("itemsize")?.extract()?;
    let shape: Vec<usize> = view.getattr("shape")?.extract()?;
    let kind = kind(&format, size).ok_or_else(|| {
        let (name, advice) = named(&format, size);
        type_error(format!("{place} is an array of {name}, but must be one of integers{advice}"))
    })?;
    let bytes = view.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    Ok(Array { bytes, kind, shape })
}

/// Returns the name of an array's type as NumPy's users know it, and advice for arrays of texts.
fn named(format: &str, size: usize) -> (String, &'static str) {
    let texts = "; `.tolist()` makes lists of texts of it";
    match format.trim_start_matches(['@', '=', '<', '>', '!', '|']) {
        "O" => ("object".to_owned(), texts),
        format if format.ends_with('w') => ("str".to_owned(), texts),
        format if format.ends_with('s') => ("bytes".to_owned(), ""),
        "e" | "f" | "d" | "g" => {
            (format!("float{}", 8 * size), "; `.astype(int)` makes integers of whole numbers")
        }
        "?" => ("bool".to_owned(), ""),
        other => (format!("`{other}`"), ""),
    }
}

/// Returns the integer type for a buffer format string, in the notation of the Python module `struct`, and an
/// item size of `size` bytes. Returns `None` if the format is not an integer.
fn kind(format: &str, size: usize) -> Option<BufferKind> {
    let (big, code) = match format.as_bytes() {
        [b'@' | b'=' | b'<', code] | [code] => (cfg!(target_endian = "big"), *code),
        [b'>' | b'!', code] => (true, *code),
        _ => return None,
    };
    let signed = match code {
        b'b' | b'h' | b'i' | b'l' | b'q' | b'n' => true,
        b'B' | b'H' | b'I' | b'L' | b'Q' | b'N' => false,
        _ => return None,
    };
    // The size is given by the array: letters such as `l` differ in size between platforms.
    matches!(size, 1 | 2 | 4 | 8).then_some(BufferKind { size, signed, big })
}

impl BufferKind {
    /// Converts the bytes of one array item to `i64`. Returns `None` if the item is an unsigned 64-bit
    /// integer above `i64::MAX`.
    #[inline]
    fn widen(self, item: &[u8]) -> Option<i64> {
        macro_rules! number {
            ($Type:ty) => {{
                let bytes = item.try_into().ok()?;
                if self.big { <$Type>::from_be_bytes(bytes) } else { <$Type>::from_le_bytes(bytes) }
            }};
        }
        Some(match (self.size, self.signed) {
            (1, true) => i64::from(number!(i8)),
            (1, false) => i64::from(number!(u8)),
            (2, true) => i64::from(number!(i16)),
            (2, false) => i64::from(number!(u16)),
            (4, true) => i64::from(number!(i32)),
            (4, false) => i64::from(number!(u32)),
            (_, true) => number!(i64),
            (_, false) => return i64::try_from(number!(u64)).ok(),
        })
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct BufferFilter {
    /// Padding ids; every occurrence in a sequence is removed.
    pub(crate) pad: Vec<i64>,
    /// End-of-sequence ids. The first such id in a sequence and everything after it are removed.
    pub(crate) eos: Vec<i64>,
}

impl Array<'_> {
    fn items(&self) -> impl Iterator<Item = Option<i64>> {
        let kind = self.kind;
        self.bytes.as_bytes().chunks_exact(kind.size).map(move |item| kind.widen(item))
    }

    pub(crate) fn append(&self, ids: &mut Vec<u32>, place: ValuePlace<'_>) -> PyResult<()> {
        let bytes = self.bytes.as_bytes();
        // Most tokenizers produce 32-bit or 64-bit little-endian ids. Their loops have no branches, so the
        // compiler vectorizes them.
        let fits = match (self.kind.size, self.kind.big) {
            (8, false) => append_i64(ids, bytes),
            (4, false) => append_i32(ids, bytes, self.kind.signed),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        // The slow loop finds the first id out of range for the error.
        for (at, item) in self.items().enumerate() {
            ids.push(id(item, || format!("{place}[{at}]"))?);
        }
        Ok(())
    }

    /// Returns each row of a two-dimensional array as a sequence of token ids.
    pub(crate) fn rows(&self, place: ValuePlace<'_>) -> PyResult<Ids> {
        let (rows, width) = self.two_dimensions(place)?;
        let mut ids = Ids::default();
        let mut flat = Vec::new();
        self.append(&mut flat, place).map_err(|_| self.first_bad(width, place))?;
        for row in 0..rows {
            ids.push(&flat[row * width..(row + 1) * width]);
        }
        Ok(ids)
    }

    fn first_bad(&self, width: usize, place: ValuePlace<'_>) -> PyErr {
        let bad = self.items().enumerate().find_map(|(at, item)| {
            id(item, || format!("{place}[{}][{}]", at / width.max(1), at % width.max(1))).err()
        });
        bad.unwrap_or_else(|| value(format!("{place} holds no ids")))
    }

    fn two_dimensions(&self, place: ValuePlace<'_>) -> PyResult<(usize, usize)> {
        match self.shape[..] {
            [rows, width] => Ok((rows, width)),
            [_] => Err(value(format!(
                "{place} is an array of one dimension: say where its sequences end with `bleuprint.ids(array, offsets=..)`"
            ))),
            _ => Err(value(format!(
                "{place} is an array of {} dimensions, but must have two",
                self.shape.len()
            ))),
        }
    }

    /// Appends a one-dimensional array as one sequence, without padding and everything from the end-of-sequence
    /// id.
    pub(crate) fn push_filtered(
        &self,
        ids: &mut Ids,
        filter: &BufferFilter,
        place: ValuePlace<'_>,
    ) -> PyResult<()> {
        let [_] = self.shape[..] else {
            let dimensions = self.shape.len();
            return Err(value(format!(
                "{place} has {dimensions} dimensions, but one sequence of ids has one"
            )));
        };
        let is_eos = |item: &Option<i64>| item.is_some_and(|id| filter.eos.contains(&id));
        for (at, item) in self.items().take_while(|item| !is_eos(item)).enumerate() {
            if !item.is_some_and(|id| filter.pad.contains(&id)) {
                ids.data_mut().push(id(item, || format!("{place}[{at}]"))?);
            }
        }
        ids.end();
        Ok(())
    }

    /// Returns the rows of a two-dimensional array as sequences of token ids. Each row is cut to its length
    /// in `lengths`; then padding and everything from the end-of-sequence id are removed.
    pub(crate) fn filtered(
        &self,
        lengths: Option<&[usize]>,
        filter: &BufferFilter,
        place: ValuePlace<'_>,
    ) -> PyResult<Ids> {
        let (rows, width) = self.two_dimensions(place)?;
        if let Some(lengths) = lengths {
            if lengths.len() != rows {
                return Err(value(format!("{place} has {rows} rows, but lengths has {}", lengths.len())));
            }
            if let Some(row) = lengths.iter().position(|&length| length > width) {
                let length = lengths[row];
                return Err(value(format!(
                    "lengths[{row}] is {length}, but the rows of {place} have {width} ids"
                )));
            }
        }
        let mut ids = Ids::default();
        let mut items = self.items();
        for row in 0..rows {
            let length = lengths.map_or(width, |lengths| lengths[row]);
            let mut open = true;
            for at in 0..width {
                // All items of the row are consumed, even after its end, to stay in step with the next row.
                let item = items.next().flatten();
                open = open && !item.is_some_and(|id| filter.eos.contains(&id));
                // Only ids that are kept must be in range: padding is often -1 or -100.
                if at < length && open && !item.is_some_and(|id| filter.pad.contains(&id)) {
                    ids.data_mut().push(id(item, || format!("{place}[{row}][{at}]"))?);
                }
            }
            ids.end();
        }
        Ok(ids)
    }

    /// Splits a one-dimensional array into sequences of token ids: sequence `i` is `[offsets[i], offsets[i +
    /// 1])`. Padding and everything from the end-of-sequence id are removed.
    pub(crate) fn pieces(
        &self,
        offsets: &[usize],
        filter: &BufferFilter,
        place: ValuePlace<'_>,
    ) -> PyResult<Ids> {
        let [len] = self.shape[..] else {
            return Err(value(format!(
                "{place} has {} dimensions, but offsets cut arrays of one",
                self.shape.len()
            )));
        };
        if let Some(at) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(value(format!(
                "offsets[{}] is {}, less than the one before it",
                at + 1,
                offsets[at + 1]
            )));
        }
        let [first, .., last] = offsets else {
            return Err(value("offsets must be at least two: the first begin and the last end"));
        };
        if *first != 0 || *last != len {
            return Err(value(format!("offsets go from {first} to {last}, but {place} from 0 to {len}")));
        }
        let items: Vec<Option<i64>> = self.items().collect();
        let mut ids = Ids::default();
        for pair in offsets.windows(2) {
            for (at, item) in (pair[0]..).zip(&items[pair[0]..pair[1]]) {
                if item.is_some_and(|id| filter.eos.contains(&id)) {
                    break;
                }
                if !item.is_some_and(|id| filter.pad.contains(&id)) {
                    ids.data_mut().push(id(*item, || format!("{place}[{at}]"))?);
                }
            }
            ids.end();
        }
        Ok(ids)
    }

    pub(crate) fn sizes(&self, place: ValuePlace<'_>) -> PyResult<Vec<usize>> {
        let [_] = self.shape[..] else { return Err(value(format!("{place} must have one dimension"))) };
        let size = |(at, item): (usize, Option<i64>)| {
            let size = item.and_then(|item| usize::try_from(item).ok());
            size.ok_or_else(|| value(format!("{place}[{at}] is {}, but must be at least 0", shown(item))))
        };
        self.items().enumerate().map(size).collect()
    }
}

fn append_i64(ids: &mut Vec<u32>, bytes: &[u8]) -> bool {
    let start = ids.len();
    let mut all = 0_u64;
    ids.extend(bytes.chunks_exact(8).map(|item| {
        let wide = item.first_chunk().map_or(u64::MAX, |item| u64::from_le_bytes(*item));
        // The bits of all ids are combined, so that one check after the loop finds any id above 32 bits. A
        // negative id sets the upper bits.
        all |= wide;
        wide as u32
    }));
    keep(ids, start, u32::try_from(all).is_ok())
}

fn append_i32(ids: &mut Vec<u32>, bytes: &[u8], signed: bool) -> bool {
    let start = ids.len();
    let mut all = 0_u32;
    ids.extend(bytes.chunks_exact(4).map(|item| {
        let id = item.first_chunk().map_or(u32::MAX, |item| u32::from_le_bytes(*item));
        all |= id;
        id
    }));
    // The sign bit is set if any signed id is negative; unsigned 32-bit ids always fit.
    keep(ids, start, !(signed && all >> 31 != 0))
}

fn keep(ids: &mut Vec<u32>, start: usize, fits: bool) -> bool {
    if !fits {
        ids.truncate(start);
    }
    fits
}

fn id(item: Option<i64>, place: impl Fn() -> String) -> PyResult<u32> {
    let fits = item.and_then(|item| u32::try_from(item).ok());
    fits.ok_or_else(|| out_of_range(&place(), &shown(item)))
}

/// Returns the error for an id outside of 32 bits. Trainers pad with negative numbers, so these get advice.
pub(crate) fn out_of_range(place: &str, shown: &str) -> PyErr {
    let advice = if shown.starts_with('-') {
        format!("; if it is padding, `bleuprint.ids(.., pad_id={shown})` drops it")
    } else {
        String::new()
    };
    value(format!("{place} is {shown}, but ids must be from 0 to {}{advice}", u32::MAX))
}

fn shown(item: Option<i64>) -> String {
    item.map_or_else(|| format!("above {}", i64::MAX), |item| item.to_string())
}
