//! The new output: read and counted as `bleuprint stats` would, and what each rule is judged by.

use bleuprint::eval::contributions;
use bleuprint::gate::{self, Check, Evidence, Group, Loss, Outcome, Policy, Rule, RuleVerdict, Unit};
use bleuprint::{Direction, InputError, Metric as _, Registry, score_row};

use super::baseline::{self, Baselines};
use crate::evaluation::corpus::{TextCorpus, TextSegment};
use crate::evaluation::counted::Counted;
use crate::evaluation::data::{Data, Reading};
use crate::evaluation::labels::{LENGTH, Labels, grouped};
use crate::shared::counting::Counting;
use crate::shared::failure::Result;
use crate::shared::warn;

/// The label of documents.
const DOCUMENT: &str = "document";

/// How many segments that cost points are named.
const LOSSES: usize = 5;

/// The new output, read but not yet counted.
pub(super) struct NewOutput {
    data: Data,
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
    texts: Vec<TextSegment>,
}

impl NewOutput {
    /// Reads what is to be judged, for the metrics of the policy: as the command `stats`, which made the baseline, would
    /// with these metrics.
    pub(super) fn read(
        registry: &Registry,
        mut counting: Counting,
        reading: &Reading,
        policy: &Policy,
    ) -> Result<Self> {
        counting.metrics.names = policy.rules.iter().map(|rule| rule.metric.clone()).collect();
        let (specs, known) = (counting.metrics.spec_texts(registry)?, counting.metrics.specs(registry)?);
        let place = |rule: &Rule| {
            let spec = registry.parse(&rule.metric).ok()?;
            Some((rule.metric.clone(), known.iter().position(|one| *one == spec)?))
        };
        let places = policy.rules.iter().filter_map(place).collect();
        let quiet = counting.quiet;
        let data = Data::read(counting.open(registry)?, reading)?;
        if let (Data::Text { texts, .. }, false) = (&data, quiet) {
            note_copies(&texts.corpus);
        }
        Ok(NewOutput { data, specs, places })
    }

    /// Counts every segment, in all threads.
    pub(super) fn counted(self) -> Result<Counts> {
        let (counted, texts) = self.data.counted()?;
        let texts = texts.map(|texts| texts.corpus.segments).unwrap_or_default();
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
            warn::note(&format!("{first} and {name} are the same output, so they are no two runs"));
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
        let runs = self.counted.all_rows(place).map_err(said)?;
        let mut labels = vec![&self.counted.labels];
        let of_baseline;
        let baseline = match policy.baseline_of(rule) {
            None => None,
            Some(file) => {
                let total = self.counted.merged(place, 0, 0..self.counted.len()).map_err(said)?;
                let signature = total.score(metric).map_err(said)?.signature;
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
                grouped(by, &values(&labels, by)?).into_iter().map(group).collect()
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
        metric.require_rows("be judged").ok()?;
        let scored = self.counted.merged(place, 0, 0..self.counted.len()).ok()?.score(metric).ok()?;
        let (runs, file) = (self.counted.all_rows(place).ok()?, policy.baseline_of(rule)?);
        let stored = baselines.get(file).ok()?;
        let old = baseline::rows(stored, file, metric, &scored.signature, &self.counted.references).ok()?;
        let finish = |row: &[u64]| score_row(metric, row).unwrap_or(f64::NAN);
        let sign = if metric.scale().direction == Direction::HigherIsBetter { 1.0 } else { -1.0 };
        let of_runs: Vec<Vec<f64>> =
            runs.iter().map(|run| contributions(&old, run, &finish)).collect::<Result<_, _>>().ok()?;
        let text = |segment: usize, run| self.texts.get(segment).and_then(|texts| texts.hypotheses.get(run));
        let loss = |segment: usize| {
            let points: Vec<f64> = of_runs.iter().map(|points| sign * points[segment]).collect();
            let worst = (0..points.len()).max_by(|&one, &other| points[one].total_cmp(&points[other]))?;
            let mean = points.iter().sum::<f64>() / points.len() as f64;
            (mean > 0.0).then(|| Loss {
                segment: segment as u64 + 1,
                points: mean,
                run: (points.len() > 1).then(|| self.counted.systems[worst].clone()),
                text: text(segment, worst).cloned().unwrap_or_default(),
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
