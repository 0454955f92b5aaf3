//! The two error types: [`ConfigError`] for an invalid configuration of a metric, and [`InputError`] for data
//! that cannot be read or scored.
//!
//! Operations fail only with these errors. Every message gives the offending value and the limit or the valid
//! values. An input error also gives the file, line or segment, as far as it is known.

use bleuprint_math::SumError;

use crate::Result;
use crate::prelude::*;
use crate::words::{counted, is_near, nearest};
use core::fmt;

/// Error for a metric configuration that cannot be built: a misspelt name, a value out of range, a missing
/// resource.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The name of a metric, option or other item is unknown. The message lists the known names and suggests
    /// the nearest.
    UnknownName {
        /// Kind of the unknown name, as in "smoothing method".
        what: String,
        /// Unknown name that the user gave.
        given: String,
        /// All known names for the kind of item in `what`, such as the names of all smoothing methods.
        expected: Vec<String>,
    },
    /// The value of an option breaks a limit.
    OutOfRange {
        /// Name of the option whose value breaks the limit.
        name: String,
        /// Value of the option, as the user gave it.
        given: String,
        /// Limit that the value breaks, as in "at least 1".
        limit: String,
    },
    /// Two options or values exclude each other; the text says which.
    Conflict(String),
    /// A resource, such as a dictionary or a model, is missing or unusable.
    Resource {
        /// Name of the missing resource, as in "the MeCab dictionary for `ja-mecab`".
        what: String,
        /// Reason why the resource is unusable, and the places that were searched for it.
        reason: String,
        /// Remedy for the missing resource, such as the package to install.
        hint: String,
    },
}

/// Largest number of known names that a message lists. If there are more, it lists the nearest names.
const MOST_NAMES: usize = 48;

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ConfigError::*;
        match self {
            UnknownName { what, given, expected } => {
                // The nearest names come first, because nobody reads a hundred names.
                if expected.len() > MOST_NAMES {
                    let near = nearest(given, expected, 3);
                    let count = expected.len();
                    write!(f, "unknown {what} `{given}`")?;
                    let Some(first) = near.first() else {
                        return write!(f, ", which is none of {count} names");
                    };
                    let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
                    write!(f, "; the nearest of {count} names are {}", quoted.join(", "))?;
                    return if is_near(given, first) {
                        write!(f, "; did you mean `{first}`?")
                    } else {
                        Ok(())
                    };
                }
                write!(f, "unknown {what} `{given}`; expected one of: {}", expected.join(", "))?;
                match nearest(given, expected, 1).first().filter(|name| is_near(given, name)) {
                    Some(name) => write!(f, "; did you mean `{name}`?"),
                    None => Ok(()),
                }
            }
            OutOfRange { name, given, limit } => write!(f, "{name} is {given}, but must be {limit}"),
            Conflict(message) => f.write_str(message),
            Resource { what, reason, hint } => write!(f, "{what} is not usable: {reason}; {hint}"),
        }
    }
}

impl core::error::Error for ConfigError {}

impl ConfigError {
    /// Creates the error of an unknown name `given`. `what` is the kind of name, and `expected` lists the
    /// known names.
    pub fn unknown_name<I>(what: &str, given: &str, expected: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut known = Vec::new();
        expected.into_iter().for_each(|name| known.push(name.as_ref().to_owned()));
        Self::unknown(what, given, known)
    }

    fn unknown(what: &str, given: &str, expected: Vec<String>) -> Self {
        ConfigError::UnknownName { what: what.to_owned(), given: given.to_owned(), expected }
    }

    /// Creates the error for using `what`, a component of the package `package`, without the Cargo feature
    /// `feature`, which enables it.
    pub fn missing_feature(what: &str, feature: &str, package: &str) -> Self {
        ConfigError::Resource {
            what: what.to_owned(),
            reason: format!("this program was built without the feature `{feature}` of {package}"),
            hint: format!(
                "enable it in Cargo.toml; of the program, `cargo install bleuprint-cli --features {feature}` has it"
            ),
        }
    }

    /// Creates the error of an option `name` whose value `given` breaks `limit`, a phrase that follows "must
    /// be".
    pub fn out_of_range(name: &str, given: impl fmt::Display, limit: &str) -> Self {
        Self::beyond(name, &given, limit)
    }

    fn beyond(name: &str, given: &dyn fmt::Display, limit: &str) -> Self {
        ConfigError::OutOfRange { name: name.to_owned(), given: given.to_string(), limit: limit.to_owned() }
    }
}

/// Place of an error in the input: file, line or segment, each if it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Location {
    /// File in which the error occurred, as the user named it (`<stdin>` for standard input).
    pub file: Option<Arc<str>>,
    /// Line of the file in which the error occurred, counted from 1.
    pub line: Option<u64>,
    /// Number of the segment (hypothesis with its references) in which the error occurred, counted from 1, if
    /// the input has no lines.
    pub segment: Option<u64>,
}

impl Location {
    /// Creates the location of a line, counted from 1, in a file.
    pub fn line(file: impl Into<Arc<str>>, line: u64) -> Self {
        Location { file: Some(file.into()), line: Some(line), segment: None }
    }

