//! [`BleuBuilder`]: the unchecked configuration of BLEU; [`BleuBuilder::build`] checks it.

use bleuprint_core::ConfigError;

use super::options::MAX_ORDER;
use super::{Bleu, RefLen, Smoothing, Summation};

const WEIGHT_TOLERANCE: f64 = 1e-6;

/// Options of [`Bleu`], with sacreBLEU's defaults.
#[derive(Debug, Clone, Default)]
pub struct BleuBuilder {
    bleu: Bleu,
    /// The order, if given; else it is the number of weights.
    max_order: Option<usize>,
}

impl BleuBuilder {
    /// The highest order of n-gram, from 1; 4 by default.
    #[must_use]
    pub fn max_order(mut self, max_order: usize) -> Self {
        self.max_order = Some(max_order);
        self
    }

    /// The weight of each order in the geometric mean; uniform by default. Their number is the highest order.
    #[must_use]
    pub fn weights(mut self, weights: impl Into<Vec<f64>>) -> Self {
        self.bleu.weights = Some(weights.into());
        self
    }

    /// The treatment of orders without matches; [`Smoothing::Exp`] by default.
    #[must_use]
    pub fn smoothing(mut self, smoothing: Smoothing) -> Self {
        self.bleu.smoothing = smoothing;
        self
    }

    /// Leaves orders longer than every hypothesis out of the mean; no by default. Set it for single segments.
    #[must_use]
    pub fn effective_order(mut self, effective_order: bool) -> Self {
        self.bleu.effective_order = effective_order;
        self
    }

    /// The reference length that the brevity penalty compares with; [`RefLen::Closest`] by default.
    #[must_use]
    pub fn ref_len(mut self, ref_len: RefLen) -> Self {
        self.bleu.ref_len = ref_len;
        self
    }

    /// The addition of the logarithms; [`Summation::Plain`] by default.
    #[must_use]
    pub fn summation(mut self, summation: Summation) -> Self {
        self.bleu.summation = summation;
        self
    }

    /// Checks the options.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] for an order of 0 or above 1000, for weights that are negative,
    /// not finite or do not sum to 1, and for a smoothing value out of its range;
    /// [`ConfigError::Conflict`] when the number of weights is not the highest order.
    pub fn build(self) -> Result<Bleu, ConfigError> {
        let BleuBuilder { mut bleu, max_order } = self;
        let default = bleu.weights.as_ref().map_or(bleu.max_order, Vec::len);
        bleu.max_order = MAX_ORDER.check(max_order.unwrap_or(default))?;
        if let Some(weights) = &bleu.weights {
            check_weights(weights, bleu.max_order)?;
        }
        bleu.smoothing.check()?;
        // The uniform weights are the default, and take its path: one division instead of N products.
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
        // NLTK's users write 0.33, and mean a third.
        let alike = weights.iter().all(|weight| *weight == weights[0]);
        let scale = |weight: &f64| if alike { 1.0 / weights.len() as f64 } else { weight / sum };
        let scaled: Vec<String> = weights.iter().map(|weight| scale(weight).to_string()).collect();
        let limit = if sum > 0.0 && sum.is_finite() {
            format!("1, as that of {} is", scaled.join(","))
        } else {
            "1".to_owned()
        };
        return Err(ConfigError::out_of_range("the sum of the weights", sum, &limit));
    }
    Ok(())
}
