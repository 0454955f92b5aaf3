//! [`Policy`]: reads the quality requirements on new output from a TOML file.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use bleuprint_core::Result;
use bleuprint_eval::evaluation::SEGMENT;
use bleuprint_registry::{AnyMetric, MetricSpec, Registry};
use serde_json::Value;
use sha2::{Digest, Sha256};
use toml::de::{DeTable, DeValue};

use crate::rules::rules;
use crate::section::{PolicyText, Section, schema};

const FORMAT: &str = "bleuprint-gate/1";

/// Effect that an inconclusive verdict has on the gate's exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnInconclusive {
    /// An inconclusive verdict gives exit code 3.
    Report,
    /// An inconclusive verdict passes, with exit code 0.
    Pass,
    /// An inconclusive verdict fails, with exit code 1.
    Fail,
}

/// Effect on the gate's exit code if a rule is inconclusive although all of its groups scored better than the
/// baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnInconclusiveGain {
    /// The rule passes, with exit code 0, because the new output scored better although the test is
    /// inconclusive.
    Pass,
    /// The rule is inconclusive even though the new output scored better. Its effect on the exit code follows
    /// from [`OnInconclusive`], the setting for all inconclusive rules.
    Report,
}

/// Action of the gate if the baseline file does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnMissingBaseline {
    /// A missing baseline is an error, with exit code 2.
    Error,
    /// If the baseline is missing, the new output is recorded as the baseline.
    Record,
}

/// Resampling method that tests the drop of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Paired bootstrap: each resample draws the same segments or documents for both systems.
    PairedBootstrap,
    /// Paired randomization test of the hypothesis that the drop has a given value. The confidence bound is
    /// the value at which the test begins to reject, found with random subsets of the units.
    PairedRandomization,
}

impl Method {
    /// Returns the method's name in policy files and outputs.
    pub fn name(self) -> &'static str {
        match self {
            Method::PairedBootstrap => "paired-bootstrap",
            Method::PairedRandomization => "paired-randomization",
        }
    }
}

/// Unit that resampling draws as a whole: a segment, or all segments with the same label, such as a document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResampleUnit {
    /// Single segments: each segment is drawn by itself.
    Segment,
    /// All segments with the same value of this label together, such as those of a document.
    Label(String),
}

impl ResampleUnit {
    /// Returns the unit with this name: `segment`, or any label.
    pub fn from_name(name: &str) -> Self {
        if name == SEGMENT { ResampleUnit::Segment } else { ResampleUnit::Label(name.to_owned()) }
    }

    /// Returns the unit's name in policy files and outputs.
    pub fn name(&self) -> &str {
        match self {
            ResampleUnit::Segment => SEGMENT,
            ResampleUnit::Label(label) => label,
        }
    }
}

/// Limits on a score; at least one of `min` and `max` is set.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct NumberLimits {
    /// Name of a detail of the score, such as `bp`, to which the limits apply; `None` for the score itself.
    pub part: Option<String>,
    /// Smallest allowed value of the score; `None` for no lower limit.
    pub min: Option<f64>,
    /// Largest allowed value of the score; `None` for no upper limit.
    pub max: Option<f64>,
    /// `true` if the confidence bounds of the score must be within the limits; `false` if only the score must
    /// be.
    pub confident: bool,
}

/// Requirement that a rule puts on a score: a largest drop from a baseline, or limits.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RuleCheck {
    /// The score must not be worse than a baseline's by more than `allowed` points.
    Drop {
        /// Largest allowed drop of the score below the baseline's, in points.
        allowed: f64,
    },
    /// The score must be within fixed limits; no baseline is needed.
    Limits(NumberLimits),
    /// At most `allowed` segments of the new output may lack a number.
    Missing {
        /// Largest number of segments that may lack a number.
        allowed: u64,
    },
}

impl RuleCheck {
    /// Returns `true` if the rule judges all segments of the new output, including segments without a number.
    /// Other rules leave such segments out.
    pub(crate) fn is_of_given_output(&self) -> bool {
        match self {
            RuleCheck::Drop { .. } => false,
            RuleCheck::Limits(limits) => limits.part.is_some(),
            RuleCheck::Missing { .. } => true,
        }
    }
}

