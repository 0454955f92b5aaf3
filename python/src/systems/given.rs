//! Creates a system's statistics from per-segment numbers that other programs computed.

use bleuprint::eval::evaluation::{Evaluation, NumberColumn, SystemNumbers, TextCorpus};
use bleuprint::eval::{ChosenTokens, Request};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value, warn};
use crate::metric::source::{SourceTokens, TokenSource};
use crate::registry::registry;
use crate::systems::statistics::PyStatistics;
use crate::values::cells::{numbers, words};
use crate::values::count::ListedItems;
use crate::values::place::ValuePlace;

/// Creates a system's statistics for the metric `given`, which aggregates precomputed numbers with these
/// options. Each of the `columns` has a name and one number per segment.
#[pyfunction]
#[pyo3(signature = (options, columns, ids=None, labels=ListedItems(Vec::new()), system="system"))]
pub(crate) fn given(
    py: Python<'_>,
    options: ListedItems<(String, String)>,
    columns: ListedItems<(String, Bound<'_, PyAny>)>,
    ids: Option<&Bound<'_, PyAny>>,
    labels: ListedItems<(String, Bound<'_, PyAny>)>,
    system: &str,
) -> PyResult<PyStatistics> {
    let spec = TokenSource::named("given", &options.0, SourceTokens::default())?.spec()?;
    // The metric `given` reads no text, so the tokenizer is only a placeholder.
    let request = Request { specs: vec![spec], tokens: ChosenTokens::standard().or_raise()? };
    let metrics = request.build(&registry()).or_raise()?;
    let mut read = Vec::new();
    for (name, object) in &columns.0 {
        // The first column has the values, the second the denominators; Python calls these arguments
        // `values` and `over`.
        read.push((name, numbers(object, ValuePlace::new(if read.is_empty() { "values" } else { "over" }))?));
    }
    let segments = read.first().map_or(0, |(_, column)| column.len());
    let mut corpus = TextCorpus::of_numbers([system], segments);
    for (name, column) in read {
        let systems = vec![SystemNumbers::new(column)];
        corpus
            .add_column(NumberColumn { name: name.clone(), systems, ..NumberColumn::default() })
            .or_raise()?;
    }
    if let Some(ids) = ids {
        let ids = words(ids, ValuePlace::new("ids"))?
            .into_iter()
            .enumerate()
            .map(|(at, id)| id.ok_or_else(|| value(format!("ids[{at}] is missing, but must be there"))));
        let ids = ids.collect::<PyResult<Vec<_>>>()?;
        // The ids are a label too, by which segments are paired with those of other systems.
        if labels.0.iter().all(|(name, _)| name != "id") {
            corpus.add_label("id", &ids).or_raise()?;
        }
        corpus.set_ids(ids).or_raise()?;
    }
    for (name, object) in &labels.0 {
        let values = words(object, ValuePlace::new(name))?;
        corpus.add_label(name, values.iter().map(|value| value.as_deref().unwrap_or(""))).or_raise()?;
    }
    for (_, metric) in &metrics.numbers {
        if let Some(note) = &metric.view.numbers.note {
            warn(py, note)?;
        }
    }
    let run =
        Evaluation::new(request.specs, metrics, request.tokens.tokenizer().clone()).run(corpus).or_raise()?;
    Ok(PyStatistics::of_run(run))
}
