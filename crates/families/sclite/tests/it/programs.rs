//! Comparison with rows of sclite, rfilter1 and csrfilt.sh, in this crate and in the specification data.

use bleuprint_core::{Accumulator, Segment};
use bleuprint_sclite::{
    Heard, NORMALIZERS, Nce, Optional, Sclite, ScliteSettings, StepKind, aligned, transcripts,
};
use bleuprint_testkit::{Folder, recorded::path};
use bleuprint_text::Normalizers;
use serde_json::{Value, json};

fn settings(flags: &str) -> ScliteSettings {
    let given = |flag| flags.split(' ').any(|one| one == flag);
    let optional = if given("-D") { Optional::Sclite } else { Optional::Word };
    ScliteSettings { optional, fragments: given("-F"), case: given("-s"), ..ScliteSettings::default() }
}

fn alignment(row: &Value) {
    let settings = settings(row["options"]["flags"].as_str().unwrap());
    let [reference, hypothesis] = ["ref", "hyp"].map(|side| row["input"][side].as_str().unwrap());
    let steps = aligned(hypothesis, reference, settings);
    if row["expected"]["error"].is_string() {
        assert!(steps.is_err(), "{row}");
        return;
    }
    let steps = steps.unwrap();
    let operations: Vec<Value> = steps
        .iter()
        .map(|step| match step.kind {
            StepKind::Correct => json!(["C", step.reference, step.hypothesis]),
            StepKind::Substitution => json!(["S", step.reference, step.hypothesis]),
            StepKind::Deletion => json!(["D", step.reference, null]),
            StepKind::Insertion => json!(["I", null, step.hypothesis]),
            StepKind::Skipped => {
                json!([
                    "C",
                    step.reference.as_deref().unwrap_or(""),
                    step.hypothesis.as_deref().unwrap_or("")
                ])
            }
        })
        .collect();
    assert_eq!(json!(operations), row["expected"]["ops"], "{row}");
    let mut all = Accumulator::<_, str>::new(Sclite::new(settings));
    all.push(hypothesis, &[reference]).unwrap();
    let counts = *all.total().stats();
    let correct = counts.correct + counts.skipped;
    let expected = ["C", "S", "D", "I"].map(|kind| row["expected"][kind].as_u64().unwrap());
    assert_eq!([correct, counts.substitutions, counts.deletions, counts.insertions], expected, "{row}");
}

fn times(row: &Value) {
    let folder = Folder::new();
    let [reference, hypothesis] =
        ["stm", "ctm"].map(|kind| folder.file(format!("a.{kind}"), row["input"][kind].as_str().unwrap()));
    let mut found = Vec::new();
    let mut total = Accumulator::<_, str>::new(Sclite::new(ScliteSettings::default()));
    let mut nce = Accumulator::<_, Heard, String, Heard>::new(Nce::new(ScliteSettings::default()));
    let [reference, hypothesis] = [reference, hypothesis].map(|path| path.to_string_lossy().into_owned());
    for one in transcripts(&reference, &hypothesis, true).unwrap() {
        let mut single = Accumulator::<_, str>::new(Sclite::new(ScliteSettings::default()));
        single.push(&one.text(), &[&one.reference]).unwrap();
        total.push(&one.text(), &[&one.reference]).unwrap();
        let counts = *single.total().stats();
        let [start, end] = one.times.unwrap();
        let parts = [counts.correct, counts.substitutions, counts.deletions, counts.insertions];
        found.push((start, end, parts));
        nce.push_segment(Segment::with_source(&one.heard(), &[&one.reference], None)).unwrap();
    }
    let number = |value: &Value| value.as_f64().unwrap();
    // sclite sorts by speaker and this crate by time; the rows of this crate have no times.
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    if let Some(segments) = row["expected"]["segments"].as_array() {
        let segment = |one: &Value| {
            let parts = [2, 3, 4, 5].map(|place| one[place].as_u64().unwrap());
            (number(&one[0]), number(&one[1]), parts)
        };
        let mut expected: Vec<_> = segments.iter().map(segment).collect();
        expected.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert_eq!(found, expected, "{row}");
    }
    let counts = total.total().stats();
    let raw = &row["expected"]["sum"][1];
    let theirs: Vec<&str> = (0..9).map(|place| raw[place].as_str().unwrap()).collect();
    assert_eq!(theirs[7], counts.wrong.to_string(), "{row}");
    match nce.score() {
        Ok(score) => assert_eq!(theirs[8], format!("{:.3}", score.score.score), "{row}"),
        // sclite prints the least 32-bit integer over 1,000 for a missing number.
        Err(_) => assert_eq!(theirs[8], "-2147483.648"),
    }
}

fn filtered(row: &Value) {
    let folder = Folder::new();
    let options = &row["options"];
    let flags = options["flags"].as_str().unwrap_or_default();
    let name = match (options["program"].as_str().unwrap(), flags.contains("-dh")) {
        ("rfilter1", _) => "glm",
        (_, false) => "csrfilt",
        (_, true) => "csrfilt-dh",
    };
    let glm = folder.file("a.glm", row["input"]["glm"].as_str().unwrap());
    let mut normalizers = Normalizers::default();
    NORMALIZERS.iter().for_each(|entry| normalizers.add(*entry).unwrap());
    let chain = normalizers.build(&format!("{name}={}", glm.display())).unwrap();
    // In STM, the text follows six fields.
    let text = row["input"]["text"].as_str().unwrap();
    let head = match flags.contains("stm") {
        true => text.find("> ").map_or(0, |label| label + 2),
        false => 0,
    };
    let found = format!("{}{}", &text[..head], chain.apply(&text[head..]));
    assert_eq!(found.trim_end(), row["expected"]["text"].as_str().unwrap().trim_end(), "{row}");
}

fn run(rows: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (place, check): (usize, fn(&Value)) = match row["metric"].as_str().unwrap() {
            "sclite" => (0, alignment),
            "sclite_ctm" => (1, times),
            "glm" => (2, filtered),
            _ => continue,
        };
        check(&row);
        counts[place] += 1;
    }
    counts
}

#[test]
fn rows_of_the_package_are_those_of_the_programs() {
    assert_eq!(run(include_str!("../../data/golden.jsonl")), [40, 6, 18]);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_are_those_of_the_programs() {
    let rows = std::fs::read_to_string(path("spec/speech-two-golden.jsonl")).unwrap();
    assert_eq!(run(&rows), [146, 14, 113]);
}
