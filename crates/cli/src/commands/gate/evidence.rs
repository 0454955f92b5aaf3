//! The new output: read and counted as `bleuprint stats` would, and what each rule is judged by.

use std::ffi::OsString;

use bleuprint::eval::contributions;
use bleuprint::eval::resample::Rows;
use bleuprint::gate::{self, Check, Evidence, Group, Loss, Outcome, Policy, Rule, RuleVerdict, Unit};
use bleuprint::{Direction, InputError, Registry};
use clap::ArgMatches;

use super::baseline::{self, Baselines};
use crate::evaluation::by::{LENGTH, grouped_values};
use crate::evaluation::commands::{self, read};
use crate::evaluation::corpus::{Labels, TextCorpus};
use crate::evaluation::counted::Counted;
use crate::request::ScoreRequest;
use crate::{Failure, args, chosen};

/// The label of documents.
const DOCUMENT: &str = "document";

/// How many segments that cost points are named.
const LOSSES: usize = 5;

/// The new output, read but not yet counted.
pub(super) struct NewOutput {
    corpus: TextCorpus,
    request: ScoreRequest,
    specs: Vec<String>,
    places: Vec<(String, usize)>,
}

/// The new output, counted under every metric of the policy.
pub(super) struct Counts {
    pub(super) counted: Counted,
    /// The metrics as a user names them, in the order of `counted`.
    pub(super) specs: Vec<String>,
    /// Which of them each metric of the policy is: two names may stand for one.
    places: Vec<(String, usize)>,
    /// The outputs of each segment, one for each run.
    texts: Vec<Vec<String>>,
}

impl NewOutput {
    /// Reads what the arguments of the gate name, for the metrics of the policy: as the command `stats` with these
    /// metrics would, which also made the baseline.
    pub(super) fn read(registry: &Registry, matches: &ArgMatches, policy: &Policy) -> Result<Self, Failure> {
        let mut arguments: Vec<OsString> = vec!["stats".into(), "-o".into(), "-".into()];
        arguments.extend(matches.get_many::<String>("references").into_iter().flatten().map(OsString::from));
        for name in ["source", "segments"] {
            if let Some(value) = matches.get_one::<String>(name) {
                arguments.extend([format!("--{name}").into(), value.into()]);
            }
        }
        if let Some(runs) = matches.get_many::<String>("input") {
            arguments.push("--input".into());
            arguments.extend(runs.map(OsString::from));
        }
        if let Some(references) = matches.get_one::<u64>("num-refs") {
            arguments.extend(["--num-refs".into(), references.to_string().into()]);
        }
        for label in matches.get_many::<String>("label").into_iter().flatten() {
            arguments.extend(["--label".into(), label.into()]);
        }
        if matches.get_flag("quiet") {
            arguments.push("--quiet".into());
        }
        arguments.push("--metrics".into());
        arguments.extend(policy.rules.iter().map(|rule| OsString::from(&rule.metric)));
        let arguments = args::expand_short_names(registry, arguments.into_iter());
        let matches = commands::stats(registry)
            .try_get_matches_from(arguments)
            .map_err(|error| Failure::Message(error.to_string()))?;
        let (specs, known) = (chosen::spec_texts(registry, &matches)?, chosen::specs(registry, &matches)?);
        let place = |rule: &Rule| {
            let spec = registry.parse(&rule.metric).ok()?;
            Some((rule.metric.clone(), known.iter().position(|one| *one == spec)?))
        };
        let places = policy.rules.iter().filter_map(place).collect();
        let request = ScoreRequest::counting(registry, &matches)?;
        let (corpus, request, _) = read(request, &matches, true, false)?;
        if !matches.get_flag("quiet") {
            note_copies(&corpus);
        }
        Ok(NewOutput { corpus, request, specs, places })
    }

    /// Counts every segment, in all threads.
    pub(super) fn counted(self) -> Result<Counts, Failure> {
        let counted = Counted::from_text(self.request.panel, &self.corpus)?;
        let texts = self.corpus.segments.into_iter().map(|segment| segment.hypotheses).collect();
        Ok(Counts { counted, specs: self.specs, places: self.places, texts })
    }
}

/// Says which runs are one output: they tell nothing of how the runs of a recipe differ.
fn note_copies(corpus: &TextCorpus) {
    for (second, name) in corpus.systems.iter().enumerate() {
        let same = |first: &usize| {
            let segments = &corpus.segments;
            segments.iter().all(|segment| segment.hypotheses[*first] == segment.hypotheses[second])
        };
        if let Some(first) = (0..second).find(same) {
            let first = &corpus.systems[first];
            crate::warn::note(&format!("{first} and {name} are the same output, so they are no two runs"));
        }
    }
}

impl Counts {
    /// Judges a rule; what cannot be judged is an error among the verdicts.
    pub(super) fn judge(&self, policy: &Policy, rule: &Rule, baselines: &mut Baselines) -> RuleVerdict {
        let file = policy.baseline_of(rule);
        self.try_judge(policy, rule, baselines)
            .unwrap_or_else(|message| RuleVerdict::error(rule, file, message))
    }

