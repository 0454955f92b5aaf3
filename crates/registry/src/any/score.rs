//! [`AnyScore`]: the score of a metric chosen at run time, with all that reports need.

use core::fmt;

use bleuprint_core::{Identity, InputErrorKind, Metric, Result, Scale, Score, ScorePart};

use crate::prelude::*;

/// The score of a metric chosen at run time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AnyScore {
    /// The name it is printed under, as in `BLEU`.
    pub name: String,
    /// The (first) headline number.
    pub value: f64,
    /// Range and direction.
    pub scale: Scale,
    /// All headline numbers by name; for most metrics one, whose name is `score`.
    pub headlines: Vec<(Cow<'static, str>, f64)>,
    /// The parts.
    pub parts: Vec<ScorePart>,
}

impl AnyScore {
    /// A score printed under `name`, with one headline number and without parts.
    pub fn new(name: impl Into<String>, value: f64, scale: Scale) -> Self {
        let headlines = vec![(Cow::Borrowed("score"), value)];
        AnyScore { name: name.into(), value, scale, headlines, parts: Vec::new() }
    }

    /// The score of a metric, without its type.
    ///
    /// # Errors
    /// [`NoScore`](InputErrorKind::NoScore) when a headline number is not finite, or has no name.
    pub fn of<M: Metric + ?Sized>(metric: &M, score: &M::Score) -> Result<Self> {
        Frame::of(metric).fill(score)
    }
}

/// What all scores of a metric have in common, of which a metric chosen at run time makes one for all of them.
pub(super) struct Frame {
    metric: String,
    heading: String,
    scale: Scale,
    names: Vec<Cow<'static, str>>,
}

impl Frame {
    pub(super) fn of<M: Metric + ?Sized>(metric: &M) -> Self {
        Frame::new(&metric.identity(), metric.headline_names())
    }

    fn new(identity: &Identity, names: Vec<Cow<'static, str>>) -> Self {
        let scale = identity.scale();
        Frame { metric: identity.name(), heading: identity.heading(), scale, names }
    }

    /// [`AnyScore::of`].
    pub(super) fn fill(&self, score: &dyn Score) -> Result<AnyScore> {
        let Frame { metric, heading, scale, names } = self;
        let no_score = |reason| Err(InputErrorKind::NoScore { metric: metric.clone(), reason }.into());
        let values = score.headlines();
        if names.len() != values.len() {
            return no_score(format!("it has {} names for {} numbers", names.len(), values.len()));
        }
        let headlines: Vec<(Cow<'static, str>, f64)> = names.iter().cloned().zip(values).collect();
        if let Some((name, value)) = headlines.iter().find(|(_, value)| !value.is_finite()) {
            return no_score(format!("its {name} would be {value}"));
        }
        let (name, value, parts) = (heading.clone(), score.value(), score.parts());
        Ok(AnyScore { name, value, scale: *scale, headlines, parts })
    }
}

impl Score for AnyScore {
    fn value(&self) -> f64 {
        self.value
    }

    fn headlines(&self) -> Vec<f64> {
        self.headlines.iter().map(|(_, value)| *value).collect()
    }

    fn parts(&self) -> Vec<ScorePart> {
        self.parts.clone()
    }
}

impl fmt::Display for AnyScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
