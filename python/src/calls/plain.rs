//! Calls with plain texts, which are lists of `str`, as most calls have them. One native call reads the lists,
//! counts the segments and computes the result. The functions return `None` for all other data: the general
//! reader then reads the data again.

use std::collections::HashMap;
use std::sync::Arc;

use bleuprint::Metric as _;
use bleuprint::eval::{Panel, PanelState};
use bleuprint::text::read::EmptyReferences;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyString, PyTuple};

use crate::errors::OrRaise as _;
use crate::metric::engine::MetricEngine;
use crate::metric::mistakes::{InputSigns, warn_of_input, warn_of_score};
use crate::metric::observe::{second_pass, total};
use crate::metric::score::PyScore;
use crate::metric::state::PyState;
use crate::run::{CHUNK, WatchPlan};
use crate::segments::lists::{Ids, ListInput, ListKind, ReferenceLists, Segments, Texts};

/// Greatest number of bytes of the texts of a call that is counted in the calling thread, with the memory of
/// earlier calls.
pub(crate) const FEW_BYTES: usize = 1 << 14;

/// Returns the segments of plain lists of texts, at least one. A segment has one reference or, with `several`, a
/// list of references. Returns `None` for other data.
fn segments(
    hypotheses: &Bound<'_, PyAny>,
    references: Option<&Bound<'_, PyAny>>,
    several: bool,
) -> Option<Segments<String>> {
    let mut texts = Texts::default();
    push_all(&mut texts, hypotheses)?;
    let references = match references {
        None => ReferenceLists { all: Texts::default(), ends: vec![0; texts.len()] },
        Some(given) => reference_lists(given.cast_exact::<PyList>().ok()?, several)?,
    };
    let is_whole = texts.len() > 0 && references.ends.len() == texts.len();
    is_whole.then_some(Segments { hypotheses: texts, references, sources: None, group_size: 1 })
}

/// Returns one segment with a hypothesis and its references, or `None` if they are not a `str` and a list of
/// `str` with at least one item.
pub(crate) fn sentence(
    hypothesis: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> Option<Segments<String>> {
    let mut hypotheses = Texts::default();
    push(&mut hypotheses, hypothesis)?;
    let mut all = Texts::default();
    push_all(&mut all, references)?;
    let references = ReferenceLists { ends: vec![all.len()], all };
    let segment = Segments { hypotheses, references, sources: None, group_size: 1 };
    (segment.references.all.len() > 0 && are_few(&segment)).then_some(segment)
}

/// Returns pairs of a hypothesis and a reference, from two `str` or from two lists of `str` of equal length.
pub(crate) fn pairs(
    references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
) -> Option<Segments<String>> {
    let texts = |given: &Bound<'_, PyAny>| {
        let mut texts = Texts::default();
        push(&mut texts, given).or_else(|| push_all(&mut texts, given))?;
        Some(texts)
    };
    let all = texts(references)?;
    let hypotheses = texts(hypotheses)?;
    let references = ReferenceLists { ends: (1..=all.len()).collect(), all };
    let is_whole = hypotheses.len() > 0 && references.ends.len() == hypotheses.len();
    is_whole.then_some(Segments { hypotheses, references, sources: None, group_size: 1 })
}

fn push(texts: &mut Texts, given: &Bound<'_, PyAny>) -> Option<()> {
    texts.push(&given.cast_exact::<PyString>().ok()?.to_cow().ok()?);
    Some(())
}

fn push_all(texts: &mut Texts, given: &Bound<'_, PyAny>) -> Option<()> {
    match given.cast_exact::<PyList>() {
        Ok(list) => list.iter().try_for_each(|text| push(texts, &text)),
        Err(_) => given.cast_exact::<PyTuple>().ok()?.iter().try_for_each(|text| push(texts, &text)),
    }
}

fn reference_lists(given: &Bound<'_, PyList>, several: bool) -> Option<ReferenceLists<String>> {
    let mut references = ReferenceLists::<String>::default();
    for item in given.iter() {
        if push(&mut references.all, &item).is_none() {
            several.then(|| push_all(&mut references.all, &item))??;
        }
        references.end();
    }
    Some(references)
}

