//! Rows of md-eval, pyannote.metrics, simpleder, spyder and dscore over turns of speakers.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{entries, items, named, number};

/// Ticks in a second, in which the metrics count times.
const TICKS: f64 = 2e6;

/// One file of a row, as a segment.
struct TurnFile {
    name: String,
    segment: Value,
}

fn files(input: &Value) -> Vec<TurnFile> {
    let file = |name: &str, input: &Value| {
        let segment =
            json!({ "hypothesis": input["hyp"], "reference": input["ref"], "source": input["uem"] });
        TurnFile { name: name.to_owned(), segment }
    };
    match input["files"].as_object() {
        Some(files) => files.iter().map(|(name, input)| file(name, input)).collect(),
        None => vec![file("f", input)],
    }
}

/// Returns the option for the scored regions: those of the files if all files have them.
fn regions(files: &[TurnFile]) -> String {
    let is_given = files.iter().all(|file| !file.segment["source"].is_null());
    if is_given { "uem=given" } else { "uem=extent" }.to_owned()
}

fn segments(files: &[TurnFile]) -> Vec<&Value> {
    files.iter().map(|file| &file.segment).collect()
}

pub(super) fn errors(row: &Value) -> Vec<Value> {
    let files = files(&row["input"]);
    let all = segments(&files);
    let expected = &row["expected"];
    let tolerance = number(&row["tolerance"]);
    let option = |key: &str| row["options"][key].as_str().unwrap_or_default();
    let is_simple = option("like") == "simpleder";
    let uem = if is_simple { "uem=extent".to_owned() } else { regions(&files) };
    let mut options = vec![format!("like={}", option("like")), uem];
    options.push(format!("collar={}", row["options"]["collar"].as_f64().unwrap_or_default()));
    let jer = named("jer", &options);
    let is_detection = row["metric"] == "detection";
    if !is_detection {
        let overlap = match (option("overlap"), option("regions")) {
            ("skip", _) => "skip",
            (_, "single") => "single",
            (_, "overlap") => "only",
            (_, "nonoverlap") => "nonoverlap",
            _ => "keep",
        };
        options.push(format!("overlap={overlap}"));
        options.push(format!("mapping={}", if option("mapping") == "greedy" { "greedy" } else { "best" }));
    }
    let metric = named(if is_detection { "detection" } else { "der" }, &options);
    if expected["error"].is_string() {
        return vec![json!({ "segments": all, "expected": { metric: null } })];
    }
    let mut cases = Vec::new();
    if let Some(per_file) = expected.get("per_file") {
        for file in &files {
            cases.extend(times(&metric, &[&file.segment], &per_file[&file.name], tolerance));
        }
        let rates = json!({ metric: expected["der"], jer: expected["jer"] });
        cases.push(json!({ "segments": all, "expected": rates, "tolerance": tolerance }));
    } else if let Some(listed) = expected.get("files") {
        for file in &files {
            // md-eval does not print files that the reference lacks.
            if let Some(expected) = listed.get(&file.name) {
                cases.extend(times(&metric, &[&file.segment], expected, tolerance));
            }
            if let Some(mapping) = expected["mapping"].get(&file.name) {
                let pairs = pairs(&file.segment, entries(mapping));
                cases.push(json!({ "segments": [file.segment], "pairs": { &metric: pairs } }));
            }
        }
        cases.extend(times(&metric, &all, &listed["ALL"], tolerance));
    } else {
        cases.extend(times(&metric, &all, expected, tolerance));
    }
    cases
}

