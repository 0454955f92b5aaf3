//! Options of metrics, such as the n-gram order, as data: declarations ([`OptionSpec`]) and values
//! ([`MetricOptions`]).

use core::fmt;
use core::str::FromStr;

use bleuprint_core::ConfigError;

use crate::prelude::*;

/// The kind of value that an option of a metric takes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// The option takes one of the words in this list.
    Choice(&'static [&'static str]),
    /// The option takes a name that the metric looks up, such as the name of a BLEU variant.
    Name,
    /// The option takes a whole number.
    Integer,
    /// The option takes a real number.
    Number,
    /// The option takes a list of numbers, separated by commas.
    Numbers,
    /// The option takes the path of a file or folder.
    Path,
    /// The option takes no value; it is on if it is given.
    Flag,
}

/// The default value of an option, as help texts show it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionDefault {
    /// The option has a whole number as its default value.
    Integer(u64),
    /// The option has a real number as its default value.
    Number(f64),
    /// The option has a word as its default value: one of its choices, or `no` for a flag.
    Word(&'static str),
    /// The option has no default value; help shows this word in its place.
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
    /// No limit: the option accepts every number, even an infinite one.
    None,
    /// Range of an option's values: from the first number to the second, both included.
    Within(u64, u64),
    /// Smallest value that the option accepts; all larger finite numbers are accepted too.
    AtLeast(u64),
    /// Exclusive lower limit of an option: it accepts finite numbers above this number.
    Above(u64),
    /// Range of numbers that need not be whole, both ends included.
    Magnitude(f64, f64),
}

/// How state keys and signatures (printed settings of a metric) show an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of an option")]
pub struct OptionField {
    /// Key before the option's value in state keys and signatures; empty if they do not show the option.
    pub key: &'static str,
    /// Key before the option's value in short signatures.
    pub short: &'static str,
    /// `true` if the option changes the metric's counts, so that state keys show it too.
    pub counted: bool,
    /// `true` if signatures omit the option when it has its default value.
    pub unless_default: bool,
    /// `true` if state keys and signatures omit the option when it has its default value, because both are
    /// older than the option.
    pub added_later: bool,
    /// `true` if signatures omit the option, because the name of the score shows its value.
    pub in_name: bool,
    /// Words that signatures print for a flag: the first if it is given, the second if not. An empty word
    /// omits the flag.
    pub flag: [&'static str; 2],
    /// Key of another option, after whose value signatures also print this option's value in brackets:
    /// `smooth` for `smooth:floor[0.10]`.
    pub brackets_of: &'static str,
}

impl OptionField {
    pub(crate) const NONE: OptionField = OptionField {
        key: "",
        short: "",
        counted: false,
        unless_default: false,
        added_later: false,
        in_name: false,
        flag: ["yes", "no"],
        brackets_of: "",
    };
}

/// Declaration of one option of a metric, as interfaces such as the command line read it; [`Opt`](crate::Opt)
/// creates it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// Long name of the option, such as `smooth-method`.
    pub name: &'static str,
    /// Kind of value that the option takes, such as a number.
    pub kind: OptionKind,
    /// Default value of the option.
    pub default: OptionDefault,
    /// Default value when single segments are scored, if it differs from `default`.
    pub sentence_default: Option<&'static str>,
    pub(crate) limits: OptionLimits,
    /// Line of help that describes the option.
    pub help: &'static str,
    /// How state keys and signatures show the option's value.
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

    /// Returns `true` if the text is a value of the option's kind, such as a number, and within its limits.
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

