//! DROP: exact match and F1 of answers that are lists of spans, some of which may be numbers.
//!
//! ```text
//! EM = 1 if the sets of spans are equal, and both lists are equally long
//! F1 = round(Σ over the best assignment of F1(gold bag, predicted bag) / max(number of bags), 2)
//!      a bag is the set of words of a span; F1 is 0 if the gold bag has numbers and the predicted bag none of
//! them
//! ```
//!
//! The score is the mean over questions. If a question has several answers, the best EM and the best F1 over
//! them count. Spans are split at spaces and hyphens. A piece that Python reads as a number is written as a
//! float (`3` becomes `3.0`). All other pieces are lowercased and lose ASCII punctuation and articles.
//!
//! | singular case | result |
//! |---|---|
//! | a bag without words against another | precision 1 for an empty predicted bag, recall 1 for an empty gold bag |
//! | an answer whose first span is blank | left out; a question with no other answer has EM 0 and F1 0 |
//! | no spans on one side | F1 0 |
//! | no reference; more than 1,000 spans | error |
//! | nothing observed | no score |
//!
//! In text a line is one span, or with `spans=json` a JSON array of spans. With `spans=list`, records have
//! arrays of spans. Range 0 to 1, higher is better. Source: Dua et al. 2019; the numbers match the task
//! `drop` of lm-evaluation-harness 0.4.13. Time is cubic in the number of spans of a pair.
//!
//! ```
//! use bleuprint_core::{Accumulator, Score};
//! use bleuprint_labels::{Drop, DropScore};
//!
//! let mut f1 = Accumulator::<_, str>::new(Drop::new(DropScore::F1, true).unwrap());
//! f1.push(r#"["3 yards", "Bears"]"#, &[r#"["3.0 yards"]"#, r#"["the Bears", "3-yards"]"#]).unwrap();
//! assert_eq!(f1.score().unwrap().score.value(), 1.0);
//! ```

mod normal;

use std::collections::BTreeSet;

use bleuprint_core::{
    Composition, ConfigError, ExactSum, Identity, InputError, Metric, Observe, PlainScore, Result, Scale,
    ScorePart, Segment, SegmentCounts, Stats as _, check_interrupt, columns,
};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};
use bleuprint_text::{TokenBuffer, whitespace};

use crate::list::TextList;
use crate::words::AnswerWords;

/// Maximum number of spans of an answer.
// The assignment takes cubic time, so that an unlimited number of spans could stall a run.
const MOST_SPANS: usize = 1000;

bleuprint_core::choice! {
    /// The number that becomes the score of the metric [`Drop`]: F1 or exact match. Both numbers are
    /// reported.
    pub enum DropScore {
        /// F1 of the words of the prediction and the nearest accepted answer, averaged over questions.
        F1 = "f1",
        /// Share of questions whose predicted answer matches an accepted answer exactly.
        Exact = "exact",
    }
}

settings! {
    struct DropSettings {
        /// The number that is the score
        score: DropScore = Opt::choice("drop-score").finished("of", "of");
        /// The spans: the line is one, a JSON array in text, or a list in records
        spans: &'static str = Opt::word("drop-spans", &["line", "json", "list"], "line").counted("spans", "sp");
    }
}

columns! {
    /// Statistics of the DROP metric: sums over all questions of a corpus.
    pub struct DropStats {
        /// Number of questions whose predicted spans equal the spans of an accepted answer.
        exact <= segments,
        /// Sum over questions of the best F1 of the prediction with one of the accepted answers.
        f1: ExactSum,
    }
}

/// Metric of the DROP benchmark for reading comprehension, over text; [the module](self) has the definition.
#[derive(Debug, Clone)]
pub struct Drop {
    score: DropScore,
    spans: &'static str,
    words: AnswerWords,
}

impl Drop {
    /// Creates the DROP metric. `score` selects F1 or exact match as the score. If `json` is `true`, each
    /// text is a JSON array of answer spans; otherwise each text is one span.
    ///
    /// # Errors
    /// Returns the errors of the tokenizer `squad`.
    pub fn new(score: DropScore, json: bool) -> Result<Self, ConfigError> {
        let spans = if json { "json" } else { "line" };
        Ok(Drop { score, spans, words: AnswerWords::new()? })
    }

    /// Creates a DROP metric whose answers are lists of spans instead of one text.
    fn over_lists(score: DropScore) -> Result<Self, ConfigError> {
        Ok(Drop { spans: "list", ..Drop::new(score, false)? })
    }

    fn spans(&self, text: &str) -> Result<Vec<String>> {
        if self.spans != "json" {
            return Ok(vec![text.to_owned()]);
        }
        serde_json::from_str(text).map_err(|error| {
            InputError::malformed(format!(
                "the spans are not a JSON array of strings: {error}; set spans=line to read each line as one span"
            ))
        })
    }

