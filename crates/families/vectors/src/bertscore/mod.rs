//! BERTScore over given vectors: each vector of a text is matched with the most similar one of the other
//! text.
//!
//! ```text
//! s_ij = x_i · y_j / ( |x_i| · |y_j| )              x: vectors of the hypothesis, y: of a reference
//! P = Σ_i w_i · max_j s_ij / Σ_i w_i                R = Σ_j v_j · max_i s_ij / Σ_j v_j
//! F = 2 · P · R / (P + R)
//! idf:       w of a piece = its weight · ln( (M + 1) / (df + 1) )      df: references with the piece, of M
//! baseline:  (x - b) / (1 - b)                      x: P, R or F, each with a separate baseline b
//! ```
//!
//! `w_i` and `v_j` are the weights of the vectors `x_i` and `y_j`. No model runs here. You supply the
//! vectors, including the vectors of special pieces such as `[CLS]`, with weight 0. Special pieces can be
//! matched but do not count in the means. The score of a corpus is the mean of its segments, as an exact sum.
//! With several references, each of P, R and F is its maximum over the references, as in bert_score.
//!
//! | option | meaning |
//! |---|---|
//! | `idf` | two passes: the first counts the pieces, whose ids the vectors carry |
//! | `specials` | ids of pieces that weigh 0 |
//! | `baseline` | three numbers, for P, R and F |
//! | `producer` | the model and the layer: scores with two different producers are never compared |
//!
//! | singular case | result |
//! |---|---|
//! | no vector, or weights that sum to 0, on one side | P, R and F are 0 (the program: NaN where the side has pieces) |
//! | P + R = 0 | F is 0; if P + R is so close to 0 that F is 2³¹ or more: error |
//! | a vector of zeros, with NaN or infinity, or of a different width; a negative weight | error |
//! | `idf` without ids | error |
//! | no reference | error |
//!
//! P and R are from -1 to 1. F is unbounded if P or R is negative, and all three numbers are unbounded if
//! they are rescaled with a baseline. Higher is better. Source: Zhang et al. 2020, BERTScore: Evaluating Text
//! Generation with BERT. The matching agrees with bert_score 0.3.13 in double precision within 1e-12. It
//! omits that program's padding, which raises negative similarities to 0 in batches of different lengths.
//! Products are summed in `f64` in a fixed order, so that results are bit-identical on all machines. Time is
//! proportional to the product of the two lengths and the width, mostly for products of small integers. Only
//! candidates for a maximum are multiplied in `f64`.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_vectors::BertScore;
//!
//! let mut bertscore = Accumulator::<_, [&[f32]]>::new(BertScore::new());
//! let (cat, dog): (&[f32], &[f32]) = (&[1.0, 0.0], &[3.0, 4.0]);
//! bertscore.push(&[cat], &[&[cat, dog]]).unwrap();
//! let score = bertscore.score().unwrap().score;
//! assert_eq!((score.precision, score.recall), (1.0, 0.8));
//! assert!(bertscore.push(&[&[0.0, 0.0]], &[&[cat]]).unwrap_err().to_string().contains("vector 1 of the hypothesis is zero"));
//! ```

mod entry;
mod frequencies;
mod sketch;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use bleuprint_core::{
    ConfigError, Direction, Identity, InputError, Metric, Observe, Prepared, Result, Scale, Segment,
    SegmentCounts, TokenSpace, Vector,
};
use bleuprint_metrics::{FScore, Means};

use crate::AsVector;
use crate::rows::{NormedRows, VectorText, check_producer, require_one_width};

use entry::BertScoreSettings;
pub(crate) use entry::ENTRY;
pub use frequencies::PieceFrequencies;
pub(crate) use frequencies::ReferencePieces;
use sketch::{PairCandidates, Sketch};

/// The scale of scores without lower and upper limit: BERTScore's F, and its precision and recall if they are
/// rescaled with a baseline.
const SCALE: Scale = Scale {
    min: f64::NEG_INFINITY,
    max: f64::INFINITY,
    direction: Direction::HigherIsBetter,
    percent: false,
};
const COSINE: Scale = Scale { min: -1.0, ..Scale::UNIT };

/// The metric BERTScore over given vectors; [the module](self) has the definition.
#[derive(Debug, Clone, Default)]
pub struct BertScore {
    idf: Option<Arc<PieceFrequencies>>,
    /// Ids of the special word pieces, such as `[CLS]`, which weigh 0, in ascending order.
    specials: Vec<i64>,
    baseline: Option<[f64; 3]>,
    producer: Option<String>,
}

