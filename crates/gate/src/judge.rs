//! [`judge_rule`]: decides if a system's new output meets one rule of a quality policy, such as "BLEU must
//! not drop by more than 0.5". It judges from the metric's per-segment counts.

use bleuprint_core::{Composition, Direction, InputError, InputErrorKind, Metric as _, PartValue, Result};
use bleuprint_inference::{Approach, FEWEST_UNITS, ResamplePlan};
use bleuprint_registry::AnyMetric;

use crate::bounds::{Bounds, ResampledCounts, all_decided, bounds_of_drop, bounds_of_score};
use crate::counts::OutputCounts;
use crate::policy::{NumberLimits, Policy, ResampleUnit, Rule, RuleCheck};
use crate::verdict::{GroupVerdict, Outcome, Reason, RuleVerdict};

/// Group of segments that is judged by itself, such as all segments of a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a label and its segments")]
pub struct JudgedGroup {
    /// Value of the rule's label that all segments of the group have; `None` for the group of all segments.
    pub label: Option<String>,
    /// Indices of the segments in the group.
    pub segments: Vec<usize>,
}

/// Data from which a rule is judged: the metric, and the counts of the baseline and the new output.
#[expect(clippy::exhaustive_structs, reason = "closed: a verdict needs all of it")]
pub struct Evidence<'e> {
    /// Metric that the rule names, with its tokenizer.
    pub metric: &'e AnyMetric,
    /// Metric counts of each segment in the baseline, the earlier output with which the new output is
    /// compared. Both have the same segments. `None` for rules that need no baseline.
    pub baseline: Option<&'e OutputCounts>,
    /// Counts of each segment of the new output, one entry for each repetition (run), such as runs with
    /// different seeds.
    pub runs: &'e [OutputCounts],
    /// Groups of segments that are judged separately; a single group without a label if the rule does not
    /// group segments.
    pub groups: Vec<JudgedGroup>,
    /// Label of the units that are resampled as a whole, such as documents, with its value for each segment;
    /// `None` if single segments are resampled.
    pub units: Option<(&'e str, &'e [String])>,
}

/// Judges the new output by one rule. For a rule on a drop, the first line of this table that applies
/// decides:
///
/// | the drop, with its bounds at the policy's confidence | verdict | reason |
/// |---|---|---|
/// | there are fewer than 10 units, so there are no bounds | inconclusive | too few units |
/// | the counts of every segment equal the baseline's | pass | no difference |
/// | a caution forbids bounds | inconclusive | no bounds |
/// | the lower bound exceeds the allowed drop | fail | larger drop |
/// | the drop and its upper bound are at most the allowed drop | pass | at most allowed |
/// | a drop of the allowed size would not be detected | inconclusive | too small |
/// | any other drop | inconclusive | at the limit |
///
/// If there are several runs of one recipe, the mean of their scores is judged, and the bounds include the
/// variation among runs ([`Runs`](crate::Runs)). If there are several groups, the confidence of a failure
/// holds for all groups together (Holm's correction). A pass needs no correction, because the rule passes
/// only if every group does.
///
/// # Errors
/// Never fails: a rule that cannot be judged gets the verdict [`Outcome::Error`] with the reason.
pub fn judge_rule(policy: &Policy, rule: &Rule, evidence: &Evidence<'_>) -> RuleVerdict {
    let baseline = policy.baseline_of(rule);
    try_judge(policy, rule, evidence)
        .unwrap_or_else(|error| RuleVerdict::error(rule, baseline, error.to_string()))
}

