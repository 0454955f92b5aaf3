//! [`ChrfBuilder`]: the unchecked configuration of chrF; [`ChrfBuilder::build`] checks it.

use bleuprint_core::ConfigError;
use bleuprint_registry::{Opt, settings};

use super::{Chrf, ChrfOrders, MAX_ORDER_LIMIT};

settings! {
    /// Builder of [`Chrf`]; the defaults are sacreBLEU's.
    pub struct ChrfBuilder {
        /// Average the F-scores of all orders, with an epsilon where there is nothing
        #[setter(pub)]
        pub(super) eps_smoothing: bool = Opt::flag("chrf-eps-smoothing").counted("eff", "e").words("no", "yes");
        /// The highest order of character n-grams
        #[setter(pub)]
        pub(super) char_order: usize =
            Opt::integer("chrf-char-order", 6).limits(0, MAX_ORDER_LIMIT as u64).counted("nc", "nc");
        /// The highest order of word n-grams; 2 makes it chrF++
        #[setter(pub)]
        pub(super) word_order: usize =
            Opt::integer("chrf-word-order", 0).limits(0, MAX_ORDER_LIMIT as u64).counted("nw", "nw");
        /// Count whitespace as characters
        #[setter(pub)]
        pub(super) whitespace: bool = Opt::flag("chrf-whitespace").counted("space", "s");
        /// Importance of recall relative to precision
        #[setter(pub)]
        pub(super) beta: f64 = {
            // The limit 10^6 keeps all digits of a score to which the square of beta is added.
            let mut option = Opt::number("chrf-beta", 2.0).limits(0, 1_000_000).counted("beta", "beta");
            // The printed name contains beta, as in sacreBLEU.
            option.spec.field.in_name = true;
            option
        };
        /// Lower-case the texts first
        pub(super) lowercase: bool = Opt::flag("chrf-lowercase");
    }
    in help: char_order, word_order, beta, whitespace, lowercase, eps_smoothing;
}

impl ChrfBuilder {
    /// Checks the options and returns the metric.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if an n-gram order is above 100 or β is not in 0 to 1000000.
    /// Returns [`ConfigError::Conflict`] if both orders, of characters and of words, are 0.
    pub fn build(self) -> Result<Chrf, ConfigError> {
        let ChrfBuilder { eps_smoothing, char_order, word_order, whitespace, beta, .. } = self;
        Self::OPTION.char_order.check(char_order)?;
        Self::OPTION.word_order.check(word_order)?;
        if char_order == 0 && word_order == 0 {
            let message = "chrf-char-order and chrf-word-order are both 0, so nothing would be counted";
            return Err(ConfigError::Conflict(message.to_owned()));
        }
        let orders = ChrfOrders { characters: char_order, words: word_order, whitespace };
        // Minus zero scores like zero but would have another signature.
        Ok(Chrf::new(orders, Self::OPTION.beta.check(beta)?.abs(), eps_smoothing))
    }
}
