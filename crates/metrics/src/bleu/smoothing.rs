//! [`Smoothing`]: the methods that give n-gram orders without matches a precision above 0 in BLEU.

use bleuprint_core::{Choice, ConfigError};

/// Smoothing method of BLEU for n-gram orders without matches, so that one such order need not make the score
/// 0.
///
/// The rules are sacreBLEU 2.6.0's; the reported counts never change. If no order has a match, the score is 0
/// under every method. The variants also name the method's number in Chen and Cherry (2014), "A Systematic
/// Comparison of Smoothing Techniques for Sentence-Level BLEU".
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Smoothing {
    /// No smoothing: one n-gram order without matches makes the score 0.
    None,
    /// A precision of 0 becomes `value / total`, where `total` is the number of hypothesis n-grams of the
    /// order (method 1). sacreBLEU's default value is 0.1.
    Floor(f64),
    /// The precision is `(clipped + k) / (total + k)` for orders from 2 on, in which `clipped` of `total`
    /// hypothesis n-grams match (method 2). sacreBLEU's default k is 1.
    AddK(f64),
    /// The j-th n-gram order without matches gets the precision `1 / (2^j · total)`, where `total` is its
    /// number of hypothesis n-grams (method 3). It is mteval's smoothing and the default.
    Exp,
}

impl Smoothing {
    /// Default value of the smoothing `floor`, as in sacreBLEU.
    pub(crate) const DEFAULT_FLOOR: f64 = 0.1;
    /// Default constant k of the smoothing `add-k`, as in sacreBLEU.
    pub(crate) const DEFAULT_K: f64 = 1.0;

    /// Returns the smoothing method of this name, with the given value or its default.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] for an unknown name. Returns [`ConfigError::OutOfRange`] if a
    /// floor is not in 0 to 1, or a k is not in 0 to 10⁹. Returns [`ConfigError::Conflict`] if a value is
    /// given for a method without one.
    ///
    /// ```
    /// use bleuprint_metrics::Smoothing;
    /// assert_eq!(Smoothing::by_name("floor", None).unwrap(), Smoothing::Floor(0.1));
    /// let error = Smoothing::by_name("exponential", None).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "unknown smoothing method `exponential`; expected one of: none, floor, add-k, exp"
    /// );
    /// ```
    pub fn by_name(name: &str, value: Option<f64>) -> Result<Self, ConfigError> {
        let smoothing = <Self as Choice>::by_name("smoothing method", name)?;
        value.map_or(Ok(smoothing), |value| smoothing.with_value(value))
    }

    pub(crate) fn with_value(self, value: f64) -> Result<Self, ConfigError> {
        let smoothing = match self {
            Smoothing::Floor(_) => Smoothing::Floor(value),
            Smoothing::AddK(_) => Smoothing::AddK(value),
            Smoothing::None | Smoothing::Exp => {
                return Err(ConfigError::Conflict(format!(
                    "the smoothing method `{}` takes no value, but {value} was given",
                    self.name()
                )));
            }
        };
        smoothing.check().map(|()| smoothing)
    }

    pub(crate) fn value(&self) -> Option<f64> {
        match *self {
            Smoothing::Floor(value) | Smoothing::AddK(value) => Some(value),
            Smoothing::None | Smoothing::Exp => None,
        }
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        match self.value() {
            Some(value) if !(0.0..=self.greatest_value()).contains(&value) => {
                let limit = format!("from 0 to {} for `{}`", self.greatest_value(), self.name());
                Err(ConfigError::out_of_range("smooth-value", format_args!("{value:?}"), &limit))
            }
            _ => Ok(()),
        }
    }

    /// Returns the largest constant that the smoothing method accepts. A floor above 1 would make precisions
    /// above 100 %, and a larger k would outweigh all counts.
    fn greatest_value(&self) -> f64 {
        match self {
            Smoothing::AddK(_) => 1e9,
            _ => 1.0,
        }
    }

    /// Returns the constant of the smoothing method if it has more digits than the two decimals that
    /// sacreBLEU's signature shows, otherwise `None`.
    pub(crate) fn unrounded_value(&self) -> Option<f64> {
        self.value().filter(|value| format!("{value:.2}").parse() != Ok(*value))
    }
}

impl Choice for Smoothing {
    const NAMES: &'static [&'static str] = &["none", "floor", "add-k", "exp"];
    const ALL: &'static [Self] = &[
        Smoothing::None,
        Smoothing::Floor(Smoothing::DEFAULT_FLOOR),
        Smoothing::AddK(Smoothing::DEFAULT_K),
        Smoothing::Exp,
    ];
    const DEFAULT: usize = 3;

    fn name(self) -> &'static str {
        match self {
            Smoothing::None => "none",
            Smoothing::Floor(_) => "floor",
            Smoothing::AddK(_) => "add-k",
            Smoothing::Exp => "exp",
        }
    }

    fn print(self) -> String {
        match self.value() {
            Some(value) => format!("{}[{value:.2}]", self.name()),
            None => self.name().to_owned(),
        }
    }
}
