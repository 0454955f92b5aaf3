//! [`TextScorer`]: a text metric as a function that scores single texts, for metrics over other metrics.

use std::sync::Arc;

use bleuprint_core::{ConfigError, Result, Scale, Segment};

use crate::Families;

type ScoreTexts = dyn Fn(&[Segment<'_, str>]) -> Result<Vec<f64>> + Send + Sync;

/// Function of a program that makes the scorer of a text metric from the name of the metric.
pub(super) type MakeTextScorer = fn(&str, &Families) -> Result<TextScorer, ConfigError>;

/// A text metric that scores texts one by one, with its scale and required inputs. A metric over other metrics
/// gets it from [`Families::text_scorer`].
#[derive(Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: scoring needs all of it")]
pub struct TextScorer {
    /// Name of the text metric as its user gives it; keys and signatures contain it.
    pub name: String,
    /// Range of the text metric's scores, and whether higher or lower is better.
    pub scale: Scale,
    /// `true` if the text metric uses no references.
    pub reference_free: bool,
    /// `true` if the text metric needs the source text.
    pub needs_source: bool,
    /// Function that scores segments one by one; NaN marks a segment without a score.
    pub score: Arc<ScoreTexts>,
}

impl Families {
    /// Sets the function that makes a [`TextScorer`] from the name of a metric. The program knows how texts are
    /// split into tokens, so a program with metrics over text metrics provides this function.
    pub fn set_text_scorer(&mut self, make: MakeTextScorer) {
        self.text_scorer = Some(make);
    }

    /// Returns a function that scores single texts by the text metric with this name.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use bleuprint_core::{Scale, Segment};
    /// use bleuprint_registry::Registry;
    /// use bleuprint_text::{Families, TextScorer, Tokenizers};
    ///
    /// let mut families = Families::new(Registry::default(), Tokenizers::default());
    /// assert!(families.text_scorer("length").is_err());
    /// families.set_text_scorer(|name, _| {
    ///     Ok(TextScorer {
    ///         name: name.to_owned(),
    ///         scale: Scale::higher_is_better(0.0, f64::INFINITY),
    ///         reference_free: true,
    ///         needs_source: false,
    ///         score: Arc::new(|texts| Ok(texts.iter().map(|text| text.hypothesis.len() as f64).collect())),
    ///     })
    /// });
    /// let length = families.text_scorer("length").unwrap();
    /// assert_eq!((length.score)(&[Segment::new("abc", &[])]).unwrap(), [3.0]);
    /// ```
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the program has no such function. Returns the errors of the function
    /// if the metric is unknown, or if it cannot score a text alone.
    pub fn text_scorer(&self, name: &str) -> Result<TextScorer, ConfigError> {
        match self.text_scorer {
            Some(make) => make(name, self),
            None => {
                Err(ConfigError::Conflict(format!("`{name}` cannot score texts: this program has no scorer")))
            }
        }
    }
}
