//! [`judge`]: checks new output against the rules of a policy.

use bleuprint_core::{Direction, InputError, Metric as _, Result};
use bleuprint_eval::evaluation::{LENGTH, Run, RunFacts, RunLabels, SEGMENT, grouped};
use bleuprint_registry::AnyMetric;

use crate::baselines::{Baselines, counts};
use crate::counts::{OutputCounts, difference};
use crate::judge::{Evidence, JudgedGroup, judge_rule};
use crate::policy::{OnMissingBaseline, Policy, ResampleUnit, Rule, RuleCheck};
use crate::verdict::{Loss, Outcome, RuleVerdict, Verdict};

/// Number of segments that a verdict lists: those that lower the score most.
const LOSSES: usize = 5;

/// Checks new output against the rules of a policy. Relative paths of baseline files start from the folder of
/// the policy.
///
/// If `run` has several systems, they are treated as repeated runs of one recipe, such as with different
/// seeds. If the baseline is missing and the policy allows it, the new output is recorded as the baseline. A
/// rule that cannot be judged is an error among the verdicts.
///
/// # Errors
/// Returns an error if a baseline would be recorded from several runs, or cannot be written.
pub fn judge(policy: &Policy, run: &Run) -> Result<Verdict> {
    let mut new = NewOutput { policy, run, baselines: Baselines::new(&policy.file) };
    let mut waiting = false;
    let mut rules: Vec<RuleVerdict> = Vec::new();
    for rule in &policy.rules {
        // Only the common baseline of the policy is recorded. A rule with `against` needs its file from the
        // start.
        let own = rule.against.is_some();
        if let Some(file) = policy.baseline_of(rule)
            && !own
            && policy.on_missing_baseline == OnMissingBaseline::Record
            && !new.baselines.place(file).exists()
        {
            waiting = true;
            continue;
        }
        rules.push(new.judge(rule));
    }
    let losses = new.losses(&rules);
    let mut verdict = Verdict::new(policy, rules);
    (verdict.losses, verdict.baselines) = (losses, new.baselines.used());
    verdict.notes = new.notes(&verdict.rules);
    verdict.outputs = run.systems().to_vec();
    if waiting && let Some(file) = policy.baseline.as_deref() {
        new.record(&mut verdict, file)?;
    }
    Ok(verdict)
}

struct NewOutput<'r> {
    policy: &'r Policy,
    run: &'r Run,
    baselines: Baselines,
}

