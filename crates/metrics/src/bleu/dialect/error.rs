//! [`DialectError`]: the reason why a BLEU dialect, the formula of another program, gives no score.

use core::fmt;

use bleuprint_core::InputError;

/// Error of a BLEU dialect (the formula of another BLEU program) that gives no score for these statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DialectError {
    /// The BLEU program that the dialect reproduces fails on this data.
    Raises {
        /// Name of the BLEU dialect, for example `nltk:method1`.
        dialect: &'static str,
        /// Description of how the original program fails and on which data, as a phrase for the error
        /// message.
        what: &'static str,
    },
    /// The BLEU program that the dialect reproduces accepts only one reference for each segment, but some
    /// segments have several.
    SeveralReferences {
        /// Name of the BLEU dialect, for example `nltk:method1`.
        dialect: &'static str,
    },
    /// The dialect (the formula of another BLEU program) scores single segments only, but the statistics are
    /// of several segments. The original program's corpus score depends on the order of the segments or is a
    /// mean of their scores.
    NotOneSegment {
        /// Name of the BLEU dialect, for example `nltk:method1`.
        dialect: &'static str,
        /// Number of segments in the statistics.
        segments: u64,
    },
    /// The dialect (the formula of another BLEU program) needs counts of longer n-grams than the statistics
    /// contain.
    OrderNotObserved {
        /// Name of the BLEU dialect, for example `nltk:method1`.
        dialect: &'static str,
        /// Highest n-gram order whose counts the dialect needs, such as 5.
        needed: usize,
        /// Highest n-gram order in the statistics.
        observed: usize,
    },
    /// The BLEU dialect does not support weights of the n-gram orders, but the configuration sets them.
    NoWeights {
        /// Name of the BLEU dialect, for example `nltk:method1`.
        dialect: &'static str,
    },
    /// The dialect (the formula of another BLEU program) computes with exact fractions, as that program does,
    /// and the fractions became too long. This takes many more than ten n-gram orders.
    NotExact {
        /// Name of the BLEU dialect, for example `nltk:method1`.
        dialect: &'static str,
    },
    /// The statistics cannot be scored by any BLEU dialect; the inner error is the reason, for example an
    /// empty corpus.
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

/// Converts the error of a BLEU dialect to the "no score" error that metrics return, with the dialect's name
/// and the reason.
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
