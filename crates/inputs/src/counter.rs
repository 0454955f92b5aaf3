//! [`FileCounter`]: everything that a command needs to count: files, metrics and tokens.

use bleuprint::eval::Panel;
use bleuprint::recipe::Recipe;
use bleuprint::{AnyMetric, contract::MetricSpec};

use crate::request::Sources;
use crate::tokens::TokenChoice;
use crate::warn::WarnRequest;

/// Files, with the metrics and tokens that the command selected.
#[derive(Clone)]
pub struct FileCounter {
    /// The metrics over text.
    pub panel: Panel,
    /// The metrics over numbers, with their positions among all metrics.
    pub numbers: Vec<(usize, AnyMetric)>,
    /// The metrics over vectors, with their positions among all metrics.
    pub vectors: Vec<(usize, AnyMetric)>,
    /// The metrics over data of a form, with their positions among all metrics.
    pub own: Vec<(usize, AnyMetric)>,
    /// The specification of each metric, as the user gave it.
    pub specs: Vec<MetricSpec>,
    /// The signature that every score is checked against.
    pub recipe: Option<Recipe>,
    /// The files to read.
    pub sources: Sources,
    /// The tokenizer, case and normalizer.
    pub tokens: TokenChoice,
    /// The warnings that the user wants.
    pub warnings: WarnRequest,
}

impl FileCounter {
    /// Returns `true` if the segments are data of a form and no metric observes text.
    pub(crate) fn is_beside_text(&self) -> bool {
        self.panel.metrics().len() == 0 && !self.own.is_empty()
    }

    /// Returns `true` if all metrics observe text. Text is scored in one pass, without all segments in
    /// memory.
    pub fn is_of_text(&self) -> bool {
        self.numbers.is_empty() && self.vectors.is_empty() && self.own.is_empty()
    }
}
