//! [`Normalizers`]: normalizers by name, to which programs add their own.

use super::{Chain, NormalizerEntry};
use crate::names::check_name;
use bleuprint_core::{Case, ConfigError, Result, TokenSpace};
use std::sync::Arc;

/// Names of earlier versions, as in `words=FILE`.
const OF_A_FILE: [&str; 4] = ["words", "SubstituteWords", "regex", "SubstituteRegexes"];

/// Normalizers by name; by default those of this crate. Clones share their entries until one is added.
#[derive(Debug, Clone)]
pub struct Normalizers {
    entries: Arc<Vec<NormalizerEntry>>,
}

impl Normalizers {
    pub(super) fn of(entries: Vec<NormalizerEntry>) -> Self {
        Normalizers { entries: Arc::new(entries) }
    }

    /// Adds a normalizer.
    ///
    /// ```
    /// use bleuprint_text::{NormalizerEntry, Normalizers};
    /// let entry = NormalizerEntry::new("lower", "mine", || unreachable!());
    /// let error = Normalizers::default().add(entry).unwrap_err().to_string();
    /// assert_eq!(error, "the normalizer name `lower` is taken by `lower`");
    /// ```
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] if its name or an alias is taken, or cannot stand in a chain or a signature.
    pub fn add(&mut self, entry: NormalizerEntry) -> Result<(), ConfigError> {
        for (index, name) in entry.names().enumerate() {
            if let Some(taken) = self.find(name) {
                let message = format!("the normalizer name `{name}` is taken by `{}`", taken.name);
                return Err(ConfigError::Conflict(message));
            }
            let twice = entry.names().take(index).any(|earlier| earlier == name);
            check_name(entry.name, name, twice, "+ = : , # | %")?;
        }
        Arc::make_mut(&mut self.entries).push(entry);
        Ok(())
    }

    /// Builds a chain by the names of its steps, joined by `+`.
    ///
    /// ```
    /// use bleuprint_text::{Normalizer, Normalizers};
    /// let chain = Normalizers::default().build("nfkc+ToLowerCase+punct")?;
    /// assert_eq!(chain.name(), "nfkc+lower+punct");
    /// assert_eq!(chain.apply("Ｈｅｌｌｏ, World!"), "hello world");
    /// # Ok::<(), bleuprint_core::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// An unknown name, with the known ones; a constructor that fails; a step whose own name is that of another.
    pub fn build(&self, chain: &str) -> Result<Chain, ConfigError> {
        let mut steps = Vec::new();
        for step in chain.split('+') {
            let name = step.split(['=', '#']).next().unwrap_or(step);
            if OF_A_FILE.contains(&name) && self.find(name).is_none() {
                return Err(ConfigError::Conflict(format!(
                    "no normalizer takes replacements from a file any more, as `{name}` did: rewrite the texts before, as with `sed`"
                )));
            }
            let of_file = self.find(name).filter(|entry| entry.takes_file());
            let entry = of_file.map_or_else(|| self.get(step), Ok)?;
            let built = entry.built(step.split_once('=').map(|(_, file)| file))?;
            let label = built.name();
            let own = label.strip_prefix(entry.name);
            if !own.is_some_and(|rest| rest.is_empty() || rest.starts_with(['#', '-'])) || label.contains('+')
            {
                return Err(ConfigError::Conflict(format!(
                    "the normalizer `{}` calls itself `{label}`, which is not its name, or its name and a suffix after `#` or `-`",
                    entry.name
                )));
            }
            TokenSpace::text(Case::Mixed).with_normalizer(label)?;
            steps.push(built);
        }
        Ok(Chain::new(steps))
    }

    /// The entry of a name or alias.
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`], with all names.
    pub fn get(&self, name: &str) -> Result<&NormalizerEntry, ConfigError> {
        let known = || self.entries.iter().map(|entry| entry.name);
        self.find(name).ok_or_else(|| ConfigError::unknown_name("normalizer", name, known()))
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[NormalizerEntry] {
        &self.entries
    }

    fn find(&self, name: &str) -> Option<&NormalizerEntry> {
        self.entries.iter().find(|entry| entry.names().any(|known| known == name))
    }
}
