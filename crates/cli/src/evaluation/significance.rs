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
        let left_out = if self.is_paired() { run.len() - run.common_segments(metric).len() } else { 0 };
        if left_out > 0 {
            let (name, of) = (run.metrics()[metric].identity().heading(), run.len());
            warn::note(&format!(
                "{name}: {left_out} of {of} segments are left out, as a system has no number there"
            ));
        }
        let plan = Plan { seed: self.seed.value, count: self.count };
        let tested = match self.kind {
            Kind::Confidence => run.confidence(metric, plan, self.precision),
            Kind::Bootstrap => run.paired(metric, Test::Bootstrap, plan, self.precision),
            Kind::Randomization => run.paired(metric, Test::Randomization, plan, self.precision),
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
}
