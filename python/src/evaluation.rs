//! `Evaluation` and `Run`: several systems on the same segments under several metrics.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use bleuprint::eval::evaluation::{self, Labels, TextCorpus, TextSegment};
use bleuprint::eval::store::AtomicFile;
use bleuprint::eval::{ChosenTokens, Panel, Request};
use bleuprint::inference::{Interrupt, Plan as Resampling};
use bleuprint::page::{PageRequest, page_of};
use bleuprint::report::page::{self, SIGNIFICANT};
use bleuprint::text::read::EmptyReferences;
use bleuprint::{AnyMetric, AnyScore, Metric as _, Result, Scored, contract::MetricSpec};
use bleuprint_core::counted;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::count::{Count, Listed};
use crate::data::Data;
use crate::engine::{Engine, texts, warn_of_emptied};
use crate::errors::{OrRaise as _, new_file, type_error, value};
use crate::lists::{Input, require_equal};
use crate::observe::{map_states, second_pass, total};
use crate::own::Form;
use crate::registry::{registry, tokenizers};
use crate::run::{Plan, Progress, whole};
use crate::score::Score;
use crate::show::shown;
use crate::source::Tokens;
use crate::state::State;
use crate::statistics::{Statistics, fingerprints, labels_dict};
use crate::testing::{
    TestRequest, compared, correction_of, intervals, metric_at, names_of, paired, precision_of, resampling,
};

/// Metrics over tokens.
#[pyclass(frozen, module = "bleuprint._native")]
pub(crate) struct Evaluation {
    names: Vec<String>,
    specs: Vec<MetricSpec>,
    /// Of each metric, and if it is over the chosen tokens: metrics given as objects have their own.
    engines: Vec<(Py<Engine>, bool)>,
    /// Over text; none if ids were announced, and for a metric alone.
    panel: Option<Arc<Panel>>,
    /// None for a metric alone.
    chosen: Option<ChosenTokens>,
    /// If a metric is written in Python: the interpreter runs one thread at a time.
    single: bool,
}

#[pymethods]
impl Evaluation {
    /// A metric alone, over tokens of its own.
    #[staticmethod]
    fn of_engine(engine: &Bound<'_, Engine>) -> PyResult<Self> {
        let specs = vec![engine.get().spec()?];
        let single = engine.get().is_python();
        let engines = vec![(engine.clone().unbind(), false)];
        Ok(Evaluation { names: names_of(&specs), specs, engines, panel: None, chosen: None, single })
    }

