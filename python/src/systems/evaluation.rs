//! `Evaluation`: scores one or more systems with several metrics in one pass over the segments.

use std::sync::Arc;

use bleuprint::eval::evaluation::{self, RunLabels, TextCorpus, TextSegment};
use bleuprint::eval::{
    ChosenTokens, LikelyMistake, LikelyMistakes, MistakeWording, Panel, PanelMetric, Request, SharedTokenizer,
};
use bleuprint::inference::Interrupt;
use bleuprint::text::read::EmptyReferences;
use bleuprint::text::{TokenBuffer, Tokens};
use bleuprint::{AnyMetric, Case, Metric as _, State as Observed, Tokenizer, contract::MetricSpec};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{OrRaise as _, type_error, value};
use crate::metric::engine::MetricEngine;
use crate::metric::mistakes::{InputSigns, tell, warn_of_input};
use crate::metric::observe::{map_segments, second_pass, total};
use crate::metric::score::PyScore;
use crate::metric::source::SourceTokens;
use crate::metric::state::PyState;
use crate::registry::{registry, tokenizers};
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::segments::data::SequenceData;
use crate::segments::lists::{Ids, ListInput, ListSequences, ReferenceLists, Segments, Texts, require_equal};
use crate::segments::own::OwnForm;
use crate::segments::read::sequences;
use crate::systems::counted_run::PyRun;
use crate::systems::statistics::{PyStatistics, fingerprints};
use crate::systems::testing::names_of;
use crate::values::count::{ListedItems, WholeNumber};
use crate::values::place::ValuePlace;

/// Evaluation of data with several metrics, which are computed together in one pass.
#[pyclass(frozen, module = "bleuprint._native", name = "Evaluation")]
pub(crate) struct PyEvaluation {
    names: Vec<String>,
    specs: Vec<MetricSpec>,
    /// Each metric with a flag: `true` if it uses the tokenizer in `chosen`, `false` if the user gave it as
    /// an object with its own tokenizer.
    engines: Vec<(Py<MetricEngine>, bool)>,
    /// Panel (set of metrics that are counted together) for text. `None` if the input is token ids, or if the
    /// evaluation has a single metric object.
    panel: Option<Arc<Panel>>,
    /// Tokenizer and normalizer that the user chose for all metrics; `None` for an evaluation of a single
    /// metric object.
    chosen: Option<ChosenTokens>,
    /// `true` if a metric is written in Python. Only one thread then counts segments, because the interpreter
    /// runs one thread at a time.
    single: bool,
}

#[pymethods]
impl PyEvaluation {
    /// Creates an evaluation of one metric object, which keeps its own tokenizer.
    #[staticmethod]
    fn of_engine(engine: &Bound<'_, MetricEngine>) -> PyResult<Self> {
        let specs = vec![engine.get().spec()?];
        let single = engine.get().is_python();
        let engines = vec![(engine.clone().unbind(), false)];
        Ok(PyEvaluation { names: names_of(&specs), specs, engines, panel: None, chosen: None, single })
    }

