//! Arrow columns as segments: text, lists of ids, and lists of either for several references.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bleuprint::AnyMetric;
use bleuprint::contract::{Metric as _, Segment};
use bleuprint::eval::evaluation::SegmentPart;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryViewArray, LargeStringArray, ListArray, StringArray, StringViewArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Int32Type, Int64Type, UInt32Type};
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, plan_datafusion_err};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum View {
    Text,
    Ids,
    /// Data of the metric's own form.
    Own,
}

/// Returns the type from which values are read, one of a few, or `None` for types that JSON does not have.
pub(crate) fn plain(kind: &DataType) -> Option<DataType> {
    Some(match kind {
        DataType::Null | DataType::Boolean | DataType::UInt64 => kind.clone(),
        DataType::Dictionary(_, value) => plain(value)?,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => DataType::BinaryView,
        _ if kind.is_integer() => DataType::Int64,
        _ if kind.is_numeric() => DataType::Float64,
        DataType::Struct(fields) => {
            let plain = |field: &Arc<Field>| Some(Field::new(field.name(), plain(field.data_type())?, true));
            DataType::Struct(fields.iter().map(plain).collect::<Option<Vec<_>>>()?.into())
        }
        _ => list_of(plain(item(kind)?)?),
    })
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::BinaryView)
}

fn item(kind: &DataType) -> Option<&DataType> {
    match kind {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _) => Some(field.data_type()),
        _ => None,
    }
}

fn list_of(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(item, true)))
}

/// Returns the contents of a column with one sequence per row, and the type that it is cast to. Bytes are
/// text and are checked for UTF-8.
fn sequence(kind: &DataType) -> Option<(View, DataType)> {
    match kind {
        DataType::Dictionary(_, value) => sequence(value),
        text if is_text(text) => Some((View::Text, text.clone())),
        DataType::Binary | DataType::LargeBinary => Some((View::Text, DataType::BinaryView)),
        // A column that has only NULL: its first row will be reported as an error.
        DataType::Null => Some((View::Text, DataType::Utf8)),
        list => match item(list)? {
            ids @ (DataType::UInt32 | DataType::Int32 | DataType::Int64) => {
                Some((View::Ids, list_of(ids.clone())))
            }
            DataType::UInt8 | DataType::UInt16 | DataType::Int8 | DataType::Int16 => {
                Some((View::Ids, list_of(DataType::Int64)))
            }
            _ => None,
        },
    }
}

/// Returns the same for references, which may also be lists of sequences.
fn sequences(kind: &DataType) -> Option<(View, DataType)> {
    // One sequence is tried first: a list of integers is one reference, not a list of references.
    sequence(kind).or_else(|| {
        let (view, inner) = sequence(item(kind)?)?;
        Some((view, list_of(inner)))
    })
}

/// Returns the types that `(hyp [, ref [, source]])` are cast to. Columns that are neither all text nor all
/// ids are data of a metric's own form. Types that such data cannot have are an error of the plan.
pub(crate) fn coerced(function: &str, kinds: &[DataType]) -> Result<(View, Vec<DataType>)> {
    let of = |(at, kind): (usize, &DataType)| if at == 1 { sequences(kind) } else { sequence(kind) };
    let types: Option<Vec<_>> = kinds.iter().enumerate().map(of).collect();
    let one_view = |types: &Vec<(View, _)>| types.iter().all(|(view, _)| *view == types[0].0);
    if !(1..=3).contains(&kinds.len())
        || kinds.iter().any(|kind| sequences(kind).is_none() && plain(kind).is_none())
    {
        return Err(refused(function, kinds));
    }
    Ok(match types.filter(one_view) {
        Some(types) => (types[0].0, types.into_iter().map(|(_, kind)| kind).collect()),
        None => {
            let own = |kind: &DataType| item(kind).map_or_else(|| kind.clone(), |item| list_of(item.clone()));
            (View::Own, kinds.iter().map(own).collect())
        }
    })
}

pub(crate) fn refused(function: &str, kinds: &[DataType]) -> DataFusionError {
    let given: Vec<String> = kinds.iter().map(ToString::to_string).collect();
    plan_datafusion_err!(
        "{function} takes (hypothesis [, reference [, source]]), all text or all lists of integers (ids), the \
         reference also a list of these; given are ({})",
        given.join(", ")
    )
}

