//! From fields to a metric with options, each by the field that its declaration says it makes.

use std::borrow::Cow;

use bleuprint_core::{Case, ConfigError, Metric as _, SegmentCounts, Signature, TokenSpace};
use bleuprint_registry::{
    AnyMetric, MetricEntry, MetricOptions, OptionField, OptionKind, OptionSpec, Registry, ViewKind,
};
use bleuprint_text::Tokenizers;

use super::{REFERENCES, Recipe};

/// The metric of a recipe, and the tokens it is over.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RecipeSettings {
    /// The registry name.
    pub metric: Cow<'static, str>,
    /// The options that are not at their default.
    pub options: MetricOptions,
    /// The tokenizer, if it is not the metric's own.
    pub tokenizer: Option<String>,
    /// The case, if it is not the metric's own.
    pub case: Option<Case>,
    /// The name of the normalizer, if any; with a hash where it reads a file.
    pub normalizer: Option<String>,
}

impl RecipeSettings {
    /// The metric as users name it, as in `bleu:max-order=2`.
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
    /// True if this is its key, long or short.
    pub(super) fn is(&self, key: &str) -> bool {
        self.key == key || self.short == key
    }
}

/// The fields of a signature with both their keys, without the version.
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
    /// The metric and the options that print this recipe.
    ///
    /// Fields that only data can give, as the fingerprint of what a metric learns from the references, are left to
    /// [`Recipe::check`].
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`] for a metric that the registry lacks; [`ConfigError::Conflict`] for a field that
    /// cannot be reproduced.
    pub fn settings(&self, registry: &Registry) -> Result<RecipeSettings, ConfigError> {
        self.settings_with(registry, crate::families().tokenizers(), &MetricOptions::default())
    }

    /// The same among these tokenizers, where options that name files, as the synonyms of METEOR, are given beside the recipe.
    ///
    /// # Errors
    /// Those of [`Recipe::settings`].
    pub fn settings_with(
        &self,
        registry: &Registry,
        tokenizers: &Tokenizers,
        given: &MetricOptions,
    ) -> Result<RecipeSettings, ConfigError> {
        if let Some(case) = self.get(&["case", "c"]) {
            case.parse::<Case>()?;
        }
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

    /// The settings of a metric, if it prints what the recipe says.
    fn settle(
        &self,
        entry: &MetricEntry,
        tokenizers: &Tokenizers,
        options: MetricOptions,
        metric: &AnyMetric,
    ) -> Result<RecipeSettings, ConfigError> {
        // A metric that has yet to learn has no key.
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

    /// The options of a metric that the recipe tells: first those with a field of their own, then those that the name of
    /// the score or its tokens show.
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
            if let Some(nearest) = all.min_by_key(|options| self.distance(entry, options)) {
                options = nearest;
            }
        }
        options
    }

    /// The value of an option whose field the recipe has; none where it takes no such value.
    fn value(&self, entry: &MetricEntry, spec: &OptionSpec) -> Option<String> {
        let OptionField { key, short, flag, brackets_of, .. } = spec.field;
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

    /// The values that the name of a score can show, or its tokens.
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

    /// In how much a metric prints otherwise; nothing is farther than one that cannot be built.
    fn distance(&self, entry: &MetricEntry, options: &MetricOptions) -> usize {
        let differences = |metric: AnyMetric| {
            let fields = self.differences(&metric).ok()?.len();
            Some(fields + usize::from(metric.identity().name() != self.name))
        };
        entry.build(options).ok().and_then(differences).unwrap_or(usize::MAX)
    }

    /// The fields that a metric prints otherwise: key, value, and what it prints.
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

    /// The tokens of the recipe, where the metric leaves them to its user; else those it is defined over.
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

    /// The name of the normalizer: of a metric that has a field `norm` itself under a longer key.
    fn normalizer(&self, metric: &AnyMetric) -> Option<&str> {
        let own = metric.identity().signature(&SegmentCounts::default());
        self.get(if own.get("norm").is_some() { &["normalizer"] } else { &["norm"] })
    }

    /// The name of the tokenizer that prints the label of the recipe, if it is not the metric's own.
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

    /// The case of the recipe, if it is not the metric's own: over other tokens a lower case may be another.
    fn case(&self, metric: &AnyMetric, other_tokens: bool) -> Result<Option<Case>, ConfigError> {
        let own = metric.view.case.unwrap_or(Case::Mixed);
        let Some(case) = self.get(&["case", "c"]) else { return Ok(None) };
        let case: Case = case.parse()?;
        Ok(Some(case).filter(|case| *case != own || other_tokens && own != Case::Mixed))
    }
}