fn try_judge(policy: &Policy, rule: &Rule, evidence: &Evidence<'_>) -> Result<RuleVerdict> {
    let metric = evidence.metric;
    require_parallel(evidence)?;
    let first = evidence.runs.first().ok_or(InputErrorKind::EmptyCorpus)?;
    let total = match first.score(metric) {
        // An output without any number has no score, but its missing numbers can be counted.
        Err(_) if matches!(rule.check, RuleCheck::Missing { .. }) => None,
        total => Some(total?),
    };
    let mut groups = match &rule.check {
        RuleCheck::Missing { allowed } => missing(rule, evidence, *allowed)?,
        RuleCheck::Drop { allowed } => {
            drops(policy, rule, evidence, Whole::new(policy, evidence)?, *allowed)?
        }
        RuleCheck::Limits(limits) => {
            let run = Whole::new(policy, evidence)?;
            let judge = |group: &JudgedGroup| limited(policy, rule, evidence, run, (group, limits));
            evidence.groups.iter().map(judge).collect::<Result<Vec<_>, _>>()?
        }
    };
    // The worst group comes first; the sort is stable, so equal groups keep their order.
    groups.sort_by(|one, other| {
        let drop = |group: &GroupVerdict| group.drop.unwrap_or(f64::NEG_INFINITY);
        other.outcome.cmp(&one.outcome).then(drop(other).total_cmp(&drop(one)))
    });
    let outcome = groups.iter().filter_map(|group| group.outcome).max();
    let judged_nothing = || match evidence.groups.len() {
        0 => "there are no groups, so nothing was judged".to_owned(),
        count => {
            format!("none of the {count} groups has {} segments, so nothing was judged", rule.min_segments)
        }
    };
    Ok(RuleVerdict {
        name: rule.name.clone(),
        metric: rule.metric.clone(),
        headline: rule.headline.clone(),
        score_name: total
            .as_ref()
            .map_or_else(|| metric.identity().heading(), |total| total.score.name.to_string()),
        scale: metric.scale(),
        by: rule.by.clone(),
        check: rule.check.clone(),
        baseline: policy.baseline_of(rule).map(str::to_owned),
        message: outcome.is_none().then(judged_nothing),
        // A rule that judged nothing must not pass: a wrong label would switch the gate off.
        outcome: outcome.unwrap_or(Outcome::Error),
        unit: evidence.units.map_or(ResampleUnit::Segment, |(label, _)| ResampleUnit::from_name(label)),
        signature: total.map(|total| total.signature.to_string()),
        groups,
    })
}

/// Kind of the score (a rate, a mean or neither), determined once from all segments of a rule. Every group of
/// segments then uses the same statistical method.
#[derive(Debug, Clone, Copy)]
struct Whole {
    approach: Approach,
    /// `true` if every document is entirely right or entirely wrong (has the highest or the lowest score).
    /// `None` if segments, not documents, are resampled.
    decided: Option<bool>,
}

impl Whole {
    fn new(policy: &Policy, evidence: &Evidence<'_>) -> Result<Self> {
        let metric = evidence.metric;
        let (composition, scale) = (metric.identity().composition(), metric.scale());
        let outputs: Vec<&OutputCounts> = evidence.baseline.into_iter().chain(evidence.runs).collect();
        let of_all = |counts: &[&OutputCounts]| {
            let numbers = counts.iter().map(|counts| counts.numbers(metric)).collect::<Result<Vec<_>>>()?;
            Ok::<_, InputError>(numbers.into_iter().flatten().map(|[_, score]| score).collect::<Vec<_>>())
        };
        let scores = match composition {
            Composition::MeanOrRate => of_all(&outputs)?,
            _ => Vec::new(),
        };
        let approach = Approach::new(composition, scale, scores);
        if evidence.units.is_none() {
            return Ok(Whole { approach, decided: None });
        }
        if approach != Approach::Rate || policy.method.is_some() {
            return Ok(Whole { approach, decided: Some(false) });
        }
        // Groups may overlap, but a segment must not count twice.
        let mut segments: Vec<usize> =
            evidence.groups.iter().flat_map(|group| group.segments.iter().copied()).collect();
        segments.sort_unstable();
        segments.dedup();
        let of_units = |counts: &&OutputCounts| {
            counts.units(metric, &segments, evidence.units.map(|(_, values)| values))
        };
        let units = outputs.iter().map(of_units).collect::<Result<Vec<_>>>()?;
        Ok(Whole { approach, decided: Some(all_decided(metric, &units.iter().collect::<Vec<_>>())?) })
    }
}

fn require_parallel(evidence: &Evidence<'_>) -> Result<()> {
    // Segments are paired by index, so outputs of different lengths would pair unrelated segments.
    let name = |run: usize| match evidence.runs.len() {
        1 => "the new output".to_owned(),
        _ => format!("run {}", run + 1),
    };
    let runs = evidence.runs.iter().enumerate().map(|(run, rows)| (name(run), rows.len() as u64));
    let baseline = evidence.baseline.map(|rows| ("the baseline".to_owned(), rows.len() as u64));
    let mut all = baseline.into_iter().chain(runs);
    let Some((left, left_len)) = all.next() else { return Ok(()) };
    match all.find(|(_, len)| *len != left_len) {
        None => Ok(()),
        Some((right, right_len)) => {
            Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into())
        }
    }
}

