//! Implements `score --by`: prints scores of groups of segments, from one pass over the data. With
//! `--confidence`, adds confidence intervals, and the mean over a label's groups.

use bleuprint::eval::evaluation::{GroupScores, Run};
use bleuprint::inference::{Interval, ResamplePlan};
use bleuprint::report::{self, CellGrid, Confidence, LineStyle};
use bleuprint::{AnyScore, InputError, Scored};
use bleuprint_requests::failure::Result;
use bleuprint_requests::significance::TestRequest;
use serde_json::{Value, json};

use crate::shared::command::Out;
use crate::shared::output::OutputRequest;

struct GroupLine<'l> {
    by: &'l str,
    group: GroupScores,
    /// Confidence intervals of the group's scores, indexed by system and then by metric.
    intervals: Vec<Vec<Option<Confidence>>>,
}

pub(super) fn write(
    run: &Run,
    labels: &[String],
    test: Option<&TestRequest>,
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    let mut all: Vec<GroupLine<'_>> = Vec::new();
    for by in labels {
        let groups = run.by(by)?;
        let segments: Vec<Vec<usize>> = groups.iter().map(|group| group.segments.clone()).collect();
        for group in groups {
            all.push(with_intervals(run, by, group, test)?);
        }
        if let Some(test) = test {
            all.push(mean(run, by, &segments, test)?);
        }
    }
    // The last line has all segments, to compare the groups with.
    all.push(with_intervals(run, "all", run.group("all", (0..run.len()).collect()), test)?);
    if output.json {
        let list: Vec<Value> = all.iter().map(|line| to_json(line, run.systems(), output.style)).collect();
        writeln!(out, "{}", report::pretty(&Value::Array(list), 1))?;
        return Ok(());
    }
    writeln!(out, "{}", output.table.write(&grid(run, &all, output)?))?;
    Ok(())
}

fn confidence(interval: Option<Interval>) -> Option<Confidence> {
    interval.map(|Interval { mean, half_width, .. }| Confidence { mean, half_width })
}

fn plan(test: &TestRequest) -> ResamplePlan {
    ResamplePlan { seed: test.seed.value, count: test.count }
}

/// Returns the scores of a group for printing, with confidence intervals if a test is given. A metric gets no
/// interval if it has no score for some system.
fn with_intervals<'l>(
    run: &Run,
    by: &'l str,
    mut group: GroupScores,
    test: Option<&TestRequest>,
) -> Result<GroupLine<'l>> {
    let mut intervals = vec![vec![None; run.metrics().len()]; run.systems().len()];
    let Some(test) = test else { return Ok(GroupLine { by, group, intervals }) };
    for metric in 0..run.metrics().len() {
        let segments = [group.segments.clone()];
        let is_scored = group.scores.iter().all(|scores| scores[metric].is_ok());
        let tested = match run.mean_of_groups(metric, &segments, plan(test), test.precision) {
            Ok(tested) => tested,
            // continue => The failing score is printed in the group's line already, and is no reason to end
            // the run.
            Err(_) if !is_scored => continue,
            Err(error) => return Err(error.into()),
        };
        for (system, tested) in tested.into_iter().enumerate() {
            intervals[system][metric] = confidence(tested.interval);
            if let Ok(scored) = &mut group.scores[system][metric] {
                scored.signature = test.signed_of(run, &scored.signature);
            }
        }
    }
    Ok(GroupLine { by, group, intervals })
}

/// Returns the mean score over the groups of a label, for printing. Every group has equal weight, whatever
/// its size.
fn mean<'l>(run: &Run, by: &'l str, groups: &[Vec<usize>], test: &TestRequest) -> Result<GroupLine<'l>> {
    let label = format!("mean of {} groups", groups.len());
    let mut line = GroupLine { by, group: run.group(label, (0..run.len()).collect()), intervals: Vec::new() };
    line.intervals = vec![vec![None; run.metrics().len()]; run.systems().len()];
    for metric in 0..run.metrics().len() {
        let tested = run.mean_of_groups(metric, groups, plan(test), test.precision);
        for (system, scores) in line.group.scores.iter_mut().enumerate() {
            match &tested {
                Err(error) => scores[metric] = Err(error.clone()),
                Ok(tested) => {
                    line.intervals[system][metric] = confidence(tested[system].interval);
                    if let Ok(scored) = &mut scores[metric] {
                        // The parts belong to all segments together, not to a mean over groups, so they are dropped.
                        let AnyScore { name, scale, .. } = &scored.score;
                        scored.score = AnyScore::new(name.clone(), tested[system].score, *scale);
                        let mean = format!("groups of {by}");
                        scored.signature = test.signed_of(run, &scored.signature).with("mean", "mean", mean);
                    }
                }
            }
        }
    }
    Ok(line)
}

fn to_json(line: &GroupLine<'_>, names: &[String], style: LineStyle) -> Value {
    let GroupLine { by, group, intervals } = line;
    let score =
        |(scored, interval): (&Result<Scored<AnyScore>, InputError>, &Option<Confidence>)| match scored {
            Ok(scored) => report::json(scored, *interval, style),
            Err(error) => json!({ "error": error.to_string() }),
        };
    let system = |((name, scores), intervals): ((&String, &Vec<_>), &Vec<_>)| {
        let scores: Vec<Value> = scores.iter().zip(intervals).map(score).collect();
        json!({ "system": name, "scores": scores })
    };
    let systems: Vec<Value> = names.iter().zip(&group.scores).zip(intervals).map(system).collect();
    json!({ "by": by, "group": group.label, "segments": group.segments.len(), "systems": systems })
}

/// Returns a score with all its digits, for other programs.
fn exact(score: f64, interval: Option<Confidence>) -> String {
    let interval = interval.map(|interval| format!(" ({} ± {})", interval.mean, interval.half_width));
    format!("{score}{}", interval.unwrap_or_default())
}

/// Replaces the score's name in a table heading by the metric's name in signatures, and appends the rest of
/// the signature.
fn signed(header: &str, scored: &Scored<AnyScore>) -> String {
    let name = header.replacen(&scored.score.name, &scored.signature.metric(), 1);
    format!("{name}|{}", scored.signature.body())
}

fn grid(run: &Run, all: &[GroupLine<'_>], output: &OutputRequest) -> Result<CellGrid> {
    let mut header = vec!["Group".to_owned(), "segments".to_owned()];
    let scores = run.scores()?;
    for (name, scores) in report::short_names(run.systems()).iter().zip(&scores) {
        for (metric, scored) in report::headers(scores).into_iter().zip(scores) {
            let metric = if output.table.is_data() { signed(&metric, scored) } else { metric };
            let several = run.systems().len() > 1;
            header.push(if several { format!("{name} {metric}") } else { metric });
        }
    }
    let row = |GroupLine { by, group, intervals }: &GroupLine<'_>| {
        let name = if *by == group.label { group.label.clone() } else { format!("{by}: {}", group.label) };
        let cell =
            |(scored, interval): (&Result<Scored<AnyScore>, InputError>, &Option<Confidence>)| match scored {
                Ok(scored) if output.table.is_data() => exact(scored.score.value, *interval),
                Ok(scored) => report::number(&scored.score, *interval, output.style),
                Err(_) => "-".to_owned(),
            };
        let scores = group.scores.iter().flatten().zip(intervals.iter().flatten()).map(cell);
        [name, group.segments.len().to_string()].into_iter().chain(scores).collect()
    };
    Ok(CellGrid { header, rows: all.iter().map(row).collect() })
}
