//! Program and version that printed a signature, and the known differences of its scores.

use std::fmt;

use bleuprint_core::{ConfigError, VERSION};

use super::{DATA, RESAMPLING, Recipe};

/// Version of sacreBLEU whose scores Bleuprint reproduces.
const COMPARED: [u32; 3] = [2, 6, 0];

/// Oldest version of sacreBLEU whose signatures can be parsed.
const OLDEST: [u32; 3] = [1, 4, 0];

/// Program and version that printed a signature.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Version {
    /// sacreBLEU, with its version number.
    SacreBleu([u32; 3]),
    /// Bleuprint, with its version as signatures print it.
    Own(String),
}

impl Version {
    pub(super) fn parse(text: &str) -> Result<Self, ConfigError> {
        if text.starts_with("bleuprint-") {
            return Ok(Version::Own(text.to_owned()));
        }
        let unknown = || {
            let limit = "a version of bleuprint, or of sacreBLEU from 1.4 on";
            ConfigError::out_of_range("the version of the signature", format!("`{text}`"), limit)
        };
        let mut numbers = [0; 3];
        let mut given = text.split('.');
        for number in &mut numbers {
            // A suffix of the last number, as in `2.0.0rc1`, is ignored.
            let Some(part) = given.next() else { break };
            let digits = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
            *number = part[..digits].parse().map_err(|_| unknown())?;
        }
        if numbers < OLDEST { Err(unknown()) } else { Ok(Version::SacreBleu(numbers)) }
    }

    pub(super) fn is_version_1(&self) -> bool {
        matches!(self, Version::SacreBleu([1, ..]))
    }

    pub(super) fn is_of_sacrebleu(&self) -> bool {
        matches!(self, Version::SacreBleu(_))
    }

    /// Returns `true` if this version printed the score on a scale from 0 to 1, as sacreBLEU 1 did for chrF
    /// and TER.
    pub(super) fn prints_fractions(&self, name: &str) -> bool {
        self.is_version_1() && (name.starts_with("chrF") || name == "TER")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Version::SacreBleu([major, minor, patch]) => write!(f, "sacreBLEU {major}.{minor}.{patch}"),
            Version::Own(version) => f.write_str(version),
        }
    }
}

impl Recipe {
    /// Collects notes for the user on why recomputing the score of this signature may give a slightly
    /// different score. Also replaces `spm`, a tokenizer name of old sacreBLEU versions, by its current name
    /// `flores101`.
    pub(super) fn note(&mut self) {
        let mut notes = Vec::new();
        let program = self.version.to_string();
        match &self.version {
            Version::Own(version) if version != VERSION => {
                notes.push(format!(
                    "{version} computed the score; this is {VERSION}, whose changelog lists the scores that changed"
                ));
            }
            Version::SacreBleu(version) if *version > COMPARED => {
                notes.push(format!(
                    "{program} is newer than sacreBLEU 2.6.0, whose scores are reproduced here"
                ));
            }
            _ => {}
        }
        if self.version.is_of_sacrebleu() {
            // Up to version 2.1, `spm` was the name of the tokenizer that is called `flores101` today.
            let spm = self.fields.iter_mut().find(|(key, value)| key == "tok" && value == "spm");
            spm.into_iter().for_each(|(_, value)| "flores101".clone_into(value));
        }
        if self.version.is_version_1() {
            let intl = self.get(&["tok", "t"]) == Some("intl");
            if self.name.starts_with("chrF") {
                notes.push(format!(
                    "{program} computed chrF otherwise, so that its third decimal of a percent can differ, looked at the \
                     first reference alone, and printed a fraction: 0.62 for 62"
                ));
            }
            if self.name == "TER" {
                notes.push(format!("{program} printed TER as a fraction: 0.399 for 39.9"));
            }
            if intl {
                notes.push(format!(
                    "`intl` of {program} cuts some punctuation and digits differently: scores can differ"
                ));
            }
            if self.text.contains("floor") && !self.text.contains("floor[")
                || self.text.contains("add-k") && !self.text.contains("add-k[")
            {
                notes.push(format!("{program} did not print smoothing values: the default is assumed"));
            }
        }
        // A default value is exact in two decimals, so it needs no caveat.
        let value = self.get(&["smooth"]).and_then(|smooth| smooth.split_once('['));
        if value.is_some_and(|(_, value)| !["0.10]", "1.00]"].contains(&value)) {
            notes.push("smoothing values are printed to two decimals: the rounded value is used".to_owned());
        }
        for (key, value) in &self.fields {
            if DATA.contains(&key.as_str()) {
                notes.push(format!("`{key}:{value}` names the data set, which is not checked"));
            } else if RESAMPLING.contains(&key.as_str()) {
                notes.push(format!(
                    "`{key}:{value}` describes an interval or a test and does not affect the score"
                ));
            }
        }
        self.notes = notes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_before_1_4_and_other_words_are_refused() {
        for text in ["1.3.9", "0", "x", "", "-1", "99999999999.0"] {
            assert!(Version::parse(text).is_err(), "{text}");
        }
        assert_eq!(Version::parse("2.0.0rc1"), Ok(Version::SacreBleu([2, 0, 0])));
        assert_eq!(Version::parse("1.4"), Ok(Version::SacreBleu([1, 4, 0])));
    }
}
