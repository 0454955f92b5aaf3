//! [`VectorTable`]: the checked embedding vectors of many texts, from a file or from memory of the caller.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result, Vector, VectorValues};
use num_traits::PrimInt;
use num_traits::float::FloatCore;

use super::stored::StoredVectors;

/// The coordinates of vectors, one vector after the other. Single-precision values may belong to the caller
/// and are not copied.
#[derive(Clone)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two widths of floats")]
pub enum Floats {
    /// Coordinates of vectors in single precision, one vector after the other.
    F32(Arc<dyn AsRef<[f32]> + Send + Sync>),
    /// Coordinates of vectors in double precision, one vector after the other.
    F64(Vec<f64>),
}

impl Floats {
    /// Stores single-precision coordinates, given one vector after the other.
    pub fn from_numbers(numbers: Vec<f32>) -> Self {
        Floats::F32(Arc::new(numbers))
    }

    pub(super) fn values(&self, range: Range<usize>) -> VectorValues<'_> {
        match self {
            Floats::F32(numbers) => VectorValues::F32(&(**numbers).as_ref()[range]),
            Floats::F64(numbers) => VectorValues::F64(&numbers[range]),
        }
    }

    fn len(&self) -> usize {
        match self {
            Floats::F32(numbers) => (**numbers).as_ref().len(),
            Floats::F64(numbers) => numbers.len(),
        }
    }
}

/// The coordinates of embedding vectors: in memory, or in a file from which they are read later.
#[derive(Clone)]
pub(super) enum VectorNumbers {
    Here(Floats),
    Stored(StoredVectors),
}

impl From<Floats> for VectorNumbers {
    fn from(floats: Floats) -> Self {
        VectorNumbers::Here(floats)
    }
}

/// Optional arrays that accompany embedding vectors: the boundaries of texts and of segments, and the weights
/// and ids of the vectors. The table of [`read_vectors`](super::read_vectors) lists them.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct VectorParts {
    /// The index of the first vector of each text, followed by the number of vectors. `None`: each vector is
    /// a text.
    pub offsets: Option<Vec<i64>>,
    /// The index of the first text of each segment, followed by the number of texts. `None`: each text is a
    /// segment.
    pub groups: Option<Vec<i64>>,
    /// The weight of each embedding vector; `None` gives all vectors the weight 1.
    pub weights: Option<Vec<f64>>,
    /// The vocabulary id of the word piece that each embedding vector belongs to.
    pub ids: Option<Vec<i64>>,
}

/// The embedding vectors of many texts. A text has one vector or several, such as one for each word piece.
///
/// ```
/// use bleuprint_text::read::{Floats, VectorParts, VectorTable};
/// let rows = Floats::from_numbers(vec![1.0, 0.0, 0.0, 1.0, 0.5, 0.5]);
/// let parts = VectorParts { offsets: Some(vec![0, 2, 3]), ..VectorParts::default() };
/// let table = VectorTable::new("x", rows.clone(), 2, parts).unwrap();
/// assert_eq!(table.texts(), 2);
/// assert_eq!(table.reader().texts(0..1).unwrap()[0].len(), 2);
/// let parts = VectorParts { offsets: Some(vec![0, 4]), ..VectorParts::default() };
/// let error = VectorTable::new("x", rows, 2, parts).unwrap_err();
/// assert_eq!(error.to_string(), "x: offsets[1] is 4, but there are 3 rows");
/// ```
#[derive(Clone)]
pub struct VectorTable {
    name: Arc<str>,
    pub(super) numbers: VectorNumbers,
    width: usize,
    rows: usize,
    offsets: Option<Vec<usize>>,
    groups: Option<Vec<usize>>,
    weights: Option<Vec<f64>>,
    ids: Option<Vec<i64>>,
}

