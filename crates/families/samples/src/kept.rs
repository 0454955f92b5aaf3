//! [`KeptBest`]: best@k and worst@k from the values of all prompts, so that one state serves every k.

use std::borrow::Cow;

use bleuprint_core::{
    ExactSum, Identity, InputError, Metric, Observe, Result, Scale, Segment, SegmentCounts, Stats as _,
};
use serde::{Deserialize, Serialize};

use crate::samples::require_all;
use crate::tally::Cell;
use crate::{Best, Prompt, SamplesScore, Tally};

/// [`Best`] whose state is the multiset of the values of prompts; `k` is no part of its key.
///
/// ```
/// use bleuprint_core::{Accumulator, Metric};
/// use bleuprint_samples::{Best, End, KeptBest, Prompt};
///
/// let kept = |end, k| KeptBest::new(Best::new(end, &[k]).unwrap());
/// let mut prompts = Accumulator::<_, Prompt>::new(kept(End::Best, 1.0));
/// prompts.push(&Prompt::from([0.75, 0.25]), &[]).unwrap();
/// assert_eq!(prompts.score().unwrap().value(), 0.5);
/// let of = |metric: &KeptBest| metric.number(prompts.total().stats(), prompts.total().counts()).unwrap();
/// assert_eq!((of(&kept(End::Best, 2.0)), of(&kept(End::Worst, 2.0))), (0.75, 0.25));
/// assert!(prompts.total().score(&kept(End::Best, 3.0)).unwrap_err().to_string().contains("at least k = 3"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KeptBest {
    best: Best,
}

impl KeptBest {
    /// The same numbers as of this metric.
    pub fn new(best: Best) -> Self {
        KeptBest { best }
    }
}

/// The values of a prompt in ascending order, by keys whose order is that of the numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Values(Vec<u64>);

const SIGN: u64 = 1 << 63;

impl Values {
    fn of(sorted: &[f64]) -> Self {
        let key = |value: &f64| match value.to_bits() {
            bits if bits & SIGN == 0 => bits | SIGN,
            bits => !bits,
        };
        Values(sorted.iter().map(key).collect())
    }

    fn numbers(&self) -> Vec<f64> {
        let number = |key: &u64| f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN });
        self.0.iter().map(number).collect()
    }
}

impl Cell for Values {
    fn size(&self) -> usize {
        self.0.len()
    }
    fn check(&self) -> Result<()> {
        let numbers = self.numbers();
        let fine =
            numbers.iter().all(|number| number.is_finite() && (*number != 0.0 || number.is_sign_positive()));
        if fine && !numbers.is_empty() && numbers.is_sorted() {
            return Ok(());
        }
        Err(InputError::malformed_state(format!("values of a prompt of {numbers:?}")))
    }
}

impl Metric for KeptBest {
    type Stats = Tally<Values>;
    type Score = SamplesScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.best.identity_of(true)
    }
    fn finalize(&self, tally: &Tally<Values>, _: &SegmentCounts) -> Result<SamplesScore> {
        let mut sums = vec![ExactSum::default(); self.best.ks().len()];
        for (values, times) in tally.iter() {
            let numbers = values.numbers();
            self.best.require_enough(numbers.len())?;
            for (sum, k) in sums.iter_mut().zip(self.best.ks()) {
                sum.merge_times(&ExactSum::of(self.best.at(&numbers, *k))?, times)?;
            }
        }
        if tally.iter().len() == 0 {
            return Err(InputError::no_score(self.best.name(), "there is no prompt"));
        }
        let values = sums.iter().map(|sum| sum.mean(sum.count())).collect();
        Ok(SamplesScore { ks: self.best.ks().to_vec(), values, prompts: tally.prompts(), samples: None })
    }
    fn check(&self, tally: &Tally<Values>, counts: &SegmentCounts) -> Result<()> {
        tally.check(counts)?;
        let Scale { min, max, .. } = self.best.limits();
        for number in tally.iter().flat_map(|(values, _)| values.numbers()) {
            if !(min..=max).contains(&number) {
                return Err(InputError::malformed_state(format!(
                    "a value of {number}, on a scale from {min} to {max}"
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
            Some(sorted) => tally.add(Values::of(&sorted)),
            None => Ok(()),
        }
    }
}
