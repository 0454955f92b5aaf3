//! Intervals and paired tests of a run's systems.

use bleuprint_core::Result;

use super::Run;
use crate::resample::{Plan, Rows, Test};
use crate::{Precision, Significance, Tested};

impl Run {
    /// The interval of each system's score under a metric.
    ///
    /// # Errors
    /// Those of [`Significance::new`] and [`Significance::confidence`].
    pub fn confidence(&self, metric: usize, plan: Plan, precision: Precision) -> Result<Vec<Tested>> {
        let tests = Significance::new(&self.metrics[metric], precision)?;
        let tested = |(system, rows): (usize, &Rows)| {
            let score = self.score_of(metric, system, 0..self.len())?.score.value;
            Ok(Tested { score, interval: Some(tests.confidence(rows, plan)?), p_value: None })
        };
        self.all_rows(metric)?.iter().enumerate().map(tested).collect()
    }

    /// The paired test of every system against the first under a metric.
    ///
    /// # Errors
    /// Those of [`Significance::new`], [`Significance::paired_bootstrap`] and [`Significance::paired_randomization`].
    pub fn paired(&self, metric: usize, test: Test, plan: Plan, precision: Precision) -> Result<Vec<Tested>> {
        let tests = Significance::new(&self.metrics[metric], precision)?;
        let rows = self.all_rows(metric)?;
        let systems: Vec<&Rows> = rows.iter().collect();
        match test {
            Test::Bootstrap => tests.paired_bootstrap(&systems, plan),
            Test::Randomization => tests.paired_randomization(&systems, plan),
        }
    }
}
