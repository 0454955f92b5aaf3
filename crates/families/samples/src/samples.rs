//! [`Samples`]: pass@k and related metrics, computed from the number of samples of each prompt and the number
//! of right samples among them.

use std::borrow::Cow;

use bleuprint_core::{
    Composition, ConfigError, ExactSum, Identity, InputError, InputErrorKind, Metric, Observe, Result, Scale,
    Segment, SegmentCounts, Stats as _, counted,
};

use crate::misses::{Factors, LANES};
use crate::options::{MOST_EXACT, SamplesSettings, as_option, ks};
use crate::score::names;
use crate::{
    CountedSamples, MissingVerdict, Prompt, PromptNumber, Sample, SampleTally, SamplesScore, Threshold,
    exact, misses,
};

/// Metric such as pass@k: the mean over prompts of a quantity that depends on the number of samples and of
/// right samples. The [crate documentation](crate) has the definitions.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    finish: PromptNumber,
    ks: Vec<u32>,
    threshold: Option<Threshold>,
    right: Option<f64>,
    pub(crate) missing: MissingVerdict,
}

impl Default for Samples {
    fn default() -> Self {
        Samples {
            finish: PromptNumber::Pass,
            ks: vec![1],
            threshold: None,
            right: None,
            missing: MissingVerdict::Error,
        }
    }
}

impl Samples {
    /// Creates a metric such as pass@k (`finish`) for these values of `k`, in ascending order.
    /// [`PromptNumber::GPass`] requires a threshold; [`PromptNumber::Avg`] takes no `k`.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if a `k` is 0, above 10,000 or out of order. Returns
    /// [`ConfigError::Conflict`] if a threshold is missing, or if the metric does not use a given threshold
    /// or `k`.
    pub fn new(
        finish: PromptNumber,
        given: Option<&[f64]>,
        threshold: Option<Threshold>,
    ) -> Result<Self, ConfigError> {
        let conflict = |message: &str| Err(ConfigError::Conflict(message.to_owned()));
        match (finish, threshold) {
            (PromptNumber::GPass, None) => return conflict("gpass needs the share of right samples: t=0.5"),
            (PromptNumber::GPass, Some(_)) | (_, None) => {}
            (_, Some(_)) => return conflict("t is an option of gpass only"),
        }
        if finish == PromptNumber::Avg && given.is_some() {
            return conflict("avg uses all samples of a prompt, so it takes no k");
        }
        Ok(Samples { finish, ks: ks(given)?, threshold, right: None, missing: MissingVerdict::Error })
    }

    /// Sets the treatment of samples without a verdict (right or wrong); the default is an error.
    #[must_use]
    pub fn missing(self, missing: MissingVerdict) -> Self {
        Samples { missing, ..self }
    }

    /// Sets the threshold of right samples: a sample is right if its score is at least `least`. Scores other
    /// than 0 and 1 need it.
    #[must_use]
    pub fn right(self, least: Option<f64>) -> Self {
        Samples { right: least, ..self }
    }

    /// Returns the values of `k` (numbers of samples drawn, as in pass@k) for which the metric is computed.
    pub fn ks(&self) -> &[u32] {
        &self.ks
    }

    /// Returns the metric's value, such as pass@k, for one prompt, from its numbers of samples and right
    /// samples.
    ///
    /// # Errors
    /// Returns [`Limit`](InputErrorKind::Limit) if `k` is 0 or above the number of samples. Also returns it
    /// if G-Pass@k or mG-Pass@k has more than 10,000 samples.
    pub fn value(&self, cell: CountedSamples, k: u32) -> Result<f64> {
        let CountedSamples { n, right } = cell;
        cell.checked()?;
        let refuse = |what: &str, given: u32, limit: String| Err(InputError::limit(what, given, limit));
        if self.finish != PromptNumber::Avg && !(1..=n).contains(&k) {
            return refuse("k", k, format!("from 1 to the {n} samples of a prompt"));
        }
        if matches!(self.finish, PromptNumber::GPass | PromptNumber::MeanGPass) && n > MOST_EXACT {
            return refuse(
                "the number of samples",
                n,
                format!("at most {MOST_EXACT} for {}", self.finish.heading(k)),
            );
        }
        Ok(match (self.finish, &self.threshold) {
            (PromptNumber::GPass, Some(threshold)) => exact::gpass(n, right, k, threshold),
            (PromptNumber::MeanGPass, _) => exact::mean_gpass(n, right, k),
            (PromptNumber::PassHat, _) => misses(n, n - right, k),
            (PromptNumber::Avg, _) => f64::from(right) / f64::from(n),
            (PromptNumber::Pass | PromptNumber::GPass, _) => 1.0 - misses(n, right, k),
        })
    }

