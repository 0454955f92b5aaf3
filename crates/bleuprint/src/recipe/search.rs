//! From fields to a metric with options: options are tried until the metric prints what the recipe says.

use bleuprint_core::{
    AnyMetric, Case, ConfigError, Metric as _, MetricEntry, MetricOptions, OptionKind, Registry,
    SegmentCounts, Signature, TokenSpace, ViewKind,
};
use bleuprint_text::Tokenizers;

use super::{REFERENCES, Recipe};

/// The metric of a recipe, and the tokens it is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The registry name.
    pub metric: &'static str,
    /// The options that are not at their default.
    pub options: MetricOptions,
    /// The tokenizer, where it is not the metric's own.
    pub tokenizer: Option<String>,
    /// The case, where it is not the metric's own.
    pub case: Option<Case>,
}

impl Settings {
    /// The metric as users name it, as in `bleu:max-order=2`.
    pub fn spec(&self) -> String {
        self.options.named(self.metric)
    }
}

/// One field that a signature prints.
pub(super) struct Entry {
    pub(super) key: String,
    short: String,
    pub(super) value: String,
}

impl Entry {
    /// Whether this is its key, long or short.
    pub(super) fn is(&self, key: &str) -> bool {
        self.key == key || self.short == key
    }
}

/// The fields of a signature with both their keys, without the version.
pub(super) fn entries(signature: &Signature) -> Vec<Entry> {
    let (long, short) = (signature.body(), signature.short());
    let fields = signature.entries().zip(long.split('|').zip(short.split('|')));
    let fields = fields.filter(|((key, _), _)| *key != "version");
    fields
        .map(|((key, value), (_, short))| Entry {
            key: key.to_owned(),
            short: short.split_once(':').map_or(short, |(key, _)| key).to_owned(),
            value: value.to_owned(),
        })
        .collect()
}

/// More rounds than a metric has options would find nothing more.
const MOST_ROUNDS: usize = 16;

