//! METEOR: words aligned by form, stem and synonym; recall weighs more than precision, and scattered matches cost.
//!
//! ```text
//! matches = pairs of the alignment            chunks = runs of pairs adjacent on both sides
//! P = matches / |hypothesis|                  R = matches / |reference|
//! mean = P · R / (alpha · P + (1 - alpha) · R)
//! penalty = gamma · (chunks / matches) ^ beta
//! METEOR = mean over segments of max over references of (1 - penalty) · mean
//! ```
//!
//! Defaults: alpha 0.9, beta 3, gamma 0.5. The alignment is NLTK's: equal words in lower case, then equal
//! Porter stems of the rest, then synonyms of the rest. *Words are already stems in the last stage*, on
//! both sides. `happy` is looked up as `happi`, so most synonyms are missed. Proper names never match,
//! because WordNet writes them with capitals. These are NLTK's numbers; METEOR 1.5 (Java) is a different
//! metric, with paraphrases, function words and tuned weights.
//!
//! Synonyms come from WordNet's files, which the user gives ([`WordNet::parse`]), from a table
//! ([`SynonymTable`]), or from anything that implements [`Synonyms`]. Without a source only forms and stems
//! match.
//!
//! | singular case | result |
//! |---|---|
//! | no match, an empty side | 0 |
//! | hypothesis equal to the reference, of `k` words | `1 - 0.5 / k³`, so 0.5 for one word |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! Range 0 to 1, higher is better. Source: Banerjee and Lavie 2005, METEOR. Segment scores match
//! `meteor_score` of NLTK 3.10.4 bit for bit. NLTK has no corpus score; its users take the mean. Words are
//! converted to lower case by the standard library, whose Unicode version is newer than Python's. Time is
//! linear in the words and their synonyms.
//!
//! ```
//! use std::sync::Arc;
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::meteor::{Meteor, SynonymTable};
//!
//! let table = SynonymTable::new([("quick", ["fast"])]);
//! let meteor = Meteor::default().with_synonyms(Arc::new(table));
//! let mut meteor = Accumulator::<_, [&str]>::new(meteor);
//! meteor.push(&["the", "quick", "foxes"], &[&["the", "fast", "fox"]]).unwrap();
//! assert_eq!(meteor.score().unwrap().score.score, 1.0 - 0.5 * (1.0_f64 / 3.0).powi(3));
//! ```

mod align;
mod entry;
mod lexicon;
mod synonyms;
#[cfg(test)]
mod tests;
mod wordnet;

use std::sync::Arc;

use bleuprint_core::{
    Composition, ConfigError, Identity, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
};
use bleuprint_math::pow;

pub use self::align::MeteorAligner;
use self::align::MeteorAlignment;
pub(crate) use self::entry::ENTRY;
use self::entry::MeteorOptions;
pub use self::synonyms::{SynonymTable, Synonyms, fingerprint};
pub use self::wordnet::WordNet;
use crate::shared::Means;

/// Metric METEOR with its weights and synonyms; [the module](self) has the definition.
#[derive(Clone)]
pub struct Meteor {
    alpha: f64,
    beta: f64,
    gamma: f64,
    synonyms: Option<Arc<dyn Synonyms>>,
}

impl Default for Meteor {
    fn default() -> Self {
        let MeteorOptions { alpha, beta, gamma, .. } = MeteorOptions::default();
        Meteor { alpha, beta, gamma, synonyms: None }
    }
}

impl Meteor {
    /// Creates METEOR with these weights and no synonyms.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] unless `alpha` and `gamma` are from 0 to 1 and `beta` is finite
    /// and at least 0.
    pub fn new(alpha: f64, beta: f64, gamma: f64) -> Result<Self, ConfigError> {
        let alpha = MeteorOptions::OPTION.alpha.check(alpha)?;
        let beta = MeteorOptions::OPTION.beta.check(beta)?;
        let gamma = MeteorOptions::OPTION.gamma.check(gamma)?;
        Ok(Meteor { alpha, beta, gamma, synonyms: None })
    }

    /// Sets the source of synonyms, which METEOR's third stage matches; without a source that stage matches
    /// nothing.
    pub fn with_synonyms(self, synonyms: Arc<dyn Synonyms>) -> Self {
        Meteor { synonyms: Some(synonyms), ..self }
    }

    fn segment<T: AsRef<str>>(
        &self,
        aligner: &mut MeteorAligner,
        hypothesis: &[T],
        references: &[&[T]],
    ) -> f64 {
        aligner.begin(hypothesis);
        let scores = references.iter().map(|reference| {
            let alignment = aligner.align(reference, self.synonyms.as_deref());
            self.score(alignment, hypothesis.len(), reference.len())
        });
        scores.fold(0.0, f64::max)
    }

    /// Computes METEOR from an alignment and the lengths in tokens, in NLTK's order of operations.
    fn score(&self, alignment: MeteorAlignment, hypothesis: usize, reference: usize) -> f64 {
        if alignment.matches == 0 {
            return 0.0;
        }
        let matches = alignment.matches as f64;
        let precision = matches / hypothesis as f64;
        let recall = matches / reference as f64;
        let mean = (precision * recall) / (self.alpha * precision + (1.0 - self.alpha) * recall);
        let fragmentation = alignment.chunks as f64 / matches;
        let penalty = self.gamma * pow(fragmentation, self.beta);
        (1.0 - penalty) * mean
    }
}

impl Metric for Meteor {
    type Stats = Means<1>;
    type Score = PlainScore;
    type Scratch = MeteorAligner;

    fn identity(&self) -> Identity {
        let synonyms = self.synonyms.as_deref().map_or("none", Synonyms::name);
        let wordnet = Some(synonyms.to_owned());
        MeteorOptions { wordnet, alpha: self.alpha, beta: self.beta, gamma: self.gamma }
            .add_to_identity(Identity::new("meteor", 1, Scale::UNIT))
            .wider_sums()
            .named("METEOR")
            .composed(Composition::Mean)
    }
    fn finalize(&self, stats: &Means<1>, counts: &SegmentCounts) -> Result<PlainScore> {
        let [score] = stats.means();
        Ok(PlainScore::new(score).with_count("segments", counts.segments))
    }
    fn check(&self, stats: &Means<1>, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, [self.scale()])
    }
}

impl<T: AsRef<str>> Observe<[T]> for Meteor {
    fn observe(
        &self,
        scratch: &mut MeteorAligner,
        stats: &mut Means<1>,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let score = self.segment(scratch, segment.hypothesis, segment.references()?);
        stats.push([score])
    }
}
