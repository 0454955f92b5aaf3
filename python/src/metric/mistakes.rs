//! Shows Python warnings about likely mistakes in the texts that a user gives. `bleuprint::eval::LikelyMistakes`
//! has the rules and messages, as on the command line.

use std::sync::{Mutex, PoisonError};

use bleuprint::Metric as _;
use bleuprint::eval::{LikelyMistake, LikelyMistakes, MistakeWording, Panel, unreached_order, zero_weights};
use bleuprint::{AnyScore, Observe, Segment};
use pyo3::prelude::*;

use crate::errors::warn;
use crate::segments::lists::ListInput;

/// Number of segments that are read from the Python lists and examined at a time.
const PART: usize = 256;

/// Largest number of references that are scored against themselves, to find metrics whose learned weights are
/// all 0.
const SELF_SCORED: usize = 8;

/// Smallest number of segments of a corpus, of which metrics make remarks such as that a label is absent.
const FEW_SEGMENTS: usize = 10;

/// Names of metrics whose references are short answers. For them, references of one word are usual and give
/// no warning.
const ANSWERS: [&str; 8] =
    ["squad", "exact_match", "quasi_exact_match", "anls", "drop", "labels", "maj", "edit_similarity"];

/// Examination of the texts of several calls, such as the batches of an accumulator, for likely mistakes.
/// Each kind of mistake is reported once.
#[pyclass(frozen, module = "bleuprint._native", name = "Signs")]
pub(crate) struct InputSigns {
    /// `true` if only the texts of the first call are examined.
    first: bool,
    heard: Mutex<HeardSigns>,
}

struct HeardSigns {
    mistakes: LikelyMistakes,
    /// Names of the rules whose warnings were already shown, such as `script`.
    told: Vec<&'static str>,
    calls: u64,
    /// Number of segments in all calls.
    segments: u64,
    /// Number of segments from which on the counts are examined again.
    next: u64,
    /// Metrics of the batches, if [`InputSigns::tell`] has to look at them again; otherwise `None`.
    panel: Option<Panel>,
}

impl Default for InputSigns {
    fn default() -> Self {
        InputSigns::new(false)
    }
}

#[pymethods]
impl InputSigns {
    #[new]
    #[pyo3(signature = (first=false))]
    fn new(first: bool) -> Self {
        let mistakes = LikelyMistakes::new(u64::MAX);
        InputSigns {
            first,
            heard: Mutex::new(HeardSigns {
                mistakes,
                told: Vec::new(),
                calls: 0,
                segments: 0,
                next: 0,
                panel: None,
            }),
        }
    }

    /// Shows a Python warning for each likely mistake that the calls so far have not shown.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.tell(py)
    }

    /// Returns what `pickle` needs to create a copy. The copy starts without findings, because findings are
    /// about the texts of one process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (bool,))> {
        Ok((py.import("bleuprint._native")?.getattr("Signs")?, (self.first,)))
    }
}

impl InputSigns {
    fn find(&self, panel: &Panel, input: &ListInput) -> Vec<LikelyMistake> {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.calls += 1;
        if self.first && heard.calls > 1 {
            return Vec::new();
        }
        look_at(&mut heard.mistakes, input);
        heard.segments += input.len() as u64;
        let is_left = heard.segments < heard.next;
        if is_left || panel.metrics().any(|metric| metric.view.remarks.is_made()) {
            heard.panel.get_or_insert_with(|| panel.clone());
        }
        if is_left { Vec::new() } else { heard.found(panel) }
    }

    /// Counts a batch and shows no warning. [`InputSigns::tell`] later shows the warnings for all batches.
    pub(crate) fn keep(&self, panel: &Panel, input: &ListInput) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        look_at(&mut heard.mistakes, input);
        heard.segments += input.len() as u64;
        heard.panel.get_or_insert_with(|| panel.clone());
    }

    /// Shows a Python warning for each likely mistake that is left: in batches that have been counted but not
    /// examined, and in the remarks of metrics about all batches.
    pub(crate) fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let (panel, found) = {
            let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(panel) = heard.panel.take() else { return Ok(()) };
            let mut found = heard.found(&panel);
            found.extend(heard.found_by_metrics(&panel));
            (panel, found)
        };
        tell(py, &panel, &found)
    }
}

impl HeardSigns {
    /// Returns the likely mistakes of all texts so far, without those that were returned before.
    fn found(&mut self, panel: &Panel) -> Vec<LikelyMistake> {
        // The counts of small batches are examined again after an eighth more segments: the examination costs as much
        // as the score of a short segment.
        self.next = self.segments + self.segments / 8;
        let mut found = self.mistakes.found(Some(panel), &[], MistakeWording::Python);
        found.retain(|mistake| !self.told.contains(&mistake.rule));
        self.told.extend(found.iter().map(|mistake| mistake.rule));
        found
    }

