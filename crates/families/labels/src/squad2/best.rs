//! [`Squad2Best`]: SQuAD 2 of predictions with a probability that there is no answer, and the best threshold of it.

use std::collections::BTreeMap;

use bleuprint_core::{
    ConfigError, ExactSum, Form, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, ScorePart,
    Segment, SegmentCounts, Stats, columns,
};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt};
use bleuprint_text::TokenBuffer;
use serde::{Deserialize, Serialize};

use super::{Squad2Score, Squad2Stats, heading, judge};
use crate::words::Words;

const SCORE: Opt<Squad2Score> =
    Opt::choice("squad2-best-score").finished("of", "of").help("The number that is the score");
const THRESHOLD: Opt<f64> = Opt::number("squad2-best-threshold", 1.0)
    .limits(0, 1)
    .counted("threshold", "th")
    .help("Predictions with a greater probability of no answer count as empty");

/// The most different probabilities of a state.
const MOST: usize = 1 << 22;

/// A prediction.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: two fields of a file of answers")]
pub struct Answer {
    /// The predicted answer; empty for none.
    pub prediction_text: String,
    /// The probability that there is none, from 0 to 1.
    pub no_answer_probability: f64,
}

/// The answers of a question: none where there is none.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "closed: the answers, and nothing else")]
pub struct Answers(pub Vec<String>);

impl Form for Answer {
    const NAME: &'static str = "answer";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("prediction_text", "the predicted answer; empty for none"),
        ("no_answer_probability", "the probability that there is none, from 0 to 1"),
    ];
    type Reference = Answers;
    type Source = Answers;
}

/// The metric over predictions with probabilities.
#[derive(Debug, Clone)]
pub struct Squad2Best {
    score: Squad2Score,
    threshold: f64,
    words: Words,
}

impl Squad2Best {
    /// The metric with this number as its score: a prediction with a probability above the threshold counts as empty.
    ///
    /// # Errors
    /// A threshold outside 0 to 1; those of the tokenizer `squad`.
    pub fn new(score: Squad2Score, threshold: f64) -> Result<Self, ConfigError> {
        Ok(Squad2Best { score, threshold: THRESHOLD.check(threshold)?, words: Words::new()? })
    }
}

columns! {
    /// The change of the score where the threshold passes a probability.
    pub struct Step {
        /// Questions with answers at it.
        answerable,
        /// Of these, those whose prediction is an answer.
        exact <= answerable,
        /// The sum of their F1.
        f1: ExactSum,
        /// Questions without answers whose prediction is not empty.
        wrong,
        /// Questions without answers whose prediction is empty.
        empty,
    }
}

/// Sums over questions at the threshold, and the steps at every probability.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestStats {
    sums: Squad2Stats,
    #[serde(with = "stored")]
    steps: BTreeMap<u64, Step>,
}

/// Steps as a list in order of their probabilities, whose bits are in order as they are not negative.
mod stored {
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    use super::*;

    pub(super) fn serialize<S: Serializer>(steps: &BTreeMap<u64, Step>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(steps)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<u64, Step>, D::Error> {
        let steps = Vec::<(u64, Step)>::deserialize(from)?;
        if steps.len() > MOST || !steps.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return Err(D::Error::custom("probabilities are not in order, or too many"));
        }
        Ok(steps.into_iter().collect())
    }
}

impl Stats for BestStats {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge_times(other, 1)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        if times == 0 {
            return self.check_merge(other);
        }
        let mut sums = self.sums;
        sums.merge_times(&other.sums, times)?;
        let mut merged = Vec::with_capacity(other.steps.len());
        for (bits, step) in &other.steps {
            let mut sum = self.steps.get(bits).copied().unwrap_or_default();
            sum.merge_times(step, times)?;
            merged.push((*bits, sum));
        }
        let new = merged.iter().filter(|(bits, _)| !self.steps.contains_key(bits)).count();
        if self.steps.len() + new > MOST {
            let (what, given) = ("the number of different probabilities", self.steps.len() + new);
            return Err(InputError::limit(what, given, format!("at most {MOST}")));
        }
        self.sums = sums;
        self.steps.extend(merged);
        Ok(())
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        self.sums.check(counts)?;
        self.sums.check_questions(counts.segments)?;
        let refuse = |message: String| Err(InputError::malformed_state(message));
        let (mut questions, mut answerable) = (0, 0);
        for (bits, step) in &self.steps {
            let probability = f64::from_bits(*bits);
            if !(0.0..=1.0).contains(&probability) || probability.is_sign_negative() {
                return refuse(format!("a probability of {probability}"));
            }
            step.check(counts)?;
            Scale::UNIT.check_mean(&step.f1, step.answerable)?;
            let own = [step.answerable, step.wrong, step.empty].map(u128::from).iter().sum::<u128>();
            if own == 0 {
                return refuse(format!("no question has the probability {probability}"));
            }
            questions += own;
            answerable += u128::from(step.answerable);
        }
        if questions != counts.segments.into() || answerable != self.sums.answerable.into() {
            return refuse(format!(
                "{questions} questions with probabilities in {} segments",
                counts.segments
            ));
        }
        Ok(())
    }
}