fn unjudged(group: &JudgedGroup) -> GroupVerdict {
    let segments = group.segments.len() as u64;
    GroupVerdict { label: group.label.clone(), segments, ..GroupVerdict::default() }
}

/// Verdict on one group of segments under a rule that limits how much the score may drop below the baseline.
/// The confidence is not yet corrected for the number of groups.
struct GroupDrop {
    verdict: GroupVerdict,
    /// Confidence bounds of the drop; `None` if the outputs are equal or the group is too small to be judged.
    bounds: Option<Bounds>,
}

fn drops(
    policy: &Policy,
    rule: &Rule,
    evidence: &Evidence<'_>,
    run: Whole,
    allowed: f64,
) -> Result<Vec<GroupVerdict>> {
    let measure = |group: &JudgedGroup| measure(policy, rule, evidence, run, group);
    let mut drops = evidence.groups.iter().map(measure).collect::<Result<Vec<GroupDrop>, _>>()?;
    let tail = 1.0 - policy.confidence;
    // Holm's correction, from the smallest p-value up: while k groups have not failed yet, the next one gets
    // a k-th of the tail.
    let mut order: Vec<usize> = (0..drops.len()).filter(|&at| drops[at].bounds.is_some()).collect();
    let p_value = |at: &usize| drops[*at].bounds.as_ref().map_or(1.0, |bounds| bounds.share_at_most(allowed));
    order.sort_by(|one, other| p_value(one).total_cmp(&p_value(other)));
    let mut left = order.len();
    let mut stopped = false;
    for at in order {
        let GroupDrop { verdict, bounds: Some(bounds) } = &mut drops[at] else { continue };
        let shared = tail / left as f64;
        require_resamples(policy, shared)?;
        let (lower, upper) = (bounds.lower(shared), bounds.upper(tail));
        let fails = !stopped && !bounds.too_few() && !bounds.are_refused() && lower > allowed;
        if fails {
            left -= 1;
        }
        stopped |= !fails;
        conclude(verdict, bounds, policy, fails, allowed, (lower, upper), shared);
    }
    Ok(drops.into_iter().map(|drop| drop.verdict).collect())
}

fn require_resamples(policy: &Policy, tail: f64) -> Result<()> {
    if policy.resamples as f64 * tail >= 1.0 {
        return Ok(());
    }
    Err(InputError::malformed(format!(
        "{} resamples cannot show a confidence of {} shared among groups; it takes {}",
        policy.resamples,
        policy.confidence,
        (1.0 / tail).ceil()
    )))
}

fn conclude(
    verdict: &mut GroupVerdict,
    bounds: &Bounds,
    policy: &Policy,
    fails: bool,
    allowed: f64,
    (lower, upper): (f64, f64),
    tail: f64,
) {
    let (smallest, units_needed) = bounds.power(tail, policy.power, allowed);
    let segments_of_unit = verdict.segments as f64 / bounds.units.max(1) as f64;
    verdict.units = bounds.units as u64;
    (verdict.outcome, verdict.reason) = if fails {
        (Some(Outcome::Fail), Reason::LargerDrop)
    } else if bounds.too_few() {
        (Some(Outcome::Inconclusive), Reason::TooFewUnits)
    } else if bounds.are_refused() {
        (Some(Outcome::Inconclusive), Reason::NoBounds)
    } else if upper <= allowed && verdict.drop.is_some_and(|drop| drop <= allowed) {
        (Some(Outcome::Pass), Reason::AtMostAllowed)
    } else if smallest > allowed {
        (Some(Outcome::Inconclusive), Reason::TooSmall)
    } else {
        (Some(Outcome::Inconclusive), Reason::AtLimit)
    };
    verdict.method = Some(bounds.method);
    verdict.caution = caution(bounds, policy.resamples);
    // Bounds from too few units, or with a caution against them, would look like evidence, so none are
    // reported.
    if !bounds.too_few() && !bounds.are_refused() {
        (verdict.lower, verdict.upper) = (Some(lower), Some(upper));
        verdict.smallest = Some(smallest);
        // Power is computed for units, so it is converted with the mean number of segments per unit.
        verdict.segments_needed = units_needed.map(|units| (units as f64 * segments_of_unit).ceil() as u64);
        // An improvement is reported only if it is as large as the drops that the test can detect.
        verdict.improved = verdict.drop.is_some_and(|drop| -drop > smallest && smallest > 0.0);
    }
}

