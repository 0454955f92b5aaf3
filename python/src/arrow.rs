//! Arrow arrays by the PyCapsule interface: strings, lists of integers, and lists of either. Reading a capsule takes
//! raw pointers, so this is the one place of the package that allows `unsafe`.

use std::ffi::{c_int, c_void};

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array as _, ArrayRef, make_array};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::{type_error, value, without_panic};
use crate::lists::{Ids, Texts};
use crate::place::Place;

/// The content of an Arrow array.
pub(crate) enum Column {
    Texts(Texts),
    Ids(Ids),
    /// Lists of sequences: all sequences, and the ends of the lists.
    Nested(Box<Column>, Vec<usize>),
}

/// Reads an array, if the object gives one.
pub(crate) fn read(object: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<Option<Column>> {
    // A breach of the interface makes the reader panic: capsules read before, a schema of another array.
    without_panic(|| unguarded(object, place))
        .unwrap_or_else(|panic| Err(value(format!("{place} breaks the interface of Arrow: {panic}"))))
}

fn unguarded(object: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<Option<Column>> {
    let chunks = if object.hasattr("__arrow_c_array__")? {
        vec![from_array(object, place)?]
    } else if object.hasattr("__arrow_c_stream__")? {
        from_stream(object, place)?
    } else {
        return Ok(None);
    };
    column(&chunks, place).map(Some)
}

#[allow(
    unsafe_code,
    reason = "the capsules of the Arrow interface hold C structures, which are moved out once"
)]
fn from_array(object: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<ArrayRef> {
    let pair = object.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair
        .extract()
        .map_err(|_| type_error(format!("{place}: `__arrow_c_array__` gave no two capsules")))?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?;
    let array = array.pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: the capsules have the interface's names for these structures, and the maker of a capsule of that name
    // vouches for it. `from_raw` moves them out and leaves them marked as released, so they are freed once.
    let (schema, array) = unsafe {
        (FFI_ArrowSchema::from_raw(schema.as_ptr().cast()), FFI_ArrowArray::from_raw(array.as_ptr().cast()))
    };
    require_shallow(&schema, place)?;
    // SAFETY: as above; both are of one array.
    let data = unsafe { from_ffi(array, &schema) };
    Ok(make_array(data.map_err(|error| value(format!("{place}: {error}")))?))
}

#[allow(unsafe_code, reason = "as in `from_array`")]
fn from_stream(object: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<Vec<ArrayRef>> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule
        .cast_into::<PyCapsule>()
        .map_err(|_| type_error(format!("{place}: `__arrow_c_stream__` gave no capsule")))?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    let fails = |error| value(format!("{place}: {error}"));
    let raw: *mut RawStream = pointer.as_ptr().cast();
    // SAFETY: as in `from_array`; the structure begins as the interface says, and a stream that was not released may be
    // asked for its schema as often as one likes.
    let schema = unsafe {
        let mut schema = FFI_ArrowSchema::empty();
        match ((*raw).release, (*raw).get_schema) {
            (Some(_), Some(get_schema)) if get_schema(raw, &mut schema) == 0 => Some(schema),
            _ => None,
        }
    };
    // A missing schema is an error below.
    schema.map_or(Ok(()), |schema| require_shallow(&schema, place))?;
    // SAFETY: as in `from_array`.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) };
    ArrayStreamReader::try_new(stream).map_err(fails)?.map(|chunk| chunk.map_err(fails)).collect()
}

/// The beginning of a stream in C.
#[repr(C)]
struct RawStream {
    get_schema: Option<unsafe extern "C" fn(*mut RawStream, *mut FFI_ArrowSchema) -> c_int>,
    get_next: *const c_void,
    get_last_error: *const c_void,
    release: Option<unsafe extern "C" fn(*mut RawStream)>,
}

/// The maximum depth of nested lists that is examined: more than any supported type has.
const DEEPEST: usize = 8;

/// Types are read recursively, so a type of some thousand levels would overflow the stack.
fn require_shallow(schema: &FFI_ArrowSchema, place: Place<'_>) -> PyResult<()> {
    let mut level = vec![schema];
    for _ in 0..DEEPEST {
        level = level.into_iter().flat_map(|one| one.children().chain(one.dictionary())).collect();
        if level.is_empty() {
            return Ok(());
        }
    }
    Err(type_error(format!("{place} is an Arrow array of more than {DEEPEST} levels of lists")))
}

/// Arrays of another program are checked before anything is read: offsets, lengths, UTF-8.
fn check(chunk: &ArrayRef, place: Place<'_>) -> PyResult<()> {
    chunk
        .to_data()
        .validate_full()
        .map_err(|error| value(format!("{place} is no valid Arrow array: {error}")))
}

/// The chunks of a column as one.
fn column(chunks: &[ArrayRef], place: Place<'_>) -> PyResult<Column> {
    let Some(first) = chunks.first() else { return Ok(Column::Texts(Texts::default())) };
    chunks.iter().try_for_each(|chunk| check(chunk, place))?;
    match first.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => texts(chunks, place).map(Column::Texts),
        DataType::Dictionary(_, values) if values.is_string() => texts(chunks, place).map(Column::Texts),
        DataType::List(field) | DataType::LargeList(field) if field.data_type().is_integer() => {
            ids(chunks, place).map(Column::Ids)
        }
        DataType::FixedSizeList(field, _) if field.data_type().is_integer() => {
            ids(chunks, place).map(Column::Ids)
        }
        DataType::List(_) | DataType::LargeList(_) => nested(chunks, place),
        DataType::Struct(_) => Err(type_error(format!("{place} is an Arrow table: give one of its columns"))),
        other => {
            Err(type_error(format!("{place} is an Arrow array of {other}, but must hold strings or lists")))
        }
    }
}

