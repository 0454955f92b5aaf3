//! Reads Arrow arrays through the Arrow PyCapsule interface: arrays of strings, of lists of integers, or of
//! lists of either. Only this file of the crate may use `unsafe`, because reading a capsule takes raw
//! pointers.

use std::ffi::{c_int, c_void};
use std::ops::Range;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{
    Array as _, ArrayRef, GenericListArray, OffsetSizeTrait, StructArray, downcast_integer, make_array,
    new_empty_array,
};
use arrow_schema::{DataType, Schema};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::{type_error, value, without_panic};
use crate::segments::lists::{AnyReferences, Ids, ListSequences, Texts};
use crate::values::place::ValuePlace;

pub(crate) struct ArrowColumn {
    pub(crate) items: ListSequences,
    /// Index in `items` where each row ends, if rows are lists of texts or of id sequences. `None` if each
    /// row is a single text or id sequence.
    pub(crate) ends: Option<Vec<usize>>,
}

impl ArrowColumn {
    fn of_texts(texts: Texts) -> Self {
        ArrowColumn { items: ListSequences::Texts(texts), ends: None }
    }

    fn of_ids(ids: Ids) -> Self {
        ArrowColumn { items: ListSequences::Ids(ids), ends: None }
    }

    pub(crate) fn into_references(self) -> AnyReferences {
        match self.ends {
            Some(ends) => AnyReferences { all: self.items, ends },
            None => AnyReferences::single(self.items),
        }
    }
}

#[derive(Debug)]
pub(crate) enum Nulls {
    /// Nulls are not allowed: a null in the Arrow array is an error.
    Refused,
    /// Nulls in the Arrow array are accepted: an empty text or id sequence replaces each null. The list has
    /// the row numbers of the nulls.
    Noted(Vec<usize>),
}

impl Nulls {
    fn meet(&mut self, row: usize, place: ValuePlace<'_>) -> PyResult<()> {
        match self {
            Nulls::Refused => Err(value(format!("{} is null, but must be there", place.at(row)))),
            Nulls::Noted(rows) => {
                rows.push(row);
                Ok(())
            }
        }
    }

    fn meet_all(&mut self, chunk: &ArrayRef, before: usize, place: ValuePlace<'_>) -> PyResult<()> {
        if *chunk.data_type() != DataType::Null && chunk.null_count() == 0 {
            return Ok(());
        }
        let null = |&at: &usize| *chunk.data_type() == DataType::Null || chunk.is_null(at);
        (0..chunk.len()).filter(null).try_for_each(|at| self.meet(before + at, place))
    }
}

