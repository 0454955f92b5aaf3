//! [`Normalizers`]: a list of normalizers by name, to which programs can add their own.

use super::{Chain, NormalizerEntry};
use crate::names::{SharedNames, check_name};
use bleuprint_core::{Case, ConfigError, Result, TokenSpace};
use std::sync::Arc;

/// A list of normalizers by name. The default list has the normalizers of this crate. Clones share their
/// entries until an entry is added to one of them.
#[derive(Debug, Clone)]
pub struct Normalizers {
    entries: Arc<Vec<NormalizerEntry>>,
    shared: SharedNames,
}

impl Normalizers {
    pub(super) fn from_entries(entries: Vec<NormalizerEntry>) -> Self {
        Normalizers { entries: Arc::new(entries), shared: SharedNames::default() }
    }

    /// Adds a normalizer to the list.
    ///
    /// ```
    /// use bleuprint_text::{NormalizerEntry, Normalizers};
    /// let entry = NormalizerEntry::new("lower", "mine", || unreachable!());
    /// let error = Normalizers::default().add(entry).unwrap_err().to_string();
    /// assert_eq!(error, "the normalizer name `lower` is taken by `lower`");
    /// ```
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the name or an alias is taken, or contains a character with a
    /// meaning in chains or signatures.
    pub fn add(&mut self, entry: NormalizerEntry) -> Result<(), ConfigError> {
        for (index, name) in entry.names().enumerate() {
            if let Some(taken) = self.find(name) {
                let message = format!("the normalizer name `{name}` is taken by `{}`", taken.name);
                return Err(ConfigError::Conflict(message));
            }
            let twice = entry.names().take(index).any(|earlier| earlier == name);
            // These characters separate steps in chains (`+ =`), fields in signatures (`: , |`), hashes (`#`)
            // and escapes (`%`).
            check_name(entry.name, name, twice, "+ = : , # | %")?;
        }
        Arc::make_mut(&mut self.entries).push(entry);
        Ok(())
    }

    /// Adds a normalizer of a family. If its name is taken, it is called `family/name`, also in signatures, and
    /// [`Normalizers::require_one`] refuses the plain name. `owner` returns the family of an earlier name, or
    /// `None` if this family has the name twice.
    ///
    /// # Errors
    /// Returns the errors of [`Normalizers::add`] for names that are malformed or that the family itself has
    /// twice.
    pub(crate) fn add_of_family(
        &mut self,
        entry: NormalizerEntry,
        family: &'static str,
        owner: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<(), ConfigError> {
        let Err(error) = self.add(entry) else { return Ok(()) };
        let taken = |name: &str| self.find(name).map(|known| known.name);
        let others = entry.aliases.iter().any(|alias| taken(alias).and_then(&owner).is_some());
        let entry = if others { entry.aliases(&[]) } else { entry };
        let Err(_) = self.add(entry) else { return Ok(()) };
        let first = self.find(entry.name).map(|known| known.name);
        let Some(other) = first.and_then(owner) else { return Err(error) };
        let qualified = entry.within(family);
        self.add(qualified)?;
        self.shared.add(entry.name, other, qualified.name);
        Ok(())
    }

    /// Checks that each name in a chain which a user gave means one normalizer.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] with both names if normalizers of two families have a name of the
    /// chain.
    pub fn require_one(&self, chain: &str) -> Result<(), ConfigError> {
        let mut names = chain.split('+').map(|step| step.split(['=', '#']).next().unwrap_or(step));
        names.try_for_each(|name| self.shared.require_one("normalizer", name))
    }

    /// Builds a sequence of normalizers from their names, joined by `+`, as in `nfkc+lower`.
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
    /// Returns [`ConfigError::UnknownName`] with the known names if a name is unknown. Returns
    /// [`ConfigError::Conflict`] if a normalizer reports a name that is not the name of its entry. Also returns
    /// the errors of the constructors.
    pub fn build(&self, chain: &str) -> Result<Chain, ConfigError> {
        let mut steps = Vec::new();
        for step in chain.split('+') {
            let name = step.split(['=', '#']).next().unwrap_or(step);
            // A path may contain `=`, so a step is split only if its entry takes a file; otherwise the whole
            // step is looked up as a name.
            let of_file = self.find(name).filter(|entry| entry.takes_file());
            let entry = of_file.map_or_else(|| self.get(step), Ok)?;
            let built = entry.built(step.split_once('=').map(|(_, file)| file))?;
            let label = built.name();
            let own = label.strip_prefix(entry.name);
            if !own.is_some_and(|rest| rest.is_empty() || rest.starts_with(['#', '-'])) || label.contains('+')
            {
                return Err(ConfigError::Conflict(format!(
                    "the normalizer `{}` calls itself `{label}`; it must return its name, or its name and a suffix after `#` or `-`",
                    entry.name
                )));
            }
            // The token space rejects labels that signatures cannot hold.
            TokenSpace::text(Case::Mixed).with_normalizer(label)?;
            steps.push(built);
        }
        Ok(Chain::new(steps))
    }

    /// Returns the entry of the normalizer with this name or alias.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] with the known names if no entry has this name.
    pub fn get(&self, name: &str) -> Result<&NormalizerEntry, ConfigError> {
        let known = || self.entries.iter().map(|entry| entry.name);
        self.find(name).ok_or_else(|| ConfigError::unknown_name("normalizer", name, known()))
    }

    /// Returns the entries of all normalizers, in the order in which they were added.
    pub fn entries(&self) -> &[NormalizerEntry] {
        &self.entries
    }

    fn find(&self, name: &str) -> Option<&NormalizerEntry> {
        let plain = self.shared.plain(name).unwrap_or(name);
        self.entries.iter().find(|entry| entry.names().any(|known| known == plain))
    }
}
