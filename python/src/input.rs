//! `Input`: the segments of a call, of one kind: text or ids. From here on the interpreter is not needed.

use bleuprint::InputError;
use bleuprint::eval::{FirstPass, Panel, PanelScratch, PanelState, SystemsSegment};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, type_error, value};
use crate::lists::{Data, Input, List, References, Segments};
use crate::read::{Place, Sequences, sequences};
use crate::references::{AnyReferences, references as read_references, streams};

/// Text or ids: what tells them apart.
pub(crate) trait Kind: Data {
    const NAME: &'static str;
    const OTHER: &'static str;

    fn sequences(given: Sequences) -> Option<List<Self>>;
    fn references(given: AnyReferences) -> Option<References<Self>>;
}

impl Kind for String {
    const NAME: &'static str = "text";
    const OTHER: &'static str = "ids";

    fn sequences(given: Sequences) -> Option<List<Self>> {
        if let Sequences::Texts(texts) = given { Some(texts) } else { None }
    }
    fn references(given: AnyReferences) -> Option<References<Self>> {
        if let AnyReferences::Texts(references) = given { Some(references) } else { None }
    }
}

impl Kind for Vec<u32> {
    const NAME: &'static str = "ids";
    const OTHER: &'static str = "text";

    fn sequences(given: Sequences) -> Option<List<Self>> {
        if let Sequences::Ids(ids) = given { Some(ids) } else { None }
    }
    fn references(given: AnyReferences) -> Option<References<Self>> {
        if let AnyReferences::Ids(references) = given { Some(references) } else { None }
    }
}

/// References of the kind of the hypotheses.
pub(crate) fn references_of<D: Kind>(given: AnyReferences) -> PyResult<References<D>> {
    D::references(given).ok_or_else(|| unlike::<D>("references"))
}

fn unlike<D: Kind>(name: &str) -> PyErr {
    type_error(format!("hypotheses are {}, but {name} are {}", D::NAME, D::OTHER))
}

/// Hypotheses, references and sources as they were given.
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

/// Hands a segment to `work`, as a panel of one system wants it.
fn with_segment<D: Data, R>(
    segments: &Segments<D>,
    at: usize,
    work: impl FnOnce(SystemsSegment<'_, D::Item>) -> R,
) -> R {
    let mut references = Vec::new();
    segments.references.get(at / segments.group_size, &mut references);
    let source = segments.sources.as_ref().map(|sources| sources.get(at));
    work(SystemsSegment { hypotheses: &[segments.hypotheses.get(at)], references: &references, source })
}

/// Observes one segment.
pub(crate) fn observe(
    panel: &Panel,
    scratch: &mut PanelScratch,
    state: &mut PanelState,
    input: &Input,
    at: usize,
) -> Result<(), InputError> {
    let systems = std::slice::from_mut(state);
    match input {
        Input::Texts(segments) => {
            with_segment(segments, at, |segment| panel.observe(scratch, systems, segment))
        }
        Input::Ids(segments) => {
            with_segment(segments, at, |segment| panel.observe_ids(scratch, systems, segment))
        }
    }
}

/// Shows one segment to a first pass.
pub(crate) fn learn(learner: &mut FirstPass<'_>, input: &Input, at: usize) -> Result<(), InputError> {
    match input {
        Input::Texts(segments) => with_segment(segments, at, |segment| learner.observe(segment)),
        Input::Ids(segments) => with_segment(segments, at, |segment| learner.observe_ids(segment)),
    }
}
