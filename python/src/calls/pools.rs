//! Scores batches and pools of texts: rewards of a training step, scores of all pairs, expected scores (MBR),
//! and scores of each text against all others.

use std::sync::Arc;

use bleuprint::eval::evaluation::SegmentPart;
use bleuprint::eval::leave_one_out;
use bleuprint::eval::mbr::{self as expected, MbrError, MbrWeights, best};
use bleuprint::eval::{Panel, PanelState, Rewards, pairwise as pairs};
use bleuprint::{Metric as _, Observe};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{OrRaise as _, input, type_error, value};
use crate::metric::engine::MetricEngine;
use crate::metric::mistakes::{warn_of_input, warn_of_pool};
use crate::metric::observe::{in_order, second_pass};
use crate::metric::score::PyScore;
use crate::metric::state::{PyState, metric_of};
use crate::run::{CHUNK, ProgressArgument, WatchPlan, each, whole};
use crate::segments::data::SequenceData;
use crate::segments::lists::{
    Ids, ListInput, ListItems, ListKind, ListSequences, OwnList, Segments, SequenceList, Texts,
};
use crate::segments::read::sequences;
use crate::values::count::{ListedItems, WholeNumber};
use crate::values::place::ValuePlace;

/// Scores each item and returns the scores as the bytes of a `float32` array in native byte order.
#[pyfunction]
#[pyo3(signature = (engine, data, quiet=false, threads=None, progress=None))]
pub(crate) fn rewards<'py>(
    py: Python<'py>,
    engine: &MetricEngine,
    data: &SequenceData,
    quiet: bool,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<Bound<'py, PyBytes>> {
    let plan = engine.plan(threads, progress)?;
    let input = &data.input;
    // Training calls this for every batch, and later batches would repeat the warnings of the first.
    let quiet = !engine.is_first_batch() || quiet;
    let panel = second_pass(py, &plan, engine.panel(data.is_ids(), true)?, input, quiet)?;
    let rewards = match input {
        ListInput::Texts(segments) => rewards_of(py, &plan, &panel, segments),
        ListInput::Ids(segments) => rewards_of(py, &plan, &panel, segments),
        ListInput::Own(segments) => rewards_of(py, &plan, &panel, segments),
    }?;
    if !quiet {
        warn_of_input(py, &panel, input, None)?;
    }
    let bytes: Vec<u8> = rewards.iter().flat_map(|reward| reward.to_ne_bytes()).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// Returns the score of each segment. Hypotheses that share references are always scored by the same thread.
fn rewards_of<D: ListItems>(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: &Panel,
    segments: &Segments<D>,
) -> PyResult<Vec<f32>>
where
    Panel: Observe<D::Item>,
{
    let size = segments.group_size;
    // A multiple of the batch size keeps batches full. A multiple of the group size keeps each group in one
    // chunk.
    let chunk = CHUNK.next_multiple_of(panel.batch().clamp(1, 1 << 16)).next_multiple_of(size);
    let worker = || (Rewards::<&Panel, D::Item>::new(panel), Vec::new());
    let workers = each(py, plan, segments.len(), chunk, worker, |(rewards, done), items| {
        let start = items.start;
        let groups = start / size..items.end / size;
        let references: Vec<Vec<&D::Item>> = groups.map(|group| segments.references.get(group)).collect();
        let hypotheses: Vec<&D::Item> = items.map(|item| segments.hypotheses.get(item)).collect();
        let mut scores = vec![0.0; hypotheses.len()];
        rewards.per_group(&hypotheses, size, &references, &mut scores)?;
        done.push((start, scores));
        Ok(())
    })?;
    Ok(in_order(workers.into_iter().map(|(_, done)| done)))
}

/// Hypotheses and references of a pool, all of the same data type. Every hypothesis is scored against every
/// reference.
enum PoolLists {
    Texts([Texts; 2]),
    Ids([Ids; 2]),
    Own([OwnList; 2]),
}

