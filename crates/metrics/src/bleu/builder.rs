//! [`BleuBuilder`]: the unchecked configuration of BLEU; [`BleuBuilder::build`] checks it.

use bleuprint_core::ConfigError;

use super::options::BleuSettings;
use super::{Bleu, RefLen, Smoothing, Summation};

// Weights written with seven digits, such as 0.3333333 three times, do not sum to exactly 1.
const WEIGHT_TOLERANCE: f64 = 1e-6;

/// Builder of [`Bleu`]; the defaults are sacreBLEU's.
#[derive(Debug, Clone, Default)]
pub struct BleuBuilder {
    bleu: Bleu,
    /// Highest n-gram order, if set. Otherwise it is the number of weights, or 4 without weights.
    max_order: Option<usize>,
}

impl BleuBuilder {
    /// Sets the highest order of n-grams, at least 1; the default is 4.
    #[must_use]
    pub fn max_order(mut self, max_order: usize) -> Self {
        self.max_order = Some(max_order);
        self
    }

    /// Sets the weight of each n-gram order in the geometric mean of the precisions; the default is uniform
    /// weights. The number of weights becomes the highest order.
    #[must_use]
    pub fn weights(mut self, weights: impl Into<Vec<f64>>) -> Self {
        self.bleu.weights = Some(weights.into());
        self
    }

    /// Sets the smoothing of n-gram orders without matches; the default is [`Smoothing::Exp`].
    #[must_use]
    pub fn smoothing(mut self, smoothing: Smoothing) -> Self {
        self.bleu.smoothing = smoothing;
        self
    }

    /// Leaves n-gram orders longer than every hypothesis out of the geometric mean of the precisions if
    /// `true`. The default is `false`; set it to score single segments.
    #[must_use]
    pub fn effective_order(mut self, effective_order: bool) -> Self {
        self.bleu.effective_order = effective_order;
        self
    }

    /// Sets which reference length the brevity penalty uses if a segment has several references; the default
    /// is [`RefLen::Closest`].
    #[must_use]
    pub fn ref_len(mut self, ref_len: RefLen) -> Self {
        self.bleu.ref_len = ref_len;
        self
    }

    /// Sets how the logarithms of the n-gram precisions are added; the default is [`Summation::Plain`].
    #[must_use]
    pub fn summation(mut self, summation: Summation) -> Self {
        self.bleu.summation = summation;
        self
    }

    /// Checks the options and returns the metric.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] in three cases:
    /// - the order is 0 or above 1000;
    /// - a weight is negative or not finite, or the weights do not sum to 1;
    /// - the smoothing value is out of its range.
    ///
    /// Returns [`ConfigError::Conflict`] if the number of weights differs from the highest order.
    pub fn build(self) -> Result<Bleu, ConfigError> {
        let BleuBuilder { mut bleu, max_order } = self;
        let default = bleu.weights.as_ref().map_or(bleu.max_order, Vec::len);
        bleu.max_order = BleuSettings::OPTION.max_order.check(max_order.unwrap_or(default))?;
        if let Some(weights) = &bleu.weights {
            check_weights(weights, bleu.max_order)?;
        }
        bleu.smoothing.check()?;
        // Explicit uniform weights become the default: one division of the sum in place of N products. The
        // last bits then agree with sacreBLEU, and both spellings have one signature.
        let uniform = 1.0 / bleu.max_order as f64;
        bleu.weights = bleu.weights.filter(|weights| weights.iter().any(|weight| *weight != uniform));
        Ok(bleu)
    }
}

fn check_weights(weights: &[f64], max_order: usize) -> Result<(), ConfigError> {
    if weights.len() != max_order {
        return Err(ConfigError::Conflict(format!(
            "{} weights were given for orders up to {max_order}",
            weights.len()
        )));
    }
    if let Some(weight) = weights.iter().find(|weight| !(**weight >= 0.0 && weight.is_finite())) {
        return Err(ConfigError::out_of_range("weight", weight, "a finite number of at least 0"));
    }
    let sum: f64 = weights.iter().sum();
    if (sum - 1.0).abs() > WEIGHT_TOLERANCE {
        // NLTK's users write 0.33 for a third. Equal weights are therefore corrected to 1/N, others by their
        // sum.
        let alike = weights.iter().all(|weight| *weight == weights[0]);
        let scale = |weight: &f64| if alike { 1.0 / weights.len() as f64 } else { weight / sum };
        let scaled: Vec<String> = weights.iter().map(|weight| scale(weight).to_string()).collect();
        let limit = if sum > 0.0 && sum.is_finite() {
            format!("1; the weights {} sum to 1", scaled.join(","))
        } else {
            "1".to_owned()
        };
        return Err(ConfigError::out_of_range("the sum of the weights", sum, &limit));
    }
    Ok(())
}