fn require_no_null(chunk: &ArrayRef, before: usize, place: Place<'_>) -> PyResult<()> {
    match (0..chunk.len()).find(|&at| chunk.is_null(at)) {
        None => Ok(()),
        Some(at) => Err(value(format!("{} is null, but must be there", place.at(before + at)))),
    }
}

fn texts(chunks: &[ArrayRef], place: Place<'_>) -> PyResult<Texts> {
    let mut texts = Texts::default();
    for chunk in chunks {
        require_no_null(chunk, texts.len(), place)?;
        match chunk.data_type() {
            DataType::Utf8 => chunk.as_string::<i32>().iter().flatten().for_each(|text| texts.push(text)),
            DataType::LargeUtf8 => {
                chunk.as_string::<i64>().iter().flatten().for_each(|text| texts.push(text))
            }
            DataType::Utf8View => chunk.as_string_view().iter().flatten().for_each(|text| texts.push(text)),
            DataType::Dictionary(..) => categories(chunk, &mut texts, place)?,
            other => return Err(type_error(format!("{place} has a chunk of {other} among strings"))),
        }
    }
    Ok(texts)
}

/// Categories: strings stored as indices into a list of strings.
fn categories(chunk: &ArrayRef, texts: &mut Texts, place: Place<'_>) -> PyResult<()> {
    let Some(dictionary) = chunk.as_any_dictionary_opt() else {
        return Err(type_error(format!("{place} has a chunk of {} among strings", chunk.data_type())));
    };
    let before = texts.len();
    let Column::Texts(values) = column(&[dictionary.values().clone()], Place::of("categories"))? else {
        return Err(type_error(format!("{place} has categories that are no strings")));
    };
    for (at, key) in dictionary.normalized_keys().into_iter().enumerate() {
        if key >= values.len() {
            return Err(value(format!("{} is no category", place.at(before + at))));
        }
        texts.push(values.get(key));
    }
    Ok(())
}

/// The lists of a chunk.
fn lists(chunk: &ArrayRef, place: Place<'_>) -> PyResult<Vec<ArrayRef>> {
    Ok(match chunk.data_type() {
        DataType::List(_) => chunk.as_list::<i32>().iter().flatten().collect(),
        DataType::LargeList(_) => chunk.as_list::<i64>().iter().flatten().collect(),
        DataType::FixedSizeList(..) => chunk.as_fixed_size_list().iter().flatten().collect(),
        other => return Err(type_error(format!("{place} has a chunk of {other} among lists"))),
    })
}

fn ids(chunks: &[ArrayRef], place: Place<'_>) -> PyResult<Ids> {
    let mut ids = Ids::default();
    for chunk in chunks {
        require_no_null(chunk, ids.len(), place)?;
        for list in lists(chunk, place)? {
            let place = place.at(ids.len());
            require_no_null(&list, 0, place)?;
            push_integers(ids.data_mut(), &list, place)?;
            ids.end();
        }
    }
    Ok(ids)
}

fn push_integers(ids: &mut Vec<u32>, list: &ArrayRef, place: Place<'_>) -> PyResult<()> {
    macro_rules! of {
        ($Type:ty) => {
            for (at, id) in list.as_primitive::<$Type>().values().iter().enumerate() {
                let fits = u32::try_from(*id);
                ids.push(fits.map_err(|_| {
                    value(format!("{place}[{at}] is {id}, but ids must be from 0 to {}", u32::MAX))
                })?);
            }
        };
    }
    match list.data_type() {
        DataType::Int8 => of!(Int8Type),
        DataType::Int16 => of!(Int16Type),
        DataType::Int32 => of!(Int32Type),
        DataType::Int64 => of!(Int64Type),
        DataType::UInt8 => of!(UInt8Type),
        DataType::UInt16 => of!(UInt16Type),
        DataType::UInt32 => of!(UInt32Type),
        DataType::UInt64 => of!(UInt64Type),
        other => {
            return Err(type_error(format!("{place} is a list of {other}, but must be one of integers")));
        }
    }
    Ok(())
}

fn nested(chunks: &[ArrayRef], place: Place<'_>) -> PyResult<Column> {
    let (mut texts, mut ids, mut ends) = (Texts::default(), Ids::default(), Vec::new());
    let (mut any_texts, mut any_ids) = (false, false);
    for chunk in chunks {
        require_no_null(chunk, ends.len(), place)?;
        for list in lists(chunk, place)? {
            // Each by itself, so that an error gives its place.
            match column(&[list], place.at(ends.len()))? {
                Column::Texts(inner) => {
                    any_texts = true;
                    inner.iter().for_each(|text| texts.push(text));
                }
                Column::Ids(inner) => {
                    any_ids = true;
                    inner.iter().for_each(|one| ids.push(one));
                }
                Column::Nested(..) => {
                    return Err(type_error(format!(
                        "{place} are lists of lists of lists of Arrow: one list too many"
                    )));
                }
            }
            ends.push(texts.len() + ids.len());
        }
    }
    match (any_texts, any_ids) {
        (true, true) => Err(type_error(format!("{place} has lists of text and lists of ids"))),
        (_, false) => Ok(Column::Nested(Box::new(Column::Texts(texts)), ends)),
        (false, true) => Ok(Column::Nested(Box::new(Column::Ids(ids)), ends)),
    }
}
