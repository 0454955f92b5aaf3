//! [`CountedSamples`]: the number of samples of a prompt, and the number of right samples among them.

use bleuprint_core::{InputError, Result};
use serde::{Deserialize, Serialize};

use crate::options::MOST_SAMPLES;
use crate::tally::SampleCell;

/// Number of samples of a prompt, and of right samples among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "(u32, u32)", from = "(u32, u32)")]
#[expect(clippy::exhaustive_structs, reason = "closed: two counts")]
pub struct CountedSamples {
    /// Number of samples of the prompt.
    pub n: u32,
    /// Number of right samples of the prompt, such as programs that pass all tests.
    pub right: u32,
}

impl CountedSamples {
    /// Checks the numbers of samples and right samples of a prompt, and returns them unchanged.
    ///
    /// # Errors
    /// Returns an error if there is no sample, more than a million samples, or more right samples than
    /// samples.
    pub(crate) fn checked(self) -> Result<Self> {
        let refuse = |what: &str, given: u32, limit: String| Err(InputError::limit(what, given, limit));
        match self {
            CountedSamples { n, .. } if !(1..=MOST_SAMPLES).contains(&n) => {
                refuse("the number n of samples", n, format!("from 1 to {MOST_SAMPLES}"))
            }
            CountedSamples { n, right } if right > n => {
                refuse("the number c of right samples", right, format!("at most n = {n}"))
            }
            cell => Ok(cell),
        }
    }
}

impl From<CountedSamples> for (u32, u32) {
    fn from(cell: CountedSamples) -> Self {
        (cell.n, cell.right)
    }
}

impl From<(u32, u32)> for CountedSamples {
    fn from((n, right): (u32, u32)) -> Self {
        CountedSamples { n, right }
    }
}

impl SampleCell for CountedSamples {
    fn size(&self) -> usize {
        1
    }
    fn check(&self) -> Result<()> {
        self.checked().map(drop).map_err(|error| InputError::malformed_state(error.to_string()))
    }
}
