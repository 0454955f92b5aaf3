//! [`Majority`]: maj@k, the share of prompts whose majority answer among the first k samples is right.

use std::borrow::Cow;

use bleuprint_core::{
    Composition, ConfigError, Identity, InputError, Metric, Observe, Result, Scale, Segment, SegmentCounts,
    Stats as _,
};

use crate::curve::CurveStats;
use crate::options::{COUNTED_K, MOST_SAMPLES, TIES, as_option, ks};
use crate::samples::require_all;
use crate::score::names;
use crate::{MissingVerdict, Prompt, Sample, SamplesScore, Ties};

/// Metric maj@k: share of prompts for which the most frequent of the first `k` answers is right. The [crate
/// documentation](crate) has the definition.
///
/// ```
/// use bleuprint_core::Accumulator;
/// use bleuprint_samples::{Majority, Prompt, Sample, Ties};
///
/// let answers = |texts: &[&str]| Prompt::Samples(texts.iter().map(|text| Sample::Text((*text).to_owned())).collect());
/// let mut votes = Accumulator::<_, Prompt, Sample>::new(Majority::new(&[1.0, 3.0], Ties::First).unwrap());
/// votes.push(&answers(&["5", "4", "4"]), &[&Sample::Text("4".to_owned())]).unwrap();
/// assert_eq!(votes.score().unwrap().score.values, [0.0, 1.0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Majority {
    ks: Vec<u32>,
    ties: Ties,
}

impl Majority {
    /// Creates the metric maj@k for these values of `k`, in ascending order. `ties` is the rule for equally
    /// frequent answers.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if a `k` is 0 or above 10,000, or if they are not in ascending
    /// order.
    pub fn new(given: &[f64], ties: Ties) -> Result<Self, ConfigError> {
        Ok(Majority { ks: ks(Some(given))?, ties })
    }

    /// Returns the value of maj@k for one prompt: 1 if the most frequent of its first `k` answers is right,
    /// else 0. With [`Ties::Share`] it is the share of right answers among the most frequent answers.
    ///
    /// # Errors
    /// Returns an error if there are fewer than `k` samples, or more than a million.
    pub fn value(&self, answers: &[Option<&str>], gold: &[&str], k: u32) -> Result<f64> {
        let n = answers.len();
        let k = k as usize;
        if n < k || n > MOST_SAMPLES as usize {
            let what = "the number of samples of a prompt";
            let limit = format!("from k = {k} to {MOST_SAMPLES}");
            return Err(InputError::limit(what, n, limit));
        }
        // Votes are kept in order of first appearance, because `Ties::First` takes the answer that came
        // first.
        let mut places: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
        let mut votes: Vec<(&str, u32)> = Vec::new();
        for answer in answers[..k].iter().flatten() {
            let place = *places.entry(answer).or_insert_with(|| {
                votes.push((answer, 0));
                votes.len() - 1
            });
            votes[place].1 += 1;
        }
        let most = votes.iter().map(|(_, votes)| *votes).max();
        let mut winners =
            votes.iter().filter(|(_, votes)| Some(*votes) == most).map(|(answer, _)| gold.contains(answer));
        Ok(match self.ties {
            Ties::First => f64::from(u8::from(winners.next().unwrap_or(false))),
            Ties::Share => {
                let (right, all) =
                    winners.fold((0_u32, 0_u32), |(right, all), one| (right + u32::from(one), all + 1));
                // Without any vote there is no winner, and the number is 0.
                f64::from(right) / f64::from(all.max(1))
            }
        })
    }
}

impl Metric for Majority {
    type Stats = CurveStats;
    type Score = SamplesScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("maj", 1, Scale::UNIT)
            .headed(self.ks.first().map(|k| format!("maj@{k}")).unwrap_or_default())
            .option(COUNTED_K, as_option(&self.ks))
            .option(TIES, self.ties)
            .composed(Composition::MeanOrRate)
            .over_form::<Prompt>()
    }
    fn zero(&self) -> CurveStats {
        CurveStats::zero(&self.ks)
    }
    fn finalize(&self, stats: &CurveStats, _: &SegmentCounts) -> Result<SamplesScore> {
        stats.score("maj")
    }
    fn check(&self, stats: &CurveStats, counts: &SegmentCounts) -> Result<()> {
        stats.check_like(&self.ks, Scale::UNIT)?;
        stats.check(counts)?;
        require_all(MissingVerdict::Error, counts.segments - stats.missing(counts), counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        names(&self.ks, |k| format!("maj@{k}"))
    }
}

/// Counts the answers of one prompt's samples, with the right answers as references.
impl<C: ?Sized> Observe<Prompt, Sample, C> for Majority {
    fn observe(
        &self,
        (): &mut (),
        stats: &mut CurveStats,
        segment: Segment<'_, Prompt, Sample, C>,
    ) -> Result<()> {
        // Counts have lost which samples agree, so no vote can be taken.
        let Prompt::Samples(samples) = segment.hypothesis else {
            return Err(InputError::malformed(
                "maj needs the answers of the samples, not their counts n and c",
            ));
        };
        let answers: Vec<Option<String>> = samples.iter().map(Sample::answer).collect();
        let answers: Vec<Option<&str>> = answers.iter().map(Option::as_deref).collect();
        let gold: Vec<String> = segment.references()?.iter().filter_map(|gold| gold.answer()).collect();
        let gold: Vec<&str> = gold.iter().map(String::as_str).collect();
        let of = |k: &u32| Ok((*k, self.value(&answers, &gold, *k)?));
        stats.merge(&CurveStats::from_values(self.ks.iter().map(of).collect::<Result<Vec<_>>>()?)?)
    }
}
