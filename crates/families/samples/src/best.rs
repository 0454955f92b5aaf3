//! [`BestOfSamples`]: best@k and worst@k, the expected best or worst score of k samples per prompt.

use std::borrow::Cow;

use bleuprint_core::{
    Composition, ConfigError, Direction, ExactSum, Identity, InputError, Metric, Observe, Result, Scale,
    Segment, SegmentCounts, Stats as _,
};

use crate::curve::CurveStats;
use crate::options::{BestSettings, MOST_VALUES, SamplesSettings, as_option, ks};
use crate::samples::require_all;
use crate::score::names;
use crate::{MissingVerdict, Prompt, SamplesScore, order};

/// Choice between the best and the worst of k samples, whose expected value is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The metric is best@k: the expected score of the best of k samples.
    Best,
    /// The metric is worst@k: the expected score of the worst of k samples.
    Worst,
}

/// Metric best@k or worst@k: the expected best, or worst, score of `k` samples of a prompt, averaged over
/// prompts. The [crate documentation](crate) has the definitions.
///
/// ```
/// use bleuprint_core::Accumulator;
/// use bleuprint_samples::{BestOfSamples, End, Prompt};
///
/// let mut best = Accumulator::<_, Prompt>::new(BestOfSamples::new(End::Best, &[1.0, 2.0]).unwrap());
/// best.push(&Prompt::from([0.25, 0.75, 0.5]), &[]).unwrap();
/// best.push(&Prompt::from([0.5, 0.5]), &[]).unwrap();
/// assert_eq!(best.score().unwrap().score.values, [0.5, (2.0 / 3.0 + 0.5) / 2.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BestOfSamples {
    end: End,
    ks: Vec<u32>,
    scale: Scale,
    producer: Option<String>,
    missing: MissingVerdict,
}

impl BestOfSamples {
    /// Creates the metric best@k or worst@k for these values of `k`, in ascending order. Higher scores of
    /// samples are better and have no limits by default.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if a `k` is 0 or above 10,000, or if they are not in ascending
    /// order.
    pub fn new(end: End, given: &[f64]) -> Result<Self, ConfigError> {
        let scale = Scale::higher_is_better(f64::NEG_INFINITY, f64::INFINITY);
        Ok(BestOfSamples { end, ks: ks(Some(given))?, scale, producer: None, missing: MissingVerdict::Error })
    }

    /// Sets the limits of the samples' scores, and whether higher or lower is better.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the minimum is not below the maximum.
    pub fn scale(self, scale: Scale) -> Result<Self, ConfigError> {
        if scale.min < scale.max {
            // Adding 0 turns -0 into 0, so both zeros give the same signature.
            let scale = Scale { min: scale.min + 0.0, max: scale.max + 0.0, ..scale };
            return Ok(BestOfSamples { scale, ..self });
        }
        let given = format!("{}..{}", scale.min, scale.max);
        Err(ConfigError::out_of_range("scale", given, "two numbers, the smaller one first"))
    }

    /// Sets the signature (name and settings) of the program that scored the samples.
    #[must_use]
    pub fn producer(self, producer: impl Into<String>) -> Self {
        BestOfSamples { producer: Some(producer.into()), ..self }
    }

    /// Sets the treatment of samples without a score; the default is an error.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if missing scores count as the worst score, but the scale has no
    /// worst score.
    pub fn missing(self, missing: MissingVerdict) -> Result<Self, ConfigError> {
        if missing == MissingVerdict::Worst && !self.worst_value().is_finite() {
            let message = "missing=worst needs the worst value; set the limits by scale=MIN..MAX".to_owned();
            return Err(ConfigError::Conflict(message));
        }
        Ok(BestOfSamples { missing, ..self })
    }

    fn worst_value(&self) -> f64 {
        if self.scale.direction == Direction::HigherIsBetter { self.scale.min } else { self.scale.max }
    }

