//! [`LogValue`]: one number that an evaluation harness logged for a sample.

use serde_json::Value;

/// One number that an evaluation harness logged for a sample (an answer of a model).
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: pairing has a rule for each")]
pub enum LogValue {
    /// A number. A verdict such as "passed" is 1, and "failed" is 0.
    Number(f64),
    /// Numerator and denominator of the sample. The score is the sum of all numerators divided by the sum of
    /// all denominators, as for a perplexity.
    Quotient {
        /// The number that the sample adds to the numerator's sum.
        numerator: f64,
        /// The number that the sample adds to the denominator's sum.
        denominator: f64,
    },
    /// Missing number, with the reason, such as `null`.
    Missing(&'static str),
    /// A logged value that is not a number, as JSON.
    Other(Value),
}

impl LogValue {
    /// Converts a JSON value in a harness's log: a number, a truth value, or a pair of numbers (numerator,
    /// denominator).
    pub(crate) fn from_json(value: &Value) -> Self {
        match value {
            Value::Null => LogValue::Missing("null"),
            Value::Bool(right) => LogValue::verdict(*right),
            Value::Array(pair) => {
                match pair.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>().as_deref() {
                    Some(&[numerator, denominator]) => LogValue::Quotient { numerator, denominator },
                    _ => LogValue::Other(value.clone()),
                }
            }
            _ => value.as_f64().map_or_else(|| LogValue::Other(value.clone()), LogValue::Number),
        }
    }

    /// Converts a value that a scorer of inspect-ai logged: a number, or a word such as `C` (correct) or
    /// `yes`.
    pub(crate) fn of_words(value: &Value) -> Self {
        let Value::String(text) = value else { return LogValue::from_json(value) };
        let number = match text.trim().to_ascii_lowercase().as_str() {
            "c" | "yes" | "true" => Some(1.0),
            "p" => Some(0.5),
            "i" | "n" | "no" | "false" => Some(0.0),
            text => text.parse().ok().filter(|number: &f64| number.is_finite()),
        };
        // inspect-ai writes these letters as capitals; a small letter is another word.
        let letter = matches!(text.trim(), "c" | "p" | "i" | "n");
        number.filter(|_| !letter).map_or_else(|| LogValue::Other(value.clone()), LogValue::Number)
    }

    pub(crate) fn verdict(right: bool) -> Self {
        LogValue::Number(f64::from(u8::from(right)))
    }

    /// Converts the number to JSON. A quotient is an object, and a missing number is `null`.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            LogValue::Number(number) => Value::from(*number),
            LogValue::Quotient { numerator, denominator } => {
                serde_json::json!({ "numerator": numerator, "denominator": denominator })
            }
            LogValue::Missing(_) => Value::Null,
            LogValue::Other(value) => value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_numbers_and_others_stay() {
        for (value, number) in [
            (json!("C"), 1.0),
            (json!("P"), 0.5),
            (json!("I"), 0.0),
            (json!("N"), 0.0),
            (json!(" Yes "), 1.0),
            (json!("FALSE"), 0.0),
            (json!("0.25"), 0.25),
            (json!(true), 1.0),
            (json!(2), 2.0),
        ] {
            assert_eq!(LogValue::of_words(&value), LogValue::Number(number), "{value}");
        }
        for value in [json!("c"), json!("maybe"), json!("inf"), json!("nan"), json!(["a", "b"]), json!({})] {
            assert_eq!(LogValue::of_words(&value), LogValue::Other(value.clone()));
        }
        assert_eq!(LogValue::from_json(&json!("C")), LogValue::Other(json!("C")));
        assert_eq!(
            LogValue::from_json(&json!([-1.5, 3])),
            LogValue::Quotient { numerator: -1.5, denominator: 3.0 }
        );
    }
}
