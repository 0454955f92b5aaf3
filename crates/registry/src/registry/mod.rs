//! [`Registry`]: the list of metrics that can be built by name, with their options as data.
//!
//! Interfaces such as the command line read name, help and options of each metric from its entry. To add a
//! metric to a program, add a [`MetricEntry`] to the registry; metrics do not register themselves.

mod entry;
mod lookup;
mod sets;
mod spec;

use bleuprint_core::{ConfigError, Result};

pub use self::entry::MetricEntry;
pub use self::sets::MetricSet;
pub use self::spec::MetricSpec;
use crate::OptionSpec;
use crate::prelude::*;
use crate::taken_names::TakenNames;

/// A list of metrics that can be built by name. All names are distinct.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    entries: Vec<MetricEntry>,
    names: TakenNames,
    sets: Vec<MetricSet>,
    /// Names of metrics that this build lacks, with the Cargo feature that adds them.
    lacking: Vec<(&'static [&'static str], &'static str)>,
    shared: Vec<SharedName>,
}

/// A name that metrics of two families have. Stored statistics mean the first family.
#[derive(Debug, Clone)]
struct SharedName {
    plain: String,
    first: String,
    second: String,
}

impl Registry {
    /// Creates a registry with these metrics.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::add`].
    pub fn from_entries(entries: &[MetricEntry]) -> Result<Self, ConfigError> {
        let mut registry = Registry::default();
        entries.iter().try_for_each(|entry| registry.add(entry.clone()))?;
        Ok(registry)
    }

    /// Adds a metric to the registry.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if a name, alias or preset of the metric is taken or malformed, or
    /// if two of its options have the same name.
    pub fn add(&mut self, entry: MetricEntry) -> Result<(), ConfigError> {
        let own = &entry.name;
        for spelling in entry.spellings {
            self.check_free(spelling.name)?;
        }
        for (index, name) in entry.names().enumerate() {
            self.check_free(name)?;
            let twice = entry.names().take(index).any(|earlier| earlier == name);
            let breaks = |c: char| [':', ',', '='].contains(&c) || c.is_whitespace();
            if twice || name.is_empty() || name.contains(breaks) {
                return Err(ConfigError::Conflict(format!(
                    "`{name}` cannot be a name of `{own}`: names are unique, not empty, and free of `:`, `,`, `=` and spaces"
                )));
            }
        }
        for (index, OptionSpec { name, .. }) in entry.options.iter().enumerate() {
            if entry.options[..index].iter().any(|other| other.name == *name) {
                let message = format!("the option `{name}` of `{own}` is declared twice");
                return Err(ConfigError::Conflict(message));
            }
        }
        self.names.add(&entry, self.entries.len());
        self.entries.push(entry);
        Ok(())
    }

    /// Adds a metric of a family. If an entry of another family has its name, the metric is called
    /// `family/name`, and the plain name becomes an error of [`Registry::parse`] that shows both. `owner` returns
    /// the family of an earlier name.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::add`] for names that are malformed or that the family itself has
    /// twice.
    pub fn add_of_family(
        &mut self,
        entry: &MetricEntry,
        family: &'static str,
        owner: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<(), ConfigError> {
        // Almost all names are free, and each program compares all of them at its start.
        if self.add(entry.clone()).is_ok() {
            return Ok(());
        }
        let taken = |name: &str| self.check_free(name).is_err() && owner(name).is_some();
        if !taken(&entry.name) {
            return self.add(entry.without_names(taken));
        }
        let qualified = entry.within(family, taken);
        let known = self
            .find(&entry.name)
            .map_or_else(|| entry.name.to_string(), |(first, _)| first.name.to_string());
        let first = format!("{}/{known}", owner(&entry.name).unwrap_or_default());
        let second = qualified.name.to_string();
        self.add(qualified)?;
        self.shared.push(SharedName { plain: entry.name.to_string(), first, second });
        Ok(())
    }

    /// Returns the entry that a family's metric over other metrics has in this registry.
    pub fn renamed(&self, entry: MetricEntry, family: &'static str) -> MetricEntry {
        let own = format!("{family}/{}", entry.name);
        let is_shared = self.shared.iter().any(|shared| shared.second == own);
        if is_shared { entry.within(family, |_| true) } else { entry }
    }

    /// Returns a copy of this registry in which `entries` replace all metrics. They should have the same
    /// names as the replaced metrics, because the groups of metrics are copied unchanged.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::add`].
    pub fn with_entries(&self, entries: &[MetricEntry]) -> Result<Self, ConfigError> {
        let Registry { sets, lacking, shared, .. } = self.clone();
        Ok(Registry { sets, lacking, shared, ..Registry::from_entries(entries)? })
    }

    fn shared_name(&self, name: &str) -> Option<&SharedName> {
        self.shared.iter().find(|shared| shared.plain.eq_ignore_ascii_case(name))
    }

    /// Records names of metrics that this build lacks, with the Cargo feature that adds them.
    /// [`Registry::get`] then reports the feature.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// let mut registry = Registry::default();
    /// registry.lack(&["codebleu"], "code");
    /// assert!(registry.get("codebleu").unwrap_err().to_string().contains("the feature `code`"));
    /// ```
    pub fn lack(&mut self, names: &'static [&'static str], feature: &'static str) {
        self.lacking.push((names, feature));
    }

    /// Returns the Cargo feature that must be enabled for the metric with this name, if this build lacks the
    /// metric.
    pub fn lacks(&self, name: &str) -> Option<&'static str> {
        let mut lacking = self.lacking.iter();
        let (_, feature) =
            lacking.find(|(names, _)| names.iter().any(|known| known.eq_ignore_ascii_case(name)))?;
        Some(feature)
    }

    fn check_free(&self, name: &str) -> Result<(), ConfigError> {
        let entry = self.names.place(&self.entries, name).map(|place| &*self.entries[place].name);
        let set = || self.sets.iter().map(|set| set.name).find(|set| set.eq_ignore_ascii_case(name));
        let conflict =
            |taken: &str| ConfigError::Conflict(format!("the metric name `{name}` is taken by `{taken}`"));
        entry.or_else(set).map_or(Ok(()), |taken| Err(conflict(taken)))
    }

    /// Returns all metrics of the registry, in the order in which they were added.
    pub fn entries(&self) -> &[MetricEntry] {
        &self.entries
    }
}