    /// Creates an evaluation of several metrics: names with options, or metric objects. With a `space`, a
    /// name for the vocabulary of the ids, the input is token ids.
    #[new]
    #[pyo3(signature = (metrics, tokenize=None, lowercase=None, model=None, dictionary=None, norm=None, space=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn new(
        py: Python<'_>,
        metrics: ListedItems<Bound<'_, PyAny>>,
        tokenize: Option<String>,
        lowercase: Option<bool>,
        model: Option<String>,
        dictionary: Option<String>,
        norm: Option<String>,
        space: Option<String>,
    ) -> PyResult<Self> {
        let mut for_ids = space.is_some();
        let tokens = SourceTokens::named(tokenize, lowercase, norm, [model, dictionary], space);
        let chosen = tokens.text.choose(&tokenizers()).or_raise()?;
        let mut names = Vec::new();
        let mut specs = Vec::new();
        let mut engines = Vec::new();
        let mut single = false;
        for metric in metrics.0 {
            if let Ok(engine) = metric.cast::<MetricEngine>() {
                specs.push(engine.get().spec()?);
                names.extend(names_of(&specs[specs.len() - 1..]));
                single |= engine.get().is_python();
                for_ids |= engine.get().is_python() && engine.get().for_ids();
                engines.push((engine.clone().unbind(), false));
                continue;
            }
            let given = metric.extract::<String>()?;
            for name in registry().expand(&given) {
                specs.push(registry().parse(&name).or_raise()?);
                engines.push((Py::new(py, MetricEngine::named(&name, &[], tokens.clone())?)?, true));
                names.push(name);
            }
        }
        if specs.is_empty() {
            return Err(value("there are no metrics"));
        }
        // Results are dicts by metric, so a second result under the same name would be lost.
        if let Some(at) = (1..specs.len()).find(|&at| specs[..at].contains(&specs[at])) {
            return Err(value(format!("the metric `{}` is given twice", names[at])));
        }
        let named = specs.iter().zip(&engines).filter(|(_, (_, named))| *named);
        let named = Request { specs: named.map(|(spec, _)| spec.clone()).collect(), tokens: chosen };
        if !for_ids {
            named.require_effect(&registry()).or_raise()?;
        }
        let chosen = Some(named.tokens);
        let mut evaluation = PyEvaluation { names, specs, engines, panel: None, chosen, single };
        evaluation.require_one_form()?;
        // Configuration errors are raised now, not with the first data.
        if for_ids {
            evaluation.panel_for(true, false)?;
        } else {
            evaluation.panel = Some(evaluation.panel_for(false, false)?);
        }
        Ok(evaluation)
    }

    /// Counts all segments together and returns each metric's state, its accumulated statistics. With
    /// `once=False` the data is one part of a corpus; metrics that learn weights from references are then
    /// rejected, because a part does not determine the weights of the whole. With `quiet`, there are no warnings
    /// about likely mistakes.
    #[pyo3(signature = (data, *, once=true, quiet=false, signs=None, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn observe(
        &self,
        py: Python<'_>,
        data: &SequenceData,
        once: bool,
        quiet: bool,
        signs: Option<&InputSigns>,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Vec<PyState>> {
        let plan = self.plan(threads, progress)?;
        let mut panel = self.panel_of(data, false)?;
        if once {
            panel = second_pass(py, &plan, panel, &data.input, quiet)?;
        } else if panel.first_pass().is_some() {
            let names = self.names.join(", ");
            return Err(value(format!(
                "{names} learns from all references first, so it takes no batches: `metric.learn(references)` makes a metric \
                 that does"
            )));
        }
        let total = total(py, &plan, &panel, &data.input)?;
        if !quiet {
            warn_of_input(py, &panel, &data.input, signs)?;
        }
        let states = panel.states(&total).or_raise()?;
        let metrics = panel.metrics().cloned();
        Ok(metrics.zip(states).map(|(metric, state)| PyState::new(metric, state)).collect())
    }

    /// Scores each segment separately and returns one list of scores for each metric.
    #[pyo3(signature = (data, *, signs=None, threads=None, progress=None))]
    fn sentences(
        &self,
        py: Python<'_>,
        data: &SequenceData,
        signs: Option<&InputSigns>,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Vec<Vec<PyScore>>> {
        let plan = self.plan(threads, progress)?;
        let panel = second_pass(py, &plan, self.panel_of(data, true)?, &data.input, false)?;
        let score = |counts, stats| PyScore::of_segment(&panel, !self.single, counts, stats);
        let scores: Vec<Vec<PyScore>> = map_segments(py, &plan, &panel, &data.input, score)?;
        warn_of_input(py, &panel, &data.input, signs)?;
        let mut of_metrics: Vec<Vec<PyScore>> = self.specs.iter().map(|_| Vec::new()).collect();
        for segment in scores {
            of_metrics.iter_mut().zip(segment).for_each(|(scores, score)| scores.push(score));
        }
        Ok(of_metrics)
    }

    #[getter(form)]
    fn python_form(&self) -> PyResult<Option<OwnForm>> {
        self.form()
    }

    fn infos<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.engines.iter().map(|(engine, _)| engine.get().info(py)).collect()
    }

    /// Counts every segment and returns the per-segment statistics of each metric. `owners` are the metrics
    /// that were given as objects, in order.
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    #[pyo3(signature = (owners, data, *, system="system", signs=None, threads=None, progress=None))]
    fn statistics(
        &self,
        py: Python<'_>,
        owners: Vec<Py<PyAny>>,
        data: &SequenceData,
        system: &str,
        signs: Option<&InputSigns>,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Vec<PyStatistics>> {
        let plan = self.plan(threads, progress)?;
        let panel = second_pass(py, &plan, self.panel_of(data, false)?, &data.input, false)?;
        let states = |counts, stats| panel.states(&Observed::from_stats(&*panel, counts, stats)?);
        let counted = map_segments(py, &plan, &panel, &data.input, states)?;
        let fingerprints = fingerprints(py, data)?;
        warn_of_input(py, &panel, &data.input, signs)?;
        let mut of_metrics: Vec<Vec<_>> = self.specs.iter().map(|_| Vec::new()).collect();
        for (states, of_segment) in counted.into_iter().zip(fingerprints) {
            let each = of_metrics.iter_mut().zip(states);
            each.for_each(|(segments, state)| segments.push((state, of_segment)));
        }
        // Only metrics given as objects have owners, so the owners are matched to them in order.
        let mut owners = owners.into_iter();
        let metrics = panel.metrics().zip(&self.specs).zip(of_metrics).zip(&self.engines);
        let statistics = metrics.map(|(((metric, spec), states), (_, chosen))| {
            let owner = if *chosen { None } else { owners.next() };
            let run = evaluation::Run::of_states(system, spec.clone(), metric.clone(), states).or_raise()?;
            Ok(PyStatistics::of_run(run).owned_by(owner))
        });
        statistics.collect()
    }

    #[getter]
    fn metrics(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Counts all metrics for several systems. `data` has the references and the outputs of the first system;
    /// `outputs` are the outputs of the other systems. If the data are ids, the run keeps texts in which each id is
    /// a word: the entry of `words`, or the decimal number.
    #[pyo3(signature = (systems, data, outputs, labels=None, *, sample_weight=None, words=None, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn run(
        &self,
        py: Python<'_>,
        systems: Vec<String>,
        data: &SequenceData,
        outputs: ListedItems<Bound<'_, PyAny>>,
        labels: Option<ListedItems<(String, ListedItems<Option<String>>)>>,
        sample_weight: Option<ListedItems<u64>>,
        words: Option<Vec<String>>,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<PyRun> {
        let form = self.form()?;
        let mut corpus = match (&data.input, &form) {
            (ListInput::Own(data), Some(form)) => form.corpus(systems, data, &outputs.0)?,
            _ => corpus_of(systems, data, &outputs.0, words.as_deref())?,
        };
        for (name, ListedItems(values)) in labels.map(|labels| labels.0).unwrap_or_default() {
            corpus.add_label(&name, values.iter().map(|value| value.as_deref().unwrap_or(""))).or_raise()?;
        }
        if let Some(ListedItems(weights)) = sample_weight {
            corpus.set_weights(weights).or_raise()?;
        }
        let (panel, tokenizer) = if data.is_ids() {
            self.over_words()?
        } else {
            let for_text = self.panel.as_ref().zip(self.chosen.as_ref());
            let for_text = for_text.map(|(panel, chosen)| (panel.clone(), chosen.tokenizer().clone()));
            for_text.ok_or_else(|| type_error("these metrics are over ids, but the data are text"))?
        };
        let tokenizer = &tokenizer;
        // Objects and data of a metric's own type have no length in tokens.
        if !data.is_of_objects() && form.is_none() {
            corpus.add_lengths(tokenizer).or_raise()?;
        }
        let metrics = match form {
            Some(_) => {
                let own = panel.metrics().cloned().enumerate().collect();
                evaluation::Metrics { own, ..Panel::join([]).into() }
            }
            None => Panel::clone(&panel).into(),
        };
        let evaluation = evaluation::Evaluation::new(self.specs.clone(), metrics, tokenizer.clone());
        let plan = self.plan(threads, progress)?;
        let mut mistakes = LikelyMistakes::new(corpus.segments.len() as u64).for_metrics_of(&panel);
        if matches!(data.input, ListInput::Texts(_)) && !data.is_of_objects() {
            corpus.segments.iter().for_each(|one| mistakes.look_at(&one.hypotheses, &one.references));
        }
        let mut run = whole(py, &plan, |_| {
            let work = Interrupt::of_thread();
            work.expect(corpus.segments.len());
            evaluation.run_with(corpus, |_, _| work.advance(1))
        })?;
        let mut found = mistakes.found(Some(&panel), &[], MistakeWording::Python);
        found.extend(run.likely_mistakes(MistakeWording::Python));
        found.extend(LikelyMistake::of_data(panel.metrics()));
        tell(py, &panel, &found)?;
        if data.is_of_objects() {
            run.fingerprints = fingerprints(py, data)?;
            // The keys of Python objects are valid only during this call, so the run stores no texts.
            run.texts = None;
        }
        let owners = self.engines.iter().filter_map(|(engine, _)| engine.get().object(py)).collect();
        Ok(PyRun::new(run, self.names.clone(), owners))
    }
}

impl PyEvaluation {
    /// Returns the data type that the metrics take instead of text, such as spans, or `None` for metrics of
    /// text or ids.
    fn form(&self) -> PyResult<Option<OwnForm>> {
        self.engines.first().map_or(Ok(None), |(engine, _)| engine.get().form())
    }

    /// Rejects a mix of metrics that take text and metrics with their own data type, because one call has one
    /// kind of data.
    fn require_one_form(&self) -> PyResult<()> {
        let metrics = self.engines.iter().map(|(engine, _)| engine.get().without_tokens());
        let metrics = metrics.collect::<PyResult<Vec<_>>>()?;
        let own = metrics.iter().find(|metric| metric.view.form.is_some());
        let other = |own: &AnyMetric| metrics.iter().find(|other| other.view.form != own.view.form);
        let Some((own, other)) = own.and_then(|own| Some((own, other(own)?))) else { return Ok(()) };
        let [(own, one), (other, two)] =
            [own, other].map(|metric| (metric.identity().name(), metric.view.to_string()));
        Err(type_error(format!("{own} takes {one}, but {other} takes {two}: score them apart")))
    }

    /// Returns the panel (set of metrics that are counted together) of this evaluation, for token ids or for
    /// text. With `sentence`, metrics use their default options for single segments.
    fn panel_for(&self, ids: bool, sentence: bool) -> PyResult<Arc<Panel>> {
        let panel = |((engine, chosen), spec): (&(Py<MetricEngine>, bool), &MetricSpec)| match &self.chosen {
            Some(tokens) if !ids && *chosen && engine.get().form()?.is_none() => {
                let mut request = Request { specs: vec![spec.clone()], tokens: tokens.clone() };
                if sentence {
                    request = request.for_sentences(&registry()).or_raise()?;
                }
                // One metric of several need not use the tokens; `new` has checked them for all metrics.
                let metrics = request.metrics(&registry()).or_raise()?;
                Panel::new(metrics.into_iter().zip(&request.specs), tokens).map(Arc::new).or_raise()
            }
            _ => engine.get().panel(ids, sentence),
        };
        let mut panels = self.engines.iter().zip(&self.specs).map(panel).collect::<PyResult<Vec<_>>>()?;
        match &mut panels[..] {
            [_] => Ok(panels.remove(0)),
            _ => Ok(Arc::new(Panel::join(panels.iter().map(|panel| Panel::clone(panel))))),
        }
    }

    /// Returns the panel for ids that are written as words of a text, separated by spaces, and the tokenizer of
    /// these texts. Its states equal the states of the panel for ids.
    fn over_words(&self) -> PyResult<(Arc<Panel>, SharedTokenizer)> {
        // Metrics that do not take ids are rejected with the same message as for scores.
        let for_ids = self.panel_for(true, false)?;
        let key = for_ids.state_key();
        let space = key.parts.first().map(|part| part.space.label().to_owned()).unwrap_or_default();
        let tokenizer: SharedTokenizer = Arc::new(WordsOfIds { space: space.clone() });
        let chosen = ChosenTokens::new(tokenizer.clone(), Case::Mixed);
        let panels = self.engines.iter().zip(&self.specs).map(|((engine, _), spec)| {
            let metric = engine.get().without_tokens()?;
            // A metric with its own tokenizer takes ids as they are, too.
            let spec = MetricSpec {
                tokenizer: Some(space.clone()),
                lowercase: Some(false),
                normalizer: None,
                ..spec.clone()
            };
            Panel::new([PanelMetric::from((metric, &spec))], &chosen).or_raise()
        });
        let panel = Panel::join(panels.collect::<PyResult<Vec<_>>>()?);
        if panel.state_key() != key {
            let names = self.names.join(", ");
            return Err(type_error(format!("{names} cannot keep ids in a run: give texts")));
        }
        Ok((Arc::new(panel), tokenizer))
    }

    fn panel_of(&self, data: &SequenceData, sentence: bool) -> PyResult<Arc<Panel>> {
        match &self.panel {
            Some(panel) if !data.is_ids() && !sentence => Ok(panel.clone()),
            _ => self.panel_for(data.is_ids(), sentence),
        }
    }

    fn plan(&self, threads: Option<WholeNumber>, progress: Option<ProgressArgument>) -> PyResult<WatchPlan> {
        let plan = WatchPlan::new(threads, progress)?;
        // More threads would only wait for the interpreter lock.
        Ok(if self.single { plan.single() } else { plan })
    }
}

/// Tokenizer of texts whose words are ids or tokens of the user, separated by single spaces.
struct WordsOfIds {
    /// Name of the vocabulary of the ids.
    space: String,
}

impl Tokenizer for WordsOfIds {
    fn token_space(&self) -> &str {
        &self.space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> bleuprint::Result<Tokens<'a>> {
        buffer
            .cut(line, |line, spans| spans.push_pieces(line, line.split(' ').filter(|word| !word.is_empty())))
    }
}

/// Writes each sequence of ids as a text of words: the entries of `words`, or decimal numbers.
fn written(ids: &Ids, words: Option<&[String]>) -> Texts {
    let word = |id: &u32| match words {
        Some(words) => words.get(*id as usize).cloned().unwrap_or_default(),
        None => id.to_string(),
    };
    let mut texts = Texts::default();
    ids.iter().for_each(|ids| texts.push(&ids.iter().map(word).collect::<Vec<_>>().join(" ")));
    texts
}

fn corpus_of(
    systems: Vec<String>,
    data: &SequenceData,
    outputs: &[Bound<'_, PyAny>],
    words: Option<&[String]>,
) -> PyResult<TextCorpus> {
    let first = &systems[0];
    let is_ids = data.is_ids();
    let data = match &data.input {
        ListInput::Texts(data) => data,
        ListInput::Ids(ids) => {
            let references = ReferenceLists {
                all: written(&ids.references.all, words),
                ends: ids.references.ends.clone(),
            };
            &Segments {
                hypotheses: written(&ids.hypotheses, words),
                references,
                sources: ids.sources.as_ref().map(|sources| written(sources, words)),
                group_size: ids.group_size,
            }
        }
        ListInput::Own(_) => return Err(type_error(format!("{first} must be texts or ids"))),
    };
    let texts = |output: &Bound<'_, PyAny>, name: &str| match sequences(output, ValuePlace::new(name))? {
        ListSequences::Texts(texts) if !is_ids || texts.len() == 0 => Ok(texts),
        ListSequences::Ids(ids) if is_ids => Ok(written(&ids, words)),
        _ => {
            let [kind, other] = if is_ids { ["text", "ids"] } else { ["ids", "text"] };
            Err(type_error(format!("{name} are {kind}, but {first} are {other}")))
        }
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
        labels: RunLabels::none(data.len()),
        // Empty references were handled when the data was read.
        empty_references: EmptyReferences::Keep,
        systems,
        ..TextCorpus::default()
    })
}
