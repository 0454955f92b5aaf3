//! [`Family`]: a group of metrics with the tokenizers and documentation that they need. [`Families`]: all
//! families of a program.

use std::sync::OnceLock;

use bleuprint_core::{ConfigError, Result};
use bleuprint_registry::{MetricEntry, MetricSet, Registry};

use crate::{NormalizerEntry, PartedText, ReaderEntry, ReaderOption, TokenizerEntry, Tokenizers};

/// A page of documentation, in Markdown, that describes a family (a package of related metrics).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct FamilyPage {
    /// The name by which users open the page, such as `labels`.
    pub name: &'static str,
    /// The Markdown text of the page, usually from `include_str!`.
    pub text: &'static str,
}

/// A family: related metrics with their tokenizers, normalizers, file readers and documentation. A program
/// that registers the family offers all of them to its users; command-line commands are not part of a family.
///
/// ```
/// use bleuprint_core::ConfigError;
/// use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Registry};
/// use bleuprint_text::{Families, Family, Tokenizers};
///
/// static METRICS: &[MetricEntry] = &[MetricEntry::new("depth", "Levels of a tree", build)];
/// fn build(_: &MetricOptions) -> Result<AnyMetric, ConfigError> {
///     unimplemented!()
/// }
/// pub fn family() -> Family {
///     Family::new("trees", "Trees against trees").metrics(METRICS)
/// }
///
/// let families = Families::new(Registry::default(), Tokenizers::default()).with(family()).unwrap();
/// assert!(families.registry().get("depth").is_ok());
/// // A name that two families have needs the family in front of it.
/// let other = Family::new("forests", "Many trees").metrics(METRICS);
/// let families = families.with(other).unwrap();
/// assert_eq!(
///     families.registry().parse("depth").unwrap_err().to_string(),
///     "two families have a metric `depth`: write `trees/depth` or `forests/depth`"
/// );
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Family {
    /// The name of the family of metrics, as lists show it.
    pub name: &'static str,
    /// One line that describes which metrics the family has.
    pub summary: &'static str,
    /// The metrics that belong to this family.
    pub metrics: &'static [MetricEntry],
    /// An optional function that makes entries for metrics that use other metrics by name. It gets all
    /// registered families, where it can look those names up. Each entry that it returns replaces the entry
    /// of the same name in `metrics`.
    pub over: Option<fn(&Families) -> Vec<MetricEntry>>,
    /// Named sets of metrics: users request all metrics of a set by its name. A set may include metrics of
    /// other families.
    pub sets: &'static [MetricSet],
    /// The tokenizers that come with this family of metrics.
    pub tokenizers: &'static [TokenizerEntry],
    /// The text normalizers that come with this family of metrics.
    pub normalizers: &'static [NormalizerEntry],
    /// The file readers that come with this family of metrics.
    pub readers: &'static [ReaderEntry],
    /// The kinds of structured texts that come with this family of metrics, such as sessions cut into
    /// utterances.
    pub parted: &'static [PartedText],
    /// The pages of documentation that come with this family of metrics.
    pub pages: &'static [FamilyPage],
}

impl Family {
    /// Creates a family with a name and a one-line summary; all its lists are empty.
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Family {
            name,
            summary,
            metrics: &[],
            over: None,
            sets: &[],
            tokenizers: &[],
            normalizers: &[],
            readers: &[],
            parted: &[],
            pages: &[],
        }
    }

    /// Sets the metrics of the family.
    #[must_use]
    pub const fn metrics(self, metrics: &'static [MetricEntry]) -> Self {
        Family { metrics, ..self }
    }

    /// Sets the named sets of metrics, each of which users request by one name.
    #[must_use]
    pub const fn sets(self, sets: &'static [MetricSet]) -> Self {
        Family { sets, ..self }
    }

    /// Sets the tokenizers of the family.
    #[must_use]
    pub const fn tokenizers(self, tokenizers: &'static [TokenizerEntry]) -> Self {
        Family { tokenizers, ..self }
    }

    /// Sets the normalizers of the family.
    #[must_use]
    pub const fn normalizers(self, normalizers: &'static [NormalizerEntry]) -> Self {
        Family { normalizers, ..self }
    }

    /// Sets the file readers of the family.
    #[must_use]
    pub const fn readers(self, readers: &'static [ReaderEntry]) -> Self {
        Family { readers, ..self }
    }

    /// Sets the kinds of structured texts of the family, such as sessions cut into utterances.
    #[must_use]
    pub const fn parted(self, parted: &'static [PartedText]) -> Self {
        Family { parted, ..self }
    }

    /// Sets the pages of documentation of the family.
    #[must_use]
    pub const fn pages(self, pages: &'static [FamilyPage]) -> Self {
        Family { pages, ..self }
    }
}