pub(crate) fn read(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Option<ArrowColumn>> {
    read_nulls(object, place, &mut Nulls::Refused)
}

pub(crate) fn read_nulls(
    object: &Bound<'_, PyAny>,
    place: ValuePlace<'_>,
    nulls: &mut Nulls,
) -> PyResult<Option<ArrowColumn>> {
    guarded(place, || {
        let Some((schema, mut chunks)) = raw_chunks(object, place)? else { return Ok(None) };
        // A column without chunks still has a type, which decides between text and ids.
        if let (Some(schema), []) = (&schema, &chunks[..]) {
            let kind = DataType::try_from(schema).map_err(|error| value(format!("{place}: {error}")))?;
            chunks.push(new_empty_array(&kind));
        }
        chunks.iter().try_for_each(|chunk| check(chunk, place))?;
        column(&chunks, place, nulls).map(Some)
    })
}

pub(crate) struct ArrowTable {
    pub(crate) schema: Schema,
    pub(crate) chunks: Vec<StructArray>,
}

/// Reads an Arrow table, or an Arrow array of structs, as a table. Returns `None` if the Python object does
/// not support the Arrow interface.
pub(crate) fn table(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Option<ArrowTable>> {
    guarded(place, || {
        let Some((schema, chunks)) = raw_chunks(object, place)? else { return Ok(None) };
        chunks.iter().try_for_each(|chunk| check(chunk, place))?;
        // A record batch always has a schema; a stream may fail to give one.
        let schema = schema.ok_or_else(|| value(format!("{place} is a stream of Arrow without a schema")))?;
        let schema =
            Schema::try_from(&schema).map_err(|_| type_error(format!("{place} is no table of Arrow")))?;
        let rows = |chunk: &ArrayRef| chunk.as_struct_opt().cloned();
        let chunks: Option<Vec<StructArray>> = chunks.iter().map(rows).collect();
        let chunks = chunks.ok_or_else(|| type_error(format!("{place} is no table of Arrow")))?;
        Ok(Some(ArrowTable { schema, chunks }))
    })
}

pub(crate) fn chunks(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Option<Vec<ArrayRef>>> {
    guarded(place, || {
        let chunks = raw_chunks(object, place)?.map(|(_, chunks)| chunks);
        chunks.iter().flatten().try_for_each(|chunk| check(chunk, place))?;
        Ok(chunks)
    })
}

/// Runs `read` and returns its result, or an error if `read` panics. The Arrow reader panics if the data
/// violates the Arrow C interface, for example if the schema does not match its array.
fn guarded<T>(place: ValuePlace<'_>, read: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    without_panic(read)
        .unwrap_or_else(|panic| Err(value(format!("{place} breaks the interface of Arrow: {panic}"))))
}

type Raw = (Option<FFI_ArrowSchema>, Vec<ArrayRef>);

fn raw_chunks(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Option<Raw>> {
    if object.hasattr("__arrow_c_array__")? {
        from_array(object, place).map(Some)
    } else if object.hasattr("__arrow_c_stream__")? {
        from_stream(object, place).map(Some)
    } else {
        Ok(None)
    }
}

#[allow(
    unsafe_code,
    reason = "the capsules of the Arrow interface hold C structures, which are moved out once"
)]
fn from_array(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Raw> {
    let pair = object.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair
        .extract()
        .map_err(|_| type_error(format!("{place}: `__arrow_c_array__` gave no two capsules")))?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?;
    let array = array.pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: the interface reserves these capsule names for these structures, so a producer that uses the
    // names guarantees the layout. `from_raw` moves the structures out and marks them as released, so they
    // are freed only once.
    let (schema, array) = unsafe {
        (FFI_ArrowSchema::from_raw(schema.as_ptr().cast()), FFI_ArrowArray::from_raw(array.as_ptr().cast()))
    };
    require_shallow(&schema, place)?;
    // SAFETY: as above; the schema and the array describe the same data.
    let data = unsafe { from_ffi(array, &schema) };
    let array = make_array(data.map_err(|error| value(format!("{place}: {error}")))?);
    Ok((Some(schema), vec![array]))
}

#[allow(unsafe_code, reason = "as in `from_array`")]
fn from_stream(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Raw> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule
        .cast_into::<PyCapsule>()
        .map_err(|_| type_error(format!("{place}: `__arrow_c_stream__` gave no capsule")))?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    let fails = |error| value(format!("{place}: {error}"));
    let raw: *mut RawStream = pointer.as_ptr().cast();
    // SAFETY: as in `from_array`; the structure begins with the fields that the interface defines. A stream
    // that was not released allows any number of calls of `get_schema`.
    let schema = unsafe {
        let mut schema = FFI_ArrowSchema::empty();
        match ((*raw).release, (*raw).get_schema) {
            (Some(_), Some(get_schema)) if get_schema(raw, &mut schema) == 0 => Some(schema),
            _ => None,
        }
    };
    // The function `table` reports a missing schema; columns do not need one.
    schema.as_ref().map_or(Ok(()), |schema| require_shallow(schema, place))?;
    // SAFETY: as in `from_array`.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) };
    let chunks = ArrayStreamReader::try_new(stream).map_err(fails)?.map(|chunk| chunk.map_err(fails));
    Ok((schema, chunks.collect::<PyResult<_>>()?))
}

/// First fields of the C struct `ArrowArrayStream`, in the order that the Arrow C stream interface defines.
#[repr(C)]
struct RawStream {
    get_schema: Option<unsafe extern "C" fn(*mut RawStream, *mut FFI_ArrowSchema) -> c_int>,
    get_next: *const c_void,
    get_last_error: *const c_void,
    release: Option<unsafe extern "C" fn(*mut RawStream)>,
}

/// Largest nesting depth of an Arrow type that is read. All supported types are less deep.
const DEEPEST: usize = 8;

/// Rejects Arrow types with more than [`DEEPEST`] nested levels. Types are read recursively, so several
/// thousand levels would overflow the stack.
fn require_shallow(schema: &FFI_ArrowSchema, place: ValuePlace<'_>) -> PyResult<()> {
    let mut level = vec![schema];
    for _ in 0..DEEPEST {
        level = level.into_iter().flat_map(|one| one.children().chain(one.dictionary())).collect();
        if level.is_empty() {
            return Ok(());
        }
    }
    Err(type_error(format!("{place} is an Arrow array of more than {DEEPEST} levels of lists")))
}

/// Validates the offsets, lengths and UTF-8 of an Arrow array before its data is read, because another
/// program made the array.
fn check(chunk: &ArrayRef, place: ValuePlace<'_>) -> PyResult<()> {
    chunk
        .to_data()
        .validate_full()
        .map_err(|error| value(format!("{place} is no valid Arrow array: {error}")))
}

fn column(chunks: &[ArrayRef], place: ValuePlace<'_>, nulls: &mut Nulls) -> PyResult<ArrowColumn> {
    let Some(first) = chunks.first() else { return Ok(ArrowColumn::of_texts(Texts::default())) };
    match first.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => {
            texts(chunks, place, nulls).map(ArrowColumn::of_texts)
        }
        DataType::Dictionary(_, values) if values.is_string() => {
            texts(chunks, place, nulls).map(ArrowColumn::of_texts)
        }
        DataType::List(field) | DataType::LargeList(field) if field.data_type().is_integer() => {
            ids(chunks, place, nulls).map(ArrowColumn::of_ids)
        }
        DataType::FixedSizeList(field, _) if field.data_type().is_integer() => {
            ids(chunks, place, nulls).map(ArrowColumn::of_ids)
        }
        DataType::List(_) | DataType::LargeList(_) => nested(chunks, place, nulls),
        DataType::Struct(_) => Err(type_error(format!("{place} is an Arrow table: give one of its columns"))),
        other => {
            Err(type_error(format!("{place} is an Arrow array of {other}, but must hold strings or lists")))
        }
    }
}

fn texts(chunks: &[ArrayRef], place: ValuePlace<'_>, nulls: &mut Nulls) -> PyResult<Texts> {
    let mut texts = Texts::default();
    for chunk in chunks {
        nulls.meet_all(chunk, texts.len(), place)?;
        let mut push = |text: Option<&str>| texts.push(text.unwrap_or_default());
        match chunk.data_type() {
            DataType::Utf8 => chunk.as_string::<i32>().iter().for_each(push),
            DataType::LargeUtf8 => chunk.as_string::<i64>().iter().for_each(push),
            DataType::Utf8View => chunk.as_string_view().iter().for_each(push),
            DataType::Null => (0..chunk.len()).for_each(|_| push(None)),
            DataType::Dictionary(..) => categories(chunk, &mut texts, place)?,
            other => return Err(type_error(format!("{place} has a chunk of {other} among strings"))),
        }
    }
    Ok(texts)
}

fn categories(chunk: &ArrayRef, texts: &mut Texts, place: ValuePlace<'_>) -> PyResult<()> {
    let Some(dictionary) = chunk.as_any_dictionary_opt() else {
        return Err(type_error(format!("{place} has a chunk of {} among strings", chunk.data_type())));
    };
    let before = texts.len();
    let values = column(&[dictionary.values().clone()], ValuePlace::new("categories"), &mut Nulls::Refused)?;
    let ArrowColumn { items: ListSequences::Texts(values), ends: None } = values else {
        return Err(type_error(format!("{place} has categories that are no strings")));
    };
    for (at, key) in dictionary.normalized_keys().into_iter().enumerate() {
        if chunk.is_null(at) {
            texts.push("");
            continue;
        }
        // `normalized_keys` does not check keys against the values; an invalid key must not panic.
        if key >= values.len() {
            return Err(value(format!("{} is no category", place.at(before + at))));
        }
        texts.push(values.get(key));
    }
    Ok(())
}

/// Returns the items of all lists in an Arrow list array as one array, and the index after each list's last
/// item.
fn lists(chunk: &ArrayRef, place: ValuePlace<'_>) -> PyResult<(ArrayRef, Vec<usize>)> {
    fn from_lists<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> (ArrayRef, Vec<usize>) {
        let offsets = lists.value_offsets();
        // A sliced array keeps the offsets of the whole array, so the first offset can be above 0.
        let first = offsets.first().map_or(0, |first| first.as_usize());
        let ends: Vec<usize> = offsets.iter().skip(1).map(|end| end.as_usize() - first).collect();
        (lists.values().slice(first, ends.last().copied().unwrap_or(0)), ends)
    }
    Ok(match chunk.data_type() {
        DataType::List(_) => from_lists(chunk.as_list::<i32>()),
        DataType::LargeList(_) => from_lists(chunk.as_list::<i64>()),
        DataType::FixedSizeList(..) => {
            let lists = chunk.as_fixed_size_list();
            let size = usize::try_from(lists.value_length()).unwrap_or(0);
            (lists.values().clone(), (1..=lists.len()).map(|list| list * size).collect())
        }
        other => return Err(type_error(format!("{place} has a chunk of {other} among lists"))),
    })
}

fn ids(chunks: &[ArrayRef], place: ValuePlace<'_>, nulls: &mut Nulls) -> PyResult<Ids> {
    let mut ids = Ids::default();
    for chunk in chunks {
        nulls.meet_all(chunk, ids.len(), place)?;
        let (items, ends) = lists(chunk, place)?;
        let mut from = 0;
        for (at, &end) in ends.iter().enumerate() {
            if chunk.is_valid(at) {
                let place = place.at(ids.len());
                push_integers(ids.data_mut(), &items, from..end, place)?;
            }
            ids.end();
            from = end;
        }
    }
    Ok(ids)
}

fn push_integers(
    ids: &mut Vec<u32>,
    items: &ArrayRef,
    range: Range<usize>,
    place: ValuePlace<'_>,
) -> PyResult<()> {
    // A null inside a list has no id that could take its place, so it is an error even if null rows are
    // allowed.
    if let Some(at) = range.clone().find(|&at| items.is_null(at)) {
        return Err(value(format!("{} is null, but must be there", place.at(at - range.start))));
    }
    macro_rules! of {
        ($Type:ty) => {
            for (at, id) in items.as_primitive::<$Type>().values()[range].iter().enumerate() {
                let fits = u32::try_from(*id);
                ids.push(fits.map_err(|_| {
                    value(format!("{place}[{at}] is {id}, but ids must be from 0 to {}", u32::MAX))
                })?);
            }
        };
    }
    downcast_integer! {
        items.data_type() => (of),
        other => {
            return Err(type_error(format!("{place} is a list of {other}, but must be one of integers")));
        }
    }
    Ok(())
}

/// Rows that are lists of texts or of id sequences, stored as one long list; `ends` has the end of each row.
/// Either `texts` or `ids` stays empty.
#[derive(Default)]
struct Nest {
    texts: Texts,
    ids: Ids,
    ends: Vec<usize>,
}

impl Nest {
    /// Returns the total number of texts or id sequences in all rows.
    fn len(&self) -> usize {
        self.texts.len() + self.ids.len()
    }

    fn push(&mut self, inner: ArrowColumn, place: ValuePlace<'_>) -> PyResult<()> {
        if inner.ends.is_some() {
            return Err(type_error(format!(
                "{place} are lists of lists of lists of Arrow: one list too many"
            )));
        }
        match inner.items {
            ListSequences::Texts(inner) => inner.iter().for_each(|text| self.texts.push(text)),
            ListSequences::Ids(inner) => inner.iter().for_each(|one| self.ids.push(one)),
        }
        Ok(())
    }
}

fn nested(chunks: &[ArrayRef], place: ValuePlace<'_>, nulls: &mut Nulls) -> PyResult<ArrowColumn> {
    let mut nest = Nest::default();
    for chunk in chunks {
        nulls.meet_all(chunk, nest.ends.len(), place)?;
        let (items, ends) = lists(chunk, place)?;
        // Fast path: all sequences of the chunk are read as one column.
        if chunk.null_count() == 0
            && let Ok(inner) = column(std::slice::from_ref(&items), place, &mut Nulls::Refused)
        {
            let before = nest.len();
            nest.push(inner, place)?;
            nest.ends.extend(ends.into_iter().map(|end| before + end));
            continue;
        }
        // The slow path reads each list separately, so that an error names the row.
        let mut from = 0;
        for (at, &end) in ends.iter().enumerate() {
            if chunk.is_valid(at) {
                let place = place.at(nest.ends.len());
                nest.push(column(&[items.slice(from, end - from)], place, &mut Nulls::Refused)?, place)?;
            }
            nest.ends.push(nest.len());
            from = end;
        }
    }
    // Each list is of one kind, but lists can differ, and an empty list is of either kind.
    if nest.texts.len() > 0 && nest.ids.len() > 0 {
        return Err(type_error(format!("{place} has lists of text and lists of ids")));
    }
    let items =
        if nest.ids.len() > 0 { ListSequences::Ids(nest.ids) } else { ListSequences::Texts(nest.texts) };
    Ok(ArrowColumn { items, ends: Some(nest.ends) })
}
