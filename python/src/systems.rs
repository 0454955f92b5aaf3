//! `Run`: the statistics of several systems on the same segments, under several metrics.

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

use crate::count::{ListedItems, WholeNumber};
use crate::errors::{OrRaise as _, new_file, value};
use crate::registry::registry;
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::score::PyScore;
use crate::show::shown;
use crate::statistics::labels_dict;
use crate::testing::{
    TestArguments, compared, correction_of, intervals, metric_at, names_of, paired, resampling,
};

/// The statistics of every segment of several systems under several metrics: scores, groups, tests, comparisons, reports and
/// files.
///
/// Made by `Evaluation.run`, or read from files of statistics by `Run.read`. The name of the metric may be left out
/// if there is only one.
#[pyclass(frozen, module = "bleuprint", name = "Run")]
pub(crate) struct PyRun {
    pub(crate) run: evaluation::Run,
    systems: Vec<String>,
    names: Vec<String>,
    /// The label of segments that depend on each other, if the data say so.
    unit: Option<String>,
    /// The metrics in Python, which states do not keep alive.
    _owners: Vec<Py<PyAny>>,
}

impl PyRun {
    /// `names` are those of the metrics.
    pub(crate) fn new(run: evaluation::Run, names: Vec<String>, owners: Vec<Py<PyAny>>) -> Self {
        PyRun { systems: run.systems().to_vec(), run, names, unit: None, _owners: owners }
    }

    pub(crate) fn of_systems(run: evaluation::Run, systems: Option<Vec<String>>) -> Self {
        let names = names_of(&run.specs);
        let own = PyRun::new(run, names, Vec::new());
        PyRun { systems: systems.unwrap_or_else(|| own.systems.clone()), ..own }
    }

    pub(crate) fn by_unit(self, unit: Option<String>) -> Self {
        PyRun { unit, ..self }
    }

    fn dict<'py>(
        &self,
        py: Python<'py>,
        of_systems: impl IntoIterator<Item = impl IntoIterator<Item = Result<Scored<AnyScore>>>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (system, scores) in self.run.systems().iter().zip(of_systems) {
            let of_system = PyDict::new(py);
            for (name, score) in self.names.iter().zip(scores) {
                of_system.set_item(name, Py::new(py, PyScore::new(score.or_raise()?))?)?;
            }
            dict.set_item(system, of_system)?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl PyRun {
    /// Reads files of statistics, one per system, of the same segments and metrics.
    #[staticmethod]
    fn read(paths: ListedItems<PathBuf>) -> PyResult<Self> {
        let text = |path: &PathBuf| {
            path.to_str().map(str::to_owned).ok_or_else(|| value(format!("{} is no text", path.display())))
        };
        let paths = paths.0.iter().map(text).collect::<PyResult<Vec<_>>>()?;
        let run = evaluation::Run::read(&registry(), &paths).or_raise()?;
        let mut names = names_of(&run.specs);
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

    /// The names of the systems.
    #[getter]
    fn systems(&self) -> Vec<String> {
        self.run.systems().to_vec()
    }

    /// The metrics, each as it was asked for.
    #[getter]
    fn metrics(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The labels of the segments by name; `length` is that of the first reference in tokens.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        labels_dict(py, &self.run.labels)
    }

    /// The score of each system under each metric: `scores()[system][metric]`.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores = self.run.scores().or_raise()?;
        self.dict(py, scores.into_iter().map(|of_system| of_system.into_iter().map(Ok)))
    }

    /// The scores of the segments of each value of a label, lengths in tens: `groups(label)[value][system][metric]`.
    fn groups<'py>(&self, py: Python<'py>, label: &str) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for group in self.run.by(label).or_raise()? {
            dict.set_item(group.label, self.dict(py, group.scores)?)?;
        }
        Ok(dict)
    }