impl NewOutput<'_> {
    fn judge(&mut self, rule: &Rule) -> RuleVerdict {
        let file = self.policy.baseline_of(rule);
        self.try_judge(rule).unwrap_or_else(|message| RuleVerdict::error(rule, file, message))
    }

    /// Records the new output as the baseline if all judged rules passed. Returns an error for several
    /// repeated runs, because a baseline is a single output.
    fn record(&self, verdict: &mut Verdict, file: &str) -> Result<()> {
        let runs = self.run.systems().len();
        if runs != 1 {
            return Err(InputError::malformed(format!(
                "{file} is not there, and {runs} runs were given: give the one that becomes the baseline alone"
            )));
        }
        let place = self.baselines.place(file).display().to_string();
        if verdict.rules.iter().all(|rule| rule.outcome == Outcome::Pass) {
            self.run.write(&place)?;
            verdict.recorded = Some(place);
        }
        Ok(())
    }

    fn try_judge(&mut self, rule: &Rule) -> Result<RuleVerdict, String> {
        let policy = self.policy;
        let run = self.run;
        let place = self.place(rule)?;
        let metric = &rule.of_headline(&run.metrics()[place]);
        let said = |error: InputError| error.to_string();
        let runs = counts_of(run, place).map_err(said)?;
        let mut labels = vec![&run.labels];
        let of_baseline;
        let mut unit_of_baseline = None;
        let baseline = match policy.baseline_of(rule) {
            None => None,
            Some(file) => {
                let signature = run.score_of(place, 0, 0..run.len()).map_err(said)?.signature;
                let stored = self.baselines.get(file, run)?;
                let counts = counts(stored, file, metric, &signature, &run.fingerprints)?;
                of_baseline = RunLabels::of_file(stored);
                unit_of_baseline.clone_from(&stored.header.unit);
                labels.push(&of_baseline);
                Some(counts)
            }
        };
        let units = units(policy, run, unit_of_baseline, &labels)?;
        let mut groups: Vec<JudgedGroup> = match &rule.by {
            None => vec![JudgedGroup { label: None, segments: (0..run.len()).collect() }],
            Some(by) => {
                let group = |(label, segments)| JudgedGroup { label: Some(label), segments };
                grouped(by, &values(&labels, by)?).into_iter().map(group).collect()
            }
        };
        let common = common(metric, runs.iter().chain(&baseline)).map_err(said)?;
        let as_given = rule.check.is_of_given_output();
        if !as_given {
            groups.iter_mut().for_each(|group| group.segments.retain(|segment| common[*segment]));
        }
        let evidence = Evidence {
            metric,
            baseline: baseline.as_ref(),
            runs: &runs,
            groups,
            units: units.as_ref().map(|(label, values)| (label.as_str(), &values[..])),
        };
        let mut verdict = judge_rule(policy, rule, &evidence);
        let left_out = common.iter().filter(|counts| !**counts).count();
        if left_out > 0 && verdict.message.is_none() && !as_given {
            let of = common.len();
            let note = format!("{left_out} of {of} segments are left out, as an output has no number there");
            verdict.message = Some(note);
        }
        Ok(verdict)
    }

    fn place(&self, rule: &Rule) -> Result<usize, String> {
        let place = self.run.specs.iter().position(|spec| *spec == rule.spec);
        place.ok_or_else(|| format!("the metric `{}` was not counted", rule.metric))
    }

    /// Returns notes about the data for a reader of the verdict: which units were drawn, how segments were
    /// matched, and what the readers left out.
    fn notes(&self, rules: &[RuleVerdict]) -> Vec<String> {
        let by_unit = rules.iter().any(|rule| rule.groups.iter().any(|group| group.method.is_some()));
        let unit = self.run.unit_note().ok().flatten();
        let unit = unit.filter(|_| by_unit && self.policy.unit.is_none());
        let left_out = self.run.facts().left_out.iter().map(ToString::to_string);
        unit.into_iter().chain(self.baselines.notes()).chain(left_out).collect()
    }

    /// Returns the segments that lower the score most, for the policy's first rule on a drop that did not
    /// pass.
    fn losses(&mut self, rules: &[RuleVerdict]) -> Vec<Loss> {
        let judged = |verdict: &&RuleVerdict| {
            let drop = matches!(verdict.check, RuleCheck::Drop { .. });
            drop && matches!(verdict.outcome, Outcome::Fail | Outcome::Inconclusive)
        };
        let rule = rules.iter().find(judged);
        let rule = rule.and_then(|verdict| self.policy.rules.iter().find(|rule| rule.name == verdict.name));
        rule.and_then(|rule| self.losses_under(rule)).unwrap_or_default()
    }

    fn losses_under(&mut self, rule: &Rule) -> Option<Vec<Loss>> {
        let policy = self.policy;
        let run = self.run;
        let place = self.place(rule).ok()?;
        let metric = &rule.of_headline(&run.metrics()[place]);
        let scored = run.score_of(place, 0, 0..run.len()).ok()?;
        let runs = counts_of(run, place).ok()?;
        let file = policy.baseline_of(rule)?;
        let stored = self.baselines.get(file, run).ok()?;
        let old = counts(stored, file, metric, &scored.signature, &run.fingerprints).ok()?;
        let sign = if metric.scale().direction == Direction::HigherIsBetter { 1.0 } else { -1.0 };
        let of_runs: Vec<Vec<f64>> =
            runs.iter().map(|run| difference(metric, &old, run)).collect::<Result<_, _>>().ok()?;
        let text =
            |segment: usize, system: usize| run.texts.as_ref()?.segments.get(segment)?.hypotheses.get(system);
        let loss = |segment: usize| {
            let points: Vec<f64> = of_runs.iter().map(|points| sign * points[segment]).collect();
            // With several runs, the text of the run that loses most at this segment is shown.
            let worst = (0..points.len()).max_by(|&one, &other| points[one].total_cmp(&points[other]))?;
            let mean = points.iter().sum::<f64>() / points.len() as f64;
            (mean > 0.0).then(|| Loss {
                segment: segment as u64 + 1,
                points: mean,
                run: (points.len() > 1).then(|| run.systems()[worst].clone()),
                text: text(segment, worst).cloned().unwrap_or_default(),
            })
        };
        let mut losses: Vec<Loss> = (0..run.len()).filter_map(loss).collect();
        losses.sort_by(|one, other| other.points.total_cmp(&one.points));
        losses.truncate(LOSSES);
        Some(losses)
    }
}

