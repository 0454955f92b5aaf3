//! `Statistics`: the statistics of every segment of one system, for tests, slices and storage.

use bleuprint::eval::resample::{Design, Plan as Resampling, Power, Rows, Scores, Test};
use bleuprint::eval::store::{
    FORMAT, Fingerprint, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics,
};
use bleuprint::eval::{Precision, Significance, in_threads, rows_of};
use bleuprint::{AnyMetric, AnyState, Direction, Metric as _, Result, column_names};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::count::{Count, Listed};
use crate::engine::{Engine, known};
use crate::errors::{OrRaise as _, input, raised, raised_since, value};
use crate::input::gathered;
use crate::lists::Input;
use crate::observe::map_states;
use crate::run::Plan;
use crate::score::Score;
use crate::state::{State, metric_of};

/// More resamples than this are a mistake, and their scores would not fit in memory.
const MOST_RESAMPLES: usize = 10_000_000;

/// The statistics of every segment of one system.
#[pyclass(frozen, module = "bleuprint", name = "Statistics")]
pub(crate) struct Statistics {
    metric: AnyMetric,
    states: Vec<AnyState>,
    /// Of the references and of the source of each segment.
    fingerprints: Vec<(Fingerprint, Option<Fingerprint>)>,
    system: String,
    spec: String,
}

/// Counts every segment separately.
#[pyfunction]
#[pyo3(signature = (engine, hypotheses, references=None, reference_streams=None, sources=None, *, missing=false, system="system", spec="", threads=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
pub(crate) fn observe_each(
    py: Python<'_>,
    engine: &Bound<'_, Engine>,
    hypotheses: &Bound<'_, PyAny>,
    references: Option<&Bound<'_, PyAny>>,
    reference_streams: Option<&Bound<'_, PyAny>>,
    sources: Option<&Bound<'_, PyAny>>,
    missing: bool,
    system: &str,
    spec: &str,
    threads: Option<Count>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Statistics> {
    let engine = engine.get();
    let input = gathered(hypotheses, references, reference_streams, sources, missing)?;
    let panel = engine.panel_for(&input, false)?;
    let metric = metric_of(&panel).or_raise()?.clone();
    let plan = engine.plan(threads, progress)?;
    let counted = |at, state| Ok((state, fingerprints(&input, at)));
    let (states, fingerprints) = map_states(py, &plan, &panel, &input, counted)?.into_iter().unzip();
    Ok(Statistics { metric, states, fingerprints, system: system.to_owned(), spec: spec.to_owned() })
}

/// Of the references and of the source of a segment.
fn fingerprints(input: &Input, at: usize) -> (Fingerprint, Option<Fingerprint>) {
    match input {
        Input::Texts(segments) => {
            let source = segments.sources.as_ref().map(|sources| Fingerprint::of([sources.get(at)]));
            (Fingerprint::of(segments.references.get(at)), source)
        }
        Input::Ids(segments) => {
            let digits = |ids: &&[u32]| ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            let source = segments.sources.as_ref().map(|sources| Fingerprint::of([digits(&sources.get(at))]));
            (Fingerprint::of(segments.references.get(at).iter().map(digits)), source)
        }
    }
}

impl Statistics {
    fn rows(&self) -> PyResult<Rows> {
        rows_of(&self.metric, &self.states).or_raise()
    }

    fn merged<'s>(&self, states: impl IntoIterator<Item = &'s AnyState>) -> PyResult<State> {
        let mut total = AnyState::zero(&self.metric);
        states.into_iter().try_for_each(|state| total.merge(state)).or_raise()?;
        Ok(State { metric: self.metric.clone(), state: total })
    }
}

#[pymethods]
impl Statistics {
    fn __len__(&self) -> usize {
        self.states.len()
    }

    fn __repr__(&self) -> String {
        let (segments, system) = (self.states.len(), &self.system);
        format!("Statistics({segments} segments of {system}, {})", self.metric.state_key())
    }