/// Place of a segment, for errors.
pub(crate) struct Place<'p> {
    pub(crate) names: &'p [String],
    pub(crate) before: u64,
    /// Part of the query in which rows are counted, from 0.
    pub(crate) within: &'static str,
}

impl Place<'_> {
    pub(crate) fn wrong(
        &self,
        column: usize,
        row: usize,
        message: impl std::fmt::Display,
    ) -> DataFusionError {
        let name = self.names.get(column).map_or("", String::as_str);
        let row = self.before + row as u64;
        exec_datafusion_err!("{name}[{row}] {message} (rows are counted from 0 in {})", self.within)
    }

    pub(crate) fn null(&self, column: usize, row: usize) -> DataFusionError {
        let name = self.names.get(column).map_or("", String::as_str);
        self.wrong(column, row, format!("is null; leave such rows out by FILTER (WHERE {name} IS NOT NULL)"))
    }
}

pub(crate) trait Read<'a>: Sized {
    type Item: ?Sized + 'static;
    /// Reads these rows of an array. The array may be much longer, because a window passes slices of one
    /// array.
    fn new(array: &'a dyn Array, rows: Range<usize>, metric: &AnyMetric, part: SegmentPart) -> Result<Self>;
    fn get(&self, row: usize) -> Result<&Self::Item, Cow<'static, str>>;
}

pub(crate) enum Texts<'a> {
    Utf8(&'a StringArray),
    Large(&'a LargeStringArray),
    View(&'a StringViewArray),
    Bytes(&'a BinaryViewArray),
}

impl<'a> Read<'a> for Texts<'a> {
    type Item = str;

    fn new(array: &'a dyn Array, _: Range<usize>, _: &AnyMetric, _: SegmentPart) -> Result<Self> {
        Ok(match array.data_type() {
            DataType::LargeUtf8 => Texts::Large(array.as_string()),
            DataType::Utf8View => Texts::View(array.as_string_view()),
            DataType::BinaryView => Texts::Bytes(array.as_binary_view()),
            _ => Texts::Utf8(array.as_string()),
        })
    }

    fn get(&self, row: usize) -> Result<&str, Cow<'static, str>> {
        Ok(match self {
            Texts::Utf8(array) => array.value(row),
            Texts::Large(array) => array.value(row),
            Texts::View(array) => array.value(row),
            Texts::Bytes(array) => utf8(array.value(row))?,
        })
    }
}

pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes)
        .map_err(|error| format!("is not UTF-8: its byte {} is wrong, counted from 0", error.valid_up_to()))
}

/// Lists of ids; their values are converted to `u32` once for a batch.
pub(crate) struct Ids<'a> {
    lists: &'a ListArray,
    /// Position of the first value that is read.
    first: usize,
    values: Cow<'a, [u32]>,
    wrong: Vec<usize>,
}

impl<'a> Read<'a> for Ids<'a> {
    type Item = [u32];

    fn new(array: &'a dyn Array, rows: Range<usize>, _: &AnyMetric, _: SegmentPart) -> Result<Self> {
        let lists = array.as_list::<i32>();
        let values = lists.values();
        let read = values_of(lists, rows);
        let first = read.start;
        let mut wrong: Vec<usize> =
            read.clone().filter(|&at| values.is_null(at)).map(|at| at - first).collect();
        let mut of = |ids: &mut dyn Iterator<Item = i64>| -> Cow<'a, [u32]> {
            let ids = ids.enumerate().map(|(at, id)| {
                // Errors are collected instead of returned, because a bad id matters only if its row is
                // kept.
                u32::try_from(id).unwrap_or_else(|_| {
                    wrong.push(at);
                    0
                })
            });
            Cow::Owned(ids.collect())
        };
        let values = match values.data_type() {
            DataType::UInt32 => Cow::Borrowed(&values.as_primitive::<UInt32Type>().values()[read]),
            DataType::Int32 => {
                of(&mut values.as_primitive::<Int32Type>().values()[read].iter().map(|&id| id.into()))
            }
            _ => of(&mut values.as_primitive::<Int64Type>().values()[read].iter().copied()),
        };
        wrong.sort_unstable();
        Ok(Ids { lists, first, values, wrong })
    }

    fn get(&self, row: usize) -> Result<&[u32], Cow<'static, str>> {
        let Range { start, end } = values_of(self.lists, row..row + 1);
        let range = start - self.first..end - self.first;
        // `wrong` is sorted, so a binary search finds the first bad id of the row.
        let first = self.wrong.partition_point(|&at| at < range.start);
        match self.wrong.get(first) {
            Some(at) if *at < range.end => {
                Err(format!("has no id from 0 to 2^32 - 1 at place {}, counted from 0", at - range.start)
                    .into())
            }
            _ => Ok(&self.values[range]),
        }
    }
}

