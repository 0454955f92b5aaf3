//! Options of metrics as data: declarations ([`OptionSpec`]) and values ([`MetricOptions`]).

use core::fmt;
use core::str::FromStr;

use bleuprint_core::ConfigError;

use crate::prelude::*;

/// The kind of an option's value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A name for the metric to look up, such as that of a dialect.
    Name,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Numbers, separated by commas.
    Numbers,
    /// A file or folder.
    Path,
    /// No value.
    Flag,
}

/// The default of an option, as the help shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionDefault {
    /// A whole number.
    Integer(u64),
    /// A number.
    Number(f64),
    /// A word: a choice, or `no` for a flag.
    Word(&'static str),
    /// No value; the help shows this word.
    None(&'static str),
}

impl OptionDefault {
    pub(crate) const fn integer(self) -> usize {
        if let OptionDefault::Integer(value) = self { value as usize } else { 0 }
    }

    pub(crate) const fn number(self) -> f64 {
        if let OptionDefault::Number(value) = self { value } else { 0.0 }
    }

    pub(crate) const fn word(self) -> &'static str {
        if let OptionDefault::Word(text) | OptionDefault::None(text) = self { text } else { "" }
    }
}

impl fmt::Display for OptionDefault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionDefault::Integer(value) => value.fmt(f),
            OptionDefault::Number(value) => value.fmt(f),
            OptionDefault::Word(text) | OptionDefault::None(text) => f.write_str(text),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Limits {
    /// All.
    None,
    /// From the first to the second.
    Within(u64, u64),
    /// This one and all above it.
    AtLeast(u64),
    /// All above this one.
    Above(u64),
}

/// The field of state keys and signatures that an option makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of an option")]
pub struct OptionField {
    /// The key; empty where there is no field.
    pub key: &'static str,
    /// The key in short signatures.
    pub short: &'static str,
    /// Whether it changes what is counted, so that keys have it too.
    pub counted: bool,
    /// Whether signatures have it only where it is not the default.
    pub unless_default: bool,
    /// Whether signatures lack it, because the name of the score shows the value.
    pub in_name: bool,
    /// The words of a flag that is given and of one that is not; no field where empty.
    pub flag: [&'static str; 2],
    /// The key of another field that has the value too, in brackets.
    pub brackets_of: &'static str,
}

impl OptionField {
    pub(crate) const NONE: OptionField = OptionField {
        key: "",
        short: "",
        counted: false,
        unless_default: false,
        in_name: false,
        flag: ["yes", "no"],
        brackets_of: "",
    };
}

/// One option of a metric, as doors see it; [`Opt`](crate::Opt) declares it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The long name, as in `smooth-method`.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: OptionKind,
    /// The default.
    pub default: OptionDefault,
    /// The default when single segments are scored, where it differs.
    pub sentence_default: Option<&'static str>,
    pub(crate) limits: Limits,
    /// One line of help.
    pub help: &'static str,
    /// Its field in state keys and signatures.
    pub field: OptionField,
}

impl OptionSpec {
    pub(crate) const fn new(name: &'static str, kind: OptionKind, default: OptionDefault) -> Self {
        OptionSpec {
            name,
            kind,
            default,
            sentence_default: None,
            limits: Limits::None,
            help: "",
            field: OptionField::NONE,
        }
    }

    /// Whether kind and limits allow this value.
    pub fn accepts(&self, text: &str) -> bool {
        match self.kind {
            OptionKind::Choice(choices) => choices.contains(&text),
            OptionKind::Flag => ["yes", "no"].contains(&text),
            OptionKind::Integer => self.integer(text).is_ok(),
            OptionKind::Number => self.number(text).is_ok(),
            OptionKind::Numbers => self.numbers(text).is_ok(),
            OptionKind::Name | OptionKind::Path => true,
        }
    }

    /// The numbers that it takes, as in `from 0 to 1`; empty for all.
    pub fn limits(&self) -> String {
        match self.limits {
            Limits::None => String::new(),
            Limits::Within(least, greatest) => format!("from {least} to {greatest}"),
            Limits::AtLeast(least) if self.kind == OptionKind::Integer => format!("at least {least}"),
            Limits::AtLeast(least) => format!("finite and at least {least}"),
            Limits::Above(limit) => format!("above {limit} and finite"),
        }
    }

