//! Options of metrics as data: [`OptionSpec`] says what there is, [`MetricOptions`] what was given.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::ConfigError;

/// What kind of value an option takes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A name that the metric looks up itself, such as that of a dialect.
    Name,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Numbers, separated by commas.
    Numbers,
    /// A file or folder.
    Path,
    /// Nothing: it is there or not.
    Flag,
}

/// One option of a metric.
///
/// ```
/// use bleuprint_core::{OptionKind, OptionSpec};
/// const BETA: OptionSpec =
///     OptionSpec::new("beta", OptionKind::Number).short("b").default("2").help("The weight of recall");
/// assert_eq!(BETA.default, "2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
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

impl OptionSpec {
    /// An option of this name and kind, without a short name.
    pub const fn new(name: &'static str, kind: OptionKind) -> Self {
        OptionSpec { name, short: "", kind, default: "", sentence_default: None, help: "" }
    }

    /// The short name.
    #[must_use]
    pub const fn short(self, short: &'static str) -> Self {
        OptionSpec { short, ..self }
    }

    /// The default, as the help shows it.
    #[must_use]
    pub const fn default(self, default: &'static str) -> Self {
        OptionSpec { default, ..self }
    }

    /// The default when single segments are scored.
    #[must_use]
    pub const fn sentence_default(self, value: &'static str) -> Self {
        OptionSpec { sentence_default: Some(value), ..self }
    }

    /// One line of help.
    #[must_use]
    pub const fn help(self, help: &'static str) -> Self {
        OptionSpec { help, ..self }
    }
}

/// Gives the text of a file, for options that name one.
pub type ReadFile = fn(path: &str) -> Result<String, ConfigError>;

/// Option values by name, as given by a user; what is absent is at its default.
///
/// A door may supply other defaults than the metric's own, such as those for single segments: they are read like given
/// values, but are not [`given`](MetricOptions::given), so that a metric can tell a wish from a habit.
#[derive(Debug, Clone, Default)]
pub struct MetricOptions {
    values: Vec<(String, String)>,
    defaults: Vec<(String, String)>,
    /// Metrics read no files; a door that may reads them.
    read: Option<ReadFile>,
}

/// The same values and defaults; who reads files is no matter.
impl PartialEq for MetricOptions {
    fn eq(&self, other: &Self) -> bool {
        (&self.values, &self.defaults) == (&other.values, &other.defaults)
    }
}

impl Eq for MetricOptions {}

impl MetricOptions {
    /// No option given.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives an option; the last value wins.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value.to_owned()));
    }

    /// Supplies somebody who reads the files that options name. Doors that may read files do so.
    pub fn set_files(&mut self, read: ReadFile) {
        self.read = Some(read);
    }

    /// The text of a file that an option names.
    ///
    /// # Errors
    /// [`ConfigError::Resource`] when it cannot be read, or when nobody reads files here.
    pub fn read_file(&self, path: &str) -> Result<String, ConfigError> {
        let nobody = || ConfigError::Resource {
            what: alloc::format!("the file {path}"),
            reason: "nobody reads files for metrics here".into(),
            hint: "give the options a reader with `MetricOptions::set_files`".into(),
        };
        self.read.ok_or_else(nobody)?(path)
    }

    /// Supplies a default in place of the metric's own.
    pub fn set_default(&mut self, name: &str, value: &str) {
        self.defaults.retain(|(known, _)| known != name);
        self.defaults.push((name.to_owned(), value.to_owned()));
    }

    /// The value that was given for an option, no default.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.values.iter().find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    /// The same options with one more.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// The value given for an option, else the default that was supplied for it.
    pub fn get(&self, name: &str) -> Option<&str> {
        let supplied =
            || self.defaults.iter().find_map(|(known, value)| (known == name).then_some(value.as_str()));
        self.given(name).or_else(supplied)
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

    /// The same defaults and the same reader of files, without values.
    pub(crate) fn emptied(&self) -> Self {
        MetricOptions { values: Vec::new(), ..self.clone() }
    }

    /// A metric with these options, as users name it: `bleu:max-order=2`.
    pub fn named(&self, metric: &str) -> String {
        let mut text = metric.to_owned();
        for (place, (name, value)) in self.iter().enumerate() {
            let between = if place == 0 { ':' } else { ',' };
            text.push_str(&alloc::format!("{between}{name}={}", value.replace(',', "/")));
        }
        text
    }

    /// All names and values that were given, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
