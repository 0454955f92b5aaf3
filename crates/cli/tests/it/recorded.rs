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

/// Tables of transcripts. The counts of the other rows of sclite, and texts under the rules of GLM files, are asked for by the tests
/// of the Python package, through this program too.
#[test]
#[ignore = "needs the data beside the checkout"]
fn tables_of_transcripts_are_those_of_sclite() {
    if bleuprint::families().get("sclite").is_none() {
        return;
    }
    let folder = Folder::new();
    let path = bleuprint_testkit::recorded::path("spec/speech-two-golden.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.filter(|row| row["metric"] == "sclite_ctm").collect();
    for row in &rows {
        let [reference, system] = ["stm", "ctm"]
            .map(|kind| folder.file(&format!("a.{kind}"), row["input"][kind].as_str().unwrap()));
        for (form, expected) in ["sum", "rsum"].into_iter().zip(row["expected"]["sum"].as_array().unwrap()) {
            let table = stdout(&["transcripts", &reference, "-i", &system, "--form", form]);
            let total = table.lines().find(|line| line.trim_start().starts_with("| Sum")).unwrap();
            let total = total.replace('|', " ");
            let numbers: Vec<&str> = total.split_whitespace().skip(1).take(8).collect();
            assert_eq!(
                serde_json::json!(numbers),
                serde_json::json!(expected.as_array().unwrap()[..8]),
                "{row}"
            );
        }
    }
    assert_eq!(rows.len(), 14);
}
