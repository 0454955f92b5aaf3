//! [`MetricChoice`]: the metrics that a user selected, with their options.

use bleuprint::eval::Request;
use bleuprint::eval::evaluation::{Metrics, StoredOptions};
use bleuprint::text::read::option_file;
use bleuprint::{
    AnyMetric, ConfigError, Metric as _, MetricEntry, Registry,
    contract::{MetricOptions, MetricSpec, OptionKind, ViewKind},
};

use crate::failure::{Result, fail};
use crate::tokens::TokenChoice;
use crate::warn::is_for_python;

/// Metrics that a user selected by name, and options for all of them.
#[derive(Debug, Clone, Default)]
pub struct MetricChoice {
    /// Names of metrics and metric sets, each with its own options, as in `chrf:word-order=2`.
    pub names: Vec<String>,
    /// `true` if the user named the metrics; `false` if they are the default metrics.
    pub given: bool,
    /// Options, as pairs of name and value, for every selected metric that has them and does not set them in its
    /// name.
    pub options: Vec<(&'static str, String)>,
    /// `true` to keep the metrics in the order given by the user, like sacreBLEU's paired tests; otherwise
    /// they are sorted by name.
    pub as_given: bool,
    /// `true` if single sentences are scored, for which some options have other defaults, such as BLEU's
    /// effective order.
    pub sentence_level: bool,
    /// `true` to use the metrics' variants for references with alternatives, such as `{ wanna / want to }`.
    pub alternatives: bool,
}

impl MetricChoice {
    /// Metric of a command line without `-m`.
    pub const DEFAULT: &str = "bleu";

    /// Returns `true` if the user named no metric, and no default other than that of `-m` is in its place.
    pub(crate) fn is_default(&self) -> bool {
        !self.given && (self.names.is_empty() || self.names == [Self::DEFAULT])
    }

