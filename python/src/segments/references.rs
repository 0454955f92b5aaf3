//! Reads references from Python, as text or token ids. References are given as one reference or a list per
//! segment, or as streams (one list for each reference number).

use bleuprint::contract::counted;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{type_error, value};
use crate::segments::ids::IdSequences;
use crate::segments::lists::{AnyReferences, Ids, ListSequences, ReferenceLists, Texts};
use crate::segments::read::{held, is_id, items, push_ids, push_text, sequences};
use crate::values::arrow;
use crate::values::place::{ValuePlace, wrong};

/// Returns `true` if the references are token ids, `false` if they are text. The first item decides: a str,
/// an id, or a list of either. Arrays return `false`, because their item type is checked elsewhere.
pub(crate) fn holds_ids(references: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(all) = items(references) else { return Ok(false) };
    for item in all? {
        if item.is_instance_of::<PyString>() || item.is_none() {
            return Ok(false);
        }
        match items(&item) {
            None => return Ok(true),
            Some(inner) => {
                if let Some(first) = inner?.first() {
                    return Ok(!first.is_instance_of::<PyString>() && !first.is_none());
                }
            }
        }
    }
    Ok(false)
}

pub(crate) fn references(object: &Bound<'_, PyAny>, ids: bool) -> PyResult<AnyReferences> {
    references_at(object, ids, ValuePlace::new("references"))
}

/// Reads one reference or a list of references for each segment. Errors name the argument or column `place`.
pub(crate) fn references_at(
    object: &Bound<'_, PyAny>,
    ids: bool,
    place: ValuePlace<'_>,
) -> PyResult<AnyReferences> {
    if let Some(all) = items(object) {
        let all = all?;
        return if ids { id_references(&all, place) } else { text_references(&all, place) };
    }
    match arrow::read(object, place)? {
        Some(column) => Ok(column.into_references()),
        None => sequences(object, place).map(AnyReferences::single),
    }
}