    /// The score of each segment of a system.
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
        let scores = self.run.sentence_scores(metric_at(&self.names, metric)?, place);
        scores.into_iter().map(|score| score.map(PyScore::new).or_raise()).collect()
    }

    /// The bootstrap interval of each system's score: mean, lower, upper, half_width.
    #[pyo3(signature = (metric=None, *, n=WholeNumber(1000), seed=WholeNumber(12345), precision="sacrebleu", threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn confidence<'py>(
        &self,
        py: Python<'py>,
        metric: Option<&str>,
        n: WholeNumber,
        seed: WholeNumber,
        precision: &str,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let metric = metric_at(&self.names, metric)?;
        let plan = WatchPlan::new(threads, progress)?;
        let intervals = intervals(py, &self.run, metric, (n, seed), precision, &plan)?;
        let dict = PyDict::new(py);
        let mut named = self.run.systems().iter().zip(intervals);
        named.try_for_each(|(system, interval)| dict.set_item(system, interval))?;
        shown(py, "Intervals", (dict,))
    }

    /// The paired test of each system against the first; the arguments are those of `bleuprint.paired_test`.
    #[pyo3(signature = (metric=None, *, test="bootstrap", n=None, seed=WholeNumber(12345), precision="sacrebleu", confidence=None, threads=None, progress=None))]
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
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let metric = metric_at(&self.names, metric)?;
        paired(
            py,
            &self.run,
            metric,
            &TestArguments { test: Some(test), n, seed, plan: WatchPlan::new(threads, progress)? },
            precision,
            confidence,
        )
    }

    /// Every pair of systems under each metric, by the metric's name: scores, pairs with intervals and p-values, ranks; of two
    /// systems also segments, groups of the labels `by`, and up to `most` n-grams for each, with their part of the difference.
    /// `test` is `bootstrap` or `randomization`; by default it follows from the metric: a rate has Tango's interval and McNemar's test, a
    /// mean over units the t interval of the ratio estimator, a set the randomization, any other score the bootstrap. `unit` is the label of units that are drawn as a whole, such as documents; logs with several samples of an item have the item.
    /// With `correction` (`holm`, or `bh` for Benjamini and Hochberg) each group has a test, corrected for all groups of its label.
    #[pyo3(signature = (*, by=None, test=None, n=None, seed=WholeNumber(12345), significance=None, unit=None, correction=None, most=WholeNumber(10), threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        by: Option<ListedItems<String>>,
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
        let unit = unit.or_else(|| self.unit.clone());
        let groups = (by, correction_of(correction, self.systems.len())?, most);
        compared(py, &self.run, (&self.systems, &self.names), &request, significance, unit, groups)
    }

    /// Writes the statistics of the only system to a file, which `Run.read`, `Metric.read_statistics` and the program read. A file
    /// that is there is replaced only with `overwrite`.
    #[pyo3(signature = (path, *, overwrite=false))]
    fn write(&self, path: PathBuf, overwrite: bool) -> PyResult<()> {
        self.run.write(new_file(path, overwrite)?).or_raise()
    }

    /// Writes the report: one HTML page that opens from disk. Without a path the page is returned, which notebooks show. `by` are the labels shown as groups, by default all; `sample` is the
    /// number of segments that keep their texts; `n` and `seed` are those of the resamples. A file that is no report is not
    /// replaced unless `overwrite` is given.
    #[pyo3(signature = (path=None, *, title=None, by=None, n=None, seed=WholeNumber(12345), sample=None, texts=true, compress=false, overwrite=false, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn report<'py>(
        &self,
        py: Python<'py>,
        path: Option<PathBuf>,
        title: Option<String>,
        by: Option<ListedItems<String>>,
        n: Option<WholeNumber>,
        seed: WholeNumber,
        sample: Option<WholeNumber>,
        texts: bool,
        compress: bool,
        overwrite: bool,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
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
        let page = whole(py, &WatchPlan::new(threads, progress)?, |_| page_of(&self.run, &request))?;
        let text = if compress { page::compressed_html(&page) } else { page::html(&page) };
        let Some(path) = path else { return shown(py, "Page", (text,)).map(Some) };
        let mut file = AtomicFile::create(&path).or_raise()?;
        file.write_all(text.as_bytes())?;
        file.commit().or_raise()?;
        Ok(None)
    }

    /// The scores as a table of Arrow, for data frames: a row for each system, or with `segments` for each segment of each system,
    /// with its labels.
    #[pyo3(signature = (*, segments=false))]
    fn to_arrow<'py>(slf: &Bound<'py, Self>, segments: bool) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "run_frame", (slf, segments))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "run_html", (slf,))
    }
}
