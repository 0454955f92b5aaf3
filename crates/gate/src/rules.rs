//! Reads the rules of a gate policy: each is one metric with a limit of its drop, its number or its missing
//! segments.

use bleuprint_core::{Metric as _, Result, Scale};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, MetricSpec, OptionKind, Registry};
use toml::de::DeTable;

use crate::policy::{NumberLimits, Rule, RuleCheck, of_folder};
use crate::section::{At, PolicyText, Section};

/// Reads all rules of a policy. `baseline` is `true` if the policy names a baseline for all rules.
pub(crate) fn rules(
    source: PolicyText<'_>,
    table: &DeTable<'_>,
    registry: &Registry,
    baseline: bool,
) -> Result<Vec<Rule>> {
    let mut rules: Vec<Rule> = Vec::new();
    for (line, table) in source.list(table, "rule")? {
        let rule = rule(source, table, line, registry, baseline)?;
        if rules.iter().any(|other| other.name == rule.name) {
            let message = format!("two rules are called `{}`; give them a `name`", rule.name);
            return Err(source.error(line, message));
        }
        rules.push(rule);
    }
    if rules.is_empty() {
        Err(source.error(1, "the policy has no [[rule]]: nothing would be judged"))
    } else {
        Ok(rules)
    }
}

/// Keys of a rule besides its name and its metric, as the user wrote them.
struct RuleKeys {
    by: Option<String>,
    against: Option<String>,
    min_segments: Option<u64>,
    drop: Option<At<f64>>,
    min: Option<At<f64>>,
    max: Option<At<f64>>,
    part: Option<String>,
    headline: Option<String>,
    /// `true` if a bound of the score, not the score itself, must keep the limit.
    confident: Option<bool>,
    missing: Option<u64>,
}

fn rule(
    source: PolicyText<'_>,
    table: &DeTable<'_>,
    line: u64,
    registry: &Registry,
    baseline: bool,
) -> Result<Rule> {
    let mut section = Section::new(source, "a rule", Some(table), line);
    let name = section.text("name")?.map(|at| at.value);
    let Some(metric) = section.text("metric")? else {
        return Err(source.error(line, "a rule has no `metric`"));
    };
    let name = name.unwrap_or_else(|| metric.value.clone());
    let titled = format!("rule `{name}`");
    section.rename(&titled);
    let keys = RuleKeys::read(&mut section)?;
    let (metric, spec, built) = spec(source, &section, &metric, registry)?;
    let check = keys.check(&built, baseline);
    let check = check.map_err(|message| source.error(line, format!("{titled}: {message}")))?;
    let RuleKeys { by, against, headline, min_segments, .. } = keys;
    let min_segments = min_segments.unwrap_or(1);
    Ok(Rule { name, metric, spec, headline, by, against, min_segments, check, line })
}

impl RuleKeys {
    fn read(section: &mut Section<'_, '_>) -> Result<Self> {
        Ok(RuleKeys {
            by: section.text("by")?.map(|at| at.value),
            against: section.text("against")?.map(|at| at.value),
            min_segments: section.whole("min-segments", 1, u64::MAX)?,
            drop: section.number("max-drop", 0.0.., "a number of points, 0 or more")?,
            min: section.number("min", .., "a number")?,
            max: section.number("max", .., "a number")?,
            part: section.text("part")?.map(|at| at.value),
            headline: section.text("headline")?.map(|at| at.value),
            confident: section.word("compare", &[("number", false), ("confident", true)])?,
            missing: section.whole("max-missing", 0, u64::MAX)?,
        })
    }

    /// Returns what the rule checks. Returns a message if keys do not fit together: each combination that would
    /// silently ignore a key is an error.
    fn check(&self, metric: &AnyMetric, baseline: bool) -> core::result::Result<RuleCheck, String> {
        if self.min_segments.is_some() && self.by.is_none() {
            return Err("`min-segments` has no effect without `by`".to_owned());
        }
        if let Some(allowed) = self.missing {
            return self.check_of_missing(allowed);
        }
        self.require_reachable(metric)?;
        match &self.drop {
            Some(drop) => self.check_of_drop(drop.value, baseline),
            None => self.check_of_limits(),
        }
    }

    fn check_of_missing(&self, allowed: u64) -> core::result::Result<RuleCheck, String> {
        if self.drop.is_some() || self.min.is_some() || self.max.is_some() {
            let message =
                "`max-missing` is a rule of its own: put `max-drop`, `min` and `max` into another one";
            return Err(message.to_owned());
        }
        let of_numbers = self.part.is_some() || self.headline.is_some() || self.confident.is_some();
        if of_numbers || self.against.is_some() {
            let message =
                "`max-missing` counts segments: it takes no `part`, `headline`, `compare` or `against`";
            return Err(message.to_owned());
        }
        Ok(RuleCheck::Missing { allowed })
    }

    /// Returns a message if no score of the metric can reach a limit.
    fn require_reachable(&self, metric: &AnyMetric) -> core::result::Result<(), String> {
        if self.part.is_some() {
            // The scale of a part is not known.
            return Ok(());
        }
        let scale =
            self.headline.as_ref().map_or_else(|| metric.scale(), |name| metric.headlined(name).scale());
        for (key, limit) in [("max-drop", &self.drop), ("min", &self.min), ("max", &self.max)] {
            let Some(At { value, .. }) = limit else { continue };
            if let Some(reason) = out_of_reach(key, *value, &scale) {
                return Err(format!("`{key}` is {value}, but {reason}; give a limit that a score can reach"));
            }
        }
        Ok(())
    }