fn text_references(segments: &[Bound<'_, PyAny>], place: ValuePlace<'_>) -> PyResult<AnyReferences> {
    let mut references = ReferenceLists::<String>::default();
    for (segment, item) in segments.iter().enumerate() {
        let place = place.at(segment);
        if item.is_instance_of::<PyString>() {
            push_text(&mut references.all, item, place)?;
        } else if let Some(inner) = items(item) {
            for (index, reference) in inner?.iter().enumerate() {
                push_text(&mut references.all, reference, place.at(index))?;
            }
        } else {
            return Err(wrong(place, item, "a str or a list of str"));
        }
        references.end();
    }
    Ok(AnyReferences { all: ListSequences::Texts(references.all), ends: references.ends })
}

fn id_references(segments: &[Bound<'_, PyAny>], place: ValuePlace<'_>) -> PyResult<AnyReferences> {
    // Each item is examined before it is read, so iterators must become lists.
    let segments = &segments.iter().map(held).collect::<PyResult<Vec<_>>>()?;
    // The first item distinguishes a list of ids from a list of lists of ids.
    let several = |item: &Bound<'_, PyAny>| -> PyResult<Option<bool>> {
        match items(item) {
            Some(inner) => Ok(inner?.first().map(|first| !is_id(first))),
            None => Ok(Some(item.is_instance_of::<IdSequences>())),
        }
    };
    let mut nested = None;
    for (segment, item) in segments.iter().enumerate() {
        match (nested, several(item)?) {
            // An empty list fits both forms, so the first list with an item decides.
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
    let mut references = ReferenceLists::<Vec<u32>>::default();
    for (segment, item) in segments.iter().enumerate() {
        let place = place.at(segment);
        if nested != Some(true) {
            push_ids(&mut references.all, item, place)?;
        } else if let Ok(ids) = item.cast::<IdSequences>() {
            ids.get().list.iter().for_each(|ids| references.all.push(ids));
        } else if let Some(inner) = items(item) {
            for (index, reference) in inner?.iter().enumerate() {
                push_ids(&mut references.all, reference, place.at(index))?;
            }
        }
        references.end();
    }
    Ok(AnyReferences { all: ListSequences::Ids(references.all), ends: references.ends })
}

/// Reads streams of references; stream i has the i-th reference of every segment. Each stream must be as long
/// as the list of hypotheses, or as the first stream if there are no hypotheses. With `missing`, `None` marks
/// a missing reference.
pub(crate) fn streams(
    object: &Bound<'_, PyAny>,
    hypotheses: Option<usize>,
    missing: bool,
) -> PyResult<AnyReferences> {
    let place = ValuePlace::new("reference_streams");
    let Some(streams) = items(object) else {
        return Err(wrong(place, object, "a list of streams of references"));
    };
    let streams = streams?;
    let mut segments = hypotheses;
    let mut read = ReferenceStreams::default();
    for (number, stream) in streams.iter().enumerate() {
        let len = read.push(&held(stream)?, place.at(number), missing)?;
        // Without hypotheses, the first stream decides the number of segments.
        let expected = *segments.get_or_insert(len);
        if len != expected {
            let first = if hypotheses.is_some() { "hypotheses" } else { "reference stream 1" };
            let expected = counted(expected, "segment");
            let number = number + 1;
            return Err(value(format!("{first} has {expected}, but reference stream {number} has {len}")));
        }
    }
    read.by_segment(segments.unwrap_or_default())
}

/// Streams of references, as text or as ids.
#[derive(Default)]
struct ReferenceStreams {
    /// Texts of each stream, with a flag for each text that is `false` if the reference is missing. An empty list
    /// of flags means that no reference is missing.
    texts: Vec<(Texts, Vec<bool>)>,
    ids: Vec<Ids>,
}

impl ReferenceStreams {
    /// Reads a stream and returns its length.
    fn push(&mut self, stream: &Bound<'_, PyAny>, place: ValuePlace<'_>, missing: bool) -> PyResult<usize> {
        let holes = if missing { items(stream).transpose()? } else { None };
        if let Some(all) = holes.filter(|all| all.iter().any(|item| item.is_none())) {
            let mut list = Texts::default();
            let mut there = Vec::new();
            for (index, item) in all.iter().enumerate() {
                there.push(!item.is_none());
                if item.is_none() { list.push("") } else { push_text(&mut list, item, place.at(index))? }
            }
            self.texts.push((list, there));
            return Ok(all.len());
        }
        match sequences(stream, place)? {
            ListSequences::Texts(list) => {
                let len = list.len();
                self.texts.push((list, Vec::new()));
                Ok(len)
            }
            ListSequences::Ids(list) => {
                let len = list.len();
                self.ids.push(list);
                Ok(len)
            }
        }
    }

    /// Returns the references of each segment.
    fn by_segment(mut self, segments: usize) -> PyResult<AnyReferences> {
        if !self.texts.is_empty() && !self.ids.is_empty() {
            return Err(type_error("some streams of references are text, and some are ids"));
        }
        // A single complete stream is stored as it is, without a copy.
        if let [(_, there)] = &self.texts[..]
            && there.is_empty()
        {
            return Ok(AnyReferences::single(ListSequences::Texts(self.texts.remove(0).0)));
        }
        if self.ids.len() == 1 {
            return Ok(AnyReferences::single(ListSequences::Ids(self.ids.remove(0))));
        }
        if self.ids.is_empty() {
            let mut references = ReferenceLists::<String>::default();
            for segment in 0..segments {
                for (list, there) in &self.texts {
                    if there.get(segment).copied().unwrap_or(true) {
                        references.all.push(list.get(segment));
                    }
                }
                references.end();
            }
            return Ok(AnyReferences { all: ListSequences::Texts(references.all), ends: references.ends });
        }
        let mut references = ReferenceLists::<Vec<u32>>::default();
        for segment in 0..segments {
            self.ids.iter().for_each(|list| references.all.push(list.get(segment)));
            references.end();
        }
        Ok(AnyReferences { all: ListSequences::Ids(references.all), ends: references.ends })
    }
}