    /// Returns the metric's mean over prompts for each `k`. `cells` yields the numbers of samples and right
    /// samples, with the number of prompts that have them.
    ///
    /// # Errors
    /// Returns the errors of [`Samples::value`]. Returns an error if there is no prompt, or if a prompt has
    /// fewer samples than the largest `k`.
    pub(crate) fn curve(
        &self,
        cells: impl Iterator<Item = (CountedSamples, u64)> + Clone,
    ) -> Result<Vec<f64>> {
        self.require_enough(cells.clone())?;
        let mut sums = vec![ExactSum::default(); self.ks.len()];
        let draws = matches!(self.finish, PromptNumber::Pass | PromptNumber::PassHat);
        let most = cells.clone().map(|(cell, _)| cell.n).max().unwrap_or_default();
        for (ks, sums) in self.ks.chunks(LANES).zip(sums.chunks_mut(LANES)) {
            // The table of factors pays off only if several prompts use it.
            let factors = draws.then(|| Factors::new(most, ks, cells.clone().count())).flatten();
            for (cell, times) in cells.clone() {
                let CountedSamples { n, right } = cell;
                let marked = if self.finish == PromptNumber::Pass { right } else { n - right };
                let missed = factors.as_ref().map(|factors| factors.misses(n, marked));
                for (lane, (k, sum)) in ks.iter().zip(&mut *sums).enumerate() {
                    let value = match &missed {
                        Some(missed) if self.finish == PromptNumber::Pass => 1.0 - missed[lane],
                        Some(missed) => missed[lane],
                        None => self.value(cell, *k)?,
                    };
                    // Most cells occur once; adding directly avoids a merge of exact sums.
                    match times {
                        1 => sum.add(ExactSum::nearest(value))?,
                        times => sum.merge_times(&ExactSum::from_value(value)?, times)?,
                    }
                }
            }
        }
        let mean = |sum: &ExactSum| match sum.count() {
            0 => Err(InputError::no_score("samples", "there is no prompt")),
            count => Ok(sum.mean(count)),
        };
        sums.iter().map(mean).collect()
    }

    fn require_enough(&self, cells: impl Iterator<Item = (CountedSamples, u64)>) -> Result<()> {
        let greatest = self.ks.last().copied().unwrap_or_default();
        let mut prompts = 0_u64;
        let mut fewest = u32::MAX;
        for (cell, times) in cells.filter(|(cell, _)| cell.n < greatest) {
            (prompts, fewest) = (prompts.saturating_add(times), fewest.min(cell.n));
        }
        if prompts == 0 || self.finish == PromptNumber::Avg {
            return Ok(());
        }
        let prompts = counted(prompts, "prompt has");
        let fewest = counted(fewest, "sample");
        let reason = format!("k is {greatest}, but {prompts} fewer samples, the least {fewest}");
        Err(InputErrorKind::CannotFinish { metric: "samples".to_owned(), reason }.into())
    }

    pub(crate) fn score_of(
        &self,
        cells: impl Iterator<Item = (CountedSamples, u64)> + Clone,
    ) -> Result<SamplesScore> {
        let values = self.curve(cells.clone())?;
        let mut score = SamplesScore { ks: self.ks.clone(), values, prompts: 0, samples: None, nulls: 0 };
        for (cell, times) in cells {
            let (fewest, most) = score.samples.unwrap_or((cell.n, cell.n));
            score.prompts = score.prompts.saturating_add(times);
            score.samples = Some((fewest.min(cell.n), most.max(cell.n)));
        }
        Ok(score)
    }

