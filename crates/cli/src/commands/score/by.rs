//! `score --by`: the scores of groups of segments, from one pass over the data.

use bleuprint::report::{self, Grid};
use bleuprint::{AnyScore, InputError, Metric as _, Scored};
use serde_json::{Value, json};

use crate::evaluation::counted::Counted;
use crate::shared::command::Out;
use crate::shared::failure::Result;
use crate::shared::output::OutputRequest;

/// The scores of one group, by system and metric.
struct Group {
    by: String,
    label: String,
    segments: usize,
    systems: Vec<Vec<Result<Scored<AnyScore>, InputError>>>,
}

/// Writes the scores of every group of every label.
pub(super) fn write(
    counted: &Counted,
    labels: &[String],
    output: &OutputRequest,
    out: &mut Out,
) -> Result<()> {
    let mut all = Vec::new();
    for by in labels {
        for (label, segments) in counted.labels.grouped(by)? {
            all.push(group(counted, by, label, &segments));
        }
    }
    all.push(group(counted, "all", "all".to_owned(), &(0..counted.len()).collect::<Vec<_>>()));
    if output.json {
        let list: Vec<Value> = all.iter().map(|group| group.to_json(&counted.systems)).collect();
        writeln!(out, "{}", report::pretty(&Value::Array(list)))?;
        return Ok(());
    }
    let grid = grid(counted, &all, output);
    writeln!(out, "{}", if output.latex { grid.latex() } else { grid.boxed() })?;
    Ok(())
}

fn group(counted: &Counted, by: &str, label: String, segments: &[usize]) -> Group {
    let metrics = counted.metrics();
    let scores = |system: usize| {
        let score =
            |place: usize| counted.merged(place, system, segments.iter().copied())?.score(metrics[place]);
        (0..metrics.len()).map(score).collect()
    };
    let systems = (0..counted.systems.len()).map(scores).collect();
    Group { by: by.to_owned(), label, segments: segments.len(), systems }
}

impl Group {
    fn to_json(&self, names: &[String]) -> Value {
        let score = |scored: &Result<Scored<AnyScore>, InputError>| match scored {
            Ok(scored) => report::json(scored),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let system = |(name, scores): (&String, &Vec<_>)| json!({ "system": name, "scores": scores.iter().map(score).collect::<Vec<_>>() });
        let systems: Vec<Value> = names.iter().zip(&self.systems).map(system).collect();
        json!({ "by": self.by, "group": self.label, "segments": self.segments, "systems": systems })
    }
}

fn grid(counted: &Counted, all: &[Group], output: &OutputRequest) -> Grid {
    let mut header = vec!["Group".to_owned(), "segments".to_owned()];
    for name in &counted.systems {
        for metric in counted.metrics() {
            let metric = metric.identity().name();
            let several = counted.systems.len() > 1;
            header.push(if several { format!("{name} {metric}") } else { metric });
        }
    }
    let row = |group: &Group| {
        let name = if group.by == group.label {
            group.label.clone()
        } else {
            format!("{}: {}", group.by, group.label)
        };
        let cell = |scored: &Result<Scored<AnyScore>, InputError>| match scored {
            Ok(scored) => report::score_only(&scored.score, output.style),
            Err(_) => "-".to_owned(),
        };
        let scores = group.systems.iter().flatten().map(cell);
        [name, group.segments.to_string()].into_iter().chain(scores).collect()
    };
    Grid { header, rows: all.iter().map(row).collect() }
}
