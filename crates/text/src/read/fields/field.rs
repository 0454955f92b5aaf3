//! [`Field`]: one value of a record (a row of a table or a JSON object), read as a number or as a label.

use bleuprint_core::{InputError, Result, number_text};
use bleuprint_registry::ValueTag;
use serde_json::Value;

use super::tagged::{plain_value, tag_of};
use crate::whitespace::strip;

/// One value of a record: a cell of a table or a value in a JSON object.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Field<'r> {
    /// No value: the record does not have the requested field.
    Absent,
    /// The text of a table cell.
    Text(&'r str),
    /// The value of a key in a JSON object.
    Json(&'r Value),
}

impl Field<'_> {
    /// Returns the value as a number, or `None` if it is missing. `words` are texts with the numbers that
    /// they mean.
    ///
    /// | value | number | missing | error |
    /// |---|---|---|---|
    /// | JSON | a number, `true` as 1, `false` as 0, a string with one decimal number | `null`, the bare word `NaN`, an absent key, the strings `NaN`, `nan`, `None`, `NA` and the empty string | infinities, arrays, objects, other strings |
    /// | a cell | a decimal number, with optional spaces around it | an empty cell, `NaN`, `nan`, `None`, `NA`, `null` | everything else |
    ///
    /// ```
    /// use bleuprint_text::read::Field;
    /// assert_eq!(Field::Text(" 3e-1 ").number(&[]), Ok(Some(0.3)));
    /// assert_eq!(Field::Text("None").number(&[]), Ok(None));
    /// assert_eq!(Field::Text("PASS").number(&[("PASS".to_owned(), 1.0)]), Ok(Some(1.0)));
    /// assert_eq!(Field::Text("1,5").number(&[]).unwrap_err().to_string(), "`1,5` is no number");
    /// ```
    ///
    /// # Errors
    /// Returns an error with the value in the cases of the last column, and if the number exceeds the range
    /// of `f64`.
    pub fn number(&self, words: &[(String, f64)]) -> Result<Option<f64>> {
        if let Some(digits) = self.long_number() {
            return number_of_text(digits, words);
        }
        match self {
            Field::Absent | Field::Json(Value::Null) => Ok(None),
            Field::Json(Value::Bool(value)) => Ok(Some(f64::from(u8::from(*value)))),
            Field::Json(Value::Number(number)) => {
                number.as_f64().filter(|number| number.is_finite()).map(Some).ok_or_else(|| no_number(self))
            }
            // The string "null" in JSON is a mistake of the writer: JSON has a null value, while a table has
            // only text.
            Field::Json(Value::String(text)) if strip(text) == "null" => Err(no_number(self)),
            Field::Text(text) => number_of_text(text, words),
            Field::Json(Value::String(text)) => number_of_text(text, words),
            Field::Json(value) if tag_of(value) == Some((ValueTag::NonFinite, "NaN")) => Ok(None),
            Field::Json(Value::Array(_) | Value::Object(_)) => Err(no_number(self)),
        }
    }

    /// Returns the value as a label or as a part of an id, or `None` if it is missing or empty. A whole number
    /// and its decimal text are one label, see [`number_label`].
    ///
    /// # Errors
    /// Returns an error if the value is an array or an object.
    pub fn label(&self) -> Result<Option<String>> {
        if let Some(digits) = self.long_number() {
            return Ok(Some(digits.to_owned()));
        }
        let label = match self {
            Field::Absent | Field::Json(Value::Null) => return Ok(None),
            Field::Text(text) => strip(text).to_owned(),
            Field::Json(Value::String(text)) => strip(text).to_owned(),
            Field::Json(Value::Number(number)) => number_label(&number.to_string()),
            Field::Json(Value::Bool(value)) => value.to_string(),
            Field::Json(value) if tag_of(value).is_some() => {
                let message = format!("{self} is given, where a text or a number is expected");
                return Err(InputError::malformed(message));
            }
            Field::Json(Value::Array(_) | Value::Object(_)) => {
                return Err(InputError::malformed(format!("{self} is no label")));
            }
        };
        Ok((!label.is_empty()).then_some(label))
    }

    /// Returns the digits of a whole number beyond 64 bits, which the reader has kept as text.
    fn long_number(&self) -> Option<&str> {
        let Field::Json(value) = self else { return None };
        tag_of(value).filter(|(tag, _)| *tag == ValueTag::QuotedCell).map(|(_, digits)| digits)
    }
}

/// Displays the value in backquotes, shortened, for error messages.
impl std::fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        /// Maximum number of characters of a value in an error message; longer values are shortened.
        const MOST: usize = 60;
        let text = match self {
            Field::Absent => return f.write_str("nothing"),
            Field::Text(text) => (*text).to_owned(),
            Field::Json(Value::String(text)) => text.clone(),
            Field::Json(value) => match tag_of(value) {
                Some((_, text)) => text.to_owned(),
                None => plain_value(value).to_string(),
            },
        };
        match text.char_indices().nth(MOST) {
            Some((end, _)) => write!(f, "`{}..`", &text[..end]),
            None => write!(f, "`{text}`"),
        }
    }
}