    /// `metrics`: names with options, and engines. With a `space` the data are ids.
    #[new]
    #[pyo3(signature = (metrics, tokenize=None, lowercase=None, model=None, dictionary=None, norm=None, space=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn new(
        py: Python<'_>,
        metrics: Listed<Bound<'_, PyAny>>,
        tokenize: Option<String>,
        lowercase: Option<bool>,
        model: Option<String>,
        dictionary: Option<String>,
        norm: Option<String>,
        space: Option<String>,
    ) -> PyResult<Self> {
        let mut over_ids = space.is_some();
        let tokens = Tokens::named(tokenize, lowercase, norm, [model, dictionary], space);
        let chosen = tokens.text.choose(&tokenizers()).or_raise()?;
        let (mut names, mut specs, mut engines) = (Vec::new(), Vec::new(), Vec::new());
        let mut single = false;
        for metric in metrics.0 {
            if let Ok(engine) = metric.cast::<Engine>() {
                specs.push(engine.get().spec()?);
                names.extend(names_of(&specs[specs.len() - 1..]));
                single |= engine.get().is_python();
                over_ids |= engine.get().is_python() && engine.get().over_ids();
                engines.push((engine.clone().unbind(), false));
                continue;
            }
            let given = metric.extract::<String>()?;
            for name in registry().expand(&given) {
                specs.push(registry().parse(&name).or_raise()?);
                engines.push((Py::new(py, Engine::named(&name, &[], tokens.clone())?)?, true));
                names.push(name);
            }
        }
        if specs.is_empty() {
            return Err(value("there are no metrics"));
        }
        if let Some(at) = (1..specs.len()).find(|&at| specs[..at].contains(&specs[at])) {
            return Err(value(format!("the metric `{}` is given twice", names[at])));
        }
        let chosen = Some(chosen);
        let mut evaluation = Evaluation { names, specs, engines, panel: None, chosen, single };
        evaluation.require_one_form()?;
        // Errors of configuration are raised now, not with the first data.
        if over_ids {
            evaluation.panel_for(true, false)?;
        } else {
            evaluation.panel = Some(evaluation.panel_for(false, false)?);
        }
        Ok(evaluation)
    }

    /// The state of each metric, of all segments together. Without `once` the data are a part of a corpus, which does not
    /// determine the weights of the whole: nothing is learned.
    #[pyo3(signature = (data, *, once=true, threads=None, progress=None))]
    fn observe(
        &self,
        py: Python<'_>,
        data: &Data,
        once: bool,
        threads: Option<Count>,
        progress: Option<Progress>,
    ) -> PyResult<Vec<State>> {
        let plan = self.plan(threads, progress)?;
        let mut panel = self.panel_of(data, false)?;
        if once {
            panel = second_pass(py, &plan, panel, &data.input)?;
        } else if panel.first_pass().is_some() {
            let names = self.names.join(", ");
            return Err(value(format!(
                "{names} learns from all references first, so it takes no batches: `metric.learn(references)` makes a metric \
                 that does"
            )));
        }
        let total = total(py, &plan, &panel, &data.input)?;
        warn_of_emptied(py, &panel)?;
        let states = panel.states(&total).or_raise()?;
        let metrics = panel.metrics().cloned();
        Ok(metrics.zip(states).map(|(metric, state)| State { metric, state }).collect())
    }

    /// The scores of each segment alone, a list for each metric.
    #[pyo3(signature = (data, *, threads=None, progress=None))]
    fn sentences(
        &self,
        py: Python<'_>,
        data: &Data,
        threads: Option<Count>,
        progress: Option<Progress>,
    ) -> PyResult<Vec<Vec<Score>>> {
        let plan = self.plan(threads, progress)?;
        let panel = second_pass(py, &plan, self.panel_of(data, true)?, &data.input)?;
        let scores = map_states(py, &plan, &panel, &data.input, |_, state| panel.scores(&state))?;
        warn_of_emptied(py, &panel)?;
        let mut of_metrics: Vec<Vec<Score>> = self.specs.iter().map(|_| Vec::new()).collect();
        for segment in scores {
            of_metrics.iter_mut().zip(segment).for_each(|(scores, score)| scores.push(Score::new(score)));
        }
        Ok(of_metrics)
    }

    #[getter(form)]
    fn python_form(&self) -> PyResult<Option<Form>> {
        self.form()
    }

    fn infos<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.engines.iter().map(|(engine, _)| engine.get().info(py)).collect()
    }

    /// The statistics of every segment, for each metric; `owners` are those given as objects, in order.
    #[pyo3(signature = (owners, data, *, system="system", threads=None, progress=None))]
    fn statistics(
        &self,
        py: Python<'_>,
        owners: Vec<Py<PyAny>>,
        data: &Data,
        system: &str,
        threads: Option<Count>,
        progress: Option<Progress>,
    ) -> PyResult<Vec<Statistics>> {
        let plan = self.plan(threads, progress)?;
        let panel = second_pass(py, &plan, self.panel_of(data, false)?, &data.input)?;
        let counted = map_states(py, &plan, &panel, &data.input, |_, state| panel.states(&state))?;
        let fingerprints = fingerprints(py, data)?;
        warn_of_emptied(py, &panel)?;
        let mut of_metrics: Vec<Vec<_>> = self.specs.iter().map(|_| Vec::new()).collect();
        for (states, of_segment) in counted.into_iter().zip(fingerprints) {
            let each = of_metrics.iter_mut().zip(states);
            each.for_each(|(segments, state)| segments.push((state, of_segment)));
        }
        let mut owners = owners.into_iter();
        let metrics = panel.metrics().zip(&self.specs).zip(of_metrics).zip(&self.engines);
        let statistics = metrics.map(|(((metric, spec), states), (_, chosen))| {
            let owner = if *chosen { None } else { owners.next() };
            let run = evaluation::Run::of_states(system, spec.clone(), metric.clone(), states).or_raise()?;
            Ok(Statistics::of_run(run).owned_by(owner))
        });
        statistics.collect()
    }

    #[getter]
    fn metrics(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The data are those of the first of the `systems`; `outputs` are the texts of the others.
    #[pyo3(signature = (systems, data, outputs, labels=None, *, sample_weight=None, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn run(
        &self,
        py: Python<'_>,
        systems: Vec<String>,
        data: &Data,
        outputs: Listed<Bound<'_, PyAny>>,
        labels: Option<Listed<(String, Listed<Option<String>>)>>,
        sample_weight: Option<Listed<u64>>,
        threads: Option<Count>,
        progress: Option<Progress>,
    ) -> PyResult<Run> {
        let form = self.form()?;
        let mut corpus = match (&data.input, &form) {
            (Input::Own(data), Some(form)) => form.corpus(systems, data, &outputs.0)?,
            _ => corpus_of(systems, data, &outputs.0)?,
        };
        for (name, Listed(values)) in labels.map(|labels| labels.0).unwrap_or_default() {
            corpus.add_label(&name, values.iter().map(|value| value.as_deref().unwrap_or(""))).or_raise()?;
        }
        if let Some(Listed(weights)) = sample_weight {
            corpus.set_weights(weights).or_raise()?;
        }
        let over_text = self.panel.as_ref().zip(self.chosen.as_ref());
        let (panel, chosen) =
            over_text.ok_or_else(|| type_error("a run is over text, but these metrics are over ids"))?;
        let tokenizer = chosen.tokenizer();
        if !data.is_of_objects() && form.is_none() {
            corpus.add_lengths(tokenizer).or_raise()?;
        }
        let metrics = match form {
            Some(_) => {
                let own = panel.metrics().cloned().enumerate().collect();
                evaluation::Metrics { own, ..Panel::join([]).into() }
            }
            None => Panel::clone(panel).into(),
        };
        let evaluation = evaluation::Evaluation::new(self.specs.clone(), metrics, tokenizer.clone());
        let plan = self.plan(threads, progress)?;
        let mut run = whole(py, &plan, |_| {
            let work = Interrupt::of_thread();
            work.expect(corpus.segments.len());
            evaluation.run_with(corpus, |_, _| work.advance(1))
        })?;
        if data.is_of_objects() {
            run.fingerprints = fingerprints(py, data)?;
            // The names of objects mean nothing beyond this call.
            run.texts = None;
        }
        let owners = self.engines.iter().filter_map(|(engine, _)| engine.get().object(py)).collect();
        Ok(Run {
            systems: run.systems().to_vec(),
            run,
            names: self.names.clone(),
            unit: None,
            _owners: owners,
        })
    }
}