/// The best score of any threshold, and the least probability that has it.
fn best(steps: &BTreeMap<u64, Step>, of: Squad2Score, questions: u64) -> Result<(f64, f64)> {
    let unanswerable =
        steps.values().fold(0_u128, |sum, step| sum + u128::from(step.wrong) + u128::from(step.empty));
    let (mut best, mut threshold) = (unanswerable as f64, 0.0);
    let (mut right, mut wrong, mut f1) = (unanswerable, 0_u128, ExactSum::default());
    for (bits, step) in steps {
        wrong += u128::from(step.wrong);
        right += u128::from(step.exact);
        f1.merge(&step.f1)?;
        let now = match of {
            Squad2Score::Exact => (right as i128 - wrong as i128) as f64,
            Squad2Score::F1 => {
                let mut sum = f1;
                sum.merge_times(&ExactSum::of(1.0)?, u64::try_from(unanswerable).unwrap_or(u64::MAX))?;
                sum.merge_times(&ExactSum::of(-1.0)?, u64::try_from(wrong).unwrap_or(u64::MAX))?;
                sum.to_f64()
            }
        };
        if now > best {
            (best, threshold) = (now, f64::from_bits(*bits));
        }
    }
    Ok((100.0 * best / questions as f64, threshold))
}

impl Metric for Squad2Best {
    type Stats = BestStats;
    type Score = PlainScore;
    type Scratch = TokenBuffer;

    fn identity(&self) -> Identity {
        Identity::new("squad2_best", 1, Scale::PERCENT)
            .needing(|needs| needs.one_reference = true)
            .over_form::<Answer>()
            .option(SCORE, self.score)
            .option(THRESHOLD, self.threshold)
            .headed(heading(self.score))
    }
    fn finalize(&self, stats: &BestStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let mut score = stats.sums.score("squad2_best", self.score, counts.segments)?;
        for (of, names) in [
            (Squad2Score::Exact, ["best_exact", "best_exact_thresh"]),
            (Squad2Score::F1, ["best_f1", "best_f1_thresh"]),
        ] {
            let (best, threshold) = best(&stats.steps, of, counts.segments)?;
            score = score.with(ScorePart::number(names[0], best, 2));
            score = score.with(ScorePart::number(names[1], threshold, 4));
        }
        Ok(score)
    }
    fn number(&self, stats: &BestStats, counts: &SegmentCounts) -> Result<f64> {
        stats.sums.number("squad2_best", self.score, counts.segments)
    }
}

impl Observe<Answer, Answers, Answers> for Squad2Best {
    fn observe(
        &self,
        buffer: &mut TokenBuffer,
        stats: &mut BestStats,
        segment: Segment<'_, Answer, Answers, Answers>,
    ) -> Result<()> {
        let Answer { prediction_text, no_answer_probability } = segment.hypothesis;
        if !(0.0..=1.0).contains(no_answer_probability) {
            return Err(InputError::limit("no_answer_probability", no_answer_probability, "from 0 to 1"));
        }
        let answers = &segment.one_reference("squad2_best, whose reference is the list of all answers,")?.0;
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        let judged = judge(&self.words, buffer, prediction_text, &answers)?;
        let step = match (judged.answerable, judged.predicted) {
            (true, _) => {
                let f1 = ExactSum::of(judged.f1)?;
                Step { answerable: 1, exact: judged.exact.into(), f1, ..Step::default() }
            }
            (false, true) => Step { wrong: 1, ..Step::default() },
            (false, false) => Step { empty: 1, ..Step::default() },
        };
        let silenced = *no_answer_probability > self.threshold;
        let right = if silenced { !judged.answerable } else { judged.exact };
        let f1 = if silenced { f64::from(u8::from(right)) } else { judged.f1 };
        let sums = Squad2Stats::of(super::Judged { exact: right, f1, ..judged })?;
        // Negative zero has the bits of zero.
        let bits = (no_answer_probability + 0.0).to_bits();
        stats.merge(&BestStats { sums, steps: BTreeMap::from([(bits, step)]) })
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "squad2_best",
    "SQuAD 2 of predictions with a probability of no answer, and the best threshold of it",
    |options| {
        let metric = Squad2Best::new(SCORE.of(options)?, THRESHOLD.of(options)?)?;
        Ok(AnyMetric::over_own::<Answer, _>(metric))
    },
)
.agrees_with("the script of SQuAD 2.0, as evaluate a7dd338 has it")
.papers(&[crate::paper("rajpurkar-etal-2018-know")])
.options(&[SCORE.spec, THRESHOLD.spec]);
