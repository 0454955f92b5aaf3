//! Reads and writes metric states (accumulated statistics) as bytes. The bytes are a statistics file with
//! only a total, the name of the metric and its state key.

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::DataType;
use bleuprint::eval::evaluation::metrics_of;
use bleuprint::eval::store::{Header, StoredState, StoredStatistics};
use bleuprint::{AnyMetric, contract::AnyState};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{OrRaise as _, type_error, value};
use crate::metric::engine::{MetricEngine, known};
use crate::registry::registry;
use crate::values::arrow;
use crate::values::place::{ValuePlace, type_name};

pub(super) fn header(engine: &MetricEngine, metric: &AnyMetric) -> PyResult<Header> {
    Header::of_metric(engine.spec()?.name(), metric).or_raise()
}

/// Returns the metric that the header of a statistics file names. It is the metric of `engine` if given,
/// otherwise the library's metric of this name.
pub(super) fn metric_of_header(header: &Header, engine: Option<&MetricEngine>) -> PyResult<AnyMetric> {
    let [stored] = &header.metrics[..] else {
        return Err(value(format!("{} metrics where one is meant", header.metrics.len())));
    };
    match engine {
        Some(engine) => engine.metric_of_stored(stored),
        // A metric that was built from the registry has no learned weights, so the error names the remedy.
        None => metrics_of(&registry(), header)
            .map(|mut metrics| metrics.remove(0))
            .map_err(|error| value(format!("{error}; if the metric learned weights, give it as `metric=`"))),
    }
}

pub(crate) struct OpenedStates {
    pub(crate) header: Header,
    pub(crate) metric: AnyMetric,
    pub(crate) state: AnyState,
}

impl OpenedStates {
    pub(crate) fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.header.state_to_bytes(&self.metric, &self.state).or_raise()?;
        Ok(PyBytes::new(py, &bytes))
    }

    pub(crate) fn read(bytes: &[u8], name: &str, engine: Option<&MetricEngine>) -> PyResult<Self> {
        let (header, total) = read_total(bytes, name)?;
        let metric = metric_of_header(&header, engine)?;
        let state = total.open(&metric).and_then(|state| known(&metric, &state)).or_raise()?;
        Ok(OpenedStates { header, metric, state })
    }

    fn merge(&mut self, bytes: &[u8], name: &str) -> PyResult<()> {
        let (header, total) = read_total(bytes, name)?;
        let like = self.header.require_like(&header);
        let merged = like.and_then(|()| self.state.merge(&total.open(&self.metric)?));
        merged.map_err(|error| value(format!("{name}: {error}")))
    }
}

fn read_total(bytes: &[u8], name: &str) -> PyResult<(Header, StoredState)> {
    let read = StoredStatistics::from_reader(bytes, name).or_raise()?;
    read.into_state().map_err(|error| value(format!("{name}: {error}")))
}

/// Merges metric states (accumulated statistics) into one. The states are given as bytes, as an iterable of
/// bytes, or as an Arrow column of bytes.
pub(super) fn merged(given: &Bound<'_, PyAny>, engine: Option<&MetricEngine>) -> PyResult<OpenedStates> {
    let mut total: Option<OpenedStates> = None;
    let mut count = 0;
    let mut add = |bytes: &[u8]| {
        let name = format!("states[{count}]");
        count += 1;
        match &mut total {
            None => {
                let read = OpenedStates::read(bytes, &name, engine);
                total = Some(read.map_err(|error| named(given.py(), &name, error))?);
                Ok(())
            }
            Some(total) => total.merge(bytes, &name),
        }
    };
    if let Ok(bytes) = given.extract::<&[u8]>() {
        add(bytes)?;
    } else if let Some(chunks) = arrow::chunks(given, ValuePlace::new("states"))? {
        chunks.iter().try_for_each(|chunk| each_binary(chunk, &mut add))?;
    } else {
        for item in given.try_iter()? {
            let item = item?;
            let Ok(bytes) = item.extract::<&[u8]>() else {
                return Err(type_error(format!("a state is {}, but must be bytes", type_name(&item))));
            };
            add(bytes)?;
        }
    }
    total.ok_or_else(|| value("there are no states"))
}

/// Returns the error with `name`, the name of a metric state, put before its message. A message that already
/// begins with this name is unchanged.
fn named(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    let message = error.value(py).to_string();
    if message.starts_with(name) { error } else { value(format!("{name}: {message}")) }
}

pub(super) fn each_binary(chunk: &ArrayRef, add: &mut impl FnMut(&[u8]) -> PyResult<()>) -> PyResult<()> {
    if let Some(row) = (0..chunk.len()).find(|&row| chunk.is_null(row)) {
        return Err(value(format!("states[{row}] is null, but must be there")));
    }
    match chunk.data_type() {
        DataType::Binary => chunk.as_binary::<i32>().iter().flatten().try_for_each(add),
        DataType::LargeBinary => chunk.as_binary::<i64>().iter().flatten().try_for_each(add),
        DataType::BinaryView => chunk.as_binary_view().iter().flatten().try_for_each(add),
        other => Err(type_error(format!("states is an Arrow array of {other}, but must hold bytes"))),
    }
}
