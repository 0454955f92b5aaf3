//! Compares systems that were scored on different segments: `compare(.., unpaired=True)`.

use bleuprint::eval::evaluation::{
    UnpairedRequest, UnpairedSide, compare_unpaired as compare, shared_segments,
};
use bleuprint::inference::{ResamplePlan as Resampling, Unpaired, UnpairedTest};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value, warn};
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::segments::lists::require_equal;
use crate::systems::statistics::PyStatistics;
use crate::systems::testing::{named, power_of, python_of, resampling};
use crate::values::cells::words;
use crate::values::count::{ListedItems, WholeNumber};
use crate::values::place::ValuePlace;

/// Compares every pair of systems that were scored on different segments. The units that are resampled as a
/// whole are the values of `label`, or a column in `units` for each system.
#[pyfunction]
#[pyo3(signature = (names, systems, test=None, n=None, seed=WholeNumber(12345), significance=None, label=None, units=None, expected=None, wanted=None, headline=None, threads=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
pub(crate) fn compare_unpaired<'py>(
    py: Python<'py>,
    names: ListedItems<String>,
    systems: ListedItems<PyRef<'py, PyStatistics>>,
    test: Option<&str>,
    n: Option<WholeNumber>,
    seed: WholeNumber,
    significance: Option<f64>,
    label: Option<String>,
    units: Option<ListedItems<Bound<'py, PyAny>>>,
    expected: Option<WholeNumber>,
    wanted: Option<f64>,
    headline: Option<String>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<Bound<'py, PyAny>> {
    let (test, default) = match test {
        None => (None, Resampling::RESAMPLES),
        Some("welch") => (Some(UnpairedTest::Welch), Resampling::RESAMPLES),
        Some("bootstrap") => (Some(UnpairedTest::Bootstrap), Resampling::RESAMPLES),
        Some("permutation") => (Some(UnpairedTest::Permutation), Resampling::TRIALS),
        Some(test) => {
            let known = "welch, bootstrap, permutation";
            return Err(value(format!("unknown test `{test}`; expected one of: {known}")));
        }
    };
    let design = Unpaired {
        test,
        plan: resampling(n.unwrap_or(WholeNumber(default as u64)), seed)?,
        power: power_of(significance)?,
        expected: expected.map(|count| count.0),
        wanted,
        ..Unpaired::default()
    };
    let request = UnpairedRequest { design, unit: label };
    let headlined = |system: &PyRef<'py, PyStatistics>| match &headline {
        None => Ok(None),
        Some(name) => system.run().clone().headlined(core::slice::from_ref(name)).or_raise().map(Some),
    };
    let chosen = systems.0.iter().map(headlined).collect::<PyResult<Vec<_>>>()?;
    let mut sides = Vec::new();
    for (place, ((name, system), chosen)) in names.0.iter().zip(&systems.0).zip(&chosen).enumerate() {
        let units = units.as_ref().and_then(|units| units.0.get(place));
        let name = name.as_str();
        let run = chosen.as_ref().unwrap_or_else(|| system.run());
        let column = |column| unit_column(column, &format!("unit[{name:?}]"), name, run.len());
        sides.push(UnpairedSide { name, run, units: units.map(column).transpose()? });
    }
    let compared = whole(py, &WatchPlan::new(threads, progress)?, |_| {
        let comparisons = compare(&sides, &request)?;
        Ok(comparisons.into_iter().map(|comparison| comparison.to_json()).next().unwrap_or_default())
    })?;
    shared_segments(&sides, "unpaired=True").iter().try_for_each(|note| warn(py, note))?;
    python_of(py, &named(compared, &names.0))
}

pub(crate) fn unit_column(
    object: &Bound<'_, PyAny>,
    place: &str,
    system: &str,
    segments: usize,
) -> PyResult<Vec<String>> {
    let units = words(object, ValuePlace::new(place))?;
    require_equal(place, units.len(), system, segments).or_raise()?;
    let unit = |(at, unit): (usize, Option<String>)| {
        unit.ok_or_else(|| value(format!("{place}[{at}] is missing, but must be there")))
    };
    units.into_iter().enumerate().map(unit).collect()
}
