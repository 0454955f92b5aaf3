//! Outputs of MeetEval, jiwer and sclite, kept beside the checkout: ignored by name, and run by `cargo xtask step recorded`.

use bleuprint_testkit::recorded::rows;
use serde_json::Value;

use crate::common::{Folder, parsed, stdout};

const SPEECH: &str = "speech-golden.json";

fn same_counts(theirs: &Value, ours: &Value, what: &str) {
    let keys = [
        ("ins", "insertions"),
        ("del", "deletions"),
        ("sub", "substitutions"),
        ("length", "ref_len"),
        ("missed_speaker", "missed_speakers"),
        ("falarm_speaker", "falarm_speakers"),
        ("scored_speaker", "scored_speakers"),
    ];
    for (their, our) in keys {
        assert_eq!(theirs[their], ours[our], "{what}: {our}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn files_of_sessions_have_meetevals_numbers() {
    let folder = Folder::new();
    let files = rows(SPEECH, "speaker_files");
    for (number, row) in files.iter().enumerate() {
        let file =
            |name: &str, key: &str| folder.file(&format!("{number}-{name}.stm"), row[key].as_str().unwrap());
        let (reference, system) = (file("ref", "reference_stm"), file("hyp", "hypothesis_stm"));
        for (name, metric) in [("cpwer", "cpwer"), ("tcpwer", "tcpwer:collar=5")] {
            let score = ["score", "--speakers", &reference, "-i", &system, "-m", metric, "-q"];
            let total: Value = parsed(&score);
            // They give the total of cpWER alone.
            if name == "cpwer" {
                same_counts(&row["cpwer_total"], &total, &format!("{number} {metric}"));
            }
            for session in stdout(&[&score[..], &["-sl", "-f", "json"]].concat()).lines() {
                let session: Value = serde_json::from_str(session).unwrap();
                let theirs = &row[name][session["id"].as_str().unwrap()];
                same_counts(theirs, &session, &format!("{number} {metric} {}", session["id"]));
                assert_eq!(theirs["assignment"], session["assignment"], "{number} {metric}");
            }
        }
    }
    assert_eq!(files.len(), 6);
}

/// `align --like jiwer` prints the texts of jiwer 4, word for word.
#[test]
#[ignore = "needs the data beside the checkout"]
fn alignments_are_printed_as_jiwer_prints_them() {
    let folder = Folder::new();
    let texts = |list: &Value| {
        list.as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .flat_map(|text| [text, "\n"])
            .collect::<String>()
    };
    for corpus in rows(SPEECH, "error_tables") {
        let (reference, system) =
            (folder.file("ref", texts(&corpus["refs"])), folder.file("sys", texts(&corpus["hyps"])));
        let tokenizer = if corpus["level"] == "char" { "jiwer-char" } else { "jiwer" };
        let arguments = ["align", &reference, "-i", &system, "--like", "jiwer", "--tokenize", tokenizer];
        let expected = ["alignment_text", "counts_text"].map(|key| corpus[key].as_str().unwrap().trim_end());
        assert_eq!(stdout(&arguments).trim_end(), expected.join("\n\n"));
    }
}

/// The rows of sclite, by flags: steps in its `.sgml`, and the counts of the metric by segment.
#[cfg(feature = "sclite")]
fn check_alternatives(folder: &Folder, flags: &str, rows: &[Value]) {
    let line = |side: &str| -> String {
        (0..)
            .zip(rows)
            .map(|(number, row)| format!("{} (s-{number})\n", row["input"][side].as_str().unwrap()))
            .collect()
    };
    let [reference, system] = ["ref", "hyp"].map(|side| folder.file(&format!("{side}.trn"), line(side)));
    let given = |flag| flags.split(' ').any(|one| one == flag);
    let optional = if given("-D") { "sclite" } else { "word" };
    let mut command = vec!["transcripts", &reference, "-i", &system, "--optional", optional];
    command.extend(given("-F").then_some("--fragments"));
    command.extend(given("-s").then_some("--case"));
    let sgml = stdout(&[&command[..], &["--form", "sgml"]].concat());
    let paths = sgml.lines().filter(|line| !line.starts_with('<'));
    let quoted = |word: &Value| word.as_str().map_or(String::new(), |word| format!("\"{word}\""));
    for (path, row) in paths.zip(rows) {
        let step =
            |one: &Value| format!("{},{},{}", one[0].as_str().unwrap(), quoted(&one[1]), quoted(&one[2]));
        let steps: Vec<String> = row["expected"]["ops"].as_array().unwrap().iter().map(step).collect();
        assert_eq!(path, steps.join(":"), "{row}");
    }
    let segments = folder.file("segments.jsonl", stdout(&[&command[..], &["--form", "segments"]].concat()));
    let case = if given("-s") { ",keep-case" } else { "" };
    let fragments = if given("-F") { ",fragments" } else { "" };
    let metric = format!("sclite:optional={optional}{fragments}{case}");
    let scored = stdout(&["score", "-q", "-sl", "-f", "json", "--segments", &segments, "-m", &metric]);
    assert_eq!(scored.lines().count(), rows.len());
    for (line, row) in scored.lines().zip(rows) {
        let score: Value = serde_json::from_str(line).unwrap();
        let keys = [("hits", "C"), ("substitutions", "S"), ("deletions", "D"), ("insertions", "I")];
        keys.iter().for_each(|(ours, theirs)| assert_eq!(score[ours], row["expected"][theirs], "{row}"));
    }
}

#[cfg(feature = "sclite")]
#[test]
#[ignore = "needs the data beside the checkout"]
fn alternatives_times_and_rules_are_those_of_sctk() {
    let folder = Folder::new();
    let path = bleuprint_testkit::recorded::path("spec/speech-two-golden.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let mut by_flags = std::collections::BTreeMap::<String, Vec<Value>>::new();
    let mut counts = [0; 3];
    for row in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let input = |key: &str| row["input"][key].as_str().unwrap();
        let flags = row["options"]["flags"].as_str().unwrap_or_default();
        match row["metric"].as_str().unwrap() {
            "sclite" if row["expected"]["error"].is_string() => {
                let [reference, system] = ["ref", "hyp"]
                    .map(|side| folder.file(&format!("{side}.trn"), format!("{} (s-1)\n", input(side))));
                assert_ne!(
                    crate::common::bleuprint(&["transcripts", &reference, "-i", &system]).status.code(),
                    Some(0)
                );
                counts[0] += 1;
            }
            "sclite" => {
                counts[0] += 1;
                by_flags.entry(flags.to_owned()).or_default().push(row);
            }
            "sclite_ctm" => {
                counts[1] += 1;
                let [reference, system] =
                    ["stm", "ctm"].map(|kind| folder.file(&format!("a.{kind}"), input(kind)));
                let expected = |place: usize| -> Vec<&str> {
                    row["expected"]["sum"][place]
                        .as_array()
                        .unwrap()
                        .iter()
                        .filter_map(Value::as_str)
                        .collect()
                };
                for (place, form) in ["sum", "rsum"].into_iter().enumerate() {
                    let table = stdout(&["transcripts", &reference, "-i", &system, "--form", form]);
                    let total = table.lines().find(|line| line.trim_start().starts_with("| Sum")).unwrap();
                    let total = total.replace('|', " ");
                    let numbers: Vec<&str> = total.split_whitespace().skip(1).take(8).collect();
                    assert_eq!(numbers, expected(place)[..8], "{row}");
                }
                let heard = stdout(&["transcripts", &reference, "-i", &system, "--form", "heard"]);
                let heard = folder.file("heard.jsonl", heard);
                let score = ["score", "-q", "-f", "json", "--segments", &heard, "-m", "nce"];
                // Their number of words that are all wrong is none.
                if expected(1)[8] != "-2147483.648" {
                    let found = parsed(&score)["score"].as_f64().unwrap();
                    assert_eq!(format!("{found:.3}"), expected(1)[8], "{row}");
                }
            }
            "glm" => {
                counts[2] += 1;
                let name = match (row["options"]["program"].as_str().unwrap(), flags.contains("-dh")) {
                    ("rfilter1", _) => "glm",
                    (_, false) => "csrfilt",
                    (_, true) => "csrfilt-dh",
                };
                // Of STM, the text behind the label.
                let text = input("text");
                let head =
                    if flags.contains("stm") { text.find("> ").map_or(0, |label| label + 2) } else { 0 };
                let (glm, file) = (folder.file("a.glm", input("glm")), folder.file("text", &text[head..]));
                let found = stdout(&["normalize", "-q", &file, "--norm", &format!("{name}={glm}")]);
                let found = format!("{}{found}", &text[..head]);
                assert_eq!(found.trim_end(), row["expected"]["text"].as_str().unwrap().trim_end(), "{row}");
            }
            _ => {}
        }
    }
    by_flags.iter().for_each(|(flags, rows)| check_alternatives(&folder, flags, rows));
    assert_eq!(counts, [146, 14, 113]);
}
