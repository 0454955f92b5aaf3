//! `Recipe`: parses the signature of a score, and returns the metric settings that reproduce the score.

use bleuprint::contract::Choice as _;
use bleuprint::recipe;
use bleuprint::{Case, Signature};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value};
use crate::registry::registry;

/// Metric settings that a score's signature describes.
#[pyclass(frozen, module = "bleuprint._native", name = "Recipe")]
pub(crate) struct PyRecipe {
    recipe: recipe::Recipe,
}

#[pymethods]
impl PyRecipe {
    #[new]
    fn new(signature: &str) -> PyResult<Self> {
        Ok(PyRecipe { recipe: signature.parse::<recipe::Recipe>().or_raise()? })
    }

    #[getter]
    fn name(&self) -> &str {
        self.recipe.name()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.recipe.notes().to_vec()
    }

    #[getter]
    fn scale(&self) -> f64 {
        self.recipe.scale()
    }

    /// Returns the settings as a tuple: metric with options, tokenizer, `lowercase`, normalizer. None means
    /// the metric's default.
    #[allow(clippy::type_complexity, reason = "a tuple of Python")]
    fn settings(&self) -> PyResult<(String, Option<String>, Option<bool>, Option<String>)> {
        let settings = self.recipe.settings(&registry()).or_raise()?;
        let lowercase = match settings.case {
            None => None,
            Some(Case::Mixed) => Some(false),
            Some(Case::Lower) => Some(true),
            Some(other) => {
                return Err(value(format!("text in `case:{}` is that of a dialect's program", other.name())));
            }
        };
        Ok((settings.spec(), settings.tokenizer, lowercase, settings.normalizer))
    }

    /// Raises ValueError if the settings in `signature` differ from the settings of this recipe.
    fn check(&self, signature: &str) -> PyResult<()> {
        let signature: Signature = signature.parse().map_err(value)?;
        self.recipe.check(&signature).or_raise()
    }
}