    pub(crate) fn names(&self) -> Vec<Cow<'static, str>> {
        names(&self.ks, |k| self.finish.heading(k))
    }

    /// Returns `true` if the metric depends on `k`, the number of samples drawn.
    pub(crate) fn draws(&self) -> bool {
        self.finish != PromptNumber::Avg
    }

    /// Returns the metric's name and settings, including the number of samples of every prompt if it is
    /// fixed.
    pub(crate) fn identity_of(&self, n: Option<u64>) -> Identity {
        let heading = self.ks.iter().map(|k| self.finish.heading(*k)).next().unwrap_or_default();
        let settings = SamplesSettings {
            finish: self.finish,
            k: if self.draws() { as_option(&self.ks) } else { None },
            threshold: self.threshold.map(|threshold| threshold.to_string()),
            n,
            right: self.right,
            missing: self.missing,
        };
        settings
            .add_to_identity(Identity::new("samples", 1, Scale::UNIT))
            .headed(heading)
            .composed(Composition::MeanOrRate)
            .reference_free()
            .for_form::<Prompt>()
    }

    /// Counts a prompt's samples and right samples; returns `None` if the prompt is left out.
    pub(crate) fn cell_of(&self, prompt: &Prompt) -> Result<Option<CountedSamples>> {
        let samples = match prompt {
            Prompt::Counts { n, c } => return CountedSamples { n: *n, right: *c }.checked().map(Some),
            Prompt::Samples(samples) => samples,
        };
        let mut n = 0;
        let mut right = 0;
        for (place, sample) in (1..).zip(samples) {
            match self.verdict(sample, place)? {
                Some(verdict) => (n, right) = (n + 1, right + u32::from(verdict)),
                None if self.missing == MissingVerdict::Worst => n += 1,
                None => {}
            }
        }
        // All samples were left out. An empty list of samples is an error, which `checked` reports.
        if n == 0 && !samples.is_empty() {
            return Ok(None);
        }
        CountedSamples { n, right }.checked().map(Some)
    }

    /// Decides from a sample's verdict or number if the sample is right. Returns `None` if the verdict is
    /// missing and the option `missing` permits that. `place` is the sample's number in error messages,
    /// counted from 1.
    fn verdict(&self, sample: &Sample, place: usize) -> Result<Option<bool>> {
        let refuse = |given: String| {
            let limit = "0 or 1; right=0.5 gives the least value of a right sample".to_owned();
            Err(InputError::limit(format!("sample {place}"), given, limit))
        };
        match (sample, self.right) {
            (Sample::Verdict(right), _) => Ok(Some(*right)),
            (Sample::Number(value), Some(least)) if value.is_finite() => Ok(Some(*value >= least)),
            (Sample::Number(value), None) if *value == 0.0 || *value == 1.0 => Ok(Some(*value == 1.0)),
            (Sample::Number(value), _) if value.is_finite() => refuse(value.to_string()),
            (Sample::Text(text), _) => refuse(format!("`{text}`")),
            (Sample::Number(_) | Sample::Missing, _) if self.missing == MissingVerdict::Error => {
                let what = match sample {
                    Sample::Number(value) => format!("is {value}, which is no verdict"),
                    _ => "has no verdict".to_owned(),
                };
                let message = format!(
                    "sample {place} {what}; missing=skip leaves it out, missing=worst counts it as wrong"
                );
                Err(InputError::malformed(message))
            }
            (Sample::Number(_) | Sample::Missing, _) => Ok(None),
        }
    }
}

impl Metric for Samples {
    type Stats = SampleTally<CountedSamples>;
    type Score = SamplesScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.identity_of(None)
    }
    fn finalize(&self, tally: &SampleTally<CountedSamples>, _: &SegmentCounts) -> Result<SamplesScore> {
        self.score_of(tally.iter().map(|(cell, times)| (*cell, times)))
    }
    fn check(&self, tally: &SampleTally<CountedSamples>, counts: &SegmentCounts) -> Result<()> {
        tally.check(counts)?;
        require_all(self.missing, tally.prompts(), counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        self.names()
    }
}

/// Rejects a stored state whose number of prompts differs from its number of segments. Only
/// [`MissingVerdict::Skip`] may leave prompts out.
pub(crate) fn require_all(missing: MissingVerdict, prompts: u64, counts: &SegmentCounts) -> Result<()> {
    if prompts == counts.segments || missing == MissingVerdict::Skip {
        return Ok(());
    }
    Err(InputError::malformed_state(format!("{prompts} prompts of {} segments", counts.segments)))
}

/// Counts the right samples of one prompt, given as verdicts, scores or two counts.
impl<R: ?Sized, C: ?Sized> Observe<Prompt, R, C> for Samples {
    fn observe(
        &self,
        (): &mut (),
        tally: &mut Self::Stats,
        segment: Segment<'_, Prompt, R, C>,
    ) -> Result<()> {
        match self.cell_of(segment.hypothesis)? {
            Some(cell) => tally.add(cell),
            None => Ok(()),
        }
    }
}
