//! [`Registry`]: the explicit list of metrics that can be built by name, with their options as data.
//!
//! Doors (the command line, other languages) are built from the entries: name, help, options. Adding a metric to
//! a program is adding a [`MetricEntry`]; nothing registers itself.

use core::fmt;

use bleuprint_core::{ConfigError, Result};

use crate::prelude::*;
use crate::{AnyMetric, MetricOptions, Opt, OptionKind, OptionSpec, Paper};

type BuildMetric = fn(&MetricOptions) -> Result<AnyMetric, ConfigError>;
type CapturedBuild = dyn Fn(&MetricOptions) -> Result<AnyMetric, ConfigError> + Send + Sync;

/// A constructor of a metric: of a constant entry, or one that holds a loaded model or a table.
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

/// A name for a metric with some options, as `chrf++` for chrF with word order 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of an entry")]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// Its options, which a user may override.
    pub options: &'static [(&'static str, &'static str)],
    /// One line of help.
    pub summary: &'static str,
}

/// A metric as programs list and build it.
///
/// ```
/// use bleuprint_core::*;
/// use bleuprint_registry::*;
/// const ENTRY: MetricEntry = MetricEntry::new("mine", "What it measures", |_| {
///     let identity = Identity::new("mine", 1, Scale::UNIT);
///     AnyMetric::over_ids(PerSegment::new(identity, |_: Segment<'_, [u32]>| Ok(1.0)))
/// })
/// .agrees_with("its definition");
/// let mut registry = Registry::default();
/// registry.add(ENTRY).unwrap();
/// assert_eq!(registry.build("mine").unwrap().identity().name(), "mine");
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MetricEntry {
    /// The registry name, which is also that of the file and of the state key.
    pub name: Cow<'static, str>,
    /// Other names that users know it by.
    pub aliases: &'static [&'static str],
    /// Names for the metric with some options.
    pub presets: &'static [Preset],
    /// One line: the measure.
    pub summary: Cow<'static, str>,
    /// The papers that define it.
    pub papers: &'static [Paper],
    /// The program and version whose numbers it gives.
    pub agrees_with: &'static str,
    /// The options it takes.
    pub options: &'static [OptionSpec],
    /// Options for an example of it, where it is not built without any.
    pub example: &'static [(&'static str, &'static str)],
    /// What is likely a mistake in options that are allowed.
    pub advice: fn(&MetricOptions) -> Option<&'static str>,
    build: Build,
}