    /// Returns the metric's registry name: `best` or `worst`.
    pub(crate) fn name(&self) -> &'static str {
        match self.end {
            End::Best => "best",
            End::Worst => "worst",
        }
    }

    /// Returns the expected best or worst score among `k` samples, drawn from a prompt's samples with the
    /// scores `values`.
    ///
    /// # Errors
    /// Returns an error if a value is not finite or outside the scale, if there are more than 10,000 values,
    /// or fewer than `k`.
    pub fn value(&self, values: &[f64], k: u32) -> Result<f64> {
        let sorted = self.sorted(values)?.unwrap_or_default();
        let enough = BestOfSamples { ks: vec![k], ..self.clone() };
        enough.require_enough(sorted.len())?;
        Ok(self.at(&sorted, k))
    }

    pub(crate) fn ks(&self) -> &[u32] {
        &self.ks
    }

    pub(crate) fn limits(&self) -> Scale {
        self.scale
    }

    pub(crate) fn missing_samples(&self) -> MissingVerdict {
        self.missing
    }

    /// Rejects a prompt with fewer scored samples than the largest `k` of the metric.
    pub(crate) fn require_enough(&self, samples: usize) -> Result<()> {
        let greatest = self.ks.last().copied().unwrap_or_default();
        if samples >= greatest as usize && greatest > 0 {
            return Ok(());
        }
        Err(InputError::limit(
            "the number of samples of a prompt",
            samples,
            format!("at least k = {greatest}"),
        ))
    }

    pub(crate) fn at(&self, sorted: &[f64], k: u32) -> f64 {
        match (self.end, self.scale.direction) {
            (End::Best, Direction::HigherIsBetter) | (End::Worst, Direction::LowerIsBetter) => {
                order::greatest(sorted, k)
            }
            _ => order::least(sorted, k),
        }
    }

    /// Returns the scores of a prompt's samples in ascending order; the setting `missing` decides about
    /// missing scores. Returns `None` if the prompt is to be left out.
    pub(crate) fn sorted(&self, given: &[f64]) -> Result<Option<Vec<f64>>> {
        // An infinity is a broken value, which the error names. Where missing values are no error, it is one.
        let is_missing =
            |value: f64| value.is_nan() || value.is_infinite() && self.missing != MissingVerdict::Error;
        // A prompt with only missing values is left out; a prompt with an empty list is an error below.
        if self.missing == MissingVerdict::Skip
            && !given.is_empty()
            && given.iter().all(|value| is_missing(*value))
        {
            return Ok(None);
        }
        let refuse = |what: &str, given: String, limit: String| Err(InputError::limit(what, given, limit));
        let mut sorted = Vec::with_capacity(given.len());
        for &value in given {
            match (is_missing(value), self.missing) {
                (true, MissingVerdict::Error) => {
                    let message = "a sample has no value here; missing=skip leaves it out, missing=worst takes the worst";
                    return Err(InputError::malformed(message));
                }
                (true, MissingVerdict::Skip) => {}
                (true, MissingVerdict::Worst) => sorted.push(self.worst_value()),
                (false, _) => {
                    let Some(value) = self.scale.nearest(value) else {
                        let limit = format!("finite and from {} to {}", self.scale.min, self.scale.max);
                        return refuse("the value of a sample", value.to_string(), limit);
                    };
                    // Values are summed when the score is computed; one that no sum takes is refused now.
                    ExactSum::from_value(value)?;
                    // Adding 0 turns -0 into 0, so both zeros are one value.
                    sorted.push(value + 0.0);
                }
            }
        }
        if !(1..=MOST_VALUES as usize).contains(&sorted.len()) {
            let given = sorted.len().to_string();
            return refuse("the number of samples of a prompt", given, format!("from 1 to {MOST_VALUES}"));
        }
        sorted.sort_by(f64::total_cmp);
        Ok(Some(sorted))
    }

    /// Returns the metric's name and settings, for samples with given scores. If the statistics keep all
    /// scores (`kept`), the key that identifies them omits `k`, because they can be scored for every `k`.
    pub(crate) fn identity_of(&self, kept: bool) -> Identity {
        let Scale { min, max, direction, .. } = self.scale;
        let scale = (min.is_finite() || max.is_finite()).then(|| format!("{min}..{max}"));
        self.identity_of_texts(kept)
            .option(BestSettings::OPTION.lower, direction == Direction::LowerIsBetter)
            .option(BestSettings::OPTION.scale, scale)
            .option(BestSettings::OPTION.producer, self.producer.clone())
            .reference_free()
            .for_form::<Prompt>()
    }

    /// Returns the metric's name and settings for samples that are texts. The range, direction and producer
    /// of scores are omitted, because the text metric determines them. `kept` is `true` if the statistics
    /// keep all scores.
    pub(crate) fn identity_of_texts(&self, kept: bool) -> Identity {
        let heading = self.ks.first().map(|k| format!("{}@{k}", self.name()));
        // Best and worst share one state, since both come from the same values.
        let identity = Identity::new(if kept { "best" } else { self.name() }, 1, self.scale);
        let identity = if kept { identity.named(self.name()) } else { identity };
        let k = if kept { SamplesSettings::OPTION.k } else { BestSettings::OPTION.k };
        identity
            .headed(heading.unwrap_or_default())
            .composed(Composition::Mean)
            .option(k, as_option(&self.ks))
            .option(BestSettings::OPTION.missing, self.missing)
            .option(BestSettings::OPTION.keeps_values, kept)
    }
}

impl Metric for BestOfSamples {
    type Stats = CurveStats;
    type Score = SamplesScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.identity_of(false)
    }
    fn zero(&self) -> CurveStats {
        CurveStats::zero(&self.ks)
    }
    fn finalize(&self, stats: &CurveStats, _: &SegmentCounts) -> Result<SamplesScore> {
        stats.score(self.name())
    }
    fn check(&self, stats: &CurveStats, counts: &SegmentCounts) -> Result<()> {
        stats.check_like(&self.ks, self.scale)?;
        stats.check(counts)?;
        require_all(self.missing, counts.segments - stats.missing(counts), counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        names(&self.ks, |k| format!("{}@{k}", self.name()))
    }
}

/// Adds the samples' scores of one prompt to the statistics.
impl<R: ?Sized, C: ?Sized> Observe<Prompt, R, C> for BestOfSamples {
    fn observe(&self, (): &mut (), stats: &mut CurveStats, segment: Segment<'_, Prompt, R, C>) -> Result<()> {
        let Some(sorted) = self.sorted(&segment.hypothesis.values()?)? else { return Ok(()) };
        self.require_enough(sorted.len())?;
        stats.merge(&CurveStats::from_values(self.ks.iter().map(|k| (*k, self.at(&sorted, *k))))?)
    }
}