/// Returns a JSON number as the text of an id, an answer or a label. A whole number of any size keeps its
/// digits; `1.0` and `1e0` both become `1`. Any other number becomes the shortest decimal text of its `f64`
/// value.
///
/// ```
/// use bleuprint_text::read::number_label;
/// let whole = "100000000000000000000000000000001";
/// assert_eq!([whole, "1.0", "-0", "1e3", "0.50"].map(number_label), [whole, "1", "0", "1000", "0.5"]);
/// ```
pub fn number_label(written: &str) -> String {
    let digits = written.strip_prefix('-').unwrap_or(written);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // JSON has no zeros in front, and 0 has no sign.
        return if digits == "0" { "0".to_owned() } else { written.to_owned() };
    }
    written.parse().map_or_else(|_| written.to_owned(), number_text)
}

fn no_number(field: &Field<'_>) -> InputError {
    let hint = match field {
        Field::Text(text) => word_hint(text),
        Field::Json(Value::String(text)) => word_hint(text),
        _ => "",
    };
    InputError::malformed(format!("{field} is no number{hint}"))
}

/// Returns what to do with words that stand for numbers in tables.
fn word_hint(text: &str) -> &'static str {
    match strip(text) {
        "True" | "False" => "; map=True=1/False=0 reads these words",
        "TRUE" | "FALSE" => "; map=TRUE=1/FALSE=0 reads these words",
        _ => "",
    }
}

fn number_of_text(text: &str, words: &[(String, f64)]) -> Result<Option<f64>> {
    let text = strip(text);
    // The words are compared first, so that a user can give `NA` a number.
    if let Some((_, number)) = words.iter().find(|(word, _)| word == text) {
        return Ok(Some(*number));
    }
    if ["", "NaN", "nan", "None", "NA", "null"].contains(&text) {
        return Ok(None);
    }
    // Rust's parser also accepts words such as `inf` and `infinity`, which are no decimal numbers.
    let decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    match text.parse::<f64>().ok().filter(|_| decimal) {
        Some(number) if number.is_finite() => Ok(Some(number)),
        Some(_) => Err(InputError::malformed(format!("`{text}` is more than a number holds"))),
        None => Err(no_number(&Field::Text(text))),
    }
}

/// Returns the JSON value at a path, which is a key or several keys separated by dots. A longer key has
/// precedence over a shorter one.
pub(super) fn find<'r>(value: &'r Value, path: &str) -> Option<&'r Value> {
    let inner = |key: &str| match value {
        Value::Object(keys) => keys.get(key),
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        _ => None,
    };
    let deeper = |(dot, _): (usize, &str)| find(inner(&path[..dot])?, &path[dot + 1..]);
    inner(path).or_else(|| path.rmatch_indices('.').find_map(deeper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "needs the data beside the checkout"]
    fn recorded_cells() {
        let rows = bleuprint_testkit::recorded::rows("numbers-and-people-golden.json", "rows");
        let mut tried = 0;
        for row in rows.iter().filter(|row| row["metric"] == "given-cell") {
            let cell = row["inputs"]["cell"].as_str().unwrap();
            let record = format!("{{\"cell\": {}}}", if cell == "absent" { "null" } else { cell });
            let read = match (row["inputs"]["kind"].as_str().unwrap(), cell) {
                ("json", "absent") => Field::Absent.number(&[]),
                ("json", _) => {
                    let value: Value =
                        serde_json::from_str(&super::super::document::standard(&record)).unwrap();
                    Field::Json(&value["cell"]).number(&[])
                }
                ("csv", _) => Field::Text(cell).number(&[]),
                _ => number_of_text(cell, &[]),
            };
            match (&row["outputs"]["number"], row["outputs"]["outcome"].as_str()) {
                (Value::Number(number), None) => assert_eq!(read, Ok(number.as_f64()), "{row}"),
                (_, Some("missing")) => assert_eq!(read, Ok(None), "{row}"),
                (_, Some("error")) => assert!(read.is_err(), "{row}"),
                _ => panic!("{row}"),
            }
            tried += 1;
        }
        assert_eq!(tried, 28);
    }

    #[test]
    fn what_is_no_number_is_shown() {
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        for (text, message) in [
            ("[1, 2]", "`[1,2]` is no number"),
            ("\"C\"", "`C` is no number"),
            ("\"null\"", "`null` is no number"),
            ("\"1e400\"", "`1e400` is more than a number holds"),
            ("\"Infinity\"", "`Infinity` is no number"),
        ] {
            assert_eq!(Field::Json(&value(text)).number(&[]).unwrap_err().to_string(), message);
        }
        let long = "x".repeat(100);
        assert_eq!(number_of_text(&long, &[]).unwrap_err().to_string().len(), "`..` is no number".len() + 60);
        assert!(serde_json::from_str::<Value>("1e400").is_err());
    }

    #[test]
    fn paths_lead_to_values() {
        let value: Value =
            serde_json::from_str(r#"{"a.b": 1, "a": {"b": 2, "c.d": {"e": 3}}, "f": [{"g": 4}]}"#).unwrap();
        let number = |path: &str| find(&value, path).and_then(Value::as_u64);
        assert_eq!(["a.b", "a.c.d.e", "f.0.g"].map(number), [Some(1), Some(3), Some(4)]);
        assert_eq!(["a.x", "f.1.g", "f.x", ""].map(number), [None; 4]);
    }
}
