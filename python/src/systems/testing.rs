//! Reads the settings of confidence intervals, significance tests and comparisons from Python, runs them, and
//! returns their results.

use bleuprint::contract::{Choice, MetricOptions, MetricSpec};
use bleuprint::eval::evaluation::{CompareRequest, Run};
use bleuprint::inference::{
    Correction, Design, Interval, Power, Precision, ResamplePlan as Resampling, Test, Tested,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Value, json};

use crate::errors::{OrRaise as _, value, warn};
use crate::run::{WatchPlan, whole};
use crate::systems::show::shown;
use crate::values::count::WholeNumber;

/// Largest number of resamples that a user may request. A higher number is likely a mistake, and its scores
/// would not fit in memory.
const MOST_RESAMPLES: usize = 10_000_000;

pub(crate) struct TestArguments<'a> {
    /// Name of the significance test, `bootstrap` or `randomization`. With `None`, a closed formula is used
    /// for rates and for means over units, and the bootstrap otherwise.
    pub(crate) test: Option<&'a str>,
    /// Number of bootstrap resamples or randomization trials; `None` for the default of the test.
    pub(crate) n: Option<WholeNumber>,
    pub(crate) seed: WholeNumber,
    pub(crate) plan: WatchPlan,
}

impl TestArguments<'_> {
    fn test(&self) -> PyResult<(Option<Test>, Resampling)> {
        let (test, default) = match self.test {
            None => (None, Resampling::RESAMPLES),
            Some("bootstrap") => (Some(Test::Bootstrap), Resampling::RESAMPLES),
            Some("randomization") => (Some(Test::Randomization), Resampling::TRIALS),
            Some(test) => {
                return Err(value(format!(
                    "unknown test `{test}`; expected one of: bootstrap, randomization"
                )));
            }
        };
        Ok((test, resampling(self.n.unwrap_or(WholeNumber(default as u64)), self.seed)?))
    }
}

pub(crate) fn resampling(count: WholeNumber, seed: WholeNumber) -> PyResult<Resampling> {
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

fn interval_dict<'py>(py: Python<'py>, interval: &Interval) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    dict.set_item("mean", interval.mean)?;
    dict.set_item("lower", interval.lower)?;
    dict.set_item("upper", interval.upper)?;
    dict.set_item("half_width", interval.half_width)?;
    shown(py, "Interval", (dict,))
}

pub(crate) fn intervals<'py>(
    py: Python<'py>,
    run: &Run,
    metric: usize,
    (n, seed): (WholeNumber, WholeNumber),
    precision: &str,
    plan: &WatchPlan,
) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
    let (resamples, precision) = (resampling(n, seed)?, precision_of(precision)?);
    run.unit_note().or_raise()?.map_or(Ok(()), |note| warn(py, &note))?;
    let tested = whole(py, plan, |_| run.confidence(metric, resamples, precision))?;
    warn_of(py, &tested)?;
    tested
        .iter()
        .map(|tested| tested.interval.map(|interval| interval_dict(py, &interval)).transpose())
        .collect()
}

/// Raises Python warnings: one for each caution about a confidence interval, and one if resamples without a
/// score were drawn again.
fn warn_of(py: Python<'_>, tested: &[Tested]) -> PyResult<()> {
    let mut notes: Vec<String> = Vec::new();
    for Tested { redrawn, caution, .. } in tested {
        let share = 100.0 * redrawn;
        let note = match caution {
            Some(caution) => caution.to_string(),
            None if *redrawn > 0.0 => {
                format!("{share:.1} % of the resamples had no score, and were drawn again")
            }
            None => continue,
        };
        // Several systems often have the same caution, which is reported once.
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes.iter().try_for_each(|note| warn(py, note))
}

/// Tests every system against the first system, the baseline. `confidence` is the number of resamples from
/// which a randomization test computes the intervals of scores.
pub(crate) fn paired<'py>(
    py: Python<'py>,
    run: &Run,
    metric: usize,
    request: &TestArguments<'_>,
    precision: &str,
    confidence: Option<WholeNumber>,
) -> PyResult<Bound<'py, PyAny>> {
    let (test, plan) = request.test()?;
    let test = test.unwrap_or(Test::Bootstrap);
    let precision = precision_of(precision)?;
    let resamples = confidence.map(|count| resampling(count, request.seed)).transpose()?;
    if test == Test::Bootstrap && resamples.is_some() {
        return Err(value("confidence is for randomization: the bootstrap has intervals of its own"));
    }
    run.unit_note().or_raise()?.map_or(Ok(()), |note| warn(py, &note))?;
    let plans = (plan, resamples.map(|resamples| resamples.count));
    let tested = whole(py, &request.plan, |_| run.paired(metric, test, plans, precision))?;
    let (_, tested) = tested;
    warn_of(py, &tested)?;
    let list = PyList::empty(py);
    for (Tested { score, interval, p_value, .. }, system) in tested.iter().zip(run.systems()) {
        let dict = PyDict::new(py);
        dict.set_item("system", system)?;
        dict.set_item("score", score)?;
        dict.set_item("p_value", p_value)?;
        dict.set_item("interval", interval.map(|interval| interval_dict(py, &interval)).transpose()?)?;
        list.append(dict)?;
    }
    shown(py, "Tests", (list,))
}