    /// Returns the remarks of the metrics about all segments so far, if there are enough and none was returned
    /// before.
    fn found_by_metrics(&mut self, panel: &Panel) -> Vec<LikelyMistake> {
        if self.segments < FEW_SEGMENTS as u64 {
            return Vec::new();
        }
        let mut found = LikelyMistake::of_data(panel.metrics());
        found.retain(|mistake| !self.told.contains(&mistake.rule));
        self.told.extend(found.iter().map(|mistake| mistake.rule));
        found
    }
}

/// Examines the texts of a call, which the metrics of `panel` have already scored, and shows a Python warning
/// for each likely mistake. If `signs` is given, the texts of earlier calls with it count too.
pub(crate) fn warn_of_input(
    py: Python<'_>,
    panel: &Panel,
    input: &ListInput,
    signs: Option<&InputSigns>,
) -> PyResult<()> {
    let found = match signs {
        Some(signs) => signs.find(panel, input),
        None => {
            let mut mistakes = LikelyMistakes::new(input.len() as u64).for_metrics_of(panel);
            look_at(&mut mistakes, input);
            let mut found = mistakes.found(Some(panel), &[], MistakeWording::Python);
            // A label that a few segments lack can be in the others.
            if input.len() >= FEW_SEGMENTS {
                found.extend(LikelyMistake::of_data(panel.metrics()));
            }
            found
        }
    };
    tell(py, panel, &found)
}

/// Shows a Python warning for each likely mistake in the texts of a pool: texts that are scored against each
/// other.
pub(crate) fn warn_of_pool<'t>(
    py: Python<'_>,
    panel: &Panel,
    texts: impl Iterator<Item = &'t str>,
) -> PyResult<()> {
    let mut mistakes = LikelyMistakes::new(0);
    texts.for_each(|text| mistakes.look_at_pool(&[text]));
    tell(py, panel, &mistakes.found(Some(panel), &[], MistakeWording::Python))
}

/// Shows a Python warning if tokenizers or normalizers of the panel emptied texts. It reads their counters
/// and examines no text.
pub(crate) fn warn_of_counters(py: Python<'_>, panel: &Panel) -> PyResult<()> {
    tell(py, panel, &LikelyMistakes::new(0).found(Some(panel), &[], MistakeWording::Python))
}

/// Shows a Python warning for each likely mistake in `found`. The warning about references of one word is
/// left out if all metrics expect short answers ([`ANSWERS`]).
pub(crate) fn tell(py: Python<'_>, panel: &Panel, found: &[LikelyMistake]) -> PyResult<()> {
    let is_answer = |name: &str| ANSWERS.iter().any(|answer| name.starts_with(answer));
    let answers = || panel.metrics().all(|metric| is_answer(metric.identity().metric()));
    let told = found.iter().filter(|mistake| mistake.rule != "words" || !answers());
    told.into_iter().try_for_each(|mistake| warn(py, &mistake.message))
}

/// Shows a Python warning if a score is 0 only because every hypothesis has fewer tokens than the highest
/// n-gram order.
pub(crate) fn warn_of_score(py: Python<'_>, score: &AnyScore) -> PyResult<()> {
    unreached_order(score, MistakeWording::Python).map_or(Ok(()), |mistake| warn(py, &mistake.message))
}

/// Shows a Python warning for each metric of the panel that learned only weights of 0 from these references.
pub(crate) fn warn_of_weights(py: Python<'_>, panel: &Panel, input: &ListInput) -> PyResult<()> {
    let sample = 0..input.len().min(SELF_SCORED);
    let names = match input {
        ListInput::Texts(segments) => segments.with(sample, |segments| of_copies(panel, segments)),
        ListInput::Ids(segments) => segments.with(sample, |segments| of_copies(panel, segments)),
        ListInput::Own(_) => Vec::new(),
    };
    names.iter().try_for_each(|name| {
        warn(py, &LikelyMistake::of_zero_weights(name, input.len(), MistakeWording::Python).message)
    })
}

fn of_copies<S: ?Sized>(panel: &Panel, segments: &[Segment<'_, S>]) -> Vec<String>
where
    Panel: Observe<S>,
{
    zero_weights(panel, segments.iter().filter_map(|segment| segment.references.first().copied()))
}

fn look_at(mistakes: &mut LikelyMistakes, input: &ListInput) {
    let ListInput::Texts(segments) = input else { return };
    let mut look = |segments: &[Segment<'_, str>]| {
        segments.iter().for_each(|segment| mistakes.look_at(&[segment.hypothesis], segment.references));
    };
    for start in (0..segments.len()).step_by(PART) {
        segments.with(start..segments.len().min(start + PART), &mut look);
    }
}
