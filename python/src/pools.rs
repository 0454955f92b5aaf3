//! Batches and pools: rewards of a training step, scores of all pairs, expected scores, each text with the others.

use bleuprint::eval::in_threads;
use bleuprint::eval::mbr::{MbrError, Weights, best};
use bleuprint::{Direction, InputError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::count::{Count, Listed};
use crate::engine::{Engine, all, in_order};
use crate::errors::{OrRaise as _, input, type_error, value};
use crate::input::{observe, references_of};
use crate::lists::{Input, References, Segments, Texts};
use crate::read::{Place, Sequences, sequences};
use crate::references::references as read_references;
use crate::run::{Plan, each};
use crate::score::Score;
use crate::state::{State, metric_of};

/// Hypotheses of a pool that are scored between two looks at signals.
const ROWS: usize = 256;

/// The score of each item as `float32`, in bytes of this machine's order. Each `group_size` hypotheses in a row share the
/// references of their group.
#[pyfunction]
#[pyo3(signature = (engine, hypotheses, references, group_size=Count(1), threads=None))]
pub(crate) fn rewards<'py>(
    py: Python<'py>,
    engine: &Bound<'py, Engine>,
    hypotheses: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    group_size: Count,
    threads: Option<Count>,
) -> PyResult<Bound<'py, PyBytes>> {
    let engine = engine.get();
    let group_size = group_size.at_most("group_size", usize::MAX)?;
    if group_size == 0 {
        return Err(value("group_size is 0, but must be at least 1"));
    }
    let hypotheses = sequences(hypotheses, Place::of("hypotheses"))?;
    let ids = matches!(hypotheses, Sequences::Ids(_));
    let references = read_references(references, ids)?;
    let input = match hypotheses {
        Sequences::Texts(hypotheses) => {
            Input::Texts(grouped(hypotheses, references_of(references)?, group_size)?)
        }
        Sequences::Ids(hypotheses) => {
            Input::Ids(grouped(hypotheses, references_of(references)?, group_size)?)
        }
    };
    let panel = engine.panel_for(&input, true)?;
    let metric = metric_of(&panel)?;
    let plan = engine.plan(threads, None)?;
    let worker = || (panel.scratch(), Vec::new());
    let workers = each(py, &plan, input.len(), worker, |(scratch, scores), at| {
        let mut state = panel.zero();
        observe(&panel, scratch, &mut state, &input, at)?;
        let [state] = state.states() else {
            return Err(InputError::malformed_state("one metric was expected"));
        };
        scores.push((at, metric.score(state)?.score.value as f32));
        Ok(())
    })?;
    let scores = in_order(workers.into_iter().map(|(_, scores)| scores));
    let bytes: Vec<u8> = scores.iter().flat_map(|score: &f32| score.to_ne_bytes()).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// Segments whose references are those of their group.
fn grouped<D: crate::lists::Data>(
    hypotheses: crate::lists::List<D>,
    references: References<D>,
    group_size: usize,
) -> PyResult<Segments<D>> {
    if group_size == 1 {
        return Segments::new(hypotheses, references, None).or_raise();
    }
    let groups = references.ends.len();
    if groups.checked_mul(group_size) != Some(hypotheses.len()) {
        return Err(value(format!(
            "hypotheses has {} segments, but there are {groups} groups of {group_size}",
            hypotheses.len()
        )));
    }
    Ok(Segments { hypotheses, references, sources: None, group_size })
}

