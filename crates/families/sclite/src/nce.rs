//! [`Nce`]: sclite's normalized cross entropy (NCE), which measures how well a recognizer's word confidences
//! predict correct words.

use std::fmt::Display;

use bleuprint_core::{
    ExactSum, Form, Identity, InputError, Linear, Metric, Observe, PlainScore, Result, Scale, ScorePart,
    Segment, SegmentCounts, Stats as _, counted,
};
use bleuprint_registry::{AnyMetric, MetricEntry};
use serde::{Deserialize, Serialize};

use crate::align::{SegmentScratch, StepKind, steps};
use crate::metric::{PAPERS, SCTK};
use crate::network::Network;
use crate::options::{Optional, ScliteSettings};

/// Lower limit of confidences; the upper limit is 1 minus this value. Confidences outside the limits are
/// clipped, so that logarithms are finite.
const LEAST: f64 = 1e-7;

/// Counts of hypothesis words and the log-likelihood of their confidences, from which sclite's normalized
/// cross entropy is computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ConfidenceSums {
    /// Sum of ln p over correct words and of ln (1 - p) over wrong words, where p is the confidence of the
    /// word.
    pub loglik: ExactSum,
    /// Number of hypothesis words, correct or wrong.
    pub words: u64,
    /// Number of hypothesis words that are correct.
    pub correct: u64,
}

impl Linear for ConfidenceSums {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        Linear::columns(&mut self.loglik, &mut |column, count| {
            visit(&format_args!("loglik.{column}"), count);
        });
        visit(&"words", &mut self.words);
        visit(&"correct", &mut self.correct);
    }

    fn check_bounds(&self, _: &SegmentCounts) -> Result<()> {
        InputError::require_at_most("words that are right", self.correct, "words", self.words)
    }
}

/// Words of a hypothesis with their confidences. Braces and slashes, which mark alternatives, have no
/// confidence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: the words, and nothing else")]
pub struct Heard(pub Vec<(String, Option<f64>)>);

impl Form for Heard {
    const NAME: &'static str = "heard";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("word", "a word of the hypothesis, the first of a pair; or a brace or slash of alternatives"),
        ("confidence", "its confidence from 0 to 1, the second; null of braces and slashes"),
    ];
    type Reference = String;
    type Source = Self;
}

/// Metric with sclite's normalized cross entropy of word confidences. The [crate documentation](crate) has
/// the definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Nce {
    settings: ScliteSettings,
}

impl Nce {
    /// Creates the metric NCE with these settings of the word alignment.
    ///
    /// ```
    /// use bleuprint_core::{Accumulator, Segment};
    /// use bleuprint_sclite::{Heard, Nce, ScliteSettings};
    ///
    /// let heard = Heard(vec![("a".into(), Some(0.9)), ("d".into(), Some(0.2))]);
    /// let mut nce = Accumulator::<_, Heard, String>::new(Nce::new(ScliteSettings::default()));
    /// nce.push(&heard, &[&"a { b / c }".to_owned()]).unwrap();
    /// assert_eq!((nce.score().unwrap().score.score * 1000.0).round(), 763.0);
    /// ```
    pub fn new(settings: ScliteSettings) -> Self {
        Nce { settings }
    }

    fn value(self, stats: &ConfidenceSums) -> Result<f64> {
        let all = stats.words as f64;
        let right = stats.correct as f64;
        // The entropy of such words is 0, and the quotient is undefined.
        if stats.correct == 0 || stats.correct == stats.words {
            let reason = format!(
                "{} of {} are right, so there is nothing to predict",
                stats.correct,
                counted(stats.words, "word")
            );
            return Err(InputError::no_score("nce", reason));
        }
        let wrong = all - right;
        // The entropy of guessing the share of right words for every word; ours has fixed bits on every
        // platform.
        let entropy = -(right * bleuprint_math::ln(right / all) + wrong * bleuprint_math::ln(wrong / all));
        Ok((entropy + stats.loglik.to_f64()) / entropy)
    }
}

