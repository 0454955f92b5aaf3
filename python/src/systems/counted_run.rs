//! `Run`: the per-segment statistics of several systems on the same segments, under several metrics.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use bleuprint::eval::evaluation;
use bleuprint::eval::store::AtomicFile;
use bleuprint::inference::ResamplePlan as Resampling;
use bleuprint::page::{PageRequest, page_of};
use bleuprint::report::page::{self, SIGNIFICANT};
use bleuprint::{AnyScore, Metric as _, Result, Scored};
use bleuprint_core::counted;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{OrRaise as _, new_file, value, warn};
use crate::metric::score::PyScore;
use crate::registry::registry;
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::systems::show::shown;
use crate::systems::statistics::{PyStatistics, labels_dict};
use crate::systems::testing::{
    TestArguments, compared, correction_of, intervals, metric_at, names_of, paired, resampling,
};
use crate::systems::unpaired::unit_column;
use crate::values::count::{ListedItems, WholeNumber};

/// Statistics of every segment of several systems under several metrics. A run gives scores, scores of
/// groups, significance tests, comparisons, reports and files.
///
/// `Evaluation.run` creates a run, and `Run.read` reads one from statistics files. Methods with a `metric`
/// argument need it only if the run has several metrics.
#[pyclass(frozen, module = "bleuprint", name = "Run")]
pub(crate) struct PyRun {
    pub(crate) run: evaluation::Run,
    systems: Vec<String>,
    names: Vec<String>,
    /// Metrics written in Python. The per-segment states hold only weak references to them, so the run keeps
    /// them alive.
    _owners: Vec<Py<PyAny>>,
}

impl PyRun {
    /// Creates a run from its statistics, the names of its metrics, and the Python objects of metrics written
    /// in Python.
    pub(crate) fn new(run: evaluation::Run, names: Vec<String>, owners: Vec<Py<PyAny>>) -> Self {
        PyRun { systems: run.systems().to_vec(), run, names, _owners: owners }
    }

    pub(crate) fn of_systems(run: evaluation::Run, systems: Option<Vec<String>>) -> Self {
        let names = names_of(&run.specs);
        let own = PyRun::new(run, names, Vec::new());
        PyRun { systems: systems.unwrap_or_else(|| own.systems.clone()), ..own }
    }