fn are_few(segments: &Segments<String>) -> bool {
    segments.hypotheses.data().len() + segments.references.all.data().len() <= FEW_BYTES
}

/// Removes empty references, or raises an error for them, as the user wants.
fn settled<D: ListKind>(segments: Segments<D>, empty_references: &str) -> PyResult<Segments<D>> {
    let meaning = empty_references.parse::<EmptyReferences>().or_raise()?;
    segments.settled(meaning, &[]).or_raise()
}

/// Returns the score of the only metric of a panel.
fn first_score(panel: &Arc<Panel>, state: &PanelState) -> PyResult<Option<PyScore>> {
    let scores = PyScore::of_stats(panel, true, *state.counts(), state.stats().clone()).or_raise()?;
    Ok(scores.into_iter().next())
}

/// Statistics of plain texts, with the panel (set of metrics) that counted them.
pub(crate) struct PlainCounts {
    pub(crate) panel: Arc<Panel>,
    pub(crate) state: PanelState,
    pub(crate) input: ListInput,
}

/// Counts segments for the metric of `engine`. With `once=false` the texts are a part of a corpus. Returns
/// `None` without segments, and if the metric cannot count them, for which the general way has an error.
pub(crate) fn counted(
    py: Python<'_>,
    engine: &MetricEngine,
    segments: Option<Segments<String>>,
    empty_references: &str,
    once: bool,
    quiet: bool,
) -> PyResult<Option<PlainCounts>> {
    let Some(segments) = segments else { return Ok(None) };
    let Ok(panel) = engine.panel(false, false) else { return Ok(None) };
    let learns = panel.first_pass().is_some();
    if learns && !once {
        return Ok(None);
    }
    let segments = settled(segments, empty_references)?;
    // A batch of one segment gains nothing; larger batches are faster in one call.
    let alike = segments.len() == 1 || segments.len() <= CHUNK && panel.batch() == 1;
    if alike && !learns && are_few(&segments) {
        let state = engine.count_few(py, &panel, &segments)?;
        return Ok(Some(PlainCounts { panel, state, input: ListInput::Texts(segments) }));
    }
    let plan = WatchPlan::default();
    let input = ListInput::Texts(segments);
    let panel = second_pass(py, &plan, panel, &input, quiet)?;
    let state = total(py, &plan, &panel, &input)?;
    Ok(Some(PlainCounts { panel, state, input }))
}

/// Returns the score of plain texts, or None for other data. With `quiet`, there are no warnings about likely
/// mistakes.
#[pyfunction]
#[pyo3(signature = (engine, hypotheses, references, empty_references, several, quiet=false))]
pub(crate) fn score_plain(
    py: Python<'_>,
    engine: &MetricEngine,
    hypotheses: &Bound<'_, PyAny>,
    references: Option<&Bound<'_, PyAny>>,
    empty_references: &str,
    several: bool,
    quiet: bool,
) -> PyResult<Option<PyScore>> {
    let segments = segments(hypotheses, references, several);
    let counted = counted(py, engine, segments, empty_references, true, quiet)?;
    let Some(PlainCounts { panel, state, input }) = counted else { return Ok(None) };
    if !quiet {
        warn_of_input(py, &panel, &input, None)?;
    }
    let score = first_score(&panel, &state)?;
    // Only a score of 0 can lack an order of n-grams, and details of other scores are computed on demand.
    if let (false, Some(zero)) = (quiet, score.as_ref().filter(|score| score.is_zero())) {
        zero.with_score(|score| warn_of_score(py, score))?;
    }
    Ok(score)
}

