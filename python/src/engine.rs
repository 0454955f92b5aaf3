//! `Engine`: a metric as Python named it, over text or over ids, for corpora or for single segments.

use std::sync::{Arc, Mutex, PoisonError};

use bleuprint::InputError;
use bleuprint::eval::{Panel, PanelScratch, PanelState, SystemsSegment};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyWeakrefReference};

use crate::count::Count;
use crate::errors::{OrRaise as _, type_error, value};
use crate::lists::{Data, Input, References, Segments, Texts};
use crate::read::{AnyReferences, Place, Sequences, push_text, references, sequences, streams};
use crate::run::{Plan, each};
use crate::score::Score;
use crate::source::{Source, Tokens};
use crate::state::{State, metric_of};

/// A metric as Python named it.
#[pyclass(frozen, module = "bleuprint._native")]
pub(crate) struct Engine {
    source: Source,
    /// Over text and over ids, each for corpora and for segments; built when first needed.
    panels: Mutex<[Option<Arc<Panel>>; 4]>,
    /// Tables that are warm, for single segments of text.
    spare: Mutex<Option<PanelScratch>>,
}

/// Hands a segment to `work`, as a panel of one system wants it.
fn with_segment<D: Data, R>(
    segments: &Segments<D>,
    at: usize,
    work: impl FnOnce(SystemsSegment<'_, D::Item>) -> R,
) -> R {
    let mut references = Vec::new();
    segments.references.get(at / segments.group_size, &mut references);
    let source = segments.sources.as_ref().map(|sources| sources.get(at));
    work(SystemsSegment { hypotheses: &[segments.hypotheses.get(at)], references: &references, source })
}

/// Observes one segment.
pub(crate) fn observe(
    panel: &Panel,
    scratch: &mut PanelScratch,
    state: &mut PanelState,
    input: &Input,
    at: usize,
) -> Result<(), InputError> {
    let systems = std::slice::from_mut(state);
    match input {
        Input::Texts(segments) => {
            with_segment(segments, at, |segment| panel.observe(scratch, systems, segment))
        }
        Input::Ids(segments) => {
            with_segment(segments, at, |segment| panel.observe_ids(scratch, systems, segment))
        }
    }
}

impl Engine {
    pub(crate) fn panel(&self, ids: bool, sentence: bool) -> PyResult<Arc<Panel>> {
        let place = usize::from(ids) * 2 + usize::from(sentence);
        if let Some(panel) = &self.lock()[place] {
            return Ok(panel.clone());
        }
        // Built outside the lock: a metric in Python may come here again.
        let panel = Arc::new(self.source.panel(ids, sentence)?);
        Ok(self.lock()[place].get_or_insert(panel).clone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, [Option<Arc<Panel>>; 4]> {
        self.panels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Over ids in decimal digits: for pools, which are texts.
    pub(crate) fn digits_panel(&self, sentence: bool) -> PyResult<Panel> {
        let tokens = Tokens { tokenize: Some("ids".to_owned()), ..Tokens::default() };
        // What ids refuse is refused here too.
        self.panel(true, sentence)?;
        tokens.over_text(self.source.metric(sentence)?)
    }

    /// Whether ids were announced.
    fn over_ids(&self) -> bool {
        matches!(&self.source, Source::Named { tokens, .. } if tokens.space.is_some())
    }

    pub(crate) fn is_python(&self) -> bool {
        matches!(self.source, Source::Python(_))
    }

    pub(crate) fn plan(&self, threads: Option<Count>, progress: Option<Py<PyAny>>) -> PyResult<Plan> {
        let plan = Plan::new(threads, progress)?;
        // The interpreter runs one thread at a time, so more would only wait.
        if self.is_python() { Ok(plan.single()) } else { Ok(plan) }
    }

    /// The panel for this data; one of two passes has learned from the data first.
    pub(crate) fn panel_for(&self, input: &Input, sentence: bool) -> PyResult<Arc<Panel>> {
        let panel = self.panel(matches!(input, Input::Ids(_)), sentence)?;
        if !panel.needs_first_pass() {
            return Ok(panel);
        }
        let Input::Texts(segments) = input else {
            return Err(value(
                "this metric goes over the data twice, which needs text, but the data are ids",
            ));
        };
        let mut learner = panel.first_pass();
        for at in 0..segments.len() {
            with_segment(segments, at, |segment| learner.observe(segment)).or_raise()?;
        }
        let learned = learner.finish();
        Ok(Arc::new(self.source.panel(false, sentence)?.second_pass(&learned).or_raise()?))
    }

    /// Hypotheses, references and sources as they were given.
    pub(crate) fn input(
        &self,
        hypotheses: &Bound<'_, PyAny>,
        references: Option<&Bound<'_, PyAny>>,
        reference_streams: Option<&Bound<'_, PyAny>>,
        sources: Option<&Bound<'_, PyAny>>,
        missing: bool,
    ) -> PyResult<Input> {
        let hypotheses = sequences(hypotheses, Place::of("hypotheses"))?;
        let len = hypotheses.len();
        let ids = matches!(hypotheses, Sequences::Ids(_));
        let references = match (references, reference_streams) {
            (Some(_), Some(_)) => {
                return Err(value("references are given twice: for each segment, and as streams"));
            }
            (Some(given), None) => Some(self::references(given, ids)?),
            (None, Some(given)) => Some(streams(given, len, missing)?),
            (None, None) => None,
        };
        let sources = sources.map(|sources| sequences(sources, Place::of("sources"))).transpose()?;
        match hypotheses {
            Sequences::Texts(hypotheses) => {
                let references = match references {
                    None => References::none(len),
                    Some(AnyReferences::Texts(references)) => references,
                    Some(AnyReferences::Ids(_)) => {
                        return Err(type_error("hypotheses are text, but references are ids"));
                    }
                };
                let sources = match sources {
                    None => None,
                    Some(Sequences::Texts(sources)) => Some(sources),
                    Some(Sequences::Ids(_)) => {
                        return Err(type_error("hypotheses are text, but sources are ids"));
                    }
                };
                Segments::new(hypotheses, references, sources).map(Input::Texts).or_raise()
            }
            Sequences::Ids(hypotheses) => {
                let references = match references {
                    None => References::none(len),
                    Some(AnyReferences::Ids(references)) => references,
                    Some(AnyReferences::Texts(_)) => {
                        return Err(type_error("hypotheses are ids, but references are text"));
                    }
                };
                let sources = match sources {
                    None => None,
                    Some(Sequences::Ids(sources)) => Some(sources),
                    Some(Sequences::Texts(_)) => {
                        return Err(type_error("hypotheses are ids, but sources are text"));
                    }
                };
                Segments::new(hypotheses, references, sources).map(Input::Ids).or_raise()
            }
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (name, options, tokenize=None, lowercase=None, model=None, dictionary=None, space=None))]
    fn new(
        name: String,
        options: Vec<(String, String)>,
        tokenize: Option<String>,
        lowercase: Option<bool>,
        model: Option<String>,
        dictionary: Option<String>,
        space: Option<String>,
    ) -> PyResult<Self> {
        let tokens = Tokens { tokenize, lowercase, model, dictionary, space };
        let over_ids = tokens.space.is_some();
        let engine = Engine {
            source: Source::Named { name, options, tokens },
            panels: Mutex::default(),
            spare: Mutex::default(),
        };
        // What cannot be built is said now, not with the first data.
        engine.panel(over_ids, false)?;
        Ok(engine)
    }

    /// The engine of a metric that is written in Python.
    #[staticmethod]
    fn of_python(metric: &Bound<'_, PyAny>) -> PyResult<Self> {
        let metric = PyWeakrefReference::new(metric)?.unbind();
        let engine =
            Engine { source: Source::Python(metric), panels: Mutex::default(), spare: Mutex::default() };
        engine.panel(false, false)?;
        Ok(engine)
    }

    /// What the metric says of itself.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let panel = self.panel(self.over_ids(), false)?;
        let metric = metric_of(&panel)?;
        let (identity, scale) = (metric.identity(), metric.scale());
        let dict = PyDict::new(py);
        dict.set_item("metric", identity.metric())?;
        dict.set_item("name", identity.name())?;
        dict.set_item("state_key", metric.state_key().to_string())?;
        dict.set_item("signature", identity.signature(&Default::default()).to_string())?;
        dict.set_item("higher_is_better", scale.direction == bleuprint::Direction::HigherIsBetter)?;
        dict.set_item("min", Some(scale.min).filter(|end| end.is_finite()))?;
        dict.set_item("max", Some(scale.max).filter(|end| end.is_finite()))?;
        dict.set_item("needs_references", !identity.is_reference_free())?;
        dict.set_item("needs_sources", identity.is_source_needed())?;
        dict.set_item("two_passes", metric.first_pass().is_some())?;
        dict.set_item("columns", metric.linear().map(|linear| linear.column_names()))?;
        Ok(dict)
    }

    /// The state of a corpus.
    #[pyo3(signature = (hypotheses, references=None, reference_streams=None, sources=None, *, missing=false, sentence=false, once=true, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn observe(
        &self,
        py: Python<'_>,
        hypotheses: &Bound<'_, PyAny>,
        references: Option<&Bound<'_, PyAny>>,
        reference_streams: Option<&Bound<'_, PyAny>>,
        sources: Option<&Bound<'_, PyAny>>,
        missing: bool,
        sentence: bool,
        once: bool,
        threads: Option<Count>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<State> {
        let input = self.input(hypotheses, references, reference_streams, sources, missing)?;
        // A part of a corpus cannot say what the whole would have taught.
        let panel = match once {
            true => self.panel_for(&input, sentence)?,
            false => self.panel(matches!(input, Input::Ids(_)), sentence)?,
        };
        let plan = self.plan(threads, progress)?;
        let worker = || (panel.scratch(), panel.zero());
        let workers = each(py, &plan, input.len(), worker, |(scratch, state), at| {
            observe(&panel, scratch, state, &input, at)
        })?;
        let mut total = panel.zero();
        for (_, state) in &workers {
            panel.merge(&mut total, state).or_raise()?;
        }
        Ok(State { panel, state: total })
    }

    /// The state of one segment of text; references that are None are missing.
    fn observe_one(&self, hypothesis: &Bound<'_, PyAny>, references: &Bound<'_, PyAny>) -> PyResult<State> {
        let mut texts = Texts::default();
        push_text(&mut texts, hypothesis, Place::of("hypothesis"))?;
        for (index, reference) in references.try_iter()?.enumerate() {
            let reference = reference?;
            if !reference.is_none() {
                push_text(&mut texts, &reference, Place::of("references").at(index))?;
            }
        }
        let panel = self.panel(false, false)?;
        let all: Vec<&str> = texts.iter().collect();
        let segment = SystemsSegment { hypotheses: &all[..1], references: &all[1..], source: None };
        let mut scratch = self
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
            .unwrap_or_else(|| panel.scratch());
        let mut state = panel.zero();
        panel.observe(&mut scratch, std::slice::from_mut(&mut state), segment).or_raise()?;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(scratch);
        Ok(State { panel, state })
    }

    /// The score of each segment.
    #[pyo3(signature = (hypotheses, references=None, reference_streams=None, sources=None, *, missing=false, sentence=true, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn sentences(
        &self,
        py: Python<'_>,
        hypotheses: &Bound<'_, PyAny>,
        references: Option<&Bound<'_, PyAny>>,
        reference_streams: Option<&Bound<'_, PyAny>>,
        sources: Option<&Bound<'_, PyAny>>,
        missing: bool,
        sentence: bool,
        threads: Option<Count>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Score>> {
        let input = self.input(hypotheses, references, reference_streams, sources, missing)?;
        let panel = self.panel_for(&input, sentence)?;
        let metric = metric_of(&panel)?;
        let plan = self.plan(threads, progress)?;
        let worker = || (panel.scratch(), Vec::new());
        let workers = each(py, &plan, input.len(), worker, |(scratch, scores), at| {
            let mut state = panel.zero();
            observe(&panel, scratch, &mut state, &input, at)?;
            if let Some(state) = state.states().first() {
                scores.push((at, Score::new(metric.score(state)?)));
            }
            Ok(())
        })?;
        Ok(in_order(workers.into_iter().map(|(_, scores)| scores)))
    }

    /// Nothing observed yet.
    #[pyo3(signature = (ids=None))]
    fn zero(&self, ids: Option<bool>) -> PyResult<State> {
        let panel = self.panel(ids.unwrap_or(self.over_ids()), false)?;
        let state = panel.zero();
        Ok(State { panel, state })
    }

    /// A state out of what `State.to_bytes` gave.
    fn read(&self, bytes: &[u8]) -> PyResult<State> {
        let wrong = |error: serde_json::Error| value(format!("these bytes are no state: {error}"));
        let stored: serde_json::Value = serde_json::from_slice(bytes).map_err(wrong)?;
        let text = self.panel(false, false).ok();
        let key = stored.get("key").and_then(|key| key.as_str()).unwrap_or_default();
        let panel = match text {
            Some(panel) if metric_of(&panel)?.state_key().to_string() == key => panel,
            // Over ids, unless that cannot be; then the difference is told.
            other => match (self.panel(true, false), other) {
                (Ok(over_ids), _) if metric_of(&over_ids)?.state_key().to_string() == key => over_ids,
                (_, Some(over_text)) => over_text,
                (over_ids, None) => over_ids?,
            },
        };
        let state = metric_of(&panel)?
            .restore(&mut <dyn erased_serde::Deserializer<'_>>::erase(&stored))
            .or_raise()?;
        // Merged with nothing: a state of a metric in Python learns whose it is.
        let mut whole = metric_of(&panel)?.zero();
        metric_of(&panel)?.merge(&mut whole, &state).or_raise()?;
        State::of(panel, whole)
    }

    /// The state of a row of counts.
    #[pyo3(signature = (row, ids=None))]
    fn read_row(&self, row: Vec<u64>, ids: Option<bool>) -> PyResult<State> {
        let panel = self.panel(ids.unwrap_or(self.over_ids()), false)?;
        let state =
            metric_of(&panel)?.require_linear("be read from a row").or_raise()?.read_row(&row).or_raise()?;
        State::of(panel, state)
    }
}

/// What several workers made, in the order of the segments.
pub(crate) fn in_order<T>(parts: impl Iterator<Item = Vec<(usize, T)>>) -> Vec<T> {
    let mut all: Vec<(usize, T)> = parts.flatten().collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, item)| item).collect()
}

/// The texts of an object, for what works on texts alone.
pub(crate) fn texts(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Texts> {
    match sequences(object, Place::of(name))? {
        Sequences::Texts(texts) => Ok(texts),
        Sequences::Ids(_) => Err(type_error(format!("{name} are ids, but must be text"))),
    }
}

/// The items of a list, as slices.
pub(crate) fn all<D: Data>(list: &crate::lists::List<D>) -> Vec<&D::Item> {
    list.iter().collect()
}
