//! Implements `from_files` and `from_logs`, which read files into a run, and `normalize`, which applies text
//! normalizers.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bleuprint::eval::TokenRequest;
use bleuprint::text::{Chain, Normalizer as _};
use bleuprint_requests::data::Reading;
use bleuprint_requests::failure::Failure;
use bleuprint_requests::request::{
    CountingRequest, FileForm, MetricChoice, NumbersRequest, RecordsReading, Sources,
};
use bleuprint_requests::{CountedFiles, Harness};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::calls::plain::FEW_BYTES;
use crate::errors::{OrRaise as _, type_error, value, warn};
use crate::metric::engine::texts as read_texts;
use crate::registry::{families, tokenizers};
use crate::run::{ProgressArgument, WatchPlan, short, whole};
use crate::systems::counted_run::PyRun;
use crate::values::count::{ListedItems, WholeNumber};

/// Greatest number of chains of normalizers that are kept for later calls.
const MOST_KEPT: usize = 16;

/// Reads and counts files of one format, and returns the counts of all systems. Notes of the file readers become
/// Python warnings.
#[pyfunction]
#[pyo3(signature = (form, reference, systems, metrics, options, tokenize=None, lowercase=false, norm=None, threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "Python's signature")]
pub(crate) fn read_files(
    py: Python<'_>,
    form: &str,
    reference: String,
    systems: ListedItems<String>,
    metrics: ListedItems<String>,
    options: &Bound<'_, PyDict>,
    tokenize: Option<String>,
    lowercase: bool,
    norm: Option<String>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<PyRun> {
    let forms = FileForm::all(families());
    let Some(form) = forms.iter().find(|known| known.name == form) else {
        let names: Vec<&str> = forms.iter().map(|form| form.name).collect();
        return Err(value(format!("unknown form `{form}`; expected one of: {}", names.join(", "))));
    };
    let options = option_values(form, options)?;
    let tokens = TokenRequest {
        tokenizer: tokenize,
        lowercase: lowercase.then_some(true),
        normalizer: norm,
        ..TokenRequest::default()
    };
    count(py, threads, progress, || form.request(reference, systems.0, &options, metrics.0, tokens))
}

/// Reads and counts the logs of an evaluation harness, as pairs of a system's name and a path. Without metrics, the
/// only number of the logs is counted.
#[pyfunction]
#[pyo3(signature = (harness, logs, metrics, filters, threads=None, progress=None))]
pub(crate) fn read_logs(
    py: Python<'_>,
    harness: &str,
    logs: ListedItems<(Option<String>, String)>,
    metrics: Option<ListedItems<String>>,
    filters: ListedItems<(String, String)>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<PyRun> {
    if logs.0.is_empty() {
        return Err(value("there are no logs"));
    }
    let numbers = NumbersRequest {
        harness: Some(harness.parse::<Harness>().or_raise()?),
        records: logs.0,
        reading: RecordsReading { filters: filters.0, ..RecordsReading::default() },
        ..NumbersRequest::default()
    };
    let given = metrics.is_some();
    let names = metrics.map(|metrics| metrics.0).unwrap_or_default();
    let request = CountingRequest {
        sources: Sources { numbers, ..Sources::default() },
        metrics: MetricChoice { names, given, ..MetricChoice::default() },
        ..CountingRequest::default()
    };
    count(py, threads, progress, || Ok(request))
}

/// Counts the files of a request without the interpreter lock, and shows the notes of the readers as warnings.
fn count(
    py: Python<'_>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
    request: impl FnOnce() -> Result<CountingRequest, Failure> + Send,
) -> PyResult<PyRun> {
    let plan = WatchPlan::new(threads, progress)?;
    let counted = whole(py, &plan, |_| Ok(CountedFiles::new(request, &Reading::default(), families())))?;
    let counted = counted.map_err(value)?;
    counted.notes.iter().try_for_each(|note| warn(py, note))?;
    Ok(PyRun::of_systems(counted.run, None))
}

/// Returns the options of a format by their names in the program. The value of a flag is empty.
fn option_values(form: &FileForm, given: &Bound<'_, PyDict>) -> PyResult<Vec<(&'static str, String)>> {
    let mut values = Vec::new();
    for (keyword, given) in given {
        let keyword: String = keyword.extract()?;
        let name = keyword.replace('_', "-");
        let Some(option) = form.options.iter().find(|option| option.name == name) else {
            let known: Vec<String> =
                form.options.iter().map(|option| option.name.replace('-', "_")).collect();
            let known = known.join(", ");
            return Err(type_error(format!(
                "the form `{}` has no option `{keyword}`; it has: {known}",
                form.name
            )));
        };
        if given.is_none() {
            continue;
        }
        if option.value.is_none() {
            let is_set = given.extract::<bool>().map_err(|_| unlike(&keyword, &given, "True or False"))?;
            values.extend(is_set.then(|| (option.name, String::new())));
        } else if option.name == "columns" {
            values.extend(columns(&keyword, &given)?.into_iter().map(|column| (option.name, column)));
        } else {
            let path = given.extract::<PathBuf>().map_err(|_| unlike(&keyword, &given, "a str or a path"))?;
            let text = path.into_os_string().into_string();
            values.push((option.name, text.map_err(|_| value(format!("{keyword} is no text in UTF-8")))?));
        }
    }
    Ok(values)
}

/// Reads columns from a dict of parts, or from a text such as `hypothesis=pred_text,reference=text`.
fn columns(keyword: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let kind = "a dict of str, or a str such as `hypothesis=pred_text`";
    if let Ok(text) = given.extract::<String>() {
        return Ok(text.split(',').map(str::to_owned).collect());
    }
    let parts = given.cast::<PyDict>().map_err(|_| unlike(keyword, given, kind))?;
    let parts = parts.items().extract::<Vec<(String, String)>>().map_err(|_| unlike(keyword, given, kind))?;
    Ok(parts.into_iter().map(|(part, column)| format!("{part}={column}")).collect())
}

fn unlike(keyword: &str, given: &Bound<'_, PyAny>, kind: &str) -> PyErr {
    let shown = given.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    type_error(format!("{keyword} is {shown}, but must be {kind}"))
}

/// Applies a chain of normalizers to texts and returns the normalized texts.
#[pyfunction]
pub(crate) fn normalize(py: Python<'_>, texts: &Bound<'_, PyAny>, norm: &str) -> PyResult<Vec<String>> {
    let texts = read_texts(texts, "texts")?;
    let chain = chain(norm)?;
    let apply = || Ok(texts.iter().map(|text| chain.apply(text)).collect());
    if texts.data().len() <= FEW_BYTES {
        return short(py, apply);
    }
    whole(py, &WatchPlan::default(), |_| apply())
}

/// Returns the chain of normalizers with this name, which is kept for later calls unless it depends on a file.
fn chain(norm: &str) -> PyResult<Chain> {
    static KEPT: Mutex<Vec<(String, Chain)>> = Mutex::new(Vec::new());
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = kept().iter().find(|(name, _)| name == norm).map(|(_, chain)| chain.clone());
    if let Some(chain) = found {
        return Ok(chain);
    }
    let chain = tokenizers().normalizers.build(norm).or_raise()?;
    let mut kept = kept();
    // The name of a normalizer with a file has a hash, and the file can change.
    if kept.len() < MOST_KEPT && !chain.name().contains('#') {
        kept.push((norm.to_owned(), chain.clone()));
    }
    Ok(chain)
}