    /// Adds one question with its predicted spans and its accepted answers, each of which is a list of spans.
    ///
    /// # Errors
    /// Returns an error if the prediction or an answer has more than 1,000 spans.
    pub fn observe_spans(
        &self,
        buffer: &mut TokenBuffer,
        stats: &mut DropStats,
        predicted: &[String],
        answers: &[Vec<String>],
    ) -> Result<()> {
        let predicted = self.normal(buffer, predicted)?;
        let mut exact = false;
        let mut f1 = 0.0_f64;
        for answer in answers {
            // The task of the harness skips an answer without a first span. Such answers are empty fields of
            // the data.
            if answer.first().is_none_or(|span| whitespace::strip(span).is_empty()) {
                continue;
            }
            let gold = self.normal(buffer, answer)?;
            let sets = [&predicted, &gold].map(|spans| spans.iter().collect::<BTreeSet<_>>());
            // Sets ignore repeated spans. The comparison of lengths, also the harness's, still rejects a
            // prediction that repeats one.
            exact |= sets[0] == sets[1] && predicted.len() == gold.len();
            // The best F1 and the best exact match may come from different answers, as in the harness.
            f1 = f1.max(aligned(&bags(&gold), &bags(&predicted))?);
        }
        stats.merge(&DropStats { exact: exact.into(), f1: ExactSum::from_value(f1)? })
    }

    /// Returns the normalized words of every answer span.
    fn normal(&self, buffer: &mut TokenBuffer, spans: &[String]) -> Result<Vec<Vec<String>>> {
        if spans.len() > MOST_SPANS {
            return Err(InputError::limit(
                "the number of spans",
                spans.len(),
                format!("at most {MOST_SPANS}"),
            ));
        }
        spans.iter().map(|span| normal::words(&self.words, buffer, span)).collect()
    }
}

type Bag<'w> = BTreeSet<&'w str>;

fn bags(spans: &[Vec<String>]) -> Vec<Bag<'_>> {
    spans.iter().map(|words| words.iter().map(String::as_str).collect()).collect()
}

/// Pairs gold and predicted bags (sets of words) one to one so that the sum of their F1 is highest. Returns
/// the sum divided by the larger number of bags, rounded to hundredths.
///
/// # Errors
/// Returns an error if the caller cancels the work.
fn aligned(gold: &[Bag<'_>], predicted: &[Bag<'_>]) -> Result<f64> {
    let row = |gold: &Bag<'_>| {
        check_interrupt()?;
        Ok(predicted.iter().map(|own| bag_f1(gold, own)).collect())
    };
    let values: Vec<Vec<f64>> = gold.iter().map(row).collect::<Result<_>>()?;
    // The solver minimizes, so that negated values give the assignment with the greatest sum.
    let costs: Vec<Vec<f64>> = values.iter().map(|row| row.iter().map(|f1| -f1).collect()).collect();
    let pairs = bleuprint_metrics::assign_interruptibly(&costs)?;
    let sum: f64 =
        values.iter().zip(pairs).map(|(row, column)| column.map_or(0.0, |column| row[column])).sum();
    let mean = sum / gold.len().max(predicted.len()) as f64;
    // numpy's `round` rounds halves to even. The rounding of each question is part of the original score.
    Ok((mean * 100.0).round_ties_even() / 100.0)
}

fn bag_f1(gold: &Bag<'_>, predicted: &Bag<'_>) -> f64 {
    let is_number = |word: &&&str| normal::float(word).is_some();
    // A prediction with the wrong number is wrong however many words it shares: the rule of DROP's paper.
    let numbers: Vec<&&str> = gold.iter().filter(is_number).collect();
    if !numbers.is_empty() && !numbers.iter().any(|number| predicted.contains(**number)) {
        return 0.0;
    }
    let common = gold.intersection(predicted).count() as f64;
    // An empty bag has a share of 1 only here; two empty bags then give F1 1, as the program's precision and
    // recall do.
    let share = |bag: &Bag<'_>| if bag.is_empty() { 1.0 } else { common / bag.len() as f64 };
    let precision = share(predicted);
    let recall = share(gold);
    if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
}

impl Metric for Drop {
    type Stats = DropStats;
    type Score = PlainScore;
    type Scratch = TokenBuffer;

