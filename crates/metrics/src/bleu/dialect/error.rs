//! [`DialectError`]: the reason why a dialect has no score.

use core::fmt;

use bleuprint_core::InputError;

/// Reason why a dialect has no score for these statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DialectError {
    /// The original program of the dialect fails on this data.
    Raises {
        /// Name of the dialect.
        dialect: &'static str,
        /// Failure of the original program and the condition under which it occurs, as a phrase.
        what: &'static str,
    },
    /// The original program of the dialect accepts one reference for each segment, but segments had more.
    SeveralReferences {
        /// Name of the dialect.
        dialect: &'static str,
    },
    /// The dialect scores single segments only. Over a corpus its number depends on the order of the segments
    /// or is a mean of their scores.
    NotOneSegment {
        /// Name of the dialect.
        dialect: &'static str,
        /// Number of segments in the statistics.
        segments: u64,
    },
    /// The dialect reads counts of n-grams of a higher order than the statistics have.
    OrderNotObserved {
        /// Name of the dialect.
        dialect: &'static str,
        /// N-gram order that the dialect reads.
        needed: usize,
        /// Highest n-gram order in the statistics.
        observed: usize,
    },
    /// The dialect does not support weights of the n-gram orders, but the configuration sets them.
    NoWeights {
        /// Name of the dialect.
        dialect: &'static str,
    },
    /// The exact fractions that the original program computes with grow too long here. It takes many more
    /// than ten n-gram orders.
    NotExact {
        /// Name of the dialect.
        dialect: &'static str,
    },
    /// No dialect can score the statistics, for the reason in this error.
    Input(InputError),
}

impl fmt::Display for DialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DialectError::Raises { dialect, what } => write!(f, "`{dialect}` has no score here: {what}"),
            DialectError::SeveralReferences { dialect } => {
                write!(
                    f,
                    "`{dialect}` takes one reference per segment, but some segments have more; keep one"
                )
            }
            DialectError::NotOneSegment { dialect, segments } => write!(
                f,
                "`{dialect}` scores single segments, but there were {segments}; score each, and take the mean of the scores"
            ),
            DialectError::OrderNotObserved { dialect, needed, observed } => write!(
                f,
                "`{dialect}` reads n-grams of order {needed}, but only orders up to {observed} were observed"
            ),
            DialectError::NoWeights { dialect } => {
                write!(f, "`{dialect}` weights all orders alike; leave the weights out")
            }
            DialectError::NotExact { dialect } => {
                write!(f, "`{dialect}` computes exact fractions, which grow too long; lower max-order")
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

/// Converts to the error of a metric: the dialect has no score, with the reason.
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
