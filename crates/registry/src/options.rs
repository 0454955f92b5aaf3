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
    /// A name that the metric looks up, such as a dialect.
    Name,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Numbers, separated by commas.
    Numbers,
    /// A file or folder.
    Path,
    /// No value; the option is on if it is given.
    Flag,
}

/// The default of an option, as help shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionDefault {
    /// A whole number.
    Integer(u64),
    /// A number.
    Number(f64),
    /// A word: a choice, or `no` for a flag.
    Word(&'static str),
    /// No value; help shows this word instead.
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
pub(crate) enum OptionLimits {
    /// Every number is allowed.
    None,
    /// Numbers from the first to the second, both included.
    Within(u64, u64),
    /// Limit of an option's values: finite numbers from this one on.
    AtLeast(u64),
    /// Finite numbers above this one.
    Above(u64),
}

/// The field of state keys and signatures that holds an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of an option")]
pub struct OptionField {
    /// Key of the field; empty if there is none.
    pub key: &'static str,
    /// Key in short signatures.
    pub short: &'static str,
    /// `true` if the option changes the counts, so that state keys have the field too.
    pub counted: bool,
    /// `true` if signatures omit the field for the default value.
    pub unless_default: bool,
    /// `true` if signatures omit the field, because the name of the score shows the value.
    pub in_name: bool,
    /// Words for a flag that is given and for one that is not; an empty word omits the field.
    pub flag: [&'static str; 2],
    /// Key of another field that also shows the value, in brackets.
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

/// One option of a metric, as interfaces see it; [`Opt`](crate::Opt) declares it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// Long name, such as `smooth-method`.
    pub name: &'static str,
    /// Kind of the value.
    pub kind: OptionKind,
    /// Default value.
    pub default: OptionDefault,
    /// Default for scoring single segments, if it differs.
    pub sentence_default: Option<&'static str>,
    pub(crate) limits: OptionLimits,
    /// Line of help that describes the option.
    pub help: &'static str,
    /// Field in state keys and signatures.
    pub field: OptionField,
}

impl OptionSpec {
    pub(crate) const fn new(name: &'static str, kind: OptionKind, default: OptionDefault) -> Self {
        OptionSpec {
            name,
            kind,
            default,
            sentence_default: None,
            limits: OptionLimits::None,
            help: "",
            field: OptionField::NONE,
        }
    }

    /// Returns `true` if kind and limits allow this value.
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

    /// Returns the allowed numbers as a phrase, such as `from 0 to 1`; empty if all are allowed.
    pub fn limits(&self) -> String {
        match self.limits {
            OptionLimits::None => String::new(),
            OptionLimits::Within(least, greatest) => format!("from {least} to {greatest}"),
            OptionLimits::AtLeast(least) if self.kind == OptionKind::Integer => format!("at least {least}"),
            OptionLimits::AtLeast(least) => format!("finite and at least {least}"),
            OptionLimits::Above(limit) => format!("above {limit} and finite"),
        }
    }

    /// Rejects a number beyond the limits. `given` is the number as its type prints it.
    pub(crate) fn check(&self, value: f64, given: impl fmt::Display) -> Result<(), ConfigError> {
        // Comparisons with NaN are false, so NaN fits only where no limit is declared.
        let fits = match self.limits {
            OptionLimits::None => true,
            OptionLimits::Within(least, greatest) => (least as f64..=greatest as f64).contains(&value),
            OptionLimits::AtLeast(least) => value.is_finite() && value >= least as f64,
            OptionLimits::Above(limit) => value.is_finite() && value > limit as f64,
        };
        if fits { Ok(()) } else { Err(ConfigError::out_of_range(self.name, given, &self.limits())) }
    }

    pub(crate) fn integer(&self, text: &str) -> Result<u64, ConfigError> {
        let value: u64 = self.parse(text, "a whole number")?;
        // A `u64` above 2^53 is rounded by the cast, but limits of whole numbers are small.
        self.check(value as f64, value).map(|()| value)
    }

    pub(crate) fn number(&self, text: &str) -> Result<f64, ConfigError> {
        let value: f64 = self.parse(text, "a number")?;
        self.check(value, value).map(|()| value)
    }

    pub(crate) fn numbers(&self, text: &str) -> Result<Vec<f64>, ConfigError> {
        let numbers = text.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>();
        numbers.ok_or_else(|| self.refuse(text, "numbers separated by commas"))
    }

    fn parse<T: FromStr>(&self, text: &str, what: &str) -> Result<T, ConfigError> {
        text.trim().parse().map_err(|_| self.refuse(text, what))
    }

    fn refuse(&self, text: &str, what: &str) -> ConfigError {
        ConfigError::out_of_range(self.name, format!("`{text}`"), what)
    }
}

/// Reads the text of a file, for options that name one.
type ReadFile = fn(path: &str) -> Result<String, ConfigError>;

/// Option values by name, as a user gave them. Missing options have their defaults.
///
/// An interface may supply other defaults than the metric's, such as defaults for single segments. They are
/// read like given values, but [`given`](MetricOptions::given) does not return them, so that a metric can
/// distinguish both.
#[derive(Debug, Clone, Default)]
pub struct MetricOptions {
    values: Vec<(String, String)>,
    defaults: Vec<(String, String)>,
    /// Reader of files, which the interface supplies: metrics read no files themselves.
    read: Option<ReadFile>,
}

/// Compares values and defaults, but not the reader of files.
impl PartialEq for MetricOptions {
    // Function pointers have no reliable equality.
    fn eq(&self, other: &Self) -> bool {
        (&self.values, &self.defaults) == (&other.values, &other.defaults)
    }
}

impl Eq for MetricOptions {}

impl MetricOptions {
    /// Sets an option; a later value replaces an earlier one.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value.to_owned()));
    }

    /// Sets the reader of files that options name. Interfaces that may read files call it.
    pub fn set_files(&mut self, read: ReadFile) {
        self.read = Some(read);
    }

    /// Returns the text of a file that an option names.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] if the file cannot be read, or if no reader is set.
    pub fn read_file(&self, path: &str) -> Result<String, ConfigError> {
        let missing = || ConfigError::Resource {
            what: format!("the file {path}"),
            reason: "this program reads no files for metrics".into(),
            hint: "give the options a reader with `MetricOptions::set_files`".into(),
        };
        self.read.ok_or_else(missing)?(path)
    }

    /// Sets a default that replaces the metric's default.
    pub fn set_default(&mut self, name: &str, value: &str) {
        self.defaults.retain(|(known, _)| known != name);
        self.defaults.push((name.to_owned(), value.to_owned()));
    }

    /// Returns the value that the user gave for an option; defaults are ignored.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.values.iter().find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    /// Adds an option and returns the options.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// Returns the value that the user gave, else the default that the interface supplied.
    pub fn get(&self, name: &str) -> Option<&str> {
        let supplied =
            || self.defaults.iter().find_map(|(known, value)| (known == name).then_some(value.as_str()));
        self.given(name).or_else(supplied)
    }

    /// Returns options with the same defaults and reader of files, but without values.
    pub(crate) fn emptied(&self) -> Self {
        MetricOptions { values: Vec::new(), ..self.clone() }
    }

    /// Returns a metric with these options as users write it, such as `bleu:max-order=2`.
    pub fn named(&self, metric: &str) -> String {
        let mut text = metric.to_owned();
        for (place, (name, value)) in self.iter().enumerate() {
            let between = if place == 0 { ':' } else { ',' };
            text.push_str(&format!("{between}{name}={}", MetricOptions::written(value)));
        }
        text
    }

    /// Returns a value as it appears after the name of a metric. A list of numbers is joined by `/`; in other
    /// values a comma becomes `%2C` and `%` becomes `%25`.
    pub fn written(value: &str) -> String {
        if value.split(',').all(|number| number.trim().parse::<f64>().is_ok()) {
            value.replace(',', "/")
        } else {
            value.replace('%', "%25").replace(',', "%2C")
        }
    }

    /// Returns all names and values that the user gave, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
