//! [`GivenOptions`]: the options of a metric whose numbers another program computed; [`GivenOptions::build`]
//! checks them.

use bleuprint_core::{ConfigError, Direction, Scale};
use bleuprint_registry::NumberColumns;

use super::options::GivenSettings;
use super::{Given, MissingNumber};

/// Options of [`Given`], a metric whose numbers another program computed for each segment.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "options are written as a literal over the default")]
pub struct GivenOptions {
    /// Name of the metric whose numbers another program computed; required.
    pub name: String,
    /// `true` if each segment has a numerator and a denominator. The score is then the sum of numerators
    /// divided by the sum of denominators.
    pub over: bool,
    /// Direction of better numbers: higher numbers are better by default.
    pub better: Direction,
    /// Smallest and largest value that the number of a segment can have; `None` means no limits.
    pub scale: Option<(f64, f64)>,
    /// Signature of the program that computed the numbers, verbatim.
    pub producer: Option<String>,
    /// Treatment of segments without a number; they are an error by default.
    pub missing: MissingNumber,
    /// Words that files may have in place of numbers, with their numbers, as in `C=1/P=0.5/I=0`.
    pub map: Option<String>,
    /// `true` if the squares of the numbers are summed too, from which a standard error is computed.
    pub spread: bool,
}

impl Default for GivenOptions {
    fn default() -> Self {
        GivenOptions {
            name: String::new(),
            over: false,
            better: Direction::HigherIsBetter,
            scale: None,
            producer: None,
            missing: MissingNumber::Error,
            map: None,
            spread: false,
        }
    }
}

impl GivenOptions {
    /// Checks the options and creates the metric.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the name, scale, producer or map is malformed. Returns
    /// [`ConfigError::Conflict`] if the worst number of a scale without limits is requested.
    pub fn build(self) -> Result<Given, ConfigError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if self.name.is_empty() || !self.name.chars().all(plain) {
            let limit = "letters, digits, `_`, `.` and `-`, as in given:name=comet";
            return Err(ConfigError::out_of_range(
                GivenSettings::OPTION.name.spec.name,
                format!("`{}`", self.name),
                limit,
            ));
        }
        let (min, max) = self.scale.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        if self.scale.is_some() && !(min.is_finite() && max.is_finite() && min < max) {
            let given = format!("{min}..{max}");
            return Err(ConfigError::out_of_range(
                GivenSettings::OPTION.scale.spec.name,
                given,
                "two numbers, the smaller one first",
            ));
        }
        if self.missing == MissingNumber::Worst && self.scale.is_none() {
            let option = GivenSettings::OPTION.missing.spec.name;
            let message = format!("{option}=worst needs the worst number: scale=MIN..MAX");
            return Err(ConfigError::Conflict(message));
        }
        // A list of numbers cannot name a program, and the names of metrics are spelled differently.
        if let Some(producer) = self.producer.as_ref().filter(|text| !text.contains(char::is_alphabetic)) {
            let given = format!("`{producer}`");
            return Err(ConfigError::out_of_range(
                GivenSettings::OPTION.producer.spec.name,
                given,
                "the name of a program",
            ));
        }
        self.map.as_deref().map(words).transpose()?;
        // Adding 0 makes both signs of zero one limit, so that they have one key.
        let scale = Scale { min: min + 0.0, max: max + 0.0, direction: self.better, percent: false };
        let GivenOptions { name, over, producer, missing, map, spread, .. } = self;
        Ok(Given { name, over, scale, producer, missing, map, spread })
    }
}

impl Given {
    pub(super) fn columns(&self, columns: Vec<String>) -> Result<NumberColumns, ConfigError> {
        let note = || format!("set producer=TEXT to record which program computed {}", self.name);
        Ok(NumberColumns {
            columns,
            words: self.map.as_deref().map(words).transpose()?.unwrap_or_default(),
            note: self.producer.is_none().then(note),
        })
    }
}

fn words(map: &str) -> Result<Vec<(String, f64)>, ConfigError> {
    let refuse = || {
        let limit = "words with a number each, as in C=1/P=0.5/I=0";
        ConfigError::out_of_range(GivenSettings::OPTION.map.spec.name, format!("`{map}`"), limit)
    };
    let mut words: Vec<(String, f64)> = Vec::new();
    for entry in map.split('/') {
        let (word, number) = entry.split_once('=').ok_or_else(refuse)?;
        let number: f64 = number.trim().parse().map_err(|_| refuse())?;
        let word = word.trim();
        if word.is_empty() || !number.is_finite() || words.iter().any(|(known, _)| known == word) {
            return Err(refuse());
        }
        words.push((word.to_owned(), number));
    }
    Ok(words)
}