impl MetricEntry {
    /// An entry without options.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildMetric) -> Self {
        MetricEntry::of(Cow::Borrowed(name), Cow::Borrowed(summary), Build::Plain(build))
    }

    /// An entry without options whose name is known at run time, or whose constructor holds a loaded model or a table.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// let weights = std::sync::Arc::new(vec![0.5]);
    /// let name = format!("mine-{}", weights.len());
    /// let entry = MetricEntry::owned(name, "Marks of a model", move |_| {
    ///     let (weights, identity) = (weights.clone(), Identity::new("mine", 1, Scale::UNIT));
    ///     AnyMetric::over_ids(PerSegment::new(identity, move |_: Segment<'_, [u32]>| Ok(weights[0])))
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
        MetricEntry::of(name.into(), summary.into(), Build::Captured(Arc::new(build)))
    }

    const fn of(name: Cow<'static, str>, summary: Cow<'static, str>, build: Build) -> Self {
        MetricEntry {
            name,
            aliases: &[],
            presets: &[],
            summary,
            papers: &[],
            agrees_with: "its definition",
            options: &[],
            example: &[],
            advice: |_| None,
            build,
        }
    }

    /// The options of its example; none for most metrics.
    pub fn example_options(&self) -> MetricOptions {
        self.example.iter().fold(MetricOptions::default(), |options, (name, value)| options.with(name, value))
    }

    /// Its name, aliases and presets.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let others = self.aliases.iter().copied().chain(self.presets.iter().map(|preset| preset.name));
        core::iter::once(&*self.name).chain(others)
    }

    /// The option of this name, with or without the metric's name in front: `word-order` for `chrf-word-order`.
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`], with all options.
    pub fn option(&self, name: &str) -> Result<&'static OptionSpec, ConfigError> {
        let long = format!("{}-{name}", self.name.replace('_', "-"));
        let find = |wanted: &str| self.options.iter().find(|spec| spec.name == wanted);
        find(name).or_else(|| find(&long)).ok_or_else(|| {
            let known = self.options.iter().map(|spec| spec.name);
            ConfigError::unknown_name(&format!("option of {}", self.name), name, known)
        })
    }

    /// The name of an option without the metric's in front: `word-order` for `chrf-word-order`.
    pub fn own_name(&self, option: &OptionSpec) -> &'static str {
        let rest = option.name.strip_prefix(&*self.name.replace('_', "-"));
        rest.and_then(|rest| rest.strip_prefix('-')).unwrap_or(option.name)
    }

    /// Builds the metric, after checking that every option given is one of the metric's.
    ///
    /// # Errors
    /// [`ConfigError`], with the names of all options.
    pub fn build(&self, options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
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

/// Writes the setters of fields that most entries leave out.
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
    /// Other names that users know it by.
    pub fn aliases(&'static [&'static str]);
    /// Names for the metric with some options.
    pub fn presets(&'static [Preset]);
    /// The papers that define it.
    pub fn papers(&'static [Paper]);
    /// The program and version whose numbers it gives.
    pub fn agrees_with(&'static str);
    /// The options it takes.
    pub fn options(&'static [OptionSpec]);
    /// Options of its example, if it needs some.
    pub fn example(&'static [(&'static str, &'static str)]);
    /// Advice on options that are allowed and likely a mistake.
    pub fn advice(fn(&MetricOptions) -> Option<&'static str>);
}

/// A metric as a user names it: `bleu`, `chrf++`, `rouge:order=2,stemmer`.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a choice needs all of it")]
pub struct MetricSpec {
    /// The registry name.
    pub metric: Cow<'static, str>,
    /// The options of the preset, and those behind the name.
    pub options: MetricOptions,
    /// The tokenizer for this metric alone: `wer:tokenize=char`.
    pub tokenizer: Option<String>,
    /// Whether the text is lower-cased for this metric alone: `bleu:lowercase`, `bleu:lowercase=no`.
    pub lowercase: Option<bool>,
    /// The normalizer of the text for this metric alone: `wer:norm=whisper-en`.
    pub normalizer: Option<String>,
}

impl MetricSpec {
    /// The metric with its options, as in `bleu:max-order=2`. The tokens are not among them: they are part of the state key.
    pub fn name(&self) -> String {
        self.options.named(&self.metric)
    }
}

/// A name for several metrics, as `coco` for the report of the COCO evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct MetricSet {
    /// The name, in any case.
    pub name: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// The metrics, as users name them.
    pub metrics: &'static [&'static str],
}

/// A list of entries with distinct names.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    entries: Vec<MetricEntry>,
    sets: Vec<MetricSet>,
    /// Names that a build of the program lacks, with the feature that brings them.
    lacking: Vec<(&'static [&'static str], &'static str)>,
}

impl Registry {
    /// A registry of these entries.
    ///
    /// # Errors
    /// Those of [`Registry::add`].
    pub fn from_entries(entries: &[MetricEntry]) -> Result<Self, ConfigError> {
        let mut registry = Registry::default();
        entries.iter().try_for_each(|entry| registry.add(entry.clone()))?;
        Ok(registry)
    }

    /// Adds a metric.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] for a name, alias or preset that is taken or malformed, and two options of a name.
    pub fn add(&mut self, entry: MetricEntry) -> Result<(), ConfigError> {
        let own = &entry.name;
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
        self.entries.push(entry);
        Ok(())
    }

    /// Adds a name for several metrics.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] for a name that is taken.
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

    /// Notes metrics that this build lacks: asking for one is then an error with the feature that brings it.
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

    /// The feature that this build lacks for a name.
    pub fn lacks(&self, name: &str) -> Option<&'static str> {
        let mut lacking = self.lacking.iter();
        let (_, feature) =
            lacking.find(|(names, _)| names.iter().any(|known| known.eq_ignore_ascii_case(name)))?;
        Some(feature)
    }

    /// The metrics behind a name: those of a set, else the name itself. An option behind the name of a set is given to those of
    /// its metrics that have it, or to all if none has.
    pub fn expand(&self, name: &str) -> Vec<String> {
        let (set, given) = name.split_once(':').unwrap_or((name, ""));
        let Some(set) = self.sets.iter().find(|known| known.name.eq_ignore_ascii_case(set)) else {
            return vec![name.to_owned()];
        };
        let mut metrics: Vec<String> = set.metrics.iter().map(|metric| (*metric).to_owned()).collect();
        for option in given.split(',').filter(|option| !option.is_empty()) {
            let more = |metric: &str| {
                let between = if metric.contains(':') { ',' } else { ':' };
                format!("{metric}{between}{option}")
            };
            let none = !metrics.iter().any(|metric| self.parse(&more(metric)).is_ok());
            for metric in &mut metrics {
                if none || self.parse(&more(metric)).is_ok() {
                    *metric = more(metric);
                }
            }
        }
        metrics
    }

    /// The names for several metrics, in order.
    pub fn sets(&self) -> &[MetricSet] {
        &self.sets
    }

    fn check_free(&self, name: &str) -> Result<(), ConfigError> {
        let taken = |other: &&MetricEntry| other.names().any(|known| known.eq_ignore_ascii_case(name));
        let entry = self.entries.iter().find(taken).map(|entry| &*entry.name);
        let set = || self.sets.iter().map(|set| set.name).find(|set| set.eq_ignore_ascii_case(name));
        let conflict =
            |taken: &str| ConfigError::Conflict(format!("the metric name `{name}` is taken by `{taken}`"));
        entry.or_else(set).map_or(Ok(()), |taken| Err(conflict(taken)))
    }

    /// The entry of a name, alias or preset, in any case.
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`], with all names; [`ConfigError::Resource`] for one that this build lacks.
    pub fn get(&self, name: &str) -> Result<&MetricEntry, ConfigError> {
        self.find(name).map(|(entry, _)| entry).ok_or_else(|| {
            if let Some(feature) = self.lacks(name) {
                return ConfigError::missing_feature(&format!("`{name}`"), feature, "bleuprint");
            }
            let known = self.entries.iter().flat_map(|entry| {
                core::iter::once(&*entry.name).chain(entry.presets.iter().map(|preset| preset.name))
            });
            ConfigError::unknown_name("metric", name, known)
        })
    }

    fn find(&self, name: &str) -> Option<(&MetricEntry, &str)> {
        let all = || self.entries.iter().flat_map(|entry| entry.names().map(move |known| (entry, known)));
        all()
            .find(|(_, known)| *known == name)
            .or_else(|| all().find(|(_, known)| known.eq_ignore_ascii_case(name)))
    }

    /// Reads a metric as a user names it: a name in any case, or a name and options, as in `chrf:word-order=2,whitespace`. An
    /// option without a value is a flag. An option that takes several numbers takes them with `/` between; in other values
    /// `%2C` is a comma and `%25` is `%`. `tokenize`, `lowercase` and `norm` are options of every metric.
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`] for a metric or an option that is not known.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// # let registry = Registry::default();
    /// assert!(registry.parse("chrf:word-order=2").unwrap_err().to_string().contains("unknown metric `chrf`"));
    /// ```
    pub fn parse(&self, text: &str) -> Result<MetricSpec, ConfigError> {
        let (name, given) = text.split_once(':').unwrap_or((text, ""));
        let entry = self.get(name)?;
        let name = self.find(name).map_or(name, |(_, known)| known);
        let mut options = MetricOptions::default();
        let (mut tokenizer, mut lowercase, mut normalizer) = (None, None, None);
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
                    lowercase = Some(Opt::flag("lowercase").of(&MetricOptions::default().with(name, value))?);
                }
                _ => {
                    let spec = entry.option(name)?;
                    let value = match spec.kind {
                        OptionKind::Numbers => value.replace('/', ","),
                        _ => value.replace("%2C", ",").replace("%25", "%"),
                    };
                    options.set(spec.name, &value);
                }
            }
        }
        // In the order of the entry, so that the same options given in another order are the same metric.
        let mut ordered = MetricOptions::default();
        for spec in entry.options {
            options.given(spec.name).into_iter().for_each(|value| ordered.set(spec.name, value));
        }
        let options = ordered;
        Ok(MetricSpec { metric: entry.name.clone(), options, tokenizer, lowercase, normalizer })
    }

    /// Builds a metric as a user names it; see [`Registry::parse`].
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn build(&self, text: &str) -> Result<AnyMetric, ConfigError> {
        let MetricSpec { metric, options, .. } = self.parse(text)?;
        self.get(&metric)?.build(&options)
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[MetricEntry] {
        &self.entries
    }
}