/// All families of metrics in a program. It also has the program's registry of metrics and list of
/// tokenizers, to which each added family contributes its own metrics and tokenizers.
#[derive(Debug, Clone)]
pub struct Families {
    list: Vec<Family>,
    /// The metrics of all families as they were added, without the replacements that `Family::over` makes.
    registry: Registry,
    /// The metrics of all families, with the replacements that the functions `Family::over` made; built at
    /// the first use.
    whole: OnceLock<Registry>,
    tokenizers: Tokenizers,
}

impl Families {
    /// Creates a list without families. `registry` and `tokenizers` are the metrics and tokenizers that the
    /// program already has; the families are added to them later.
    pub fn new(registry: Registry, tokenizers: Tokenizers) -> Self {
        Families { list: Vec::new(), registry, whole: OnceLock::new(), tokenizers }
    }

    /// Adds a family and returns the extended list. A metric whose name another family has is called
    /// `family/name`.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the name of the family, or of one of its sets, tokenizers,
    /// normalizers or readers, is taken. The error names both families. Also returns it if one of the names
    /// is invalid.
    pub fn with(mut self, family: Family) -> Result<Self, ConfigError> {
        if self.get(family.name).is_some() {
            return Err(ConfigError::Conflict(format!("the family `{}` is there already", family.name)));
        }
        self.add_parts(&family).map_err(|error| self.blame(&family, error))?;
        self.list.push(family);
        // The cached registry does not know the new family; the next call of `registry` builds it again.
        self.whole = OnceLock::new();
        Ok(self)
    }

    /// Records a family that is not compiled into this build. A request for one of its metrics then fails
    /// with the name of the Cargo `feature` that adds the family.
    pub fn lack(&mut self, names: &'static [&'static str], feature: &'static str) {
        self.registry.lack(names, feature);
        self.whole = OnceLock::new();
    }

    /// Returns all families of metrics, in the order in which they were added.
    pub fn list(&self) -> &[Family] {
        &self.list
    }

    /// Returns the family of metrics with this name, or `None`.
    pub fn get(&self, name: &str) -> Option<&Family> {
        self.list.iter().find(|family| family.name == name)
    }

    /// Returns the registry with the metrics of all families.
    pub fn registry(&self) -> &Registry {
        match self.list.iter().any(|family| family.over.is_some()) {
            true => {
                // The replacements cannot clash, since each has the name of an entry that was accepted
                // before. If they did, the registry without them would still serve all other metrics.
                self.whole.get_or_init(|| self.with_those_over().unwrap_or_else(|_| self.registry.clone()))
            }
            false => &self.registry,
        }
    }

    /// Returns the tokenizers and normalizers of all families.
    pub fn tokenizers(&self) -> &Tokenizers {
        &self.tokenizers
    }

    fn with_those_over(&self) -> Result<Registry, ConfigError> {
        let of_family = |family: &Family| {
            let entries = family.over.map(|over| over(self)).unwrap_or_default();
            let name = family.name;
            entries.into_iter().map(move |entry| self.registry.renamed(entry, name)).collect::<Vec<_>>()
        };
        let over: Vec<MetricEntry> = self.list.iter().flat_map(of_family).collect();
        // A replacement takes the position of the original entry, so that lists keep their order.
        let own =
            |entry: &MetricEntry| over.iter().find(|one| one.name == entry.name).unwrap_or(entry).clone();
        let entries: Vec<MetricEntry> = self.registry.entries().iter().map(own).collect();
        self.registry.with_entries(&entries)
    }

    fn add_parts(&mut self, family: &Family) -> Result<(), ConfigError> {
        for (at, entry) in family.metrics.iter().enumerate() {
            let is_own = |name: &str| {
                let mut own = family.metrics[..at].iter().flat_map(MetricEntry::names);
                own.any(|known| known.eq_ignore_ascii_case(name))
            };
            let list = &self.list;
            let owner = |name: &str| {
                let has = |other: &&Family| NAMES[0](other).contains(&name.to_ascii_lowercase());
                let family = list.iter().find(has).map_or("bleuprint", |other| other.name);
                (!is_own(name)).then_some(family)
            };
            self.registry.add_of_family(entry, family.name, owner)?;
        }
        family.sets.iter().try_for_each(|set| self.registry.add_set(*set))?;
        family.tokenizers.iter().try_for_each(|entry| self.tokenizers.add(*entry))?;
        family.normalizers.iter().try_for_each(|entry| self.tokenizers.normalizers.add(*entry))?;
        self.tokenizers.parted.extend(family.parted);
        let clash = self.list.iter().find_map(|other| clashing_reader(family, other));
        match clash {
            Some(name) => Err(ConfigError::Conflict(format!("the reader name `{name}` is taken"))),
            None => Ok(()),
        }
    }

    /// Adds the name of `family` to an error about a duplicate name, and the name of the earlier family that
    /// already uses that name.
    fn blame(&self, family: &Family, error: ConfigError) -> ConfigError {
        let ConfigError::Conflict(message) = error else { return error };
        let clash = |names: &fn(&Family) -> Vec<String>, other: &Family| {
            let known = names(other);
            names(family).iter().any(|name| known.contains(name))
        };
        let other = self.list.iter().find(|other| {
            NAMES.iter().any(|names| clash(names, other)) || clashing_reader(family, other).is_some()
        });
        ConfigError::Conflict(match other {
            Some(other) => format!("the families `{}` and `{}` clash: {message}", other.name, family.name),
            None => format!("the family `{}`: {message}", family.name),
        })
    }
}

