//! [`StoredOptions`]: options for metrics whose statistics were counted earlier.

use bleuprint_core::{InputError, Metric as _, Result, StateKey};
use bleuprint_registry::{AnyMetric, MetricSpec, Registry};

use super::Run;
use super::stored::{finisher, in_words};
use crate::store::{Header, StoredMetric};

/// Metric that scores stored statistics, with the options that the user chose for it.
#[non_exhaustive]
pub struct RefinishedMetric {
    /// Index of the stored metric whose counts are scored again with other options.
    pub place: usize,
    /// Name and options of the metric.
    pub spec: MetricSpec,
    /// Metric with these options. It can score the stored statistics.
    pub metric: AnyMetric,
}

/// Options that a user gives for metrics of stored statistics. Every interface uses this type, so that all
/// accept and reject the same options.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct StoredOptions {
    /// Metrics that are to be scored, with options that replace the stored options. An empty list means all
    /// metrics of the statistics.
    pub metrics: Vec<MetricSpec>,
    /// Options, as names and values, for every metric that has an option of that name.
    pub shared: Vec<(String, String)>,
}

impl StoredOptions {
    /// Returns the metrics of a file that these options choose, in the order of the file.
    ///
    /// # Errors
    /// Returns the errors of [`finisher`]. Also returns an error if the file lacks a chosen metric, or if a
    /// chosen metric names a tokenizer, a case or a normalizer.
    pub fn finishers(&self, registry: &Registry, header: &Header) -> Result<Vec<RefinishedMetric>> {
        let keys = header.keys()?;
        let one = |(stored, key): (&StoredMetric, StateKey)| {
            let spec = registry.parse_stored(&stored.spec).map_err(in_words)?;
            Ok((spec, stored.clone(), key))
        };
        self.over(registry, &header.metrics.iter().zip(keys).map(one).collect::<Result<Vec<_>>>()?)
    }

    fn over(
        &self,
        registry: &Registry,
        stored: &[(MetricSpec, StoredMetric, StateKey)],
    ) -> Result<Vec<RefinishedMetric>> {
        let takes = |spec: &MetricSpec, name: &str| {
            let entry = registry.get(&spec.metric);
            entry.is_ok_and(|entry| entry.options.iter().any(|option| option.name == name))
        };
        if let Some((name, _)) =
            self.shared.iter().find(|(name, _)| !stored.iter().any(|(spec, ..)| takes(spec, name)))
        {
            let metrics: Vec<&str> = stored.iter().map(|(spec, ..)| &*spec.metric).collect();
            let metrics = metrics.join(", ");
            return Err(InputError::malformed(format!(
                "--{name} is an option of no metric of the statistics, which are of {metrics}"
            )));
        }
        let build = |place: usize, given: Option<&MetricSpec>| {
            let (counted, stored, key) = &stored[place];
            let mut spec = counted.clone();
            let shared = self.shared.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let shared = shared.filter(|(name, _)| takes(counted, name));
            let given = given.iter().flat_map(|given| given.options.iter());
            shared.chain(given).for_each(|(name, value)| spec.options.set(name, value));
            let metric = finisher(registry, &spec, stored, key)?;
            metric.serves(key)?;
            Ok(RefinishedMetric { place, spec, metric })
        };
        if self.metrics.is_empty() {
            return (0..stored.len()).map(|place| build(place, None)).collect();
        }
        let mut chosen: Vec<RefinishedMetric> = Vec::new();
        for given in &self.metrics {
            let name = given.options.named(&given.metric);
            if given.tokenizer.is_some() || given.lowercase.is_some() || given.normalizer.is_some() {
                return Err(InputError::malformed(format!(
                    "-m {name}: the tokens of statistics cannot be changed"
                )));
            }
            let same = (0..stored.len()).filter(|&place| stored[place].0.metric == given.metric);
            let built: Vec<Result<RefinishedMetric>> = same.map(|place| build(place, Some(given))).collect();
            // The options also choose among variants of one metric: `rouge2` is no option of `rouge1`.
            if built.iter().all(Result::is_err) {
                let missing = || format!("-m {name}: there are no statistics of {}", given.metric);
                let error = built.into_iter().find_map(Result::err);
                return Err(error.unwrap_or_else(|| InputError::malformed(missing())));
            }
            for one in built.into_iter().flatten() {
                match chosen.iter_mut().find(|known| known.place == one.place) {
                    Some(known) => *known = one,
                    None => chosen.push(one),
                }
            }
        }
        chosen.sort_by_key(|one| one.place);
        Ok(chosen)
    }
}

impl Run {
    /// Returns the run with only the metrics that the options choose, built with these options. The run must
    /// come from files of statistics.
    ///
    /// # Errors
    /// Returns the errors of [`StoredOptions::finishers`]. Also returns an error for an option that scores
    /// only a part of the counts, such as a lower order of BLEU.
    pub fn refinished(mut self, registry: &Registry, options: &StoredOptions) -> Result<Self> {
        if options.metrics.is_empty() && options.shared.is_empty() {
            return Ok(self);
        }
        let one = |(metric, spec): (&AnyMetric, &MetricSpec)| {
            let stored = StoredMetric::from_metric(spec.name(), metric, String::new())?;
            Ok((spec.clone(), stored, (*metric.state_key()).clone()))
        };
        let stored = self.metrics.iter().zip(&self.specs).map(one).collect::<Result<Vec<_>>>()?;
        let chosen = options.over(registry, &stored)?;
        for RefinishedMetric { place, spec, metric } in &chosen {
            let (_, counted, key) = &stored[*place];
            if *metric.state_key() != *key {
                return Err(InputError::malformed(format!(
                    "{} scores a part of the statistics of {}: only `bleuprint show` prints such a score",
                    spec.name(),
                    counted.spec
                )));
            }
        }
        let places: Vec<usize> = chosen.iter().map(|one| one.place).collect();
        self.keep_metrics(&places);
        (self.specs, self.metrics) = chosen.into_iter().map(|one| (one.spec, one.metric)).unzip();
        Ok(self)
    }
}
