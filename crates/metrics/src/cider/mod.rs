//! CIDEr and CIDEr-D: cosines of n-gram vectors in which n-grams frequent in the references weigh less.
//!
//! ```text
//! weight(g)      = count(g) · ( ln N - ln max(1, df(g)) )       df: segments with g in some reference, of N segments
//! cosine_n(h, r) = Σ_g weight_h(g) · weight_r(g) / ( |h|_n · |r|_n )             over the n-grams of order n
//! CIDEr          = 10 · mean over orders n = 1 .. 4, references and segments of cosine_n
//! CIDEr-D        : min(weight_h(g), weight_r(g)) in place of weight_h(g), and times e^( -(l_h - l_r)² / (2 σ²) )
//! ```
//!
//! `l` is the number of bigrams, and `σ` is 6. The first pass, [`ReferenceDocuments`], makes the document
//! frequencies of all references, which can be stored. The second, [`Cider`], scores with them. The key of
//! the statistics includes their fingerprint and `N`, so that statistics and scores under different
//! frequencies are kept apart. pycocoevalcap's CIDEr is CIDEr-D.
//!
//! | singular case | result |
//! |---|---|
//! | `N` = 1 | 0: every weight is `ln 1` |
//! | empty hypothesis, empty reference, nothing in common | 0 |
//! | hypothesis of one token | at most 2.5: higher orders are 0 |
//! | n-gram that the table does not have | weight `count · ln N` |
//! | no n-gram in any reference of the table | no score |
//! | no reference | error |
//!
//! The range is 0 to 10; higher is better. Source: Vedantam, Zitnick and Parikh 2015, CIDEr: Consensus-based
//! Image Description Evaluation. CIDEr-D agrees with `Cider` of pycocoevalcap 1.2 within 1e-9, over its
//! tokens.
//!
//! pycocoevalcap takes logarithms from NumPy. They are the C library's, like here, except that NumPy 2.4 has
//! its own on processors with AVX-512; those differ in the last digit for 255 of 10^6 numbers. The mean over
//! segments is exact and rounded once. Time is linear in the tokens; memory is proportional to the table.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::cider::{Cider, DocumentFrequencies};
//!
//! let references: [&[&str]; 2] = [&["a", "cat", "on", "a", "mat"], &["two", "dogs", "run"]];
//! let mut frequencies = DocumentFrequencies::new(4);
//! for reference in references {
//!     frequencies.add(&[reference]).unwrap();
//! }
//! let mut cider = Accumulator::<_, [&str]>::new(Cider::d(&frequencies));
//! cider.push(&["a", "cat", "on", "a", "mat"], &[references[0]]).unwrap();
//! cider.push(&["a", "bird"], &[references[1]]).unwrap();
//! assert!((cider.score().unwrap().score.score - 5.0).abs() < 1e-12);
//! ```

mod entry;
mod frequencies;
mod options;
mod segment;
#[cfg(test)]
mod tests;

use core::hash::Hash;
use std::sync::Arc;

use bleuprint_core::{
    Composition, ConfigError, ExactSum, Identity, InputError, Metric, Observe, PlainScore, Result, Scale,
    Segment, SegmentCounts, Stats,
};
use bleuprint_ngram::Word;

pub(crate) use entry::{D_ENTRY, ENTRY};
pub use frequencies::{DocumentFrequencies, ReferenceDocuments};
use options::{CiderDSettings, CiderSettings};
pub use segment::CiderScratch;

use frequencies::CiderWeights;
use segment::CiderSimilarity;

const SCALE: Scale = Scale { max: 10.0, ..Scale::UNIT };

/// Metric CIDEr or CIDEr-D, with the given document frequencies as the source of n-gram weights.
#[derive(Debug, Clone)]
pub struct Cider {
    weights: Arc<CiderWeights>,
    fingerprint: Arc<str>,
    similarity: CiderSimilarity,
}

impl Cider {
    /// Creates CIDEr-D, which clips weights and penalizes unlike lengths; it agrees with pycocoevalcap.
    pub fn d(frequencies: &DocumentFrequencies) -> Self {
        Cider::with(frequencies, CiderSimilarity::Clipped { sigma: CiderDSettings::OPTION.sigma.default() })
    }

    /// Creates CIDEr as the plain cosine of the n-gram vectors, without CIDEr-D's clipping and length
    /// penalty.
    pub fn plain(frequencies: &DocumentFrequencies) -> Self {
        Cider::with(frequencies, CiderSimilarity::Plain)
    }

    fn with(frequencies: &DocumentFrequencies, similarity: CiderSimilarity) -> Self {
        let weights = CiderWeights::new(frequencies).into();
        let fingerprint = frequencies.fingerprint().into();
        Cider { weights, fingerprint, similarity }
    }

    /// Sets the width σ of CIDEr-D's penalty for unlike lengths, in bigrams; the default is 6.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] unless `sigma` is positive and finite, and
    /// [`ConfigError::Conflict`] for plain CIDEr.
    pub fn sigma(self, sigma: f64) -> Result<Self, ConfigError> {
        if self.similarity == CiderSimilarity::Plain {
            return Err(ConfigError::Conflict(
                "sigma is an option of CIDEr-D only: plain CIDEr has no length penalty".into(),
            ));
        }
        Ok(Cider {
            similarity: CiderSimilarity::Clipped { sigma: CiderDSettings::OPTION.sigma.check(sigma)? },
            ..self
        })
    }
}

impl Metric for Cider {
    type Stats = ExactSum;
    type Score = PlainScore;
    type Scratch = CiderScratch;

    fn identity(&self) -> Identity {
        let identity = match self.similarity {
            CiderSimilarity::Plain => Identity::new("cider", 1, SCALE).named("CIDEr"),
            CiderSimilarity::Clipped { sigma } => Identity::new("cider_d", 1, SCALE)
                .named("CIDEr-D")
                .option(CiderDSettings::OPTION.sigma, sigma),
        };
        let order = self.weights.ngrams.max_order();
        identity
            .composed(Composition::Mean)
            .wider_sums()
            .option(CiderSettings::OPTION.max_order, order)
            .counted("df", "df", &self.fingerprint)
            .needing(|needs| needs.tokens = true)
    }
    fn finalize(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<PlainScore> {
        if self.weights.ngrams.is_empty() {
            return Err(InputError::no_score(
                "CIDEr",
                "no reference has an n-gram, so there are no frequencies",
            ));
        }
        Ok(PlainScore::new(sum.mean(counts.segments.max(1))).with_count("segments", counts.segments))
    }

    fn check(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<()> {
        SCALE.check_mean(sum, counts.segments)
    }
}

impl<T: Word + Hash + Eq> Observe<[T]> for Cider {
    fn observe(
        &self,
        scratch: &mut CiderScratch,
        sum: &mut ExactSum,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        let score = segment::score(&self.weights, self.similarity, scratch, hypothesis, references)?;
        sum.merge(&ExactSum::from_value(score)?)
    }
}
