//! [`Registry`]: the list of metrics that can be built by name, with their options as data.
//!
//! Interfaces such as the command line read name, help and options of each metric from its entry. To add a
//! metric to a program, add a [`MetricEntry`] to the registry; metrics do not register themselves.

use core::fmt;

use bleuprint_core::{ConfigError, InputError, Metric as _, Result, StateBytes};

use crate::prelude::*;
use crate::taken_names::TakenNames;
use crate::{
    AnyMetric, AnyState, Meaning, MetricOptions, Opt, OptionKind, OptionSpec, Paper, Preset, Spelling,
};

type BuildMetric = fn(&MetricOptions) -> Result<AnyMetric, ConfigError>;
type CapturedBuild = dyn Fn(&MetricOptions) -> Result<AnyMetric, ConfigError> + Send + Sync;

/// The constructor of a metric in the registry: a plain function, or a closure that holds a loaded model or
/// table.
#[derive(Clone)]
enum Build {
    Plain(BuildMetric),
    Captured(Arc<CapturedBuild>),
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Build")
    }
}

/// Neural metrics that users look for, by name. They need a model, so other programs compute their scores.
const NEURAL: [&str; 14] = [
    "comet",
    "cometkiwi",
    "xcomet",
    "comet22",
    "comet-22",
    "bleurt",
    "metricx",
    "prism",
    "bartscore",
    "moverscore",
    "unieval",
    "yisi",
    "gemba",
    "mauve",
];

/// A metric in the registry, with everything that programs need to list and build it.
///
/// ```
/// use bleuprint_core::*;
/// use bleuprint_registry::*;
/// const ENTRY: MetricEntry = MetricEntry::new("mine", "Constant score", |_| {
///     let identity = Identity::new("mine", 1, Scale::UNIT);
///     AnyMetric::for_ids(PerSegment::new(identity, |_: Segment<'_, [u32]>| Ok(1.0)))
/// })
/// .agrees_with("its definition");
/// let mut registry = Registry::default();
/// registry.add(ENTRY).unwrap();
/// assert_eq!(registry.build("mine").unwrap().identity().name(), "mine");
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MetricEntry {
    /// Name by which users choose the metric, such as `bleu`; it is also the name in state keys.
    pub name: Cow<'static, str>,
    /// Further names by which users can choose the metric.
    pub aliases: &'static [&'static str],
    /// Names for the metric with certain options, such as `chrf++`.
    pub presets: &'static [Preset],
    /// Alternative names of the metric, which lists of metrics omit.
    pub spellings: &'static [Spelling],
    /// One line of help that says which quantity the metric measures.
    pub summary: Cow<'static, str>,
    /// Papers that define the metric.
    pub papers: &'static [Paper],
    /// Name and version of the program whose scores the metric reproduces.
    pub agrees_with: &'static str,
    /// Options that the metric accepts.
    pub options: &'static [OptionSpec],
    /// Names and values of options for an example, if the metric cannot be built without options.
    pub needed_options: &'static [(&'static str, &'static str)],
    /// One segment that the metric scores, as a record in JSON on one line, with the keys of a file of
    /// segments: `{"hypothesis": "a b", "references": ["a c"]}`. A metric over numbers has the record that
    /// holds its numbers. The record is empty if the entry has no example.
    pub example: &'static str,
    /// Function that returns advice if valid options are probably a mistake.
    pub advice: fn(&MetricOptions) -> Option<&'static str>,
    /// Option that makes the statistics a row of counts, as in `labels=a/b`; empty if there is none.
    pub rows_with: &'static str,
    build: Build,
}

