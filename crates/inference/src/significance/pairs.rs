//! Comparison of every pair of systems, by the method that suits the metric's score and the unit of resampling.

use bleuprint_core::{Metric, Result};

use super::{Significance, SystemStats, borrowed};
use crate::compare::closed::{Found, SegmentNumbers};
use crate::compare::pairs::{SystemParts, matrix_of};
use crate::compare::randomization::swapped;
use crate::compare::units::of_units;
use crate::tested::Resamples;
use crate::{Approach, Arithmetic, Design, PairMatrix, Scores, SystemPair, Units, resampled};

impl<M: Metric> Significance<'_, M> {
    /// Compares every pair of systems with exact arithmetic. Each pair gets one test, one interval and one
    /// standard error. All systems are ranked, and p-values are corrected by Holm's method. The method
    /// depends on the metric and on the unit of resampling (segments, or groups of segments such as
    /// documents):
    ///
    /// | the metric's score is | unit | method |
    /// |---|---|---|
    /// | a rate | segments | Tango's interval and McNemar's exact test ([`PairedRates`](crate::PairedRates)) |
    /// | a rate or a mean | groups | t interval of the ratio estimator ([`UnitMeans`](crate::UnitMeans)) |
    /// | a rate | groups, all right or all wrong in themselves | Tango and McNemar over groups |
    /// | unchanged by repeated segments | any | paired randomization |
    /// | anything else | any | paired bootstrap of whole units, widened for few |
    ///
    /// `units`, such as documents or users, take the place of segments: a resample draws units, a trial swaps
    /// the outputs of whole units, and the standard error leaves out one unit at a time.
    ///
    /// # Errors
    /// Returns an error if a system has no score, and the errors of [`bootstrap`](crate::bootstrap) and
    /// [`Units::rows`].
    pub fn compare_all(&self, units: Option<&Units>, design: Design) -> Result<PairMatrix> {
        let decided = units.map(|units| self.are_decided(units)).transpose()?;
        self.compare_decided(units, decided.unwrap_or(false), design)
    }

    /// Returns `true` if whole units (such as documents) are right or wrong, so that tests of rates apply to
    /// them. Each system must get all segments of a unit right, or all of them wrong. The metric must be a
    /// rate, and all units must have the same number of segments.
    ///
    /// # Errors
    /// Returns an error if the number of unit labels differs from the number of segments.
    pub fn are_decided(&self, units: &Units) -> Result<bool> {
        let members: Vec<&[usize]> = units.members(self.segments())?.collect();
        Ok(self.approach == Approach::Rate && self.numbers().are_decided(&members, self.metric.scale()))
    }

    /// Compares every pair of systems on a part of a run's segments. `decided` is the result of
    /// [`Significance::are_decided`] on the whole run, so that all parts use the same method.
    ///
    /// # Errors
    /// Returns the errors of [`Significance::compare_all`].
    pub fn compare_decided(
        &self,
        units: Option<&Units>,
        decided: bool,
        design: Design,
    ) -> Result<PairMatrix> {
        let (scale, power) = (self.metric.scale(), &design.power);
        let numbers = match self.approach {
            Approach::Rate | Approach::Mean => self.numbers(),
            Approach::Other | Approach::Repeats => SegmentNumbers::default(),
        };
        let Some(units) = units else {
            let closed = numbers.rates(self.approach, scale, design.test, power)?;
            return self.matrix(closed, design);
        };
        let members: Vec<&[usize]> = units.members(self.segments())?.collect();
        let closed = numbers.units(&members, self.approach, (scale, decided), design.test, power)?;
        let matrix = self.merged(&members)?.matrix(closed, design)?;
        Ok(of_units(matrix, &self.leave_one_out()?, units))
    }

    fn matrix(&self, closed: Option<Vec<Found>>, design: Design) -> Result<PairMatrix> {
        let parts = SystemParts {
            scores: self.all_scores()?,
            closed,
            left_out: self.leave_one_out()?,
            repeats: self.approach == Approach::Repeats,
        };
        let resampled = || match &self.systems {
            SystemStats::Rows(systems) => {
                let finish = |row: &[u64]| self.finish(row);
                let (scores, redrawn) =
                    resampled(&borrowed(systems), Arithmetic::Exact(&finish), design.plan)?;
                Ok(Resamples { scores: scores.iter().map(Scores::to_f64).collect(), redrawn })
            }
            SystemStats::Merges(merges) => merges.resampled(design.plan),
        };
        let swapped = |pairs: &[SystemPair]| match &self.systems {
            SystemStats::Rows(systems) => {
                swapped(&borrowed(systems), pairs, &|row: &[u64]| self.finish(row), design.plan)
            }
            SystemStats::Merges(merges) => merges.swapped(pairs, design.plan),
        };
        matrix_of(parts, design, &resampled, &swapped, &|| self.scored_alone())
    }
}
