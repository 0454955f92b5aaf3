//! [`AnyScore`]: the score of a metric chosen at run time, with everything that reports show.

use core::fmt;

use bleuprint_core::{Identity, InputErrorKind, Metric, Result, Scale, Score, ScorePart};

use crate::prelude::*;

/// The score of a metric chosen at run time, with its name and all numbers and details that reports show.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AnyScore {
    /// Name under which the score is printed, such as `BLEU`.
    pub name: String,
    /// Main number of the score, such as BLEU or F1.
    pub value: f64,
    /// Range of the score, and whether higher or lower is better.
    pub scale: Scale,
    /// All main numbers of the score (such as precision, recall, F1) with their names. Most metrics have one,
    /// named `score`.
    pub headlines: Vec<(Cow<'static, str>, f64)>,
    /// Further details of the score, such as brevity penalty and counts.
    pub parts: Vec<ScorePart>,
}

impl AnyScore {
    /// Creates a score with one number and without further details.
    pub fn new(name: impl Into<String>, value: f64, scale: Scale) -> Self {
        let headlines = vec![(Cow::Borrowed("score"), value)];
        AnyScore { name: name.into(), value, scale, headlines, parts: Vec::new() }
    }

    /// Converts a metric's typed score to an [`AnyScore`], which has one type for all metrics.
    ///
    /// # Errors
    /// Returns [`NoScore`](InputErrorKind::NoScore) if a headline number is not finite or has no name.
    pub fn from_score<M: Metric + ?Sized>(metric: &M, score: &M::Score) -> Result<Self> {
        Frame::from_metric(metric).fill(score)
    }
}

/// Name, table heading, scale and names of numbers that all scores of one metric share, computed once.
pub(super) struct Frame {
    metric: String,
    heading: String,
    scale: Scale,
    names: Vec<Cow<'static, str>>,
}

impl Frame {
    pub(super) fn from_metric<M: Metric + ?Sized>(metric: &M) -> Self {
        Frame::new(&metric.identity(), metric.headline_names())
    }

    fn new(identity: &Identity, names: Vec<Cow<'static, str>>) -> Self {
        let scale = identity.scale();
        Frame { metric: identity.name(), heading: identity.heading(), scale, names }
    }

    /// Converts a typed score of the metric to an [`AnyScore`], like [`AnyScore::from_score`].
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
        let name = heading.clone();
        let value = score.value();
        let parts = score.parts();
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