/// Returns the positions of the values of these rows.
fn values_of(lists: &ListArray, rows: Range<usize>) -> Range<usize> {
    let offsets = lists.value_offsets();
    offsets[rows.start] as usize..offsets[rows.end] as usize
}

struct References<'a, R> {
    array: &'a dyn Array,
    lists: Option<&'a ListArray>,
    items: R,
}

impl<'a, R: Read<'a>> References<'a, R> {
    fn new(column: &'a ArrayRef, metric: &AnyMetric) -> Result<Self> {
        // A list of texts is several references, but a list of integers is one reference of ids. Only the
        // inner type tells them apart.
        let many = item(column.data_type()).is_some_and(|inner| match metric.view.form {
            Some(_) => !metric.identity().needs().one_reference,
            None => is_text(inner) || item(inner).is_some(),
        });
        let lists = many.then(|| column.as_list::<i32>());
        let array: &dyn Array = lists.map_or(&**column, |lists| &**lists.values());
        let rows = lists.map_or(0..column.len(), |lists| values_of(lists, 0..lists.len()));
        Ok(References { array, lists, items: R::new(array, rows, metric, SegmentPart::Reference)? })
    }
}

/// Passes each segment of coerced columns (hypotheses, references, sources) to `observe`.
pub(crate) fn each<'a, R: Read<'a>>(
    columns: &'a [ArrayRef],
    metric: &AnyMetric,
    place: &Place<'_>,
    keep: impl Fn(usize) -> bool,
    mut observe: impl FnMut(usize, Segment<'_, R::Item>) -> Result<()>,
) -> Result<()> {
    let read = |column: &'a ArrayRef, part| R::new(&**column, 0..column.len(), metric, part);
    let hypotheses = read(&columns[0], SegmentPart::Hypothesis)?;
    let references = columns.get(1).map(|column| References::<R>::new(column, metric)).transpose()?;
    let sources = columns.get(2).map(|column| read(column, SegmentPart::Source)).transpose()?;
    let mut of_row: Vec<&R::Item> = Vec::new();
    for row in (0..columns[0].len()).filter(|&row| keep(row)) {
        let wrong = |column: usize| move |message: Cow<'static, str>| place.wrong(column, row, message);
        if let Some(column) = (0..columns.len()).find(|&column| columns[column].is_null(row)) {
            return Err(place.null(column, row));
        }
        let hypothesis = hypotheses.get(row).map_err(wrong(0))?;
        of_row.clear();
        if let Some(References { array, lists, items }) = &references {
            let places = lists.map_or(row..row + 1, |lists| values_of(lists, row..row + 1));
            for (at, of_list) in places.enumerate() {
                if array.is_null(of_list) {
                    return Err(place.wrong(1, row, format!("has a null at place {at}, counted from 0")));
                }
                of_row.push(items.get(of_list).map_err(wrong(1))?);
            }
        }
        let source = sources.as_ref().map(|sources| sources.get(row).map_err(wrong(2))).transpose()?;
        observe(row, Segment::with_source(hypothesis, &of_row, source))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_lists_reads_its_own_values() {
        let metric = bleuprint::registry().build("bleu").unwrap();
        let row = |ids: &[i64]| Some(ids.iter().copied().map(Some).collect::<Vec<_>>());
        let lists =
            ListArray::from_iter_primitive::<Int64Type, _, _>([row(&[-1; 9]), row(&[7, 8]), row(&[-2, 5])]);
        let middle = lists.slice(1, 1);
        let last = lists.slice(1, 2);
        let ids = Ids::new(&middle, 0..1, &metric, SegmentPart::Hypothesis).unwrap();
        assert_eq!((ids.get(0), ids.values.len(), ids.wrong.len()), (Ok(&[7, 8][..]), 2, 0));
        let ids = Ids::new(&last, 1..2, &metric, SegmentPart::Hypothesis).unwrap();
        assert_eq!((ids.values.len(), ids.get(1).unwrap_err().contains("at place 0")), (2, true));
    }
}
