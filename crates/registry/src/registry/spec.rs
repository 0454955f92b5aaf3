//! [`MetricSpec`]: a metric with options as users write it, and the metrics that the registry builds from such texts
//! and from the keys of states.

use bleuprint_core::{ConfigError, InputError, Metric as _, Result, StateBytes};

use super::{Registry, SharedName};
use crate::prelude::*;
use crate::{AnyMetric, AnyState, MetricOptions, Opt, OptionKind};

/// A metric with options, parsed from a text that a user wrote: `bleu`, `chrf++`, `rouge:order=2,stemmer`.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a choice needs all of it")]
pub struct MetricSpec {
    /// Name of the metric in the registry, such as `bleu`.
    pub metric: Cow<'static, str>,
    /// Option values: the values of a preset such as `chrf++`, and the values that the user gave.
    pub options: MetricOptions,
    /// Tokenizer that the user chose for this metric only, as in `wer:tokenize=char`.
    pub tokenizer: Option<String>,
    /// Lower-casing that the user chose for this metric only, as in `bleu:lowercase` or `bleu:lowercase=no`.
    pub lowercase: Option<bool>,
    /// Text normalizer that the user chose for this metric only, as in `wer:norm=whisper-en`.
    pub normalizer: Option<String>,
}

impl MetricSpec {
    /// Returns the metric's name with its options, such as `bleu:max-order=2`. The tokenizer is omitted,
    /// because the state key names it.
    pub fn name(&self) -> String {
        self.options.named(&self.metric)
    }
}

impl Registry {
    /// Parses a metric with options as a user writes it, such as `chrf:word-order=2,whitespace`. Upper or
    /// lower case of the name does not matter.
    ///
    /// An option without a value is a flag. A list of numbers is separated by `/`. In other values `%2C` is a
    /// comma and `%25` is `%`. Every metric accepts `tokenize`, `lowercase` and `norm`.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] if the metric or an option is unknown.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// # let registry = Registry::default();
    /// assert!(registry.parse("chrf:word-order=2").unwrap_err().to_string().contains("unknown metric `chrf`"));
    /// ```
    pub fn parse(&self, text: &str) -> Result<MetricSpec, ConfigError> {
        let name = text.split(':').next().unwrap_or_default();
        if let Some(SharedName { plain, first, second }) = self.shared_name(name) {
            return Err(ConfigError::Conflict(format!(
                "two families have a metric `{plain}`: write `{first}` or `{second}`"
            )));
        }
        self.parse_stored(text)
    }

    /// Parses a metric with options like [`Registry::parse`], as a file has it. A name that two families have
    /// means the first of them, as when the file was written.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] if the metric or an option is unknown.
    pub fn parse_stored(&self, text: &str) -> Result<MetricSpec, ConfigError> {
        let (name, given) = text.split_once(':').unwrap_or((text, ""));
        if self.find(name).is_none()
            && let Some((_, metric)) = self.spelt(name)?
        {
            let between = if metric.contains(':') { "," } else { ":" };
            return self.parse_stored(&if given.is_empty() {
                metric
            } else {
                format!("{metric}{between}{given}")
            });
        }
        let entry = self.get(name)?;
        let name = self.find(name).map_or(name, |(_, known)| known);
        let mut options = MetricOptions::default();
        let mut tokenizer = None;
        let mut lowercase = None;
        let mut normalizer = None;
        // The preset's options come first, so that the user's options override them.
        for preset in entry.presets.iter().filter(|preset| preset.name == name) {
            for (name, value) in preset.options {
                options.set(entry.option(name)?.name, value);
            }
        }
        for option in given.split(',').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, "yes"));
            match name {
                "tokenize" => tokenizer = Some(value.to_owned()),
                "norm" => normalizer = Some(value.to_owned()),
                "lowercase" => {
                    lowercase =
                        Some(Opt::flag("lowercase").value_in(&MetricOptions::default().with(name, value))?);
                }
                _ => {
                    let spec = entry.option(name)?;
                    let value = match spec.kind {
                        OptionKind::Numbers => value.replace('/', ","),
                        // `%25` is decoded last: otherwise `%252C` would become a comma.
                        _ => value.replace("%2C", ",").replace("%25", "%"),
                    };
                    options.set(spec.name, &value);
                }
            }
        }
        // Options are put into the order of the entry, so that their order in the text does not matter.
        let mut ordered = MetricOptions::default();
        for spec in entry.options {
            options.given(spec.name).into_iter().for_each(|value| ordered.set(spec.name, value));
        }
        let options = ordered;
        Ok(MetricSpec { metric: entry.name.clone(), options, tokenizer, lowercase, normalizer })
    }

    /// Parses a metric with options, such as `bleu:max-order=2`, and builds it.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::parse`] and of [`MetricEntry::build`](crate::MetricEntry::build).
    pub fn build(&self, text: &str) -> Result<AnyMetric, ConfigError> {
        let MetricSpec { metric, options, .. } = self.parse(text)?;
        self.get(&metric)?.build(&options)
    }

    /// Finds the metric of a stored state by the key of the state, and returns the metric with the state.
    ///
    /// The metric has the options that the key names. Options that change scores but no counts, such as
    /// smoothing, have their defaults: for others, build the metric and call [`StateBytes::open`].
    ///
    /// # Errors
    /// Returns [`MalformedState`](bleuprint_core::InputErrorKind::MalformedState) if the registry has no such
    /// metric, if the state belongs to several metrics, or if the key does not name all options that change
    /// counts; and the errors of [`StateBytes::open`].
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// const ENTRY: MetricEntry = MetricEntry::new("mine", "Constant score", |_| {
    ///     let identity = Identity::new("mine", 1, Scale::UNIT);
    ///     AnyMetric::for_ids(PerSegment::new(identity, |_: Segment<'_, [u32]>| Ok(1.0)))
    /// });
    /// let registry = Registry::from_entries(&[ENTRY]).unwrap();
    /// let bytes = StateBytes::new(&State::zero(&registry.build("mine").unwrap())).unwrap();
    /// let (metric, state) = registry.open(&bytes).unwrap();
    /// assert_eq!(state, State::zero(&metric));
    /// ```
    pub fn open(&self, bytes: &StateBytes) -> Result<(AnyMetric, AnyState)> {
        let key = bytes.key();
        let refused = |error: ConfigError| InputError::malformed_state(format!("the state `{key}`: {error}"));
        let [part] = &key.parts[..] else {
            let message =
                format!("the state `{key}` belongs to several metrics: open it with the panel of them");
            return Err(InputError::malformed_state(message));
        };
        let entry = self.get(&part.metric).map_err(refused)?;
        let mut options = MetricOptions::default();
        for spec in entry.options.iter().filter(|spec| spec.field.counted) {
            let given = part.params.iter().find(|(name, _)| name == spec.field.key);
            let [on, off] = spec.field.flag;
            match given {
                Some((_, value)) if spec.kind == OptionKind::Flag && value == on => {
                    options.set(spec.name, "yes")
                }
                Some((_, value)) if spec.kind == OptionKind::Flag && value == off => {}
                Some((_, value)) => options.set(spec.name, value),
                None => {}
            }
        }
        let metric = entry.build(&options).map_err(refused)?;
        let metric = if *metric.state_key() == *key { metric } else { metric.over(part.space.clone()) };
        let state = bytes.open(&metric)?;
        Ok((metric, state))
    }
}
