//! [`BleuBuilder`]: the unchecked configuration of BLEU; only what [`BleuBuilder::build`] returns can score.

use bleuprint_core::ConfigError;

use super::{Bleu, RefLen, Smoothing, Summation};
use crate::shared::MAX_ORDER_LIMIT;

/// How far a sum of weights may be from 1.
const WEIGHT_TOLERANCE: f64 = 1e-6;

/// Options of [`Bleu`], with sacreBLEU's defaults.
#[derive(Debug, Clone)]
pub struct BleuBuilder {
    max_order: Option<usize>,
    weights: Option<Vec<f64>>,
    smoothing: Smoothing,
    effective_order: bool,
    ref_len: RefLen,
    summation: Summation,
}

impl Default for BleuBuilder {
    fn default() -> Self {
        BleuBuilder {
            max_order: None,
            weights: None,
            smoothing: Smoothing::Exp,
            effective_order: false,
            ref_len: RefLen::Closest,
            summation: Summation::Plain,
        }
    }
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
        self.weights = Some(weights.into());
        self
    }

    /// What is done with orders without matches; [`Smoothing::Exp`] by default.
    #[must_use]
    pub fn smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// Whether orders that are longer than every hypothesis are left out of the mean; for single segments this
    /// is what one wants, for corpora the default is no.
    #[must_use]
    pub fn effective_order(mut self, effective_order: bool) -> Self {
        self.effective_order = effective_order;
        self
    }

    /// Which reference length the brevity penalty compares with; [`RefLen::Closest`] by default.
    #[must_use]
    pub fn ref_len(mut self, ref_len: RefLen) -> Self {
        self.ref_len = ref_len;
        self
    }

    /// How the logarithms are added; [`Summation::Plain`] by default.
    #[must_use]
    pub fn summation(mut self, summation: Summation) -> Self {
        self.summation = summation;
        self
    }

    /// Checks the options.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] for an order of 0 or above [`MAX_ORDER_LIMIT`], for weights that are negative,
    /// not finite or do not sum to 1, and for a smoothing value out of its range;
    /// [`ConfigError::Conflict`] when the number of weights is not the highest order.
    pub fn build(self) -> Result<Bleu, ConfigError> {
        let max_order =
            self.max_order.or(self.weights.as_ref().map(Vec::len)).unwrap_or(Bleu::DEFAULT_MAX_ORDER);
        if max_order == 0 || max_order > MAX_ORDER_LIMIT {
            return Err(ConfigError::out_of_range("max-order", max_order, "from 1 to 65535"));
        }
        if let Some(weights) = &self.weights {
            check_weights(weights, max_order)?;
        }
        self.smoothing.check()?;
        let uniform = vec![1.0 / max_order as f64; max_order];
        Ok(Bleu {
            max_order,
            // The uniform weights are the default, and take its path: one division instead of N products.
            weights: self.weights.filter(|weights| *weights != uniform),
            smoothing: self.smoothing,
            effective_order: self.effective_order,
            ref_len: self.ref_len,
            summation: self.summation,
        })
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
        let limit = match sum > 0.0 && sum.is_finite() {
            true => format!("1, as that of {} is", scaled.join(",")),
            false => "1".to_owned(),
        };
        return Err(ConfigError::out_of_range("the sum of the weights", sum, &limit));
    }
    Ok(())
}
