//! `Statistics`: one system's per-segment statistics for one metric, used for significance tests, group
//! scores and storage.

use std::path::PathBuf;

use bleuprint::eval::evaluation::{Run, RunLabels, finisher};
use bleuprint::eval::store::{
    Fingerprint, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics,
};
use bleuprint::inference::Interval;
use bleuprint::{
    AnyMetric, InputError, Metric as _, Result,
    contract::{MetricSpec, StateKey, column_names},
};
use bleuprint_core::counted;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::errors::{OrRaise as _, new_file, value, warn};
use crate::metric::engine::{MetricEngine, known};
use crate::metric::score::PyScore;
use crate::metric::state::PyState;
use crate::registry::registry;
use crate::run::{ProgressArgument, WatchPlan};
use crate::segments::data::SequenceData;
use crate::segments::lists::ListInput;
use crate::systems::show::shown;
use crate::systems::testing::intervals;
use crate::values::count::{ListedItems, WholeNumber};

/// One system's statistics for every segment, under one metric.
#[pyclass(frozen, module = "bleuprint", name = "Statistics")]
pub(crate) struct PyStatistics {
    pub(crate) run: Run,
    /// Python object of a metric written in Python, which is pickled with the statistics; `None` for a metric
    /// of the library.
    owner: Option<Py<PyAny>>,
}

/// Returns the segment labels as a dict: each label name has a list with one value per segment (`None` if
/// missing).
pub(crate) fn labels_dict<'py>(py: Python<'py>, labels: &RunLabels) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (place, name) in labels.names.iter().enumerate() {
        let values = labels.values.iter().map(|values| values.get(place).and_then(Option::as_deref));
        dict.set_item(name, PyList::new(py, values.collect::<Vec<_>>())?)?;
    }
    Ok(dict)
}

/// Returns the fingerprints of the references and of the source of each segment. The source's fingerprint is
/// `None` if a segment has no source.
pub(crate) fn fingerprints(
    py: Python<'_>,
    data: &SequenceData,
) -> PyResult<Vec<(Fingerprint, Option<Fingerprint>)>> {
    // Fingerprints are stored with the statistics, so that files of different test sets are not compared.
    // Objects of Python have no bytes to hash, so their text for reports is hashed.
    let of = |at: usize| match &data.input {
        ListInput::Texts(segments) if data.is_of_objects() => {
            let shown = |text: &str| data.shown(py, text);
            let references = segments.references.get(at).into_iter().map(shown);
            let source = segments.sources.as_ref().map(|sources| shown(sources.get(at)));
            let source = source.transpose()?.map(|source| Fingerprint::from_texts([source]));
            Ok((Fingerprint::from_texts(references.collect::<PyResult<Vec<_>>>()?), source))
        }
        ListInput::Texts(segments) => {
            let source = segments.sources.as_ref().map(|sources| Fingerprint::from_texts([sources.get(at)]));
            Ok((Fingerprint::from_texts(segments.references.get(at)), source))
        }
        ListInput::Ids(segments) => {
            let digits = |ids: &&[u32]| ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            let source =
                segments.sources.as_ref().map(|sources| Fingerprint::from_texts([digits(&sources.get(at))]));
            Ok((Fingerprint::from_texts(segments.references.get(at).iter().map(digits)), source))
        }
        ListInput::Own(segments) => {
            let source = segments.printed_source(at).map(|source| Fingerprint::from_texts([source]));
            Ok((Fingerprint::from_texts(segments.references.printed(at)), source))
        }
    };
    (0..data.input.len()).map(of).collect()
}

impl PyStatistics {
    /// Creates the statistics from a run of one system under one metric of the library.
    pub(crate) fn of_run(run: Run) -> Self {
        PyStatistics { run, owner: None }
    }

    pub(crate) fn owned_by(self, owner: Option<Py<PyAny>>) -> Self {
        PyStatistics { owner, ..self }
    }

    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    fn metric(&self) -> &AnyMetric {
        &self.run.metrics()[0]
    }

    fn score_of(&self, segments: impl IntoIterator<Item = usize>) -> PyResult<PyScore> {
        self.run.score_of(0, 0, segments).map(PyScore::new).or_raise()
    }

    fn of_stored(
        stored: &StoredStatistics,
        spec: MetricSpec,
        metric: AnyMetric,
        name: &str,
    ) -> PyResult<Run> {
        let state = |segment: &StoredSegment| {
            let state = segment.states.first().map(|state| state.open(&metric));
            let state = state.ok_or_else(|| value(format!("{name}: a segment has no state")))?;
            let state = state.and_then(|state| known(&metric, &state)).or_raise()?;
            Ok::<_, PyErr>((state, (segment.references, segment.source)))
        };
        let states = stored.segments.iter().map(state).collect::<PyResult<Vec<_>>>()?;
        let run = Run::of_states(&stored.header.system, spec, metric.clone(), states).or_raise()?;
        run.with_facts_of(name, stored).or_raise()
    }
}

