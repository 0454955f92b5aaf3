//! Computes confidence intervals and paired significance tests of systems under their metrics.

use bleuprint::eval::evaluation::Run;
use bleuprint::inference::{Interval, ResamplePlan, Test};
use bleuprint::inference::{Precision, Tested};
use bleuprint::report::{Confidence, SystemResult};
use bleuprint::{Metric as _, Signature};

use crate::failure::Result;
use crate::resampling::Seed;
use crate::warn;

/// Kind of a significance test, or confidence intervals without a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestKind {
    /// Bootstrap confidence interval of each system's score.
    Confidence,
    /// Paired bootstrap test of each system against the baseline.
    Bootstrap,
    /// Paired approximate randomization test of each system against the baseline.
    Randomization,
}

/// Settings of a significance test between systems, or of confidence intervals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRequest {
    /// Kind of the test, such as the paired bootstrap.
    pub kind: TestKind,
    /// Number of bootstrap resamples or randomization trials.
    pub count: usize,
    /// Seed of the random numbers that draw the resamples.
    pub seed: Seed,
    /// Arithmetic of the resamples: sacreBLEU's `float32`, or exact.
    pub precision: Precision,
}

impl TestRequest {
    /// Returns `true` if the test compares systems with each other, `false` if it computes intervals of
    /// single systems.
    pub fn is_paired(&self) -> bool {
        self.kind != TestKind::Confidence
    }

    /// Returns a copy of a score's signature with the fields that describe the test, as sacreBLEU prints
    /// them.
    pub fn signed(&self, signature: &Signature) -> Signature {
        let test = if self.kind == TestKind::Randomization { "ar" } else { "bs" };
        signature.clone().with(test, test, self.count).with("seed", "rs", &self.seed.printed)
    }

    /// Returns the score's signature with the fields of the test. Adds the drawn unit, unless single segments
    /// are drawn.
    pub fn signed_of(&self, run: &Run, signature: &Signature) -> Signature {
        let signature = self.signed(signature);
        match run.unit() {
            None => signature,
            Some(unit) => signature.with("drawn", "dn", unit),
        }
    }

    /// Runs the significance test that these settings describe for the metric with the index `metric`.
    /// Returns each system's score with its confidence interval or p-value.
    ///
    /// # Errors
    /// Returns the errors of the test.
    pub fn results(&self, run: &Run, metric: usize) -> Result<Vec<SystemResult>> {
        let plan = ResamplePlan { seed: self.seed.value, count: self.count };
        let tested = match self.kind {
            TestKind::Confidence => run.confidence(metric, plan, self.precision),
            TestKind::Bootstrap => self.paired(run, metric, Test::Bootstrap, plan),
            TestKind::Randomization => self.paired(run, metric, Test::Randomization, plan),
        };
        let tested = tested?;
        let name = run.metrics()[metric].identity().heading();
        warn_of(&name, self.count, &tested);
        let result = |tested: &Tested| SystemResult {
            score: tested.score,
            interval: tested
                .interval
                .map(|Interval { mean, half_width, .. }| Confidence { mean, half_width }),
            p_value: tested.p_value,
        };
        Ok(tested.iter().map(result).collect())
    }

    /// Tests every system against the first system, the baseline. Segments for which a system has no value
    /// are left out.
    fn paired(
        &self,
        run: &Run,
        metric: usize,
        test: Test,
        plan: ResamplePlan,
    ) -> bleuprint::Result<Vec<Tested>> {
        let (left_out, tested) = run.paired(metric, test, (plan, None), self.precision)?;
        if left_out > 0 {
            let name = run.metrics()[metric].identity().heading();
            let of = run.len();
            warn::note(&format!(
                "{name}: {left_out} of {of} segments are left out, as a system has no number there"
            ));
        }
        Ok(tested)
    }
}

/// Prints warnings about confidence intervals that are doubtful or missing, and about resamples that were
/// drawn again because they had no score.
fn warn_of(name: &str, count: usize, tested: &[Tested]) {
    let mut notes: Vec<String> = Vec::new();
    for tested in tested {
        let caution = tested.caution.map(|caution| format!("{name}: {caution}"));
        notes.extend(caution.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
    }
    let redrawn = tested.iter().map(|tested| tested.redrawn).fold(0.0, f64::max);
    let refused = tested.iter().any(|tested| tested.caution.is_some_and(|caution| caution.refuses()));
    if redrawn > 0.0 && !refused {
        let share = 100.0 * redrawn;
        notes.push(format!("{name}: {share:.1} % of {count} resamples had no score, and were drawn again"));
    }
    notes.iter().for_each(|note| warn::note(note));
}
