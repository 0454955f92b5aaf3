//! [`Counter`]: what is counted, ready to be read: files, metrics, tokens.

use bleuprint::eval::Panel;
use bleuprint::recipe::Recipe;
use bleuprint::{AnyMetric, contract::MetricSpec};

use crate::request::Sources;
use crate::tokens::TokenChoice;
use crate::warn::WarnRequest;

/// Files with the metrics and tokens that were asked for.
#[derive(Clone)]
pub struct Counter {
    /// The metrics over text.
    pub panel: Panel,
    /// Metrics over numbers, with their places among all.
    pub numbers: Vec<(usize, AnyMetric)>,
    /// Metrics over vectors, likewise.
    pub vectors: Vec<(usize, AnyMetric)>,
    /// Metrics over data of their own, likewise.
    pub own: Vec<(usize, AnyMetric)>,
    /// Each metric as it was asked for.
    pub specs: Vec<MetricSpec>,
    /// The signature that scores must have.
    pub recipe: Option<Recipe>,
    /// The files.
    pub sources: Sources,
    /// The tokens.
    pub tokens: TokenChoice,
    /// The warnings that are wanted.
    pub warnings: WarnRequest,
}

impl Counter {
    /// Segments are data of metrics' own, and no metric observes text.
    pub(crate) fn is_beside_text(&self) -> bool {
        self.panel.metrics().len() == 0 && !self.own.is_empty()
    }

    /// Text alone is scored in one pass, without all segments in memory.
    pub fn is_of_text(&self) -> bool {
        self.numbers.is_empty() && self.vectors.is_empty() && self.own.is_empty()
    }
}
