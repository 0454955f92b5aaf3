//! [`MetricEntry`]: a metric in the registry, with its names, options, papers and example.

use core::fmt;

use bleuprint_core::{ConfigError, Result};

use crate::prelude::*;
use crate::{AnyMetric, MetricOptions, OptionSpec, Paper, Preset, Spelling};

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
    pub(super) fn within(&self, family: &'static str, taken: impl Fn(&str) -> bool) -> MetricEntry {
        let own = self.clone();
        let build = move |options: &MetricOptions| Ok(own.build(options)?.within(family));
        let mut entry = self.without_names(taken);
        entry.name = Cow::Owned(format!("{family}/{}", self.name));
        entry.build = Build::Captured(Arc::new(build));
        entry
    }

    pub(super) fn without_names(&self, taken: impl Fn(&str) -> bool) -> MetricEntry {
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
