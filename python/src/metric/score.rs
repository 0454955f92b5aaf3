//! `Score`: a metric's score, with its details, such as precisions, and its signature.

use std::sync::{Arc, OnceLock};

use bleuprint::eval::{Panel, PanelStats};
use bleuprint::report::{LineStyle, decimals, verbose};
use bleuprint::{
    AnyMetric, AnyScore, InputError, InputErrorKind, Metric as _, Result, Scale, Scored, SegmentCounts,
    Signature, State, Stats as _,
    contract::{AnyStats, Direction, PartValue},
};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::{Deserialize, Serialize};

use crate::errors::{OrRaise as _, raised_in_python, type_error, value};
use crate::values::count::WholeNumber;

/// All values of a score, in types that can be pickled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ScoreData {
    name: String,
    #[serde(deserialize_with = "number_or_nan")]
    value: f64,
    min: Option<f64>,
    max: Option<f64>,
    percent: bool,
    higher_is_better: bool,
    headlines: Vec<(String, f64)>,
    parts: Vec<(String, ScorePartValue)>,
    /// Details printed after the score, such as `50.0/25.0 (BP = 1.000)`.
    verbose: Option<String>,
    signature: Signature,
    short: String,
    /// Reason why there is no score; `None` for a score. The value is then NaN.
    #[serde(default)]
    error: Option<String>,
}

/// Reads a number that JSON writes as `null`, because it is NaN.
fn number_or_nan<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum ScorePartValue {
    Count(u64),
    Counts(Vec<u64>),
    Number(f64),
    Numbers(Vec<f64>),
    Points(Vec<(f64, f64)>),
    Pairs(Vec<(String, String, u64)>),
}

impl ScorePartValue {
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            ScorePartValue::Count(count) => count.into_pyobject(py)?.into_any(),
            ScorePartValue::Counts(counts) => counts.clone().into_pyobject(py)?.into_any(),
            ScorePartValue::Number(number) => number.into_pyobject(py)?.into_any(),
            ScorePartValue::Numbers(numbers) => numbers.clone().into_pyobject(py)?.into_any(),
            ScorePartValue::Points(points) => points.clone().into_pyobject(py)?.into_any(),
            ScorePartValue::Pairs(pairs) => pairs.clone().into_pyobject(py)?.into_any(),
        })
    }
}

/// Score of a corpus or a segment: the number, its details (called parts), and its signature.
///
/// Each part is also an attribute, as in `score.precisions`; `to_dict()` returns all parts. A score
/// formats, rounds, compares and sorts as its number: `f"{score:.2f}"`, `round(score, 1)`, `score > 30`,
/// `max(scores)`.
#[pyclass(frozen, module = "bleuprint", name = "Score")]
pub(crate) struct PyScore {
    value: f64,
    content: ScoreContent,
}

enum ScoreContent {
    Made(Box<ScoreData>),
    /// Score whose details are computed on first access: most users need only the number.
    Lazy(Box<LazyScore>, OnceLock<Box<ScoreData>>),
}

enum LazyScore {
    /// Counts of which only the number has been computed. There are many such scores of segments.
    Counted(PyCounted),
    Scored(Scored<AnyScore>),
}

/// Row of counts of a segment or a corpus, for the metric at index `metric` of the panel (set of metrics).
struct PyCounted {
    panel: Arc<Panel>,
    metric: usize,
    counts: SegmentCounts,
    stats: AnyStats,
}

