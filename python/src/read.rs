//! From Python objects to sequences: lists of strings, lists of ids, arrays, Arrow. Nothing is guessed: what an object
//! is follows from its type, and one that fits nowhere is an error that says where it stands.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyString, PyTuple};

use crate::arrow::{self, Column};
use crate::buffer;
use crate::errors::{type_error, value};
use crate::lists::{Ids, References, Texts};
use crate::sequences::IdSequences;

/// Where a value stands, as in `references[3][0]`.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    pub(crate) name: &'p str,
    pub(crate) outer: Option<usize>,
    pub(crate) inner: Option<usize>,
}

impl<'p> Place<'p> {
    pub(crate) fn of(name: &'p str) -> Self {
        Place { name, outer: None, inner: None }
    }

    pub(crate) fn at(self, index: usize) -> Self {
        match self.outer {
            None => Place { outer: Some(index), ..self },
            Some(_) => Place { inner: Some(index), ..self },
        }
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)?;
        [self.outer, self.inner].into_iter().flatten().try_for_each(|index| write!(f, "[{index}]"))
    }
}

/// Sequences of one kind or the other.
pub(crate) enum Sequences {
    Texts(Texts),
    Ids(Ids),
}

impl Sequences {
    pub(crate) fn len(&self) -> usize {
        match self {
            Sequences::Texts(texts) => texts.len(),
            Sequences::Ids(ids) => ids.len(),
        }
    }
}

pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

fn wrong(place: Place<'_>, object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let given = if object.is_none() { "None".to_owned() } else { type_name(object) };
    type_error(format!("{place} is {given}, but must be {expected}"))
}

const LIST: &str = "a list of str, a list of lists of int, an integer array of two dimensions, `bleuprint.ids(..)` or an \
                    Arrow array";

/// The items of a list or tuple, or of a column of objects or strings that gives a list (NumPy, pandas); a `str` is none.
fn items<'py>(object: &Bound<'py, PyAny>) -> Option<PyResult<Vec<Bound<'py, PyAny>>>> {
    if let Ok(list) = object.cast::<PyList>() {
        return Some(Ok(list.iter().collect()));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Some(Ok(tuple.iter().collect()));
    }
    let list = column(object)?.call_method0("tolist").and_then(|list| Ok(list.cast_into::<PyList>()?));
    Some(list.map(|list| list.iter().collect()))
}

/// The object, if it is a column of objects or strings.
fn column<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyAny>> {
    let kind: String = object.getattr_opt("dtype").ok()??.getattr_opt("kind").ok()??.extract().ok()?;
    let one_dimension = object.getattr_opt("ndim").ok()??.extract::<usize>().is_ok_and(|ndim| ndim == 1);
    (matches!(&*kind, "O" | "U" | "T") && one_dimension).then_some(object)
}

