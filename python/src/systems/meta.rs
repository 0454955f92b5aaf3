//! `meta`: measures how well metrics agree with human judgments, from columns of scores or from statistics.

use bleuprint::inference::agreement::{
    Agreement, AgreementQuestion, JudgedTestSet, MetaRequest, MetricScores, Ratings, Statistic, Swap,
};
use bleuprint::{
    Metric as _,
    contract::{Direction, score_row},
};
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors::{OrRaise as _, value};
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::systems::statistics::PyStatistics;
use crate::systems::testing::{choice, python_of};
use crate::values::cells::numbers;
use crate::values::count::{ListedItems, WholeNumber};
use crate::values::place::ValuePlace;

/// Name of a system, and its scores: a column with one score per item, or per-segment statistics.
type System<'py> = (String, Bound<'py, PyAny>);

#[pyfunction]
#[pyo3(signature = (human, metrics, statistics, level, grouping, swap, *, trials=WholeNumber(1000), seed=WholeNumber(4), alpha=0.05, holm=false, williams=false, lower=ListedItems(Vec::new()), epsilons=ListedItems(Vec::new()), threads=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
pub(crate) fn meta<'py>(
    py: Python<'py>,
    human: ListedItems<System<'py>>,
    metrics: ListedItems<(String, ListedItems<System<'py>>)>,
    statistics: ListedItems<String>,
    level: &str,
    grouping: &str,
    swap: &str,
    trials: WholeNumber,
    seed: WholeNumber,
    alpha: f64,
    holm: bool,
    williams: bool,
    lower: ListedItems<String>,
    epsilons: ListedItems<(String, f64)>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<Bound<'py, PyAny>> {
    let ratings = Ratings::new(columns("human", &human.0)?).or_raise()?;
    let named = |name: &String| lower.0.contains(name);
    if let Some(name) = lower.0.iter().find(|name| !metrics.0.iter().any(|(known, _)| known == *name)) {
        return Err(value(format!("lower names `{name}`, which is none of the metrics")));
    }
    let scores = |(name, systems): &(String, ListedItems<System<'py>>)| scores(name, &systems.0, named(name));
    let metrics = metrics.0.iter().map(scores).collect::<PyResult<_>>()?;
    let set = JudgedTestSet::new("human", ratings, metrics).or_raise()?;
    let level = choice("level", level)?;
    let grouping = choice("group", grouping)?;
    let swap: Swap = choice("swap", swap)?;
    let question = |name: &String| {
        let statistic = name.parse::<Statistic>().or_raise()?;
        Ok(AgreementQuestion { statistic, level, grouping, swap })
    };
    let questions = statistics.0.iter().map(question).collect::<PyResult<Vec<AgreementQuestion>>>()?;
    // The negation also rejects NaN.
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(value(format!("alpha is {alpha}, but must lie between 0 and 1")));
    }
    let request = MetaRequest {
        trials: trials.at_most("trials", 10_000_000)?,
        seed: u128::from(seed.0),
        alpha,
        holm,
        williams,
        epsilons: epsilons.0,
        ..MetaRequest::default()
    };
    let answers = whole(py, &WatchPlan::new(threads, progress)?, |_| {
        questions
            .iter()
            .map(|question| Agreement::from_sets(&[&set], *question, &request))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let answers = answers.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>().map_err(value)?;
    python_of(py, &Value::Array(answers))
}

fn columns(place: &str, systems: &[System<'_>]) -> PyResult<Vec<(String, Vec<Option<f64>>)>> {
    let column = |(system, object): &System<'_>| {
        Ok((system.clone(), numbers(object, ValuePlace::new(&format!("{place}[{system:?}]")))?))
    };
    systems.iter().map(column).collect()
}

/// Returns a metric's scores for all systems. Each system has a column with one score per item, or
/// statistics, which also give a corpus score. With `lower`, lower scores are better.
fn scores(name: &str, systems: &[System<'_>], lower: bool) -> PyResult<MetricScores> {
    let statistics: Vec<(&String, PyRef<'_, PyStatistics>)> = systems
        .iter()
        .filter_map(|(system, object)| Some((system, object.cast::<PyStatistics>().ok()?.borrow())))
        .collect();
    if statistics.is_empty() {
        let mut columns = columns(name, systems)?;
        if lower {
            let scores = columns.iter_mut().flat_map(|(_, scores)| scores).flatten();
            // Agreement assumes that higher is better, so such scores are negated.
            scores.for_each(|score| *score = -*score);
        }
        return Ok(MetricScores::new(name, Ratings::new(columns).or_raise()?));
    }
    if statistics.len() < systems.len() {
        return Err(value(format!("{name} has statistics of some systems, and scores of others")));
    }
    let metric = statistics[0].1.run().metrics()[0].clone();
    let is_lower = metric.scale().direction == Direction::LowerIsBetter;
    if lower {
        return Err(value(format!("{name} says itself which direction is better")));
    }
    // As above: the sign makes higher scores better.
    let sign = if is_lower { -1.0 } else { 1.0 };
    let mut items = Vec::new();
    let mut rows = Vec::new();
    for (system, statistics) in &statistics {
        let run = statistics.run();
        metric.state_key().require_equal(&run.metrics()[0].state_key()).or_raise()?;
        let scores = run.sentence_scores(0, 0).into_iter();
        let scores = scores.map(|scored| scored.ok().map(|scored| sign * scored.score.value));
        items.push(((*system).clone(), scores.collect::<Vec<Option<f64>>>()));
        rows.push(((*system).clone(), run.rows(0, 0).or_raise()?));
    }
    let signature = metric.identity().signature(&Default::default()).to_string();
    let score = move |row: &[u64]| score_row(&metric, row).map_or(f64::NAN, |score| sign * score);
    let mut own = MetricScores::new(name, Ratings::new(items).or_raise()?).with_corpus(rows, score);
    own.signature = Some(signature);
    Ok(own)
}