/// Rule of a policy: a metric, and a requirement on its score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rule {
    /// Unique name of the rule, which reports show.
    pub name: String,
    /// Metric with options, as the user wrote it.
    pub metric: String,
    /// Metric with options, parsed from the user's text.
    pub spec: MetricSpec,
    /// Name of a number within the score, such as `recall`, whose drop is judged; `None` for the score
    /// itself.
    pub headline: Option<String>,
    /// Label, such as `domain`, by whose values segments are grouped; each group is judged separately. `None`
    /// to judge all segments together.
    pub by: Option<String>,
    /// Baseline file of this rule, if it differs from the policy's baseline.
    pub against: Option<String>,
    /// Smallest number of segments in a group; smaller groups are listed but not judged.
    pub min_segments: u64,
    /// Requirement that the metric's score must meet, such as a largest drop.
    pub check: RuleCheck,
    /// Line of the policy file at which the rule begins.
    pub line: u64,
}

/// Quality requirements on new output: the rules, and how they are tested.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// Path of the policy file, as the user gave it.
    pub file: String,
    /// SHA-256 hash of the policy file's text.
    pub sha256: String,
    /// Statistics file of the baseline, used by rules that name no baseline.
    pub baseline: Option<String>,
    /// Effect that an inconclusive verdict has on the gate's exit code.
    pub on_inconclusive: OnInconclusive,
    /// Effect on the exit code if a rule is inconclusive although the new output scored better than the
    /// baseline.
    pub on_inconclusive_gain: OnInconclusiveGain,
    /// Action of the gate if the baseline file does not exist.
    pub on_missing_baseline: OnMissingBaseline,
    /// Resampling method for all rules of the policy. If it is `None`, each rule gets the method that suits
    /// its metric.
    pub method: Option<Method>,
    /// Number of resamples from which confidence bounds are computed.
    pub resamples: usize,
    /// Seed of the random numbers that draw resamples.
    pub seed: u64,
    /// Confidence level of the policy's decisions, such as 0.95. At this level, a rule wrongly fails with
    /// probability at most 0.05; the probability that it wrongly passes has the same limit.
    pub confidence: f64,
    /// Power of the test for the reported smallest detectable drop: the probability of detecting such a drop.
    pub power: f64,
    /// Unit that is resampled as a whole. `None` means the unit of the new output, or else of the baseline.
    pub unit: Option<ResampleUnit>,
    /// Rules of the policy; there is at least one.
    pub rules: Vec<Rule>,
}

impl Rule {
    /// Returns a copy of the metric whose score is the number that the rule's `headline` names, such as
    /// `recall`. Without `headline`, returns the metric unchanged.
    pub(crate) fn of_headline(&self, metric: &AnyMetric) -> AnyMetric {
        match &self.headline {
            Some(name) => metric.headlined(name),
            None => metric.clone(),
        }
    }
}

impl Policy {
    /// Parses a policy from the TOML text of `file`. The registry has the metrics and options that rules may
    /// use.
    ///
    /// ```
    /// use bleuprint_gate::{Policy, RuleCheck};
    /// let text = "format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 0.5\n";
    /// let policy = Policy::parse("gate.toml", text, &bleuprint_metrics::registry()).unwrap();
    /// assert_eq!(policy.rules[0].check, RuleCheck::Drop { allowed: 0.5 });
    /// let error = Policy::parse("gate.toml", &text.replace("max-drop", "max-dorp"), &bleuprint_metrics::registry());
    /// assert!(error.unwrap_err().to_string().starts_with("gate.toml: line 5: rule `bleu` has no `max-dorp`; did you mean `max-drop`?"));
    /// ```
    ///
    /// # Errors
    /// Returns an error with file and line for invalid TOML, an unknown key, a value out of range, an unknown
    /// metric or option, or a policy without rules.
    pub fn parse(file: &str, text: &str, registry: &Registry) -> Result<Self> {
        Policy::read(PolicyText { file, text, asked: None }, registry)
    }

    /// Returns the JSON Schema of gate policies, for use in editors. It is derived from the keys that the
    /// policy reader requests.
    ///
    /// ```
    /// let schema = bleuprint_gate::Policy::schema(&bleuprint_metrics::registry()).unwrap();
    /// assert_eq!(schema["properties"]["rule"]["items"]["properties"]["max-drop"]["minimum"], 0.0);
    /// ```
    ///
    /// # Errors
    /// Returns an error only if the registry has no BLEU, which the recorded sample policy uses.
    pub fn schema(registry: &Registry) -> Result<Value> {
        let asked = RefCell::new(Value::Null);
        // Reading a minimal policy visits every key. So the schema cannot differ from the reader.
        let text = format!("format = \"{FORMAT}\"\n[[rule]]\nmetric = \"bleu\"\nmin = 0\n");
        Policy::read(PolicyText { file: "a policy", text: &text, asked: Some(&asked) }, registry)?;
        Ok(schema(&asked.into_inner(), FORMAT, "rule", &["metric"]))
    }

