//! Converts Python objects to the JSON values that a file with the same data would contain.

use std::collections::BTreeMap;
use std::fmt;

use bleuprint::contract::ValueTag;
use bleuprint::text::read::tagged_value;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple, PyType};
use serde_json::{Number, Value};

use crate::errors::{type_error, value};
use crate::segments::read::{is_once, text};
use crate::values::place::{ValuePlace, type_name};

/// Largest nesting depth of a Python object that is converted; JSON files have the same limit.
const DEPTH: usize = 127;

/// Path to a value within a Python object, for error messages, as in `hypotheses[2].spans[0]`.
#[derive(Clone, Copy)]
enum JsonPath<'p> {
    Root(ValuePlace<'p>),
    Item(&'p JsonPath<'p>, usize),
    Field(&'p JsonPath<'p>, &'p str),
}

impl fmt::Display for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonPath::Root(place) => place.fmt(f),
            JsonPath::Item(outer, index) => write!(f, "{outer}[{index}]"),
            JsonPath::Field(outer, name) => write!(f, "{outer}.{name}"),
        }
    }
}

impl<'p> JsonPath<'p> {
    fn root(&self) -> ValuePlace<'p> {
        match self {
            JsonPath::Root(place) => *place,
            JsonPath::Item(outer, _) | JsonPath::Field(outer, _) => outer.root(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            JsonPath::Root(_) => 0,
            JsonPath::Item(outer, _) | JsonPath::Field(outer, _) => outer.depth() + 1,
        }
    }
}

/// Converts a Python object to a JSON value. Accepts `None`, a bool, a number, a str, a list, a dict with
/// str keys, a dataclass, a named tuple or a pydantic model. Arrays become lists. NaN and infinities become
/// tagged values, as in files.
pub(crate) fn json(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Value> {
    read(object, &JsonPath::Root(place))
}

fn read(object: &Bound<'_, PyAny>, path: &JsonPath<'_>) -> PyResult<Value> {
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(given) = object.cast::<PyString>() {
        return text(given, path).map(Value::String);
    }
    // A bool is an int in Python, so it is tested first.
    if let Ok(given) = object.cast::<PyBool>() {
        return Ok(given.is_true().into());
    }
    if let Ok(given) = object.cast::<PyInt>() {
        return integer(given, path);
    }
    if let Ok(given) = object.cast::<PyFloat>() {
        return Ok(float(given.value()));
    }
    // The limit also stops lists that contain themselves.
    if path.depth() >= DEPTH {
        // The path would be as long as the nesting, so the message has its first part alone.
        return Err(value(format!(
            "{}: more than {DEPTH} levels of lists and dicts; does a list contain itself?",
            path.root()
        )));
    }
    if let Ok(given) = object.cast::<PyDict>() {
        return fields(given, path);
    }
    if let Ok(given) = object.cast::<PyList>() {
        return items(given.iter(), path);
    }
    with_fields(object, path)
}

/// Converts an instance of a class to JSON. A dataclass, a named tuple or a pydantic model becomes an object
/// of its fields; an instance with `tolist` becomes a list.
fn with_fields(object: &Bound<'_, PyAny>, path: &JsonPath<'_>) -> PyResult<Value> {
    let has = |name: &str| object.hasattr(name);
    let by = |name: &str| read(&object.call_method0(name)?, path);
    // A dataclass itself has the attributes of its instances, but is not data.
    if object.is_instance_of::<PyType>() {
        return Err(wrong(object, path));
    }
    if has("__dataclass_fields__")? {
        let names = object.getattr("__dataclass_fields__")?;
        let mut all = BTreeMap::new();
        for name in names.try_iter()? {
            let name: String = name?.extract()?;
            all.insert(name.clone(), read(&object.getattr(name.as_str())?, &JsonPath::Field(path, &name))?);
        }
        return Ok(Value::Object(all.into_iter().collect()));
    }
    // A named tuple is a tuple too, so its fields are tested first.
    if has("_asdict")? {
        return by("_asdict");
    }
    if let Ok(given) = object.cast::<PyTuple>() {
        return items(given.iter(), path);
    }
    if has("model_dump")? {
        return by("model_dump");
    }
    if has("tolist")? {
        return by("tolist");
    }
    if let Ok(given) = object.cast::<PyMapping>() {
        let dict = PyDict::new(object.py());
        dict.update(given)?;
        return fields(&dict, path);
    }
    // An iterator or `dict.values()`: its items are read into a list.
    if is_once(object) {
        return items(object.py().get_type::<PyList>().call1((object,))?.cast::<PyList>()?.iter(), path);
    }
    Err(wrong(object, path))
}

fn wrong(object: &Bound<'_, PyAny>, path: &JsonPath<'_>) -> PyErr {
    let given = type_name(object);
    type_error(format!(
        "{path} is {given}, but must be None, a bool, a number, a str, a list, a dict or a dataclass"
    ))
}

fn integer(given: &Bound<'_, PyInt>, path: &JsonPath<'_>) -> PyResult<Value> {
    if let Ok(number) = given.extract::<u64>() {
        return Ok(number.into());
    }
    if let Ok(number) = given.extract::<i64>() {
        return Ok(number.into());
    }
    // Integers beyond 64 bits become their digits, as in a JSON file: a float would make one answer of two.
    let digits = given.str().map_err(|_| value(format!("{path}: the number is out of range")))?;
    text(&digits, path).map(Value::String)
}

fn float(given: f64) -> Value {
    match Number::from_f64(given) {
        Some(number) => Value::Number(number),
        None if given.is_nan() => tagged_value(ValueTag::NonFinite, "NaN"),
        None => tagged_value(ValueTag::NonFinite, if given > 0.0 { "Infinity" } else { "-Infinity" }),
    }
}

fn items<'py>(given: impl Iterator<Item = Bound<'py, PyAny>>, path: &JsonPath<'_>) -> PyResult<Value> {
    let item = |(at, item): (usize, Bound<'py, PyAny>)| read(&item, &JsonPath::Item(path, at));
    given.enumerate().map(item).collect::<PyResult<Vec<_>>>().map(Value::Array)
}

/// Converts a Python dict to a JSON object with the keys sorted by name.
fn fields(given: &Bound<'_, PyDict>, path: &JsonPath<'_>) -> PyResult<Value> {
    let mut all = BTreeMap::new();
    for (name, field) in given {
        let Ok(name) = name.cast::<PyString>() else {
            let given = type_name(&name);
            return Err(type_error(format!("{path}: a key is {given}, but must be a str")));
        };
        let name = text(name, path)?;
        let field = read(&field, &JsonPath::Field(path, &name))?;
        all.insert(name, field);
    }
    Ok(Value::Object(all.into_iter().collect()))
}
