//! [`FixedSamples`]: metrics such as pass@k for prompts that all have the same number of samples. Their
//! counts are a row, which can be subtracted.

use core::fmt::Display;
use std::borrow::Cow;

use bleuprint_core::{
    ConfigError, Identity, InputError, Linear, Metric, Observe, Result, Segment, SegmentCounts, Stats as _,
};
use serde::{Deserialize, Serialize};

use crate::options::MOST_EXACT;
use crate::samples::require_all;
use crate::{CountedSamples, Prompt, Samples, SamplesScore};

/// Metric such as pass@k ([`Samples`]) for prompts that all have `n` samples. The state is the number of
/// prompts for each number of right samples: a row of counts, which can be subtracted.
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
    /// Creates a metric such as pass@k (`samples`) for prompts that all have `n` samples.
    ///
    /// # Errors
    /// Returns an error if `n` is 0, above 10,000 or below the largest `k`.
    pub fn new(samples: Samples, n: u32) -> Result<Self, ConfigError> {
        let least = if samples.draws() { samples.ks().last().copied().unwrap_or(1) } else { 1 };
        // A row has n + 1 columns, so n has a bound here, and every k must have enough samples.
        if (least..=MOST_EXACT).contains(&n) {
            return Ok(FixedSamples { samples, n });
        }
        let limit = format!("from k = {least} to {MOST_EXACT}");
        Err(ConfigError::out_of_range("n", n, &limit))
    }
}

/// Number of prompts for each number of right samples, from 0 to `n`.
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
        self.samples.score_of(cells.map(|(right, times)| (CountedSamples { n: self.n, right }, *times)))
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
    pub(crate) fn add(&self, stats: &mut FixedStats, cell: Option<CountedSamples>) -> Result<()> {
        let Some(cell) = cell else { return Ok(()) };
        if cell.n != self.n {
            return Err(InputError::limit(
                "the number n of samples",
                cell.n,
                format!("{}, as set by the option n", self.n),
            ));
        }
        let mut one = self.zero();
        one.prompts[cell.right as usize] = 1;
        stats.merge(&one)
    }
}

impl<R: ?Sized, C: ?Sized> Observe<Prompt, R, C> for FixedSamples {
    fn observe(&self, (): &mut (), stats: &mut FixedStats, segment: Segment<'_, Prompt, R, C>) -> Result<()> {
        self.add(stats, self.samples.cell_of(segment.hypothesis)?)
    }
}
