//! [`KeptBest`]: best@k and worst@k with a state that keeps the scores of all samples, so that it can be
//! scored for every k.

use std::borrow::Cow;

use bleuprint_core::{
    ExactSum, Identity, InputError, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats as _,
};
use serde::{Deserialize, Serialize};

use crate::samples::require_all;
use crate::tally::SampleCell;
use crate::{BestOfSamples, Prompt, SampleTally, SamplesScore};

/// Metric best@k or worst@k ([`BestOfSamples`]) whose state keeps the samples' scores of all prompts. `k` is
/// not part of the state's key, so one state can be scored for every `k`.
///
/// ```
/// use bleuprint_core::{Accumulator, Metric};
/// use bleuprint_samples::{BestOfSamples, End, KeptBest, Prompt};
///
/// let kept = |end, k| KeptBest::new(BestOfSamples::new(end, &[k]).unwrap());
/// let mut prompts = Accumulator::<_, Prompt>::new(kept(End::Best, 1.0));
/// prompts.push(&Prompt::from([0.75, 0.25]), &[]).unwrap();
/// assert_eq!(prompts.score().unwrap().value(), 0.5);
/// let of = |metric: &KeptBest| metric.number(prompts.total().stats(), prompts.total().counts()).unwrap();
/// assert_eq!((of(&kept(End::Best, 2.0)), of(&kept(End::Worst, 2.0))), (0.75, 0.25));
/// assert!(prompts.total().score(&kept(End::Best, 3.0)).unwrap_err().to_string().contains("at least k = 3"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KeptBest {
    best: BestOfSamples,
}

impl KeptBest {
    /// Creates a metric with the same score as `best`, whose state keeps the samples' scores of each prompt.
    pub fn new(best: BestOfSamples) -> Self {
        KeptBest { best }
    }
}

/// Scores of a prompt's samples in ascending order. Each score is stored as an integer, and the integers sort
/// like the scores.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PromptValues(Vec<u64>);

const SIGN: u64 = 1 << 63;

impl PromptValues {
    fn from_sorted(sorted: &[f64]) -> Self {
        let key = |value: &f64| match value.to_bits() {
            // The usual order-preserving map of floats: positive numbers get the top bit, negative ones are
            // inverted, so that integers sort like the numbers and the state can be a sorted map.
            bits if bits & SIGN == 0 => bits | SIGN,
            bits => !bits,
        };
        PromptValues(sorted.iter().map(key).collect())
    }

    fn numbers(&self) -> Vec<f64> {
        let number = |key: &u64| f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN });
        self.0.iter().map(number).collect()
    }
}

impl SampleCell for PromptValues {
    fn size(&self) -> usize {
        self.0.len()
    }
    fn check(&self) -> Result<()> {
        let numbers = self.numbers();
        let fine =
            // A writer never stores -0, NaN or infinity, so such a state was damaged or made by another
            // program.
            numbers.iter().all(|number| number.is_finite() && (*number != 0.0 || number.is_sign_positive()));
        if fine && !numbers.is_empty() && numbers.is_sorted() {
            return Ok(());
        }
        Err(InputError::malformed_state(format!(
            "the values of a prompt are {numbers:?}, but must be finite and ascending"
        )))
    }
}

impl Metric for KeptBest {
    type Stats = SampleTally<PromptValues>;
    type Score = SamplesScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.best.identity_of(true)
    }
    fn finalize(&self, tally: &SampleTally<PromptValues>, _: &SegmentCounts) -> Result<SamplesScore> {
        let mut sums = vec![ExactSum::default(); self.best.ks().len()];
        for (values, times) in tally.iter() {
            let numbers = values.numbers();
            self.best.require_enough(numbers.len())?;
            for (sum, k) in sums.iter_mut().zip(self.best.ks()) {
                sum.merge_times(&ExactSum::from_value(self.best.at(&numbers, *k))?, times)?;
            }
        }
        if tally.iter().len() == 0 {
            return Err(InputError::no_score(self.best.name(), "there is no prompt"));
        }
        let values = sums.iter().map(|sum| sum.mean(sum.count())).collect();
        Ok(SamplesScore {
            ks: self.best.ks().to_vec(),
            values,
            prompts: tally.prompts(),
            samples: None,
            nulls: 0,
        })
    }
    fn check(&self, tally: &SampleTally<PromptValues>, counts: &SegmentCounts) -> Result<()> {
        tally.check(counts)?;
        let Scale { min, max, .. } = self.best.limits();
        for number in tally.iter().flat_map(|(values, _)| values.numbers()) {
            if !(min..=max).contains(&number) {
                return Err(InputError::malformed_state(format!(
                    "a value is {number}, but the scale is from {min} to {max}"
                )));
            }
        }
        require_all(self.best.missing_samples(), tally.prompts(), counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        self.best.headline_names()
    }
}

impl<R: ?Sized, C: ?Sized> Observe<Prompt, R, C> for KeptBest {
    fn observe(
        &self,
        (): &mut (),
        tally: &mut Self::Stats,
        segment: Segment<'_, Prompt, R, C>,
    ) -> Result<()> {
        match self.best.sorted(&segment.hypothesis.values()?)? {
            Some(sorted) => tally.add(PromptValues::from_sorted(&sorted)),
            None => Ok(()),
        }
    }
}