impl Evaluation {
    /// The form of the data of all metrics, if they are over data of their own.
    fn form(&self) -> PyResult<Option<Form>> {
        self.engines.first().map_or(Ok(None), |(engine, _)| engine.get().form())
    }

    /// Refuses metrics over text next to some over data of their own: a call has one kind of data.
    fn require_one_form(&self) -> PyResult<()> {
        let metrics = self.engines.iter().map(|(engine, _)| engine.get().metric_over(None));
        let metrics = metrics.collect::<PyResult<Vec<_>>>()?;
        let own = metrics.iter().find(|metric| metric.view.form.is_some());
        let other = |own: &AnyMetric| metrics.iter().find(|other| other.view.form != own.view.form);
        let Some((own, other)) = own.and_then(|own| Some((own, other(own)?))) else { return Ok(()) };
        let [(own, one), (other, two)] =
            [own, other].map(|metric| (metric.identity().name(), metric.view.to_string()));
        Err(type_error(format!("{own} takes {one}, but {other} takes {two}: score them apart")))
    }

    /// All metrics over text or over ids, with their defaults for single segments if asked.
    fn panel_for(&self, ids: bool, sentence: bool) -> PyResult<Arc<Panel>> {
        let panel = |((engine, chosen), spec): (&(Py<Engine>, bool), &MetricSpec)| match &self.chosen {
            Some(tokens) if !ids && *chosen && engine.get().form()?.is_none() => {
                let mut request = Request { specs: vec![spec.clone()], tokens: tokens.clone() };
                if sentence {
                    request = request.for_sentences(&registry()).or_raise()?;
                }
                request.panel(&registry()).map(Arc::new).or_raise()
            }
            _ => engine.get().panel(ids, sentence),
        };
        let mut panels = self.engines.iter().zip(&self.specs).map(panel).collect::<PyResult<Vec<_>>>()?;
        match &mut panels[..] {
            [_] => Ok(panels.remove(0)),
            _ => Ok(Arc::new(Panel::join(panels.iter().map(|panel| Panel::clone(panel))))),
        }
    }