impl Recipe {
    /// The metric and the options that print this recipe.
    ///
    /// Fields that only data can give, as the fingerprint of what a metric learns from the references, are left to
    /// [`Recipe::check`].
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`] for a metric that the registry lacks; [`ConfigError::Conflict`] for a field that
    /// cannot be reproduced.
    pub fn settings(&self, registry: &Registry) -> Result<Settings, ConfigError> {
        self.settings_with(registry, &MetricOptions::new())
    }

    /// The same, where options that name files, as the synonyms of METEOR, are given beside the recipe.
    ///
    /// # Errors
    /// Those of [`Recipe::settings`].
    pub fn settings_with(&self, registry: &Registry, given: &MetricOptions) -> Result<Settings, ConfigError> {
        if let Some(case) = self.get(&["case", "c"]) {
            case.parse::<Case>()?;
        }
        let mut best: Option<(u32, &MetricEntry, MetricOptions)> = None;
        for entry in registry.entries() {
            for name in entry.names() {
                let mut options = given.clone();
                registry.parse(name)?.options.iter().for_each(|(name, value)| options.set(name, value));
                let Some(distance) = self.distance(entry, &options) else { continue };
                if best.as_ref().is_none_or(|(nearest, ..)| distance < *nearest) {
                    best = Some((distance, entry, options));
                }
            }
        }
        let (mut distance, entry, mut options) = best.ok_or_else(|| self.unknown_metric(registry))?;
        for _ in 0..MOST_ROUNDS {
            let Some((nearer, better)) = self.step(entry, &options).filter(|(next, _)| *next < distance)
            else {
                break;
            };
            (distance, options) = (nearer, better);
        }
        let metric = entry.build(&options)?;
        let name = metric.identity().name();
        if name != self.name {
            return Err(self.unknown_metric(registry));
        }
        let space = self.space(&metric)?;
        self.refuse_what_differs(metric, space)?;
        let metric = entry.build(&options)?;
        Ok(Settings {
            metric: entry.name,
            tokenizer: self.tokenizer(&metric)?,
            case: self.case(&metric)?,
            options,
        })
    }

    fn unknown_metric(&self, registry: &Registry) -> ConfigError {
        let known = registry.entries().iter().flat_map(|entry| entry.build(&MetricOptions::new()));
        let known: Vec<String> = known.map(|metric| metric.identity().name()).collect();
        ConfigError::unknown_name("metric of a signature", &self.name, &known)
    }

    /// The best of all metrics that one more option makes.
    fn step(&self, entry: &MetricEntry, options: &MetricOptions) -> Option<(u32, MetricOptions)> {
        let mut best: Option<(u32, MetricOptions)> = None;
        for option in entry.options {
            for value in self.candidates(option.kind) {
                let with = options.clone().with(option.name, &value);
                let Some(distance) = self.distance(entry, &with) else { continue };
                if best.as_ref().is_none_or(|(nearest, _)| distance < *nearest) {
                    best = Some((distance, with));
                }
            }
        }
        best
    }

    /// What an option may be worth a try with: its choices, or what the recipe has of its kind.
    fn candidates(&self, kind: OptionKind) -> Vec<String> {
        let values = self.settled_fields().map(|(_, value)| value);
        match kind {
            OptionKind::Choice(choices) => choices.iter().map(|&choice| choice.to_owned()).collect(),
            OptionKind::Flag => vec!["yes".to_owned(), "no".to_owned()],
            OptionKind::Path => Vec::new(),
            OptionKind::Name | OptionKind::Numbers => values.map(str::to_owned).collect(),
            _ => {
                let bracketed = |value: &str| {
                    value.split_once('[').map_or(value, |(_, rest)| rest.trim_end_matches(']')).to_owned()
                };
                let number = |letter: char| letter.is_ascii_digit() || letter == '.';
                let in_name = self.name.split(|letter: char| !number(letter)).map(str::to_owned);
                let all = values.map(bracketed).chain(in_name);
                all.filter(|value| value.parse::<f64>().is_ok()).collect()
            }
        }
    }

    /// How far what the metric prints is from the recipe: 0 for no difference. Nothing where it cannot be built.
    fn distance(&self, entry: &MetricEntry, options: &MetricOptions) -> Option<u32> {
        let metric = entry.build(options).ok()?;
        let space = self.space(&metric).ok()?;
        let name = metric.identity().name();
        let letters = |name: &str| name.chars().take_while(char::is_ascii_alphabetic).collect::<String>();
        let of_name = match () {
            () if name == self.name => 0,
            () if letters(&name) == letters(&self.name) => 2,
            () => 100,
        };
        let printed = printed(metric, space);
        let of_fields: u32 = self.fields_to_print().map(|(key, value)| of_field(&printed, key, value)).sum();
        // What a metric prints beyond the recipe is at its default, or wrong.
        let default = entry.build(&MetricOptions::new()).ok()?;
        let default = self.space(&default).map(|space| self::printed(default, space)).ok()?;
        let is_default =
            |entry: &&Entry| default.iter().any(|other| other.key == entry.key && other.value == entry.value);
        let beyond = printed.iter().filter(|entry| !self.fields.iter().any(|(key, _)| entry.is(key)));
        let beyond =
            beyond.filter(|entry| !["case", "tok"].contains(&entry.key.as_str()) && !is_default(entry));
        Some(of_name + of_fields + 2 * beyond.count() as u32)
    }

    fn fields_to_print(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settled_fields().filter(|(key, _)| !REFERENCES.contains(key))
    }

    /// The tokens of the recipe, where the metric leaves them to its user; else those it is defined over.
    fn space(&self, metric: &AnyMetric) -> Result<TokenSpace, ConfigError> {
        let view = metric.view();
        let wanted = match self.get(&["case", "c"]) {
            Some(case) => Some(case.parse()?),
            None => None,
        };
        let own_case = view.case.filter(|_| view.fixed);
        let case = own_case.or(wanted).or(view.case).unwrap_or(Case::Mixed);
        if view.kind == ViewKind::Text {
            return Ok(TokenSpace::text(case));
        }
        let own = view.tokenizer.as_deref().filter(|_| view.fixed);
        let label = own.or(self.get(&["tok", "t"])).or(view.tokenizer.as_deref()).unwrap_or("13a");
        TokenSpace::new(label, case)
    }

    /// Refuses the first field that the metric prints otherwise, but for those that it has yet to learn.
    fn refuse_what_differs(&self, metric: AnyMetric, space: TokenSpace) -> Result<(), ConfigError> {
        let learns = metric.first_pass().is_some();
        let printed = printed(metric, space);
        for (key, value) in self.fields_to_print() {
            match printed.iter().find(|entry| entry.is(key)) {
                Some(entry) if entry.value == value => {}
                Some(_) if learns => {}
                None if learns => {}
                Some(entry) => {
                    return Err(self.refusal(key, value, &format!("`{}:{}`", entry.key, entry.value)));
                }
                None => return Err(self.refusal(key, value, "no field of this metric")),
            }
        }
        Ok(())
    }

    /// The name of the tokenizer that prints the label of the recipe, where it is not the metric's own.
    fn tokenizer(&self, metric: &AnyMetric) -> Result<Option<String>, ConfigError> {
        let view = metric.view();
        let Some(label) = self.get(&["tok", "t"]).filter(|_| !view.fixed) else { return Ok(None) };
        if label == view.tokenizer.as_deref().unwrap_or("13a") {
            return Ok(None);
        }
        match Tokenizers::default().name_of_label(label) {
            Some(name) => Ok(Some(name.to_owned())),
            None => Err(self.refusal("tok", label, "no tokenizer that is known")),
        }
    }

    /// The case of the recipe, where it is not the metric's own.
    fn case(&self, metric: &AnyMetric) -> Result<Option<Case>, ConfigError> {
        let view = metric.view();
        let Some(case) = self.get(&["case", "c"]) else { return Ok(None) };
        let case: Case = case.parse()?;
        Ok(if case == view.case.unwrap_or(Case::Mixed) { None } else { Some(case) })
    }
}

/// What a metric prints over these tokens, before it has seen a segment.
fn printed(metric: AnyMetric, space: TokenSpace) -> Vec<Entry> {
    entries(&metric.over(space).identity().signature(&SegmentCounts::default()))
}

/// 0 for the same, 1 for the same but for what stands in brackets, 2 for another value or none.
fn of_field(printed: &[Entry], key: &str, value: &str) -> u32 {
    let head = |value: &str| value.split('[').next().unwrap_or_default().to_owned();
    match printed.iter().find(|entry| entry.is(key)) {
        Some(entry) if entry.value == value => 0,
        Some(entry) if head(&entry.value) == head(value) => 1,
        _ => 2,
    }
}
