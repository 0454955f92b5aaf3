//! The columns of segments as they are given, and the rows that are left out.

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::arrow::{self, Column, Nulls};
use crate::errors::{OrRaise as _, type_error, value};
use crate::input::Kind;
use crate::lists::{Input, List, References, Segments, require_equal};
use crate::observe::Groups;
use crate::place::Place;
use crate::read::{Sequences, items, sequences};
use crate::references::{AnyReferences, references_at};

/// A column, by its name.
pub(super) type Named<'py> = (String, Bound<'py, PyAny>);

/// Segments, and which of the given rows they are.
pub(super) struct Given {
    pub(super) input: Input,
    /// Whether each row is a segment; rows with a null are left out.
    pub(super) kept: Vec<bool>,
}

impl Given {
    /// Reads columns of equal lengths. Nulls are an error, unless `skip` leaves out their rows.
    pub(super) fn read(
        hypotheses: &Named<'_>,
        references: Option<&Named<'_>>,
        sources: Option<&Named<'_>>,
        skip: bool,
    ) -> PyResult<Self> {
        let mut nulls = if skip { Nulls::Noted(Vec::new()) } else { Nulls::Refused };
        let given = column(hypotheses, &mut nulls)?;
        let ids = matches!(given, Sequences::Ids(_));
        let own_references = references.map(|named| reference_column(named, ids, &mut nulls)).transpose()?;
        let own_sources = sources.map(|named| column(named, &mut nulls)).transpose()?;
        let names = Names {
            hypotheses: &hypotheses.0,
            references: references.map_or("", |(name, _)| name),
            sources: sources.map_or("", |(name, _)| name),
        };
        let mut kept = vec![true; given.len()];
        let out = if let Nulls::Noted(rows) = nulls { rows } else { Vec::new() };
        let input = match given {
            Sequences::Texts(list) => Input::Texts(names.segments(list, own_references, own_sources)?),
            Sequences::Ids(list) => Input::Ids(names.segments(list, own_references, own_sources)?),
        };
        if out.is_empty() {
            return Ok(Given { input, kept });
        }
        for row in out {
            kept[row] = false;
        }
        let input = match input {
            Input::Texts(segments) => Input::Texts(segments.kept(&kept)),
            Input::Ids(segments) => Input::Ids(segments.kept(&kept)),
        };
        Ok(Given { input, kept })
    }
}

/// The numbers of groups, an array of int32, of the rows that were kept.
pub(super) fn group_numbers(object: &Bound<'_, PyAny>, count: usize, kept: &[bool]) -> PyResult<Groups> {
    let place = Place::of("groups");
    let chunks = arrow::chunks(object, place)?.unwrap_or_default();
    let mut of = Vec::with_capacity(kept.len());
    for chunk in &chunks {
        let numbers = chunk.as_primitive_opt::<Int32Type>().filter(|numbers| numbers.null_count() == 0);
        let numbers = numbers.ok_or_else(|| type_error(format!("{place} must be integers of 32 bits")))?;
        of.extend(numbers.values().iter().map(|number| number.cast_unsigned()));
    }
    require_equal("groups", of.len(), "rows", kept.len()).or_raise()?;
    if let Some(wrong) = of.iter().find(|number| **number as usize >= count) {
        return Err(value(format!("there is no group {wrong}: there are {count}")));
    }
    let mut rows = kept.iter();
    of.retain(|_| rows.next().is_some_and(|kept| *kept));
    Ok(Groups { of, count })
}

/// The names of the columns, for errors.
struct Names<'n> {
    hypotheses: &'n str,
    references: &'n str,
    sources: &'n str,
}

impl Names<'_> {
    fn segments<D: Kind>(
        &self,
        hypotheses: List<D>,
        references: Option<AnyReferences>,
        sources: Option<Sequences>,
    ) -> PyResult<Segments<D>> {
        let unlike = |name: &str| {
            type_error(format!(
                "{} is a column of {}, but {name} one of {}",
                self.hypotheses,
                D::NAME,
                D::OTHER
            ))
        };
        let references = match references {
            None => References::none(hypotheses.len()),
            Some(given) => D::references(given).ok_or_else(|| unlike(self.references))?,
        };
        let sources =
            sources.map(|given| D::sequences(given).ok_or_else(|| unlike(self.sources))).transpose()?;
        let len = hypotheses.len();
        require_equal(self.hypotheses, len, self.references, references.ends.len()).or_raise()?;
        if let Some(sources) = &sources {
            require_equal(self.hypotheses, len, self.sources, sources.len()).or_raise()?;
        }
        Segments::new(hypotheses, references, sources).or_raise()
    }
}

/// A column with a sequence for each row.
fn column((name, object): &Named<'_>, nulls: &mut Nulls) -> PyResult<Sequences> {
    let place = Place::of(name);
    match arrow::read_nulls(object, place, nulls)? {
        Some(Column::Texts(texts)) => Ok(Sequences::Texts(texts)),
        Some(Column::Ids(ids)) => Ok(Sequences::Ids(ids)),
        Some(Column::Nested(..)) => Err(type_error(format!(
            "{place} is a column of lists of sequences, but must have one for each row"
        ))),
        None => sequences(&without_none(object, nulls)?, place),
    }
}

/// The column of references: a sequence or a list of them for each row.
fn reference_column((name, object): &Named<'_>, ids: bool, nulls: &mut Nulls) -> PyResult<AnyReferences> {
    let place = Place::of(name);
    match arrow::read_nulls(object, place, nulls)? {
        Some(Column::Texts(texts)) => Ok(AnyReferences::Texts(References::single(texts))),
        Some(Column::Ids(ids)) => Ok(AnyReferences::Ids(References::single(ids))),
        Some(Column::Nested(inner, ends)) => match *inner {
            Column::Texts(all) if all.len() == 0 && ids => Ok(AnyReferences::Ids(References::empty(ends))),
            Column::Texts(all) => Ok(AnyReferences::Texts(References { all, ends })),
            Column::Ids(all) => Ok(AnyReferences::Ids(References { all, ends })),
            Column::Nested(..) => Err(value(format!("{place} has one list too many"))),
        },
        None => references_at(&without_none(object, nulls)?, ids, place),
    }
}

/// The object; of a list whose `None` are noted, one with empty sequences in their places.
fn without_none<'py>(object: &Bound<'py, PyAny>, nulls: &mut Nulls) -> PyResult<Bound<'py, PyAny>> {
    let (Nulls::Noted(rows), Some(items)) = (nulls, items(object)) else { return Ok(object.clone()) };
    let mut items = items?;
    let first = items.iter().find(|item| !item.is_none());
    let empty = match first.is_none_or(|first| first.is_instance_of::<PyString>()) {
        true => PyString::new(object.py(), "").into_any(),
        false => PyList::empty(object.py()).into_any(),
    };
    for (row, item) in items.iter_mut().enumerate().filter(|(_, item)| item.is_none()) {
        rows.push(row);
        *item = empty.clone();
    }
    Ok(PyList::new(object.py(), items)?.into_any())
}