    fn read(source: PolicyText<'_>, registry: &Registry) -> Result<Self> {
        let table = source.tables(FORMAT)?;
        let table = &table;
        let mut top = Section::new(source, "the policy", Some(table), 1);
        top.text("format")?;
        let baseline = top.text("baseline")?.map(|at| at.value);
        ["on", "test", "rule"].into_iter().for_each(|key| top.expect(key));
        top.end()?;
        let mut on = section(source, table, "on")?;
        // The first word of each list is the default that the documentation names.
        let inconclusive = [
            ("report", OnInconclusive::Report),
            ("pass", OnInconclusive::Pass),
            ("fail", OnInconclusive::Fail),
        ];
        let gain = [("pass", OnInconclusiveGain::Pass), ("report", OnInconclusiveGain::Report)];
        let missing = [("error", OnMissingBaseline::Error), ("record", OnMissingBaseline::Record)];
        let on_inconclusive = on.word("inconclusive", &inconclusive)?.unwrap_or(OnInconclusive::Report);
        let on_inconclusive_gain = on.word("inconclusive-gain", &gain)?.unwrap_or(OnInconclusiveGain::Pass);
        let on_missing_baseline = on.word("missing-baseline", &missing)?.unwrap_or(OnMissingBaseline::Error);
        on.end()?;
        let mut test = section(source, table, "test")?;
        let methods = [Method::PairedBootstrap, Method::PairedRandomization];
        let method = test.word("method", &methods.map(|method| (method.name(), method)))?;
        let resamples = test.whole("resamples", 100, 1_000_000)?.unwrap_or(10_000) as usize;
        let seed = test.whole("seed", 0, u64::MAX)?.unwrap_or(12345);
        let limit = "at least 0.5 and below 1";
        let confidence = test.number("confidence", 0.5..1.0, limit)?.map_or(0.95, |at| at.value);
        let power = test.number("power", 0.5..1.0, limit)?.map_or(0.8, |at| at.value);
        let unit = test.text("unit")?.map(|at| ResampleUnit::from_name(&at.value));
        test.end()?;
        let rules = rules(source, table, registry, baseline.is_some())?;
        Ok(Policy {
            file: source.file.to_owned(),
            sha256: Sha256::digest(source.text).iter().map(|byte| format!("{byte:02x}")).collect(),
            baseline,
            on_inconclusive,
            on_inconclusive_gain,
            on_missing_baseline,
            method,
            resamples,
            seed,
            confidence,
            power,
            unit,
            rules,
        })
    }

    /// Returns the metrics of all rules as the user wrote them, each once.
    pub fn metrics(&self) -> Vec<&str> {
        let first =
            |(place, rule): &(usize, &Rule)| self.rules[..*place].iter().all(|other| other.spec != rule.spec);
        self.rules.iter().enumerate().filter(first).map(|(_, rule)| rule.metric.as_str()).collect()
    }

    /// Returns the paths of all baseline files that rules use, resolved against the folder of the policy.
    pub fn baselines(&self) -> Vec<PathBuf> {
        self.rules.iter().filter_map(|rule| Some(of_folder(&self.file, self.baseline_of(rule)?))).collect()
    }

    /// Returns the baseline file of a rule as written in the policy; `None` for rules that need no baseline.
    pub fn baseline_of<'p>(&'p self, rule: &'p Rule) -> Option<&'p str> {
        match rule.check {
            RuleCheck::Drop { .. } => rule.against.as_deref().or(self.baseline.as_deref()),
            RuleCheck::Limits(_) | RuleCheck::Missing { .. } => None,
        }
    }
}

/// Resolves a path that was written in a policy file against the folder of this file.
pub(crate) fn of_folder(policy: &str, path: &str) -> PathBuf {
    Path::new(policy).parent().unwrap_or(Path::new("")).join(path)
}

fn section<'s, 't>(
    source: PolicyText<'s>,
    table: &'s DeTable<'t>,
    name: &'static str,
) -> Result<Section<'s, 't>> {
    let Some(found) = table.get(name) else { return Ok(Section::new(source, name, None, 1)) };
    let line = source.line(found.span().start);
    match found.get_ref() {
        DeValue::Table(table) => Ok(Section::new(source, &format!("[{name}]"), Some(table), line)),
        _ => Err(source.error(line, format!("`{name}` must be a table, as in [{name}]"))),
    }
}
