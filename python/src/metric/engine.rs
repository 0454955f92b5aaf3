//! `Engine`: the internal handle of a metric that was chosen in Python, for text or token ids, and for
//! corpora or single segments. It can hold weights that the metric learned from references.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bleuprint::eval::store::{Header, StoredMetric};
use bleuprint::eval::{Panel, PanelScratch, PanelState, Rewards};
use bleuprint::{
    AnyMetric, Location, Metric as _, Result, Segment, State as Observed, TokenSpace,
    contract::{AnyState, MetricSpec, StateKey, column_names},
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyWeakrefReference};

use crate::errors::{OrRaise as _, new_file, type_error, value};
use crate::metric::mistakes::warn_of_counters;
use crate::metric::observe::total;
use crate::metric::source::{SourceTokens, TokenSource};
use crate::metric::state::{PyState, metric_of};
use crate::python_metric::{LooksAt, WrittenMetric, looks_at, written};
use crate::registry::note_use;
use crate::run::{ProgressArgument, WatchPlan, short};
use crate::segments::data::SequenceData;
use crate::segments::lists::{ListSequences, Segments, Texts};
use crate::segments::own::OwnForm;
use crate::segments::read::{push_text, sequences};
use crate::tables::OpenedStates;
use crate::values::count::{ListedItems, WholeNumber};
use crate::values::place::ValuePlace;

/// Weights that a metric learned from references in its first pass, and the panel (set of metrics) that
/// learned them.
struct Learned {
    first: Panel,
    weights: PanelState,
    ids: bool,
}

#[pyclass(frozen, module = "bleuprint._native", name = "Engine")]
pub(crate) struct MetricEngine {
    source: Arc<TokenSource>,
    /// Weights that a metric learned from references in its first pass. If present, the metric does not learn
    /// from the data that it scores.
    learned: Option<Learned>,
    /// Panels (sets of metrics that are counted together) for text and for ids, each for corpora and for
    /// single segments. A panel is built on first use.
    panels: Mutex<[Option<Arc<Panel>>; 4]>,
    /// Scratch memory that calls with few texts reuse.
    spare: Mutex<Option<PanelScratch>>,
    /// `true` once a batch of rewards was scored.
    rewarded: AtomicBool,
    /// Scorer of rewards that calls with few texts reuse.
    rewards: Mutex<Option<Rewards<Arc<Panel>, str>>>,
}

impl MetricEngine {
    fn of_source(source: Arc<TokenSource>, learned: Option<Learned>) -> Self {
        note_use();
        MetricEngine {
            source,
            learned,
            panels: Mutex::default(),
            spare: Mutex::default(),
            rewarded: AtomicBool::new(false),
            rewards: Mutex::default(),
        }
    }

    pub(crate) fn named(name: &str, options: &[(String, String)], tokens: SourceTokens) -> PyResult<Self> {
        Ok(MetricEngine::of_source(Arc::new(TokenSource::named(name, options, tokens)?), None))
    }

