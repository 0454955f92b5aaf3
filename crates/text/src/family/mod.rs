//! [`Family`]: a group of metrics with the tokenizers and documentation that they need. [`Families`]: all
//! families of a program.

mod alignment;
mod command;
mod option;
mod reported;
mod scorer;

pub use alignment::{
    AlignedPair, AlignmentOutput, AlignmentPart, AlignmentReport, ReportTexts, WordTable, WordTableRow,
};
pub use command::{
    CommandAnswer, FamilyCommand, FamilyExplanation, FamilyRequest, FamilyRun, ProgramServices,
};
pub use option::{FamilyOption, OptionValues};
pub use reported::RoundedTarget;
pub use scorer::TextScorer;

use std::sync::OnceLock;

use bleuprint_core::{ConfigError, Result};
use bleuprint_registry::{MetricEntry, MetricSet, Registry};

use crate::names::qualified;
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

/// A family: related metrics with their tokenizers, normalizers, file readers, commands and documentation. A
/// program that registers the family offers all of them to its users.
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
    pub composites: Option<fn(&Families) -> Vec<MetricEntry>>,
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
    /// The commands that come with this family of metrics.
    pub commands: &'static [FamilyCommand],
    /// The explanations of reported numbers that this family adds to the command `explain`.
    pub explanations: &'static [FamilyExplanation],
    /// The tables, reports and alignments that this family adds to the command `align`.
    pub alignments: &'static [AlignmentOutput],
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
            composites: None,
            sets: &[],
            tokenizers: &[],
            normalizers: &[],
            readers: &[],
            parted: &[],
            commands: &[],
            explanations: &[],
            alignments: &[],
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

    /// Sets the commands of the family.
    #[must_use]
    pub const fn commands(self, commands: &'static [FamilyCommand]) -> Self {
        Family { commands, ..self }
    }

    /// Sets the explanations of reported numbers that the family adds to the command `explain`.
    #[must_use]
    pub const fn explanations(self, explanations: &'static [FamilyExplanation]) -> Self {
        Family { explanations, ..self }
    }

    /// Sets the tables, reports and alignments that the family adds to the command `align`.
    #[must_use]
    pub const fn alignments(self, alignments: &'static [AlignmentOutput]) -> Self {
        Family { alignments, ..self }
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
    /// The metrics of all families as they were added, without the replacements that `Family::composites` makes.
    registry: Registry,
    /// The metrics of all families, with the replacements that the functions `Family::composites` made; built at
    /// the first use.
    whole: OnceLock<Registry>,
    tokenizers: Tokenizers,
    text_scorer: Option<scorer::MakeTextScorer>,
}

impl Families {
    /// Creates a list without families. `registry` and `tokenizers` are the metrics and tokenizers that the
    /// program already has; the families are added to them later.
    pub fn new(registry: Registry, tokenizers: Tokenizers) -> Self {
        Families { list: Vec::new(), registry, whole: OnceLock::new(), tokenizers, text_scorer: None }
    }

    /// Adds a family and returns the extended list. A metric, a set of metrics, a tokenizer, a normalizer or a
    /// reader whose name an earlier family has is called `family/name`.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the name of the family, or of one of its kinds of texts in parts,
    /// is taken; the error names both families. Also returns it if one of the names is invalid, or if the
    /// family has a name twice.
    pub fn with(mut self, mut family: Family) -> Result<Self, ConfigError> {
        if self.get(family.name).is_some() {
            return Err(ConfigError::Conflict(format!("the family `{}` is there already", family.name)));
        }
        self.add_parts(&family).map_err(|error| self.blame(&family, error))?;
        self.rename_readers(&mut family);
        self.rename_options(&mut family);
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
        match self.list.iter().any(|family| family.composites.is_some()) {
            true => {
                // The replacements cannot clash, since each has the name of an entry that was accepted
                // before. If they did, the registry without them would still serve all other metrics.
                self.whole.get_or_init(|| self.with_composites().unwrap_or_else(|_| self.registry.clone()))
            }
            false => &self.registry,
        }
    }

    /// Returns the tokenizers and normalizers of all families.
    pub fn tokenizers(&self) -> &Tokenizers {
        &self.tokenizers
    }