/// Texts of a pool, and whether they are ids in digits.
fn pool(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(Texts, bool)> {
    match sequences(object, Place::of(name))? {
        Sequences::Texts(texts) => Ok((texts, false)),
        Sequences::Ids(ids) => {
            let mut texts = Texts::default();
            for ids in ids.iter() {
                let digits: Vec<String> = ids.iter().map(u32::to_string).collect();
                texts.push(&digits.join(" "));
            }
            Ok((texts, true))
        }
    }
}

fn two_pools(
    engine: &Engine,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<(Texts, Texts, std::sync::Arc<bleuprint::eval::Panel>)> {
    let ((hypotheses, ids), (references, others)) =
        (pool(hypotheses, "hypotheses")?, pool(references, "references")?);
    if ids != others && hypotheses.len() > 0 && references.len() > 0 {
        return Err(type_error("hypotheses are ids and references are text, or the other way round"));
    }
    let panel = match ids || others {
        true => std::sync::Arc::new(engine.digits_panel(true)?),
        false => engine.panel(false, true)?,
    };
    Ok((hypotheses, references, panel))
}

/// The scores of all pairs, row after row, in bytes of `float64`.
#[pyfunction]
#[pyo3(signature = (engine, hypotheses, references, threads=None))]
pub(crate) fn pairwise<'py>(
    py: Python<'py>,
    engine: &Bound<'py, Engine>,
    hypotheses: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    threads: Option<Count>,
) -> PyResult<(Bound<'py, PyBytes>, usize, usize)> {
    let engine = engine.get();
    let (hypotheses, references, panel) = two_pools(engine, hypotheses, references)?;
    let plan = engine.plan(threads, None)?;
    let (rows, columns) = (all(&hypotheses), all(&references));
    let mut matrix: Vec<f64> = Vec::new();
    let pairs =
        rows.len().checked_mul(columns.len()).filter(|pairs| matrix.try_reserve_exact(*pairs).is_ok());
    let pairs = pairs.ok_or_else(|| {
        pyo3::exceptions::PyMemoryError::new_err(format!(
            "no memory for {} x {} scores",
            rows.len(),
            columns.len()
        ))
    })?;
    matrix.resize(pairs, 0.0);
    for (block, part) in rows.chunks(ROWS).enumerate() {
        let work = || {
            panel.pair_tiles(0, part, &columns, |tile| {
                for (row, scores) in tile.rows() {
                    let from = (block * ROWS + row) * columns.len() + tile.references().start;
                    matrix[from..from + scores.len()].copy_from_slice(scores);
                }
            })
        };
        run(py, engine, &plan, work)?.map_err(|error| input(&error))?;
        py.check_signals()?;
    }
    let bytes: Vec<u8> = matrix.iter().flat_map(|score| score.to_ne_bytes()).collect();
    Ok((PyBytes::new(py, &bytes), rows.len(), columns.len()))
}

/// Runs in a pool of its own, without the interpreter lock; a metric in Python on this thread, which its exceptions need.
fn run<R: Send>(
    py: Python<'_>,
    engine: &Engine,
    plan: &Plan,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    if engine.is_python() {
        return Ok(py.detach(work));
    }
    py.detach(|| in_threads(Some(plan.threads()), work)).or_raise()
}

/// The expected score of each hypothesis, and their numbers from the best on.
#[pyfunction]
#[pyo3(signature = (engine, hypotheses, references, weights=None, log_weights=None, threads=None))]
pub(crate) fn mbr(
    py: Python<'_>,
    engine: &Bound<'_, Engine>,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    weights: Option<Listed<f64>>,
    log_weights: Option<Listed<f64>>,
    threads: Option<Count>,
) -> PyResult<(Vec<f64>, Vec<usize>)> {
    let engine = engine.get();
    let (hypotheses, references, panel) = two_pools(engine, hypotheses, references)?;
    let weights = match (&weights, &log_weights) {
        (Some(_), Some(_)) => return Err(value("weights are given twice: as they are, and as logarithms")),
        (Some(Listed(weights)), None) => Weights::Linear(weights),
        (None, Some(Listed(weights))) => Weights::Logarithms(weights),
        (None, None) => Weights::Equal,
    };
    if hypotheses.len() == 0 || references.len() == 0 {
        return Err(value("there is no hypothesis or no reference to choose with"));
    }
    let plan = engine.plan(threads, None)?;
    let references = all(&references);
    let mut utilities = Vec::with_capacity(hypotheses.len());
    for part in all(&hypotheses).chunks(ROWS) {
        let work = || panel.utilities(0, part, &references, weights);
        utilities.extend(run(py, engine, &plan, work)?.map_err(|error| match error {
            MbrError::Pair(error) => input(&error),
            other => value(other),
        })?);
        py.check_signals()?;
    }
    let direction: Direction = metric_of(&panel)?.scale().direction;
    let order = best(&utilities, direction, utilities.len());
    Ok((utilities, order))
}

/// The score of each text with all the others as its references, and the state of all of them.
#[pyfunction]
#[pyo3(signature = (engine, texts, threads=None))]
pub(crate) fn self_scores(
    py: Python<'_>,
    engine: &Bound<'_, Engine>,
    texts: &Bound<'_, PyAny>,
    threads: Option<Count>,
) -> PyResult<Vec<Score>> {
    let engine = engine.get();
    let (texts, ids) = pool(texts, "texts")?;
    let panel = match ids {
        true => std::sync::Arc::new(engine.digits_panel(true)?),
        false => engine.panel(false, true)?,
    };
    let plan = engine.plan(threads, None)?;
    let texts = all(&texts);
    let states = run(py, engine, &plan, || panel.leave_one_out(&texts))?.map_err(|error| input(&error))?;
    let score = |state| {
        let state = State { panel: panel.clone(), state };
        state.score_now()
    };
    states.into_iter().map(score).collect()
}