impl VectorTable {
    /// Creates a table of vectors with `width` coordinates each. `name` is the file or the argument that
    /// error messages name.
    ///
    /// # Errors
    /// Returns an error in these cases; rows are counted from 0:
    ///
    /// - The number of values is not a multiple of `width`.
    /// - Offsets or groups do not begin at 0, do not end at the number of rows or texts, or decrease.
    /// - The number of weights or ids differs from the number of rows.
    /// - A value is not finite, a weight is negative, or a row is all zeros.
    pub fn new(name: impl Into<Arc<str>>, floats: Floats, width: usize, parts: VectorParts) -> Result<Self> {
        VectorTable::with(name.into(), floats.into(), width, parts)
    }

    pub(super) fn with(
        name: Arc<str>,
        numbers: VectorNumbers,
        width: usize,
        parts: VectorParts,
    ) -> Result<Self> {
        let located = |error: InputError| error.at(Location::file(name.clone()));
        let wrong = |message: String| located(InputError::malformed(message));
        let len = match &numbers {
            VectorNumbers::Here(floats) => floats.len(),
            VectorNumbers::Stored(stored) => stored.len,
        };
        // A width of 0 would be a division by zero.
        let rows = len.checked_div(width).unwrap_or_default();
        if width == 0 || rows * width != len {
            return Err(wrong(format!("{len} numbers do not form rows of {width}")));
        }
        let VectorParts { offsets, groups, weights, ids } = parts;
        let offsets = offsets.map(|all| cuts("offsets", &all, "rows", rows)).transpose().map_err(located)?;
        let texts = offsets.as_ref().map_or(rows, |offsets| offsets.len() - 1);
        let groups = groups.map(|all| cuts("groups", &all, "texts", texts)).transpose().map_err(located)?;
        let lengths = [("weights", weights.as_ref().map(Vec::len)), ("ids", ids.as_ref().map(Vec::len))];
        if let Some((part, len)) =
            lengths.iter().find_map(|(part, len)| len.filter(|len| *len != rows).map(|len| (part, len)))
        {
            return Err(wrong(format!("{len} {part}, but there are {rows} rows")));
        }
        let weight = |weight: &f64| !(weight.is_finite() && *weight >= 0.0);
        if let Some(row) = weights.iter().flatten().position(weight) {
            let weight = weights.iter().flatten().nth(row).copied().unwrap_or_default();
            return Err(wrong(format!("row {row} weighs {weight}, but weights are finite and at least 0")));
        }
        let table = VectorTable { name: name.clone(), numbers, width, rows, offsets, groups, weights, ids };
        // Rows in a file are checked when they are read.
        if let VectorNumbers::Here(floats) = &table.numbers {
            table.check(0..rows, |row| floats.values(row * width..(row + 1) * width))?;
        }
        Ok(table)
    }

    /// Checks that the vectors in these rows of the table are finite and not zero.
    pub(super) fn check<'v>(
        &self,
        mut rows: Range<usize>,
        values: impl Fn(usize) -> VectorValues<'v>,
    ) -> Result<()> {
        rows.try_for_each(|row| check_row(row, values(row)))
            .map_err(|message| InputError::malformed(message).at(Location::file(self.name.clone())))
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the name of the file or argument from which the vectors come.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the number of coordinates of each embedding vector.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of texts whose vectors are in the table.
    pub fn texts(&self) -> usize {
        self.offsets.as_ref().map_or(self.rows, |offsets| offsets.len() - 1)
    }

    /// Returns the number of segments, which are groups of one or several texts.
    pub fn segments(&self) -> usize {
        self.groups.as_ref().map_or(self.texts(), |groups| groups.len() - 1)
    }

    /// Returns `true` if the table of vectors groups its texts into segments of one or several texts.
    /// Otherwise each text is a separate segment.
    pub fn is_grouped(&self) -> bool {
        self.groups.is_some()
    }

    /// Returns the index range of the texts that belong to a segment.
    pub fn texts_of(&self, segment: usize) -> Range<usize> {
        self.groups.as_ref().map_or(segment..segment + 1, |groups| groups[segment]..groups[segment + 1])
    }

    /// Returns the range of table rows that contain the vectors of these texts.
    pub(super) fn rows_of(&self, texts: Range<usize>) -> Range<usize> {
        self.offsets.as_ref().map_or(texts.clone(), |offsets| offsets[texts.start]..offsets[texts.end])
    }

    /// Returns the vector in a row of the table: its coordinates, its weight and the id of its word piece.
    pub(super) fn vector<'v>(&self, row: usize, values: VectorValues<'v>) -> Vector<'v> {
        Vector {
            values,
            weight: self.weights.as_ref().map_or(1.0, |weights| weights[row]),
            piece: self.ids.as_ref().map(|ids| ids[row]),
        }
    }
}

