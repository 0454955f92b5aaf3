//! Groups table rows by the values of Arrow columns, and keeps the metric's accumulated statistics (state) of
//! each group over many record batches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{ArrowPrimitiveType, Float16Type, Float32Type, Float64Type};
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_row::{RowConverter, Rows, SortField};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bleuprint::{AnyMetric, contract::AnyState};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::CountTable;
use super::states::{OpenedStates, each_binary, header};
use crate::errors::{OrRaise as _, type_error, value};
use crate::metric::engine::MetricEngine;
use crate::metric::mistakes::InputSigns;
use crate::metric::observe::{SegmentGroupIds as Numbers, totals};
use crate::metric::state::{metric_of, state_of};
use crate::segments::data::SequenceData;
use crate::values::arrow;
use crate::values::count::WholeNumber;
use crate::values::place::{ValuePlace, type_name};

/// Distinct keys of row groups, in order of first occurrence. Keys are compared bit by bit, but all NaN are
/// equal, and so are 0 and -0.
#[derive(Default)]
pub(super) struct GroupKeys {
    names: Vec<String>,
    converter: Option<RowConverter>,
    kinds: Vec<DataType>,
    rows: Vec<Arc<[u8]>>,
    places: HashMap<Arc<[u8]>, usize>,
}

impl GroupKeys {
    pub(super) fn new(names: Vec<String>) -> Self {
        GroupKeys { names, ..GroupKeys::default() }
    }

    /// Encodes the values of these columns as one byte string per row, so that rows can be compared. Returns
    /// `None` if there are no columns.
    pub(super) fn bits(&mut self, columns: &[ArrayRef]) -> PyResult<Option<Rows>> {
        if columns.is_empty() {
            return Ok(None);
        }
        let columns = columns.iter().map(normalized).collect::<Result<Vec<_>, _>>().map_err(value)?;
        let kinds: Vec<DataType> = columns.iter().map(|column| column.data_type().clone()).collect();
        let converter = match &mut self.converter {
            Some(converter) if kinds == self.kinds => converter,
            Some(_) => {
                let names = self.names.join(", ");
                let [before, now] = [&self.kinds, &kinds].map(|of| listed(of));
                return Err(type_error(format!("the columns {names} are {now}, but were {before} before")));
            }
            none => {
                let fields: Vec<SortField> = kinds.iter().cloned().map(SortField::new).collect();
                let made = RowConverter::new(fields);
                self.kinds.clone_from(&kinds);
                none.insert(made.map_err(|_| {
                    type_error(format!(
                        "groups by {} are of {}, which has no keys",
                        self.names.join(", "),
                        listed(&kinds)
                    ))
                })?)
            }
        };
        converter.convert_columns(&columns).map(Some).map_err(value)
    }

    /// Returns the index of the group with the key `bits`, and adds the group if it is new.
    pub(super) fn place(&mut self, bits: &[u8]) -> usize {
        if let Some(place) = self.places.get(bits) {
            return *place;
        }
        // The list and the map share the bytes.
        let bits = Arc::<[u8]>::from(bits);
        let place = self.rows.len();
        self.rows.push(bits.clone());
        self.places.insert(bits, place);
        place
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns a table of the group keys, with one row for each group.
    pub(super) fn table(&self) -> PyResult<CountTable> {
        let columns = match &self.converter {
            Some(converter) => {
                let parser = converter.parser();
                converter.convert_rows(self.rows.iter().map(|row| parser.parse(row))).map_err(value)?
            }
            None => Vec::new(),
        };
        let fields = self.names.iter().zip(&columns);
        let fields: Vec<Field> =
            fields.map(|(name, of)| Field::new(name, of.data_type().clone(), true)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.len()));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options);
        Ok(CountTable { batch: batch.map_err(value)? })
    }
}

/// Score, number of segments and signature of a group of table rows.
type ScoredGroup = (Option<f64>, u64, Option<String>);