impl ScoreData {
    fn new(Scored { score, signature }: Scored<AnyScore>) -> Self {
        let verbose = verbose(&score.parts);
        let finite = |end: f64| end.is_finite().then_some(end);
        let part = |part: bleuprint::contract::ScorePart| {
            let value = match part.value {
                PartValue::Count(count) => ScorePartValue::Count(count),
                PartValue::Counts(counts) => ScorePartValue::Counts(counts),
                PartValue::Number(number) => ScorePartValue::Number(number),
                PartValue::Numbers(numbers) => ScorePartValue::Numbers(numbers),
                PartValue::Points(points) => ScorePartValue::Points(points),
                PartValue::Pairs(pairs) => ScorePartValue::Pairs(pairs),
            };
            (part.key.into_owned(), value)
        };
        ScoreData {
            name: score.name,
            value: score.value,
            min: finite(score.scale.min),
            max: finite(score.scale.max),
            percent: score.scale.percent,
            higher_is_better: score.scale.direction == Direction::HigherIsBetter,
            headlines: score.headlines.into_iter().map(|(name, value)| (name.into_owned(), value)).collect(),
            parts: score.parts.into_iter().map(part).collect(),
            verbose,
            short: signature.short(),
            signature,
            error: None,
        }
    }

    /// Returns the data of a segment or a group without a score, such as an error rate without reference words.
    fn without_score(metric: &AnyMetric, error: &InputError) -> Self {
        let name = metric.identity().heading();
        let scored = AnyScore::new(name, f64::NAN, metric.scale());
        let signature = metric.identity().signature(&SegmentCounts::default());
        let data = ScoreData::new(Scored { score: scored, signature });
        ScoreData { error: Some(error.to_string()), headlines: Vec::new(), ..data }
    }

    fn shown(&self, number: f64, width: usize) -> String {
        let scale = if self.percent { Scale::PERCENT } else { Scale::UNIT };
        format!("{number:.*}", decimals(&scale, LineStyle { decimals: width, short: false }))
    }
}

impl PyCounted {
    fn scored(&self) -> Result<Scored<AnyScore>> {
        let state = |metric| State::from_stats(metric, self.counts, self.stats.clone())?.score(metric);
        self.panel
            .metrics()
            .nth(self.metric)
            .map(state)
            .unwrap_or_else(|| Err(InputErrorKind::EmptyCorpus.into()))
    }
}

impl PyScore {
    pub(crate) fn new(scored: Scored<AnyScore>) -> Self {
        PyScore::lazy(scored.score.value, LazyScore::Scored(scored))
    }

    fn lazy(value: f64, score: LazyScore) -> Self {
        PyScore { value, content: ScoreContent::Lazy(Box::new(score), OnceLock::new()) }
    }

    fn made(data: ScoreData) -> Self {
        PyScore { value: data.value, content: ScoreContent::Made(Box::new(data)) }
    }