/// Returns the score of lists of words, without warnings, or None for other data. Each hypothesis is a list of
/// `str`, and has a list of references that are such lists.
#[pyfunction]
pub(crate) fn score_words(
    py: Python<'_>,
    engine: &MetricEngine,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    empty_references: &str,
) -> PyResult<Option<PyScore>> {
    let Some(segments) = segments_of_words(hypotheses, references) else { return Ok(None) };
    let Ok(panel) = engine.panel(true, false) else { return Ok(None) };
    let input = ListInput::Ids(settled(segments, empty_references)?);
    let state = total(py, &WatchPlan::default(), &panel, &input)?;
    first_score(&panel, &state)
}

/// Returns the segments of lists of words, with an id for each different word. A segment has at least one
/// reference.
fn segments_of_words(
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> Option<Segments<Vec<u32>>> {
    let mut known = HashMap::new();
    let mut words = Ids::default();
    for one in items(hypotheses)? {
        push_words(&mut words, &one, &mut known)?;
    }
    let mut lists = ReferenceLists::<Vec<u32>>::default();
    for several in items(references)? {
        let several = items(&several)?;
        for one in &several {
            push_words(&mut lists.all, one, &mut known)?;
        }
        (!several.is_empty()).then(|| lists.end())?;
    }
    let is_whole = words.len() > 0 && lists.ends.len() == words.len();
    is_whole.then_some(Segments { hypotheses: words, references: lists, sources: None, group_size: 1 })
}

/// Returns the items of a list or a tuple.
fn items<'py>(given: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    match given.cast_exact::<PyList>() {
        Ok(list) => Some(list.iter().collect()),
        Err(_) => Some(given.cast_exact::<PyTuple>().ok()?.iter().collect()),
    }
}

fn push_words(words: &mut Ids, given: &Bound<'_, PyAny>, known: &mut HashMap<String, u32>) -> Option<()> {
    for word in items(given)? {
        let word = word.cast_exact::<PyString>().ok()?.to_cow().ok()?;
        let next = known.len() as u32;
        let id = match known.get(&*word) {
            Some(id) => *id,
            None => *known.entry(word.into_owned()).or_insert(next),
        };
        words.data_mut().push(id);
    }
    words.end();
    Some(())
}

/// Returns the state of plain texts, or None for other data.
#[pyfunction]
pub(crate) fn observe_plain(
    py: Python<'_>,
    engine: &MetricEngine,
    hypotheses: &Bound<'_, PyAny>,
    references: Option<&Bound<'_, PyAny>>,
    empty_references: &str,
    several: bool,
    signs: &InputSigns,
) -> PyResult<Option<PyState>> {
    let segments = segments(hypotheses, references, several);
    let counted = counted(py, engine, segments, empty_references, false, false)?;
    let Some(PlainCounts { panel, state, input }) = counted else { return Ok(None) };
    warn_of_input(py, &panel, &input, Some(signs))?;
    PyState::from_panel(&panel, &state).map(Some).or_raise()
}

/// Returns the rewards of a few plain texts as the bytes of a `float32` array, or None for other data.
#[pyfunction]
pub(crate) fn reward_plain<'py>(
    py: Python<'py>,
    engine: &MetricEngine,
    hypotheses: &Bound<'py, PyAny>,
    references: Option<&Bound<'py, PyAny>>,
    empty_references: &str,
    several: bool,
    quiet: bool,
) -> PyResult<Option<Bound<'py, PyByteArray>>> {
    let segments = segments(hypotheses, references, several).filter(are_few);
    let Some((segments, panel)) = segments.zip(engine.panel(false, true).ok()) else { return Ok(None) };
    if panel.first_pass().is_some() {
        return Ok(None);
    }
    let segments = settled(segments, empty_references)?;
    let rewards = engine.reward_few(py, &panel, &segments)?;
    // Training calls this for every batch, and later batches would repeat the warnings of the first.
    if !quiet && engine.is_first_batch() {
        warn_of_input(py, &panel, &ListInput::Texts(segments), None)?;
    }
    let bytes: Vec<u8> = rewards.iter().flat_map(|reward| reward.to_ne_bytes()).collect();
    Ok(Some(PyByteArray::new(py, &bytes)))
}
