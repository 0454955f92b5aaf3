//! [`Family`]: metrics that belong together, with the tokens and the pages they need; [`Families`]: those of a program.

use std::sync::OnceLock;

use bleuprint_core::{ConfigError, Result};
use bleuprint_registry::{MetricEntry, MetricSet, Registry};

use crate::{NormalizerEntry, PartedText, ReaderEntry, TokenizerEntry, Tokenizers};

/// A page of documentation, as Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct FamilyPage {
    /// The name, by which it is shown: `labels`.
    pub name: &'static str,
    /// The text, as from `include_str!`.
    pub text: &'static str,
}

/// Everything that a package adds to a program, as data. Commands are the program's own business, which adds them.
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
/// let other = Family::new("forests", "Many trees").metrics(METRICS);
/// assert_eq!(
///     families.with(other).unwrap_err().to_string(),
///     "the families `trees` and `forests` clash: the metric name `depth` is taken by `depth`"
/// );
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Family {
    /// The name, as in lists.
    pub name: &'static str,
    /// One line: the kind of measures.
    pub summary: &'static str,
    /// Its metrics.
    pub metrics: &'static [MetricEntry],
    /// Those of its metrics that look for others by name, made anew for the families of a program: each stands for the entry of its name.
    pub over: Option<fn(&Families) -> Vec<MetricEntry>>,
    /// Its names for several metrics, those of others among them.
    pub sets: &'static [MetricSet],
    /// Its tokenizers.
    pub tokenizers: &'static [TokenizerEntry],
    /// Its normalizers.
    pub normalizers: &'static [NormalizerEntry],
    /// Its readers of files.
    pub readers: &'static [ReaderEntry],
    /// Its texts with parts.
    pub parted: &'static [PartedText],
    /// Its pages.
    pub pages: &'static [FamilyPage],
}

impl Family {
    /// A family without any parts.
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

    /// Its metrics.
    #[must_use]
    pub const fn metrics(self, metrics: &'static [MetricEntry]) -> Self {
        Family { metrics, ..self }
    }

    /// Its names for several metrics.
    #[must_use]
    pub const fn sets(self, sets: &'static [MetricSet]) -> Self {
        Family { sets, ..self }
    }

    /// Its tokenizers.
    #[must_use]
    pub const fn tokenizers(self, tokenizers: &'static [TokenizerEntry]) -> Self {
        Family { tokenizers, ..self }
    }

    /// Its normalizers.
    #[must_use]
    pub const fn normalizers(self, normalizers: &'static [NormalizerEntry]) -> Self {
        Family { normalizers, ..self }
    }

    /// Its readers of files.
    #[must_use]
    pub const fn readers(self, readers: &'static [ReaderEntry]) -> Self {
        Family { readers, ..self }
    }

    /// Its texts with parts.
    #[must_use]
    pub const fn parted(self, parted: &'static [PartedText]) -> Self {
        Family { parted, ..self }
    }

    /// Its pages.
    #[must_use]
    pub const fn pages(self, pages: &'static [FamilyPage]) -> Self {
        Family { pages, ..self }
    }
}

/// The families of a program, over a registry and tokenizers that belong to none.
#[derive(Debug, Clone)]
pub struct Families {
    list: Vec<Family>,
    /// Without metrics over metrics.
    registry: Registry,
    whole: OnceLock<Registry>,
    lacking: Vec<(&'static [&'static str], &'static str)>,
    tokenizers: Tokenizers,
}

impl Families {
    /// No family yet.
    pub fn new(registry: Registry, tokenizers: Tokenizers) -> Self {
        Families { list: Vec::new(), registry, whole: OnceLock::new(), lacking: Vec::new(), tokenizers }
    }

    /// These and one more.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] for a family, metric, tokenizer, normalizer or reader whose name is taken, with both families, and
    /// for names that their lists refuse.
    pub fn with(mut self, family: Family) -> Result<Self, ConfigError> {
        if self.get(family.name).is_some() {
            return Err(ConfigError::Conflict(format!("the family `{}` is there already", family.name)));
        }
        self.add_parts(&family).map_err(|error| self.blame(&family, error))?;
        self.list.push(family);
        self.whole = OnceLock::new();
        Ok(self)
    }

