//! Intervals and paired tests of systems under their metrics.

use bleuprint::eval::resample::{Interval, Plan, Rows};
use bleuprint::eval::{Precision, Significance, Tested};
use bleuprint::report::SystemResult;
use bleuprint::{AnyScore, InputErrorKind, Scored, Signature};

use crate::evaluation::counted::Counted;
use crate::shared::failure::Result;
use crate::shared::resampling::Seed;

/// Which test is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The interval of each system by itself.
    Confidence,
    /// Paired bootstrap against the first.
    Bootstrap,
    /// Paired approximate randomization against the first.
    Randomization,
}

/// A test that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestRequest {
    pub(crate) kind: Kind,
    pub(crate) count: usize,
    pub(crate) seed: Seed,
    pub(crate) precision: Precision,
}

impl TestRequest {
    /// Whether systems are compared with the first.
    pub(crate) fn is_paired(&self) -> bool {
        self.kind != Kind::Confidence
    }

    /// The signature with the test, as sacreBLEU prints it.
    pub(crate) fn signed(&self, signature: &Signature) -> Signature {
        let test = if self.kind == Kind::Randomization { "ar" } else { "bs" };
        signature.clone().with(test, test, self.count).with("seed", "rs", &self.seed.printed)
    }

    /// The results of every system under a metric, of the scores of all metrics by system.
    pub(crate) fn results(
        &self,
        counted: &Counted,
        place: usize,
        scores: &[Vec<Scored<AnyScore>>],
    ) -> Result<Vec<SystemResult>> {
        let score = |system: usize| scores[system][place].score.value;
        let tests = match Significance::new(counted.metrics()[place], self.precision) {
            Ok(tests) => tests,
            // With other metrics beside it, a metric that cannot be tested shows its score.
            Err(error)
                if matches!(error.kind(), InputErrorKind::NotLinear { .. })
                    && counted.metrics().len() > 1 =>
            {
                let untested =
                    |system| SystemResult { score: score(system), untested: true, ..Default::default() };
                return Ok((0..scores.len()).map(untested).collect());
            }
            Err(error) => return Err(error.into()),
        };
        let rows = counted.all_rows(place)?;
        let (systems, plan) =
            (rows.iter().collect::<Vec<&Rows>>(), Plan { seed: self.seed.value, count: self.count });
        let interval = |interval: Interval| (interval.mean, interval.half_width);
        let results = match self.kind {
            Kind::Confidence => {
                let result = |(system, rows): (usize, &Rows)| {
                    let interval = Some(interval(tests.confidence(rows, plan)?));
                    Ok(SystemResult { score: score(system), interval, ..Default::default() })
                };
                return rows.iter().enumerate().map(result).collect();
            }
            Kind::Bootstrap => tests.paired_bootstrap(&systems, plan)?,
            Kind::Randomization => tests.paired_randomization(&systems, plan)?,
        };
        let result = |tested: &Tested| SystemResult {
            score: tested.score,
            interval: tested.interval.map(interval),
            p_value: tested.p_value,
            untested: false,
        };
        Ok(results.iter().map(result).collect())
    }
}
