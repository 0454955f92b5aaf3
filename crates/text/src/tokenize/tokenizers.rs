//! [`Tokenizers`]: the list of tokenizers and normalizers by name, to which programs can add their own.

use super::{Takes, Tokenizer, TokenizerEntry, TokenizerOptions, TokenizerRequest};
use crate::names::{SharedNames, check_name};
use crate::{Normalizers, PartedText};
use bleuprint_core::{Case, ConfigError, Result, TokenSpace};
use std::sync::Arc;

/// A list of tokenizers by name, with the normalizers that rewrite text before them. The default list has the
/// tokenizers and normalizers of this crate. Clones share their entries until an entry is added to one of
/// them.
#[derive(Debug, Clone)]
pub struct Tokenizers {
    entries: Arc<Vec<TokenizerEntry>>,
    shared: SharedNames,
    /// The normalizers that users can apply before tokenization, by name.
    pub normalizers: Normalizers,
    /// The kinds of texts that consist of parts, such as sessions of utterances. Families of metrics add
    /// them.
    pub parted: Vec<PartedText>,
}

impl Tokenizers {
    pub(super) fn from_entries(entries: Vec<TokenizerEntry>) -> Self {
        let normalizers = Normalizers::default();
        Tokenizers {
            entries: Arc::new(entries),
            shared: SharedNames::default(),
            normalizers,
            parted: Vec::new(),
        }
    }

    /// Adds a tokenizer to the list.
    ///
    /// ```
    /// use bleuprint_text::{TokenizerEntry, Tokenizers, tokenizer};
    /// let entry = TokenizerEntry::new("perl", "mine", |request| tokenizer("none", request.options));
    /// let error = Tokenizers::default().add(entry).unwrap_err().to_string();
    /// assert_eq!(error, "the tokenizer name `perl` is taken by `ascii-space`");
    /// ```
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the name or an alias is taken or ambiguous, and
    /// [`ConfigError::OutOfRange`] if a name cannot be part of a signature.
    pub fn add(&mut self, entry: TokenizerEntry) -> Result<(), ConfigError> {
        // A new entry that takes a suffix, such as `x:NAME`, must not match the names of earlier tokenizers.
        let known = || self.entries.iter().flat_map(TokenizerEntry::names);
        if let Some(taken) = known().find(|name| entry.argument(name).is_some()) {
            let message =
                format!("the tokenizer name `{}` would take `{taken}`, which is another", entry.name);
            return Err(ConfigError::Conflict(message));
        }
        for (index, name) in entry.names().enumerate() {
            if let Some((taken, _)) = self.find(name) {
                let message = format!("the tokenizer name `{name}` is taken by `{}`", taken.name);
                return Err(ConfigError::Conflict(message));
            }
            let twice = entry.names().take(index).any(|earlier| earlier == name);
            check_name(entry.name, name, twice, ": , = #")?;
            TokenSpace::new(name, Case::Mixed)?;
        }
        Arc::make_mut(&mut self.entries).push(entry);
        Ok(())
    }

