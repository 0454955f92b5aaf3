//! Every metric of the registry at the interfaces that judge, show and keep scores and choose by them, with the example of its
//! entry; and forged, cut and unlike states of each.

use bleuprint::contract::{Metric as _, ViewKind};
use bleuprint::eval::evaluation::Run;
use serde_json::{Value, json};

use crate::common::{Folder, refused, sealed, stdout};
use crate::examples::{Example, examples};

/// Two segments of an example in files.
struct ExampleFiles {
    folder: Folder,
    /// The arguments that read the segments.
    input: Vec<String>,
    /// The file of statistics.
    statistics: String,
}

impl ExampleFiles {
    fn new(example: &Example) -> Self {
        let folder = Folder::new();
        let input = example.two_segments(&folder);
        let statistics = folder.path("base.stats");
        stdout(&with(&["stats", "-q"], &input, &["-m", &example.metric, "-o", &statistics]));
        ExampleFiles { folder, input, statistics }
    }
}

/// Returns the arguments of a command, with those that read the segments in the middle.
fn with<'a>(before: &[&'a str], input: &'a [String], after: &[&'a str]) -> Vec<&'a str> {
    before.iter().copied().chain(input.iter().map(String::as_str)).chain(after.iter().copied()).collect()
}

#[test]
fn every_metric_is_judged_shown_kept_and_chosen_by() {
    for example in examples() {
        let files = ExampleFiles::new(&example);
        is_judged(&example, &files);
        is_shown(&example, &files);
        is_kept(&example, &files);
        is_chosen_by(&example, &files);
    }
}

fn is_judged(example: &Example, files: &ExampleFiles) {
    let metric = &example.metric;
    let head = "format = \"bleuprint-gate/1\"\nbaseline = \"base.stats\"\n[on]\ninconclusive = \"pass\"\n";
    let rule = format!("[[rule]]\nmetric = \"{metric}\"\nmax-drop = 0.0\n");
    let policy = files.folder.file("gate.toml", format!("{head}{rule}"));
    // Two segments are too few for a verdict, whatever they count.
    let judged = stdout(&with(&["gate", "--policy", &policy], &files.input, &[]));
    assert!(
        judged.starts_with("INCONCLUSIVE") && judged.contains("2 segments are too few"),
        "{metric}: {judged}"
    );
}

fn is_shown(example: &Example, files: &ExampleFiles) {
    let metric = &example.metric;
    let page = files.folder.path("page.html");
    stdout(&with(&["report", "-q"], &files.input, &["-m", metric, "-o", &page]));
    let whole = stdout(&with(&["score", "-q"], &files.input, &["-m", metric]));
    let number = whole.lines().find_map(|line| line.strip_prefix(" \"score\": ")).unwrap();
    assert!(std::fs::read_to_string(&page).unwrap().contains(&format!("\"score\":{number}")), "{metric}");
}

/// A ledger keeps rows of counts, and events have a part of the data that a metric of two passes learns from.
fn is_kept(example: &Example, files: &ExampleFiles) {
    let metric = &example.metric;
    let (event, ledger) = (files.folder.path("event"), files.folder.path("live.db"));
    let count = with(&["stats", "-q"], &files.input, &["-m", metric, "--total", "-o", &event]);
    let key = ["--event", "KEY", "--stream", "s", "--time", "2026-11-01T00:00:00Z"];
    let count = [&count[..], &key[..]].concat();
    if example.learns() {
        return refused(&count, &["learns", "and an event has a part of it"]);
    }
    if !example.is_row() {
        return refused(&count, &["not a row of counts, so they cannot be an event"]);
    }
    stdout(&count);
    stdout(&["track", "add", &ledger, &event, "--now", "2026-12-01T00:00:00Z"]);
    let score = stdout(&with(&["score", "-q", "-b"], &files.input, &["-m", metric]));
    assert!(stdout(&["track", "show", &ledger]).contains(score.trim()), "{metric}: {score}");
}

