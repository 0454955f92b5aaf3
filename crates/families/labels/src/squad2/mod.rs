//! SQuAD 2: exact match and token F1 of short answers to questions that may have none.
//!
//! ```text
//! EM = 100 · Σ em / questions       F1 = 100 · Σ f1 / questions        the best em and f1 over the answers of a question
//! HasAns_, NoAns_: the same over questions with answers, and over those without
//! ```
//!
//! Words, exact match and F1 are defined as in `squad_f1`. An answer without words is dropped. If no answer
//! is left, the empty prediction is right. Over text each reference is an answer, and an empty reference is
//! no answer, so that a question without answers has one empty reference; in records, its list of references may
//! be empty.
//!
//! | singular case | result |
//! |---|---|
//! | neither prediction nor answer has words | em and f1 1 |
//! | one of them has words | em and f1 0 |
//! | answers of articles and punctuation alone | a question with answers, whose right prediction is empty |
//! | no reference | error |
//! | nothing observed | no score |
//!
//! Range 0 to 100, higher is better. Source: Rajpurkar et al. 2018. The numbers match the evaluation script
//! of SQuAD 2.0, as in `evaluate` a7dd338, within 1e-12, because the script adds floats. Time is linear in
//! the words of the prediction and of each answer.
//!
//! ```
//! use bleuprint_core::{Accumulator, Score};
//! use bleuprint_labels::{Squad2, Squad2Score};
//!
//! let mut f1 = Accumulator::<_, str>::new(Squad2::new(Squad2Score::F1).unwrap());
//! f1.push("the city of York", &["York", "city of York"]).unwrap();
//! f1.push("in 1869", &[""]).unwrap();
//! assert_eq!(f1.score().unwrap().score.value(), 50.0);
//! ```

pub(crate) mod best;

use bleuprint_core::{
    ConfigError, ExactSum, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, ScorePart,
    Segment, SegmentCounts, Stats as _, columns,
};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, settings};
use bleuprint_text::TokenBuffer;

use crate::words::AnswerWords;
pub use best::{Answers, BestStats, PredictedAnswer, Squad2Best};

bleuprint_core::choice! {
    /// The number that becomes the score of [`Squad2`]: F1 or exact match. Both numbers are reported.
    pub enum Squad2Score {
        /// F1 of the words of the prediction and the nearest accepted answer, in percent.
        F1 = "f1",
        /// Exact match: the percentage of predictions that equal an accepted answer.
        Exact = "exact",
    }
}

settings! {
    struct Squad2Settings {
        /// The number that is the score
        score: Squad2Score = Opt::choice("squad2-score").finished("of", "of");
    }
}

columns! {
    /// Statistics of SQuAD 2.0: sums over questions that have answers, and over questions that have none.
    pub struct Squad2Stats {
        /// Number of questions that have answers.
        answerable <= segments,
        /// Number of questions that have answers and whose prediction equals one of them.
        exact <= answerable,
        /// Sum of the F1 of the predictions for questions that have answers.
        f1: ExactSum,
        /// Number of questions that have no answer and whose prediction is empty, which is right.
        right_unanswerable <= segments,
    }
}

/// Result of comparing one prediction with the accepted answers of its question: the best exact match and the
/// best F1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Judged {
    pub(crate) answerable: bool,
    pub(crate) exact: bool,
    pub(crate) f1: f64,
    /// `true` if the system predicted an answer: its text is not empty.
    pub(crate) predicted: bool,
}

/// Compares a prediction with all accepted answers of a question and returns the best exact match and F1.
pub(crate) fn judge(
    words: &AnswerWords,
    buffer: &mut TokenBuffer,
    text: &str,
    answers: &[&str],
) -> Result<Judged> {
    let predicted = words.cut(text, buffer)?;
    let mut golds = answers.iter().map(|answer| words.cut(answer, buffer)).collect::<Result<Vec<_>>>()?;
    // An answer of articles and punctuation alone has no words and is dropped, but the question still counts
    // as one with answers: the script counts those from the raw list.
    golds.retain(|words| !words.is_empty());
    if golds.is_empty() {
        golds.push(Vec::new());
    }
    Ok(Judged {
        answerable: !answers.is_empty(),
        exact: golds.contains(&predicted),
        f1: golds.iter().map(|gold| f1(&predicted, gold)).fold(0.0, f64::max),
        predicted: !text.is_empty(),
    })
}

