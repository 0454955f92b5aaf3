//! [`Counted`]: the numbers of a prompt's samples.

use bleuprint_core::{InputError, Result};
use serde::{Deserialize, Serialize};

use crate::options::MOST_SAMPLES;
use crate::tally::Cell;

/// The samples of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "(u32, u32)", from = "(u32, u32)")]
#[expect(clippy::exhaustive_structs, reason = "closed: two counts")]
pub struct Counted {
    /// Their number.
    pub n: u32,
    /// The number of right ones.
    pub right: u32,
}

impl Counted {
    /// # Errors
    /// No sample, more than a million, and more right ones than there are.
    pub(crate) fn checked(self) -> Result<Self> {
        let refuse = |what: &str, given: u32, limit: String| Err(InputError::limit(what, given, limit));
        match self {
            Counted { n, .. } if !(1..=MOST_SAMPLES).contains(&n) => {
                refuse("the number n of samples", n, format!("from 1 to {MOST_SAMPLES}"))
            }
            Counted { n, right } if right > n => {
                refuse("the number c of right samples", right, format!("at most n = {n}"))
            }
            cell => Ok(cell),
        }
    }
}

impl From<Counted> for (u32, u32) {
    fn from(cell: Counted) -> Self {
        (cell.n, cell.right)
    }
}

impl From<(u32, u32)> for Counted {
    fn from((n, right): (u32, u32)) -> Self {
        Counted { n, right }
    }
}

impl Cell for Counted {
    fn size(&self) -> usize {
        1
    }
    fn check(&self) -> Result<()> {
        self.checked().map(drop).map_err(|error| InputError::malformed_state(error.to_string()))
    }
}
