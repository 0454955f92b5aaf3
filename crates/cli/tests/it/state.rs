//! Files of statistics in the layout of docs/state.md: the recorded bytes, and the same bytes with any number of threads.

use serde_json::Value;

use crate::common::{Folder, parsed, stdout};

fn in_tree(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

/// The recorded states: a metric, its segments, the file of statistics and the score.
fn vectors() -> Vec<Value> {
    let text = std::fs::read_to_string(in_tree("crates/testkit/data/state-vectors.jsonl")).unwrap();
    let vectors: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(vectors.len(), 28);
    vectors
}

fn lines(list: &Value) -> String {
    list.as_array().unwrap().iter().map(|line| format!("{}\n", line.as_str().unwrap())).collect()
}

/// The file of statistics that the program writes of the segments.
fn written(folder: &Folder, vector: &Value, threads: &str) -> String {
    let hypotheses = folder.file("h.txt", lines(&vector["hypotheses"]));
    let references = folder.file("r.txt", lines(&vector["references"]));
    let out = folder.path("a.stats");
    let metric = vector["name"].as_str().unwrap();
    let options = ["-o", &out, "--overwrite", "-m", metric, "--system", "sys", "-q", "--threads", threads];
    stdout(&[&["stats", &references, "-i", &hypotheses], &options[..]].concat());
    std::fs::read_to_string(out).unwrap()
}

#[test]
fn files_have_the_recorded_bytes() {
    let folder = Folder::new();
    // Those of earlier layouts are read alone.
    let before = |name: &str| name.contains("stats/1") || name.contains("eight columns");
    for vector in vectors().iter().filter(|vector| !before(vector["name"].as_str().unwrap())) {
        assert_eq!(written(&folder, vector, "1"), vector["file"].as_str().unwrap(), "{}", vector["name"]);
    }
}

#[test]
fn recorded_files_have_their_scores() {
    let folder = Folder::new();
    for vector in vectors() {
        let file = folder.file("a.stats", vector["file"].as_str().unwrap());
        let shown: Value = parsed(&["show", &file, "-f", "json"]);
        let score = shown["score"].as_f64().or_else(|| shown[0]["score"].as_f64()).unwrap();
        assert_eq!(score.to_bits(), vector["score"].as_f64().unwrap().to_bits(), "{}", vector["name"]);
    }
}

/// Shards that versions with sums of eight columns wrote, merged with those of today: the score of both together.
#[test]
fn sums_of_eight_columns_merge_with_those_of_today() {
    let (folder, vectors) = (Folder::new(), vectors());
    let file =
        |name: &str| vectors.iter().find(|vector| vector["name"] == name).unwrap()["file"].as_str().unwrap();
    for metric in ["rouge1", "nist", "repetition", "meteor"] {
        let before = folder.file("before.stats", file(&format!("{metric} of sums with eight columns")));
        let now = folder.file("now.stats", file(metric));
        let [mixed, plain] = [[&before, &now], [&now, &now]].map(|[one, other]| {
            let out = folder.path("merged.stats");
            stdout(&["merge", one, other, "-o", &out, "--overwrite", "--allow-duplicates"]);
            std::fs::read_to_string(out).unwrap()
        });
        assert!(mixed.contains("digit_7") && mixed == plain, "{metric}");
    }
}

#[test]
fn statistics_and_reports_do_not_depend_on_threads() {
    let folder = Folder::new();
    let [reference, first, second] =
        ["en.ref1.txt", "en.sys-a.txt", "en.sys-b.txt"].map(|name| in_tree(&format!("examples/data/{name}")));
    let outputs = ["1", "2", "7"].map(|threads| {
        let (stats, page) = (folder.path("s.stats"), folder.path("p.html"));
        let metrics = ["-m", "bleu", "chrf", "wer", "meteor", "--threads", threads, "--overwrite", "-q"];
        stdout(&[&["stats", &reference, "-i", &first, "-o", &stats], &metrics[..]].concat());
        stdout(&[&["report", &reference, "-i", &first, &second, "-o", &page], &metrics[..]].concat());
        [stats, page].map(|file| std::fs::read(file).unwrap())
    });
    assert!(outputs[0] == outputs[1] && outputs[0] == outputs[2], "bytes depend on the number of threads");
}
