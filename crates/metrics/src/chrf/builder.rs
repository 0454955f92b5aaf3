//! [`ChrfBuilder`]: the unchecked configuration of chrF; [`ChrfBuilder::build`] checks it.

use bleuprint_core::ConfigError;

use super::entry::{BETA, CHAR_ORDER, WORD_ORDER};
use super::{Chrf, ChrfOrders};

/// Options of [`Chrf`], with sacreBLEU's defaults.
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
    /// The highest order of character n-grams; 6 by default, 0 for none.
    #[must_use]
    pub fn char_order(mut self, order: usize) -> Self {
        self.orders.characters = order;
        self
    }

    /// The highest order of word n-grams; 0, none, by default, and 2 for chrF++.
    #[must_use]
    pub fn word_order(mut self, order: usize) -> Self {
        self.orders.words = order;
        self
    }

    /// The importance of recall relative to precision; 2 by default.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.beta = beta;
        self
    }

    /// Counts whitespace as a character; by default it is left out.
    #[must_use]
    pub fn whitespace(mut self, whitespace: bool) -> Self {
        self.orders.whitespace = whitespace;
        self
    }

    /// Takes the mean of the F-scores of all orders, with an epsilon for those that a side lacks; by default these are left out.
    #[must_use]
    pub fn eps_smoothing(mut self, eps_smoothing: bool) -> Self {
        self.eps_smoothing = eps_smoothing;
        self
    }

    /// Checks the options.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] for an order above 100 or a β that is not from 0 to 1000000, and
    /// [`ConfigError::Conflict`] if there is neither an order of characters nor one of words.
    pub fn build(self) -> Result<Chrf, ConfigError> {
        let ChrfOrders { characters, words, .. } = self.orders;
        CHAR_ORDER.check(characters)?;
        WORD_ORDER.check(words)?;
        if characters == 0 && words == 0 {
            let message = "chrf-char-order and chrf-word-order are both 0, so nothing would be counted";
            return Err(ConfigError::Conflict(message.to_owned()));
        }
        // Minus zero would be another name.
        Ok(Chrf::new(self.orders, BETA.check(self.beta)?.abs(), self.eps_smoothing))
    }
}