impl MetricEntry {
    /// Creates the registry entry of a metric without options; `build` constructs the metric.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildMetric) -> Self {
        MetricEntry::with_build(Cow::Borrowed(name), Cow::Borrowed(summary), Build::Plain(build))
    }

    /// Creates the registry entry of a metric without options. Use it if the metric's name is known only at
    /// run time, or if its constructor holds a model or a table.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// let weights = std::sync::Arc::new(vec![0.5]);
    /// let name = format!("mine-{}", weights.len());
    /// let entry = MetricEntry::owned(name, "Marks of a model", move |_| {
    ///     let (weights, identity) = (weights.clone(), Identity::new("mine", 1, Scale::UNIT));
    ///     AnyMetric::for_ids(PerSegment::new(identity, move |_: Segment<'_, [u32]>| Ok(weights[0])))
    /// });
    /// let mut registry = Registry::default();
    /// registry.add(entry).unwrap();
    /// assert!(registry.build("mine-1").is_ok());
    /// ```
    pub fn owned(
        name: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
        build: impl Fn(&MetricOptions) -> Result<AnyMetric, ConfigError> + Send + Sync + 'static,
    ) -> Self {
        MetricEntry::with_build(name.into(), summary.into(), Build::Captured(Arc::new(build)))
    }

    const fn with_build(name: Cow<'static, str>, summary: Cow<'static, str>, build: Build) -> Self {
        MetricEntry {
            name,
            aliases: &[],
            presets: &[],
            spellings: &[],
            summary,
            papers: &[],
            agrees_with: "its definition",
            options: &[],
            needed_options: &[],
            example: "",
            advice: |_| None,
            rows_with: "",
            build,
        }
    }

    /// Returns the options with which the metric's example is built; empty for most metrics.
    pub fn example_options(&self) -> MetricOptions {
        self.needed_options
            .iter()
            .fold(MetricOptions::default(), |options, (name, value)| options.with(name, value))
    }

    /// Returns all names of the metric: its registry name, aliases and presets.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let others = self.aliases.iter().copied().chain(self.presets.iter().map(|preset| preset.name));
        core::iter::once(&*self.name).chain(others)
    }

    /// Returns the metric's option with this name. The metric's name at the start may be omitted:
    /// `word-order` for `chrf-word-order`.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] with the names of all options if the metric has no such option.
    pub fn option(&self, name: &str) -> Result<&'static OptionSpec, ConfigError> {
        let long = format!("{}-{name}", self.plain_name().replace('_', "-"));
        let find = |wanted: &str| self.options.iter().find(|spec| spec.name == wanted);
        find(name).or_else(|| find(&long)).ok_or_else(|| {
            let known = self.options.iter().map(|spec| spec.name);
            ConfigError::unknown_name(&format!("option of {}", self.name), name, known)
        })
    }

    /// Returns the name of an option without the metric's name at the start: `word-order` for
    /// `chrf-word-order`.
    pub fn own_name(&self, option: &OptionSpec) -> &'static str {
        let rest = option.name.strip_prefix(&*self.plain_name().replace('_', "-"));
        rest.and_then(|rest| rest.strip_prefix('-')).unwrap_or(option.name)
    }

    /// Returns the metric's name without its family: `name` for `family/name`. The family is written in front
    /// of a name that two families have.
    fn plain_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the entry under the name `family/name`, without those lists of further names that `taken`
    /// reports for one of their names.
    fn within(&self, family: &'static str, taken: impl Fn(&str) -> bool) -> MetricEntry {
        let own = self.clone();
        let build = move |options: &MetricOptions| Ok(own.build(options)?.within(family));
        let mut entry = self.without_names(taken);
        entry.name = Cow::Owned(format!("{family}/{}", self.name));
        entry.build = Build::Captured(Arc::new(build));
        entry
    }

    fn without_names(&self, taken: impl Fn(&str) -> bool) -> MetricEntry {
        let mut entry = self.clone();
        if entry.aliases.iter().any(|name| taken(name)) {
            entry.aliases = &[];
        }
        if entry.presets.iter().any(|preset| taken(preset.name)) {
            entry.presets = &[];
        }
        if entry.spellings.iter().any(|spelling| taken(spelling.name)) {
            entry.spellings = &[];
        }
        entry
    }

    /// Builds the metric with the given options, each of which the metric must have.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] with the names of all options for an unknown option, and the
    /// errors of the metric's constructor.
    pub fn build(&self, options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
        // Constructors look options up by their long names, so short names are expanded first.
        let mut full = options.emptied();
        for (name, value) in options.iter() {
            let spec = self.option(name)?;
            full.set(spec.name, value);
        }
        match &self.build {
            Build::Plain(build) => build(&full),
            Build::Captured(build) => build(&full),
        }
    }
}

