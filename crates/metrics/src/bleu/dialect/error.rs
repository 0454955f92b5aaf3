//! [`DialectError`]: why a dialect gives no number.

use core::fmt;

use bleuprint_core::InputError;

/// A dialect that has no score for these statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DialectError {
    /// The program itself fails here.
    Raises {
        /// The dialect.
        dialect: &'static str,
        /// The program's failure and its condition: a phrase.
        what: &'static str,
    },
    /// The program takes one reference per segment, but segments had more.
    SeveralReferences {
        /// The dialect.
        dialect: &'static str,
    },
    /// The number is one of single segments: over a corpus it would depend on the order of the segments or is a
    /// mean of the segments' numbers.
    NotOneSegment {
        /// The dialect.
        dialect: &'static str,
        /// The number of segments.
        segments: u64,
    },
    /// The dialect reads counts of a higher order than was observed.
    OrderNotObserved {
        /// The dialect.
        dialect: &'static str,
        /// The order it reads.
        needed: usize,
        /// The highest order observed.
        observed: usize,
    },
    /// The program has no weights, but the configuration has.
    NoWeights {
        /// The dialect.
        dialect: &'static str,
    },
    /// The fractions that the program keeps exact grow too long here: only far beyond ten orders.
    NotExact {
        /// The dialect.
        dialect: &'static str,
    },
    /// The statistics cannot be scored by any dialect.
    Input(InputError),
}

impl fmt::Display for DialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DialectError::Raises { dialect, what } => write!(f, "`{dialect}` has no score here: {what}"),
            DialectError::SeveralReferences { dialect } => {
                write!(f, "`{dialect}` takes one reference per segment, but there were several")
            }
            DialectError::NotOneSegment { dialect, segments } => write!(
                f,
                "`{dialect}` is defined for single segments, but there were {segments}; score each, or take their mean"
            ),
            DialectError::OrderNotObserved { dialect, needed, observed } => write!(
                f,
                "`{dialect}` reads n-grams of order {needed}, but only orders up to {observed} were observed"
            ),
            DialectError::NoWeights { dialect } => {
                write!(f, "`{dialect}` weights all orders alike, but other weights were given")
            }
            DialectError::NotExact { dialect } => {
                write!(f, "`{dialect}` keeps exact fractions, which grow too long here")
            }
            DialectError::Input(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for DialectError {}

impl From<InputError> for DialectError {
    fn from(error: InputError) -> Self {
        DialectError::Input(error)
    }
}

/// An error that a metric can return: the dialect has no score, and why.
impl From<DialectError> for InputError {
    fn from(error: DialectError) -> Self {
        let dialect = match &error {
            DialectError::Input(input) => return input.clone(),
            DialectError::Raises { dialect, .. }
            | DialectError::SeveralReferences { dialect }
            | DialectError::NotOneSegment { dialect, .. }
            | DialectError::OrderNotObserved { dialect, .. }
            | DialectError::NoWeights { dialect }
            | DialectError::NotExact { dialect } => *dialect,
        };
        let what = match &error {
            DialectError::Raises { what, .. } => (*what).to_owned(),
            _ => error.to_string(),
        };
        InputError::no_score(format!("BLEU in the dialect `{dialect}`"), what)
    }
}