    fn panel_of(&self, data: &Data, sentence: bool) -> PyResult<Arc<Panel>> {
        match &self.panel {
            Some(panel) if !data.is_ids() && !sentence => Ok(panel.clone()),
            _ => self.panel_for(data.is_ids(), sentence),
        }
    }

    fn plan(&self, threads: Option<Count>, progress: Option<Progress>) -> PyResult<Plan> {
        let plan = Plan::new(threads, progress)?;
        Ok(if self.single { plan.single() } else { plan })
    }
}

fn corpus_of(systems: Vec<String>, data: &Data, outputs: &[Bound<'_, PyAny>]) -> PyResult<TextCorpus> {
    let first = &systems[0];
    let Input::Texts(data) = &data.input else {
        return Err(type_error(format!("{first} are ids, but must be text")));
    };
    let read = outputs.iter().zip(&systems[1..]).map(|(output, name)| {
        let output = texts(output, name)?;
        require_equal(first, data.len(), name, output.len()).or_raise()?;
        Ok(output)
    });
    let outputs = read.collect::<PyResult<Vec<_>>>()?;
    let segment = |at: usize| {
        let others = outputs.iter().map(|output| output.get(at));
        TextSegment {
            hypotheses: [data.hypotheses.get(at)].into_iter().chain(others).map(str::to_owned).collect(),
            references: data.references.get(at).into_iter().map(str::to_owned).collect(),
            source: data.sources.as_ref().map(|sources| sources.get(at).to_owned()),
        }
    };
    Ok(TextCorpus {
        segments: (0..data.len()).map(segment).collect(),
        labels: Labels::none(data.len()),
        // Settled when the data were read.
        empty_references: EmptyReferences::Keep,
        systems,
        ..TextCorpus::default()
    })
}

/// The statistics of every segment of several systems under several metrics: scores, groups, tests, comparisons, reports and
/// files.
///
/// Made by `Evaluation.run`, or read from files of statistics by `Run.read`. The name of the metric may be left out
/// if there is only one.
#[pyclass(frozen, module = "bleuprint", name = "Run")]
pub(crate) struct Run {
    pub(crate) run: evaluation::Run,
    systems: Vec<String>,
    names: Vec<String>,
    /// The label of segments that depend on each other, if the data say so.
    unit: Option<String>,
    /// The metrics in Python, which states do not keep alive.
    _owners: Vec<Py<PyAny>>,
}

impl Run {
    pub(crate) fn of_systems(run: evaluation::Run, names: Option<Vec<String>>) -> Self {
        let systems = names.unwrap_or_else(|| run.systems().to_vec());
        Run { systems, names: names_of(&run.specs), run, unit: None, _owners: Vec::new() }
    }

    pub(crate) fn by_unit(self, unit: Option<String>) -> Self {
        Run { unit, ..self }
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
                of_system.set_item(name, Py::new(py, Score::new(score.or_raise()?))?)?;
            }
            dict.set_item(system, of_system)?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl Run {
    /// Reads files of statistics, one per system, of the same segments and metrics.
    #[staticmethod]
    fn read(paths: Listed<PathBuf>) -> PyResult<Self> {
        let text = |path: &PathBuf| {
            path.to_str().map(str::to_owned).ok_or_else(|| value(format!("{} is no text", path.display())))
        };
        let paths = paths.0.iter().map(text).collect::<PyResult<Vec<_>>>()?;
        let run = evaluation::Run::read(&registry(), &paths).or_raise()?;
        let mut names = names_of(&run.specs);
        if (1..names.len()).any(|at| names[..at].contains(&names[at])) {
            names = run.metrics().iter().map(|metric| metric.state_key().to_string()).collect();
        }
        Ok(Run { systems: run.systems().to_vec(), run, names, unit: None, _owners: Vec::new() })
    }

    fn __len__(&self) -> usize {
        self.run.len()
    }

    fn __repr__(&self) -> String {
        let (systems, metrics) = (self.run.systems().join(", "), self.names.join(", "));
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
    fn sentence_scores(&self, system: Option<&str>, metric: Option<&str>) -> PyResult<Vec<Score>> {
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
        scores.into_iter().map(|score| score.map(Score::new).or_raise()).collect()
    }

    /// The bootstrap interval of each system's score: mean, lower, upper, half_width.
    #[pyo3(signature = (metric=None, *, n=Count(1000), seed=Count(12345), precision="sacrebleu", threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn confidence<'py>(
        &self,
        py: Python<'py>,
        metric: Option<&str>,
        n: Count,
        seed: Count,
        precision: &str,
        threads: Option<Count>,
        progress: Option<Progress>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (resamples, precision) = (resampling(n, seed)?, precision_of(precision)?);
        let (metric, plan) = (metric_at(&self.names, metric)?, Plan::new(threads, progress)?);
        let intervals = intervals(py, &self.run, metric, resamples, precision, &plan)?;
        let dict = PyDict::new(py);
        let mut named = self.run.systems().iter().zip(intervals);
        named.try_for_each(|(system, interval)| dict.set_item(system, interval))?;
        shown(py, "Intervals", (dict,))
    }

    /// The paired test of each system against the first; the arguments are those of `bleuprint.paired_test`.
    #[pyo3(signature = (metric=None, *, test="bootstrap", n=None, seed=Count(12345), precision="sacrebleu", confidence=None, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn paired<'py>(
        &self,
        py: Python<'py>,
        metric: Option<&str>,
        test: &str,
        n: Option<Count>,
        seed: Count,
        precision: &str,
        confidence: Option<Count>,
        threads: Option<Count>,
        progress: Option<Progress>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let metric = metric_at(&self.names, metric)?;
        paired(
            py,
            &self.run,
            metric,
            &TestRequest { test: Some(test), n, seed, plan: Plan::new(threads, progress)? },
            precision,
            confidence,
        )
    }

    /// Every pair of systems under each metric, by the metric's name: scores, pairs with intervals and p-values, ranks; of two
    /// systems also segments, groups of the labels `by`, and up to `most` n-grams for each, with their part of the difference.
    /// `test` is `bootstrap` or `randomization`; by default it is exact, by McNemar, where segments are right or wrong, and else the
    /// bootstrap. `unit` is the label of units that are drawn as a whole, such as documents; logs with several samples of an item have the item.
    /// With `correction` (`holm`, or `bh` for Benjamini and Hochberg) each group has a test, corrected for all groups of its label.
    #[pyo3(signature = (*, by=None, test=None, n=None, seed=Count(12345), significance=None, unit=None, correction=None, most=Count(10), threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        by: Option<Listed<String>>,
        test: Option<&str>,
        n: Option<Count>,
        seed: Count,
        significance: Option<f64>,
        unit: Option<String>,
        correction: Option<&str>,
        most: Count,
        threads: Option<Count>,
        progress: Option<Progress>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let by = by.map(|by| by.0).unwrap_or_default();
        let most = most.at_most("most", usize::MAX)?;
        let request = TestRequest { test, n, seed, plan: Plan::new(threads, progress)? };
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
    #[pyo3(signature = (path=None, *, title=None, by=None, n=None, seed=Count(12345), sample=None, texts=true, compress=false, overwrite=false, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn report<'py>(
        &self,
        py: Python<'py>,
        path: Option<PathBuf>,
        title: Option<String>,
        by: Option<Listed<String>>,
        n: Option<Count>,
        seed: Count,
        sample: Option<Count>,
        texts: bool,
        compress: bool,
        overwrite: bool,
        threads: Option<Count>,
        progress: Option<Progress>,
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
            plan: Some(resampling(n.unwrap_or(Count(enough as u64)), seed)?),
            sample: sample.map(|sample| sample.at_most("sample", usize::MAX)).transpose()?,
            texts,
            ..PageRequest::default()
        };
        let page = whole(py, &Plan::new(threads, progress)?, |_| page_of(&self.run, &request))?;
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
