//! Converts the keys and values of a signature into a metric with options. Each option declares the key under
//! which it is printed.

use std::borrow::Cow;

use bleuprint_core::{Case, ConfigError, Metric as _, SegmentCounts, Signature, TokenSpace};
use bleuprint_registry::{
    AnyMetric, MetricEntry, MetricOptions, OptionField, OptionKind, OptionSpec, Registry, ViewKind,
};
use bleuprint_text::Tokenizers;

use super::{REFERENCES, Recipe};

/// Metric that a signature names, with its options and tokenizer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RecipeSettings {
    /// Name of the metric in the registry.
    pub metric: Cow<'static, str>,
    /// Options of the metric that differ from their defaults.
    pub options: MetricOptions,
    /// Name of the tokenizer, or `None` for the metric's default.
    pub tokenizer: Option<String>,
    /// Letter case of the comparison, or `None` for the metric's default.
    pub case: Option<Case>,
    /// Name of the text normalizer, if any. It includes a hash if the normalizer reads a file.
    pub normalizer: Option<String>,
}

impl RecipeSettings {
    /// Returns the metric with its options as users write it, for example `bleu:max-order=2`.
    pub fn spec(&self) -> String {
        self.options.named(&self.metric)
    }
}

pub(super) struct RecipeEntry {
    pub(super) key: String,
    short: String,
    pub(super) value: String,
}

impl RecipeEntry {
    /// Returns `true` if `key` is the long or the short key of this signature setting.
    pub(super) fn is(&self, key: &str) -> bool {
        self.key == key || self.short == key
    }
}

/// Returns the settings of a signature, each with its long and its short key, without the version.
pub(super) fn entries(signature: &Signature) -> Vec<RecipeEntry> {
    let long = signature.body();
    let short = signature.short();
    let fields = signature.entries().zip(long.split('|').zip(short.split('|')));
    let fields = fields.filter(|((key, _), _)| *key != "version");
    fields
        .map(|((key, value), (_, short))| RecipeEntry {
            key: key.to_owned(),
            short: short.split_once(':').map_or(short, |(key, _)| key).to_owned(),
            value: value.to_owned(),
        })
        .collect()
}

impl Recipe {
    /// Finds the metric and the options that print the parsed signature.
    ///
    /// Some settings come only from data, for example the fingerprint of the references that a metric learned
    /// from. [`Recipe::check`] compares these settings.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] if the registry has no such metric, and [`ConfigError::Conflict`]
    /// if a field cannot be reproduced.
    pub fn settings(&self, registry: &Registry) -> Result<RecipeSettings, ConfigError> {
        self.settings_with(registry, crate::families().tokenizers(), &MetricOptions::default())
    }