/// Returns the names of the family's readers, of the readers' options, and of its kinds of structured texts.
/// An option that accepts a list of choices is paired with the placeholder of its value; all other names are
/// paired with `None`.
fn readers(family: &Family) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let options = |reader: &'static ReaderEntry| {
        let choices = |option: &ReaderOption| option.value.filter(|_| !option.choices.is_empty());
        let options = reader.options.iter().map(move |option| (option.name, choices(option)));
        std::iter::once((reader.name, None)).chain(options)
    };
    let readers = family.readers.iter().flat_map(options);
    readers.chain(family.parted.iter().map(|parted| (parted.name, None)))
}

/// Returns the name of a reader or of a reader's option that both families have, or `None`. An option with a
/// list of choices, such as `--missing`, may be in both families if its placeholder is the same. The program
/// then offers it once.
fn clashing_reader(family: &Family, other: &Family) -> Option<&'static str> {
    let clash = |(name, choices): &(&'static str, Option<&'static str>)| {
        readers(other).any(|(known, own)| known == *name && (choices.is_none() || own != *choices))
    };
    readers(family).find(clash).map(|(name, _)| name)
}

/// Functions that list the names of a family's metrics, tokenizers and normalizers, in this order.
const NAMES: [fn(&Family) -> Vec<String>; 3] = [
    |family| {
        let metrics = family.metrics.iter().flat_map(MetricEntry::names);
        // Names of metrics are compared without case; all other names are compared exactly.
        metrics.chain(family.sets.iter().map(|set| set.name)).map(str::to_ascii_lowercase).collect()
    },
    |family| family.tokenizers.iter().flat_map(TokenizerEntry::names).map(str::to_owned).collect(),
    |family| family.normalizers.iter().flat_map(NormalizerEntry::names).map(str::to_owned).collect(),
];

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: NormalizerEntry = NormalizerEntry::new("step", "mine", || unreachable!());
    const CUT: TokenizerEntry = TokenizerEntry::new("cut", "mine", |_| unreachable!());
    const SET: MetricSet = MetricSet { name: "both", summary: "Two", metrics: &["bleu", "chrf"] };

    const WHOLE: PartedText = PartedText { name: "whole", cut: |words, _, _| words };

    fn clash(first: Family, second: Family) -> String {
        let families = Families::new(Registry::default(), Tokenizers::default()).with(first).unwrap();
        families.with(second).unwrap_err().to_string()
    }

    #[test]
    fn a_name_that_is_taken_is_refused_with_both_families() {
        let one = Family::new("one", "first");
        let two = Family::new("two", "second");
        let both = "the families `one` and `two` clash: ";
        assert_eq!(clash(one, one), "the family `one` is there already");
        for (first, second, message) in [
            (one.sets(&[SET]), two.sets(&[SET]), "the metric name `both` is taken by `both`"),
            (one.tokenizers(&[CUT]), two.tokenizers(&[CUT]), "the tokenizer name `cut` is taken by `cut`"),
            (
                one.normalizers(&[STEP]),
                two.normalizers(&[STEP]),
                "the normalizer name `step` is taken by `step`",
            ),
            (one.parted(&[WHOLE]), two.parted(&[WHOLE]), "the reader name `whole` is taken"),
        ] {
            assert_eq!(clash(first, second), format!("{both}{message}"));
        }
    }

    #[test]
    fn a_name_that_no_family_brought_is_refused_with_the_one() {
        const TAKEN: TokenizerEntry = TokenizerEntry::new("13a", "mine", |_| unreachable!());
        let error = clash(Family::new("one", "first"), Family::new("two", "second").tokenizers(&[TAKEN]));
        assert_eq!(error, "the family `two`: the tokenizer name `13a` is taken by `13a`");
    }
}