    fn with_composites(&self) -> Result<Registry, ConfigError> {
        let of_family = |family: &Family| {
            let entries = family.composites.map(|make| make(self)).unwrap_or_default();
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
        let list = &self.list;
        for (at, entry) in family.metrics.iter().enumerate() {
            let before = || family.metrics[..at].iter().flat_map(MetricEntry::names).map(str::to_owned);
            let owner = |name: &str| owner(list, family_metrics, before(), &name.to_ascii_lowercase());
            self.registry.add_of_family(entry, family.name, owner)?;
        }
        for (at, set) in family.sets.iter().enumerate() {
            let own = Family { sets: &family.sets[..at], ..*family };
            let owner =
                |name: &str| owner(list, family_metrics, family_metrics(&own), &name.to_ascii_lowercase());
            self.registry.add_set_of_family(*set, family.name, owner)?;
        }
        for (at, entry) in family.tokenizers.iter().enumerate() {
            let own = Family { tokenizers: &family.tokenizers[..at], ..*family };
            let owner = |name: &str| owner(list, family_tokenizers, family_tokenizers(&own), name);
            self.tokenizers.add_of_family(*entry, family.name, owner)?;
        }
        for (at, entry) in family.normalizers.iter().enumerate() {
            let own = Family { normalizers: &family.normalizers[..at], ..*family };
            let owner = |name: &str| owner(list, family_normalizers, family_normalizers(&own), name);
            self.tokenizers.normalizers.add_of_family(*entry, family.name, owner)?;
        }
        let parted = family.parted.iter().map(|parted| parted.name);
        let taken = |name: &&str| self.tokenizers.parted.iter().any(|known| known.name == *name);
        if let Some(name) = parted.into_iter().find(taken) {
            return Err(ConfigError::Conflict(format!("the kind of texts `{name}` is taken")));
        }
        self.tokenizers.parted.extend(family.parted);
        Ok(())
    }

    /// Renames those readers of the family, and those of their options, whose names an earlier family has.
    fn rename_readers(&self, family: &mut Family) {
        let clash = |name: &str, choices: Option<&'static str>| {
            let mut known = self.list.iter().flat_map(readers);
            known.any(|(known, own)| known == name && (choices.is_none() || own != choices))
        };
        if !readers(family).any(|(name, choices)| clash(name, choices)) {
            return;
        }
        let of_family = family.name;
        let renamed = |name: &'static str, choices| {
            if clash(name, choices) { qualified(of_family, name) } else { name }
        };
        let option = |option: &ReaderOption| ReaderOption {
            name: renamed(option.name, shared_value(option)),
            ..*option
        };
        let reader = |reader: &ReaderEntry| {
            let options: Vec<ReaderOption> = reader.options.iter().map(option).collect();
            ReaderEntry { name: renamed(reader.name, None), options: Vec::leak(options), ..*reader }
        };
        // The readers of a family live as long as the program.
        family.readers = Vec::leak(family.readers.iter().map(reader).collect());
    }

    /// Renames those options for `align` and `explain` whose names an earlier family has.
    fn rename_options(&self, family: &mut Family) {
        let of_family = family.name;
        let of_alignments = |family: &Family| family.alignments.iter().flat_map(|output| output.options);
        let known: Vec<&str> = self.list.iter().flat_map(of_alignments).map(|option| option.name).collect();
        if of_alignments(family).any(|option| known.contains(&option.name)) {
            let output = |output: &AlignmentOutput| {
                let options = output.options.iter().map(|option| option.renamed(&known, of_family));
                AlignmentOutput { options: Vec::leak(options.collect()), ..*output }
            };
            // The outputs of a family live as long as the program, as its readers do.
            family.alignments = Vec::leak(family.alignments.iter().map(output).collect());
        }
        let of_explanation =
            |own: &'static FamilyExplanation| std::iter::once(&own.option).chain(own.options);
        let of_explanations = |family: &Family| family.explanations.iter().flat_map(of_explanation);
        let known: Vec<&str> = self.list.iter().flat_map(of_explanations).map(|option| option.name).collect();
        if of_explanations(family).any(|option| known.contains(&option.name)) {
            let explanation = |own: &FamilyExplanation| {
                let options = own.options.iter().map(|option| option.renamed(&known, of_family));
                let option = own.option.renamed(&known, of_family);
                FamilyExplanation { option, options: Vec::leak(options.collect()), ..*own }
            };
            family.explanations = Vec::leak(family.explanations.iter().map(explanation).collect());
        }
    }

    /// Adds the name of `family` to an error about a duplicate name, and the name of the earlier family that
    /// already uses that name.
    fn blame(&self, family: &Family, error: ConfigError) -> ConfigError {
        let ConfigError::Conflict(message) = error else { return error };
        let has = |other: &Family, name: &str| other.parted.iter().any(|known| known.name == name);
        let clash = |other: &&Family| family.parted.iter().any(|parted| has(other, parted.name));
        let other = self.list.iter().find(clash);
        ConfigError::Conflict(match other {
            Some(other) => format!("the families `{}` and `{}` clash: {message}", other.name, family.name),
            None => format!("the family `{}`: {message}", family.name),
        })
    }
}

