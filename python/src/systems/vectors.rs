//! Creates a system's statistics for metrics over embedding vectors. Vectors are NumPy or PyTorch matrices,
//! lists of matrices, or Arrow lists. Arrow lists of float32 are not copied.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array as _, ArrayRef, Float32Array};
use arrow_schema::DataType;
use bleuprint::eval::evaluation::{CorpusVectors, Evaluation, TextCorpus};
use bleuprint::eval::{ChosenTokens, Request};
use bleuprint::text::read::{Floats, VectorParts, VectorTable};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

use crate::errors::{OrRaise as _, type_error, value};
use crate::metric::source::{SourceTokens, TokenSource};
use crate::registry::registry;
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::segments::read::items;
use crate::systems::statistics::PyStatistics;
use crate::values::arrow;
use crate::values::cells::{ColumnCell, cells, numbers, words};
use crate::values::count::{ListedItems, WholeNumber};
use crate::values::place::{ValuePlace, wrong};

/// Embedding vectors of the hypotheses or of the references, with their optional offsets, groups, weights and
/// ids.
type Side<'py> = (Bound<'py, PyAny>, [Option<Bound<'py, PyAny>>; 4]);

/// Returns the per-segment statistics of a metric over embedding vectors. `metric` is the metric's name, and
/// `options` are its options.
#[pyfunction]
#[pyo3(signature = (metric, options, hypotheses, references, labels=ListedItems(Vec::new()), system="system", threads=None, progress=None, learned=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
pub(crate) fn vectors(
    py: Python<'_>,
    metric: &str,
    options: ListedItems<(String, String)>,
    hypotheses: Side<'_>,
    references: Side<'_>,
    labels: ListedItems<(String, Bound<'_, PyAny>)>,
    system: &str,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
    learned: Option<PathBuf>,
) -> PyResult<PyStatistics> {
    let spec = TokenSource::named(metric, &options.0, SourceTokens::default())?.spec()?;
    let request = Request { specs: vec![spec], tokens: ChosenTokens::standard().or_raise()? };
    let mut metrics = request.build(&registry()).or_raise()?;
    if let Some(path) = learned {
        metrics = metrics.read_learned(path).or_raise()?;
    }
    let hypotheses = table("vectors", "", hypotheses)?;
    let references = table("references", "reference_", references)?;
    let vectors = CorpusVectors::new(vec![hypotheses], references).or_raise()?;
    let mut corpus = TextCorpus::of_numbers([system], vectors.references.segments());
    corpus.set_vectors(vectors).or_raise()?;
    for (name, object) in &labels.0 {
        let values = words(object, ValuePlace::new(name))?;
        corpus.add_label(name, values.iter().map(|value| value.as_deref().unwrap_or(""))).or_raise()?;
    }
    let evaluation = Evaluation::new(request.specs, metrics, request.tokens.tokenizer().clone());
    let plan = WatchPlan::new(threads, progress)?;
    let run = whole(py, &plan, |_| evaluation.run(corpus))?;
    Ok(PyStatistics::of_run(run))
}

fn table(name: &str, prefix: &str, (matrix, parts): Side<'_>) -> PyResult<VectorTable> {
    let VectorRows { floats, width, offsets: own } = matrix_of(&matrix, ValuePlace::new(name))?;
    let [offsets, groups, weights, ids] = parts;
    let named = |part: &str| format!("{prefix}{part}");
    let integers = |part: &str, object: Option<Bound<'_, PyAny>>| {
        object.map(|object| integers(&object, ValuePlace::new(&named(part)))).transpose()
    };
    let offsets = match (integers("offsets", offsets)?, own) {
        (Some(_), Some(_)) => {
            return Err(value(format!("{name} has texts already, so {} say it twice", named("offsets"))));
        }
        (given, own) => given.or(own),
    };
    let weights = weights
        .map(|object| {
            let part = named("weights");
            let all = numbers(&object, ValuePlace::new(&part))?.into_iter().enumerate();
            all.map(|(at, weight)| weight.ok_or_else(|| value(format!("{part}[{at}] is missing"))))
                .collect::<PyResult<Vec<f64>>>()
        })
        .transpose()?;
    let parts =
        VectorParts { offsets, groups: integers("groups", groups)?, weights, ids: integers("ids", ids)? };
    VectorTable::new(name, floats, width, parts).or_raise()
}

fn integers(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Vec<i64>> {
    let integer = |(at, cell)| match cell {
        ColumnCell::Integer(integer) => i64::try_from(integer)
            .map_err(|_| value(format!("{} is {integer}, which is beyond 64 bits", place.at(at)))),
        _ => Err(type_error(format!("{} must be an int", place.at(at)))),
    };
    cells(object, place)?.into_iter().enumerate().map(integer).collect()
}

/// Matrix of embedding vectors, one per row. `offsets` has the first row of each text, followed by the number
/// of rows; `None` if the borders of the texts are not known.
struct VectorRows {
    floats: Floats,
    width: usize,
    offsets: Option<Vec<i64>>,
}

fn matrix_of(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<VectorRows> {
    if let Some(chunks) = arrow::chunks(object, place)? {
        return of_arrow(&chunks, place);
    }
    if let Some(matrix) = of_buffer(object, place)? {
        return Ok(matrix);
    }
    match items(object) {
        Some(list) => of_list(&list?, place),
        None => Err(wrong(place, object, "a matrix of floats, a list of them, or an Arrow list of lists")),
    }
}

/// Reads a list with one matrix of embedding vectors for each text.
fn of_list(list: &[Bound<'_, PyAny>], place: ValuePlace<'_>) -> PyResult<VectorRows> {
    let mut all = Vec::new();
    let mut width = 0;
    let mut offsets = vec![0];
    let mut rows = 0;
    for (at, item) in list.iter().enumerate() {
        let Some(matrix) = of_buffer(item, place.at(at))? else {
            return Err(wrong(place.at(at), item, "a matrix of floats, rows and width"));
        };
        if at > 0 && matrix.width != width {
            let own = matrix.width;
            return Err(value(format!("{} has {own} columns, but the first one has {width}", place.at(at))));
        }
        width = matrix.width;
        let before = all.len();
        match matrix.floats {
            Floats::F32(floats) => all.extend((*floats).as_ref().iter().map(|&float| f64::from(float))),
            Floats::F64(floats) => all.extend(floats),
        }
        rows += ((all.len() - before) / width.max(1)) as i64;
        offsets.push(rows);
    }
    // Numbers that fit single precision are stored as such: products of two of them are exact in double
    // precision.
    let floats = if all.iter().all(|&float| f64::from(float as f32) == float || float.is_nan()) {
        Floats::from_numbers(all.into_iter().map(|float| float as f32).collect())
    } else {
        Floats::F64(all)
    };
    Ok(VectorRows { floats, width, offsets: Some(offsets) })
}

/// Reads a matrix of embedding vectors through the buffer protocol, or through NumPy. The bytes are copied,
/// because their owner may change them.
fn of_buffer(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Option<VectorRows>> {
    let view = match PyMemoryView::from(object) {
        Ok(view) => view.into_any(),
        Err(_) if object.hasattr("__array__")? => {
            let numpy = object.py().import("numpy")?;
            PyMemoryView::from(&numpy.call_method1("asarray", (object,))?)?.into_any()
        }
        Err(_) => return Ok(None),
    };
    let shape: Vec<usize> = view.getattr("shape")?.extract()?;
    let format: String = view.getattr("format")?.extract()?;
    let [_, width] = shape[..] else {
        return Err(value(format!(
            "{place} has {} dimensions, but must have two: rows and width",
            shape.len()
        )));
    };
    let bytes = || -> PyResult<Bound<'_, PyBytes>> { Ok(view.call_method0("tobytes")?.cast_into()?) };
    // The prefix `>` (big-endian) is kept, so such arrays are rejected below.
    let floats = match format.trim_start_matches(['<', '=', '@']) {
        "f" => {
            let bytes = bytes()?;
            Floats::from_numbers(
                bytes.as_bytes().as_chunks().0.iter().map(|item| f32::from_ne_bytes(*item)).collect(),
            )
        }
        "d" => {
            let bytes = bytes()?;
            Floats::F64(bytes.as_bytes().as_chunks().0.iter().map(|item| f64::from_ne_bytes(*item)).collect())
        }
        // Rust has no stable 16-bit float, so NumPy converts.
        "e" if object.hasattr("astype")? => {
            return of_buffer(&object.call_method1("astype", ("float32",))?, place);
        }
        other => {
            return Err(type_error(format!(
                "{place} holds `{other}`, but must hold float32, float16 or float64"
            )));
        }
    };
    Ok(Some(VectorRows { floats, width, offsets: None }))
}

struct Shared(Float32Array);

impl AsRef<[f32]> for Shared {
    fn as_ref(&self) -> &[f32] {
        self.0.values()
    }
}

/// Reads embedding vectors from Arrow: a fixed-size list of floats for each row, or a list of such lists for
/// each text.
fn of_arrow(chunks: &[ArrayRef], place: ValuePlace<'_>) -> PyResult<VectorRows> {
    // Joining chunks would copy the vectors, which can be large, so the user decides.
    let [chunk] = chunks else {
        return Err(value(format!(
            "{place} has {} chunks, but must have one (combine_chunks), as its memory is used as it is",
            chunks.len()
        )));
    };
    let without_nulls = |array: &ArrayRef| match array.null_count() {
        0 => Ok(()),
        count => Err(value(format!("{place} has {count} nulls, but every number must be there"))),
    };
    without_nulls(chunk)?;
    let (rows, offsets): (ArrayRef, Option<Vec<i64>>) = match chunk.data_type() {
        DataType::List(_) => {
            let list = chunk.as_list::<i32>();
            let all: Vec<i64> = list.offsets().iter().map(|&offset| i64::from(offset)).collect();
            between(list.values(), all)
        }
        DataType::LargeList(_) => {
            let list = chunk.as_list::<i64>();
            between(list.values(), list.offsets().to_vec())
        }
        _ => (chunk.clone(), None),
    };
    without_nulls(&rows)?;
    let DataType::FixedSizeList(_, width) = rows.data_type() else {
        return Err(type_error(format!(
            "{place} is an Arrow array of {}, but must hold fixed-size lists of float32, or lists of these",
            chunk.data_type()
        )));
    };
    let values = rows.as_fixed_size_list().values();
    without_nulls(values)?;
    let floats = match values.data_type() {
        DataType::Float32 => Floats::F32(Arc::new(Shared(values.as_primitive::<Float32Type>().clone()))),
        DataType::Float64 => Floats::F64(values.as_primitive::<Float64Type>().values().to_vec()),
        other => {
            return Err(type_error(format!("{place} holds {other}, but must hold float32 or float64")));
        }
    };
    Ok(VectorRows { floats, width: usize::try_from(*width).unwrap_or_default(), offsets })
}

/// Returns the items between the first and the last offset, and the offsets shifted to start at 0.
fn between(items: &ArrayRef, offsets: Vec<i64>) -> (ArrayRef, Option<Vec<i64>>) {
    let first = offsets.first().copied().unwrap_or(0);
    let last = offsets.last().copied().unwrap_or(0);
    let rows = items.slice(first as usize, (last - first) as usize);
    (rows, Some(offsets.into_iter().map(|offset| offset - first).collect()))
}