    /// Returns `true` if the main number is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.value == 0.0
    }

    /// Calls `look` with the score and its details, if it was computed by this call of Python.
    pub(crate) fn with_score(&self, look: impl FnOnce(&AnyScore) -> PyResult<()>) -> PyResult<()> {
        match &self.content {
            ScoreContent::Made(_) => Ok(()),
            ScoreContent::Lazy(score, _) => match &**score {
                LazyScore::Counted(counted) => look(&counted.scored().or_raise()?.score),
                LazyScore::Scored(scored) => look(&scored.score),
            },
        }
    }

    /// Returns the score of these statistics under each metric of a panel (set of metrics). Its details are
    /// computed from the counts on first access, or at once if `lasting` is `false`: a metric written in Python
    /// may be dropped before.
    pub(crate) fn of_stats(
        panel: &Arc<Panel>,
        lasting: bool,
        counts: SegmentCounts,
        stats: PanelStats,
    ) -> Result<Vec<Self>> {
        PyScore::each_of_stats(panel, lasting, counts, stats).into_iter().map(|(_, score)| score).collect()
    }

    /// Returns the scores of a segment like [`PyScore::of_stats`], with a score without a number for a metric that
    /// has none.
    pub(crate) fn of_segment(
        panel: &Arc<Panel>,
        lasting: bool,
        counts: SegmentCounts,
        stats: PanelStats,
    ) -> Result<Vec<Self>> {
        let each = PyScore::each_of_stats(panel, lasting, counts, stats).into_iter();
        // The exception of a metric written in Python is raised as it is.
        each.map(|(metric, score)| score.or_else(|error| PyScore::without_score(metric, lasting, error)))
            .collect()
    }

    fn each_of_stats(
        panel: &Arc<Panel>,
        lasting: bool,
        counts: SegmentCounts,
        stats: PanelStats,
    ) -> Vec<(&AnyMetric, Result<Self>)> {
        let score = |(number, (metric, stats)): (usize, (&AnyMetric, AnyStats))| {
            // Statistics that are not rows may be large, so they are not kept. Of several numbers, each can be
            // the reason for an error, so all of them are computed now.
            if lasting && stats.is_row() && metric.headline_names().len() == 1 {
                let value = metric.number(&stats, &counts)?;
                if value.is_finite() {
                    let counted = PyCounted { panel: panel.clone(), metric: number, counts, stats };
                    return Ok(PyScore::lazy(value, LazyScore::Counted(counted)));
                }
            }
            State::from_stats(metric, counts, stats)?.score(metric).map(PyScore::new)
        };
        let each = panel.metrics().zip(stats.members).enumerate();
        each.map(|(number, (metric, stats))| (metric, score((number, (metric, stats))))).collect()
    }

    /// Returns the score of a row of a run: a segment or a group. A row without a score has an error in place of
    /// the number, as in the program.
    pub(crate) fn of_row(metric: &AnyMetric, scored: Result<Scored<AnyScore>>) -> PyResult<Self> {
        match scored.map(PyScore::new) {
            Ok(score) => Ok(score),
            Err(error) => match raised_in_python(&error) {
                Some(raised) => Err(raised),
                None => PyScore::without_score(metric, true, error).or_raise(),
            },
        }
    }

    /// Returns a score without a number if `error` says that there is none and `told` is `true`; otherwise returns
    /// the error.
    fn without_score(metric: &AnyMetric, told: bool, error: InputError) -> Result<Self> {
        match error.kind() {
            InputErrorKind::NoScore { .. } if told => {
                Ok(PyScore::made(ScoreData::without_score(metric, &error)))
            }
            _ => Err(error),
        }
    }

    fn data(&self) -> PyResult<&ScoreData> {
        let (score, made) = match &self.content {
            ScoreContent::Made(data) => return Ok(data),
            ScoreContent::Lazy(score, made) => (score, made),
        };
        if let Some(data) = made.get() {
            return Ok(data);
        }
        let scored = match &**score {
            LazyScore::Counted(counted) => counted.scored().or_raise()?,
            LazyScore::Scored(Scored { score, signature }) => {
                Scored { score: score.clone(), signature: signature.clone() }
            }
        };
        // Another thread may be faster; its content is equal.
        let data = Box::new(ScoreData::new(scored));
        Ok(made.get_or_init(|| data))
    }

    /// Compares the score's number with a Python number, as Python compares floats. Returns `NotImplemented`
    /// for other types.
    fn compared(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        operation: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let name = match operation {
            CompareOp::Lt => "__lt__",
            CompareOp::Le => "__le__",
            CompareOp::Eq => "__eq__",
            CompareOp::Ne => "__ne__",
            CompareOp::Gt => "__gt__",
            CompareOp::Ge => "__ge__",
        };
        Ok(self.value.into_pyobject(py)?.call_method1(name, (other,))?.unbind())
    }
}

#[pymethods]
impl PyScore {
    /// Returns the name under which the score is printed, as in `BLEU`.
    #[getter]
    fn name(&self) -> PyResult<&str> {
        Ok(&self.data()?.name)
    }

    /// Returns the score's number, unrounded. If a metric has several headline numbers, returns the first.
    #[getter]
    fn score(&self) -> f64 {
        self.value
    }

    /// Returns the reason why a segment or a group has no score, whose number is then NaN. Returns None for a
    /// score.
    #[getter]
    fn error(&self) -> PyResult<Option<&str>> {
        Ok(self.data()?.error.as_deref())
    }