    /// Adds a tokenizer of a family. If its name is taken, it is called `family/name`, also in signatures, and
    /// [`Tokenizers::require_one`] refuses the plain name. `owner` returns the family of an earlier name, or
    /// `None` if this family has the name twice.
    ///
    /// # Errors
    /// Returns the errors of [`Tokenizers::add`] for names that are malformed or that the family itself has
    /// twice.
    pub(crate) fn add_of_family(
        &mut self,
        entry: TokenizerEntry,
        family: &'static str,
        owner: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<(), ConfigError> {
        let Err(error) = self.add(entry) else { return Ok(()) };
        let taken = |name: &str| self.find(name).map(|(known, _)| known.name);
        let others = entry.aliases.iter().any(|alias| taken(alias).and_then(&owner).is_some());
        let entry = if others { entry.aliases(&[]) } else { entry };
        let Err(_) = self.add(entry) else { return Ok(()) };
        let first = self.find(entry.name).map(|(known, _)| known.name);
        // A name with a suffix may be free, but take the names of earlier tokenizers.
        let takes = || entry.argument_of_any(self.entries.iter().flat_map(TokenizerEntry::names));
        let Some(other) = first.or_else(takes).and_then(owner) else { return Err(error) };
        let qualified = entry.within(family);
        self.add(qualified)?;
        if first.is_some() {
            self.shared.add(entry.name, other, qualified.name);
        }
        Ok(())
    }

    /// Checks that the name which a user gave means one tokenizer.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] with both names if tokenizers of two families have this name.
    pub fn require_one(&self, name: &str) -> Result<(), ConfigError> {
        self.shared.require_one("tokenizer", name)
    }

    /// Returns the entry of the tokenizer with this name or alias. The name may contain an argument, as in
    /// `hf:PATH`.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] with the known names if no entry has this name.
    pub fn get(&self, name: &str) -> Result<&TokenizerEntry, ConfigError> {
        self.find(name).map(|(entry, _)| entry).ok_or_else(|| self.unknown(name))
    }

    /// Builds a tokenizer by its name or an alias.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] with the known names if the name is unknown, and an error if the
    /// tokenizer's feature is disabled. Returns an error with the searched places if a model or dictionary is
    /// unusable. Returns [`ConfigError::Conflict`] if the built tokenizer has the name of an earlier
    /// tokenizer as its token space.
    pub fn build(&self, name: &str, options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
        let (entry, argument) = self.find(name).ok_or_else(|| self.unknown(name))?;
        let mut options = options.clone();
        if let Some(path) = argument.filter(|_| entry.takes.contains(&Takes::ModelInName)) {
            options.model = Some(path.into());
        }
        let built = entry.build(&TokenizerRequest { argument, options: &options, tokenizers: self })?;
        // Equal token spaces mean that counts may be merged, so a later tokenizer must not claim the space of
        // an earlier one.
        let mut named_before = self.entries.iter().take_while(|other| other.name != entry.name);
        if let Some(other) = named_before.find(|other| other.name == built.token_space()) {
            return Err(ConfigError::Conflict(format!(
                "the tokens of `{name}` claim to be those of `{}`, which is another tokenizer",
                other.name
            )));
        }
        Ok(built)
    }

    /// Returns `true` if the tokenizer `name`, or the tokenizer that it wraps, takes the parameter `wanted`.
    /// A tokenizer with its model in the name takes no other parameter.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] with the known names if no entry has this name.
    pub fn takes(&self, name: &str, wanted: Takes) -> Result<bool, ConfigError> {
        let (entry, argument) = self.find(name).ok_or_else(|| self.unknown(name))?;
        match argument {
            Some(inner) if entry.takes.contains(&Takes::TokenizerInName) => self.takes(inner, wanted),
            Some(_) if entry.takes.contains(&Takes::ModelInName) => Ok(false),
            _ => Ok(entry.takes.contains(&wanted)),
        }
    }

    /// Returns the name of the tokenizer that a label belongs to, or `None`. The label is a token space: the
    /// tokenizer's name, optionally with a suffix for its version or model. For example, `ja-mecab-0.996-IPA`
    /// gives `ja-mecab`, and `spm#1f0c` gives `spm`.
    pub fn name_of_label<'l>(&'l self, label: &'l str) -> Option<&'l str> {
        let begins = |name: &str| label.strip_prefix(name).is_some_and(|rest| rest.starts_with(['-', '#']));
        // The longest name wins: a suffix may start with a dash, and so may the rest of a longer name.
        let longest =
            || self.entries.iter().filter(|entry| begins(entry.name)).max_by_key(|entry| entry.name.len());
        match self.find(label) {
            Some((entry, None)) => Some(entry.name),
            Some(_) if self.build(label, &TokenizerOptions::default()).is_ok() => Some(label),
            _ => longest().map(|entry| entry.name),
        }
    }

    /// Returns the entries of all tokenizers, in the order in which they were added.
    pub fn entries(&self) -> &[TokenizerEntry] {
        &self.entries
    }

    /// Returns the entry of the tokenizer that `name` selects, and the argument in the name, such as `PATH`
    /// in `hf:PATH`. A tokenizer that wraps another one cannot be wrapped itself.
    fn find<'n>(&self, name: &'n str) -> Option<(&TokenizerEntry, Option<&'n str>)> {
        let builds_upon = |entry: &&TokenizerEntry| entry.takes.contains(&Takes::TokenizerInName);
        let nested = |inner: &str| {
            let mut builders = self.entries.iter().filter(builds_upon);
            builders.any(|entry| entry.names().any(|name| name == inner) || entry.argument(inner).is_some())
        };
        let plain = self.shared.plain(name).unwrap_or(name);
        let named = |entry: &&TokenizerEntry| entry.names().any(|known| known == plain);
        // A complete name has precedence over a name with a suffix.
        self.entries.iter().find(named).map(|entry| (entry, None)).or_else(|| {
            let mut longer = self.entries.iter().filter_map(|entry| Some((entry, entry.argument(name)?)));
            let (entry, argument) = longer.find(|(entry, inner)| !(builds_upon(entry) && nested(inner)))?;
            Some((entry, Some(argument)))
        })
    }

    pub(super) fn unknown(&self, name: &str) -> ConfigError {
        ConfigError::unknown_name("tokenizer", name, self.entries.iter().map(|entry| entry.name))
    }
}