impl PoolLists {
    fn new(
        engine: &MetricEngine,
        hypotheses: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        if let Some(form) = engine.form()? {
            let hypotheses =
                form.column(SegmentPart::Hypothesis, hypotheses, ValuePlace::new("hypotheses"))?;
            let references =
                form.column(SegmentPart::Reference, references, ValuePlace::new("references"))?;
            return Ok(PoolLists::Own([hypotheses, references]));
        }
        fn both<D: ListKind>(
            hypotheses: ListSequences,
            references: ListSequences,
        ) -> Option<[SequenceList<D>; 2]> {
            Some([D::list(hypotheses)?, D::list(references)?])
        }
        let hypotheses = sequences(hypotheses, ValuePlace::new("hypotheses"))?;
        let references = sequences(references, ValuePlace::new("references"))?;
        let pools = match (&hypotheses, &references) {
            (ListSequences::Texts(_), ListSequences::Texts(_)) => {
                both(hypotheses, references).map(PoolLists::Texts)
            }
            // If one list is empty, the other list decides the kind.
            _ => both(hypotheses, references).map(PoolLists::Ids),
        };
        let unlike = || type_error("hypotheses are ids and references are text, or the other way round");
        pools.ok_or_else(unlike)
    }

    fn panel(&self, engine: &MetricEngine) -> PyResult<Arc<Panel>> {
        panel_of(engine, matches!(self, PoolLists::Ids(_)))
    }

    /// Shows Python warnings about likely mistakes in texts of a pool.
    fn warn(&self, py: Python<'_>, panel: &Panel) -> PyResult<()> {
        let PoolLists::Texts(sides) = self else { return Ok(()) };
        warn_of_pool(py, panel, sides.iter().flat_map(Texts::iter))
    }
}

fn panel_of(engine: &MetricEngine, ids: bool) -> PyResult<Arc<Panel>> {
    let panel = engine.panel(ids, true)?;
    let metric = metric_of(&panel).or_raise()?;
    if ids && metric.view.fixed {
        let name = metric.identity().name();
        return Err(value(format!(
            "{name} has tokens of its own, so its pools are of text, but these are ids"
        )));
    }
    Ok(panel)
}

/// Scores every hypothesis against every reference. Returns the row-major matrix as bytes of `float64`, with
/// its numbers of rows and columns.
#[pyfunction]
#[pyo3(signature = (engine, hypotheses, references, threads=None, progress=None))]
pub(crate) fn pairwise<'py>(
    py: Python<'py>,
    engine: &MetricEngine,
    hypotheses: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<(Bound<'py, PyBytes>, usize, usize)> {
    let pools = PoolLists::new(engine, hypotheses, references)?;
    let panel = pools.panel(engine)?;
    let plan = engine.plan(threads, progress)?;
    let (matrix, rows, columns) = match &pools {
        PoolLists::Texts(pools) => matrix(py, &plan, &panel, pools),
        PoolLists::Ids(pools) => matrix(py, &plan, &panel, pools),
        PoolLists::Own(pools) => matrix(py, &plan, &panel, pools),
    }?;
    pools.warn(py, &panel)?;
    let bytes: Vec<u8> = matrix.iter().flat_map(|score| score.to_ne_bytes()).collect();
    Ok((PyBytes::new(py, &bytes), rows, columns))
}

fn matrix<D: ListItems>(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: &Panel,
    [hypotheses, references]: &[SequenceList<D>; 2],
) -> PyResult<(Vec<f64>, usize, usize)>
where
    Panel: Observe<D::Item>,
{
    let rows = hypotheses.all();
    let columns = references.all();
    let mut matrix: Vec<f64> = Vec::new();
    let pairs =
        // The product can exceed the memory; the allocation then fails with an error in place of an abort.
        rows.len().checked_mul(columns.len()).filter(|pairs| matrix.try_reserve_exact(*pairs).is_ok());
    let pairs = pairs.ok_or_else(|| {
        let rows = rows.len();
        let columns = columns.len();
        PyMemoryError::new_err(format!("no memory for {rows} x {columns} scores"))
    })?;
    matrix.resize(pairs, 0.0);
    whole(py, plan, |_| {
        pairs::rows(panel, &rows, &columns, |row, first, scores| {
            let from = row * columns.len() + first;
            matrix[from..from + scores.len()].copy_from_slice(scores);
        })
    })?;
    Ok((matrix, rows.len(), columns.len()))
}