/// Returns the names of the family's readers and of the readers' options.
/// An option that several readers may share is paired with the placeholder of its value; all other names are
/// paired with `None`.
fn readers(family: &Family) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let options = |reader: &'static ReaderEntry| {
        let options = reader.options.iter().map(|option| (option.name, shared_value(option)));
        std::iter::once((reader.name, None)).chain(options)
    };
    family.readers.iter().flat_map(options)
}

/// Returns the placeholder of an option that readers of several families may share: an option with a list of
/// choices, such as `--missing MODE`, or with a file, such as `--uem FILE`. The program then offers it once.
fn shared_value(option: &ReaderOption) -> Option<&'static str> {
    option.value.filter(|value| !option.choices.is_empty() || *value == "FILE")
}

/// Returns the family of `list` that has `name`, or `bleuprint` for a name of the library itself. Returns
/// `None` if the name is among `own`, the names that the added family brought before.
fn owner(
    list: &[Family],
    names: fn(&Family) -> Vec<String>,
    own: impl IntoIterator<Item = String>,
    name: &str,
) -> Option<&'static str> {
    if own.into_iter().any(|own| own == name) {
        return None;
    }
    let family = list.iter().find(|other| names(other).iter().any(|known| known == name));
    Some(family.map_or("bleuprint", |family| family.name))
}

/// Returns the names of the family's metrics and sets of metrics in lower case, because they are compared
/// without case. All other names are compared exactly.
fn family_metrics(family: &Family) -> Vec<String> {
    let metrics = family.metrics.iter().flat_map(MetricEntry::names);
    metrics.chain(family.sets.iter().map(|set| set.name)).map(str::to_ascii_lowercase).collect()
}

fn family_tokenizers(family: &Family) -> Vec<String> {
    family.tokenizers.iter().flat_map(TokenizerEntry::names).map(str::to_owned).collect()
}

