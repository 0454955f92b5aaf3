//! The two error types, one per door: configuring ([`ConfigError`]) and reading or observing ([`InputError`]).
//!
//! Between the two doors nothing fails. Every message names the offending value and the limit or the valid values; an
//! input error also names the place, as far as it is known.

use bleuprint_math::SumError;

use crate::Result;
use crate::prelude::*;
use crate::words::{counted, nearest};
use core::fmt;

/// A configuration that cannot be built: a misspelt name, a value out of range, a missing resource.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// An unknown name; the message lists the known ones, and the nearest.
    UnknownName {
        /// The kind of name, as in "smoothing method".
        what: String,
        /// The given name.
        given: String,
        /// Every known name.
        expected: Vec<String>,
    },
    /// A value outside its limits.
    OutOfRange {
        /// The option.
        name: String,
        /// The given value.
        given: String,
        /// The limit, as in "at least 1".
        limit: String,
    },
    /// Options or values that exclude each other.
    Conflict(String),
    /// A missing or unusable resource, such as a dictionary or a model.
    Resource {
        /// The resource, as in "the MeCab dictionary for `ja-mecab`".
        what: String,
        /// The fault, and the places searched.
        reason: String,
        /// The remedy, as in the package to install.
        hint: String,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ConfigError::*;
        match self {
            UnknownName { what, given, expected } => {
                write!(f, "unknown {what} `{given}`; expected one of: {}", expected.join(", "))?;
                match nearest(given, expected) {
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
    /// An unknown `what` named `given`, with the known names.
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

    /// A part of `package` that this build lacks, with the feature that brings it.
    pub fn missing_feature(what: &str, feature: &str, package: &str) -> Self {
        ConfigError::Resource {
            what: what.to_owned(),
            reason: format!("this program was built without the feature `{feature}` of {package}"),
            hint: format!(
                "enable it in Cargo.toml; of the program, `cargo install bleuprint-cli --features {feature}` has it"
            ),
        }
    }

    /// The value `given` of option `name` breaks `limit` (a phrase that follows "must be").
    pub fn out_of_range(name: &str, given: impl fmt::Display, limit: &str) -> Self {
        Self::beyond(name, &given, limit)
    }

    fn beyond(name: &str, given: &dyn fmt::Display, limit: &str) -> Self {
        ConfigError::OutOfRange { name: name.to_owned(), given: given.to_string(), limit: limit.to_owned() }
    }
}

/// The place of an error in the input; every part is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Location {
    /// The file, as the user named it (`<stdin>` for standard input).
    pub file: Option<Arc<str>>,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The segment, counted from 1, where there are no lines.
    pub segment: Option<u64>,
}

impl Location {
    /// A line (from 1) of a file.
    pub fn line(file: impl Into<Arc<str>>, line: u64) -> Self {
        Location { file: Some(file.into()), line: Some(line), segment: None }
    }

    /// A file as a whole.
    pub fn file(file: impl Into<Arc<str>>) -> Self {
        Location { file: Some(file.into()), line: None, segment: None }
    }

    /// A segment, counted from 1.
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
    /// A segment came without any reference.
    NoReferences,
    /// A segment came without its source.
    NoSource,
    /// There was nothing to score.
    EmptyCorpus,
    /// Parallel streams of unequal length.
    LengthMismatch {
        /// The first stream, as in "hypotheses" or a file name.
        left: String,
        /// Its number of segments.
        left_len: u64,
        /// The second stream.
        right: String,
        /// Its number of segments.
        right_len: u64,
    },
    /// Bytes that are not UTF-8.
    InvalidUtf8 {
        /// The first offending byte of the line, counted from 1.
        byte: u64,
    },
    /// A line, field or object of the wrong form.
    Malformed(String),
    /// More than the metric can hold exactly.
    Limit {
        /// The quantity.
        what: String,
        /// Its value.
        given: String,
        /// The limit, as a phrase that follows "must be".
        limit: String,
    },
    /// States, or a state and a metric, of unlike keys.
    UnlikeStates {
        /// The first field that differs.
        field: String,
        /// The key of the metric, or of the state merged into.
        left: String,
        /// The key of the other state.
        right: String,
    },
    /// A state that no sequence of observations can have produced.
    MalformedState(String),
    /// A definition that gives no score for what was observed.
    NoScore {
        /// The metric.
        metric: String,
        /// The reason.
        reason: String,
    },
    /// A state that lacks what this configuration needs to finish it.
    CannotFinish {
        /// The metric.
        metric: String,
        /// What is missing.
        reason: String,
    },
    /// An operation that these statistics do not have.
    NotLinear {
        /// The metric.
        metric: String,
        /// The operation, as in "be subtracted".
        operation: &'static str,
    },
    /// A count beyond 64 bits, or a subtraction below zero.
    CountRange {
        /// The column of the row.
        column: String,
        /// The count on the left.
        left: u64,
        /// `+` or `-`.
        operation: char,
        /// The count on the right.
        right: u64,
    },
    /// The operating system refused to read or write.
    Io(String),
    /// The caller ended the work early.
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
            UnlikeStates { field, left, right } => {
                write!(f, "unlike states, they differ in {field}: `{left}` and `{right}`")
            }
            MalformedState(message) => write!(f, "malformed state: {message}"),
            NoScore { metric, reason } => write!(f, "{metric} has no score here: {reason}"),
            CannotFinish { metric, reason } => write!(f, "{metric} cannot finish this state: {reason}"),
            NotLinear { metric, operation } => {
                write!(f, "the statistics of {metric} are no row of counts, so they cannot {operation}")
            }
            CountRange { column, left, operation, right } => {
                write!(f, "count out of range in column `{column}`: {left} {operation} {right}")
            }
        }
    }
}