    /// Notes a family that this build lacks: asking for one of its metrics is an error with the feature that brings it.
    pub fn lack(&mut self, names: &'static [&'static str], feature: &'static str) {
        self.registry.lack(names, feature);
        self.lacking.push((names, feature));
        self.whole = OnceLock::new();
    }

    /// All families, in order.
    pub fn list(&self) -> &[Family] {
        &self.list
    }

    /// The family of a name.
    pub fn get(&self, name: &str) -> Option<&Family> {
        self.list.iter().find(|family| family.name == name)
    }

    /// All metrics.
    pub fn registry(&self) -> &Registry {
        match self.list.iter().any(|family| family.over.is_some()) {
            true => {
                self.whole.get_or_init(|| self.with_those_over().unwrap_or_else(|_| self.registry.clone()))
            }
            false => &self.registry,
        }
    }

    /// All tokenizers and normalizers.
    pub fn tokenizers(&self) -> &Tokenizers {
        &self.tokenizers
    }

    fn with_those_over(&self) -> Result<Registry, ConfigError> {
        let over: Vec<MetricEntry> =
            self.list.iter().filter_map(|family| family.over).flat_map(|over| over(self)).collect();
        let own =
            |entry: &MetricEntry| over.iter().find(|one| one.name == entry.name).unwrap_or(entry).clone();
        let entries: Vec<MetricEntry> = self.registry.entries().iter().map(own).collect();
        let mut whole = Registry::from_entries(&entries)?;
        self.registry.sets().iter().try_for_each(|set| whole.add_set(*set))?;
        self.lacking.iter().for_each(|(names, feature)| whole.lack(names, feature));
        Ok(whole)
    }

    fn add_parts(&mut self, family: &Family) -> Result<(), ConfigError> {
        family.metrics.iter().try_for_each(|entry| self.registry.add(entry.clone()))?;
        family.sets.iter().try_for_each(|set| self.registry.add_set(*set))?;
        family.tokenizers.iter().try_for_each(|entry| self.tokenizers.add(*entry))?;
        family.normalizers.iter().try_for_each(|entry| self.tokenizers.normalizers.add(*entry))?;
        self.tokenizers.parted.extend(family.parted);
        let known = |name: &String| self.list.iter().any(|other| readers(other).contains(name));
        match readers(family).into_iter().find(known) {
            Some(name) => Err(ConfigError::Conflict(format!("the reader name `{name}` is taken"))),
            None => Ok(()),
        }
    }

    /// The error with the family, and with the other if a name is taken by one.
    fn blame(&self, family: &Family, error: ConfigError) -> ConfigError {
        let ConfigError::Conflict(message) = error else { return error };
        let clash = |names: &fn(&Family) -> Vec<String>, other: &Family| {
            let known = names(other);
            names(family).iter().any(|name| known.contains(name))
        };
        let other = self.list.iter().find(|other| NAMES.iter().any(|names| clash(names, other)));
        ConfigError::Conflict(match other {
            Some(other) => format!("the families `{}` and `{}` clash: {message}", other.name, family.name),
            None => format!("the family `{}`: {message}", family.name),
        })
    }
}

/// The names of the options of its readers, and of its texts with parts.
fn readers(family: &Family) -> Vec<String> {
    let options = |reader: &'static ReaderEntry| {
        std::iter::once(reader.name).chain(reader.options.iter().map(|option| option.name))
    };
    let readers = family.readers.iter().flat_map(options);
    readers.chain(family.parted.iter().map(|parted| parted.name)).map(str::to_owned).collect()
}

/// The names of a family, one function for each kind.
const NAMES: [fn(&Family) -> Vec<String>; 4] = [
    |family| {
        let metrics = family.metrics.iter().flat_map(MetricEntry::names);
        metrics.chain(family.sets.iter().map(|set| set.name)).map(str::to_ascii_lowercase).collect()
    },
    |family| family.tokenizers.iter().flat_map(TokenizerEntry::names).map(str::to_owned).collect(),
    |family| family.normalizers.iter().flat_map(NormalizerEntry::names).map(str::to_owned).collect(),
    readers,
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
        let (one, two) = (Family::new("one", "first"), Family::new("two", "second"));
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
