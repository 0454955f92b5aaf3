//! [`FileCounter`]: an evaluation that a user requested: the input files, metrics, tokenizer and warnings.

use bleuprint::eval::Panel;
use bleuprint::recipe::Recipe;
use bleuprint::{AnyMetric, contract::MetricSpec};

use crate::request::Sources;
use crate::tokens::TokenChoice;
use crate::warn::WarnRequest;

/// Evaluation that a user requested, ready to be run: the files with the texts or other data, and the
/// selected metrics, tokenizer and warnings.
#[derive(Clone)]
pub struct FileCounter {
    /// Metrics that take text; they are counted together in one pass.
    pub panel: Panel,
    /// Metrics of numbers that other programs computed, each with its index among all selected metrics.
    pub numbers: Vec<(usize, AnyMetric)>,
    /// Metrics of embedding vectors, each with its index among all selected metrics.
    pub vectors: Vec<(usize, AnyMetric)>,
    /// Metrics of structured data, such as speaker turns, each with its index among all selected metrics.
    pub own: Vec<(usize, AnyMetric)>,
    /// Name and options of each selected metric, as the user gave them.
    pub specs: Vec<MetricSpec>,
    /// Signature that every score must have, from the option `--signature`; `None` to accept any signature.
    pub recipe: Option<Recipe>,
    /// Description of the files from which segments are read.
    pub sources: Sources,
    /// Tokenizer, case rule and normalizer for text.
    pub tokens: TokenChoice,
    /// Options that control which warnings are printed.
    pub warnings: WarnRequest,
}

impl FileCounter {
    /// Returns `true` if the segments are structured data, such as speaker turns, and no metric takes text.
    pub(crate) fn is_beside_text(&self) -> bool {
        self.panel.metrics().len() == 0 && !self.own.is_empty()
    }

    /// Returns `true` if all metrics take text. Text is scored in one pass, without keeping all segments in
    /// memory.
    pub(crate) fn is_of_text(&self) -> bool {
        self.numbers.is_empty() && self.vectors.is_empty() && self.own.is_empty()
    }
}