impl BertScore {
    /// Creates the metric BERTScore, in which every vector has the weight that is given with it, 1 by
    /// default.
    pub fn new() -> Self {
        BertScore::default()
    }

    /// Sets the document frequencies of word pieces from the first pass. A piece weighs more if fewer
    /// references contain it.
    #[must_use]
    pub fn with_idf(self, frequencies: PieceFrequencies) -> Self {
        BertScore { idf: Some(frequencies.into()), ..self }
    }

    /// Sets the ids of special word pieces, such as `[CLS]`, which weigh 0.
    #[must_use]
    pub fn with_specials(self, specials: impl IntoIterator<Item = i64>) -> Self {
        let mut specials: Vec<i64> = specials.into_iter().collect();
        specials.sort_unstable();
        specials.dedup();
        BertScore { specials, ..self }
    }

    /// Sets the baseline: precision, recall and F of unrelated texts. Scores are rescaled so that the
    /// baseline becomes 0.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if a number is not finite or not below 1.
    pub fn with_baseline(self, baseline: [f64; 3]) -> Result<Self, ConfigError> {
        if let Some(number) = baseline.iter().find(|number| !(number.is_finite() && **number < 1.0)) {
            return Err(ConfigError::out_of_range(
                BertScoreSettings::OPTION.baseline.spec.name,
                number,
                "below 1",
            ));
        }
        Ok(BertScore { baseline: Some(baseline), ..self })
    }

    pub(crate) fn with_producer(self, producer: impl Into<String>) -> Result<Self, ConfigError> {
        let producer = Some(producer.into());
        check_producer(BertScoreSettings::OPTION.producer.spec.name, producer.as_ref())?;
        Ok(BertScore { producer, ..self })
    }

    fn weight(&self, vector: &Vector<'_>) -> Result<f64> {
        match (vector.piece, &self.idf) {
            (None, None) if self.specials.is_empty() => Ok(vector.weight),
            (None, Some(_)) => Err(InputError::malformed("has no piece (ids), which idf needs")),
            (None, None) => Err(InputError::malformed("has no piece (ids), which specials need")),
            (Some(piece), _) if self.specials.binary_search(&piece).is_ok() => Ok(0.0),
            (Some(_), None) => Ok(vector.weight),
            (Some(piece), Some(idf)) => Ok(vector.weight * idf.weight(piece)),
        }
    }

    fn fill<V: AsVector>(&self, side: &mut Side, text: VectorText, vectors: &[V]) -> Result<()> {
        side.rows.fill(text, vectors, |vector| self.weight(vector))?;
        side.sketch.fill(&side.rows);
        Ok(())
    }

    fn rescaled(&self, [f, precision, recall]: [f64; 3]) -> [f64; 3] {
        let Some([of_precision, of_recall, of_f]) = self.baseline else { return [f, precision, recall] };
        let rescaled = |value: f64, baseline: f64| (value - baseline) / (1.0 - baseline);
        [rescaled(f, of_f), rescaled(precision, of_precision), rescaled(recall, of_recall)]
    }
}

/// Working memory of BERTScore, one per thread: the vectors of a segment and their best matches.
#[derive(Debug, Default)]
pub struct BertScoreScratch {
    hypothesis: Side,
    reference: Side,
    matches: Matches,
}

#[derive(Debug, Clone, Default)]
struct Side {
    rows: NormedRows,
    sketch: Sketch,
}

#[derive(Debug, Default)]
struct Matches {
    of_hypothesis: Vec<f64>,
    of_reference: Vec<f64>,
    candidates: PairCandidates,
}

impl Matches {
    /// Returns BERTScore's F, precision and recall of a hypothesis and a reference.
    fn measure(&mut self, hypothesis: &Side, reference: &Side) -> Result<[f64; 3]> {
        let Matches { of_hypothesis, of_reference, candidates } = self;
        for (best, side) in [(&mut *of_hypothesis, hypothesis), (&mut *of_reference, reference)] {
            best.clear();
            best.resize(side.rows.weights().len(), f64::NEG_INFINITY);
        }
        let sides = [hypothesis, reference].map(|side| (&side.rows, &side.sketch));
        candidates.for_each(sides, |one, other, similarity| {
            of_hypothesis[one] = of_hypothesis[one].max(similarity);
            of_reference[other] = of_reference[other].max(similarity);
        })?;
        let means = [(of_hypothesis, hypothesis), (of_reference, reference)].map(|(best, side)| {
            let rows = &side.rows;
            let total: f64 = rows.weights().iter().sum();
            let sum = best
                .iter()
                // Each weight is divided before it is multiplied, as bert_score does; the order decides the
                // last bits.
                .zip(rows.weights())
                .fold(0.0, |sum, (best, weight)| sum + best * (weight / total));
            (total > 0.0 && sum.is_finite()).then(|| sum.clamp(-1.0, 1.0))
        });
        let [Some(precision), Some(recall)] = means else { return Ok([0.0; 3]) };
        let f = 2.0 * precision * recall / (precision + recall);
        // Opposite numbers have no harmonic mean. If one of the numbers is 0, F is 0.
        let f = if f.is_finite() && precision * recall != 0.0 { f } else { 0.0 };
        Ok([f, precision, recall])
    }
}