    /// Creates the location of a whole file.
    pub fn file(file: impl Into<Arc<str>>) -> Self {
        Location { file: Some(file.into()), line: None, segment: None }
    }

    /// Creates the location of a segment, counted from 1.
    pub fn segment(segment: u64) -> Self {
        Location { file: None, line: None, segment: Some(segment) }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(segment) = self.segment {
            write!(f, "segment {segment}: ")?;
        }
        Ok(())
    }
}

/// The kind of an input error.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputErrorKind {
    /// A segment has no reference, but the metric needs one.
    NoReferences,
    /// A segment has no source, but the metric needs one.
    NoSource,
    /// The input contains no segment, so nothing can be scored.
    EmptyCorpus,
    /// Two streams that should have one segment per line each, such as hypotheses and references, have
    /// different lengths.
    LengthMismatch {
        /// Name of the first stream, as in "hypotheses" or a file name.
        left: String,
        /// Number of segments in the first stream.
        left_len: u64,
        /// Name of the second stream, as in "references" or a file name.
        right: String,
        /// Number of segments in the second stream.
        right_len: u64,
    },
    /// The input is not UTF-8.
    InvalidUtf8 {
        /// Position of the first invalid byte in the line, counted from 1.
        byte: u64,
    },
    /// An input line, field or object does not have the expected syntax or fields; the text says how.
    Malformed(String),
    /// A quantity in the input exceeds the range that the metric can count exactly.
    Limit {
        /// Name of the quantity that exceeds its limit, such as a count.
        what: String,
        /// Value of the quantity that exceeds its limit, as text.
        given: String,
        /// Limit that the quantity exceeds, as a phrase that follows "must be".
        limit: String,
    },
    /// Two metric states cannot be merged, or a state does not belong to a metric: their keys (name and
    /// settings that affect counts) differ.
    UnlikeStates {
        /// Name of the first setting that differs between the two state keys.
        field: String,
        /// Expected state key (a metric's name and settings), of the metric that reads a state or of the
        /// state into which another state is merged.
        left: String,
        /// State key (a metric's name and settings) of the rejected state, which was to be merged or scored.
        right: String,
    },
    /// A stored metric state has counts that no input can have produced; the text says why.
    MalformedState(String),
    /// The definition of the metric gives no score for the observed segments, for example because it would
    /// divide by zero.
    NoScore {
        /// Name of the metric that gives no score.
        metric: String,
        /// Reason why the metric gives no score.
        reason: String,
    },
    /// The stored state lacks data that this configuration of the metric needs to compute a score.
    CannotFinish {
        /// Name of the metric that cannot compute a score from the stored state.
        metric: String,
        /// Description of the data that the stored state lacks.
        reason: String,
    },
    /// An operation, such as subtraction, needs statistics that are a fixed-length row of counts, but this
    /// metric's statistics are not.
    NotLinear {
        /// Name of the metric whose statistics are not a row of counts.
        metric: String,
        /// Operation that was attempted, as a phrase that follows "cannot", such as "be subtracted".
        operation: &'static str,
    },
    /// The result of adding, subtracting or multiplying counts would exceed 64 bits or fall below zero.
    CountRange {
        /// Name of the count (a column of the statistics) that is out of range.
        column: String,
        /// Left operand of the count operation that failed.
        left: u64,
        /// Arithmetic operation that failed, applied to two counts: `+`, `-` or `*`.
        operation: char,
        /// Right operand of the count operation that failed.
        right: u64,
    },
    /// The operating system reported an error while reading or writing.
    Io(String),
    /// The caller cancelled the work before it was finished.
    Interrupted,
}

impl fmt::Display for InputErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use InputErrorKind::*;
        match self {
            NoReferences => f.write_str("no references: every segment needs at least one"),
            NoSource => f.write_str("no source: this metric needs the source of every segment"),
            EmptyCorpus => f.write_str("no segments: an empty corpus has no score"),
            LengthMismatch { left, left_len, right, right_len } => {
                write!(f, "{left} has {}, but {right} has {right_len}", counted(left_len, "segment"))
            }
            InvalidUtf8 { byte } => {
                write!(
                    f,
                    "invalid UTF-8 at byte {byte} of the line; if the file is in Latin-1, `iconv -f latin1 -t utf-8` converts it"
                )
            }
            Malformed(message) | Io(message) => f.write_str(message),
            Interrupted => f.write_str("interrupted"),
            Limit { what, given, limit } => write!(f, "{what} is {given}, but must be {limit}"),
            UnlikeStates { field, left, right } if field == "metric" => {
                // The name of a metric may have a family in front of it, and the version of the layout follows.
                let name = |key: &str| {
                    let part = key.split('|').next().unwrap_or_default();
                    part.rsplit_once('/').map_or(part, |(name, _)| name).to_owned()
                };
                let own = name(left);
                let other = name(right);
                write!(f, "unlike states: the state is of `{other}`, but `{own}` is asked for: ")?;
                write!(f, "they differ in metric: `{left}` and `{right}`")
            }
            UnlikeStates { field, left, right } => {
                write!(f, "unlike states: they differ in {field}: `{left}` and `{right}`")
            }
            MalformedState(message) => write!(f, "malformed state: {message}"),
            NoScore { metric, reason } => write!(f, "{metric} has no score here: {reason}"),
            CannotFinish { metric, reason } => write!(f, "{metric} cannot finish this state: {reason}"),
            NotLinear { metric, operation } => {
                write!(f, "the statistics of {metric} are not a row of counts, so they cannot {operation}")
            }
            CountRange { column, left, operation, right } => {
                write!(f, "count out of range in column `{column}`: {left} {operation} {right}")
            }
        }
    }
}