    /// Returns the run if `unit` is `None`, otherwise a copy of the run that resamples units: segments with
    /// equal values of the label `unit` are one unit.
    fn drawn(&self, unit: Option<&str>) -> PyResult<Cow<'_, evaluation::Run>> {
        match unit {
            None => Ok(Cow::Borrowed(&self.run)),
            unit => self.run.clone().by_unit(unit).map(Cow::Owned).or_raise(),
        }
    }

    /// Returns the run and the names of its metrics. With `wanted`, each metric is replaced by one metric for
    /// each wanted number of its score, such as precision and recall. The first headline number keeps the
    /// metric's name.
    fn headlined(
        &self,
        wanted: Option<ListedItems<String>>,
    ) -> PyResult<(Cow<'_, evaluation::Run>, Cow<'_, [String]>)> {
        let Some(wanted) = wanted else { return Ok((Cow::Borrowed(&self.run), Cow::Borrowed(&self.names))) };
        let run = self.run.clone().headlined(&wanted.0).or_raise()?;
        let (specs, own) = (names_of(&self.run.specs), self.run.metrics());
        let (mut names, mut place) = (Vec::new(), 0);
        // The numbers of one metric follow each other, in the order of the metrics.
        for (metric, spec) in run.metrics().iter().zip(names_of(&run.specs)) {
            while place + 1 < own.len()
                && (specs[place] != spec || own[place].state_key() != metric.state_key())
            {
                place += 1;
            }
            let name = &self.names[place];
            names.push(metric.headline().map_or_else(|| name.clone(), |chosen| format!("{name} {chosen}")));
        }
        Ok((Cow::Owned(run), Cow::Owned(names)))
    }

    fn dict<'py>(
        &self,
        py: Python<'py>,
        of_systems: impl IntoIterator<Item = impl IntoIterator<Item = Result<Scored<AnyScore>>>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (system, scores) in self.run.systems().iter().zip(of_systems) {
            let of_system = PyDict::new(py);
            let metrics = self.names.iter().zip(self.run.metrics());
            for ((name, metric), scored) in metrics.zip(scores) {
                of_system.set_item(name, Py::new(py, PyScore::of_row(metric, scored)?)?)?;
            }
            dict.set_item(system, of_system)?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl PyRun {
    /// Reads one statistics file for each system, as written by `write`. All files must have the same
    /// segments and metrics.
    #[staticmethod]
    fn read(py: Python<'_>, paths: ListedItems<PathBuf>) -> PyResult<Self> {
        let text = |path: &PathBuf| {
            path.to_str().map(str::to_owned).ok_or_else(|| value(format!("{} is no text", path.display())))
        };
        let paths = paths.0.iter().map(text).collect::<PyResult<Vec<_>>>()?;
        let run = evaluation::Run::read(&registry(), &paths).or_raise()?;
        run.notes().iter().try_for_each(|note| warn(py, note))?;
        let mut names = names_of(&run.specs);
        // A metric may occur twice with different tokens that its name leaves out; the keys then tell them
        // apart.
        if (1..names.len()).any(|at| names[..at].contains(&names[at])) {
            names = run.metrics().iter().map(|metric| metric.state_key().to_string()).collect();
        }
        Ok(PyRun::new(run, names, Vec::new()))
    }

    fn __len__(&self) -> usize {
        self.run.len()
    }

    fn __repr__(&self) -> String {
        let systems = self.run.systems().join(", ");
        let metrics = self.names.join(", ");
        format!("Run({} of {systems} under {metrics})", counted(self.run.len(), "segment"))
    }

    /// Returns the names of the systems.
    #[getter]
    fn systems(&self) -> Vec<String> {
        self.run.systems().to_vec()
    }

    /// Returns the metrics as you wrote them, with their options.
    #[getter]
    fn metrics(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Returns the labels of the segments as a dict: each label name has a list with one value per segment.
    /// The label `length` is the number of tokens of the first reference.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        labels_dict(py, &self.run.labels)
    }

    /// Returns the label whose segments are resampled as one unit, or None if single segments are resampled: the
    /// item if items have several samples, else the document if segments have one.
    #[getter]
    fn unit(&self) -> Option<&str> {
        self.run.unit()
    }

    /// Returns what the readers left out of the data, or added to it, each as a sentence.
    #[getter]
    fn left_out(&self) -> Vec<String> {
        self.run.facts().left_out.iter().map(ToString::to_string).collect()
    }

    /// Returns the score of each system under each metric as nested dicts: `scores()[system][metric]`.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores = self.run.scores().or_raise()?;
        self.dict(py, scores.into_iter().map(|of_system| of_system.into_iter().map(Ok)))
    }

    /// Groups the segments by the value of a label and returns the scores of each group:
    /// `groups(label)[value][system][metric]`. The label `length` is grouped in steps of ten tokens.
    fn groups<'py>(&self, py: Python<'py>, label: &str) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for group in self.run.by(label).or_raise()? {
            dict.set_item(group.label, self.dict(py, group.scores)?)?;
        }
        Ok(dict)
    }

    /// Returns the score of each segment for one system and metric. Either argument can be omitted if the run
    /// has only one system or metric.
    #[pyo3(signature = (system=None, metric=None))]
    fn sentence_scores(&self, system: Option<&str>, metric: Option<&str>) -> PyResult<Vec<PyScore>> {
        let known = self.run.systems();
        let place = match system {
            None if known.len() == 1 => Some(0),
            None => return Err(value(format!("which system? There are: {}", known.join(", ")))),
            Some(system) => known.iter().position(|name| name == system),
        };
        let place = place.ok_or_else(|| {
            value(format!(
                "the run has no system `{}`; it has: {}",
                system.unwrap_or_default(),
                known.join(", ")
            ))
        })?;
        let at = metric_at(&self.names, metric)?;
        let metric = &self.run.metrics()[at];
        let scores = self.run.sentence_scores(at, place);
        scores.into_iter().map(|scored| PyScore::of_row(metric, scored)).collect()
    }

    /// Returns the bootstrap interval of each system's score (`mean`, `lower`, `upper`, `half_width`), or
    /// None if the score has no interval. `unit` is as in `compare`.
    #[pyo3(signature = (metric=None, *, n=WholeNumber(1000), seed=WholeNumber(12345), precision="sacrebleu", unit=None, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn confidence<'py>(
        &self,
        py: Python<'py>,
        metric: Option<&str>,
        n: WholeNumber,
        seed: WholeNumber,
        precision: &str,
        unit: Option<&str>,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let metric = metric_at(&self.names, metric)?;
        let plan = WatchPlan::new(threads, progress)?;
        let run = self.drawn(unit)?;
        let intervals = intervals(py, &run, metric, (n, seed), precision, &plan)?;
        let dict = PyDict::new(py);
        let mut named = self.run.systems().iter().zip(intervals);
        named.try_for_each(|(system, interval)| dict.set_item(system, interval))?;
        shown(py, "Intervals", (dict,))
    }

    /// Tests each system against the first, and returns score, interval and p-value. The arguments are the
    /// same as for `bleuprint.paired_test`; `unit` is as in `compare`.
    #[pyo3(signature = (metric=None, *, test="bootstrap", n=None, seed=WholeNumber(12345), precision="sacrebleu", confidence=None, unit=None, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn paired<'py>(
        &self,
        py: Python<'py>,
        metric: Option<&str>,
        test: &str,
        n: Option<WholeNumber>,
        seed: WholeNumber,
        precision: &str,
        confidence: Option<WholeNumber>,
        unit: Option<&str>,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let metric = metric_at(&self.names, metric)?;
        let run = self.drawn(unit)?;
        paired(
            py,
            &run,
            metric,
            &TestArguments { test: Some(test), n, seed, plan: WatchPlan::new(threads, progress)? },
            precision,
            confidence,
        )
    }

    /// Compares every pair of systems under each metric. Returns a dict from metric name to scores,
    /// differences with intervals and p-values, and ranks. For two systems it adds the segments, the groups
    /// of each label in `by`, and up to `most` n-grams for each system that explain the difference.
    ///
    /// `test` is `bootstrap` or `randomization`. By default the metric determines the test:
    ///
    /// - a rate: Tango's interval and McNemar's test;
    /// - a mean over units: the t interval of the ratio estimator;
    /// - a set: randomization;
    /// - any other score: the bootstrap.
    ///
    /// `unit` names the label of units that are resampled as a whole, such as documents, or is `segment`. The
    /// default is the item if items have several samples, else the document if segments have one, else the
    /// segment. Each group of two systems is tested, and its p-value is corrected for all groups of its label:
    /// by `holm`, the default, or by `bh` for Benjamini and Hochberg. `headline`
    /// names the numbers to compare instead of the main score of each metric: headline numbers or details
    /// such as `bp`, or `all` for all headline numbers.
    #[pyo3(signature = (*, by=None, headline=None, test=None, n=None, seed=WholeNumber(12345), significance=None, unit=None, correction=None, most=WholeNumber(10), threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        by: Option<ListedItems<String>>,
        headline: Option<ListedItems<String>>,
        test: Option<&str>,
        n: Option<WholeNumber>,
        seed: WholeNumber,
        significance: Option<f64>,
        unit: Option<String>,
        correction: Option<&str>,
        most: WholeNumber,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let by = by.map(|by| by.0).unwrap_or_default();
        let most = most.at_most("most", usize::MAX)?;
        let request = TestArguments { test, n, seed, plan: WatchPlan::new(threads, progress)? };
        let correction = correction_of(correction, &by, self.systems.len())?;
        let groups = (by, correction, most);
        let (run, names) = self.headlined(headline)?;
        compared(py, &run, (&self.systems, &names), &request, significance, unit, groups)
    }

    /// Writes the statistics of a run with one system to a file that `Run.read`, `Metric.read_statistics` and
    /// the command-line program can read. An existing file is replaced only with `overwrite=True`.
    #[pyo3(signature = (path, *, overwrite=false))]
    fn write(&self, path: PathBuf, overwrite: bool) -> PyResult<()> {
        self.run.write(new_file(path, overwrite)?).or_raise()
    }

    /// Writes an HTML report as one file that a browser opens from disk. Without a path, returns the report,
    /// which notebooks display.
    ///
    /// `by` lists the labels to group segments by, by default all. `headline` names the numbers to show, and
    /// `unit` the units to resample, as in `compare`. `sample` is the number of segments whose texts are included. `n` and `seed` are the
    /// number of resamples and their seed. An existing file that is not a report is replaced only with
    /// `overwrite=True`.
    #[pyo3(signature = (path=None, *, title=None, by=None, headline=None, n=None, seed=WholeNumber(12345), unit=None, sample=None, texts=true, compress=false, overwrite=false, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn report<'py>(
        &self,
        py: Python<'py>,
        path: Option<PathBuf>,
        title: Option<String>,
        by: Option<ListedItems<String>>,
        headline: Option<ListedItems<String>>,
        n: Option<WholeNumber>,
        seed: WholeNumber,
        unit: Option<&str>,
        sample: Option<WholeNumber>,
        texts: bool,
        compress: bool,
        overwrite: bool,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        // A report can be made again, but another file may be lost. The mark of a report is in its first
        // bytes, so the file is not read in full.
        if let Some(path) = path.as_ref().filter(|path| !overwrite && path.exists()) {
            let mut head = Vec::new();
            File::open(path)?.take(4096).read_to_end(&mut head)?;
            if !page::is_report(&String::from_utf8_lossy(&head)) {
                let path = path.display();
                return Err(value(format!(
                    "{path} is there already and is no report: overwrite=True replaces it"
                )));
            }
        }
        // With more pairs Holm's correction needs smaller p-values, which takes more resamples.
        let enough =
            Resampling::count_for_pairs(Resampling::RESAMPLES, self.run.systems().len(), SIGNIFICANT);
        let default = PageRequest::default();
        let request = PageRequest {
            title: title.unwrap_or(default.title),
            by: by.map(|by| by.0).unwrap_or_default(),
            plan: Some(resampling(n.unwrap_or(WholeNumber(enough as u64)), seed)?),
            sample: sample.map(|sample| sample.at_most("sample", usize::MAX)).transpose()?,
            texts,
            ..PageRequest::default()
        };
        let (run, _) = self.headlined(headline)?;
        let run = match unit {
            None => run,
            unit => Cow::Owned(run.into_owned().by_unit(unit).or_raise()?),
        };
        let page = whole(py, &WatchPlan::new(threads, progress)?, |_| page_of(&run, &request))?;
        let text = if compress { page::compressed_html(&page) } else { page::html(&page) };
        let Some(path) = path else { return shown(py, "Page", (text,)).map(Some) };
        let mut file = AtomicFile::create(&path).or_raise()?;
        file.write_all(text.as_bytes())?;
        file.commit().or_raise()?;
        Ok(None)
    }

    /// Returns the scores as an Arrow table for data frames, with one row for each system. With
    /// `segments=True` it has one row for each segment of each system, with the segment's labels.
    #[pyo3(signature = (*, segments=false))]
    fn to_arrow<'py>(slf: &Bound<'py, Self>, segments: bool) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "run_frame", (slf, segments))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "run_html", (slf,))
    }
}

/// Combines the statistics of several systems on the same segments into one `Run`. Segments are paired by
/// their ids if all systems have ids, else by their places. `names` replaces the systems' names. `units` has a
/// value for each segment of the first system, stored as the label `unit`: segments with equal values are
/// resampled together.
#[pyfunction]
pub(crate) fn join(
    py: Python<'_>,
    systems: ListedItems<PyRef<'_, PyStatistics>>,
    names: Option<Vec<String>>,
    units: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyRun> {
    let mut run = evaluation::Run::join(systems.0.iter().map(|system| &system.run)).or_raise()?;
    run.notes().iter().try_for_each(|note| warn(py, note))?;
    if let Some(column) = units {
        let values = unit_column(column, "unit", "every system", run.len())?;
        let values = values.into_iter().map(|unit| vec![Some(unit)]).collect();
        run = run.with_labels(evaluation::RunLabels { names: vec!["unit".to_owned()], values }).or_raise()?;
    }
    Ok(PyRun::of_systems(run, names))
}