/// Returns a warning for the report if the confidence bounds are doubtful or missing, or if resamples without
/// a score were drawn again. Returns `None` if there is nothing to report.
fn caution(bounds: &Bounds, resamples: usize) -> Option<String> {
    let redrawn = (bounds.redrawn > 0.0 && !bounds.are_refused()).then(|| {
        let share = 100.0 * bounds.redrawn;
        format!("{share:.1} % of {resamples} resamples had no score, and were drawn again")
    });
    bounds.caution.map(|caution| caution.to_string()).or(redrawn)
}

fn measure(
    policy: &Policy,
    rule: &Rule,
    evidence: &Evidence<'_>,
    run: Whole,
    group: &JudgedGroup,
) -> Result<GroupDrop> {
    let mut verdict = unjudged(group);
    if verdict.segments < rule.min_segments.max(1) {
        return Ok(GroupDrop { verdict, bounds: None });
    }
    let all = evidence.baseline.ok_or_else(|| InputError::malformed("there is no baseline"))?;
    let baseline = units(all, group, evidence)?;
    let runs = units_of_runs(group, evidence)?;
    let sign = sign(evidence.metric);
    let before = score_of(evidence.metric, &baseline)?;
    let after = set_new(&mut verdict, &runs, |counts| score_of(evidence.metric, counts))?;
    verdict.baseline = Some(before);
    verdict.drop = Some(sign * (before - after));
    verdict.units = baseline.len() as u64;
    if baseline.len() < FEWEST_UNITS {
        (verdict.outcome, verdict.reason) = (Some(Outcome::Inconclusive), Reason::TooFewUnits);
        return Ok(GroupDrop { verdict, bounds: None });
    }
    // Units with equal sums may contain segments that differ, so segments are compared.
    let equal = |run: &OutputCounts| group.segments.iter().all(|&segment| all.is_equal_at(segment, run));
    if evidence.runs.iter().all(equal) {
        (verdict.outcome, verdict.reason) = (Some(Outcome::Pass), Reason::NoDifference);
        return Ok(GroupDrop { verdict, bounds: None });
    }
    let sample = ResampledCounts {
        metric: evidence.metric,
        baseline: Some(&baseline),
        runs: &runs,
        sign,
        method: policy.method,
        approach: run.approach,
        decided: run.decided,
    };
    Ok(GroupDrop { verdict, bounds: Some(bounds_of_drop(&sample, plan(policy))?) })
}

/// Stores the new output's score or other number in the verdict, and returns it. If the output has several
/// repetitions (runs), it is the mean of their numbers.
fn set_new(
    verdict: &mut GroupVerdict,
    runs: &[OutputCounts],
    number: impl Fn(&OutputCounts) -> Result<f64>,
) -> Result<f64> {
    let numbers = runs.iter().map(number).collect::<Result<Vec<f64>, _>>()?;
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    verdict.new = Some(mean);
    if numbers.len() > 1 {
        verdict.runs = numbers;
    }
    Ok(mean)
}

fn limited(
    policy: &Policy,
    rule: &Rule,
    evidence: &Evidence<'_>,
    run: Whole,
    (group, limits): (&JudgedGroup, &NumberLimits),
) -> Result<GroupVerdict> {
    let mut verdict = unjudged(group);
    if verdict.segments < rule.min_segments.max(1) {
        return Ok(verdict);
    }
    let runs = units_of_runs(group, evidence)?;
    let number = set_new(&mut verdict, &runs, |counts| match &limits.part {
        Some(name) => part_of(evidence.metric, counts, name),
        None => score_of(evidence.metric, counts),
    })?;
    verdict.units = runs.first().map_or(0, OutputCounts::len) as u64;
    let (lower, upper) = if limits.confident {
        let sample = ResampledCounts {
            metric: evidence.metric,
            baseline: None,
            runs: &runs,
            sign: 1.0,
            method: policy.method,
            approach: run.approach,
            decided: run.decided,
        };
        let bounds = bounds_of_score(&sample, plan(policy))?;
        let tail = 1.0 - policy.confidence;
        require_resamples(policy, tail)?;
        // Bounds from so few units would be unreliable, so the number alone is shown.
        if bounds.too_few() {
            (verdict.outcome, verdict.reason) = (Some(Outcome::Inconclusive), Reason::TooFewUnits);
            return Ok(verdict);
        }
        verdict.method = Some(bounds.method);
        verdict.caution = caution(&bounds, policy.resamples);
        if bounds.are_refused() {
            (verdict.outcome, verdict.reason) = (Some(Outcome::Inconclusive), Reason::NoBounds);
            return Ok(verdict);
        }
        (verdict.lower, verdict.upper) = (Some(bounds.lower(tail)), Some(bounds.upper(tail)));
        (bounds.lower(tail), bounds.upper(tail))
    } else {
        (number, number)
    };
    let min = limits.min.unwrap_or(f64::NEG_INFINITY);
    let max = limits.max.unwrap_or(f64::INFINITY);
    let (outcome, reason) = if upper < min {
        (Outcome::Fail, Reason::Below)
    } else if lower > max {
        (Outcome::Fail, Reason::Above)
    } else if lower >= min && upper <= max {
        (Outcome::Pass, Reason::Within)
    } else {
        (Outcome::Inconclusive, Reason::AcrossLimit)
    };
    (verdict.outcome, verdict.reason) = (Some(outcome), reason);
    Ok(verdict)
}