fn check_row(row: usize, values: VectorValues<'_>) -> Result<(), String> {
    /// Rejects a vector that is all zeros or has an infinite or NaN value. `bits` returns the bits of a
    /// value's magnitude; they are at least `infinite` for infinity and NaN.
    fn find<T: FloatCore + fmt::Display, B: PrimInt>(
        values: &[T],
        row: usize,
        bits: impl Fn(T) -> B,
        infinite: B,
    ) -> Result<(), String> {
        // Magnitudes of floats are ordered like their bits as integers, so one maximum finds rows of zeros,
        // infinities and NaN. The loop has no branch and is vectorized.
        let greatest = values.iter().fold(B::zero(), |greatest, &value| greatest.max(bits(value)));
        if greatest.is_zero() {
            return Err(format!("row {row} is zero, which has no direction"));
        }
        if greatest < infinite {
            return Ok(());
        }
        match values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            Some((place, value)) => {
                Err(format!("row {row} is {value} in column {place}, but must be finite"))
            }
            None => Ok(()),
        }
    }
    match values {
        VectorValues::F32(values) => {
            find(values, row, |value| value.abs().to_bits(), f32::INFINITY.to_bits())
        }
        VectorValues::F64(values) => {
            find(values, row, |value| value.abs().to_bits(), f64::INFINITY.to_bits())
        }
    }
}

/// Converts offsets from a file of embedding vectors to indices. They must start at 0, never decrease and end
/// at `count`.
fn cuts(name: &str, offsets: &[i64], what: &str, count: usize) -> Result<Vec<usize>> {
    let wrong = |message: String| Err(InputError::malformed(message));
    let mut before = 0;
    let mut all = Vec::with_capacity(offsets.len());
    for (place, &offset) in offsets.iter().enumerate() {
        let Some(offset) = usize::try_from(offset).ok().filter(|offset| *offset <= count) else {
            return wrong(format!("{name}[{place}] is {offset}, but there are {count} {what}"));
        };
        if offset < before {
            return wrong(format!("{name}[{place}] is {offset}, less than the one before it, {before}"));
        }
        before = offset;
        all.push(offset);
    }
    match all[..] {
        [0, .., last] if last == count => Ok(all),
        [0, .., last] => wrong(format!("{name} end at {last}, but there are {count} {what}")),
        [0] | [] => wrong(format!("{name} must be at least two: the first begin and the last end")),
        [first, ..] => wrong(format!("{name}[0] is {first}, but must be 0")),
    }
}

impl fmt::Debug for VectorTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VectorTable({}, {} texts, {} rows of {})", self.name, self.texts(), self.rows, self.width)
    }
}

/// Compares two tables: their segments and the vectors of every text. A text whose file cannot be read any
/// more is never equal.
impl PartialEq for VectorTable {
    fn eq(&self, other: &Self) -> bool {
        self.groups == other.groups && self.texts() == other.texts() && {
            let mut own = self.reader();
            let mut others = other.reader();
            (0..self.texts()).all(|text| {
                let both = own.texts(text..text + 1).ok().zip(others.texts(text..text + 1).ok());
                both.is_some_and(|(own, other)| own == other)
            })
        }
    }
}