impl core::error::Error for InputErrorKind {}

/// An input that cannot be scored: the kind of fault and its place.
///
/// ```
/// use bleuprint_core::{InputError, InputErrorKind, Location};
/// let error = InputError::from(InputErrorKind::NoReferences).at(Location::line("ref.txt", 3));
/// assert_eq!(error.to_string(), "ref.txt: line 3: no references: every segment needs at least one");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// Kind and place of the error, boxed so that `Result` stays small in hot loops.
    inner: Box<ErrorInner>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ErrorInner {
    kind: InputErrorKind,
    location: Location,
}

impl InputError {
    /// Adds the file, line or segment where the error occurred. Values that are known already are kept,
    /// because the innermost caller knows best.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        // Callers add places from the inside out: a metric knows the segment, a reader the line, a program
        // the file.
        let known = &mut self.inner.location;
        known.file = known.file.take().or(location.file);
        known.line = known.line.or(location.line);
        known.segment = known.segment.or(location.segment);
        self
    }

    /// Replaces the segment number of the error by the number in `location`. Use it for errors that count the
    /// segments of one batch only.
    #[must_use]
    pub fn renumbered(mut self, location: Location) -> Self {
        self.inner.location.segment = None;
        self.at(location)
    }

    /// Creates the error of a stored metric state that no input can have produced.
    pub fn malformed_state(message: impl Into<String>) -> Self {
        InputErrorKind::MalformedState(message.into()).into()
    }

    /// Creates the error of a metric whose definition gives no score, with the reason.
    pub fn no_score(metric: impl Into<String>, reason: impl Into<String>) -> Self {
        InputErrorKind::NoScore { metric: metric.into(), reason: reason.into() }.into()
    }

    /// Checks that a count does not exceed another count that bounds it.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) with both names and counts if it does.
    pub fn require_at_most(name: &str, count: u64, bound: &str, limit: u64) -> Result<()> {
        if count <= limit {
            return Ok(());
        }
        Err(Self::malformed_state(format!("{name} {count} > {bound} {limit}")))
    }

    /// Creates the error of a row of counts with the wrong length.
    pub fn row_length(expected: usize, given: usize) -> Self {
        Self::malformed_state(format!("the row has {given} counts, but {expected} are expected"))
    }

    /// Creates an error for a quantity in the input that is out of range, with the message "`what` is
    /// `given`, but must be `limit`". An example of `limit` is "at most 100".
    pub fn limit(what: impl Into<String>, given: impl fmt::Display, limit: impl Into<String>) -> Self {
        Self::beyond(what.into(), &given, limit.into())
    }

    fn beyond(what: String, given: &dyn fmt::Display, limit: String) -> Self {
        InputErrorKind::Limit { what, given: given.to_string(), limit }.into()
    }

    /// Creates the error of an operation on two counts whose result exceeds 64 bits or is below zero.
    pub fn count_range(column: impl Into<String>, left: u64, operation: char, right: u64) -> Self {
        InputErrorKind::CountRange { column: column.into(), left, operation, right }.into()
    }

    /// Creates the error of an input line, field or object with invalid syntax or content.
    pub fn malformed(message: impl Into<String>) -> Self {
        InputErrorKind::Malformed(message.into()).into()
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &InputErrorKind {
        &self.inner.kind
    }

    /// Returns where in the input the error occurred, such as a line of a file or a segment.
    pub fn location(&self) -> &Location {
        &self.inner.location
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.inner.location, self.inner.kind)
    }
}

/// Makes [`InputError`] a standard error without `source`: its message contains the kind already, and error
/// reports would print it twice.
impl core::error::Error for InputError {}

/// Converts an error of an exact sum of floats: a value is out of range, or the stored columns are invalid.
impl From<SumError> for InputError {
    #[cold]
    fn from(error: SumError) -> Self {
        match error {
            SumError::Value { value, limit } => {
                Self::limit("a value to sum", format_args!("{value:e}"), limit)
            }
            SumError::Full { column, left, operation, right } => {
                Self::count_range(column, left, operation, right)
            }
            error => Self::malformed_state(error.to_string()),
        }
    }
}

/// Creates an error without a file, line or segment, which [`InputError::at`] adds.
impl From<InputErrorKind> for InputError {
    fn from(kind: InputErrorKind) -> Self {
        InputError { inner: Box::new(ErrorInner { kind, location: Location::default() }) }
    }
}