impl Metric for Nce {
    type Stats = ConfidenceSums;
    type Score = PlainScore;
    type Scratch = SegmentScratch;

    fn identity(&self) -> Identity {
        let scale = Scale::higher_is_better(f64::NEG_INFINITY, 1.0);
        self.settings.identify(Identity::new("nce", 1, scale).named("NCE")).for_form::<Heard>()
    }

    fn finalize(&self, stats: &ConfidenceSums, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(self.value(stats)?);
        let share = stats.correct as f64 / stats.words as f64;
        Ok(score
            .with_count("words", stats.words)
            .with_count("correct", stats.correct)
            .with(ScorePart::number("share", share, 4)))
    }

    fn number(&self, stats: &ConfidenceSums, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }

    fn check(&self, stats: &ConfidenceSums, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        if counts.segments == 0 && *stats != ConfidenceSums::default() {
            return Err(InputError::malformed_state(format!("{} words of no segment", stats.words)));
        }
        Scale::higher_is_better(f64::NEG_INFINITY, 0.0).check_mean(&stats.loglik, stats.words)
    }
}

impl<C: ?Sized> Observe<Heard, String, C> for Nce {
    fn observe(
        &self,
        scratch: &mut SegmentScratch,
        stats: &mut ConfidenceSums,
        segment: Segment<'_, Heard, String, C>,
    ) -> Result<()> {
        let reference = segment.one_reference("nce")?;
        let Heard(heard) = segment.hypothesis;
        let text: Vec<&str> = heard.iter().map(|(word, _)| &**word).collect();
        let confidences = heard.iter().filter_map(|(_, confidence)| *confidence);
        let on_scale = |confidence: f64| {
            let error = || InputError::limit("a confidence", confidence, "from 0 to 1");
            Scale::UNIT.nearest(confidence).ok_or_else(error)
        };
        // Confidences are checked before words, so that the error names the number and not the alignment.
        let confidences = confidences.map(on_scale).collect::<Result<Vec<f64>>>()?;
        let text = text.join(" ");
        let reference = self.settings.cased(reference);
        let text = self.settings.cased(&text);
        let [reference, hypothesis] = Network::both(&reference, &text, self.settings)?;
        if hypothesis.words.len() != confidences.len() {
            let given = counted(confidences.len(), "confidence");
            let words = counted(hypothesis.words.len(), "word");
            return Err(InputError::malformed(format!(
                "{given} of {words}; every word needs one, and braces and slashes of alternatives must have none"
            )));
        }
        let mut one = ConfidenceSums::default();
        for step in steps(scratch, &reference, &hypothesis, self.settings)? {
            // sclite counts optional words that are left out as right. If the hypothesis lacks one, there is
            // no confidence, and 1 is used.
            let is_skipped = step.kind == StepKind::Skipped;
            if is_skipped && self.settings.optional != Optional::Sclite || step.kind == StepKind::Deletion {
                continue;
            }
            let correct = is_skipped || step.kind == StepKind::Correct;
            one.words += 1;
            one.correct += u64::from(correct);
            let confidence =
                step.hypothesis.map_or(1.0, |place| confidences[place].clamp(LEAST, 1.0 - LEAST));
            let likelihood = if correct { confidence } else { 1.0 - confidence };
            one.loglik.add(ExactSum::nearest(bleuprint_math::ln(likelihood)))?;
        }
        stats.merge(&one)
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("nce", "Normalized cross entropy of the confidences of words", |options| {
        Ok(AnyMetric::for_own::<Heard, _>(Nce::new(ScliteSettings::from_options(options)?)))
    })
    .agrees_with(SCTK)
    .papers(PAPERS)
    .options(ScliteSettings::SPECS)
    .example(r#"{"hypothesis": [["the", 0.9], ["cap", 0.3]], "reference": "the cat"}"#);