fn plan(policy: &Policy) -> ResamplePlan {
    ResamplePlan { seed: policy.seed.into(), count: policy.resamples }
}

fn sign(metric: &AnyMetric) -> f64 {
    if metric.scale().direction == Direction::HigherIsBetter { 1.0 } else { -1.0 }
}

fn units_of_runs(group: &JudgedGroup, evidence: &Evidence<'_>) -> Result<Vec<OutputCounts>> {
    evidence.runs.iter().map(|counts| units(counts, group, evidence)).collect()
}

/// Judges how many segments of the new output have no number, for a rule that allows at most `allowed` of
/// them. If there are several runs, the run with the most such segments decides.
fn missing(rule: &Rule, evidence: &Evidence<'_>, allowed: u64) -> Result<Vec<GroupVerdict>> {
    let of_run = |counts: &OutputCounts| counts.with_numbers(evidence.metric);
    let runs = evidence.runs.iter().map(of_run).collect::<Result<Vec<_>>>()?;
    let judge = |group: &JudgedGroup| {
        let mut verdict = unjudged(group);
        if verdict.segments < rule.min_segments.max(1) {
            return verdict;
        }
        let without =
            |has: &Vec<bool>| group.segments.iter().filter(|&&segment| !has[segment]).count() as f64;
        let counts: Vec<f64> = runs.iter().map(without).collect();
        let most = counts.iter().copied().fold(0.0, f64::max);
        verdict.new = Some(most);
        verdict.units = verdict.segments;
        if counts.len() > 1 {
            verdict.runs = counts;
        }
        let fails = most > allowed as f64;
        (verdict.outcome, verdict.reason) =
            if fails { (Some(Outcome::Fail), Reason::Above) } else { (Some(Outcome::Pass), Reason::Within) };
        verdict
    };
    Ok(evidence.groups.iter().map(judge).collect())
}

/// Returns the summed counts of each resampled unit (a segment, or a label such as a document) in a group.
fn units(counts: &OutputCounts, group: &JudgedGroup, evidence: &Evidence<'_>) -> Result<OutputCounts> {
    counts.units(evidence.metric, &group.segments, evidence.units.map(|(_, values)| values))
}

fn score_of(metric: &AnyMetric, counts: &OutputCounts) -> Result<f64> {
    Ok(counts.score(metric)?.score.value)
}

fn part_of(metric: &AnyMetric, counts: &OutputCounts, name: &str) -> Result<f64> {
    let scored = counts.score(metric)?;
    let numbers = |part: &bleuprint_core::ScorePart| match part.value {
        PartValue::Count(count) => Some(count as f64),
        PartValue::Number(number) => Some(number),
        PartValue::Counts(_) | PartValue::Numbers(_) | PartValue::Points(_) | PartValue::Pairs(_) => None,
    };
    let parts: Vec<(&str, f64)> =
        scored.score.parts.iter().filter_map(|part| Some((&*part.key, numbers(part)?))).collect();
    let known = || parts.iter().map(|(key, _)| *key).collect::<Vec<_>>().join(", ");
    let found = parts.iter().find(|(key, _)| *key == name).map(|(_, number)| *number);
    found.filter(|number| number.is_finite()).ok_or_else(|| {
        InputError::malformed(format!("{} has no part `{name}`; it has: {}", scored.score.name, known()))
    })
}
