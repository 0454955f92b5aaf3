//! [`Majority`]: maj@k, the share of prompts whose majority answer among the first k samples is right.

use core::fmt::Display;
use std::borrow::Cow;

use bleuprint_core::{
    Composition, ConfigError, Identity, InputError, Linear, Metric, Observe, Result, Scale, Segment,
    SegmentCounts, Stats as _,
};
use serde::{Deserialize, Serialize};

use crate::curve::CurveStats;
use crate::options::{MOST_SAMPLES, MajoritySettings, as_option, ks};
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
    /// `true` to leave out prompts with an answer that is NaN or infinite.
    skips: bool,
}

impl Majority {
    /// Creates the metric maj@k for these values of `k`, in ascending order. `ties` is the rule for equally
    /// frequent answers.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if a `k` is 0 or above 10,000, or if they are not in ascending
    /// order.
    pub fn new(given: &[f64], ties: Ties) -> Result<Self, ConfigError> {
        Ok(Majority { ks: ks(Some(given))?, ties, skips: false })
    }

    /// Sets whether prompts with an answer that is NaN or infinite are left out and counted; by default such
    /// an answer is an error.
    #[must_use]
    pub fn skip_broken(self, skips: bool) -> Self {
        Majority { skips, ..self }
    }

    /// Returns the value of maj@k for one prompt: 1 if the most frequent of its first `k` answers is right,
    /// else 0. With [`Ties::Share`], the value is the share of right answers among equally most frequent
    /// answers.
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

/// Statistics of maj@k: an exact sum over prompts for each `k`, and the number of null answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoteStats {
    curve: CurveStats,
    /// Number of null answers among the first `k` samples of each prompt, for the largest `k`.
    nulls: u64,
}

impl Linear for VoteStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        Linear::columns(&mut self.curve, visit);
        visit(&"nulls", &mut self.nulls);
    }
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        Linear::check_bounds(&self.curve, counts)
    }
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        Linear::without_number(&self.curve, counts)
    }
}

impl Metric for Majority {
    type Stats = VoteStats;
    type Score = SamplesScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        // Version 2 of the layout counts nulls.
        let settings = MajoritySettings { k: as_option(&self.ks), ties: self.ties, skips: self.skips };
        settings
            .add_to_identity(Identity::new("maj", 2, Scale::UNIT))
            .headed(self.ks.first().map(|k| format!("maj@{k}")).unwrap_or_default())
            .composed(Composition::MeanOrRate)
            .for_form::<Prompt>()
    }
    fn zero(&self) -> VoteStats {
        VoteStats { curve: CurveStats::zero(&self.ks), nulls: 0 }
    }
    fn finalize(&self, stats: &VoteStats, _: &SegmentCounts) -> Result<SamplesScore> {
        Ok(SamplesScore { nulls: stats.nulls, ..stats.curve.score("maj")? })
    }
    fn check(&self, stats: &VoteStats, counts: &SegmentCounts) -> Result<()> {
        stats.curve.check_like(&self.ks, Scale::UNIT)?;
        stats.check(counts)?;
        let most = self.ks.last().copied().unwrap_or_default();
        let prompts = counts.segments - stats.missing(counts);
        InputError::require_at_most("nulls", stats.nulls, "votes", prompts.saturating_mul(u64::from(most)))?;
        let missing = if self.skips { MissingVerdict::Skip } else { MissingVerdict::Error };
        require_all(missing, counts.segments - stats.missing(counts), counts)
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
        stats: &mut VoteStats,
        segment: Segment<'_, Prompt, Sample, C>,
    ) -> Result<()> {
        // Counts have lost which samples agree, so no vote can be taken.
        let Prompt::Samples(samples) = segment.hypothesis else {
            return Err(InputError::malformed(
                "maj needs the answers of the samples, not their counts n and c",
            ));
        };
        let broken = |sample: &Sample| match sample {
            Sample::Number(number) if !number.is_finite() => Some(*number),
            _ => None,
        };
        match (1..).zip(samples).find_map(|(place, sample)| Some((place, broken(sample)?))) {
            Some(_) if self.skips => return Ok(()),
            Some((place, number)) => {
                let limit = "an answer; missing=skip leaves out such prompts";
                return Err(InputError::limit(format!("sample {place}"), number, limit));
            }
            None => {}
        }
        if let Some(number) = segment.references()?.iter().find_map(|gold| broken(gold)) {
            return Err(InputError::limit("a right answer", number, "a number or a text"));
        }
        let answers: Vec<Option<String>> = samples.iter().map(Sample::answer).collect();
        let answers: Vec<Option<&str>> = answers.iter().map(Option::as_deref).collect();
        let gold: Vec<String> = segment.references()?.iter().filter_map(|gold| gold.answer()).collect();
        let gold: Vec<&str> = gold.iter().map(String::as_str).collect();
        let of = |k: &u32| Ok((*k, self.value(&answers, &gold, *k)?));
        let curve = CurveStats::from_values(self.ks.iter().map(of).collect::<Result<Vec<_>>>()?)?;
        let most = self.ks.last().copied().unwrap_or_default() as usize;
        let nulls = answers.iter().take(most).filter(|answer| answer.is_none()).count() as u64;
        stats.merge(&VoteStats { curve, nulls })
    }
}