    /// Finds the metric and the options that print the parsed signature, like [`Recipe::settings`], with your
    /// own tokenizers. `given` sets options that name files, such as METEOR's synonyms, because a signature
    /// contains no paths.
    ///
    /// # Errors
    /// Returns the errors of [`Recipe::settings`].
    pub fn settings_with(
        &self,
        registry: &Registry,
        tokenizers: &Tokenizers,
        given: &MetricOptions,
    ) -> Result<RecipeSettings, ConfigError> {
        if let Some(case) = self.get(&["case", "c"]) {
            case.parse::<Case>()?;
        }
        // Several metrics may share a name, so all are tried; the first error is kept for the case that none
        // fits.
        let mut refused = None;
        for entry in registry.entries() {
            let options = self.options(entry, given);
            let settled = match entry.build(&options) {
                Ok(metric) if metric.identity().name() == self.name => {
                    self.settle(entry, tokenizers, options, &metric)
                }
                Err(error) if self.is_default_name(entry) => Err(error),
                _ => continue,
            };
            match settled {
                Ok(settings) => return Ok(settings),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Err(refused.unwrap_or_else(|| self.unknown_metric(registry)))
    }

    fn is_default_name(&self, entry: &MetricEntry) -> bool {
        entry.build(&entry.example_options()).is_ok_and(|metric| metric.identity().name() == self.name)
    }

    /// Returns the settings (tokenizer, case, normalizer and options) for a metric that was built from the
    /// parsed signature. Checks that the metric itself prints an equal signature, and returns an error if
    /// not.
    fn settle(
        &self,
        entry: &MetricEntry,
        tokenizers: &Tokenizers,
        options: MetricOptions,
        metric: &AnyMetric,
    ) -> Result<RecipeSettings, ConfigError> {
        // A metric that still has to learn from references cannot print its signature yet; `check` compares
        // it later.
        if metric.first_pass().is_none()
            && let Some((key, value, printed)) = self.differences(metric)?.first()
        {
            return Err(self.refusal(key, value, printed));
        }
        let tokenizer = self.tokenizer(metric, tokenizers)?;
        let case = self.case(metric, tokenizer.is_some())?;
        let normalizer = self.normalizer(metric).map(str::to_owned);
        Ok(RecipeSettings { metric: entry.name.clone(), tokenizer, case, normalizer, options })
    }

    fn unknown_metric(&self, registry: &Registry) -> ConfigError {
        let known = registry.entries().iter().flat_map(|entry| entry.build(&entry.example_options()));
        let known: Vec<String> = known.map(|metric| metric.identity().name()).collect();
        ConfigError::unknown_name("metric of a signature", &self.name, &known)
    }

    /// Returns the options of a metric that follow from the parsed signature. Options with a key in the
    /// signature are set first, then options that show only in the name of the score or of the tokenizer.
    fn options(&self, entry: &MetricEntry, given: &MetricOptions) -> MetricOptions {
        let mut options = given.clone();
        for spec in entry.options {
            if let Some(value) = self.value(entry, spec).filter(|value| *value != spec.default.to_string()) {
                options.set(spec.name, &value);
            }
        }
        for spec in entry.options.iter().filter(|spec| spec.field.in_name || spec.field.key.is_empty()) {
            let values = self.values_of_name(spec.kind).into_iter();
            let tried = values.map(|value| options.clone().with(spec.name, &value));
            let all = core::iter::once(options.clone()).chain(tried);
            // Tried one by one: each candidate is built, and the one whose signature is nearest to the recipe
            // stays. The current options come first, so ties keep them.
            if let Some(nearest) = all.min_by_key(|options| self.distance(entry, options)) {
                options = nearest;
            }
        }
        options
    }

    /// Returns the value of an option, read from the signature under the key that the option declares.
    /// Returns `None` if the key is missing or the value is not valid.
    fn value(&self, entry: &MetricEntry, spec: &OptionSpec) -> Option<String> {
        let OptionField { key, short, flag, brackets_of, .. } = spec.field;
        // A field such as `smooth:floor[0.10]` holds two options; the second value is in the brackets of the
        // first.
        let in_brackets = || {
            let field =
                entry.options.iter().map(|other| other.field).find(|field| field.key == brackets_of)?;
            let (_, value) = self.get(&[field.key, field.short])?.split_once('[')?;
            value.strip_suffix(']')
        };
        let text = self.get(&[key, short]).or_else(in_brackets)?;
        let value = match spec.kind {
            OptionKind::Flag => ["yes", "no"].get(flag.iter().position(|word| *word == text)?)?,
            OptionKind::Choice(_) => text.split('[').next()?,
            OptionKind::Path => return None,
            _ => text,
        };
        spec.accepts(value).then(|| value.to_owned())
    }

    /// Returns values to try for a metric option that has no key in the parsed signature, but shows in a
    /// name. A numeric option, such as the n-gram order, gets the numbers in the score's name. Any other
    /// option gets all its choices.
    fn values_of_name(&self, kind: OptionKind) -> Vec<String> {
        match kind {
            OptionKind::Choice(choices) => choices.iter().map(|&choice| choice.to_owned()).collect(),
            OptionKind::Flag => vec!["yes".to_owned()],
            OptionKind::Integer | OptionKind::Number => {
                let numbers = self.name.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
                numbers.filter(|number| !number.is_empty()).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the number of settings in which a metric's signature differs from the parsed signature. It is
    /// largest for a metric that cannot be built.
    fn distance(&self, entry: &MetricEntry, options: &MetricOptions) -> usize {
        let differences = |metric: AnyMetric| {
            let fields = self.differences(&metric).ok()?.len();
            Some(fields + usize::from(metric.identity().name() != self.name))
        };
        entry.build(options).ok().and_then(differences).unwrap_or(usize::MAX)
    }

    /// Compares a metric's signature with the parsed signature. Returns the key, the parsed value and the
    /// metric's value of every setting that differs.
    fn differences(&self, metric: &AnyMetric) -> Result<Vec<(&str, &str, String)>, ConfigError> {
        let printed =
            metric.clone().over(self.space(metric)?).identity().signature(&SegmentCounts::default());
        let printed = entries(&printed);
        let differs = |(key, value)| match printed.iter().find(|entry: &&RecipeEntry| entry.is(key)) {
            Some(entry) if entry.value == value => None,
            Some(entry) => Some((key, value, format!("`{}:{}`", entry.key, entry.value))),
            None => Some((key, value, "no field of this metric".to_owned())),
        };
        Ok(self.fields_to_print().filter_map(differs).collect())
    }

    fn fields_to_print(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settled_fields().filter(|(key, _)| !REFERENCES.contains(key))
    }

    /// Returns the tokenizer and case of the parsed signature if users can choose them for this metric,
    /// otherwise the tokenizer and case of the metric.
    fn space(&self, metric: &AnyMetric) -> Result<TokenSpace, ConfigError> {
        let view = &metric.view;
        let wanted = match self.get(&["case", "c"]) {
            Some(case) => Some(case.parse()?),
            None => None,
        };
        let own_case = view.case.filter(|_| view.fixed);
        let case = own_case.or(wanted).or(view.case).unwrap_or(Case::Mixed);
        let own = view.tokenizer.as_deref().filter(|_| view.fixed);
        let label = own.or(self.get(&["tok", "t"])).or(view.tokenizer.as_deref()).unwrap_or("13a");
        let space = match view.kind {
            ViewKind::Text => TokenSpace::text(case),
            ViewKind::Numbers | ViewKind::Vectors | ViewKind::Own => {
                return Ok(metric
                    .state_key()
                    .parts
                    .first()
                    .map(|part| part.space.clone())
                    .unwrap_or_default());
            }
            ViewKind::Ids | ViewKind::Tokens => TokenSpace::new(label, case)?,
        };
        match self.normalizer(metric) {
            Some(name) => space.with_normalizer(name),
            None => Ok(space),
        }
    }

    /// Returns the name of the text normalizer in the parsed signature. Its key is `normalizer` for a metric
    /// that has a setting `norm` itself, otherwise `norm`.
    fn normalizer(&self, metric: &AnyMetric) -> Option<&str> {
        let own = metric.identity().signature(&SegmentCounts::default());
        self.get(if own.get("norm").is_some() { &["normalizer"] } else { &["norm"] })
    }

    /// Returns the name of the tokenizer whose label is in the parsed signature, or `None` for the metric's
    /// default.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if no tokenizer has this label.
    fn tokenizer(&self, metric: &AnyMetric, tokenizers: &Tokenizers) -> Result<Option<String>, ConfigError> {
        let view = &metric.view;
        let Some(label) = self.get(&["tok", "t"]).filter(|_| !view.fixed) else { return Ok(None) };
        if label == view.tokenizer.as_deref().unwrap_or("13a") {
            return Ok(None);
        }
        match tokenizers.name_of_label(label) {
            Some(name) => Ok(Some(name.to_owned())),
            None => Err(self.refusal("tok", label, "no tokenizer that is known")),
        }
    }

    /// Returns the letter case in the parsed signature, or `None` if it is the metric's default. A metric
    /// that lower-cases by default may do so differently with another tokenizer (`other_tokens`). Its default
    /// is then returned, too.
    fn case(&self, metric: &AnyMetric, other_tokens: bool) -> Result<Option<Case>, ConfigError> {
        let own = metric.view.case.unwrap_or(Case::Mixed);
        let Some(case) = self.get(&["case", "c"]) else { return Ok(None) };
        let case: Case = case.parse()?;
        Ok(Some(case).filter(|case| *case != own || other_tokens && own != Case::Mixed))
    }
}
