//! [`MetricSet`]: a name for a group of metrics, and the groups of a registry.

use bleuprint_core::{ConfigError, Result};

use super::{Registry, SharedName};
use crate::prelude::*;

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

impl Registry {
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
}