fn family_normalizers(family: &Family) -> Vec<String> {
    family.normalizers.iter().flat_map(NormalizerEntry::names).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: NormalizerEntry = NormalizerEntry::new("step", "mine", || unreachable!());
    const CUT: TokenizerEntry = TokenizerEntry::new("cut", "mine", |_| unreachable!());
    const SET: MetricSet = MetricSet { name: "both", summary: "Two", metrics: &["bleu", "chrf"] };

    const WHOLE: PartedText = PartedText { name: "whole", cut: |words, _, _| words };
    const LEVEL: ReaderOption =
        ReaderOption { name: "level", value: None, choices: &[], has_sources: false, help: "The level" };
    const TREES: ReaderEntry = ReaderEntry {
        name: "trees",
        help: "Trees",
        of: "trees",
        metrics: "depth",
        gives: crate::SegmentKind::Texts,
        value: None,
        has_outputs: false,
        options: &[LEVEL],
        open: |_| unreachable!(),
    };

    fn clash(first: Family, second: Family) -> String {
        let families = Families::new(Registry::default(), Tokenizers::default()).with(first).unwrap();
        families.with(second).unwrap_err().to_string()
    }

    #[test]
    fn a_family_that_is_there_twice_is_refused() {
        let one = Family::new("one", "first");
        let two = Family::new("two", "second");
        assert_eq!(clash(one, one), "the family `one` is there already");
        assert_eq!(
            clash(one.parted(&[WHOLE]), two.parted(&[WHOLE])),
            "the families `one` and `two` clash: the kind of texts `whole` is taken"
        );
        for (family, message) in [
            (two.tokenizers(&[CUT, CUT]), "the tokenizer name `cut` is taken by `cut`"),
            (two.normalizers(&[STEP, STEP]), "the normalizer name `step` is taken by `step`"),
            (two.sets(&[SET, SET]), "the metric name `both` is taken by `both`"),
        ] {
            assert_eq!(clash(one, family), format!("the family `two`: {message}"));
        }
    }

    /// Families whose names clash with each other and with the library.
    fn clashing() -> Families {
        const LOWER: NormalizerEntry = NormalizerEntry::new("lower", "mine", || {
            Ok(Box::new(crate::Normalizers::default().build("lower")?))
        });
        const TOO: TokenizerEntry = CUT.aliases(&["intl"]);
        const OF_LIBRARY: TokenizerEntry =
            TokenizerEntry::new("13a", "mine", |request| request.tokenizers.build("none", request.options));
        let one = Family::new("one", "first");
        let one = one.tokenizers(&[CUT]).sets(&[SET]).readers(&[TREES]);
        let two = Family::new("two", "second").sets(&[SET]).readers(&[TREES]).normalizers(&[LOWER]);
        let two = two.tokenizers(&[TOO, OF_LIBRARY]);
        let families = Families::new(Registry::default(), Tokenizers::default());
        families.with(one).unwrap().with(two).unwrap()
    }

    #[test]
    fn a_tokenizer_whose_name_is_taken_is_named_after_its_family() {
        let families = clashing();
        let tokenizers = families.tokenizers();
        let space = |name: &str| {
            let built = tokenizers.build(name, &crate::TokenizerOptions::default()).unwrap();
            built.token_space().to_owned()
        };
        assert_eq!(space("two/13a"), "two/none");
        // The library keeps its names, so that its metrics and files do not change.
        assert_eq!([space("13a"), space("bleuprint/13a"), space("intl")], ["13a", "13a", "intl"]);
        assert_eq!(tokenizers.name_of_label("13a"), Some("13a"));
        assert_eq!(tokenizers.get("two/cut").unwrap().name, "two/cut");
        assert_eq!(tokenizers.get("one/cut").unwrap().name, "cut");
        for (name, message) in [
            ("cut", "two families have a tokenizer `cut`: write `one/cut` or `two/cut`"),
            ("13a", "two families have a tokenizer `13a`: write `bleuprint/13a` or `two/13a`"),
        ] {
            assert_eq!(tokenizers.require_one(name).unwrap_err().to_string(), message);
        }
        assert!(["two/cut", "one/cut", "intl"].iter().all(|name| tokenizers.require_one(name).is_ok()));
    }

    #[test]
    fn a_normalizer_a_set_and_a_reader_are_named_after_their_family_too() {
        let families = clashing();
        let normalizers = &families.tokenizers().normalizers;
        let names = ["two/lower", "lower+two/lower", "bleuprint/lower"];
        let built = names.map(|chain| crate::Normalizer::name(&normalizers.build(chain).unwrap()).to_owned());
        assert_eq!(built, ["two/lower", "lower+two/lower", "lower"]);
        assert_eq!(
            normalizers.require_one("nfc+lower").unwrap_err().to_string(),
            "two families have a normalizer `lower`: write `bleuprint/lower` or `two/lower`"
        );
        let registry = families.registry();
        assert_eq!(registry.expand("two/both"), ["bleu", "chrf"]);
        assert_eq!(registry.expand("one/both"), ["bleu", "chrf"]);
        assert_eq!(registry.expand("both"), ["both"]);
        let error = registry.parse("both").unwrap_err().to_string();
        assert_eq!(error, "two families have a metric `both`: write `one/both` or `two/both`");
        let readers = |family: &str| families.get(family).unwrap().readers[0];
        assert_eq!((readers("one").name, readers("one").options[0].name), ("trees", "level"));
        let [name, option] = [readers("two").name, readers("two").options[0].name];
        assert_eq!([name, option], ["two/trees", "two/level"]);
        let given = [(option, String::from("3"))];
        let files =
            crate::ReaderFiles { reference: "", systems: &[], options: &given, metrics: &[], texts: true };
        assert_eq!((files.option("level"), files.option("vel")), (Some("3"), None));
    }
}