/// Defines setters for those fields of a registry entry that most metrics omit.
macro_rules! setters {
    ($($(#[$doc:meta])+ $visibility:vis fn $field:ident($type:ty);)+) => {
        impl MetricEntry {$(
            $(#[$doc])+
            #[must_use]
            $visibility const fn $field(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )+}
    };
}

setters! {
    /// Sets further names by which users can choose the metric.
    pub fn aliases(&'static [&'static str]);
    /// Sets the presets: names for the metric with certain options, such as `chrf++`.
    pub fn presets(&'static [Preset]);
    /// Sets alternative names of the metric, which lists of metrics omit.
    pub fn spellings(&'static [Spelling]);
    /// Sets the papers that define the metric.
    pub fn papers(&'static [Paper]);
    /// Sets the name and version of the program whose scores the metric reproduces.
    pub fn agrees_with(&'static str);
    /// Sets the options that the metric accepts.
    pub fn options(&'static [OptionSpec]);
    /// Sets the options with which the metric's example is built, if it needs any.
    pub fn needed_options(&'static [(&'static str, &'static str)]);
    /// Sets one segment that the metric scores, as a record in JSON on one line; see the field `example`.
    /// Programs show it, and tests of interfaces read it.
    pub fn example(&'static str);
    /// Sets a function that returns advice if valid options are probably a mistake.
    pub fn advice(fn(&MetricOptions) -> Option<&'static str>);
    /// Sets the option that makes the metric's statistics a row of counts, as in `labels=a/b`. Errors of
    /// operations that need a row name this option.
    pub fn rows_with(&'static str);
}

/// A metric with options, parsed from a text that a user wrote: `bleu`, `chrf++`, `rouge:order=2,stemmer`.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a choice needs all of it")]
pub struct MetricSpec {
    /// Name of the metric in the registry, such as `bleu`.
    pub metric: Cow<'static, str>,
    /// Option values: the values of a preset such as `chrf++`, and the values that the user gave.
    pub options: MetricOptions,
    /// Tokenizer that the user chose for this metric only, as in `wer:tokenize=char`.
    pub tokenizer: Option<String>,
    /// Lower-casing that the user chose for this metric only, as in `bleu:lowercase` or `bleu:lowercase=no`.
    pub lowercase: Option<bool>,
    /// Text normalizer that the user chose for this metric only, as in `wer:norm=whisper-en`.
    pub normalizer: Option<String>,
}

impl MetricSpec {
    /// Returns the metric's name with its options, such as `bleu:max-order=2`. The tokenizer is omitted,
    /// because the state key names it.
    pub fn name(&self) -> String {
        self.options.named(&self.metric)
    }
}

/// A name for a group of metrics, such as `coco` for the metrics of the COCO evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct MetricSet {
    /// Name of the group of metrics; upper or lower case does not matter.
    pub name: &'static str,
    /// Line of help that describes the group of metrics.
    pub summary: &'static str,
    /// Metrics of the group, as users write them, such as `rouge:order=2`.
    pub metrics: &'static [&'static str],
}

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

    /// Adds a name for a group of metrics to the registry.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the name is taken.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// const TWO: MetricSet = MetricSet { name: "two", summary: "Both", metrics: &["bleu", "chrf"] };
    /// let mut registry = Registry::default();
    /// registry.add_set(TWO).unwrap();
    /// assert_eq!(registry.expand("Two"), ["bleu", "chrf"]);
    /// assert_eq!(registry.expand("bleu:max-order=2"), ["bleu:max-order=2"]);
    /// assert_eq!(registry.expand("two:x=1"), ["bleu:x=1", "chrf:x=1"]);
    /// assert!(registry.add_set(TWO).is_err());
    /// ```
    pub fn add_set(&mut self, set: MetricSet) -> Result<(), ConfigError> {
        self.check_free(set.name)?;
        self.sets.push(set);
        Ok(())
    }

    /// Adds a group of metrics of a family. If its name is taken, the group is called `family/name`, and the
    /// plain name becomes an error of [`Registry::parse`] that shows both. `owner` returns the family of an
    /// earlier name.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the family itself has the name twice.
    pub fn add_set_of_family(
        &mut self,
        set: MetricSet,
        family: &'static str,
        owner: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<(), ConfigError> {
        let Err(error) = self.add_set(set) else { return Ok(()) };
        let Some(other) = owner(set.name) else { return Err(error) };
        // A group is a constant, so its name lives as long as the program.
        let name: &'static str = Box::leak(format!("{family}/{}", set.name).into_boxed_str());
        self.add_set(MetricSet { name, ..set })?;
        let first = format!("{other}/{}", set.name);
        self.shared.push(SharedName { plain: set.name.to_owned(), first, second: name.to_owned() });
        Ok(())
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

    /// Returns the metrics of the group with this name, or the name itself if it is not a group. An option
    /// after a group's name applies to the metrics of the group that have this option, or to all of them if
    /// none has it.
    pub fn expand(&self, name: &str) -> Vec<String> {
        let (set, given) = name.split_once(':').unwrap_or((name, ""));
        let first = self.shared.iter().find(|shared| shared.first.eq_ignore_ascii_case(set));
        // Building the metric of a name that two families have reports the error.
        let is_one = first.is_some() || self.shared_name(set).is_none();
        let plain = first.map_or(set, |shared| &shared.plain);
        let mut sets = self.sets.iter().filter(|_| is_one);
        let Some(set) = sets.find(|known| known.name.eq_ignore_ascii_case(plain)) else {
            return vec![name.to_owned()];
        };
        let of_set = |metric: &&str| {
            let (name, options) = metric.split_at(metric.find(':').unwrap_or(metric.len()));
            // A group names the metrics that were there before a plug-in took the same name.
            let first = self.shared_name(name).map_or(name, |shared| &shared.first);
            format!("{first}{options}")
        };
        let mut metrics: Vec<String> = set.metrics.iter().map(of_set).collect();
        for option in given.split(',').filter(|option| !option.is_empty()) {
            let more = |metric: &str| {
                let between = if metric.contains(':') { ',' } else { ':' };
                format!("{metric}{between}{option}")
            };
            // If no metric knows the option, all get it, so that building the first of them reports the
            // error.
            let none = !metrics.iter().any(|metric| self.parse(&more(metric)).is_ok());
            for metric in &mut metrics {
                if none || self.parse(&more(metric)).is_ok() {
                    *metric = more(metric);
                }
            }
        }
        metrics
    }

    /// Returns all groups of metrics, in the order in which they were added.
    pub fn sets(&self) -> &[MetricSet] {
        &self.sets
    }

    fn check_free(&self, name: &str) -> Result<(), ConfigError> {
        let entry = self.names.place(&self.entries, name).map(|place| &*self.entries[place].name);
        let set = || self.sets.iter().map(|set| set.name).find(|set| set.eq_ignore_ascii_case(name));
        let conflict =
            |taken: &str| ConfigError::Conflict(format!("the metric name `{name}` is taken by `{taken}`"));
        entry.or_else(set).map_or(Ok(()), |taken| Err(conflict(taken)))
    }

    /// Returns the metric with this name, alias, preset or alternative name, in upper or lower case.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] with all names, or [`ConfigError::Resource`] if this build lacks
    /// the metric. Returns [`ConfigError::Conflict`] if the name has several meanings, or is a neural metric,
    /// which this program cannot compute.
    pub fn get(&self, name: &str) -> Result<&MetricEntry, ConfigError> {
        if let Some((entry, _)) = self.find(name) {
            return Ok(entry);
        }
        if let Some((entry, _)) = self.spelt(name)? {
            return Ok(entry);
        }
        if let Some(feature) = self.lacks(name) {
            return Err(ConfigError::missing_feature(&format!("`{name}`"), feature, "bleuprint"));
        }
        let plain = name.to_ascii_lowercase().replace('_', "-");
        if NEURAL.contains(&&*plain) {
            return Err(ConfigError::Conflict(format!(
                "`{name}` is a neural metric, and this program has no models: compute its score of each segment with \
                 its own program, and give them as numbers, as in --numbers SYS=scores.jsonl -m given:name={plain}"
            )));
        }
        let known = self.entries.iter().flat_map(|entry| {
            let presets = entry.presets.iter().map(|preset| preset.name);
            // `BLEU-4` would only repeat `bleu`, but `accuracy` is the name to know.
            let own = |one: &&Spelling| match one.meaning {
                Meaning::Metric(metric) => !metric.get(..2).is_some_and(|start| {
                    one.name.get(..2).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
                }),
                Meaning::Ambiguous(_) => false,
            };
            let single = entry.spellings.iter().filter(own);
            core::iter::once(&*entry.name).chain(presets).chain(single.map(|one| one.name))
        });
        Err(ConfigError::unknown_name("metric", name, known))
    }

    /// Returns the metric that the alternative name `name` means, and the metric's own name with options.
    /// Returns `None` if no metric has this alternative name.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the alternative name has several meanings.
    fn spelt(&self, name: &str) -> Result<Option<(&MetricEntry, String)>, ConfigError> {
        for spelling in self.entries.iter().flat_map(|entry| entry.spellings) {
            let Some(number) = spelling.number(name) else { continue };
            return match spelling.meaning {
                Meaning::Ambiguous(question) => {
                    Err(ConfigError::Conflict(format!("`{name}` has several meanings: {question}")))
                }
                Meaning::Metric(metric) => {
                    let metric = metric.replace('N', number);
                    let own = metric.split(':').next().unwrap_or_default();
                    Ok(self.find(own).map(|(entry, _)| entry).map(|entry| (entry, metric.clone())))
                }
            };
        }
        Ok(None)
    }

    fn find(&self, name: &str) -> Option<(&MetricEntry, &str)> {
        let shared = self.shared.iter().find(|shared| shared.first.eq_ignore_ascii_case(name));
        let name = shared.map_or(name, |shared| &shared.plain);
        let entry = &self.entries[self.names.place(&self.entries, name)?];
        // An exact match comes first: the aliases of one entry may differ only in case.
        let exact = entry.names().find(|known| *known == name);
        let known = exact.or_else(|| entry.names().find(|known| known.eq_ignore_ascii_case(name)))?;
        Some((entry, known))
    }

    /// Parses a metric with options as a user writes it, such as `chrf:word-order=2,whitespace`. Upper or
    /// lower case of the name does not matter.
    ///
    /// An option without a value is a flag. A list of numbers is separated by `/`. In other values `%2C` is a
    /// comma and `%25` is `%`. Every metric accepts `tokenize`, `lowercase` and `norm`.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] if the metric or an option is unknown.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// # let registry = Registry::default();
    /// assert!(registry.parse("chrf:word-order=2").unwrap_err().to_string().contains("unknown metric `chrf`"));
    /// ```
    pub fn parse(&self, text: &str) -> Result<MetricSpec, ConfigError> {
        let name = text.split(':').next().unwrap_or_default();
        if let Some(SharedName { plain, first, second }) = self.shared_name(name) {
            return Err(ConfigError::Conflict(format!(
                "two families have a metric `{plain}`: write `{first}` or `{second}`"
            )));
        }
        self.parse_stored(text)
    }

    /// Parses a metric with options like [`Registry::parse`], as a file has it. A name that two families have
    /// means the first of them, as when the file was written.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] if the metric or an option is unknown.
    pub fn parse_stored(&self, text: &str) -> Result<MetricSpec, ConfigError> {
        let (name, given) = text.split_once(':').unwrap_or((text, ""));
        if self.find(name).is_none()
            && let Some((_, metric)) = self.spelt(name)?
        {
            let between = if metric.contains(':') { "," } else { ":" };
            return self.parse_stored(&if given.is_empty() {
                metric
            } else {
                format!("{metric}{between}{given}")
            });
        }
        let entry = self.get(name)?;
        let name = self.find(name).map_or(name, |(_, known)| known);
        let mut options = MetricOptions::default();
        let mut tokenizer = None;
        let mut lowercase = None;
        let mut normalizer = None;
        // The preset's options come first, so that the user's options override them.
        for preset in entry.presets.iter().filter(|preset| preset.name == name) {
            for (name, value) in preset.options {
                options.set(entry.option(name)?.name, value);
            }
        }
        for option in given.split(',').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, "yes"));
            match name {
                "tokenize" => tokenizer = Some(value.to_owned()),
                "norm" => normalizer = Some(value.to_owned()),
                "lowercase" => {
                    lowercase =
                        Some(Opt::flag("lowercase").value_in(&MetricOptions::default().with(name, value))?);
                }
                _ => {
                    let spec = entry.option(name)?;
                    let value = match spec.kind {
                        OptionKind::Numbers => value.replace('/', ","),
                        // `%25` is decoded last: otherwise `%252C` would become a comma.
                        _ => value.replace("%2C", ",").replace("%25", "%"),
                    };
                    options.set(spec.name, &value);
                }
            }
        }
        // Options are put into the order of the entry, so that their order in the text does not matter.
        let mut ordered = MetricOptions::default();
        for spec in entry.options {
            options.given(spec.name).into_iter().for_each(|value| ordered.set(spec.name, value));
        }
        let options = ordered;
        Ok(MetricSpec { metric: entry.name.clone(), options, tokenizer, lowercase, normalizer })
    }

    /// Parses a metric with options, such as `bleu:max-order=2`, and builds it.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::parse`] and of [`MetricEntry::build`].
    pub fn build(&self, text: &str) -> Result<AnyMetric, ConfigError> {
        let MetricSpec { metric, options, .. } = self.parse(text)?;
        self.get(&metric)?.build(&options)
    }

    /// Finds the metric of a stored state by the key of the state, and returns the metric with the state.
    ///
    /// The metric has the options that the key names. Options that change scores but no counts, such as
    /// smoothing, have their defaults: for others, build the metric and call [`StateBytes::open`].
    ///
    /// # Errors
    /// Returns [`MalformedState`](bleuprint_core::InputErrorKind::MalformedState) if the registry has no such
    /// metric, if the state belongs to several metrics, or if the key does not name all options that change
    /// counts; and the errors of [`StateBytes::open`].
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// const ENTRY: MetricEntry = MetricEntry::new("mine", "Constant score", |_| {
    ///     let identity = Identity::new("mine", 1, Scale::UNIT);
    ///     AnyMetric::for_ids(PerSegment::new(identity, |_: Segment<'_, [u32]>| Ok(1.0)))
    /// });
    /// let registry = Registry::from_entries(&[ENTRY]).unwrap();
    /// let bytes = StateBytes::new(&State::zero(&registry.build("mine").unwrap())).unwrap();
    /// let (metric, state) = registry.open(&bytes).unwrap();
    /// assert_eq!(state, State::zero(&metric));
    /// ```
    pub fn open(&self, bytes: &StateBytes) -> Result<(AnyMetric, AnyState)> {
        let key = bytes.key();
        let refused = |error: ConfigError| InputError::malformed_state(format!("the state `{key}`: {error}"));
        let [part] = &key.parts[..] else {
            let message =
                format!("the state `{key}` belongs to several metrics: open it with the panel of them");
            return Err(InputError::malformed_state(message));
        };
        let entry = self.get(&part.metric).map_err(refused)?;
        let mut options = MetricOptions::default();
        for spec in entry.options.iter().filter(|spec| spec.field.counted) {
            let given = part.params.iter().find(|(name, _)| name == spec.field.key);
            let [on, off] = spec.field.flag;
            match given {
                Some((_, value)) if spec.kind == OptionKind::Flag && value == on => {
                    options.set(spec.name, "yes")
                }
                Some((_, value)) if spec.kind == OptionKind::Flag && value == off => {}
                Some((_, value)) => options.set(spec.name, value),
                None => {}
            }
        }
        let metric = entry.build(&options).map_err(refused)?;
        let metric = if *metric.state_key() == *key { metric } else { metric.over(part.space.clone()) };
        let state = bytes.open(&metric)?;
        Ok((metric, state))
    }

    /// Returns all metrics of the registry, in the order in which they were added.
    pub fn entries(&self) -> &[MetricEntry] {
        &self.entries
    }
}
