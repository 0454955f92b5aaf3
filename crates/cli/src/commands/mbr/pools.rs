//! Reads the candidates for `mbr`: from text files with one candidate per line and weights in another file,
//! or from JSON Lines.

use bleuprint::eval::mbr::MbrWeights;
use bleuprint::text::LineReader;
use bleuprint::text::read::parse_value;
use bleuprint::{InputError, Location};
use bleuprint_requests::failure::Result;
use serde_json::Value;

use crate::shared::pools::Portions;

#[derive(Debug, Default)]
pub(super) struct MbrPool {
    pub(super) candidates: Vec<String>,
    /// Texts that the candidates are compared with; `None` to compare the candidates with each other.
    pub(super) references: Option<Vec<String>>,
    pub(super) weights: PoolWeights,
    /// Scores from another program, one row for each candidate and one column for each reference; NaN if a
    /// score is missing.
    pub(super) utilities: Option<Vec<Vec<f64>>>,
    pub(super) id: Option<Value>,
}

#[derive(Debug, Default)]
pub(super) enum PoolWeights {
    #[default]
    Equal,
    Linear(Vec<f64>),
    Logarithms(Vec<f64>),
}

impl PoolWeights {
    pub(super) fn borrowed(&self) -> MbrWeights<'_> {
        match self {
            PoolWeights::Equal => MbrWeights::Equal,
            PoolWeights::Linear(weights) => MbrWeights::Linear(weights),
            PoolWeights::Logarithms(weights) => MbrWeights::Logarithms(weights),
        }
    }
}

pub(super) enum MbrPools {
    Files {
        candidates: Box<Portions>,
        references: Option<Box<Portions>>,
        weights: Option<(Box<Portions>, bool)>,
    },
    Records {
        lines: Box<LineReader>,
    },
}

impl MbrPools {
    pub(super) fn next(&mut self) -> Result<Option<MbrPool>, InputError> {
        match self {
            MbrPools::Records { lines } => next_record(lines),
            MbrPools::Files { candidates, references, weights } => {
                let texts = candidates.next()?;
                let mut others = (None, None);
                if let Some(portions) = references {
                    others.0 = portions.next()?;
                    require_both(candidates, texts.is_some(), portions, others.0.is_some())?;
                }
                if let Some((portions, _)) = weights {
                    others.1 = portions.next_numbers()?;
                    require_both(candidates, texts.is_some(), portions, others.1.is_some())?;
                }
                let logarithms = weights.as_ref().is_some_and(|(_, logarithms)| *logarithms);
                let weights = match others.1 {
                    None => PoolWeights::Equal,
                    Some(weights) if logarithms => PoolWeights::Logarithms(weights),
                    Some(weights) => PoolWeights::Linear(weights),
                };
                let pool = |candidates| MbrPool {
                    candidates,
                    references: others.0,
                    weights,
                    utilities: None,
                    id: None,
                };
                Ok(texts.map(pool))
            }
        }
    }

    pub(super) fn position(&self) -> Option<(u64, u64)> {
        match self {
            MbrPools::Files { candidates, .. } => candidates.position(),
            MbrPools::Records { lines } => lines.position(),
        }
    }

    pub(super) fn location(&self) -> Location {
        match self {
            MbrPools::Files { candidates, .. } => candidates.location(),
            MbrPools::Records { lines } => lines.location(),
        }
    }
}

fn require_both(
    left: &Portions,
    left_more: bool,
    right: &Portions,
    right_more: bool,
) -> Result<(), InputError> {
    if left_more == right_more {
        return Ok(());
    }
    // The error is located in the longer file, whose next source has no counterpart.
    let (ended, going) = if left_more { (right, left) } else { (left, right) };
    let message = format!("{} has fewer sources than {}", ended.name(), going.name());
    Err(InputError::malformed(message).at(going.location()))
}

const KEYS: [&str; 6] = ["candidates", "references", "weights", "log_probabilities", "utilities", "id"];

fn next_record(lines: &mut LineReader) -> Result<Option<MbrPool>, InputError> {
    let mut line = String::new();
    while lines.next(&mut line)? {
        // Blank lines are allowed between records, such as at the end of a file.
        if !line.trim().is_empty() {
            return record(&line).map(Some).map_err(|error| error.at(lines.location()));
        }
    }
    Ok(None)
}

fn record(line: &str) -> Result<MbrPool, InputError> {
    let malformed = |message: String| InputError::malformed(message);
    let Value::Object(mut object) = parse_value(line)? else {
        return Err(malformed("a pool must be a JSON object".to_owned()));
    };
    // A misspelled key would otherwise be ignored, and its weights with it.
    if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(malformed(format!("the key `{key}` is not one of {}", KEYS.join(", "))));
    }
    let mut list = |key: &str| match object.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(values)) => Ok(Some(values)),
        Some(other) => Err(malformed(format!("`{key}` is {other}, but must be a list"))),
    };
    let texts = |key: &str, values: Vec<Value>| -> Result<Vec<String>, InputError> {
        let text = |value| match value {
            Value::String(text) => Ok(text),
            other => Err(malformed(format!("`{key}` holds {other}, but must hold texts"))),
        };
        values.into_iter().map(text).collect()
    };
    let numbers = |key: &str, values: Vec<Value>| -> Result<Vec<f64>, InputError> {
        let number = |value: &Value| {
            let number = value.as_f64();
            number.ok_or_else(|| malformed(format!("`{key}` holds {value}, but must hold numbers")))
        };
        values.iter().map(number).collect()
    };
    let candidates =
        list("candidates")?.ok_or_else(|| malformed("the pool has no `candidates`".to_owned()))?;
    let references = list("references")?.map(|values| texts("references", values)).transpose()?;
    let weights = match (list("weights")?, list("log_probabilities")?) {
        (Some(_), Some(_)) => {
            return Err(malformed(
                "`weights` and `log_probabilities` give the same weights: leave one of them out".to_owned(),
            ));
        }
        (Some(values), None) => PoolWeights::Linear(numbers("weights", values)?),
        (None, Some(values)) => PoolWeights::Logarithms(numbers("log_probabilities", values)?),
        (None, None) => PoolWeights::Equal,
    };
    let row = |row: Value| -> Result<Vec<f64>, InputError> {
        let Value::Array(cells) = row else {
            return Err(malformed(format!("`utilities` holds {row}, but must hold lists of numbers")));
        };
        let number = |cell: &Value| match cell {
            // The metric decides what a missing number means.
            Value::Null => Ok(f64::NAN),
            cell => Ok(numbers("utilities", vec![cell.clone()])?[0]),
        };
        cells.iter().map(number).collect()
    };
    let utilities = list("utilities")?.map(|rows| rows.into_iter().map(row).collect()).transpose()?;
    let id = object.remove("id").filter(|id| !id.is_null());
    Ok(MbrPool { candidates: texts("candidates", candidates)?, references, weights, utilities, id })
}
