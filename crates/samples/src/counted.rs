//! [`Counted`]: the numbers of a prompt's samples, and [`FixedSamples`], whose state is a row if all prompts have as many.

use core::fmt::Display;
use std::borrow::Cow;

use bleuprint_core::{
    Identity, InputError, InputErrorKind, Linear, Metric, Observe, Result, Segment, SegmentCounts, Stats as _,
};
use serde::{Deserialize, Serialize};

use crate::samples::{MOST_EXACT, MOST_SAMPLES, require_all};
use crate::tally::Cell;
use crate::{Prompt, Samples, SamplesScore};

/// The samples of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "(u32, u32)", from = "(u32, u32)")]
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
        let refuse = |what: &str, given: u32, limit: String| {
            let (what, given) = (what.to_owned(), given.to_string());
            Err(InputErrorKind::Limit { what, given, limit }.into())
        };
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

/// [`Samples`] of prompts that all have `n` samples: the state is the number of prompts for each number of right samples,
/// a row that subtracts.
///
/// ```
/// use bleuprint_core::Accumulator;
/// use bleuprint_samples::{FixedSamples, Prompt, Samples};
///
/// let mut passed = Accumulator::<_, Prompt>::new(FixedSamples::new(Samples::default(), 4).unwrap());
/// passed.push(&Prompt::Counts { n: 4, c: 1 }, &[]).unwrap();
/// passed.push(&Prompt::Counts { n: 4, c: 3 }, &[]).unwrap();
/// assert_eq!(passed.score().unwrap().value(), 0.5);
/// assert_eq!(passed.total().row().unwrap()[3..], [0, 1, 0, 1, 0]);
/// assert!(passed.push(&Prompt::Counts { n: 5, c: 1 }, &[]).is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FixedSamples {
    samples: Samples,
    n: u32,
}

impl FixedSamples {
    /// # Errors
    /// `n` of 0 or above 10,000, and below the greatest `k`.
    pub fn new(samples: Samples, n: u32) -> Result<Self, bleuprint_core::ConfigError> {
        let least = if samples.draws() { samples.ks().last().copied().unwrap_or(1) } else { 1 };
        if (least..=MOST_EXACT).contains(&n) {
            return Ok(FixedSamples { samples, n });
        }
        let limit = format!("from k = {least} to {MOST_EXACT}");
        Err(bleuprint_core::ConfigError::out_of_range("n", n, &limit))
    }
}

/// The number of prompts for each number of right samples, from none to all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FixedStats {
    prompts: Vec<u64>,
}

impl FixedStats {
    fn prompts(&self) -> u64 {
        self.prompts.iter().fold(0, |sum: u64, prompts| sum.saturating_add(*prompts))
    }
}

impl Linear for FixedStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (right, prompts) in self.prompts.iter_mut().enumerate() {
            visit(&format_args!("right_{right}"), prompts);
        }
    }
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        InputError::require_at_most("prompts", self.prompts(), "segments", counts.segments)
    }
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        counts.segments.saturating_sub(self.prompts())
    }
}

impl Metric for FixedSamples {
    type Stats = FixedStats;
    type Score = SamplesScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.samples.identity_of(Some(u64::from(self.n)))
    }
    fn zero(&self) -> FixedStats {
        FixedStats { prompts: vec![0; self.n as usize + 1] }
    }
    fn finalize(&self, stats: &FixedStats, _: &SegmentCounts) -> Result<SamplesScore> {
        let cells = (0..).zip(&stats.prompts).filter(|(_, times)| **times > 0);
        self.samples.score_of(cells.map(|(right, times)| (Counted { n: self.n, right }, *times)))
    }
    fn check(&self, stats: &FixedStats, counts: &SegmentCounts) -> Result<()> {
        if stats.prompts.len() != self.n as usize + 1 {
            return Err(InputError::row_length(self.n as usize + 1, stats.prompts.len()));
        }
        stats.check_bounds(counts)?;
        require_all(self.samples.missing, stats.prompts(), counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        self.samples.names()
    }
}

impl FixedSamples {
    pub(crate) fn add(&self, stats: &mut FixedStats, cell: Option<Counted>) -> Result<()> {
        let Some(cell) = cell else { return Ok(()) };
        if cell.n != self.n {
            let (what, given) = ("the number n of samples".to_owned(), cell.n.to_string());
            return Err(InputErrorKind::Limit {
                what,
                given,
                limit: format!("{}, as the option n says", self.n),
            }
            .into());
        }
        let mut one = self.zero();
        one.prompts[cell.right as usize] = 1;
        stats.merge(&one)
    }
}

impl<R: ?Sized, C: ?Sized> Observe<Prompt, R, C> for FixedSamples {
    fn observe(&self, (): &mut (), stats: &mut FixedStats, segment: Segment<'_, Prompt, R, C>) -> Result<()> {
        self.add(stats, self.samples.cell_of(segment.hypothesis())?)
    }
}
