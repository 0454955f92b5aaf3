//! [`Squad2Best`]: SQuAD 2 for predictions that give a probability that the question has no answer. It also
//! finds the best threshold of this probability.

use std::collections::BTreeMap;

use bleuprint_core::{
    ConfigError, ExactSum, Form, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, ScorePart,
    Segment, SegmentCounts, Stats, columns,
};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, settings};
use bleuprint_text::TokenBuffer;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{Squad2Score, Squad2Stats, heading, judge};
use crate::words::AnswerWords;

settings! {
    struct Squad2BestSettings {
        /// The number that is the score
        score: Squad2Score = Opt::choice("squad2-best-score").finished("of", "of");
        /// Predictions with a greater probability of no answer count as empty
        threshold: f64 = Opt::number("squad2-best-threshold", 1.0).limits(0, 1).counted("threshold", "th");
    }
}

/// Maximum number of distinct no-answer probabilities in the statistics.
const MOST: usize = 1 << 22;

/// A system's answer to a question, with the probability that the question has no answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "AnswerRecord")]
#[expect(clippy::exhaustive_structs, reason = "closed: two fields of a file of answers")]
pub struct PredictedAnswer {
    /// Text of the predicted answer; empty if the system predicts that the question has no answer.
    pub prediction_text: String,
    /// Probability that the question has no answer, from 0 to 1.
    pub no_answer_probability: f64,
}

/// A predicted answer as it is written in a record; the `id` is ignored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerRecord {
    prediction_text: String,
    no_answer_probability: f64,
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
}

impl From<AnswerRecord> for PredictedAnswer {
    fn from(record: AnswerRecord) -> Self {
        let AnswerRecord { prediction_text, no_answer_probability, .. } = record;
        PredictedAnswer { prediction_text, no_answer_probability }
    }
}

/// All accepted answers of a question; empty if the question has no answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "AnswersItem")]
#[expect(clippy::exhaustive_structs, reason = "closed: the answers, and nothing else")]
pub struct Answers(pub Vec<String>);

/// Formats of the accepted answers in a record: a list, one answer, or a record of SQuAD.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a list of answers, as in [[\"York\"]], one answer, or a record of SQuAD with `answers`"
)]
enum AnswersItem {
    List(Vec<String>),
    /// One answer; the empty text means that there is no answer.
    One(String),
    /// A record of SQuAD, as in the data set and in `evaluate`; the field `text` of `answers` has the texts.
    Record {
        answers: AnswerTexts,
    },
}

#[derive(Deserialize)]
struct AnswerTexts {
    text: Vec<String>,
}

impl From<AnswersItem> for Answers {
    fn from(item: AnswersItem) -> Self {
        Answers(match item {
            AnswersItem::List(answers) | AnswersItem::Record { answers: AnswerTexts { text: answers } } => {
                answers
            }
            AnswersItem::One(answer) if answer.is_empty() => Vec::new(),
            AnswersItem::One(answer) => vec![answer],
        })
    }
}

impl Form for PredictedAnswer {
    const NAME: &'static str = "answer";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("prediction_text", "the predicted answer; empty for none"),
        ("no_answer_probability", "the probability that there is none, from 0 to 1"),
    ];
    type Reference = Answers;
    type Source = Answers;
}

/// Metric SQuAD 2 for predictions with a no-answer probability. It also reports the best score over all
/// thresholds of this probability.
#[derive(Debug, Clone)]
pub struct Squad2Best {
    score: Squad2Score,
    threshold: f64,
    words: AnswerWords,
}

impl Squad2Best {
    /// Creates the metric; `score` selects F1 or exact match as the score. A prediction whose no-answer
    /// probability is above `threshold` counts as empty.
    ///
    /// # Errors
    /// Returns an error if the threshold is not from 0 to 1. Returns the errors of the tokenizer `squad`.
    pub fn new(score: Squad2Score, threshold: f64) -> Result<Self, ConfigError> {
        Ok(Squad2Best {
            score,
            threshold: Squad2BestSettings::OPTION.threshold.check(threshold)?,
            words: AnswerWords::new()?,
        })
    }
}

columns! {
    /// Counts of the questions that share one no-answer probability. They change the score when the threshold
    /// passes this probability.
    pub struct ThresholdStep {
        /// Number of questions that have answers.
        answerable,
        /// Number of questions that have answers and whose prediction equals one of them.
        exact <= answerable,
        /// Sum of the F1 of the predictions for questions that have answers.
        f1: ExactSum,
        /// Number of questions that have no answer but whose prediction is not empty.
        wrong,
        /// Number of questions that have no answer and whose prediction is empty.
        empty,
    }
}

/// Statistics of [`Squad2Best`]: sums over questions at the metric's threshold, and sums for every distinct
/// no-answer probability.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestStats {
    sums: Squad2Stats,
    #[serde(with = "stored")]
    steps: BTreeMap<u64, ThresholdStep>,
}

/// Serializes the sums for each no-answer probability as a list sorted by probability. The bits of
/// non-negative floats sort like their values.
mod stored {
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    use super::*;