    fn identity(&self) -> Identity {
        let heading = if self.score == DropScore::F1 { "DROP-F1" } else { "DROP-EM" };
        let identity = Identity::new("drop", 1, Scale::UNIT).option(DropSettings::OPTION.score, self.score);
        let spans = DropSettings::OPTION.spans;
        let identity = match self.spans {
            // State keys name the form of the data, which tells lists from lines. Their field stays as it was
            // written before signatures named lists.
            "list" => identity.keyed(spans.spec.field.key, "line").finished(
                spans.spec.field.key,
                spans.spec.field.short,
                "list",
            ),
            word => identity.option(spans, word),
        };
        identity.headed(heading).composed(if self.score == DropScore::F1 {
            Composition::Mean
        } else {
            Composition::Rate
        })
    }
    fn finalize(&self, stats: &DropStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let exact = stats.exact as f64 / counts.segments.max(1) as f64;
        Ok(PlainScore::new(self.number(stats, counts)?)
            .with(ScorePart::number("exact", exact, 4))
            .with(ScorePart::number("f1", stats.f1.mean(counts.segments.max(1)), 4))
            .with_count("questions", counts.segments))
    }
    fn number(&self, stats: &DropStats, counts: &SegmentCounts) -> Result<f64> {
        match (counts.segments, self.score) {
            (0, _) => Err(InputError::no_score("drop", "there are no questions")),
            (questions, DropScore::Exact) => Ok(stats.exact as f64 / questions as f64),
            (questions, DropScore::F1) => Ok(stats.f1.mean(questions)),
        }
    }
    fn check(&self, stats: &DropStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        Scale::UNIT.check_mean(&stats.f1, counts.segments)
    }
}

impl Observe<str> for Drop {
    fn observe(
        &self,
        buffer: &mut TokenBuffer,
        stats: &mut DropStats,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let answers =
            segment.references()?.iter().map(|answer| self.spans(answer)).collect::<Result<Vec<_>>>()?;
        self.observe_spans(buffer, stats, &self.spans(segment.hypothesis)?, &answers)
    }
}

impl Observe<TextList> for Drop {
    fn observe(
        &self,
        buffer: &mut TokenBuffer,
        stats: &mut DropStats,
        segment: Segment<'_, TextList>,
    ) -> Result<()> {
        let answers: Vec<Vec<String>> = segment.references()?.iter().map(|answer| answer.0.clone()).collect();
        self.observe_spans(buffer, stats, &segment.hypothesis.0, &answers)
    }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let DropSettings { score, spans } = DropSettings::from_options(options)?;
    Ok(match spans {
        "list" => AnyMetric::for_own::<TextList, _>(Drop::over_lists(score)?),
        spans => AnyMetric::for_text(Drop::new(score, spans == "json")?),
    })
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "drop",
    "Exact match and F1 of answers that are lists of spans, numbers among them",
    build,
)
.agrees_with("lm-evaluation-harness 0.4.13")
.papers(&[crate::paper("dua-etal-2019-drop")])
.options(DropSettings::SPECS)
.example(r#"{"hypothesis": "12 yards", "references": ["12", "11"]}"#);

#[cfg(test)]
mod tests {
    use bleuprint_core::{Accumulator, Score as _};
    use bleuprint_registry::laws;

    use super::*;

    #[test]
    fn it_obeys_the_laws() {
        for score in [DropScore::F1, DropScore::Exact] {
            laws::check_any(&AnyMetric::for_text(Drop::new(score, false).unwrap()));
        }
        let lists = |raw: &[u8]| {
            let span = |byte: &u8| ["\"the 3\"", "\"cat\"", "\"\"", "\"a b\""][usize::from(byte % 4)];
            format!("[{}]", raw.iter().map(span).collect::<Vec<_>>().join(","))
        };
        let json = Drop::new(DropScore::F1, true).unwrap();
        laws::check_sequences::<str>(&json, lists);
    }

    #[test]
    fn numbers_of_the_answer_must_be_there() {
        let score = |predicted: &str, gold: &str| {
            let mut f1 = Accumulator::<_, str>::new(Drop::new(DropScore::F1, false).unwrap());
            f1.push(predicted, &[gold]).unwrap();
            f1.score().unwrap().score.value()
        };
        assert_eq!(score("4 yards long", "5 yards long"), 0.0);
        assert_eq!(score("five yards long", "yards long"), 0.8);
        assert_eq!(score("", " "), 0.0);
    }

    #[test]
    fn lists_that_are_none_and_too_long_ones_are_refused() {
        let json = Drop::new(DropScore::F1, true).unwrap();
        let mut all = Accumulator::<_, str>::new(json);
        let message = all.push("three", &["[]"]).unwrap_err().to_string();
        assert!(message.contains("the spans are not a JSON array of strings"), "{message}");
        let long = serde_json::to_string(&vec!["x"; 1001]).unwrap();
        let message = all.push(&long, &["[\"x\"]"]).unwrap_err().to_string();
        assert!(message.contains("the number of spans is 1001, but must be at most 1000"), "{message}");
    }
}