    /// The name of the system.
    #[getter]
    fn system(&self) -> &str {
        &self.system
    }

    /// All segments together, as a state.
    fn _total(&self) -> PyResult<State> {
        self.merged(&self.states)
    }

    /// The score of all segments together.
    fn score(&self) -> PyResult<Score> {
        self._total()?.score_now().or_raise()
    }

    /// The names of the counts of `rows`.
    fn columns(&self) -> PyResult<Vec<String>> {
        self.metric.require_rows("be written as a row").or_raise()?;
        Ok(column_names(&self.metric))
    }

    /// The counts of each segment.
    #[pyo3(name = "rows")]
    fn rows_python(&self) -> PyResult<Vec<Vec<u64>>> {
        Ok(self.rows()?.iter().map(<[u64]>::to_vec).collect())
    }

    /// The score of the segments of each label: one label per segment.
    fn slices<'py>(&self, py: Python<'py>, labels: Listed<String>) -> PyResult<Bound<'py, PyDict>> {
        let Listed(labels) = labels;
        crate::lists::require_equal("the statistics", self.states.len(), "the labels", labels.len())
            .or_raise()?;
        let dict = PyDict::new(py);
        for (label, segments) in bleuprint::eval::groups(&labels) {
            let states = segments.iter().map(|&segment| &self.states[segment]);
            dict.set_item(label, Py::new(py, self.merged(states)?.score_now().or_raise()?)?)?;
        }
        Ok(dict)
    }

    /// The interval of the score by bootstrap: mean, lower, upper, half_width.
    #[pyo3(signature = (n=Count(1000), seed=Count(12345), precision="sacrebleu", threads=None))]
    fn confidence<'py>(
        &self,
        py: Python<'py>,
        n: Count,
        seed: Count,
        precision: &str,
        threads: Option<Count>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (rows, plan) = (self.rows()?, resampling(n, seed)?);
        let tests = Significance::new(&self.metric, precision_of(precision)?).or_raise()?;
        let interval = run(py, threads, || tests.confidence(&rows, plan))?;
        interval_dict(py, &interval)
    }

    /// Writes a file that `read_statistics` and the program read.
    fn write(&self, path: std::path::PathBuf) -> PyResult<()> {
        let metric = &self.metric;
        let total = self._total()?.state;
        let signature = total.score(metric).or_raise()?.signature.to_string();
        let segment = |(state, &(references, source)): (&AnyState, &(Fingerprint, Option<Fingerprint>))| {
            Ok(StoredSegment {
                references,
                source,
                labels: Vec::new(),
                states: vec![StoredState::of(metric, state)?],
            })
        };
        let segments: Vec<StoredSegment> =
            self.states.iter().zip(&self.fingerprints).map(segment).collect::<Result<_>>().or_raise()?;
        let header = Header {
            format: FORMAT.to_owned(),
            tool: concat!("bleuprint ", env!("CARGO_PKG_VERSION")).to_owned(),
            system: self.system.clone(),
            metrics: vec![StoredMetric::of(&self.spec, metric, signature).or_raise()?],
            labels: Vec::new(),
            each: true,
        };
        let stored = StoredStatistics::new(header, segments, vec![StoredState::of(metric, &total).or_raise()?]);
        stored.write(path).or_raise()
    }
}

