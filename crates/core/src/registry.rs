//! [`Registry`]: the explicit list of metrics that can be built by name, with their options as data.
//!
//! Doors (the command line, other languages) are built from the entries: name, help, options. Adding a metric to
//! a program is adding an [`Entry`]; nothing registers itself.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::{ConfigError, ErasedMetric, Scale};

/// What kind of value an option takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OptionKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Numbers, separated by commas.
    Numbers,
    /// Nothing: it is there or not.
    Flag,
}

/// One option of a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionSpec {
    /// The long name, as in `smooth-method`.
    pub name: &'static str,
    /// The short name, of one letter or more, as in `sv`; none where empty.
    pub short: &'static str,
    /// What it takes.
    pub kind: OptionKind,
    /// The default, as the help shows it.
    pub default: &'static str,
    /// The default when single segments are scored, where it differs.
    pub sentence_default: Option<&'static str>,
    /// One line of help.
    pub help: &'static str,
}

/// Option values by name, as given by a user; what is absent is at its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    values: Vec<(String, String)>,
}

impl Options {
    /// No option given.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives an option; the last value wins.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value.to_owned()));
    }

    /// The value given for an option, if any.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    /// The value of a number option.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] when it is not a number.
    pub fn parse<T: core::str::FromStr>(&self, name: &str, what: &str) -> Result<Option<T>, ConfigError> {
        let parse = |text: &str| {
            text.trim().parse().map_err(|_| ConfigError::out_of_range(name, alloc::format!("`{text}`"), what))
        };
        self.get(name).map(parse).transpose()
    }

    /// The values of an option that takes several numbers.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] when one of them is not a number.
    pub fn parse_list(&self, name: &str) -> Result<Option<Vec<f64>>, ConfigError> {
        let parse = |text: &str| {
            let error =
                || ConfigError::out_of_range(name, alloc::format!("`{text}`"), "numbers with commas between");
            text.split(',').map(|number| number.trim().parse().map_err(|_| error())).collect()
        };
        self.get(name).map(parse).transpose()
    }

    /// Whether a flag was given.
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`] for anything but `yes` and `no`.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, ConfigError> {
        match self.get(name) {
            None => Ok(None),
            Some("yes") => Ok(Some(true)),
            Some("no") => Ok(Some(false)),
            Some(other) => Err(ConfigError::unknown_name(name, other, ["yes", "no"])),
        }
    }

    /// The names that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| name.as_str())
    }
}

/// How an entry builds its metric.
pub type Build = fn(&Options) -> Result<Box<dyn ErasedMetric>, ConfigError>;

/// Everything a door needs to know about a metric.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The registry name, which is also that of the file and of the state key.
    pub name: &'static str,
    /// Other names that users know it by.
    pub aliases: &'static [&'static str],
    /// One line: what it measures.
    pub summary: &'static str,
    /// Where it is defined.
    pub paper: &'static str,
    /// The program and version whose numbers it gives.
    pub agrees_with: &'static str,
    /// Range and direction.
    pub scale: Scale,
    /// The options it takes.
    pub options: &'static [OptionSpec],
    /// Builds it.
    pub build: Build,
}

impl Entry {
    /// Builds the metric, after checking that every option given is one of the metric's.
    ///
    /// # Errors
    /// [`ConfigError`], with the names that would have been right.
    pub fn build(&self, options: &Options) -> Result<Box<dyn ErasedMetric>, ConfigError> {
        for given in options.names() {
            let Some(spec) = self.options.iter().find(|spec| spec.name == given) else {
                let known = self.options.iter().map(|spec| spec.name);
                return Err(ConfigError::unknown_name(
                    &alloc::format!("option of {}", self.name),
                    given,
                    known,
                ));
            };
            if let (OptionKind::Choice(choices), Some(value)) = (spec.kind, options.get(given))
                && !choices.contains(&value)
            {
                return Err(ConfigError::unknown_name(given, value, choices));
            }
        }
        (self.build)(options)
    }
}

/// A list of entries without two of the same name.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// A registry of these entries.
    ///
    /// # Errors
    /// Those of [`Registry::add`].
    pub fn from_entries(entries: &[Entry]) -> Result<Self, ConfigError> {
        let mut registry = Registry::new();
        for entry in entries {
            registry.add(*entry)?;
        }
        Ok(registry)
    }

    /// Adds a metric.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] when its name or an alias is taken.
    pub fn add(&mut self, entry: Entry) -> Result<(), ConfigError> {
        for name in core::iter::once(&entry.name).chain(entry.aliases) {
            if let Ok(taken) = self.get(name) {
                let message = alloc::format!("the metric name `{name}` is taken by `{}`", taken.name);
                return Err(ConfigError::Conflict(message));
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    /// The entry of a name or alias.
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`], with all names.
    pub fn get(&self, name: &str) -> Result<&Entry, ConfigError> {
        let matches = |entry: &&Entry| entry.name == name || entry.aliases.contains(&name);
        self.entries.iter().find(matches).ok_or_else(|| {
            ConfigError::unknown_name("metric", name, self.entries.iter().map(|entry| entry.name))
        })
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}