/// Returns the F1 of the words that prediction and reference have in common. Each occurrence of a word
/// matches at most one occurrence on the other side.
fn f1(predicted: &[String], gold: &[String]) -> f64 {
    if predicted.is_empty() || gold.is_empty() {
        return f64::from(u8::from(predicted.is_empty() && gold.is_empty()));
    }
    let (mut left, mut common) = (std::collections::HashMap::<&str, u32>::new(), 0_u32);
    gold.iter().for_each(|word| *left.entry(word).or_default() += 1);
    for word in predicted {
        if let Some(left) = left.get_mut(&**word).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    if common == 0 {
        return 0.0;
    }
    // The order of operations is the script's, so that every question has the same bits.
    let share = |words: &[String]| f64::from(common) / words.len() as f64;
    let precision = share(predicted);
    let recall = share(gold);
    2.0 * precision * recall / (precision + recall)
}

impl Squad2Stats {
    pub(crate) fn from_judged(judged: Judged) -> Result<Self> {
        let Judged { answerable, exact, f1, .. } = judged;
        Ok(if answerable {
            Squad2Stats {
                answerable: 1,
                exact: exact.into(),
                f1: ExactSum::from_value(f1)?,
                right_unanswerable: 0,
            }
        } else {
            Squad2Stats { right_unanswerable: exact.into(), ..Squad2Stats::default() }
        })
    }

    /// Returns an error unless these statistics of SQuAD 2.0 can come from `questions` questions. The mean F1
    /// must be from 0 to 1, and no more questions without answers can be right than there are.
    pub(crate) fn check_questions(&self, questions: u64) -> Result<()> {
        Scale::UNIT.check_mean(&self.f1, self.answerable)?;
        let without = questions.saturating_sub(self.answerable);
        InputError::require_at_most(
            "right_unanswerable",
            self.right_unanswerable,
            "questions without answers",
            without,
        )
    }

    /// Returns the score that `headline` selects, F1 or exact match. Its parts are both numbers, over all
    /// `questions` questions and over the questions with and without answers.
    pub(crate) fn score(&self, name: &str, headline: Squad2Score, questions: u64) -> Result<PlainScore> {
        let number = self.number(name, headline, questions)?;
        let exact = self.number(name, Squad2Score::Exact, questions)?;
        let f1 = self.number(name, Squad2Score::F1, questions)?;
        let without = questions.saturating_sub(self.answerable);
        let percent = |sum: f64, of: u64| 100.0 * sum / of as f64;
        let mut parts = vec![("exact", exact), ("f1", f1)];
        if self.answerable > 0 {
            parts.push(("HasAns_exact", percent(self.exact as f64, self.answerable)));
            parts.push(("HasAns_f1", percent(self.f1.to_f64(), self.answerable)));
        }
        if without > 0 {
            let right = percent(self.right_unanswerable as f64, without);
            parts.extend([("NoAns_exact", right), ("NoAns_f1", right)]);
        }
        let part = |score: PlainScore, (key, number)| score.with(ScorePart::number(key, number, 2));
        let score = parts.into_iter().fold(PlainScore::new(number), part);
        Ok(score
            .with_count("total", questions)
            .with_count("HasAns_total", self.answerable)
            .with_count("NoAns_total", without))
    }

    pub(crate) fn number(&self, name: &str, headline: Squad2Score, questions: u64) -> Result<f64> {
        if questions == 0 {
            return Err(InputError::no_score(name, "there are no questions"));
        }
        let sum = match headline {
            Squad2Score::Exact => (u128::from(self.exact) + u128::from(self.right_unanswerable)) as f64,
            Squad2Score::F1 => {
                // A question without answers has an F1 of 1 or 0, so that a count of right ones is enough.
                let mut sum = self.f1;
                sum.merge_times(&ExactSum::from_value(1.0)?, self.right_unanswerable)?;
                sum.to_f64()
            }
        };
        Ok(100.0 * sum / questions as f64)
    }
}

/// Metric SQuAD 2 over text, for questions that may have no answer; [the module](self) has the definition.
#[derive(Debug, Clone)]
pub struct Squad2 {
    score: Squad2Score,
    words: AnswerWords,
}

impl Squad2 {
    /// Creates the metric SQuAD 2; `score` selects F1 or exact match as the score.
    ///
    /// # Errors
    /// Returns the errors of the tokenizer `squad`.
    pub fn new(score: Squad2Score) -> Result<Self, ConfigError> {
        Ok(Squad2 { score, words: AnswerWords::new()? })
    }
}

pub(crate) fn heading(score: Squad2Score) -> &'static str {
    match score {
        Squad2Score::F1 => "SQuAD2-F1",
        Squad2Score::Exact => "SQuAD2-EM",
    }
}

impl Metric for Squad2 {
    type Stats = Squad2Stats;
    type Score = PlainScore;
    type Scratch = TokenBuffer;

    fn identity(&self) -> Identity {
        Identity::new("squad2", 1, Scale::PERCENT)
            .needing(|needs| needs.no_reference_is_empty = true)
            .option(Squad2Settings::OPTION.score, self.score)
            .headed(heading(self.score))
    }
    fn finalize(&self, stats: &Squad2Stats, counts: &SegmentCounts) -> Result<PlainScore> {
        stats.score("squad2", self.score, counts.segments)
    }
    fn number(&self, stats: &Squad2Stats, counts: &SegmentCounts) -> Result<f64> {
        stats.number("squad2", self.score, counts.segments)
    }
    fn check(&self, stats: &Squad2Stats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        stats.check_questions(counts.segments)
    }
}

impl Observe<str> for Squad2 {
    fn observe(
        &self,
        buffer: &mut TokenBuffer,
        stats: &mut Squad2Stats,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let answers: Vec<&str> =
            segment.references()?.iter().copied().filter(|answer| !answer.is_empty()).collect();
        stats.merge(&Squad2Stats::from_judged(judge(&self.words, buffer, segment.hypothesis, &answers)?)?)
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "squad2",
    "Exact match and F1 of short answers to questions that may have none",
    |options| Ok(AnyMetric::for_text(Squad2::new(Squad2Settings::from_options(options)?.score)?)),
)
.agrees_with("the script of SQuAD 2.0, as evaluate a7dd338 has it")
.papers(&[crate::paper("rajpurkar-etal-2018-know")])
.options(Squad2Settings::SPECS)
.example(r#"{"hypothesis": "in 1066", "references": ["1066", "the year 1066"]}"#);

#[cfg(test)]
mod tests;