/// Returns a metric's per-segment statistics for each output: rows of counts, or states if the statistics are
/// not counts.
fn counts_of(run: &Run, metric: usize) -> Result<Vec<OutputCounts>> {
    if run.metrics()[metric].require_rows("be summed").is_ok() {
        return Ok(run.all_rows(metric)?.into_iter().map(OutputCounts::Rows).collect());
    }
    let state = |system, segment| run.merged(metric, system, [segment]);
    let states = |system| (0..run.len()).map(|segment| state(system, segment)).collect::<Result<_>>();
    (0..run.systems().len()).map(|system| Ok(OutputCounts::States(states(system)?))).collect()
}

/// Returns a flag for each segment: `true` if the metric gives it a value in the baseline and in all outputs.
/// All other segments are left out of the comparison.
fn common<'r>(metric: &AnyMetric, all: impl Iterator<Item = &'r OutputCounts>) -> Result<Vec<bool>> {
    let mut common = Vec::new();
    for counts in all {
        common.resize(counts.len(), true);
        let numbers = counts.with_numbers(metric)?;
        common.iter_mut().zip(numbers).for_each(|(common, has)| *common &= has);
    }
    Ok(common)
}

/// Returns the label that groups segments into resampled units, with its value for each segment; `None` if
/// single segments are resampled. The policy names the label, or else the new output, or else the baseline.
fn units(
    policy: &Policy,
    run: &Run,
    of_baseline: Option<String>,
    labels: &[&RunLabels],
) -> Result<Option<(String, Vec<String>)>, String> {
    let label =
        match &policy.unit {
            Some(ResampleUnit::Segment) => None,
            Some(ResampleUnit::Label(label)) => Some(label.clone()),
            // An old baseline names no unit, but its labels suggest one.
            None => run.unit().map(str::to_owned).or(of_baseline).or_else(|| {
                labels.iter().find_map(|labels| RunFacts::default_unit(labels)).map(str::to_owned)
            }),
        };
    let Some(label) = label.filter(|label| label != SEGMENT) else { return Ok(None) };
    let values = values(labels, &label)?;
    Ok(Some((label, values)))
}

/// Returns the value of a label for each segment, from the new output or else from the baseline. If both have
/// the label, their values must agree.
fn values(labels: &[&RunLabels], name: &str) -> Result<Vec<String>, String> {
    let mut found: Option<Vec<String>> = None;
    for labels in labels.iter().filter(|labels| labels.names.iter().any(|known| known == name)) {
        let values = labels.values_of(name).map_err(|error| error.to_string())?;
        let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        let differs = |found: &Vec<String>| found.iter().zip(&values).position(|(one, other)| one != other);
        // The label of length classes is computed from the references on each side, so it needs no
        // comparison.
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
