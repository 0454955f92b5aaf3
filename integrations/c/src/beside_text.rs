//! Reads the numbers and the vectors of a segment from JSON.

use bleuprint::contract::{NumberColumns, ValueTag, Vector};
use bleuprint::eval::evaluation::SegmentPart;
use bleuprint::text::read::Field;
use bleuprint::{InputError, Result};
use serde::Deserialize;
use serde_json::Value;

/// Reads the numbers of a segment: an object with a key for each column of the metric, or a number if the
/// metric has one column. A missing number is NaN, and the metric decides about it.
pub(crate) fn numbers_of(
    numbers: &NumberColumns,
    part: SegmentPart,
    place: &str,
    value: &Value,
) -> Result<Vec<f64>> {
    let NumberColumns { columns, words, .. } = numbers;
    let wrong = |message: String| Err(InputError::malformed(format!("{place} {message}")));
    if !matches!(part, SegmentPart::Hypothesis) {
        return wrong("is given, but a segment of numbers has a hypothesis alone".to_owned());
    }
    let number = |field: Field<'_>| Ok(field.number(words)?.unwrap_or(f64::NAN));
    match value {
        // NaN is an object too, because JSON has no such number.
        Value::Object(keys) if !keys.contains_key(ValueTag::NonFinite.key()) => {
            if let Some(other) = keys.keys().find(|key| !columns.contains(key)) {
                return wrong(format!("has the key `{other}`; expected one of: {}", columns.join(", ")));
            }
            let field = |name: &String| keys.get(name).map_or(Field::Absent, Field::Json);
            columns.iter().map(|name| number(field(name))).collect()
        }
        _ if columns.len() == 1 => Ok(vec![number(Field::Json(value))?]),
        _ => wrong(format!("is {value}, but must be an object with the keys {}", columns.join(", "))),
    }
}

/// The embedding vectors of a text, with the weight and the vocabulary id of each vector.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextVectors {
    vectors: Vec<Vec<f64>>,
    weights: Option<Vec<f64>>,
    ids: Option<Vec<i64>>,
}

impl TextVectors {
    /// Reads the vectors of a text: a list of vectors, or an object with `vectors`, `weights` and `ids`.
    pub(crate) fn parse(place: &str, value: &Value) -> Result<Self> {
        let read = if value.is_array() {
            Vec::deserialize(value).map(|vectors| TextVectors { vectors, weights: None, ids: None })
        } else {
            TextVectors::deserialize(value)
        };
        let read = read.map_err(|error| InputError::malformed(format!("{place} is no vectors: {error}")))?;
        let lengths =
            [("weights", read.weights.as_ref().map(Vec::len)), ("ids", read.ids.as_ref().map(Vec::len))];
        let count = read.vectors.len();
        match lengths.into_iter().find_map(|(what, length)| Some((what, length.filter(|own| *own != count)?)))
        {
            Some((what, length)) => {
                Err(InputError::malformed(format!("{place} has {count} vectors, but {length} {what}")))
            }
            None => Ok(read),
        }
    }

    /// Returns the vectors as metrics observe them.
    pub(crate) fn vectors(&self) -> Vec<Vector<'_>> {
        let mut all: Vec<Vector<'_>> = self.vectors.iter().map(|values| Vector::from(&values[..])).collect();
        for (vector, weight) in all.iter_mut().zip(self.weights.iter().flatten()) {
            vector.weight = *weight;
        }
        for (vector, id) in all.iter_mut().zip(self.ids.iter().flatten()) {
            vector.piece = Some(*id);
        }
        all
    }
}
