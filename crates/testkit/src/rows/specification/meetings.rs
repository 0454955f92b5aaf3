//! Rows of MeetEval: word errors of sessions, and the speakers or streams that it assigns.

use serde_json::{Map, Value, json};

use super::{entries, items, named};

pub(super) const METRICS: &[&str] = &[
    "cpwer",
    "tcpwer",
    "orcwer",
    "orcwer-greedy",
    "orcwer:search=greedy",
    "tcorcwer",
    "tcorcwer:search=greedy",
    "mimower",
    "tcmimower",
    "dicpwer",
    "dicpwer-greedy",
    "ditcpwer",
];

/// Columns of counts, with their names in the two files.
const COUNTS: [(&str, [&str; 2]); 7] = [
    ("insertions", ["ins", "insertions"]),
    ("deletions", ["del", "deletions"]),
    ("substitutions", ["sub", "substitutions"]),
    ("ref_len", ["length"; 2]),
    ("missed_speakers", ["missed_speaker"; 2]),
    ("falarm_speakers", ["falarm_speaker"; 2]),
    ("scored_speakers", ["scored_speaker"; 2]),
];

/// Options of times, with their names in the files.
const OPTIONS: [(&str, &str); 3] = [
    ("collar", "collar"),
    ("ref-timing", "reference_pseudo_word_level_timing"),
    ("hyp-timing", "hypothesis_pseudo_word_level_timing"),
];

pub(super) fn sessions(row: &Value) -> Vec<Value> {
    let sides = if row["input"].is_object() { &row["input"] } else { row };
    let side = |names: [&str; 2]| names.iter().find_map(|name| sides.get(name));
    let reference = side(["ref", "reference"]).expect("a session of the reference");
    let hypothesis = side(["hyp", "hypothesis"]).expect("a session of the hypothesis");
    let expected = row.get("expected").unwrap_or(&row["out"]);
    let metric = match row["metric"].as_str().unwrap_or_default() {
        "orcwer-greedy" => "orcwer:search=greedy",
        // The search of DI-cpWER is always greedy.
        "dicpwer-greedy" => "dicpwer",
        other => other,
    };
    let option = |(own, name): &(&str, &str)| match row["options"].get(name)? {
        Value::String(word) => Some(format!("{own}={word}")),
        number => Some(format!("{own}={number}")),
    };
    let name = named(metric, &OPTIONS.iter().filter_map(option).collect::<Vec<String>>());
    let segments = json!([{ "hypothesis": hypothesis, "reference": reference }]);
    match expected["error"].as_str() {
        // MeetEval allows at most 10 speakers on a side.
        Some("RuntimeError") => vec![json!({ "segments": segments, "expected": { name: null } })],
        // MeetEval fails without an utterance in the hypothesis; here all words are deleted.
        Some(_) if items(hypothesis).is_empty() => {
            let text =
                |one: &Value| one["words"].as_str().map_or(0, |words| words.split_whitespace().count());
            let words: usize = items(reference).iter().map(text).sum();
            let counts = json!({ "insertions": 0, "deletions": words, "substitutions": 0, "ref_len": words });
            vec![json!({ "segments": segments, "counts": { name: counts } })]
        }
        Some(_) => Vec::new(),
        None => {
            let mut case = json!({ "segments": segments, "counts": { &name: counts(expected) } });
            case["expected"] = json!({ &name: expected["error_rate"] });
            if expected["assignment"].is_array() {
                case["pairs"] =
                    json!({ name: pairs(metric, [reference, hypothesis], &expected["assignment"]) });
            }
            vec![case]
        }
    }
}

fn counts(expected: &Value) -> Map<String, Value> {
    let count = |(column, names): &(&str, [&str; 2])| {
        let found = names.iter().find_map(|name| expected.get(name))?;
        Some(((*column).to_owned(), found.clone()))
    };
    COUNTS.iter().filter_map(count).collect()
}

/// Returns the pairs of names as the metric lists them.
fn pairs(metric: &str, [reference, hypothesis]: [&Value; 2], assignment: &Value) -> Vec<[Value; 2]> {
    let name = |value: &Value| if value == "dummy" { Value::Null } else { value.clone() };
    let assigned = items(assignment);
    if assigned.iter().all(Value::is_array) {
        return assigned.iter().map(|pair| [name(&pair[0]), name(&pair[1])]).collect();
    }
    // MeetEval lists one stream for each utterance in the order of the input; the metric lists them in order of start.
    let is_turned = metric.starts_with("di");
    let utterances = items(if is_turned { hypothesis } else { reference });
    let mut listed: Vec<(&Value, &Value)> = utterances.iter().zip(assigned).collect();
    let start = |one: &Value| entries(one).get("start_time").and_then(Value::as_f64).unwrap_or(0.0);
    listed.sort_by(|one, other| start(one.0).total_cmp(&start(other.0)));
    let pair = |(utterance, stream): (&Value, &Value)| {
        let speaker = utterance["speaker"].clone();
        if is_turned { [name(stream), speaker] } else { [speaker, name(stream)] }
    };
    listed.into_iter().map(pair).collect()
}