fn listed(kinds: &[DataType]) -> String {
    kinds.iter().map(DataType::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns a copy of an array, even a nested one, in which all NaN have one bit pattern and all zeros are +0.
fn normalized(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    fn floats<T: ArrowPrimitiveType>(array: &ArrayRef, nan: T::Native, zero: T::Native) -> ArrayRef {
        let one = |float: T::Native| match float.partial_cmp(&zero) {
            // Only NaN has no order.
            None => nan,
            Some(std::cmp::Ordering::Equal) => zero,
            Some(_) => float,
        };
        Arc::new(array.as_primitive::<T>().unary::<_, T>(one))
    }
    Ok(match array.data_type() {
        DataType::Float16 => {
            type Half = <Float16Type as ArrowPrimitiveType>::Native;
            floats::<Float16Type>(array, Half::NAN, Half::ZERO)
        }
        DataType::Float32 => floats::<Float32Type>(array, f32::NAN, 0.0),
        DataType::Float64 => floats::<Float64Type>(array, f64::NAN, 0.0),
        _ => {
            let data = array.to_data();
            let parts =
                data.child_data().iter().map(|part| Ok(normalized(&make_array(part.clone()))?.to_data()));
            let parts = parts.collect::<Result<Vec<_>, ArrowError>>()?;
            if parts.is_empty() {
                array.clone()
            } else {
                make_array(data.into_builder().child_data(parts).build()?)
            }
        }
    })
}

/// Groups of table rows with equal keys, collected over several record batches.
#[pyclass(frozen, module = "bleuprint._native", name = "Groups")]
pub(crate) struct BatchGroups {
    keys: Mutex<GroupKeys>,
}

/// Group numbers for one record batch: for each row, its group within the batch, and for each such group, its
/// index among the groups of all batches.
#[pyclass(frozen, module = "bleuprint._native")]
pub(crate) struct Numbered {
    of: Vec<u32>,
    among_all: Vec<usize>,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl BatchGroups {
    #[new]
    fn new(names: Vec<String>) -> Self {
        BatchGroups { keys: Mutex::new(GroupKeys::new(names)) }
    }

    /// Assigns each of `rows` rows to a group by its values in `columns`. Each column must be a single Arrow
    /// chunk.
    fn number(&self, columns: Vec<Bound<'_, PyAny>>, rows: usize) -> PyResult<Numbered> {
        let column = |(object, name): (&Bound<'_, PyAny>, &String)| {
            let chunks = arrow::chunks(object, ValuePlace::new(name))?;
            let one = chunks.and_then(|mut chunks| if chunks.len() == 1 { chunks.pop() } else { None });
            one.ok_or_else(|| {
                type_error(format!("{name} is {}, but must be an array of Arrow", type_name(object)))
            })
        };
        let mut keys = lock(&self.keys);
        let names = keys.names.clone();
        let columns = columns.iter().zip(&names).map(column).collect::<PyResult<Vec<_>>>()?;
        let bits = keys.bits(&columns)?;
        let (mut own, mut among_all): (HashMap<usize, u32>, _) = (HashMap::new(), Vec::new());
        let of = (0..rows).map(|row| {
            let place = keys.place(bits.as_ref().map_or(&[][..], |bits| bits.row(row).data()));
            *own.entry(place).or_insert_with(|| {
                among_all.push(place);
                among_all.len() as u32 - 1
            })
        });
        Ok(Numbered { of: of.collect(), among_all })
    }

    fn __len__(&self) -> usize {
        lock(&self.keys).len()
    }

    /// Returns a table of the group keys, with one row for each group.
    fn table(&self) -> PyResult<CountTable> {
        lock(&self.keys).table()
    }
}

/// States (accumulated statistics) of all groups of table rows, under one metric.
#[pyclass(frozen, module = "bleuprint._native", name = "States")]
pub(crate) struct GroupStates {
    engine: Py<MetricEngine>,
    kept: Mutex<(AnyMetric, Vec<AnyState>)>,
    /// Signs of likely mistakes in all batches, which are reported at the end.
    signs: InputSigns,
}

impl GroupStates {
    fn merge_into(
        &self,
        metric: &AnyMetric,
        states: impl Iterator<Item = (usize, AnyState)>,
    ) -> PyResult<()> {
        let kept = &mut *lock(&self.kept);
        // The first state decides whether the metric is over text or ids.
        if kept.1.is_empty() {
            kept.0 = metric.clone();
        }
        for (place, state) in states {
            if kept.1.len() <= place {
                let zero = AnyState::zero(&kept.0);
                kept.1.resize(place + 1, zero);
            }
            kept.1[place].merge(&state).or_raise()?;
        }
        Ok(())
    }
}

#[pymethods]
impl GroupStates {
    #[new]
    fn new(engine: Py<MetricEngine>) -> PyResult<Self> {
        let metric = engine.get().metric_over(None)?;
        let signs = InputSigns::default();
        Ok(GroupStates { engine, kept: Mutex::new((metric, Vec::new())), signs })
    }

    #[pyo3(signature = (data, groups, threads=None))]
    fn add(
        &self,
        py: Python<'_>,
        data: &SequenceData,
        groups: &Numbered,
        threads: Option<WholeNumber>,
    ) -> PyResult<()> {
        let engine = self.engine.get();
        let panel = engine.panel(data.is_ids(), false)?;
        // Rows with a null were left out of the data, but have a group.
        let of =
            groups.of.iter().zip(&data.kept).filter(|(_, kept)| **kept).map(|(group, _)| *group).collect();
        let numbers = Numbers { of, count: groups.among_all.len() };
        let totals = totals(py, &engine.plan(threads, None)?, &panel, &data.input, &numbers)?;
        self.signs.keep(&panel, &data.input);
        let states =
            totals.iter().map(|total| state_of(&panel, total)).collect::<Result<Vec<_>, _>>().or_raise()?;
        self.merge_into(metric_of(&panel).or_raise()?, groups.among_all.iter().copied().zip(states))
    }

    /// Merges the metric states in an Arrow column of bytes into the states of the groups that the rows
    /// belong to.
    fn merge(&self, states: &Bound<'_, PyAny>, groups: &Numbered) -> PyResult<()> {
        let engine = self.engine.get();
        let mut row = 0;
        for chunk in arrow::chunks(states, ValuePlace::new("state"))?.unwrap_or_default() {
            each_binary(&chunk, &mut |bytes| {
                let OpenedStates { metric, state, .. } = OpenedStates::read(bytes, "a state", Some(engine))?;
                let place = groups.of.get(row).map(|group| groups.among_all[*group as usize]);
                row += 1;
                self.merge_into(&metric, place.map(|place| (place, state)).into_iter())
            })?;
        }
        Ok(())
    }

    /// Returns the metric states of the first `count` groups as bytes, and shows the warnings of all batches
    /// once. Learned weights are not stored; the state key identifies them.
    fn to_bytes<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (metric, mut states) = lock(&self.kept).clone();
        states.resize(count, AnyState::zero(&metric));
        self.signs.tell(py)?;
        let mut header = header(self.engine.get(), &metric)?;
        header.metrics.iter_mut().for_each(|metric| metric.learned = None);
        let opened =
            |state| OpenedStates { header: header.clone(), metric: metric.clone(), state }.to_bytes(py);
        states.into_iter().map(opened).collect()
    }

    /// Returns the score, the number of segments and the signature of each of `count` groups. A group without
    /// segments has no score.
    fn scores(&self, count: usize) -> PyResult<Vec<ScoredGroup>> {
        let (metric, mut states) = lock(&self.kept).clone();
        states.resize(count, AnyState::zero(&metric));
        let of = |state: AnyState| {
            let segments = state.counts().segments;
            if segments == 0 {
                return Ok((None, 0, None));
            }
            let scored = state.score(&metric).or_raise()?;
            Ok((Some(scored.score.value), segments, Some(scored.signature.to_string())))
        };
        states.into_iter().map(of).collect()
    }
}