type Reduced<'py> = (Bound<'py, PyAny>, (Option<Py<PyAny>>, Bound<'py, PyBytes>));

#[pymethods]
impl PyStatistics {
    fn __len__(&self) -> usize {
        self.run.len()
    }

    fn __repr__(&self) -> String {
        let segments = counted(self.run.len(), "segment");
        let system = self.system();
        format!("Statistics({segments} of {system}, {})", self.metric().state_key())
    }

    /// Returns the name of the system whose segments were counted.
    #[getter]
    fn system(&self) -> &str {
        &self.run.systems()[0]
    }

    /// Returns the names of the segments' labels.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.run.labels.names.clone()
    }

    fn _labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        labels_dict(py, &self.run.labels)
    }

    fn _total(&self) -> PyResult<PyState> {
        let state = self.run.merged(0, 0, 0..self.run.len()).or_raise()?;
        Ok(PyState::new(self.metric().clone(), state))
    }

    /// Returns the score of all segments together.
    fn score(&self) -> PyResult<PyScore> {
        self.score_of(0..self.run.len())
    }

    /// Returns the names of the count columns in `rows`, in order.
    fn columns(&self) -> PyResult<Vec<String>> {
        self.metric().require_rows("be written as a row").or_raise()?;
        Ok(column_names(self.metric()))
    }

    /// Returns the metric's counts as one list of integers per segment.
    #[pyo3(name = "rows")]
    fn rows_python(&self) -> PyResult<Vec<Vec<u64>>> {
        Ok(self.run.rows(0, 0).or_raise()?.iter().map(<[u64]>::to_vec).collect())
    }

    /// Returns the scores of groups of segments as a dict from label to score. `labels` has one label per
    /// segment, or is the name of a label that the segments have.
    fn slices<'py>(&self, py: Python<'py>, labels: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let labels: Vec<String> = match labels.extract::<String>() {
            Ok(name) => self.run.labels.values_of(&name).or_raise()?.into_iter().map(str::to_owned).collect(),
            Err(_) => labels.extract::<ListedItems<String>>()?.0,
        };
        crate::segments::lists::require_equal("the statistics", self.run.len(), "the labels", labels.len())
            .or_raise()?;
        let dict = PyDict::new(py);
        for (label, segments) in bleuprint::inference::groups(&labels) {
            dict.set_item(label, Py::new(py, self.score_of(segments)?)?)?;
        }
        Ok(dict)
    }

    /// Returns the bootstrap confidence interval of the score (`mean`, `lower`, `upper`, `half_width`), or
    /// None if the score has no interval.
    #[pyo3(signature = (n=WholeNumber(1000), seed=WholeNumber(12345), precision="sacrebleu", threads=None, progress=None))]
    fn confidence<'py>(
        &self,
        py: Python<'py>,
        n: WholeNumber,
        seed: WholeNumber,
        precision: &str,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plan = WatchPlan::new(threads, progress)?;
        let interval = intervals(py, &self.run, 0, (n, seed), precision, &plan)?.pop();
        let interval = interval.ok_or_else(|| value("there are no systems"))?;
        Ok(interval.unwrap_or_else(|| py.None().into_bound(py)))
    }

    /// Writes the statistics to a file that `read_statistics` and the command-line program can read. An
    /// existing file is replaced only with `overwrite=True`.
    #[pyo3(signature = (path, *, overwrite=false))]
    fn write(&self, path: PathBuf, overwrite: bool) -> PyResult<()> {
        self.run.write(new_file(path, overwrite)?).or_raise()
    }

    /// Writes the weights that a metric learned from references to a file, like the program's
    /// `--save-learned`. An existing file is replaced only with `overwrite=True`.
    #[pyo3(signature = (path, *, overwrite=false))]
    fn save_learned(&self, path: PathBuf, overwrite: bool) -> PyResult<()> {
        self.run.write_learned(new_file(path, overwrite)?).or_raise()
    }

    /// Returns an Arrow table for data frames. It has one row for each segment, with labels, score and
    /// counts.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "statistics_frame", (slf,))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "statistics_html", (slf,))
    }

    /// Returns the data that pickling stores: the Python object of a metric written in Python, if any, and
    /// the bytes of a statistics file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let metric = self.metric();
        let labels = &self.run.labels;
        let header = self.run.with_facts(Header {
            system: self.system().to_owned(),
            ..Header::of_metric(self.run.specs[0].name(), metric).or_raise()?
        });
        let states = |segments: std::ops::Range<usize>| {
            let state = self.run.merged(0, 0, segments)?;
            Ok::<_, InputError>(vec![StoredState::from_state(metric, &state)?])
        };
        let segment = |(at, (labels, &(references, source))): (usize, (&Vec<_>, &(_, _)))| {
            Ok(StoredSegment { references, source, labels: labels.clone(), states: states(at..at + 1)? })
        };
        let segments = labels.values.iter().zip(&self.run.fingerprints).enumerate().map(segment);
        let segments = segments.collect::<Result<_>>().or_raise()?;
        let total = states(0..self.run.len()).or_raise()?;
        let bytes = StoredStatistics::new(header, segments, total).to_vec().or_raise()?;
        let restore = py.import("bleuprint._native")?.getattr("restore_statistics")?;
        let owner = self.owner.as_ref().map(|owner| owner.clone_ref(py));
        Ok((restore, (owner, PyBytes::new(py, &bytes))))
    }
}