    pub(super) fn serialize<S: Serializer>(
        steps: &BTreeMap<u64, ThresholdStep>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(steps)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<u64, ThresholdStep>, D::Error> {
        let steps = Vec::<(u64, ThresholdStep)>::deserialize(from)?;
        // Strict order also proves that no probability occurs twice, which the map below would silently drop.
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
        // Zero times adds nothing, but states that do not fit must still be reported.
        if times == 0 {
            return self.check_merge(other);
        }
        // All sums are computed aside and assigned at the end, so that an error leaves the state unchanged.
        let mut sums = self.sums;
        sums.merge_times(&other.sums, times)?;
        let mut merged = Vec::with_capacity(other.steps.len());
        for (bits, step) in &other.steps {
            let mut sum = self.steps.get(bits).copied().unwrap_or_default();
            sum.merge_times(step, times)?;
            merged.push((*bits, sum));
        }
        // Only new probabilities grow the state. The limit is checked before one is inserted.
        let new = merged.iter().filter(|(bits, _)| !self.steps.contains_key(bits)).count();
        if self.steps.len() + new > MOST {
            let what = "the number of different probabilities";
            let given = self.steps.len() + new;
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
        let mut questions = 0;
        let mut answerable = 0;
        for (bits, step) in &self.steps {
            let probability = f64::from_bits(*bits);
            // Minus zero equals zero but has other bits, and would be a second key for the same probability.
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

/// Returns the highest score in percent over all thresholds of the no-answer probability, and the smallest
/// threshold with this score.
fn best(steps: &BTreeMap<u64, ThresholdStep>, of: Squad2Score, questions: u64) -> Result<(f64, f64)> {
    let unanswerable =
        steps.values().fold(0_u128, |sum, step| sum + u128::from(step.wrong) + u128::from(step.empty));
    // The threshold starts below every probability: all predictions are empty, and exactly the questions
    // without answers are right. Each step then releases the predictions of one probability.
    let mut best = unanswerable as f64;
    let mut threshold = 0.0;
    let mut right = unanswerable;
    let mut wrong = 0_u128;
    let mut f1 = ExactSum::default();
    for (bits, step) in steps {
        wrong += u128::from(step.wrong);
        right += u128::from(step.exact);
        f1.merge(&step.f1)?;
        let now = match of {
            Squad2Score::Exact => (right as i128 - wrong as i128) as f64,
            Squad2Score::F1 => {
                let mut sum = f1;
                sum.merge_times(
                    &ExactSum::from_value(1.0)?,
                    u64::try_from(unanswerable).unwrap_or(u64::MAX),
                )?;
                sum.merge_times(&ExactSum::from_value(-1.0)?, u64::try_from(wrong).unwrap_or(u64::MAX))?;
                sum.to_f64()
            }
        };
        // A strict comparison keeps the first, smallest threshold among equal scores, as the script does.
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
            .for_form::<PredictedAnswer>()
            .option(Squad2BestSettings::OPTION.score, self.score)
            .option(Squad2BestSettings::OPTION.threshold, self.threshold)
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

impl Observe<PredictedAnswer, Answers, Answers> for Squad2Best {
    fn observe(
        &self,
        buffer: &mut TokenBuffer,
        stats: &mut BestStats,
        segment: Segment<'_, PredictedAnswer, Answers, Answers>,
    ) -> Result<()> {
        let PredictedAnswer { prediction_text, no_answer_probability } = segment.hypothesis;
        let Some(no_answer_probability) = Scale::UNIT.nearest(*no_answer_probability) else {
            return Err(InputError::limit("no_answer_probability", no_answer_probability, "from 0 to 1"));
        };
        let answers = &segment.one_reference("squad2_best, whose reference is the list of all answers,")?.0;
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        let judged = judge(&self.words, buffer, prediction_text, &answers)?;
        let step = match (judged.answerable, judged.predicted) {
            (true, _) => {
                let f1 = ExactSum::from_value(judged.f1)?;
                ThresholdStep { answerable: 1, exact: judged.exact.into(), f1, ..ThresholdStep::default() }
            }
            (false, true) => ThresholdStep { wrong: 1, ..ThresholdStep::default() },
            (false, false) => ThresholdStep { empty: 1, ..ThresholdStep::default() },
        };
        // The script compares with `>`: a prediction exactly at the threshold stays.
        let silenced = no_answer_probability > self.threshold;
        let right = if silenced { !judged.answerable } else { judged.exact };
        let f1 = if silenced { f64::from(u8::from(right)) } else { judged.f1 };
        let sums = Squad2Stats::from_judged(super::Judged { exact: right, f1, ..judged })?;
        // Adding zero turns minus zero into zero, so that both have the same bits.
        let bits = (no_answer_probability + 0.0).to_bits();
        stats.merge(&BestStats { sums, steps: BTreeMap::from([(bits, step)]) })
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "squad2_best",
    "SQuAD 2 of predictions with a probability of no answer, and the best threshold of it",
    |options| {
        let Squad2BestSettings { score, threshold } = Squad2BestSettings::from_options(options)?;
        let metric = Squad2Best::new(score, threshold)?;
        Ok(AnyMetric::for_own::<PredictedAnswer, _>(metric))
    },
)
.agrees_with("the script of SQuAD 2.0, as evaluate a7dd338 has it")
.papers(&[crate::paper("rajpurkar-etal-2018-know")])
.options(Squad2BestSettings::SPECS)
.example(
    r#"{"hypothesis": {"prediction_text": "in 1066", "no_answer_probability": 0.2}, "reference": ["1066"]}"#,
);