/// Returns the expected score (MBR utility) of each hypothesis, and the indices of the hypotheses from best
/// to worst.
#[pyfunction]
#[pyo3(signature = (engine, hypotheses, references, weights=None, log_weights=None, threads=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
pub(crate) fn mbr(
    py: Python<'_>,
    engine: &MetricEngine,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    weights: Option<ListedItems<f64>>,
    log_weights: Option<ListedItems<f64>>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<(Vec<f64>, Vec<usize>)> {
    let pools = PoolLists::new(engine, hypotheses, references)?;
    let panel = pools.panel(engine)?;
    let weights = match (&weights, &log_weights) {
        (Some(_), Some(_)) => return Err(value("weights are given twice: as they are, and as logarithms")),
        (Some(ListedItems(weights)), None) => MbrWeights::Linear(weights),
        (None, Some(ListedItems(weights))) => MbrWeights::Logarithms(weights),
        (None, None) => MbrWeights::Equal,
    };
    let plan = engine.plan(threads, progress)?;
    let utilities = match &pools {
        PoolLists::Texts(pools) => utilities(py, &plan, &panel, pools, weights),
        PoolLists::Ids(pools) => utilities(py, &plan, &panel, pools, weights),
        PoolLists::Own(pools) => utilities(py, &plan, &panel, pools, weights),
    }?;
    pools.warn(py, &panel)?;
    let order = best(&utilities, panel.scale().direction, utilities.len());
    Ok((utilities, order))
}

fn utilities<D: ListItems>(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: &Panel,
    [hypotheses, references]: &[SequenceList<D>; 2],
    weights: MbrWeights<'_>,
) -> PyResult<Vec<f64>>
where
    Panel: Observe<D::Item>,
{
    if hypotheses.len() == 0 || references.len() == 0 {
        return Err(value("there is no hypothesis or no reference to choose with"));
    }
    let hypotheses = hypotheses.all();
    let references = references.all();
    whole(py, plan, |_| Ok(expected::utilities(panel, &hypotheses, &references, weights)))?.map_err(|error| {
        match error {
            MbrError::Pair(error) => input(&error),
            other => value(other),
        }
    })
}

/// Scores each text with all other texts as its references (as in Self-BLEU), and returns the scores.
#[pyfunction]
#[pyo3(signature = (engine, texts, threads=None, progress=None))]
pub(crate) fn self_scores(
    py: Python<'_>,
    engine: &MetricEngine,
    texts: &Bound<'_, PyAny>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<Vec<PyScore>> {
    if let Some(form) = engine.form()? {
        let message =
            format!("the texts of a pool are references of each other, but here is {}", form.words());
        return Err(type_error(message));
    }
    let texts = sequences(texts, ValuePlace::new("texts"))?;
    let panel = panel_of(engine, matches!(texts, ListSequences::Ids(_)))?;
    let plan = engine.plan(threads, progress)?;
    let states = whole(py, &plan, |_| match &texts {
        ListSequences::Texts(texts) => leave_one_out(&*panel, &texts.all()),
        ListSequences::Ids(ids) => leave_one_out(&*panel, &ids.all()),
    })?;
    if let ListSequences::Texts(texts) = &texts {
        warn_of_pool(py, &panel, texts.iter())?;
    }
    let score = |state: &PanelState| PyState::from_panel(&panel, state)?.score_now();
    states.iter().map(|state| score(state).or_raise()).collect()
}
