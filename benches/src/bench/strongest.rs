//! Strongest peer of each workload: its time relative to ours, from Rust and from Python, and the targets.

use super::figures::bound;
use super::row::{BenchRow, finely, time};
use super::tasks::{APART, TASKS, WANTED};
use super::tried;

/// Returns the section of the record: a line for each task and corpus with a peer, and for each peer with a
/// target.
pub(crate) fn markdown(rows: &[BenchRow]) -> String {
    let mut lines = String::new();
    for (task, _) in TASKS {
        let own: Vec<&BenchRow> = rows.iter().filter(|row| row.task == *task).collect();
        for ours in own.iter().filter(|row| row.engine == OURS) {
            let beside: Vec<&BenchRow> =
                own.iter().filter(|row| row.corpus == ours.corpus).copied().collect();
            let of = |name: &str| beside.iter().find(|row| row.engine == name).copied();
            let strongest = if APART.contains(task) {
                of(PARTS)
            } else {
                let peers = beside.iter().filter(|row| !row.engine.starts_with(OURS)).copied();
                // The fastest peer is the only fair comparison; slower peers are in the tables of tasks.
                peers.min_by(|one, other| one.seconds.total_cmp(&other.seconds))
            };
            let named = WANTED.iter().filter(|(wanted, peer, ..)| wanted == task && !peer.is_empty());
            let named = named.filter_map(|(_, peer, ..)| of(peer));
            for peer in strongest.into_iter().chain(named) {
                lines.push_str(&line(
                    ours,
                    of(WHEEL),
                    peer,
                    strongest.is_some_and(|one| one.engine == peer.engine),
                ));
            }
        }
    }
    if lines.is_empty() { lines } else { format!("{HEAD}{lines}") }
}

const HEAD: &str = "\n**the strongest peer of each workload**\n\n\
    | workload | corpus | strongest peer | its time | ours | its time / ours | from Python | wanted, from Python | met |\n\
    |---|---|---|--:|--:|--:|--:|--:|---|\n";

const OURS: &str = "bleuprint";
const WHEEL: &str = "bleuprint (Python)";
const PARTS: &str = "bleuprint, metrics apart";

fn line(ours: &BenchRow, wheel: Option<&BenchRow>, peer: &BenchRow, is_strongest: bool) -> String {
    let is_wanted = |name: &str| if name.is_empty() { is_strongest } else { name == peer.engine };
    let wanted = WANTED.iter().find(|(task, name, ..)| *task == ours.task && is_wanted(name));
    let (rust, python) = wanted.map_or((None, None), |(_, _, rust, python)| (*rust, *python));
    let times = peer.seconds / ours.seconds;
    let from_python = wheel.map(|wheel| peer.seconds / wheel.seconds);
    let (wanted, met) = bound(times, rust, true);
    let (wanted_there, met_there) =
        from_python.map_or_else(Default::default, |times| bound(times, python, true));
    let both = |one: &str, other: &str| match (one.is_empty(), other.is_empty()) {
        (_, true) => one.to_owned(),
        (true, _) => format!(", {other}"),
        _ => format!("{one}, {other}"),
    };
    format!(
        "| {} | {} | {} {} | {} | {} | {} | {} | {} | {} |\n",
        ours.task,
        ours.corpus.split(" (").next().unwrap_or_default(),
        peer.engine,
        peer.version.trim_start_matches("bleuprint-"),
        time(peer.seconds),
        time(ours.seconds),
        finely(times),
        from_python.map_or_else(String::new, finely),
        both(&wanted, &wanted_there),
        tried::linked(&both(met, met_there), &ours.task),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(task: &str, engine: &str, seconds: f64) -> BenchRow {
        BenchRow {
            task: task.to_owned(),
            corpus: "zh-en (x)".to_owned(),
            segments: 1,
            engine: engine.to_owned(),
            version: "1".to_owned(),
            seconds,
            middle_seconds: seconds,
            times_ours: seconds,
            peak_bytes: None,
            agreement: String::new(),
        }
    }

    #[test]
    fn the_strongest_peer_and_those_with_a_target_are_shown() {
        let cer = [
            ("bleuprint", 1.0),
            (WHEEL, 2.0),
            ("rapidfuzz", 1.6),
            ("rapidfuzz, editops", 2.0),
            ("jiwer", 20.0),
        ];
        let rows = cer.map(|(engine, seconds)| row("cer", engine, seconds));
        let text = markdown(&rows);
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("| cer")).collect();
        assert_eq!(
            lines,
            [
                "| cer | zh-en | rapidfuzz 1 | 1.60 s | 1.00 s | 1.60 | 0.80 | ≥ 1.5, ≥ 1.3 | yes, **no** ([tried](../README.md#wer-and-cer)) |",
                "| cer | zh-en | rapidfuzz, editops 1 | 2.00 s | 1.00 s | 2.00 | 1.00 | ≥ 3 | **no** ([tried](../README.md#wer-and-cer)) |",
            ]
        );
        // If a task has several metrics, the peer is our own program with the metrics apart.
        let rows =
            [("bleuprint", 1.0), (PARTS, 1.5), ("sacreBLEU", 1.2)].map(|(e, s)| row("composition", e, s));
        assert!(markdown(&rows).contains("metrics apart 1 | 1.50 s | 1.00 s | 1.50 |  | ≥ 1.3 | yes |"));
    }
}