    fn try_judge(
        &self,
        policy: &Policy,
        rule: &Rule,
        baselines: &mut Baselines,
    ) -> Result<RuleVerdict, String> {
        let place = self.place(rule)?;
        let metric = self.counted.metrics()[place];
        let said = |error: InputError| error.to_string();
        let runs = self.runs(place).map_err(said)?;
        let mut labels = vec![&self.counted.labels];
        let of_baseline;
        let baseline = match policy.baseline_of(rule) {
            None => None,
            Some(file) => {
                let scored =
                    metric.score(&self.counted.merged(place, 0, 0..self.counted.len()).map_err(said)?);
                let signature = scored.map_err(said)?.signature;
                let stored = baselines.get(file)?;
                let rows = baseline::rows(stored, file, metric, &signature, &self.counted.references)?;
                of_baseline = Labels {
                    names: stored.header.labels.clone(),
                    values: stored.segments.iter().map(|segment| segment.labels.clone()).collect(),
                };
                labels.push(&of_baseline);
                Some(rows)
            }
        };
        let documents = documents(policy, &labels)?;
        let groups = match &rule.by {
            None => vec![Group { label: None, segments: (0..self.counted.len()).collect() }],
            Some(by) => {
                let group = |(label, segments)| Group { label: Some(label), segments };
                grouped_values(by, &values(&labels, by)?).into_iter().map(group).collect()
            }
        };
        let evidence = Evidence {
            metric,
            baseline: baseline.as_ref(),
            runs: &runs,
            groups,
            documents: documents.as_deref(),
        };
        Ok(gate::judge(policy, rule, &evidence))
    }

    /// The counts of each segment of every run under a metric.
    fn runs(&self, place: usize) -> Result<Vec<Rows>, InputError> {
        (0..self.counted.systems.len()).map(|run| self.counted.rows(place, run)).collect()
    }

    fn place(&self, rule: &Rule) -> Result<usize, String> {
        let known = self.places.iter().find(|(metric, _)| *metric == rule.metric);
        known.map(|(_, place)| *place).ok_or_else(|| format!("the metric `{}` was not counted", rule.metric))
    }

    /// The segments that cost most under the first rule on a drop that did not pass.
    pub(super) fn losses(
        &self,
        policy: &Policy,
        rules: &[RuleVerdict],
        baselines: &mut Baselines,
    ) -> Vec<Loss> {
        let judged = |verdict: &&RuleVerdict| {
            let drop = matches!(verdict.check, Check::Drop { .. });
            drop && matches!(verdict.outcome, Outcome::Fail | Outcome::Inconclusive)
        };
        let rule = rules.iter().find(judged);
        let rule = rule.and_then(|verdict| policy.rules.iter().find(|rule| rule.name == verdict.name));
        rule.and_then(|rule| self.losses_under(policy, rule, baselines)).unwrap_or_default()
    }

    fn losses_under(&self, policy: &Policy, rule: &Rule, baselines: &mut Baselines) -> Option<Vec<Loss>> {
        let place = self.place(rule).ok()?;
        let metric = self.counted.metrics()[place];
        let linear = metric.linear()?;
        let scored = metric.score(&self.counted.merged(place, 0, 0..self.counted.len()).ok()?).ok()?;
        let (runs, file) = (self.runs(place).ok()?, policy.baseline_of(rule)?);
        let stored = baselines.get(file).ok()?;
        let old = baseline::rows(stored, file, metric, &scored.signature, &self.counted.references).ok()?;
        let finish = |row: &[u64]| linear.score_row(row).unwrap_or(f64::NAN);
        let sign = if metric.scale().direction == Direction::HigherIsBetter { 1.0 } else { -1.0 };
        let of_runs: Vec<Vec<f64>> =
            runs.iter().map(|run| contributions(&old, run, &finish)).collect::<Result<_, _>>().ok()?;
        let loss = |segment: usize| {
            let points: Vec<f64> = of_runs.iter().map(|points| sign * points[segment]).collect();
            let worst = (0..points.len()).max_by(|&one, &other| points[one].total_cmp(&points[other]))?;
            let mean = points.iter().sum::<f64>() / points.len() as f64;
            (mean > 0.0).then(|| Loss {
                segment: segment as u64 + 1,
                points: mean,
                run: (points.len() > 1).then(|| self.counted.systems[worst].clone()),
                text: self.texts.get(segment).and_then(|texts| texts.get(worst)).cloned().unwrap_or_default(),
            })
        };
        let mut losses: Vec<Loss> = (0..self.counted.len()).filter_map(loss).collect();
        losses.sort_by(|one, other| other.points.total_cmp(&one.points));
        losses.truncate(LOSSES);
        Some(losses)
    }
}

/// The document of each segment, where documents are drawn.
fn documents(policy: &Policy, labels: &[&Labels]) -> Result<Option<Vec<String>>, String> {
    let known = labels.iter().any(|labels| labels.names.iter().any(|name| name == DOCUMENT));
    match policy.unit {
        Some(Unit::Segment) => Ok(None),
        None if !known => Ok(None),
        None | Some(Unit::Document) => values(labels, DOCUMENT).map(Some),
    }
}

/// The values of a label, from the new output or else from the baseline; where both have it, they must agree.
fn values(labels: &[&Labels], name: &str) -> Result<Vec<String>, String> {
    let mut found: Option<Vec<String>> = None;
    for labels in labels.iter().filter(|labels| labels.names.iter().any(|known| known == name)) {
        let values = labels.of(name).map_err(|error| error.to_string())?;
        let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        let differs = |found: &Vec<String>| found.iter().zip(&values).position(|(one, other)| one != other);
        if name != LENGTH
            && let Some((found, at)) = found.as_ref().and_then(|found| Some((found, differs(found)?)))
        {
            return Err(format!(
                "the label `{name}` of segment {} is `{}` here, `{}` in the baseline",
                at + 1,
                found[at],
                values[at]
            ));
        }
        found.get_or_insert(values);
    }
    found.ok_or_else(|| {
        let mut known: Vec<&str> =
            labels.iter().flat_map(|labels| labels.names.iter().map(String::as_str)).collect();
        known.dedup();
        format!("the segments have no label `{name}`; they have: {}", known.join(", "))
    })
}