    /// Refuses a number beyond the limits; `given` is the number as its type prints it.
    pub(crate) fn check(&self, value: f64, given: impl fmt::Display) -> Result<(), ConfigError> {
        let fits = match self.limits {
            Limits::None => true,
            Limits::Within(least, greatest) => (least as f64..=greatest as f64).contains(&value),
            Limits::AtLeast(least) => value.is_finite() && value >= least as f64,
            Limits::Above(limit) => value.is_finite() && value > limit as f64,
        };
        if fits { Ok(()) } else { Err(ConfigError::out_of_range(self.name, given, &self.limits())) }
    }

    pub(crate) fn integer(&self, text: &str) -> Result<u64, ConfigError> {
        let value: u64 = self.parse(text, "a whole number")?;
        self.check(value as f64, value).map(|()| value)
    }

    pub(crate) fn number(&self, text: &str) -> Result<f64, ConfigError> {
        let value: f64 = self.parse(text, "a number")?;
        self.check(value, value).map(|()| value)
    }

    pub(crate) fn numbers(&self, text: &str) -> Result<Vec<f64>, ConfigError> {
        let numbers = text.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>();
        numbers.ok_or_else(|| self.refuse(text, "numbers with commas between"))
    }

    fn parse<T: FromStr>(&self, text: &str, what: &str) -> Result<T, ConfigError> {
        text.trim().parse().map_err(|_| self.refuse(text, what))
    }

    fn refuse(&self, text: &str, what: &str) -> ConfigError {
        ConfigError::out_of_range(self.name, format!("`{text}`"), what)
    }
}

/// Gives the text of a file, for options that name one.
type ReadFile = fn(path: &str) -> Result<String, ConfigError>;

/// Option values by name, as given by a user; absent options have their defaults.
///
/// A door may supply other defaults than the metric's own, such as those for single segments: they are read like given
/// values, but are not [`given`](MetricOptions::given), so that a metric can distinguish the two.
#[derive(Debug, Clone, Default)]
pub struct MetricOptions {
    values: Vec<(String, String)>,
    defaults: Vec<(String, String)>,
    /// Metrics read no files; their doors do.
    read: Option<ReadFile>,
}

/// The same values and defaults, with any reader of files.
impl PartialEq for MetricOptions {
    fn eq(&self, other: &Self) -> bool {
        (&self.values, &self.defaults) == (&other.values, &other.defaults)
    }
}

impl Eq for MetricOptions {}

impl MetricOptions {
    /// Gives an option; the last value wins.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value.to_owned()));
    }

    /// Supplies the reader of files named by options. Doors that may read files do so.
    pub fn set_files(&mut self, read: ReadFile) {
        self.read = Some(read);
    }

    /// The text of a file that an option names.
    ///
    /// # Errors
    /// [`ConfigError::Resource`] when it cannot be read, or without a reader.
    pub fn read_file(&self, path: &str) -> Result<String, ConfigError> {
        let missing = || ConfigError::Resource {
            what: format!("the file {path}"),
            reason: "this program reads no files for metrics".into(),
            hint: "give the options a reader with `MetricOptions::set_files`".into(),
        };
        self.read.ok_or_else(missing)?(path)
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

    /// The same defaults and the same reader of files, without values.
    pub(crate) fn emptied(&self) -> Self {
        MetricOptions { values: Vec::new(), ..self.clone() }
    }

    /// A metric with these options, as users name it: `bleu:max-order=2`.
    pub fn named(&self, metric: &str) -> String {
        let mut text = metric.to_owned();
        for (place, (name, value)) in self.iter().enumerate() {
            let between = if place == 0 { ':' } else { ',' };
            text.push_str(&format!("{between}{name}={}", MetricOptions::written(value)));
        }
        text
    }

    /// A value as it stands in the name of a metric: numbers in a list have `/` between them; in any other value a comma is
    /// `%2C`, and `%` is `%25`.
    pub fn written(value: &str) -> String {
        match value.split(',').all(|number| number.trim().parse::<f64>().is_ok()) {
            true => value.replace(',', "/"),
            false => value.replace('%', "%25").replace(',', "%2C"),
        }
    }

    /// All names and values that were given, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