    /// Returns the words of a choice; empty for any other kind of option.
    pub(crate) const fn words(&self) -> &'static [&'static str] {
        if let OptionKind::Choice(words) = self.kind { words } else { &[] }
    }

    /// Returns a phrase for the numbers that the option accepts, such as `from 0 to 1`; empty if it accepts
    /// all numbers.
    pub fn limits(&self) -> String {
        match self.limits {
            OptionLimits::None => String::new(),
            OptionLimits::Within(least, greatest) => format!("from {least} to {greatest}"),
            OptionLimits::AtLeast(least) if self.kind == OptionKind::Integer => format!("at least {least}"),
            OptionLimits::AtLeast(least) => format!("finite and at least {least}"),
            OptionLimits::Above(limit) => format!("above {limit} and finite"),
            OptionLimits::Magnitude(least, greatest) => format!("from {least} to {greatest}"),
        }
    }

    /// Rejects a value beyond the option's limits. `given` is the value as printed in the error.
    pub(crate) fn check(&self, value: f64, given: impl fmt::Display) -> Result<(), ConfigError> {
        let fits = match self.limits {
            OptionLimits::None => value.is_finite(),
            OptionLimits::Within(least, greatest) => (least as f64..=greatest as f64).contains(&value),
            OptionLimits::AtLeast(least) => value.is_finite() && value >= least as f64,
            OptionLimits::Above(limit) => value.is_finite() && value > limit as f64,
            OptionLimits::Magnitude(least, greatest) => (least..=greatest).contains(&value),
        };
        let limits = self.limits();
        let limits = if limits.is_empty() { "finite" } else { &limits };
        if fits { Ok(()) } else { Err(ConfigError::out_of_range(self.name, given, limits)) }
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

/// Function that returns the text of a file, for options whose value is a file name.
type ReadFile = fn(path: &str) -> Result<String, ConfigError>;

/// Values of a metric's options by name, as a user gave them. Missing options have their defaults.
///
/// An interface may replace the metric's defaults, for example when single segments are scored. Such defaults
/// are read like given values, but [`given`](MetricOptions::given) does not return them, so that a metric can
/// distinguish both.
#[derive(Debug, Clone, Default)]
pub struct MetricOptions {
    values: Vec<(String, String)>,
    defaults: Vec<(String, String)>,
    /// Function that reads files named by options. The interface supplies it: metrics read no files
    /// themselves.
    read: Option<ReadFile>,
}

/// Compares option values and defaults, but not the function that reads files.
impl PartialEq for MetricOptions {
    // Function pointers have no reliable equality.
    fn eq(&self, other: &Self) -> bool {
        (&self.values, &self.defaults) == (&other.values, &other.defaults)
    }
}

impl Eq for MetricOptions {}

impl MetricOptions {
    /// Sets the value of an option; a later value replaces an earlier one.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value.to_owned()));
    }

    /// Sets the function that reads files named by options. Interfaces that may read files call it.
    pub fn set_files(&mut self, read: ReadFile) {
        self.read = Some(read);
    }

    /// Reads a file that an option names and returns its text.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] if the file cannot be read, or if there is no function that reads
    /// it.
    pub fn read_file(&self, path: &str) -> Result<String, ConfigError> {
        let missing = || ConfigError::Resource {
            what: format!("the file {path}"),
            reason: "this program reads no files for metrics".into(),
            hint: "give the options a reader with `MetricOptions::set_files`".into(),
        };
        self.read.ok_or_else(missing)?(path)
    }

    /// Sets the default value of an option, in place of the metric's default.
    pub fn set_default(&mut self, name: &str, value: &str) {
        self.defaults.retain(|(known, _)| known != name);
        self.defaults.push((name.to_owned(), value.to_owned()));
    }

    /// Returns the value that the user gave for an option; defaults are ignored.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.values.iter().find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    /// Sets the value of an option and returns the options.
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

    /// Returns a copy of these options without the values that the user gave. The copy keeps the default
    /// values and the function that reads the files named in options.
    pub(crate) fn emptied(&self) -> Self {
        MetricOptions { values: Vec::new(), ..self.clone() }
    }

    /// Returns the metric's name with these options as users write it, such as `bleu:max-order=2`.
    pub fn named(&self, metric: &str) -> String {
        let mut text = metric.to_owned();
        for (place, (name, value)) in self.iter().enumerate() {
            let between = if place == 0 { ':' } else { ',' };
            text.push_str(&format!("{between}{name}={}", MetricOptions::written(value)));
        }
        text
    }

    /// Returns an option value as users write it after the name of a metric. A list of numbers is joined by
    /// `/`; in other values a comma becomes `%2C` and `%` becomes `%25`.
    pub fn written(value: &str) -> String {
        if value.split(',').all(|number| number.trim().parse::<f64>().is_ok()) {
            value.replace(',', "/")
        } else {
            value.replace('%', "%25").replace(',', "%2C")
        }
    }

    /// Returns the names and values of all options that the user gave, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
