//! Finds the metric of the registry that has a name, an alias or an alternative name.

use bleuprint_core::{ConfigError, Result};

use super::Registry;
use crate::prelude::*;
use crate::{Meaning, MetricEntry, Spelling};

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

impl Registry {
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
    pub(super) fn spelt(&self, name: &str) -> Result<Option<(&MetricEntry, String)>, ConfigError> {
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

    pub(super) fn find(&self, name: &str) -> Option<(&MetricEntry, &str)> {
        let shared = self.shared.iter().find(|shared| shared.first.eq_ignore_ascii_case(name));
        let name = shared.map_or(name, |shared| &shared.plain);
        let entry = &self.entries[self.names.place(&self.entries, name)?];
        // An exact match comes first: the aliases of one entry may differ only in case.
        let exact = entry.names().find(|known| *known == name);
        let known = exact.or_else(|| entry.names().find(|known| known.eq_ignore_ascii_case(name)))?;
        Some((entry, known))
    }
}