/// Returns the correction of the p-values of groups. The default is Holm's if the groups of two systems are
/// compared, as in the program.
pub(crate) fn correction_of(
    name: Option<&str>,
    by: &[String],
    systems: usize,
) -> PyResult<Option<Correction>> {
    match name {
        // A p-value of one group among many would be found by chance without a correction.
        None => Ok((systems == 2 && !by.is_empty()).then_some(Correction::Holm)),
        Some(_) if systems != 2 => {
            Err(value(format!("correction tests the groups of two systems, but there are {systems}")))
        }
        Some(name) => choice("correction", name).map(Some),
    }
}

/// Compares every pair of systems under each metric. Returns a dict from the metric's name to the comparison
/// as nested dicts and lists. `systems` and `metrics` are the names that the result contains.
pub(crate) fn compared<'py>(
    py: Python<'py>,
    run: &Run,
    (systems, metrics): (&[String], &[String]),
    request: &TestArguments<'_>,
    significance: Option<f64>,
    unit: Option<String>,
    (by, correction, most): (Vec<String>, Option<Correction>, usize),
) -> PyResult<Bound<'py, PyAny>> {
    let power = power_of(significance)?;
    let (test, plan) = request.test()?;
    // The run replaces the direction by the one that each metric declares.
    let design = Design { test, plan, higher_is_better: true, power };
    let request_of_run = CompareRequest { design, unit, by, most, correction };
    let compared = whole(py, &request.plan, |_| {
        let comparisons = run.compare(&request_of_run)?;
        Ok(comparisons.iter().map(|comparison| named(comparison.to_json(), systems)).collect::<Vec<_>>())
    })?;
    let comparisons = python_of(py, &Value::Object(metrics.iter().cloned().zip(compared).collect()))?;
    shown(py, "Comparisons", (comparisons,))
}

pub(crate) fn power_of(significance: Option<f64>) -> PyResult<Power> {
    let power = Power::default();
    match significance {
        None => Ok(power),
        Some(significance) if significance > 0.0 && significance < 1.0 => Ok(Power { significance, ..power }),
        Some(significance) => {
            Err(value(format!("significance is {significance}, but must lie between 0 and 1")))
        }
    }
}

/// Replaces system indices by system names in the JSON of a comparison, and returns the JSON.
pub(crate) fn named(mut comparison: Value, systems: &[String]) -> Value {
    let name = |number: &Value| number.as_u64().and_then(|number| systems.get(number as usize)).cloned();
    if let Some(scores) = comparison["scores"].as_array() {
        comparison["scores"] = Value::Object(systems.iter().cloned().zip(scores.iter().cloned()).collect());
    }
    if let Some(wilson) = comparison["wilson"].as_array() {
        comparison["wilson"] = Value::Object(systems.iter().cloned().zip(wilson.iter().cloned()).collect());
    }
    for pair in comparison["pairs"].as_array_mut().into_iter().flatten() {
        for place in ["first", "second"] {
            pair[place] = json!(name(&pair[place]));
        }
    }
    comparison
}

pub(crate) fn python_of<'py>(py: Python<'py>, data: &Value) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(data).map_err(value)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Returns the names of a run's metrics, as the user wrote them, including tokenizer options.
pub(crate) fn names_of(specs: &[MetricSpec]) -> Vec<String> {
    let name = |spec: &MetricSpec| {
        let tokenize = spec.tokenizer.iter().map(|name| format!("tokenize={name}"));
        let lowercase = spec.lowercase.map(|lower| if lower { "lowercase" } else { "lowercase=no" });
        let norm = spec.normalizer.iter().map(|name| format!("norm={}", MetricOptions::written(name)));
        tokenize.chain(lowercase.map(str::to_owned)).chain(norm).fold(spec.name(), |name, option| {
            format!("{name}{}{option}", if name.contains(':') { ',' } else { ':' })
        })
    };
    specs.iter().map(name).collect()
}

pub(crate) fn metric_at(known: &[String], name: Option<&str>) -> PyResult<usize> {
    match name {
        None if known.len() == 1 => Ok(0),
        None => Err(value(format!("which metric? There are: {}", known.join(", ")))),
        Some(name) => known
            .iter()
            .position(|one| one == name)
            .ok_or_else(|| value(format!("the run has no metric `{name}`; it has: {}", known.join(", ")))),
    }
}

/// Returns the value of a choice by its name; `what` is the name of the argument.
pub(crate) fn choice<T: Choice + Copy>(what: &str, name: &str) -> PyResult<T> {
    let found = T::NAMES.iter().position(|known| *known == name).and_then(|place| T::ALL.get(place).copied());
    found.ok_or_else(|| value(format!("unknown {what} `{name}`; expected one of: {}", T::NAMES.join(", "))))
}
