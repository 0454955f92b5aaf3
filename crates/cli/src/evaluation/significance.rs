//! Intervals and paired tests of systems under their metrics.

use bleuprint::eval::evaluation::Run;
use bleuprint::inference::{Interval, Plan, Test};
use bleuprint::inference::{Precision, Tested};
use bleuprint::report::{Confidence, SystemResult};
use bleuprint::{Metric as _, Signature};

use crate::shared::failure::Result;
use crate::shared::resampling::Seed;
use crate::shared::warn;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Confidence,
    Bootstrap,
    Randomization,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestRequest {
    pub(crate) kind: Kind,
    pub(crate) count: usize,
    pub(crate) seed: Seed,
    pub(crate) precision: Precision,
}

impl TestRequest {
    pub(crate) fn is_paired(&self) -> bool {
        self.kind != Kind::Confidence
    }

    /// As sacreBLEU prints it.
    pub(crate) fn signed(&self, signature: &Signature) -> Signature {
        let test = if self.kind == Kind::Randomization { "ar" } else { "bs" };
        signature.clone().with(test, test, self.count).with("seed", "rs", &self.seed.printed)
    }

    pub(crate) fn results(&self, run: &Run, metric: usize) -> Result<Vec<SystemResult>> {
        let plan = Plan { seed: self.seed.value, count: self.count };
        let tested = match self.kind {
            Kind::Confidence => run.confidence(metric, plan, self.precision),
            Kind::Bootstrap => self.paired(run, metric, Test::Bootstrap, plan),
            Kind::Randomization => self.paired(run, metric, Test::Randomization, plan),
        };
        let result = |tested: &Tested| SystemResult {
            score: tested.score,
            interval: tested
                .interval
                .map(|Interval { mean, half_width, .. }| Confidence { mean, half_width }),
            p_value: tested.p_value,
        };
        Ok(tested?.iter().map(result).collect())
    }

    /// The test of every system against the first, on the segments that all of them have.
    fn paired(&self, run: &Run, metric: usize, test: Test, plan: Plan) -> bleuprint::Result<Vec<Tested>> {
        let (common, tests) = run.significance(metric, self.precision)?;
        let left_out = run.len() - common.len();
        if left_out > 0 {
            let (name, of) = (run.metrics()[metric].identity().heading(), run.len());
            warn::note(&format!(
                "{name}: {left_out} of {of} segments are left out, as a system has no number there"
            ));
        }
        tests.paired(test, plan, None)
    }
}
