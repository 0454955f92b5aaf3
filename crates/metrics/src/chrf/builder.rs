//! [`ChrfBuilder`]: the unchecked configuration of chrF; [`ChrfBuilder::build`] checks it.

use bleuprint_core::ConfigError;

use super::entry::{BETA, CHAR_ORDER, WORD_ORDER};
use super::{Chrf, ChrfOrders};

/// Builder of [`Chrf`]; the defaults are sacreBLEU's.
#[derive(Debug, Clone)]
pub struct ChrfBuilder {
    orders: ChrfOrders,
    beta: f64,
    eps_smoothing: bool,
}

impl Default for ChrfBuilder {
    fn default() -> Self {
        let Chrf { orders, beta, finish } = Chrf::default();
        ChrfBuilder { orders, beta, eps_smoothing: finish.smoothed }
    }
}

impl ChrfBuilder {
    /// Sets the highest order of character n-grams. The default is 6; with 0, no character n-grams are
    /// counted.
    #[must_use]
    pub fn char_order(mut self, order: usize) -> Self {
        self.orders.characters = order;
        self
    }

    /// Sets the highest order of word n-grams. The default is 0, which counts none; chrF++ has 2.
    #[must_use]
    pub fn word_order(mut self, order: usize) -> Self {
        self.orders.words = order;
        self
    }

    /// Sets β, the importance of recall relative to precision; the default is 2.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.beta = beta;
        self
    }

    /// Counts whitespace as characters if `true`; the default is `false`, which skips whitespace.
    #[must_use]
    pub fn whitespace(mut self, whitespace: bool) -> Self {
        self.orders.whitespace = whitespace;
        self
    }

    /// Scores by the mean of the F-scores of all n-gram orders if `true`. A precision or recall without
    /// n-grams is then 10^-16.
    ///
    /// The default is `false`: the mean leaves out n-gram orders that the hypothesis or the reference lacks.
    #[must_use]
    pub fn eps_smoothing(mut self, eps_smoothing: bool) -> Self {
        self.eps_smoothing = eps_smoothing;
        self
    }

    /// Checks the options and returns the metric.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if an n-gram order is above 100 or β is not in 0 to 1000000.
    /// Returns [`ConfigError::Conflict`] if both orders, of characters and of words, are 0.
    pub fn build(self) -> Result<Chrf, ConfigError> {
        let ChrfOrders { characters, words, .. } = self.orders;
        CHAR_ORDER.check(characters)?;
        WORD_ORDER.check(words)?;
        if characters == 0 && words == 0 {
            let message = "chrf-char-order and chrf-word-order are both 0, so nothing would be counted";
            return Err(ConfigError::Conflict(message.to_owned()));
        }
        // Minus zero scores like zero but would have another signature.
        Ok(Chrf::new(self.orders, BETA.check(self.beta)?.abs(), self.eps_smoothing))
    }
}
