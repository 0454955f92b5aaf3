//! Pools from files: texts of one source after another, weights beside them, or everything in JSON Lines.

use bleuprint::eval::mbr::Weights;
use bleuprint::text::Lines;
use bleuprint::{InputError, InputErrorKind, Location};
use serde_json::Value;

/// The candidates of one source, and what they are scored against.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) candidates: Vec<String>,
    /// The candidates themselves, where there are none.
    pub(crate) references: Option<Vec<String>>,
    pub(crate) weights: PoolWeights,
    pub(crate) id: Option<Value>,
}

#[derive(Debug, Default)]
pub(crate) enum PoolWeights {
    #[default]
    Equal,
    Linear(Vec<f64>),
    Logarithms(Vec<f64>),
}

impl PoolWeights {
    pub(crate) fn borrowed(&self) -> Weights<'_> {
        match self {
            PoolWeights::Equal => Weights::Equal,
            PoolWeights::Linear(weights) => Weights::Linear(weights),
            PoolWeights::Logarithms(weights) => Weights::Logarithms(weights),
        }
    }
}

/// Lines of a file, so many for each source, or all of them for one.
pub(crate) struct Portions {
    lines: Box<Lines>,
    size: Option<usize>,
    read: u64,
}

impl Portions {
    pub(crate) fn open(file: &str, size: Option<usize>, raw_lines: bool) -> Result<Self, InputError> {
        let lines = Box::new(Lines::open(file)?.with_line_ends(raw_lines));
        Ok(Portions { lines, size, read: 0 })
    }

    /// The lines of the next source, or none at the end.
    ///
    /// # Errors
    /// Those of the reader; a last source with too few lines.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<String>>, InputError> {
        let (mut texts, mut line) = (Vec::new(), String::new());
        while self.size.is_none_or(|size| texts.len() < size) && self.lines.next(&mut line)? {
            texts.push(std::mem::take(&mut line));
        }
        self.read += texts.len() as u64;
        match self.size {
            _ if texts.is_empty() => Ok(None),
            Some(size) if texts.len() < size => {
                let message =
                    format!("the last source has {} lines, but every source has {size}", texts.len());
                Err(InputError::malformed(message).at(self.location()))
            }
            _ => Ok(Some(texts)),
        }
    }

    /// How many bytes have been read, and how many there are.
    pub(crate) fn position(&self) -> Option<(u64, u64)> {
        self.lines.position()
    }

    /// The line that was read last.
    pub(crate) fn location(&self) -> Location {
        self.lines.location()
    }

    /// An error in one of the `count` lines that were read last, whose segments are counted from 1, told at its line.
    pub(crate) fn located(&self, error: InputError, count: usize) -> InputError {
        match error.location().segment {
            Some(segment) => {
                let line = self.read - count as u64 + segment;
                error.renumbered(Location::line(self.lines.name().clone(), line))
            }
            None => error.at(self.location()),
        }
    }

    /// The numbers of the next source, one a line.
    fn next_numbers(&mut self) -> Result<Option<Vec<f64>>, InputError> {
        let before = self.read;
        let Some(lines) = self.next()? else { return Ok(None) };
        let number = |(index, line): (u64, &String)| {
            line.trim().parse::<f64>().map_err(|_| {
                let message = format!("`{line}` is not a number");
                InputError::malformed(message).at(Location::line(self.lines.name().clone(), index))
            })
        };
        (before + 1..).zip(&lines).map(number).collect::<Result<_, _>>().map(Some)
    }
}

/// Where pools come from.
pub(crate) enum Pools {
    Files {
        candidates: Box<Portions>,
        references: Option<Box<Portions>>,
        weights: Option<(Box<Portions>, bool)>,
    },
    Records {
        lines: Lines,
    },
}

impl Pools {
    /// The next pool, or none at the end.
    ///
    /// # Errors
    /// Files that do not end together; those of the readers.
    pub(crate) fn next(&mut self) -> Result<Option<Pool>, InputError> {
        match self {
            Pools::Records { lines } => next_record(lines),
            Pools::Files { candidates, references, weights } => {
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
                let pool = |candidates| Pool { candidates, references: others.0, weights, id: None };
                Ok(texts.map(pool))
            }
        }
    }

    /// How many bytes of the candidates have been read, and how many there are.
    pub(crate) fn position(&self) -> Option<(u64, u64)> {
        match self {
            Pools::Files { candidates, .. } => candidates.position(),
            Pools::Records { lines } => lines.position(),
        }
    }

    /// Where the pool that was read last is.
    pub(crate) fn location(&self) -> Location {
        match self {
            Pools::Files { candidates, .. } => candidates.location(),
            Pools::Records { lines } => lines.location(),
        }
    }
}

/// Both go on, or both have ended.
fn require_both(
    left: &Portions,
    left_more: bool,
    right: &Portions,
    right_more: bool,
) -> Result<(), InputError> {
    if left_more == right_more {
        return Ok(());
    }
    let (ended, going) = if left_more { (right, left) } else { (left, right) };
    let message = format!("{} has lines of fewer sources than {}", ended.lines.name(), going.lines.name());
    Err(InputError::new(InputErrorKind::Malformed(message)).at(going.location()))
}

const KEYS: [&str; 5] = ["candidates", "references", "weights", "log_probabilities", "id"];

fn next_record(lines: &mut Lines) -> Result<Option<Pool>, InputError> {
    let mut line = String::new();
    while lines.next(&mut line)? {
        if !line.trim().is_empty() {
            return record(&line).map(Some).map_err(|error| error.at(lines.location()));
        }
    }
    Ok(None)
}

fn record(line: &str) -> Result<Pool, InputError> {
    let malformed = |message: String| InputError::malformed(message);
    let value: Value = serde_json::from_str(line).map_err(|error| malformed(format!("JSON: {error}")))?;
    let Value::Object(mut object) = value else {
        return Err(malformed("a pool is an object".to_owned()));
    };
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
    let candidates = list("candidates")?.ok_or_else(|| malformed("no `candidates`".to_owned()))?;
    let references = list("references")?.map(|values| texts("references", values)).transpose()?;
    let weights = match (list("weights")?, list("log_probabilities")?) {
        (Some(_), Some(_)) => {
            return Err(malformed(
                "`weights` and `log_probabilities` are two ways to say the same".to_owned(),
            ));
        }
        (Some(values), None) => PoolWeights::Linear(numbers("weights", values)?),
        (None, Some(values)) => PoolWeights::Logarithms(numbers("log_probabilities", values)?),
        (None, None) => PoolWeights::Equal,
    };
    let id = object.remove("id").filter(|id| !id.is_null());
    Ok(Pool { candidates: texts("candidates", candidates)?, references, weights, id })
}
