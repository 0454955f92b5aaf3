//! [`Recipe`]: a signature of Bleuprint or sacreBLEU, parsed so that its score can be computed again.
//!
//! | form | example |
//! |---|---|
//! | long | `BLEU\|nrefs:1\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|version:2.3.1` |
//! | short | `BLEU\|#:1\|c:mixed\|e:no\|tok:13a\|s:exp\|v:2.3.1` |
//! | without its name, as in JSON | `nrefs:1\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|version:2.3.1` |
//! | of sacreBLEU 1.4 and 1.5 | `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14` |
//!
//! The code contains no list of metrics. The options of each metric declare the signature fields that they
//! produce. So a metric that you add to the registry can be built from its signature, too.

mod parse;
mod settings;
mod versions;

use bleuprint_core::{ConfigError, Signature};

pub use settings::RecipeSettings;
use versions::Version;

/// The parsed signature of a score: the name of the score, and the settings that it was computed with.
///
/// ```
/// use bleuprint::recipe::Recipe;
/// let recipe: Recipe = "BLEU|#:1|c:lc|e:no|tok:intl|s:floor[0.25]|v:2.3.1".parse().unwrap();
/// let settings = recipe.settings(&bleuprint::registry()).unwrap();
/// assert_eq!(settings.spec(), "bleu:smooth-method=floor,smooth-value=0.25");
/// assert_eq!(settings.tokenizer.as_deref(), Some("intl"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    text: String,
    /// Name of the score, for example `chrF2++`.
    name: String,
    /// Keys of the signature's fields, long or short as written, with their values.
    fields: Vec<(String, String)>,
    version: Version,
    notes: Vec<String>,
}

/// Signature keys that describe a confidence interval or a significance test, long and short. No score
/// depends on them.
const RESAMPLING: [&str; 6] = ["bs", "ar", "seed", "rs", "drawn", "dn"];

/// Signature keys that name the test set. Bleuprint ignores these keys, because the caller gives it the data.
const DATA: [&str; 4] = ["test", "lang", "origlang", "subset"];

/// Signature key of the number of references, long and short.
const REFERENCES: [&str; 2] = ["nrefs", "#"];

impl Recipe {
    /// Returns reasons why recomputing the score of this signature may give a different score: differences of
    /// the version that printed it, missing fields, ignored fields.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the name of the score, for example `BLEU`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the factor from a Bleuprint score to the scale of the version that printed the signature. It
    /// is 0.01 for chrF and TER of sacreBLEU 1, otherwise 1.
    pub fn scale(&self) -> f64 {
        if self.version.prints_fractions(&self.name) { 0.01 } else { 1.0 }
    }

    /// Checks that `signature`, printed for a newly computed score, has the settings of the parsed signature.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] with the first setting that differs.
    pub fn check(&self, signature: &Signature) -> Result<(), ConfigError> {
        let printed = settings::entries(signature);
        for (key, value) in self.settled_fields() {
            let entry = printed.iter().find(|entry| entry.is(key));
            // Before any segment is seen, the signature has no number of references that could differ.
            if entry.is_none() && REFERENCES.contains(&key) {
                continue;
            }
            let ours = entry.map(|entry| format!("`{}:{}`", entry.key, entry.value));
            if entry.is_none_or(|entry| entry.value != value) {
                return Err(self.refusal(key, value, &ours.unwrap_or_else(|| "no such field".to_owned())));
            }
        }
        Ok(())
    }

    fn refusal(&self, key: &str, value: &str, ours: &str) -> ConfigError {
        ConfigError::Conflict(format!(
            "the signature `{}` cannot be reproduced: it says `{key}:{value}`, and here it is {ours}",
            self.text
        ))
    }

    /// Returns the settings of the signature (key and value) that the score depends on.
    fn settled_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        fields.filter(|(key, _)| !RESAMPLING.contains(key) && !DATA.contains(key))
    }

    /// Returns the value of the signature's setting that has one of these keys, long or short.
    fn get(&self, keys: &[&str]) -> Option<&str> {
        self.fields.iter().find(|(key, _)| keys.contains(&key.as_str())).map(|(_, value)| value.as_str())
    }
}
