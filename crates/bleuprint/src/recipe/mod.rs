//! [`Recipe`]: a signature read as instructions, ours or sacreBLEU's, so that a score can be computed again.
//!
//! | form | example |
//! |---|---|
//! | long | `BLEU\|nrefs:1\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|version:2.3.1` |
//! | short | `BLEU\|#:1\|c:mixed\|e:no\|tok:13a\|s:exp\|v:2.3.1` |
//! | without its name, as in JSON | `nrefs:1\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|version:2.3.1` |
//! | of sacreBLEU 1.4 and 1.5 | `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14` |
//!
//! No metric is known by name here: its options say which fields they make, so metrics that others add to the registry
//! are built from their signatures too.

mod parse;
mod settings;
mod versions;

use bleuprint_core::{ConfigError, Signature};

pub use settings::RecipeSettings;
use versions::Version;

/// The contents of a signature.
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
    /// The name of the score, as in `chrF2++`.
    name: String,
    /// Keys as they are given, long or short, and values.
    fields: Vec<(String, String)>,
    version: Version,
    notes: Vec<String>,
}

/// Keys that say how an interval or a test was made; no score depends on them. Long and short.
const RESAMPLING: [&str; 4] = ["bs", "ar", "seed", "rs"];

/// Keys that name the data, which is given otherwise here.
const DATA: [&str; 4] = ["test", "lang", "origlang", "subset"];

/// The number of references, long and short.
const REFERENCES: [&str; 2] = ["nrefs", "#"];

impl Recipe {
    /// Caveats: differences of the version that printed the signature, missing fields, ignored fields.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The name of the score, as in `BLEU`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The factor from our score to the scale of the version that printed the signature: 0.01 for chrF and TER of
    /// sacreBLEU 1, else 1.
    pub fn scale(&self) -> f64 {
        if self.version.prints_fractions(&self.name) { 0.01 } else { 1.0 }
    }

    /// Refuses a score that was computed with other settings.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] that names the first field that differs.
    pub fn check(&self, signature: &Signature) -> Result<(), ConfigError> {
        let printed = settings::entries(signature);
        for (key, value) in self.settled_fields() {
            let entry = printed.iter().find(|entry| entry.is(key));
            // Until segments are seen, nothing is known of their references.
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

    /// The fields on which the score depends.
    fn settled_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        fields.filter(|(key, _)| !RESAMPLING.contains(key) && !DATA.contains(key))
    }

    /// The value of a field, by its long or its short key.
    fn get(&self, keys: &[&str]) -> Option<&str> {
        self.fields.iter().find(|(key, _)| keys.contains(&key.as_str())).map(|(_, value)| value.as_str())
    }
}
