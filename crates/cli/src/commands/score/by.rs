//! `score --by`: the scores of groups of segments, from one pass over the data.

use bleuprint::eval::evaluation::{GroupScores, Run};
use bleuprint::report::{self, Grid, LineStyle};
use bleuprint::{AnyScore, InputError, Scored};
use serde_json::{Value, json};

use crate::shared::command::Out;
use crate::shared::failure::Result;
use crate::shared::output::OutputRequest;

/// Writes the scores of every group of every label.
pub(super) fn write(run: &Run, labels: &[String], output: &OutputRequest, out: &mut Out) -> Result<()> {
    let mut all: Vec<(&str, GroupScores)> = Vec::new();
    for by in labels {
        all.extend(run.by(by)?.into_iter().map(|group| (by.as_str(), group)));
    }
    all.push(("all", run.group("all", (0..run.len()).collect())));
    if output.json {
        let list: Vec<Value> =
            all.iter().map(|(by, group)| to_json(by, group, run.systems(), output.style)).collect();
        writeln!(out, "{}", report::pretty(&Value::Array(list), 1))?;
        return Ok(());
    }
    writeln!(out, "{}", output.table.of(&grid(run, &all, output)?))?;
    Ok(())
}

fn to_json(by: &str, group: &GroupScores, names: &[String], style: LineStyle) -> Value {
    let score = |scored: &Result<Scored<AnyScore>, InputError>| match scored {
        Ok(scored) => report::json(scored, None, style),
        Err(error) => json!({ "error": error.to_string() }),
    };
    let system = |(name, scores): (&String, &Vec<_>)| json!({ "system": name, "scores": scores.iter().map(score).collect::<Vec<_>>() });
    let systems: Vec<Value> = names.iter().zip(&group.scores).map(system).collect();
    json!({ "by": by, "group": group.label, "segments": group.segments.len(), "systems": systems })
}

fn grid(run: &Run, all: &[(&str, GroupScores)], output: &OutputRequest) -> Result<Grid> {
    let mut header = vec!["Group".to_owned(), "segments".to_owned()];
    let scores = run.scores()?;
    for (name, scores) in report::short_names(run.systems()).iter().zip(&scores) {
        for (metric, scored) in report::headers(scores).into_iter().zip(scores) {
            let metric =
                if output.table.is_data() { format!("{metric}|{}", scored.signature.body()) } else { metric };
            let several = run.systems().len() > 1;
            header.push(if several { format!("{name} {metric}") } else { metric });
        }
    }
    let row = |(by, group): &(&str, GroupScores)| {
        let name = if *by == group.label { group.label.clone() } else { format!("{by}: {}", group.label) };
        let cell = |scored: &Result<Scored<AnyScore>, InputError>| match scored {
            Ok(scored) => report::number(&scored.score, None, output.style),
            Err(_) => "-".to_owned(),
        };
        let scores = group.scores.iter().flatten().map(cell);
        [name, group.segments.len().to_string()].into_iter().chain(scores).collect()
    };
    Ok(Grid { header, rows: all.iter().map(row).collect() })
}