    /// Returns the selected metrics with their options, each once. An option after the metric's name takes
    /// precedence over an option for all metrics.
    ///
    /// # Errors
    /// Returns an error for an unknown metric or option, and for an option that has no effect.
    pub fn specs(&self, registry: &Registry) -> Result<Vec<MetricSpec>, ConfigError> {
        let mut specs: Vec<MetricSpec> = Vec::new();
        for name in self.names.iter().flat_map(|name| registry.expand(name)) {
            let name = if self.alternatives { over_alternatives(registry, name)? } else { name };
            let spec = registry.parse(&name).map_err(|error| joined(registry, &name).unwrap_or(error))?;
            // The same metric may come from two sets of metrics.
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
        if !self.as_given {
            // The sort is stable, so variants of one metric keep the user's order.
            specs.sort_by(|one, other| one.metric.cmp(&other.metric));
        }
        self.refuse_without_effect(registry, &specs)?;
        for spec in &mut specs {
            spec.options = self.options_of(registry.get(&spec.metric)?, spec);
        }
        Ok(specs)
    }

    /// Rejects an option for all metrics that has no effect, because every selected metric with this option
    /// already sets it, as `chrf++` sets the word order.
    fn refuse_without_effect(&self, registry: &Registry, specs: &[MetricSpec]) -> Result<(), ConfigError> {
        for (name, value) in &self.options {
            let with = |spec: &&MetricSpec| registry.get(&spec.metric).is_ok_and(|entry| takes(entry, name));
            let mut own = specs.iter().filter(with).map(|spec| (spec, spec.options.given(name)));
            let Some((first, Some(set))) = own.next() else { continue };
            if own.all(|(_, set)| set.is_some()) {
                let metric = &first.metric;
                let message = format!(
                    "--{name} {value} has no effect: the name of the metric sets {name}={set} of {metric}, which precedes"
                );
                return Err(ConfigError::Conflict(message));
            }
        }
        Ok(())
    }

    pub(crate) fn files(&self, registry: &Registry) -> Vec<String> {
        let specs = self.names.iter().flat_map(|name| registry.expand(name));
        let specs = specs.filter_map(|name| registry.parse(&name).ok());
        specs.flat_map(|spec| paths(registry, &spec)).map(|(_, path)| path).collect()
    }

    /// Returns the metric that `-m` names if `--signature` is given too. Its options may only be files whose
    /// hashes are in the signature, because the signature determines all other options.
    pub(crate) fn beside_signature(&self, registry: &Registry) -> Result<Option<MetricSpec>> {
        if let Some((name, _)) = self.options.first() {
            fail!("--{name} is decided by --signature");
        }
        match &self.names[..] {
            _ if !self.given => Ok(None),
            [name] => {
                let spec = registry.parse(name)?;
                let paths = paths(registry, &spec);
                let tokens = [&spec.tokenizer, &spec.normalizer].iter().any(|given| given.is_some());
                if paths.is_empty()
                    // More options than paths: one of them is no file, and the signature decides it.
                    || paths.len() < spec.options.iter().count()
                    || tokens
                    || spec.lowercase.is_some()
                {
                    fail!(
                        "--metrics {name} is decided by --signature; next to it, -m METRIC:OPTION=FILE may only give a file whose \
                         hash is in the signature"
                    );
                }
                Ok(Some(spec))
            }
            names => fail!("--metrics {} is decided by --signature", names.join(" ")),
        }
    }

    /// Returns the options for metrics of stored statistics.
    ///
    /// # Errors
    /// Returns an error for an unknown metric or option.
    pub fn of_stored(&self, registry: &Registry) -> Result<StoredOptions> {
        let names = self.names.iter().filter(|_| self.given).flat_map(|name| registry.expand(name));
        let metrics = names.map(|name| registry.parse(&name)).collect::<Result<Vec<_>, _>>()?;
        let shared = self.options.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Ok(StoredOptions { metrics, shared: shared.collect() })
    }

    /// Builds the metrics `specs` with the selected tokens.
    ///
    /// # Errors
    /// Returns an error for an option of metrics that were not selected, and the errors of the metrics.
    pub fn metrics(
        &self,
        registry: &Registry,
        specs: &[MetricSpec],
        tokens: &TokenChoice,
    ) -> Result<Metrics> {
        self.refuse_foreign(registry, specs)?;
        let request = Request { specs: specs.to_vec(), tokens: tokens.chosen()? };
        let metrics = request.build(registry)?;
        let of_text = |metric: &&AnyMetric| metric.view.kind == ViewKind::Text;
        if let (true, Some(metric)) = (tokens.is_ids(), metrics.panel.metrics().find(of_text)) {
            fail!("{} reads text, but the segments are ids", metric.identity().name());
        }
        Ok(metrics)
    }

    /// Returns an error for options of metrics that were not selected, because these options would have no
    /// effect.
    fn refuse_foreign(&self, registry: &Registry, chosen: &[MetricSpec]) -> Result<()> {
        let taken = |name: &str| {
            chosen.iter().any(|one| registry.get(&one.metric).is_ok_and(|entry| takes(entry, name)))
        };
        let foreign = self.options.iter().find(|(name, _)| !taken(name));
        let of = |name: &str| registry.entries().iter().find(|entry| takes(entry, name));
        match foreign.and_then(|(name, _)| Some((name, of(name)?))) {
            None => Ok(()),
            Some((name, entry)) => fail!(
                "--{name} is an option of {}, but the chosen metrics are {}",
                entry.name,
                chosen.iter().map(|spec| &*spec.metric).collect::<Vec<_>>().join(", ")
            ),
        }
    }

    /// Returns the value of an option for all metrics; `None` if the user did not give it.
    fn shared(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    fn options_of(&self, entry: &MetricEntry, spec: &MetricSpec) -> MetricOptions {
        let mut options = MetricOptions::default();
        options.set_files(option_file);
        for option in entry.options {
            // The order of precedence: after the metric's name, option of the command, default for sentences.
            match spec.options.get(option.name).or_else(|| self.shared(option.name)) {
                Some(value) => options.set(option.name, value),
                None => {
                    if let Some(default) = option.sentence_default.filter(|_| self.sentence_level) {
                        options.set_default(option.name, default);
                    }
                }
            }
        }
        options
    }
}

fn paths(registry: &Registry, spec: &MetricSpec) -> Vec<(&'static str, String)> {
    let options = registry.get(&spec.metric).map(|entry| entry.options).unwrap_or_default();
    let paths = options.iter().filter(|option| matches!(option.kind, OptionKind::Path));
    paths.filter_map(|path| Some((path.name, spec.options.get(path.name)?.to_owned()))).collect()
}

/// Returns the name of a metric's variant for references with alternatives. If the metric has the option
/// `optional`, it reads alternatives itself, so its own name is returned.
fn over_alternatives(registry: &Registry, name: String) -> Result<String, ConfigError> {
    // Presets with this prefix are the variants of metrics for references with alternatives.
    const PREFIX: &str = "alternatives_";
    let named = format!("{PREFIX}{name}");
    if registry.parse(&named).is_ok() {
        return Ok(named);
    }
    let entry = registry.get(&registry.parse(&name)?.metric)?;
    if entry.options.iter().any(|option| entry.own_name(option) == "optional") {
        return Ok(name);
    }
    let presets = registry.entries().iter().flat_map(|entry| entry.presets);
    let known: Vec<&str> = presets.filter_map(|preset| preset.name.strip_prefix(PREFIX)).collect();
    Err(ConfigError::Conflict(format!(
        "--references alternatives: {} takes braces for words; those that do not are {}",
        entry.name,
        known.join(", ")
    )))
}

/// Returns an error for metric names that are joined by commas, as in `bleu,chrf`; it shows the right
/// spelling. Returns `None` for other names.
fn joined(registry: &Registry, name: &str) -> Option<ConfigError> {
    let names: Vec<&str> = name.split(',').map(str::trim).collect();
    // Only a list of known metrics is taken for a list; `bleu:max-order=2,lowercase` is one metric.
    let all = names.len() > 1 && names.iter().all(|name| registry.parse(name).is_ok());
    let message = || {
        if is_for_python() {
            format!("`{name}` names one metric; several names are a list, as in metrics={names:?}")
        } else {
            format!("-m {name} names one metric; separate several names by spaces: -m {}", names.join(" "))
        }
    };
    all.then(|| ConfigError::Conflict(message()))
}

fn takes(entry: &MetricEntry, name: &str) -> bool {
    entry.options.iter().any(|own| own.name == name)
}
