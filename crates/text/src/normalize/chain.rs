//! [`Chain`]: a sequence of normalizers that acts as one normalizer.

use super::Normalizer;
use std::fmt;
use std::sync::Arc;

/// A sequence of normalizers, applied in order. Clones share the normalizers.
#[derive(Clone)]
pub struct Chain {
    steps: Arc<[Box<dyn Normalizer>]>,
    /// The names of the normalizers, joined by `+`.
    name: Arc<str>,
}

impl Chain {
    pub(crate) fn new(steps: Vec<Box<dyn Normalizer>>) -> Self {
        let names: Vec<&str> = steps.iter().map(|step| step.name()).collect();
        Chain { name: names.join("+").into(), steps: steps.into() }
    }

    /// Applies all normalizers to a text, in order, and returns the result.
    pub fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let mut spare = String::new();
        self.normalize(&mut text, &mut spare);
        text
    }
}

impl Normalizer for Chain {
    fn name(&self) -> &str {
        &self.name
    }

    fn normalize(&self, text: &mut String, spare: &mut String) {
        self.steps.iter().for_each(|step| step.normalize(text, spare));
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chain").field(&self.name).finish()
    }
}

/// Compares two sequences of normalizers by name: the name determines the normalizers and their files.
impl PartialEq for Chain {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Chain {}