/// Reads a file of statistics of one metric, which the engine must be able to continue.
#[pyfunction]
pub(crate) fn read_statistics(engine: &Bound<'_, Engine>, path: std::path::PathBuf) -> PyResult<Statistics> {
    let stored = StoredStatistics::read(&path).or_raise()?;
    let name = path.display();
    let [of_file] = &stored.header.metrics[..] else {
        return Err(value(format!(
            "{name} holds {} metrics, but one is read at a time",
            stored.header.metrics.len()
        )));
    };
    if !stored.header.each {
        return Err(value(format!("{name} holds a total alone, but statistics of each segment are needed")));
    }
    let engine = engine.get();
    let fits = |ids: bool| {
        let panel = engine.panel(ids, false)?;
        let metric = metric_of(&panel).or_raise()?;
        of_file.require_of(metric).or_raise()?;
        Ok::<_, PyErr>(metric.clone())
    };
    let metric = fits(false).or_else(|error| fits(true).map_err(|_| error))?;
    let mut states = Vec::with_capacity(stored.segments.len());
    for segment in &stored.segments {
        let state = segment.states.first().ok_or_else(|| value(format!("{name}: a segment has no state")))?;
        states.push(state.open(&metric).and_then(|state| known(&metric, &state)).or_raise()?);
    }
    let fingerprints = stored.segments.iter().map(|segment| (segment.references, segment.source)).collect();
    Ok(Statistics {
        metric,
        states,
        fingerprints,
        system: stored.header.system.clone(),
        spec: of_file.spec.clone(),
    })
}

fn resampling(count: Count, seed: Count) -> PyResult<Resampling> {
    let count = count.at_most("the number of resamples", MOST_RESAMPLES)?;
    if count == 0 {
        return Err(value("the number of resamples is 0, but must be at least 1"));
    }
    Ok(Resampling { seed: u128::from(seed.0), count })
}

fn precision_of(name: &str) -> PyResult<Precision> {
    match name {
        "sacrebleu" => Ok(Precision::Sacrebleu),
        "exact" => Ok(Precision::Exact),
        _ => Err(value(format!("unknown precision `{name}`; expected one of: sacrebleu, exact"))),
    }
}

fn interval_dict<'py>(
    py: Python<'py>,
    interval: &bleuprint::eval::resample::Interval,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("mean", interval.mean)?;
    dict.set_item("lower", interval.lower)?;
    dict.set_item("upper", interval.upper)?;
    dict.set_item("half_width", interval.half_width)?;
    Ok(dict)
}

/// Resamples in threads of its own. A metric in Python is finalized by any of them.
fn run<R: Send>(
    py: Python<'_>,
    threads: Option<Count>,
    work: impl FnOnce() -> Result<R> + Send,
) -> PyResult<R> {
    let plan = Plan::new(threads, None)?;
    let before = raised();
    let result = py.detach(|| in_threads(Some(plan.threads()), work)).or_raise()?;
    // Resamples in which a metric in Python raised have no score; its exception says more.
    result.map_err(|error| raised_since(before).unwrap_or_else(|| input(&error)))
}