/// Two equal candidates are better than a third that differs. Pools are texts without sources, and each text is a reference.
fn is_chosen_by(example: &Example, files: &ExampleFiles) {
    let Example { metric, built, record, .. } = example;
    let is_text = !built.view.kind.is_beside_text();
    let other = example.other_record();
    let pool = match built.view.kind {
        // The numbers of another program are the utilities of the candidates.
        ViewKind::Numbers => {
            json!({"candidates": ["a", "b", "c"], "utilities": [[1, 1, 0], [1, 1, 0], [0, 0, 1]]})
        }
        _ if is_text => {
            json!({"candidates": [record["hypothesis"], record["hypothesis"], other["hypothesis"]]})
        }
        _ => json!({"candidates": ["the cat sat", "the cat sat", "a dog"]}),
    };
    let pools = files.folder.file("pools.jsonl", format!("{pool}\n"));
    let mbr = ["mbr", "-f", "json", "--pools", &pools, "-m", metric];
    let identity = built.identity();
    let needs = identity.needs();
    let reason = match (is_text, needs.references, needs.source, example.learns()) {
        (false, ..) if built.view.kind != ViewKind::Numbers => "but pools are texts",
        (true, false, ..) => "uses no references: it cannot score texts against each other",
        (_, _, true, _) => "needs the source: it cannot score texts against each other",
        (.., true) => "learns from all references first",
        _ => {
            let chosen = stdout(&mbr);
            return assert!(chosen.contains("\"candidate\":1,"), "{metric}: {chosen}");
        }
    };
    refused(&mbr, &[reason]);
}

#[test]
fn cut_and_unlike_states_of_every_metric_are_refused() {
    let all = examples();
    for (at, example) in all.iter().enumerate() {
        let files = ExampleFiles::new(example);
        let whole = std::fs::read_to_string(&files.statistics).unwrap();
        assert!(stdout(&["score", "-b", "--stats", &files.statistics]).ends_with('\n'));
        let cut = files.folder.file("cut.stats", &whole[..whole.len() / 2]);
        refused(&["score", "--stats", &cut], &["cut.stats"]);
        let unlike = ExampleFiles::new(&all[(at + 1) % all.len()]);
        let merge = ["merge", &files.statistics, &unlike.statistics, "-o", &files.folder.path("all.stats")];
        refused(&merge, &["base.stats"]);
    }
}

/// Adds a million to one number of a state at a time, in the line of the first segment and in the total. Every metric bounds
/// some of its counts by others, except those whose counts are free; and no forged state stops the program.
#[test]
fn forged_counts_are_refused_by_the_bounds_of_a_metric() {
    let all = examples();
    let mut unbounded = Vec::new();
    for example in &all {
        let files = ExampleFiles::new(example);
        let whole = std::fs::read_to_string(&files.statistics).unwrap();
        let mut refusals = 0;
        for number in 0.. {
            let Some(forged) = forged(&whole, number) else { break };
            let file = files.folder.file("forged.stats", sealed(&forged));
            match Run::read(&bleuprint::registry(), &[&file]) {
                Err(error) => {
                    assert!(error.to_string().contains("forged.stats"), "{}: {error}", example.metric);
                    refusals += 1;
                }
                // Counts that no bound forbids have a score, or say why they have none.
                Ok(run) => drop(run.scores()),
            }
        }
        if refusals == 0 {
            unbounded.push(&*example.metric);
        }
    }
    assert!(unbounded.len() * 4 < all.len(), "too many metrics take any counts: {unbounded:?}");
}

/// Returns the file of statistics with a million more in the number of this index of the first segment's state, and in the same
/// number of the total; `None` if the state has fewer numbers.
fn forged(whole: &str, number: usize) -> Option<String> {
    let mut lines: Vec<Value> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.len() - 1;
    let segment = add_to_number(own_counts(&mut lines[1]["states"][0]), &mut number.clone());
    let total = add_to_number(own_counts(&mut lines[last]["total"][0]), &mut number.clone());
    (segment && total).then(|| lines.iter().map(|line| format!("{line}\n")).collect())
}

/// Returns the counts of the metric, without its key and the counts of segments.
fn own_counts(state: &mut Value) -> &mut [Value] {
    match state {
        Value::Array(row) => &mut row[3..],
        Value::Object(state) => std::slice::from_mut(state.get_mut("stats").unwrap()),
        _ => unreachable!("a state is a row or an object"),
    }
}

/// Adds a million to the number with the index `left` in depth-first order. Returns `false` if there are fewer numbers.
fn add_to_number(values: &mut [Value], left: &mut usize) -> bool {
    values.iter_mut().any(|value| match value {
        Value::Number(number) if *left == 0 => {
            let Some(count) = number.as_u64() else { return true };
            *value = json!(count + 1_000_000);
            true
        }
        Value::Number(_) => {
            *left -= 1;
            false
        }
        Value::Array(list) => add_to_number(list, left),
        Value::Object(fields) => {
            fields.values_mut().any(|field| add_to_number(std::slice::from_mut(field), left))
        }
        _ => false,
    })
}
