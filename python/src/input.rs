//! `Input`: the segments of a call, of one kind: text or ids. From here on the interpreter is not needed.

use pyo3::prelude::*;

use crate::errors::{OrRaise as _, type_error, value};
use crate::lists::{Data, Input, List, References, Segments};
use crate::place::Place;
use crate::read::{Sequences, sequences};
use crate::references::{AnyReferences, references as read_references, streams};

/// Text or ids.
pub(crate) trait Kind: Data {
    const NAME: &'static str;
    const OTHER: &'static str;

    /// The list, if it is of this kind; an empty one is of either.
    fn sequences(given: Sequences) -> Option<List<Self>>;
    fn references(given: AnyReferences) -> Option<References<Self>>;
}

impl Kind for String {
    const NAME: &'static str = "text";
    const OTHER: &'static str = "ids";

    fn sequences(given: Sequences) -> Option<List<Self>> {
        match given {
            Sequences::Texts(texts) => Some(texts),
            Sequences::Ids(ids) => (ids.len() == 0).then(List::default),
        }
    }
    fn references(given: AnyReferences) -> Option<References<Self>> {
        if let AnyReferences::Texts(references) = given { Some(references) } else { None }
    }
}

impl Kind for Vec<u32> {
    const NAME: &'static str = "ids";
    const OTHER: &'static str = "text";

    fn sequences(given: Sequences) -> Option<List<Self>> {
        match given {
            Sequences::Ids(ids) => Some(ids),
            Sequences::Texts(texts) => (texts.len() == 0).then(List::default),
        }
    }
    fn references(given: AnyReferences) -> Option<References<Self>> {
        if let AnyReferences::Ids(references) = given { Some(references) } else { None }
    }
}

/// References of the same kind as the hypotheses.
pub(crate) fn references_of<D: Kind>(given: AnyReferences) -> PyResult<References<D>> {
    D::references(given).ok_or_else(|| unlike::<D>("references"))
}

fn unlike<D: Kind>(name: &str) -> PyErr {
    type_error(format!("hypotheses are {}, but {name} are {}", D::NAME, D::OTHER))
}

/// Hypotheses, references and sources as given.
pub(crate) fn gathered(
    hypotheses: &Bound<'_, PyAny>,
    references: Option<&Bound<'_, PyAny>>,
    reference_streams: Option<&Bound<'_, PyAny>>,
    sources: Option<&Bound<'_, PyAny>>,
    missing: bool,
) -> PyResult<Input> {
    let hypotheses = sequences(hypotheses, Place::of("hypotheses"))?;
    let len = hypotheses.len();
    let ids = matches!(hypotheses, Sequences::Ids(_));
    let references = match (references, reference_streams) {
        (Some(_), Some(_)) => return Err(given_twice()),
        (Some(given), None) => Some(read_references(given, ids)?),
        (None, Some(given)) => Some(streams(given, Some(len), missing)?),
        (None, None) => None,
    };
    let sources = sources.map(|sources| sequences(sources, Place::of("sources"))).transpose()?;
    match hypotheses {
        Sequences::Texts(hypotheses) => of_one_kind(hypotheses, references, sources).map(Input::Texts),
        Sequences::Ids(hypotheses) => of_one_kind(hypotheses, references, sources).map(Input::Ids),
    }
}

pub(crate) fn given_twice() -> PyErr {
    value("references are given twice: for each segment, and as streams")
}

fn of_one_kind<D: Kind>(
    hypotheses: List<D>,
    references: Option<AnyReferences>,
    sources: Option<Sequences>,
) -> PyResult<Segments<D>> {
    let references = match references {
        None => References::none(hypotheses.len()),
        Some(given) => references_of(given)?,
    };
    let sources =
        sources.map(|given| D::sequences(given).ok_or_else(|| unlike::<D>("sources"))).transpose()?;
    Segments::new(hypotheses, references, sources).or_raise()
}