/// The text of a string.
pub(crate) fn push_text(texts: &mut Texts, object: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<()> {
    let Ok(text) = object.cast::<PyString>() else { return Err(wrong(place, object, "a str")) };
    let text = text.to_cow().map_err(|_| {
        let at = first_surrogate(object)
            .map_or_else(String::new, |(at, code)| format!(" U+{code:04X} at character {at}"));
        value(format!("{place} is no text: it has a lone surrogate{at}"))
    })?;
    texts.push(&text);
    Ok(())
}

fn first_surrogate(text: &Bound<'_, PyAny>) -> Option<(usize, u32)> {
    for (at, character) in text.try_iter().ok()?.enumerate() {
        let code: u32 = text
            .py()
            .import("builtins")
            .ok()?
            .getattr("ord")
            .ok()?
            .call1((character.ok()?,))
            .ok()?
            .extract()
            .ok()?;
        if (0xD800..0xE000).contains(&code) {
            return Some((at, code));
        }
    }
    None
}

/// Whether it is a truth value, Python's or NumPy's: old versions of that take theirs for integers.
fn is_bool(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBool>() || matches!(&*type_name(object), "bool" | "bool_")
}

/// One id.
fn push_id(ids: &mut Vec<u32>, object: &Bound<'_, PyAny>, place: Place<'_>, at: usize) -> PyResult<()> {
    if !object.is_exact_instance_of::<PyInt>() && is_bool(object) {
        return Err(type_error(format!("{place}[{at}] is a bool, but must be an int")));
    }
    if let Ok(id) = object.extract::<u32>() {
        ids.push(id);
        return Ok(());
    }
    let text = object.str().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    // Whatever has `__index__` is an integer; a float is none, NaN among them.
    if object.hasattr("__index__")? {
        return Err(value(format!("{place}[{at}] is {text}, but ids must be from 0 to {}", u32::MAX)));
    }
    Err(type_error(format!("{place}[{at}] is {} ({text}), but must be an int", type_name(object))))
}

/// One sequence of ids: a list of ints, or an array of one dimension.
pub(crate) fn push_ids(ids: &mut Ids, object: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<()> {
    if let Some(items) = items(object) {
        for (at, item) in items?.iter().enumerate() {
            push_id(ids.data_mut(), item, place, at)?;
        }
        ids.end();
        return Ok(());
    }
    match buffer::read(object, place)? {
        Some(array) => {
            let [_] = array.shape[..] else {
                let dimensions = array.shape.len();
                return Err(value(format!(
                    "{place} has {dimensions} dimensions, but one sequence of ids has one"
                )));
            };
            array.append(ids.data_mut(), place)?;
            ids.end();
            Ok(())
        }
        None => Err(wrong(place, object, "a list of int or an integer array")),
    }
}

/// Sequences, one for each segment.
pub(crate) fn sequences(object: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<Sequences> {
    if let Ok(ids) = object.cast::<IdSequences>() {
        return Ok(Sequences::Ids(ids.get().list().clone()));
    }
    if let Some(items) = items(object) {
        let items = items?;
        if items.first().is_none_or(|first| first.is_instance_of::<PyString>() || first.is_none()) {
            let mut texts = Texts::default();
            for (index, item) in items.iter().enumerate() {
                push_text(&mut texts, item, place.at(index))?;
            }
            return Ok(Sequences::Texts(texts));
        }
        if items.first().is_some_and(is_id) {
            return Err(type_error(format!(
                "{place} is one sequence of ids, but must be a list of them: one for each segment"
            )));
        }
        let mut ids = Ids::default();
        for (index, item) in items.iter().enumerate() {
            if item.is_instance_of::<PyString>() {
                return Err(wrong(place.at(index), item, "a list of int, as those before it"));
            }
            push_ids(&mut ids, item, place.at(index))?;
        }
        return Ok(Sequences::Ids(ids));
    }
    match arrow::read(object, place)? {
        Some(Column::Texts(texts)) => return Ok(Sequences::Texts(texts)),
        Some(Column::Ids(ids)) => return Ok(Sequences::Ids(ids)),
        Some(Column::Nested(..)) => {
            return Err(type_error(format!(
                "{place} is a list of lists of Arrow, but must have one sequence for each segment"
            )));
        }
        None => {}
    }
    match buffer::read(object, place)? {
        Some(array) => Ok(Sequences::Ids(array.rows(place)?)),
        None => Err(wrong(place, object, LIST)),
    }
}

fn is_id(object: &Bound<'_, PyAny>) -> bool {
    object.hasattr("__index__").unwrap_or(false) && object.extract::<i128>().is_ok()
}

/// References of either kind.
pub(crate) enum AnyReferences {
    Texts(References<String>),
    Ids(References<Vec<u32>>),
}

/// The references of each segment: one, or a list of them.
pub(crate) fn references(object: &Bound<'_, PyAny>, ids: bool) -> PyResult<AnyReferences> {
    let place = Place::of("references");
    if let Some(items) = items(object) {
        let items = items?;
        return if ids { id_references(&items, place) } else { text_references(&items, place) };
    }
    match arrow::read(object, place)? {
        Some(Column::Nested(inner, ends)) => return arrow_references(*inner, ends),
        Some(Column::Texts(texts)) => return Ok(AnyReferences::Texts(References::single(texts))),
        Some(Column::Ids(list)) => return Ok(AnyReferences::Ids(References::single(list))),
        None => {}
    }
    Ok(match sequences(object, place)? {
        Sequences::Texts(texts) => AnyReferences::Texts(References::single(texts)),
        Sequences::Ids(list) => AnyReferences::Ids(References::single(list)),
    })
}

fn arrow_references(inner: Column, ends: Vec<usize>) -> PyResult<AnyReferences> {
    match inner {
        Column::Texts(all) => Ok(AnyReferences::Texts(References { all, ends })),
        Column::Ids(all) => Ok(AnyReferences::Ids(References { all, ends })),
        Column::Nested(..) => {
            Err(type_error("references are lists of lists of lists of Arrow: one list too many"))
        }
    }
}

fn text_references(items: &[Bound<'_, PyAny>], place: Place<'_>) -> PyResult<AnyReferences> {
    let mut references = References::<String>::default();
    for (segment, item) in items.iter().enumerate() {
        let place = place.at(segment);
        if item.is_instance_of::<PyString>() {
            push_text(&mut references.all, item, place)?;
        } else if let Some(inner) = self::items(item) {
            for (index, reference) in inner?.iter().enumerate() {
                push_text(&mut references.all, reference, place.at(index))?;
            }
        } else {
            return Err(wrong(place, item, "a str or a list of str"));
        }
        references.end();
    }
    Ok(AnyReferences::Texts(references))
}

fn id_references(items: &[Bound<'_, PyAny>], place: Place<'_>) -> PyResult<AnyReferences> {
    // A list of ids and a list of lists of ids are told apart by the first item there is.
    let several = |item: &Bound<'_, PyAny>| -> PyResult<Option<bool>> {
        match self::items(item) {
            Some(inner) => Ok(inner?.first().map(|first| !is_id(first))),
            None => Ok(Some(item.is_instance_of::<IdSequences>())),
        }
    };
    let mut nested = None;
    for (segment, item) in items.iter().enumerate() {
        match (nested, several(item)?) {
            (None, found) => nested = found,
            (Some(before), Some(found)) if before != found => {
                let (is, others) = if found {
                    ("a list of sequences", "single ones")
                } else {
                    ("one sequence", "lists of them")
                };
                let place = place.at(segment);
                return Err(value(format!("{place} is {is} of ids, but those before it are {others}")));
            }
            _ => {}
        }
    }
    let mut references = References::<Vec<u32>>::default();
    for (segment, item) in items.iter().enumerate() {
        let place = place.at(segment);
        if nested != Some(true) {
            push_ids(&mut references.all, item, place)?;
        } else if let Ok(ids) = item.cast::<IdSequences>() {
            ids.get().list().iter().for_each(|ids| references.all.push(ids));
        } else if let Some(inner) = self::items(item) {
            for (index, reference) in inner?.iter().enumerate() {
                push_ids(&mut references.all, reference, place.at(index))?;
            }
        }
        references.end();
    }
    Ok(AnyReferences::Ids(references))
}

/// Streams of references, each as long as the hypotheses. `None` is a reference that is missing, where that is allowed.
pub(crate) fn streams(object: &Bound<'_, PyAny>, segments: usize, missing: bool) -> PyResult<AnyReferences> {
    let place = Place::of("reference_streams");
    let Some(streams) = items(object) else {
        return Err(wrong(place, object, "a list of streams of references"));
    };
    let streams = streams?;
    let mut texts: Vec<(Texts, Vec<bool>)> = Vec::new();
    let mut ids: Vec<Ids> = Vec::new();
    for (number, stream) in streams.iter().enumerate() {
        let place = place.at(number);
        let holes = match items(stream) {
            Some(items) if missing => Some(items?).filter(|items| items.iter().any(|item| item.is_none())),
            _ => None,
        };
        let len = if let Some(items) = holes {
            let (mut list, mut there) = (Texts::default(), Vec::new());
            for (index, item) in items.iter().enumerate() {
                there.push(!item.is_none());
                if item.is_none() { list.push("") } else { push_text(&mut list, item, place.at(index))? }
            }
            texts.push((list, there));
            items.len()
        } else {
            match sequences(stream, place)? {
                Sequences::Texts(list) => {
                    let len = list.len();
                    texts.push((list, Vec::new()));
                    len
                }
                Sequences::Ids(list) => {
                    let len = list.len();
                    ids.push(list);
                    len
                }
            }
        };
        if len != segments {
            return Err(value(format!(
                "hypotheses has {segments} segments, but reference stream {} has {len}",
                number + 1
            )));
        }
    }
    if !texts.is_empty() && !ids.is_empty() {
        return Err(type_error("some streams of references are text, and some are ids"));
    }
    if ids.is_empty() {
        let mut references = References::<String>::default();
        for segment in 0..segments {
            for (list, there) in &texts {
                if there.get(segment).copied().unwrap_or(true) {
                    references.all.push(list.get(segment));
                }
            }
            references.end();
        }
        return Ok(AnyReferences::Texts(references));
    }
    let mut references = References::<Vec<u32>>::default();
    for segment in 0..segments {
        ids.iter().for_each(|list| references.all.push(list.get(segment)));
        references.end();
    }
    Ok(AnyReferences::Ids(references))
}