fn same(systems: &[PyRef<'_, Statistics>]) -> PyResult<()> {
    let Some((first, others)) = systems.split_first() else { return Err(value("no systems")) };
    for other in others {
        first.metric.state_key().require_equal(&other.metric.state_key()).or_raise()?;
        if first.states.len() != other.states.len() {
            let (one, two) = (&first.system, &other.system);
            let (left, right) = (first.states.len(), other.states.len());
            return Err(value(format!("{one} has {left} segments, but {two} has {right}")));
        }
        let pairs = (1..).zip(first.fingerprints.iter().zip(&other.fingerprints));
        for (segment, ((references, source), (own, from))) in pairs {
            let sources = source.zip(*from);
            let text = match references == own {
                false => "references",
                true if sources.is_some_and(|(one, two)| one != two) => "source",
                true => continue,
            };
            let (one, two) = (&first.system, &other.system);
            return Err(value(format!("{one} and {two} differ in the {text} of segment {segment}")));
        }
    }
    Ok(())
}

/// Every system against the first. `confidence` is the number of resamples for intervals with randomization.
#[pyfunction]
#[pyo3(signature = (systems, test="bootstrap", n=None, seed=Count(12345), precision="sacrebleu", threads=None, confidence=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
pub(crate) fn paired_test<'py>(
    py: Python<'py>,
    systems: Listed<PyRef<'py, Statistics>>,
    test: &str,
    n: Option<Count>,
    seed: Count,
    precision: &str,
    threads: Option<Count>,
    confidence: Option<Count>,
) -> PyResult<Bound<'py, PyList>> {
    let Listed(systems) = systems;
    same(&systems)?;
    let rows = systems.iter().map(|system| system.rows()).collect::<PyResult<Vec<_>>>()?;
    let rows: Vec<&Rows> = rows.iter().collect();
    let metric = &systems[0].metric;
    let tests = Significance::new(metric, precision_of(precision)?).or_raise()?;
    let tested = match test {
        "bootstrap" if confidence.is_some() => {
            return Err(value("confidence is for randomization: the bootstrap has intervals of its own"));
        }
        "bootstrap" => {
            let plan = resampling(n.unwrap_or(Count(Resampling::RESAMPLES as u64)), seed)?;
            run(py, threads, || tests.paired_bootstrap(&rows, plan))?
        }
        "randomization" => {
            let plan = resampling(n.unwrap_or(Count(Resampling::TRIALS as u64)), seed)?;
            let resamples = confidence.map(|count| resampling(count, seed)).transpose()?;
            run(py, threads, || match resamples {
                Some(resamples) => tests.paired_randomization_with_intervals(&rows, plan, resamples.count),
                None => tests.paired_randomization(&rows, plan),
            })?
        }
        _ => return Err(value(format!("unknown test `{test}`; expected one of: bootstrap, randomization"))),
    };
    let list = PyList::empty(py);
    for (tested, system) in tested.iter().zip(&systems) {
        let dict = PyDict::new(py);
        dict.set_item("system", &system.system)?;
        dict.set_item("score", tested.score)?;
        dict.set_item("p_value", tested.p_value)?;
        dict.set_item("interval", tested.interval.map(|interval| interval_dict(py, &interval)).transpose()?)?;
        list.append(dict)?;
    }
    Ok(list)
}

/// The mean of sorted numbers in NumPy's order of addition, and half the width of the middle 95 %.
#[pyfunction]
pub(crate) fn paired_interval(scores: Listed<f64>) -> (f64, f64) {
    let interval = Scores::Double(scores.0).paired_interval();
    (interval.mean, interval.half_width)
}

/// Every pair of systems, as JSON.
#[pyfunction]
#[pyo3(signature = (systems, test="bootstrap", n=None, seed=Count(12345), significance=None, threads=None))]
pub(crate) fn compare_all(
    py: Python<'_>,
    systems: Listed<PyRef<'_, Statistics>>,
    test: &str,
    n: Option<Count>,
    seed: Count,
    significance: Option<f64>,
    threads: Option<Count>,
) -> PyResult<String> {
    let Listed(systems) = systems;
    same(&systems)?;
    let rows = systems.iter().map(|system| system.rows()).collect::<PyResult<Vec<_>>>()?;
    let rows: Vec<&Rows> = rows.iter().collect();
    let metric = &systems[0].metric;
    let (test, default) = match test {
        "bootstrap" => (Test::Bootstrap, Resampling::RESAMPLES),
        "randomization" => (Test::Randomization, Resampling::TRIALS),
        _ => return Err(value(format!("unknown test `{test}`; expected one of: bootstrap, randomization"))),
    };
    let mut power = Power::default();
    if let Some(significance) = significance {
        if !(significance > 0.0 && significance < 1.0) {
            return Err(value(format!("significance is {significance}, but must lie between 0 and 1")));
        }
        power.significance = significance;
    }
    let design = Design {
        test,
        plan: resampling(n.unwrap_or(Count(default as u64)), seed)?,
        higher_is_better: metric.scale().direction == Direction::HigherIsBetter,
        power,
    };
    let tests = Significance::new(metric, Precision::Exact).or_raise()?;
    let matrix = run(py, threads, || tests.compare_all(&rows, design))?;
    serde_json::to_string(&matrix).map_err(value)
}
