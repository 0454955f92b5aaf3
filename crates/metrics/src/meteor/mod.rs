//! METEOR.

mod align;
mod lexicon;
mod synonyms;
mod wordnet;

use std::sync::Arc;

use bleuprint_core::ConfigError;

use self::align::{Aligner, Alignment};
pub use self::synonyms::{SynonymTable, Synonyms};
pub use self::wordnet::WordNet;

/// The configuration.
#[derive(Clone)]
pub struct Meteor {
    alpha: f64,
    beta: f64,
    gamma: f64,
    synonyms: Option<Arc<dyn Synonyms>>,
}

impl Default for Meteor {
    fn default() -> Self {
        Meteor { alpha: 0.9, beta: 3.0, gamma: 0.5, synonyms: None }
    }
}

impl Meteor {
    /// METEOR with other weights.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] unless `alpha` and `gamma` are from 0 to 1 and `beta` is finite and not below 0.
    pub fn new(alpha: f64, beta: f64, gamma: f64) -> Result<Self, ConfigError> {
        for (name, value) in [("alpha", alpha), ("gamma", gamma)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(ConfigError::out_of_range(name, value, "from 0 to 1"));
            }
        }
        if !(beta.is_finite() && beta >= 0.0) {
            return Err(ConfigError::out_of_range("beta", beta, "finite and at least 0"));
        }
        Ok(Meteor { alpha, beta, gamma, synonyms: None })
    }

    /// With this source of synonyms; without one the third stage finds nothing.
    pub fn with_synonyms(self, synonyms: Arc<dyn Synonyms>) -> Self {
        Meteor { synonyms: Some(synonyms), ..self }
    }

    /// The score of a segment: the best over its references.
    fn segment<T: AsRef<str>>(&self, aligner: &mut Aligner, hypothesis: &[T], references: &[&[T]]) -> f64 {
        aligner.begin(hypothesis);
        let scores = references.iter().map(|reference| {
            let alignment = aligner.align(reference, self.synonyms.as_deref());
            self.score(alignment, hypothesis.len(), reference.len())
        });
        scores.fold(0.0, f64::max)
    }

    /// The order of operations is NLTK's.
    fn score(&self, alignment: Alignment, hypothesis: usize, reference: usize) -> f64 {
        if alignment.matches == 0 {
            return 0.0;
        }
        let matches = alignment.matches as f64;
        let (precision, recall) = (matches / hypothesis as f64, matches / reference as f64);
        let mean = (precision * recall) / (self.alpha * precision + (1.0 - self.alpha) * recall);
        let fragmentation = alignment.chunks as f64 / matches;
        let penalty = self.gamma * fragmentation.powf(self.beta);
        (1.0 - penalty) * mean
    }
}

#[cfg(test)]
mod tests;