    pub(crate) fn panel(&self, ids: bool, sentence: bool) -> PyResult<Arc<Panel>> {
        // The four panels, in order: text, segments of text, ids, segments of ids.
        let place = usize::from(ids) * 2 + usize::from(sentence);
        if let Some(panel) = &self.lock()[place] {
            return Ok(panel.clone());
        }
        // The panel is built outside the lock: a metric in Python may call back into this engine.
        let panel = self.source.panel(ids, sentence)?;
        let panel = match &self.learned {
            Some(learned) => panel.second_pass(&learned.weights).or_raise()?,
            None => panel,
        };
        let panel = Arc::new(panel);
        // If two threads built the panel, both use the one that was stored first.
        Ok(self.lock()[place].get_or_insert(panel).clone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, [Option<Arc<Panel>>; 4]> {
        self.panels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a few segments in the calling thread, with the scratch memory of earlier calls.
    pub(crate) fn count_few(
        &self,
        py: Python<'_>,
        panel: &Panel,
        segments: &Segments<String>,
    ) -> PyResult<PanelState> {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is held only to take the scratch memory: a concurrent call gets fresh memory and does
        // not wait.
        let mut scratch = spare().take().unwrap_or_default();
        let counted = short(py, || {
            segments.with(0..segments.len(), |segments| {
                let mut state = Observed::zero(panel);
                for (number, segment) in (1..).zip(segments) {
                    let observed = state.observe(panel, &mut scratch, *segment);
                    observed.map_err(|error| error.at(Location::segment(number)))?;
                }
                Ok(state)
            })
        });
        *spare() = Some(scratch);
        counted
    }

    /// Returns the rewards of a few segments, computed in the calling thread with the memory of earlier calls.
    pub(crate) fn reward_few(
        &self,
        py: Python<'_>,
        panel: &Arc<Panel>,
        segments: &Segments<String>,
    ) -> PyResult<Vec<f32>> {
        let spare = || self.rewards.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rewards = spare().take().unwrap_or_else(|| Rewards::new(panel.clone()));
        let mut scores = vec![0.0; segments.len()];
        let scored = short(py, || {
            let references: Vec<_> = (0..segments.len()).map(|at| segments.references.get(at)).collect();
            rewards.per_group(&segments.hypotheses.all(), 1, &references, &mut scores)
        });
        *spare() = Some(rewards);
        scored.map(|()| scores)
    }

    /// Shows Python warnings about the texts that this metric has counted so far, such as texts without
    /// tokens.
    pub(crate) fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let panels = self.lock().clone();
        panels.iter().flatten().try_for_each(|panel| warn_of_counters(py, panel))
    }

    /// Returns `true` for the first batch of rewards under this metric, and `false` for later batches.
    pub(crate) fn is_first_batch(&self) -> bool {
        !self.rewarded.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn spec(&self) -> PyResult<MetricSpec> {
        self.source.spec()
    }

    /// Returns the metric's panel (set of metrics) without learned weights. Checks of the metric laws, such
    /// as independence of segment order, use this panel and learn weights from their own data.
    pub(crate) fn unlearned(&self) -> PyResult<Panel> {
        self.source.panel(self.for_ids(), false)
    }

    /// Returns `true` if the metric works on token ids instead of text: the user declared a vocabulary of
    /// ids, or the metric learned from ids.
    pub(crate) fn for_ids(&self) -> bool {
        self.learned.as_ref().is_some_and(|learned| learned.ids)
            || match &*self.source {
                TokenSource::Named { tokens, .. } => tokens.space.is_some(),
                TokenSource::Python { looks_at, .. } => *looks_at == LooksAt::Ids,
            }
    }

    /// Returns the metric for token ids (`Some(true)`), for text (`Some(false)`), or for the kind that
    /// [`Self::for_ids`] selects (`None`).
    pub(crate) fn metric_over(&self, ids: Option<bool>) -> PyResult<AnyMetric> {
        let panel = self.panel(ids.unwrap_or(self.for_ids()), false)?;
        metric_of(&panel).cloned().or_raise()
    }

    /// Returns the metric before a tokenizer is attached. Callers inspect what kind of data the metric takes:
    /// a tokenizer that the user chose for several metrics need not fit each of them.
    pub(crate) fn without_tokens(&self) -> PyResult<AnyMetric> {
        self.source.metric(false)
    }

    /// Returns the metric for states (accumulated statistics) with this state key. The metric works on token
    /// ids if the user declared ids, or if the metric supports ids and the key names no tokenizer.
    fn metric_of_key(&self, key: &str) -> PyResult<AnyMetric> {
        // A key of a part without tokens is the same over text and over ids, so the key alone does not
        // decide.
        let names_none = |key: StateKey| key.parts.iter().any(|part| part.space == TokenSpace::default());
        if self.for_ids() || !key.parse().is_ok_and(names_none) {
            return self.metric_over(None);
        }
        self.metric_over(Some(true)).or_else(|_| self.metric_over(Some(false)))
    }

    /// Returns the metric, for text or for ids, with which stored states (accumulated statistics) were
    /// computed.
    ///
    /// # Errors
    /// Returns an error if the stored states are from another metric.
    pub(crate) fn metric_of_stored(&self, stored: &StoredMetric) -> PyResult<AnyMetric> {
        let metric = self.metric_of_key(&stored.key)?;
        stored.require_of(&metric).or_raise()?;
        Ok(metric)
    }

    /// Returns the metric written in Python, set up to score Python objects instead of texts.
    pub(crate) fn over_objects(&self) -> PyResult<WrittenMetric> {
        self.source.with_object(|object| written(object, LooksAt::Objects))
    }

    pub(crate) fn is_python(&self) -> bool {
        matches!(&*self.source, TokenSource::Python { .. })
    }

    /// Returns the Python object that implements a metric written in Python. Returns `None` if the object no
    /// longer exists, because the engine holds only a weak reference.
    pub(crate) fn object(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &*self.source {
            TokenSource::Python { object, .. } => object.bind(py).upgrade().map(Bound::unbind),
            TokenSource::Named { .. } => None,
        }
    }

    pub(crate) fn plan(
        &self,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<WatchPlan> {
        let plan = WatchPlan::new(threads, progress)?;
        // The interpreter runs one thread at a time, so more would only wait.
        if self.is_python() { Ok(plan.single()) } else { Ok(plan) }
    }

    fn with_learned(&self, first: Panel, weights: PanelState, ids: bool) -> PyResult<Self> {
        let engine = MetricEngine::of_source(self.source.clone(), Some(Learned { first, weights, ids }));
        // Building the panel now reports weights that do not fit the metric.
        engine.panel(ids, false)?;
        Ok(engine)
    }

    fn first_pass(&self, ids: bool) -> PyResult<Panel> {
        let panel = self.source.panel(ids, false)?;
        panel.first_pass().ok_or_else(|| {
            let name = panel.identity().name();
            value(format!("{name} has no first pass over the references, so it learns nothing from them"))
        })
    }

    /// Creates the handle of a metric with the learned weights that `restore` reads. Weights are specific to
    /// text or to ids: the kind that the user declared is tried first, then the other kind.
    fn restored(&self, restore: impl Fn(&Panel) -> Result<PanelState>) -> PyResult<Self> {
        let of = |ids: bool| -> PyResult<Self> {
            let first = self.first_pass(ids)?;
            let weights = restore(&first).or_raise()?;
            self.with_learned(first, weights, ids)
        };
        let first = self.for_ids();
        // The first error is reported: it is about the kind that the user declared.
        of(first).or_else(|error| of(!first).map_err(|_| error))
    }
}

#[pymethods]
impl MetricEngine {
    #[new]
    #[pyo3(signature = (name, options, tokenize=None, lowercase=None, model=None, dictionary=None, space=None, norm=None))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn new(
        name: &str,
        options: ListedItems<(String, String)>,
        tokenize: Option<String>,
        lowercase: Option<bool>,
        model: Option<String>,
        dictionary: Option<String>,
        space: Option<String>,
        norm: Option<String>,
    ) -> PyResult<Self> {
        let tokens = SourceTokens::named(tokenize, lowercase, norm, [model, dictionary], space);
        let for_ids = tokens.space.is_some();
        let engine = MetricEngine::named(name, &options.0, tokens)?;
        // Configuration errors are raised now, not with the first data.
        engine.panel(for_ids, false)?;
        Ok(engine)
    }

    /// Creates the handle of a metric that is written in Python. With `own_tokens`, the user passes lists of
    /// tokens, and no tokenizer is used.
    #[staticmethod]
    #[pyo3(signature = (metric, own_tokens=false))]
    fn of_python(metric: &Bound<'_, PyAny>, own_tokens: bool) -> PyResult<Self> {
        let looks_at = looks_at(metric)?;
        let object = PyWeakrefReference::new(metric)?.unbind();
        let engine =
            MetricEngine::of_source(Arc::new(TokenSource::Python { object, looks_at, own_tokens }), None);
        engine.panel(engine.for_ids(), false)?;
        Ok(engine)
    }

    /// Returns the data type that the metric takes instead of text, such as spans, or None for metrics of
    /// text or ids.
    #[getter]
    pub(crate) fn form(&self) -> PyResult<Option<OwnForm>> {
        match &*self.source {
            TokenSource::Named { .. } => {
                let built = self.lock().iter().flatten().next().cloned();
                match built {
                    Some(panel) => Ok(OwnForm::from_metric(metric_of(&panel).or_raise()?)),
                    None => Ok(OwnForm::from_metric(&self.without_tokens()?)),
                }
            }
            TokenSource::Python { .. } => Ok(None),
        }
    }

    pub(crate) fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let panel = self.panel(self.for_ids(), false)?;
        let metric = metric_of(&panel).or_raise()?;
        let identity = metric.identity();
        let scale = metric.scale();
        let dict = PyDict::new(py);
        dict.set_item("metric", identity.metric())?;
        dict.set_item("name", identity.name())?;
        dict.set_item("state_key", metric.state_key().to_string())?;
        dict.set_item("signature", identity.signature(&Default::default()).to_string())?;
        dict.set_item("higher_is_better", scale.direction == bleuprint::contract::Direction::HigherIsBetter)?;
        dict.set_item("min", Some(scale.min).filter(|end| end.is_finite()))?;
        dict.set_item("max", Some(scale.max).filter(|end| end.is_finite()))?;
        dict.set_item("needs_references", identity.needs().references)?;
        dict.set_item("needs_sources", identity.needs().source)?;
        dict.set_item("two_passes", metric.first_pass().is_some())?;
        dict.set_item("columns", metric.require_rows("have columns").is_ok().then(|| column_names(metric)))?;
        Ok(dict)
    }

    /// Counts one segment of text and returns the metric's state, its accumulated statistics. `None` in
    /// `references` marks a missing reference.
    fn observe_one(&self, hypothesis: &Bound<'_, PyAny>, references: &Bound<'_, PyAny>) -> PyResult<PyState> {
        let mut texts = Texts::default();
        push_text(&mut texts, hypothesis, ValuePlace::new("hypothesis"))?;
        for (index, reference) in references.try_iter()?.enumerate() {
            let reference = reference?;
            if !reference.is_none() {
                push_text(&mut texts, &reference, ValuePlace::new("references").at(index))?;
            }
        }
        let panel = self.panel(false, false)?;
        let all = texts.all();
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = spare().take().unwrap_or_default();
        let state =
            Observed::of_segment(&*panel, &mut scratch, Segment::new(all[0], &all[1..])).or_raise()?;
        *spare() = Some(scratch);
        warn_of_counters(hypothesis.py(), &panel)?;
        PyState::from_panel(&panel, &state).or_raise()
    }

    #[pyo3(signature = (data, *, threads=None, progress=None))]
    fn learn(
        &self,
        py: Python<'_>,
        data: &SequenceData,
        threads: Option<WholeNumber>,
        progress: Option<ProgressArgument>,
    ) -> PyResult<Self> {
        let first = self.first_pass(data.is_ids())?;
        if data.input.len() == 0 {
            return Err(value("there are no references to learn from"));
        }
        let weights = total(py, &self.plan(threads, progress)?, &first, &data.input)?;
        self.with_learned(first, weights, data.is_ids())
    }

    fn read_learned(&self, path: PathBuf) -> PyResult<Self> {
        self.restored(|first| first.read_learned(&path))
    }

    fn restore_learned(&self, bytes: &[u8]) -> PyResult<Self> {
        self.restored(|first| first.restore_learned(bytes))
    }

    fn write_learned(&self, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let path = new_file(path, overwrite)?;
        match &self.learned {
            Some(learned) => learned.first.write_learned(&learned.weights, path).or_raise(),
            None => Err(value("nothing was learned, so there is nothing to save: see `learn`")),
        }
    }

    fn learned<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.learned.as_ref().map(|learned| learned.first.learned_to_vec(&learned.weights));
        Ok(bytes.transpose().or_raise()?.map(|bytes| PyBytes::new(py, &bytes)))
    }

    #[pyo3(signature = (ids=None))]
    fn zero(&self, ids: Option<bool>) -> PyResult<PyState> {
        let metric = self.metric_over(ids)?;
        let state = AnyState::zero(&metric);
        Ok(PyState::new(metric, state))
    }

    /// Returns a metric's state (accumulated statistics) as bytes, in the format of `bleuprint.tables.state`.
    /// Learned weights are left out, because the metric has them.
    fn write<'py>(&self, py: Python<'py>, state: &PyState) -> PyResult<Bound<'py, PyBytes>> {
        let metric = &*state.metric;
        let mut header = Header::of_metric(self.spec()?.name(), metric).or_raise()?;
        header.metrics[0].learned = None;
        // The bytes hold one total, not a state per segment.
        header.each = false;
        OpenedStates { header, metric: metric.clone(), state: state.state.clone() }.to_bytes(py)
    }

    fn read(&self, bytes: &[u8]) -> PyResult<PyState> {
        let OpenedStates { metric, state, .. } = OpenedStates::read(bytes, "the state", Some(self))?;
        Ok(PyState::new(metric, state))
    }

    /// Returns an error if the state (accumulated statistics) is from a different metric.
    fn require(&self, state: &PyState) -> PyResult<()> {
        let like = |ids| self.metric_over(Some(ids))?.state_key().require_equal(state.state.key()).or_raise();
        like(false).or_else(|error| like(true).map_err(|_| error))
    }

    #[pyo3(signature = (row, ids=None))]
    fn read_row(&self, row: ListedItems<u64>, ids: Option<bool>) -> PyResult<PyState> {
        let metric = self.metric_over(ids)?;
        let state = AnyState::from_row(&metric, &row.0).or_raise()?;
        Ok(PyState::new(metric, state))
    }
}

/// Converts a state (accumulated statistics) that was read from a file to a state of `metric`, by merging it
/// into the metric's zero state. Metrics written in Python need this.
pub(crate) fn known(metric: &AnyMetric, read: &AnyState) -> Result<AnyState> {
    let mut state = AnyState::zero(metric);
    state.merge(read)?;
    Ok(state)
}

pub(crate) fn texts(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Texts> {
    match sequences(object, ValuePlace::new(name))? {
        ListSequences::Texts(texts) => Ok(texts),
        ListSequences::Ids(_) => Err(type_error(format!("{name} are ids, but must be text"))),
    }
}