fn best(all: impl Iterator<Item = Result<[f64; 3]>>) -> Result<[f64; 3]> {
    let mut best = [f64::NEG_INFINITY; 3];
    for measure in all {
        best.iter_mut().zip(measure?).for_each(|(best, value)| *best = best.max(value));
    }
    Ok(best)
}

impl Metric for BertScore {
    type Stats = Means<3>;
    type Score = FScore;
    type Scratch = BertScoreScratch;

    fn identity(&self) -> Identity {
        let list = |numbers: &[f64]| (!numbers.is_empty()).then(|| numbers.to_vec());
        let specials: Vec<f64> = self.specials.iter().map(|&id| id as f64).collect();
        let settings = BertScoreSettings {
            idf: self.idf.is_some(),
            specials: list(&specials),
            baseline: self.baseline.as_ref().and_then(|baseline| list(baseline)),
            producer: self.producer.clone(),
        };
        let identity = Identity::new("bertscore", 1, SCALE).wider_sums().named("BERTScore");
        let identity = settings.add_to_identity(identity);
        let identity = match &self.idf {
            Some(frequencies) => identity.counted("df", "df", frequencies.fingerprint()),
            None => identity,
        };
        identity.over(&TokenSpace::VECTORS)
    }

    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        FScore::headline_names()
    }

    fn finalize(&self, stats: &Means<3>, counts: &SegmentCounts) -> Result<FScore> {
        let [f1, precision, recall] = self.rescaled(stats.means());
        Ok(FScore { f1, precision, recall, segments: counts.segments })
    }

    fn number(&self, stats: &Means<3>, _: &SegmentCounts) -> Result<f64> {
        let [f1, ..] = self.rescaled(stats.means());
        Ok(f1)
    }

    fn check(&self, stats: &Means<3>, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, [SCALE, COSINE, COSINE])
    }
}

impl<V: AsVector> Observe<[V]> for BertScore {
    fn observe(
        &self,
        scratch: &mut BertScoreScratch,
        stats: &mut Means<3>,
        segment: Segment<'_, [V]>,
    ) -> Result<()> {
        let BertScoreScratch { hypothesis, reference, matches } = scratch;
        let references = segment.references()?;
        self.fill(hypothesis, VectorText::Hypothesis, segment.hypothesis)?;
        let measured = (1..).zip(references).map(|(number, vectors)| {
            let text = VectorText::Reference(number);
            self.fill(reference, text, vectors)?;
            require_one_width(&hypothesis.rows, text, &reference.rows)?;
            matches.measure(hypothesis, reference)
        });
        stats.push(best(measured)?)
    }

    fn prepare(&self, _: &mut BertScoreScratch, references: &[&[V]]) -> Result<Prepared> {
        let side = |(number, vectors): (usize, &&[V])| {
            let mut side = Side::default();
            self.fill(&mut side, VectorText::Reference(number), vectors).map(|()| side)
        };
        let prepared = (1..).zip(references).map(side).collect::<Result<Vec<_>>>()?;
        Ok(if prepared.is_empty() { Prepared::default() } else { Prepared::new(prepared.len(), prepared) })
    }

    fn observe_prepared(
        &self,
        scratch: &mut BertScoreScratch,
        stats: &mut Means<3>,
        segment: Segment<'_, [V]>,
        prepared: &Prepared,
    ) -> Result<()> {
        let Some(references) = prepared.get::<Vec<Side>>() else {
            return self.observe(scratch, stats, segment);
        };
        let BertScoreScratch { hypothesis, matches, .. } = scratch;
        self.fill(hypothesis, VectorText::Hypothesis, segment.hypothesis)?;
        let measured = (1..).zip(references).map(|(number, reference)| {
            require_one_width(&hypothesis.rows, VectorText::Reference(number), &reference.rows)?;
            matches.measure(hypothesis, reference)
        });
        stats.push(best(measured)?)
    }
}
