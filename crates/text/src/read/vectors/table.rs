//! [`VectorTable`]: the vectors of many texts, checked, from a file or from memory that others own.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result, Vector, VectorValues};
use num_traits::PrimInt;
use num_traits::float::FloatCore;

/// Numbers row after row; those of single precision may belong to others, and are not copied.
#[derive(Clone)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two widths of floats")]
pub enum Floats {
    /// In single precision.
    F32(Arc<dyn AsRef<[f32]> + Send + Sync>),
    /// In double precision.
    F64(Vec<f64>),
}

impl Floats {
    /// Numbers in single precision.
    pub fn of(numbers: Vec<f32>) -> Self {
        Floats::F32(Arc::new(numbers))
    }

    fn values(&self, range: Range<usize>) -> VectorValues<'_> {
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

/// The other arrays of a file of vectors; see the table of [`read_vectors`](super::read_vectors).
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct VectorParts {
    /// The rows of each text.
    pub offsets: Option<Vec<i64>>,
    /// The texts of each segment.
    pub groups: Option<Vec<i64>>,
    /// The weight of each row.
    pub weights: Option<Vec<f64>>,
    /// The piece of each row.
    pub ids: Option<Vec<i64>>,
}

/// The vectors of many texts.
///
/// ```
/// use bleuprint_text::read::{Floats, VectorParts, VectorTable};
/// let rows = Floats::of(vec![1.0, 0.0, 0.0, 1.0, 0.5, 0.5]);
/// let parts = VectorParts { offsets: Some(vec![0, 2, 3]), ..VectorParts::default() };
/// let table = VectorTable::new("x", rows.clone(), 2, parts).unwrap();
/// assert_eq!((table.texts(), table.vectors(0).len()), (2, 2));
/// let parts = VectorParts { offsets: Some(vec![0, 4]), ..VectorParts::default() };
/// let error = VectorTable::new("x", rows, 2, parts).unwrap_err();
/// assert_eq!(error.to_string(), "x: offsets[1] is 4, but there are 3 rows");
/// ```
#[derive(Clone)]
pub struct VectorTable {
    name: Arc<str>,
    floats: Floats,
    width: usize,
    rows: usize,
    offsets: Option<Vec<usize>>,
    groups: Option<Vec<usize>>,
    weights: Option<Vec<f64>>,
    ids: Option<Vec<i64>>,
}

impl VectorTable {
    /// Vectors of this width; `name` is the file or the argument, for errors.
    ///
    /// # Errors
    /// Numbers that make no whole rows; offsets or groups that do not begin at 0, end at the last row or text, or ascend;
    /// another number of weights or ids than rows; a number that is not finite, a negative weight, a row of zeros. Rows are
    /// counted from 0.
    pub fn new(name: impl Into<Arc<str>>, floats: Floats, width: usize, parts: VectorParts) -> Result<Self> {
        let name = name.into();
        let located = |error: InputError| error.at(Location::file(name.clone()));
        let wrong = |message: String| located(InputError::malformed(message));
        let rows = floats.len().checked_div(width).unwrap_or_default();
        if width == 0 || rows * width != floats.len() {
            return Err(wrong(format!("{} numbers are no rows of {width}", floats.len())));
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
        let table = VectorTable { name: name.clone(), floats, width, rows, offsets, groups, weights, ids };
        (0..rows).try_for_each(|row| table.check_row(row)).map_err(wrong)?;
        Ok(table)
    }

    fn check_row(&self, row: usize) -> Result<(), String> {
        /// `bits` are those of the magnitude: zero for zero, and from `infinite` on for infinity and NaN.
        fn find<T: FloatCore + fmt::Display, B: PrimInt>(
            values: &[T],
            row: usize,
            bits: impl Fn(T) -> B,
            infinite: B,
        ) -> Result<(), String> {
            // The greatest of all at once, so that many are looked at together.
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
        match self.values(row) {
            VectorValues::F32(values) => {
                find(values, row, |value| value.abs().to_bits(), f32::INFINITY.to_bits())
            }
            VectorValues::F64(values) => {
                find(values, row, |value| value.abs().to_bits(), f64::INFINITY.to_bits())
            }
        }
    }

    fn values(&self, row: usize) -> VectorValues<'_> {
        self.floats.values(row * self.width..(row + 1) * self.width)
    }

    /// The file or the argument.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The number of coordinates.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of texts.
    pub fn texts(&self) -> usize {
        self.offsets.as_ref().map_or(self.rows, |offsets| offsets.len() - 1)
    }

    /// The number of segments.
    pub fn segments(&self) -> usize {
        self.groups.as_ref().map_or(self.texts(), |groups| groups.len() - 1)
    }

    /// A segment may have several texts.
    pub fn is_grouped(&self) -> bool {
        self.groups.is_some()
    }

    /// The texts of a segment.
    pub fn texts_of(&self, segment: usize) -> Range<usize> {
        self.groups.as_ref().map_or(segment..segment + 1, |groups| groups[segment]..groups[segment + 1])
    }

    /// The vectors of a text. No number is copied.
    pub fn vectors(&self, text: usize) -> Vec<Vector<'_>> {
        let rows = self.offsets.as_ref().map_or(text..text + 1, |offsets| offsets[text]..offsets[text + 1]);
        let vector = |row: usize| Vector {
            weight: self.weights.as_ref().map_or(1.0, |weights| weights[row]),
            piece: self.ids.as_ref().map(|ids| ids[row]),
            ..Vector::from(self.values(row))
        };
        rows.map(vector).collect()
    }
}

/// Offsets that cut `count` things.
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

/// By the vectors of every text.
impl PartialEq for VectorTable {
    fn eq(&self, other: &Self) -> bool {
        self.groups == other.groups
            && self.texts() == other.texts()
            && (0..self.texts()).all(|text| self.vectors(text) == other.vectors(text))
    }
}
