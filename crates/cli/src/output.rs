//! Scores on standard output: lines, JSON, tables.

use std::io::Write;

use bleuprint::eval::SegmentScores;
use bleuprint::report;
use bleuprint::text::read::Segment;
use bleuprint::{AnyScore, Scored};
use serde_json::json;

use crate::Failure;
use crate::request::OutputRequest;

/// A system's name and its scores.
pub(crate) type SystemScores = (String, Vec<Scored<AnyScore>>);

/// What a record says of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels(Vec<(&'static str, String)>);

impl Labels {
    pub(crate) fn of(record: &Segment) -> Self {
        let labels = [
            ("id", &record.id),
            ("system", &record.system),
            ("document", &record.document),
            ("domain", &record.domain),
        ];
        Labels(labels.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect())
    }
}

pub(crate) fn write_systems(
    systems: &[SystemScores],
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match systems {
        [_, _, ..] if output.score_only => {
            let message = format!("--score-only takes one system, but {} were given", systems.len());
            return Err(Failure::Message(message));
        }
        [(_, scores)] if output.score_only => {
            for scored in scores {
                writeln!(out, "{}", report::score_only(&scored.score, output.style))?;
            }
        }
        [(_, scores)] if !output.json => {
            for line in aligned(scores.iter().map(|scored| report::line(scored, output.style)).collect()) {
                writeln!(out, "{line}")?;
            }
        }
        [(_, scores)] => match &scores[..] {
            [scored] => writeln!(out, "{}", report::pretty(&report::json(scored)))?,
            _ => {
                let object = |scored: &Scored<AnyScore>| report::pretty(&report::json(scored));
                writeln!(out, "[\n{}\n]", scores.iter().map(object).collect::<Vec<_>>().join(",\n"))?;
            }
        },
        _ if output.json => writeln!(out, "{}", report::pretty(&report::json_systems(systems)))?,
        _ => writeln!(out, "{}", report::table(systems, output.style))?,
    }
    Ok(())
}

/// Pads lines on the left so that their ` = ` stand below each other, as sacreBLEU does for several metrics.
fn aligned(lines: Vec<String>) -> Vec<String> {
    let head = |line: &String| line.find(" = ").map_or(0, |at| line[..at].chars().count());
    let widest = lines.iter().map(head).max().unwrap_or(0);
    lines.into_iter().map(|line| format!("{:pad$}{line}", "", pad = widest - head(&line))).collect()
}

/// The scores of one segment of one system: a line for each metric, or why it has no score.
pub(crate) fn write_segment(
    scores: &SegmentScores,
    number: u64,
    labels: &Labels,
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for scored in scores {
        match scored {
            Ok(scored) => write_scored(scored, number, labels, output, out)?,
            Err(error) if output.json => {
                let mut object = json!({ "error": error.to_string(), "segment": number });
                labels.0.iter().for_each(|(key, value)| object[*key] = value.clone().into());
                writeln!(out, "{object}")?;
            }
            Err(error) => writeln!(out, "segment {number}: {error}")?,
        }
    }
    Ok(())
}

fn write_scored(
    scored: &Scored<AnyScore>,
    number: u64,
    labels: &Labels,
    output: &OutputRequest,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match output {
        OutputRequest { score_only: true, style, .. } => {
            writeln!(out, "{}", report::score_only(&scored.score, *style))?
        }
        OutputRequest { json: true, .. } => {
            let mut object = report::json(scored);
            object["segment"] = number.into();
            labels.0.iter().for_each(|(key, value)| object[*key] = value.clone().into());
            writeln!(out, "{object}")?;
        }
        OutputRequest { style, .. } => writeln!(out, "{}", report::line(scored, *style))?,
    }
    Ok(())
}