    /// Returns the signature, which names everything that the score depends on, except the data.
    #[getter]
    fn signature(&self) -> PyResult<String> {
        Ok(self.data()?.signature.to_string())
    }

    /// Returns the short form of the signature, without the metric's name.
    #[getter]
    fn short_signature(&self) -> PyResult<&str> {
        Ok(&self.data()?.short)
    }

    /// Returns True if a higher score is better.
    #[getter]
    fn higher_is_better(&self) -> PyResult<bool> {
        Ok(self.data()?.higher_is_better)
    }

    /// Returns the smallest and the largest value that the metric can give; `None` means no limit.
    #[getter]
    fn range(&self) -> PyResult<(Option<f64>, Option<f64>)> {
        let data = self.data()?;
        Ok((data.min, data.max))
    }

    /// Returns a dict of the metric's headline numbers by name. Most metrics have one, `score`.
    #[getter]
    fn headlines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.data()?.headlines.iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
        Ok(dict)
    }

    /// Returns a dict of the score's details by name, such as BLEU's precisions.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.data()?.parts.iter().try_for_each(|(name, part)| dict.set_item(name, part.to_python(py)?))?;
        Ok(dict)
    }

    /// Returns everything as a dict: name, score, signature, headline numbers if there are several, and
    /// details such as precisions.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let data = self.data()?;
        dict.set_item("name", &data.name)?;
        match &data.error {
            None => dict.set_item("score", self.value)?,
            Some(error) => dict.set_item("error", error)?,
        }
        dict.set_item("signature", data.signature.to_string())?;
        if data.headlines.len() > 1 {
            data.headlines.iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
        }
        data.parts.iter().try_for_each(|(name, part)| dict.set_item(name, part.to_python(py)?))?;
        Ok(dict)
    }

    /// Returns the score as one line of text, `NAME|signature = number details`. `width` is the number of
    /// decimals; `short` selects the short signature.
    #[pyo3(signature = (width=WholeNumber(2), short=false))]
    fn format(&self, width: WholeNumber, short: bool) -> PyResult<String> {
        let width = width.at_most("width", 17)?;
        let data = self.data()?;
        let ScoreData { short: short_signature, signature, verbose, error, .. } = data;
        if let Some(error) = error {
            return Ok(error.clone());
        }
        // The name is that of the signature, as in every other interface. Tables use the name of the number.
        let name = signature.metric();
        let signature = if short { short_signature.clone() } else { signature.body() };
        let behind = verbose.as_ref().map_or_else(String::new, |verbose| format!(" {verbose}"));
        Ok(format!("{name}|{signature} = {}{behind}", data.shown(self.value, width)))
    }

    fn __repr__(&self) -> PyResult<String> {
        self.format(WholeNumber(2), false)
    }

    fn __float__(&self) -> f64 {
        self.value
    }

    // A sum of scores has no meaning, but would look like one; the error names the correct way.
    fn __add__(&self, _other: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(type_error(
            "scores do not add up: add accumulators, as in `sum(accumulators).compute()`; a mean of scores of sentences is \
             `statistics.fmean(scores)`",
        ))
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.__add__(other)
    }

    fn __format__<'py>(&self, py: Python<'py>, spec: &str) -> PyResult<Bound<'py, PyAny>> {
        // Without a format, as in `f"{score}"`, the whole line is shown, as for `str(score)`.
        if spec.is_empty() {
            return Ok(self.__repr__()?.into_pyobject(py)?.into_any());
        }
        self.value.into_pyobject(py)?.call_method1("__format__", (spec,))
    }

    #[pyo3(signature = (digits=None))]
    fn __round__<'py>(&self, py: Python<'py>, digits: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        self.value.into_pyobject(py)?.call_method1("__round__", (digits,))
    }

    /// Compares two scores. Two scores are equal if their numbers and all details are equal; `<` and `>`
    /// compare the numbers.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let holds = match (other.cast::<PyScore>(), operation) {
            // Equality includes parts and signature, so equal numbers of different metrics are different
            // scores.
            (Ok(other), CompareOp::Eq) => self.data()? == other.get().data()?,
            (Ok(other), CompareOp::Ne) => self.data()? != other.get().data()?,
            (Ok(other), _) => {
                return self.compared(py, other.get().value.into_pyobject(py)?.as_any(), operation);
            }
            (Err(_), _) => return self.compared(py, other, operation),
        };
        Ok(holds.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    // Equal scores have equal numbers, so the hash of the number is valid.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.value.into_pyobject(py)?.hash()
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let data = self.data()?;
        // Python calls `__getattr__` only if no attribute was found, so a part never hides a method.
        let part = data.parts.iter().find(|(known, _)| known == name);
        if let Some((_, part)) = part {
            return part.to_python(py);
        }
        if let Some((_, value)) = data.headlines.iter().find(|(known, _)| known == name) {
            return Ok(value.into_pyobject(py)?.into_any());
        }
        let known: Vec<&str> = data.parts.iter().map(|(name, _)| name.as_str()).collect();
        Err(PyAttributeError::new_err(format!(
            "a score of {} has no part `{name}`; it has: {}",
            data.name,
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        )))
    }

    fn __dir__(&self) -> PyResult<Vec<String>> {
        let own = [
            "name",
            "score",
            "signature",
            "short_signature",
            "higher_is_better",
            "range",
            "headlines",
            "parts",
            "to_dict",
            "format",
        ];
        let parts = self.data()?.parts.iter().map(|(name, _)| name.clone());
        Ok(own.into_iter().map(str::to_owned).chain(parts).collect())
    }

    /// Returns the score as an HTML table, which notebooks display.
    fn _repr_html_(&self) -> PyResult<String> {
        let data = self.data()?;
        let cell = |part: &ScorePartValue| match part {
            ScorePartValue::Count(count) => count.to_string(),
            ScorePartValue::Counts(counts) => {
                counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" / ")
            }
            ScorePartValue::Number(number) => format!("{number:.4}"),
            ScorePartValue::Numbers(numbers) => {
                numbers.iter().map(|number| format!("{number:.2}")).collect::<Vec<_>>().join(" / ")
            }
            ScorePartValue::Points(points) => {
                points.iter().map(|(x, y)| format!("{x}: {y:.2}")).collect::<Vec<_>>().join(" / ")
            }
            ScorePartValue::Pairs(pairs) => {
                let pair = |(one, other, count): &(String, String, u64)| format!("{one} as {other}: {count}");
                pairs.iter().map(pair).collect::<Vec<_>>().join(" / ")
            }
        };
        let row =
            |name: &str, text: &str| format!("<tr><th>{}</th><td>{}</td></tr>", escape(name), escape(text));
        let shown = data.error.clone().unwrap_or_else(|| data.shown(self.value, 2));
        let mut rows = row(&data.name, &shown);
        if data.headlines.len() > 1 {
            rows.extend(data.headlines.iter().map(|(name, value)| row(name, &data.shown(*value, 2))));
        }
        rows.extend(data.parts.iter().map(|(name, part)| row(name, &cell(part))));
        rows.push_str(&row("signature", &data.signature.body()));
        Ok(format!("<table>{rows}</table>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = serde_json::to_vec(self.data()?).map_err(value)?;
        let restore = py.import("bleuprint._native")?.getattr("restore_score")?;
        Ok((restore, (PyBytes::new(py, &bytes),)))
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[pyfunction]
pub(crate) fn restore_score(bytes: &[u8]) -> PyResult<PyScore> {
    let data =
        serde_json::from_slice(bytes).map_err(|error| value(format!("these bytes are no score: {error}")))?;
    Ok(PyScore::made(data))
}