    fn check_of_drop(&self, allowed: f64, baseline: bool) -> core::result::Result<RuleCheck, String> {
        if self.min.is_some() || self.max.is_some() {
            let message = "`max-drop` cannot be combined with `min` or `max`; put these into a separate rule";
            return Err(message.to_owned());
        }
        if self.part.is_some() || self.confident.is_some() {
            return Err("`part` and `compare` apply to `min` and `max`, not to `max-drop`".to_owned());
        }
        if !baseline && self.against.is_none() {
            return Err("`max-drop` needs a baseline: `baseline` of the policy, or `against`".to_owned());
        }
        Ok(RuleCheck::Drop { allowed })
    }

    fn check_of_limits(&self) -> core::result::Result<RuleCheck, String> {
        if self.headline.is_some() {
            return Err("`headline` goes with `max-drop`; `min` and `max` take `part`".to_owned());
        }
        if self.min.is_none() && self.max.is_none() {
            let message = "the rule requires nothing: give `max-drop`, `min`, `max` or `max-missing`";
            return Err(message.to_owned());
        }
        if self.against.is_some() {
            let message = "`against` applies to `max-drop`; `min` and `max` need no baseline";
            return Err(message.to_owned());
        }
        let min = self.min.as_ref().map(|at| at.value);
        let max = self.max.as_ref().map(|at| at.value);
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            return Err(format!("`min` {min} exceeds `max` {max}"));
        }
        if self.part.is_some() && self.confident == Some(true) {
            let message = "a part is compared as a number: `compare = \"confident\"` is for the score";
            return Err(message.to_owned());
        }
        let confident = self.confident.unwrap_or(false);
        Ok(RuleCheck::Limits(NumberLimits { part: self.part.clone(), min, max, confident }))
    }
}

/// Returns the reason if no score on this scale can reach the limit; otherwise `None`.
fn out_of_reach(key: &str, limit: f64, scale: &Scale) -> Option<String> {
    let (min, max) = (scale.min, scale.max);
    if key == "max-drop" {
        let range = max - min;
        return (range.is_finite() && limit > range)
            .then(|| format!("no score can drop by more than {range}"));
    }
    let outside = limit < min || limit > max;
    outside.then(|| match (min.is_finite(), max.is_finite()) {
        (true, true) => format!("scores are from {min} to {max}"),
        (_, false) => format!("scores are at least {min}"),
        (false, true) => format!("scores are at most {max}"),
    })
}

const OF_EVERY_METRIC: [&str; 3] = ["tokenize", "lowercase", "norm"];

/// Returns an option `NAME=VALUE` with paths in the value resolved against the folder of the policy file.
fn from_folder(source: PolicyText<'_>, entry: &MetricEntry, option: &str) -> String {
    let Some((name, value)) = option.split_once('=') else { return option.to_owned() };
    // The folder's own name may contain commas or percent signs, which options must escape.
    let placed = |path: &str| of_folder(&MetricOptions::written(source.file), path).display().to_string();
    let step = |step: &str| match step.split_once('=') {
        Some((step, path)) => format!("{step}={}", placed(path)),
        None => step.to_owned(),
    };
    let value = match name {
        "norm" => value.split('+').map(step).collect::<Vec<_>>().join("+"),
        name if entry.option(name).is_ok_and(|option| option.kind == OptionKind::Path) => placed(value),
        _ => value.to_owned(),
    };
    format!("{name}={value}")
}

/// Parses a rule's metric, with the options that the rule gives as separate keys. Returns the metric as text
/// for the command line, as a parsed specification, and as a built metric.
fn spec(
    source: PolicyText<'_>,
    section: &Section<'_, '_>,
    metric: &At<String>,
    registry: &Registry,
) -> Result<(String, MetricSpec, AnyMetric)> {
    let (name, in_name) = metric.value.split_once(':').unwrap_or((&metric.value, ""));
    let entry = registry.get(name).map_err(|error| source.error(metric.line, error.to_string()))?;
    let in_name = in_name.split(',').filter(|option| !option.is_empty());
    let mut given: Vec<String> = in_name.map(|option| from_folder(source, entry, option)).collect();
    for (key, At { value, line }) in section.others()? {
        if !OF_EVERY_METRIC.contains(&key.as_str()) && entry.option(&key).is_err() {
            let own = entry.options.iter().map(|option| option.name);
            let known = section.known().iter().copied().chain(OF_EVERY_METRIC).chain(own);
            return Err(section.unknown(line, &key, known));
        }
        given.push(from_folder(source, entry, &format!("{key}={value}")));
    }
    let spec = if given.is_empty() { name.to_owned() } else { format!("{name}:{}", given.join(",")) };
    // The metric is built once here, so that impossible options are reported with their line.
    let parsed = registry.parse(&spec).and_then(|parsed| {
        let mut options = parsed.options.clone();
        options.set_files(bleuprint_eval::option_file);
        entry.build(&options).map(|built| (parsed, built))
    });
    let (parsed, built) = parsed.map_err(|error| source.error(section.line, format!("{spec}: {error}")))?;
    Ok((spec, parsed, built))
}