impl core::error::Error for InputErrorKind {}

/// An input that cannot be scored: the fault and its place.
///
/// ```
/// use bleuprint_core::{InputError, InputErrorKind, Location};
/// let error = InputError::from(InputErrorKind::NoReferences).at(Location::line("ref.txt", 3));
/// assert_eq!(error.to_string(), "ref.txt: line 3: no references: every segment needs at least one");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// Behind a pointer, so that the results of hot loops stay small.
    inner: Box<Inner>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: InputErrorKind,
    location: Location,
}

impl InputError {
    /// Adds the place. Known parts are kept: the innermost caller knows best.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        let known = &mut self.inner.location;
        known.file = known.file.take().or(location.file);
        known.line = known.line.or(location.line);
        known.segment = known.segment.or(location.segment);
        self
    }

    /// Replaces the number of the segment, which was counted within a part of the input.
    #[must_use]
    pub fn renumbered(mut self, location: Location) -> Self {
        self.inner.location.segment = None;
        self.at(location)
    }

    /// A malformed state, in words.
    pub fn malformed_state(message: impl Into<String>) -> Self {
        InputErrorKind::MalformedState(message.into()).into()
    }

    /// A definition that gives no score, in words.
    pub fn no_score(metric: impl Into<String>, reason: impl Into<String>) -> Self {
        InputErrorKind::NoScore { metric: metric.into(), reason: reason.into() }.into()
    }

    /// A state is malformed if one count exceeds another that bounds it.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState), naming both.
    pub fn require_at_most(name: &str, count: u64, bound: &str, limit: u64) -> Result<()> {
        if count <= limit {
            return Ok(());
        }
        Err(Self::malformed_state(format!("{name} {count} > {bound} {limit}")))
    }

    /// A row of the wrong length.
    pub fn row_length(expected: usize, given: usize) -> Self {
        Self::malformed_state(format!("a row of {given} counts, where {expected} were expected"))
    }

    /// More than the metric can hold exactly; `limit` is a phrase that follows "must be".
    pub fn limit(what: impl Into<String>, given: impl fmt::Display, limit: impl Into<String>) -> Self {
        Self::beyond(what.into(), &given, limit.into())
    }

    fn beyond(what: String, given: &dyn fmt::Display, limit: String) -> Self {
        InputErrorKind::Limit { what, given: given.to_string(), limit }.into()
    }

    /// A count of this column beyond 64 bits, or below zero.
    pub fn count_range(column: impl Into<String>, left: u64, operation: char, right: u64) -> Self {
        InputErrorKind::CountRange { column: column.into(), left, operation, right }.into()
    }

    /// A line, field or object of the wrong form, in words.
    pub fn malformed(message: impl Into<String>) -> Self {
        InputErrorKind::Malformed(message.into()).into()
    }

    /// The fault.
    pub fn kind(&self) -> &InputErrorKind {
        &self.inner.kind
    }

    /// The place.
    pub fn location(&self) -> &Location {
        &self.inner.location
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.inner.location, self.inner.kind)
    }
}

/// The kind is part of the message already, so it is not given as a source again.
impl core::error::Error for InputError {}

/// A value beyond the limits of a sum, or columns that no values have.
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

/// An error without its place, which [`InputError::at`] adds.
impl From<InputErrorKind> for InputError {
    fn from(kind: InputErrorKind) -> Self {
        InputError { inner: Box::new(Inner { kind, location: Location::default() }) }
    }
}