/// Returns the cases for the times of the errors, and for the rate.
fn times(metric: &str, segments: &[&Value], expected: &Value, tolerance: f64) -> Vec<Value> {
    let seconds = |name: &str| expected.get(name).map(number);
    let mut cases = Vec::new();
    if let Some(total) = seconds("scored").or(seconds("total")) {
        // spyder's parts are shares of the total.
        let whole = if tolerance == 1e-6 { total.max(1e-9) } else { 1.0 };
        let known = ["miss", "false_alarm", "confusion", "correct"];
        let known = known.iter().filter_map(|name| Some((*name, seconds(name)? * whole)));
        let known: Vec<(&str, f64)> = known.collect();
        let found = known.iter().filter(|(name, _)| ["miss", "confusion"].contains(name));
        let correct = total - found.map(|(_, seconds)| seconds).sum::<f64>();
        let mut count = |listed: &[(&str, f64)], tolerance: f64| {
            let ticks =
                listed.iter().map(|(name, seconds)| ((*name).to_owned(), json!((seconds * TICKS).round())));
            let ticks: Map<String, Value> = ticks.collect();
            cases.push(json!({
                "segments": segments, "counts": { metric: ticks }, "tolerance": tolerance * whole * TICKS,
            }));
        };
        count(&known, tolerance);
        // The total is the sum of these parts, each with its tolerance.
        count(&[("correct", correct)], 3.0 * tolerance);
    }
    let rates = [("der", 1.0, tolerance), ("rate", 1.0, tolerance), ("der_percent", 100.0, 0.0101)];
    for (name, factor, tolerance) in rates {
        if let Some(rate) = seconds(name) {
            cases.push(json!({
                "segments": segments, "expected": { metric: rate / factor }, "tolerance": tolerance / factor,
            }));
        }
    }
    cases
}

/// Returns the pairs of names as the metric lists them, in the order of the turns.
fn pairs(segment: &Value, mapping: &Map<String, Value>) -> Vec<[Value; 2]> {
    let speakers = |side: &str| -> Vec<Value> {
        let mut seen = HashSet::new();
        let names = items(&segment[side]).iter().map(|turn| turn[0].clone());
        names.filter(|name| seen.insert(name.to_string())).collect()
    };
    let partner = |name: &Value| name.as_str().and_then(|name| mapping.get(name)).cloned();
    let references = speakers("reference").into_iter().map(|name| [name.clone(), json!(partner(&name))]);
    let is_free = |name: &Value| mapping.values().all(|mapped| mapped != name);
    let free = speakers("hypothesis").into_iter().filter(is_free).map(|name| [Value::Null, name]);
    references.chain(free).collect()
}

pub(super) fn purity(row: &Value) -> Vec<Value> {
    let options =
        [format!("like={}", row["options"]["like"].as_str().unwrap_or_default()), "uem=extent".into()];
    let expected = json!({ named("purity", &options): row["expected"] });
    vec![
        json!({ "segments": segments(&files(&row["input"])), "expected": expected, "tolerance": row["tolerance"] }),
    ]
}

/// Names of the numbers of dscore that are no percentages.
const DSCORE: [(&str, &str); 9] = [
    ("score", "bcubed_f1"),
    ("precision", "bcubed_precision"),
    ("recall", "bcubed_recall"),
    ("tau_ref_sys", "tau_ref_sys"),
    ("tau_sys_ref", "tau_sys_ref"),
    ("entropy_ref_sys", "ce_ref_sys"),
    ("entropy_sys_ref", "ce_sys_ref"),
    ("mi", "mi"),
    ("nmi", "nmi"),
];

pub(super) fn dscore(row: &Value) -> Vec<Value> {
    let files = files(&row["input"]);
    let uem = regions(&files);
    let der = format!("der:like=dscore,collar={},{uem}", row["options"]["collar"]);
    let jer = format!("jer:like=dscore,mapping=jaccard,{uem}");
    let case = |segments: &[&Value], expected: &Value| {
        let numbers: Map<String, Value> =
            DSCORE.iter().map(|(own, name)| ((*own).to_owned(), expected[name].clone())).collect();
        let mut cases = vec![json!({
            "segments": segments, "expected": { format!("bcubed:{uem}"): numbers }, "tolerance": 1e-6,
        })];
        // dscore has a number for a file without reference time, where the metrics have none.
        if segments.iter().any(|segment| !items(&segment["reference"]).is_empty()) {
            let rates =
                json!({ &der: number(&expected["der"]) / 100.0, &jer: number(&expected["jer"]) / 100.0 });
            cases.push(json!({ "segments": segments, "expected": rates, "tolerance": 1e-8 }));
        }
        cases
    };
    let each = files.iter().flat_map(|file| case(&[&file.segment], &row["expected"]["files"][&file.name]));
    each.chain(case(&segments(&files), &row["expected"]["overall"])).collect()
}
