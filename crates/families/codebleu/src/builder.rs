//! [`CodeBleuBuilder`]: the settings of CodeBLEU, checked when the metric is built.

use bleuprint_core::ConfigError;

use crate::options::CodeBleuSettings;
use crate::{CodeBleu, FlowZero, Language, NameColumns};

pub(crate) const UNIFORM: [f64; 4] = [0.25; 4];

/// Builder of the metric CodeBLEU, created by [`CodeBleu::builder`].
#[derive(Debug, Clone)]
#[must_use]
pub struct CodeBleuBuilder {
    language: Language,
    weights: [f64; 4],
    flow_zero: FlowZero,
    columns: NameColumns,
}

impl CodeBleuBuilder {
    pub(crate) fn new(language: Language) -> Self {
        CodeBleuBuilder {
            language,
            weights: UNIFORM,
            flow_zero: FlowZero::default(),
            columns: NameColumns::default(),
        }
    }

    /// Sets the weights of CodeBLEU's four parts: n-grams, n-grams with keywords, syntax and data flow. The
    /// default is 0.25 each; the greatest possible score is their sum.
    pub fn weights(self, weights: [f64; 4]) -> Self {
        CodeBleuBuilder { weights, ..self }
    }

    /// Sets how CodeBLEU counts a data-flow score of 0, for example if the reference has no data flow.
    pub fn flow_zero(self, flow_zero: FlowZero) -> Self {
        CodeBleuBuilder { flow_zero, ..self }
    }

    /// Sets the unit of columns in lines of source code: bytes or characters. CodeBLEU extracts variable
    /// names from the text by line and column.
    pub fn columns(self, columns: NameColumns) -> Self {
        CodeBleuBuilder { columns, ..self }
    }

    /// Checks the settings and builds the metric.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if a weight is negative or not finite, or if all weights are 0.
    /// Returns [`ConfigError::Conflict`] if [`FlowZero::Drop`] would leave no weight.
    pub fn build(self) -> Result<CodeBleu, ConfigError> {
        let CodeBleuBuilder { language, weights, flow_zero, columns } = self;
        let sum: f64 = weights.iter().sum();
        if weights.iter().any(|weight| *weight < 0.0) || !sum.is_finite() || sum <= 0.0 {
            let limit = "finite, at least 0 each and above 0 together";
            return Err(ConfigError::out_of_range(
                CodeBleuSettings::OPTION.weights.spec.name,
                format!("{weights:?}"),
                limit,
            ));
        }
        // `Drop` divides by the sum of the other three weights.
        if flow_zero == FlowZero::Drop && weights[..3].iter().all(|weight| *weight == 0.0) {
            let message =
                "codebleu-flow-zero `drop` leaves the data flow's weight to the others, which have none";
            return Err(ConfigError::Conflict(message.to_owned()));
        }
        let keywords = language.keywords().split(' ').collect();
        Ok(CodeBleu { language, weights, flow_zero, columns, keywords })
    }
}