/// Reads a statistics file that has one metric. The file's metric must be compatible with the metric of
/// `engine`.
#[pyfunction]
#[pyo3(signature = (engine, path, owner=None))]
pub(crate) fn read_statistics(
    engine: &Bound<'_, MetricEngine>,
    path: PathBuf,
    owner: Option<Py<PyAny>>,
) -> PyResult<PyStatistics> {
    let stored = StoredStatistics::read(&path).or_raise()?;
    let name = path.display().to_string();
    let of_file = the_metric(&stored, &name)?;
    if !stored.header.each {
        return Err(value(format!("{name} holds a total alone, but statistics of each segment are needed")));
    }
    let own = owner.as_ref().map(|owner| engine_of(owner.bind(engine.py()), of_file)).transpose()?;
    let engine = own.as_ref().unwrap_or(engine);
    let metric = engine.get().metric_of_stored(of_file)?;
    let run = PyStatistics::of_stored(&stored, engine.get().spec()?, metric, &name)?;
    run.notes().iter().try_for_each(|note| warn(engine.py(), note))?;
    Ok(PyStatistics { run, owner })
}

fn the_metric<'s>(stored: &'s StoredStatistics, name: &str) -> PyResult<&'s StoredMetric> {
    let [metric] = &stored.header.metrics[..] else {
        let count = stored.header.metrics.len();
        return Err(value(format!("{name} holds {count} metrics, but one is read at a time")));
    };
    Ok(metric)
}

#[pyfunction]
pub(crate) fn restore_statistics(owner: Option<&Bound<'_, PyAny>>, bytes: &[u8]) -> PyResult<PyStatistics> {
    let name = "the statistics";
    let stored = StoredStatistics::from_reader(bytes, name).or_raise()?;
    let of_metric = the_metric(&stored, name)?;
    let (spec, metric) = match owner {
        Some(owner) => owned(owner, of_metric)?,
        None => {
            let spec = registry().parse_stored(&of_metric.spec).or_raise()?;
            (spec.clone(), of_registry(&spec, of_metric)?)
        }
    };
    let run = PyStatistics::of_stored(&stored, spec, metric, name)?;
    Ok(PyStatistics { run, owner: owner.map(|owner| owner.clone().unbind()) })
}

/// Returns the engine (internal handle) of the Python metric `owner` for the stored statistics. Statistics of
/// lists of tokens that the user made need a separate engine.
fn engine_of<'py>(owner: &Bound<'py, PyAny>, stored: &StoredMetric) -> PyResult<Bound<'py, MetricEngine>> {
    let engine = if stored.key.contains("|tokens:custom|") {
        owner.call_method0("_of_tokens")?
    } else {
        owner.getattr("_engine")?
    };
    Ok(engine.cast_into()?)
}

/// Returns the name, options and metric of `owner`, a metric written in Python, for stored statistics. If
/// `owner` has not learned weights, the metric gets the stored weights.
fn owned(owner: &Bound<'_, PyAny>, stored: &StoredMetric) -> PyResult<(MetricSpec, AnyMetric)> {
    let engine = engine_of(owner, stored)?;
    let engine = engine.get();
    let spec = engine.spec()?;
    let metric = engine.metric_of_stored(stored).or_else(|error| match stored.learned {
        None => Err(error),
        Some(_) => of_registry(&spec, stored),
    })?;
    Ok((spec, metric))
}

/// Returns the library's metric of this name, with the tokenizer and the learned weights of the stored
/// metric.
fn of_registry(spec: &MetricSpec, stored: &StoredMetric) -> PyResult<AnyMetric> {
    let key = stored.key.parse::<StateKey>().or_raise()?;
    finisher(&registry(), spec, stored, &key).or_raise()
}

/// Returns the mean of the resampled scores, added in NumPy's order, and half the width of their middle 95 %.
#[pyfunction]
pub(crate) fn paired_interval(scores: ListedItems<f64>) -> (f64, f64) {
    let interval = Interval::paired(scores.0);
    (interval.mean, interval.half_width)
}
