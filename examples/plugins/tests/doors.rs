//! Every metric of the package at every door of the program that can show it: one table, one test for each door.

mod support;

use support::{Folder, SEGMENTS};

/// A metric as it is asked for, the record of a segment under the better and the worse system, and the scores of both.
struct Plugin {
    spec: &'static str,
    /// By the number of the segment and that of the system.
    record: fn(usize, usize) -> String,
    /// As the program prints them.
    scores: [&'static str; 2],
    /// True if its statistics are a row of counts: a ledger holds such sums alone.
    is_row: bool,
}

/// True in each `of`th segment of the better system, and in more of the worse.
fn is_wrong(segment: usize, system: usize, of: usize) -> bool {
    segment % of == 0 || system == 1 && segment % 3 == 1
}

fn texts(hypothesis: &str, reference: &str, source: &str) -> String {
    format!(r#""hypothesis": "{hypothesis}", "reference": "{reference}", "source": "{source}""#)
}

/// Three words, of which the last is wrong at times, and a source with the first.
fn words(segment: usize, system: usize) -> String {
    let last = if is_wrong(segment, system, 5) { "x" } else { "c" };
    texts(&format!("a{segment} b {last}"), &format!("a{segment} b c"), &format!("a{segment} c"))
}

fn pick<T>(segment: usize, system: usize, right: T, wrong: T) -> T {
    if is_wrong(segment, system, 5) { wrong } else { right }
}

const PLUGINS: &[Plugin] = &[
    Plugin { spec: "unigram_f", record: words, scores: ["0.931", "0.840"], is_row: true },
    Plugin { spec: "copy_rate", record: words, scores: ["59.7", "50.7"], is_row: true },
    Plugin {
        spec: "log_prob",
        record: |segment, system| {
            format!(r#""log_probs": [-0.5, {}]"#, pick(segment, system, "-0.25", "-2.25"))
        },
        scores: ["-0.583", "-0.854"],
        is_row: true,
    },
    Plugin { spec: "distinct_tokens", record: words, scores: ["51.262", "51.262"], is_row: false },
    Plugin { spec: "rare_recall", record: words, scores: ["99.6", "99.0"], is_row: true },
    Plugin {
        spec: "timed_words",
        record: |segment, system| {
            let start = pick(segment, system, 0.5, 0.9);
            format!(
                r#""hypothesis": {{"words": [["a", 0.0], ["b", {start}]]}}, "reference": {{"words": [["a", 0.1], ["b", 0.4]]}}"#
            )
        },
        scores: ["0.896", "0.760"],
        is_row: true,
    },
    Plugin {
        spec: "pass_at_k:k=2",
        record: |segment, system| format!(r#""n": 4, "c": {}"#, pick(segment, system, 2, 0)),
        scores: ["66.0", "43.4"],
        is_row: true,
    },
    Plugin {
        spec: "entities:strict",
        record: |segment, system| {
            texts(pick(segment, system, "B-PER I-PER O B-LOC", "B-PER O O B-LOC"), "B-PER I-PER O B-LOC", "")
        },
        scores: ["0.896", "0.760"],
        is_row: true,
    },
    Plugin {
        spec: "model_perplexity",
        record: |segment, system| {
            format!(r#""log_probs": [-0.5, {}], "bytes": 8"#, pick(segment, system, -0.5, -1.5))
        },
        scores: ["1.830", "2.095"],
        is_row: true,
    },
    Plugin { spec: "judge", record: words, scores: ["0.931", "0.840"], is_row: true },
    Plugin {
        spec: "calibration:bins=4",
        record: |segment, system| {
            format!(r#""confidence": 0.75, "right": {}"#, pick(segment, system, true, false))
        },
        scores: ["0.042", "0.229"],
        is_row: false,
    },
    Plugin {
        spec: "auc",
        record: |segment, system| {
            let positive = segment % 2 == 0;
            let score = if positive { 0.75 } else { 0.5 } - pick(segment, system, 0.0, 0.3);
            format!(r#""score": {score}, "positive": {positive}"#)
        },
        scores: ["0.835", "0.771"],
        is_row: false,
    },
    Plugin {
        spec: "mse",
        record: |segment, system| {
            format!(
                r#""hypothesis": {}, "reference": {segment}"#,
                segment as f64 + pick(segment, system, 0.5, 1.5)
            )
        },
        scores: ["0.667", "1.208"],
        is_row: true,
    },
    Plugin {
        spec: "ndcg:k=2",
        record: |segment, system| {
            let docs = pick(segment, system, r#"["a", "b"]"#, r#"["b", "c"]"#);
            format!(
                r#""hypothesis": {{"docs": {docs}}}, "reference": {{"a": 3, "b": 1}}, "source": "query {segment}""#
            )
        },
        scores: ["0.849", "0.653"],
        is_row: true,
    },
    Plugin {
        spec: "classes",
        record: |segment, system| {
            let class = ["negative", "neutral", "positive"];
            let found = class[(segment + pick(segment, system, 0, 1)) % 3];
            format!(r#""hypothesis": "{found}", "reference": "{}""#, class[segment % 3])
        },
        scores: ["0.792", "0.521"],
        is_row: true,
    },
];

/// Records of the systems, with their names if both are in one file.
fn records(plugin: &Plugin, systems: &[usize]) -> String {
    let mut lines = String::new();
    for &system in systems {
        for segment in 0..SEGMENTS {
            let name = if systems.len() > 1 {
                format!(r#""system": "{}", "#, ["one", "two"][system])
            } else {
                String::new()
            };
            let domain = ["web", "news"][segment % 2];
            let record = (plugin.record)(segment, system);
            lines += &format!("{{{name}\"id\": \"{segment}\", \"domain\": \"{domain}\", {record}}}\n");
        }
    }
    lines
}

/// A folder with the records of each metric in turn. All failures are told, not the first alone.
fn for_each(test: &str, check: impl Fn(&Folder, &Plugin)) {
    let failed = PLUGINS.iter().filter(|plugin| {
        let folder = Folder::new(&format!("{test}-{}", plugin.spec.replace(':', "-")));
        folder.write("both.jsonl", records(plugin, &[0, 1]));
        folder.write("one.jsonl", records(plugin, &[0]));
        folder.write("two.jsonl", records(plugin, &[1]));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&folder, plugin))).is_err()
    });
    let failed: Vec<&str> = failed.map(|plugin| plugin.spec).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn score() {
    for_each("score", |folder, Plugin { spec, scores, .. }| {
        let out = folder.out(&format!("score --segments both.jsonl -m {spec} -f text"));
        for score in scores {
            assert!(out.contains(score), "{spec}: {score}: {out}");
        }
        let by = folder.out(&format!("score --segments both.jsonl -m {spec} --by domain -f text"));
        assert!(by.contains("web") && by.contains("news"), "{spec}: {by}");
        folder.write("weights", "2\n".repeat(SEGMENTS));
        let weighted =
            folder.out(&format!("score --segments both.jsonl -m {spec} --segment-weights weights -f text"));
        assert!(weighted.contains("weights:integer"), "{spec}: {weighted}");
    });
}

#[test]
fn intervals() {
    for_each("intervals", |folder, Plugin { spec, .. }| {
        let (out, cautions) = folder.resampled(&format!(
            "score --segments both.jsonl -m {spec} --confidence --confidence-n 50 -f text"
        ));
        // Repeated segments have no new tokens, so resamples say nothing about the number of different tokens.
        let withheld = cautions.contains("no interval");
        assert_eq!(withheld, *spec == "distinct_tokens", "{spec}: {out}{cautions}");
        assert_eq!(out.contains('±'), !withheld, "{spec}: {out}{cautions}");
    });
}

#[test]
fn compare() {
    for_each("compare", |folder, Plugin { spec, .. }| {
        let out = folder.out(&format!("compare --segments both.jsonl -m {spec} --resamples 100"));
        assert!(out.contains("one") && out.contains("two"), "{spec}: {out}");
        let (out, cautions) = folder.resampled(&format!(
            "score --segments both.jsonl -m {spec} --paired-bs --paired-bs-n 50 -f text"
        ));
        assert!(out.contains("p ="), "{spec}: {out}{cautions}");
    });
}

#[test]
fn files_of_statistics() {
    for_each("stats", |folder, Plugin { spec, .. }| {
        for system in ["one", "two"] {
            folder.out(&format!(
                "stats --segments {system}.jsonl -m {spec} -o {system}.stats --system {system}"
            ));
        }
        let scored = folder.out(&format!("score --segments both.jsonl -m {spec} -f text"));
        let stored = folder.out("score --stats one.stats two.stats -f text");
        assert_eq!(scored, stored, "{spec}");
        folder.out("show one.stats");
        folder.out("compare --stats one.stats two.stats --resamples 100");
        // Halves merge to the whole; the second pass of both takes what was learned from all.
        let learned = if *spec == "rare_recall" { " --learned weights.json" } else { "" };
        if !learned.is_empty() {
            folder.out(&format!("score --segments one.jsonl -m {spec} --save-learned weights.json"));
        }
        let whole = folder.read("one.jsonl");
        let halves = whole.split_at(whole.match_indices('\n').nth(SEGMENTS / 2 - 1).unwrap().0 + 1);
        for (name, half) in [("first", halves.0), ("second", halves.1)] {
            folder.write(&format!("{name}.jsonl"), half);
            folder.out(&format!(
                "stats --segments {name}.jsonl -m {spec} -o {name}.stats --system one{learned}"
            ));
        }
        folder.out("merge first.stats second.stats -o merged.stats");
        assert_eq!(folder.out("show merged.stats"), folder.out("show one.stats"), "{spec}");
    });
}

#[test]
fn report() {
    for_each("report", |folder, Plugin { spec, .. }| {
        folder.out(&format!("report --segments both.jsonl -m {spec} -o report.html"));
        let page = folder.read("report.html");
        assert!(page.contains("one") && page.contains("two"), "{spec}");
    });
}

fn policy(spec: &str) -> String {
    format!(
        "format = \"bleuprint-gate/1\"\nbaseline = \"one.stats\"\n[test]\nresamples = 200\n[[rule]]\nmetric = \"{spec}\"\nmax-drop = 0.0\n"
    )
}

#[test]
fn gate() {
    for_each("gate", |folder, Plugin { spec, .. }| {
        folder.out(&format!("stats --segments one.jsonl -m {spec} -o one.stats"));
        folder.write("gate.toml", policy(spec));
        let (same, error) = folder.both("gate --policy gate.toml --segments one.jsonl");
        assert!(same.starts_with("PASS"), "{spec}: {same}{error}");
        let (worse, error) = folder.both("gate --policy gate.toml --segments two.jsonl");
        assert!(
            ["PASS", "FAIL", "INCONCLUSIVE"].iter().any(|word| worse.starts_with(word)),
            "{spec}: {worse}{error}"
        );
    });
}

#[test]
fn track() {
    for_each("track", |folder, Plugin { spec, is_row, .. }| {
        // Weights that a metric learns belong to all events, so they are given to each.
        let learned = if *spec == "rare_recall" { " --learned weights.json" } else { "" };
        if !learned.is_empty() {
            folder.out(&format!("score --segments one.jsonl -m {spec} --save-learned weights.json"));
        }
        let event = format!(
            "stats --segments one.jsonl -m {spec}{learned} --total --event key --stream service -o events.jsonl"
        );
        if !is_row {
            let (_, error) = folder.both(&event);
            assert!(error.contains("be an event"), "{spec}: {error}");
            return;
        }
        folder.out(&event);
        folder.out("track add ledger.db events.jsonl");
        let out = folder.out("track show ledger.db");
        assert!(out.contains("service"), "{spec}: {out}");
    });
}

/// A file for each system, which metrics over data of their own take; those over texts refuse it.
#[test]
fn each_system_in_a_file() {
    let over_texts = PLUGINS.iter().filter(|plugin| is_over_texts(plugin)).count();
    assert!(over_texts > 0 && over_texts < PLUGINS.len(), "{over_texts}");
    for_each("files", |folder, plugin| {
        let spec = plugin.spec;
        let (files, error) =
            folder.both(&format!("score --numbers one=one.jsonl two=two.jsonl --id id -m {spec} -f text"));
        if is_over_texts(plugin) {
            assert!(files.is_empty() && error.contains("reads text"), "{spec}: {files}{error}");
        } else {
            for score in plugin.scores {
                assert!(files.contains(score), "{spec}: {score}: {files}{error}");
            }
        }
    });
}

/// Returns `true` for metrics whose records are those of [`texts`].
fn is_over_texts(plugin: &Plugin) -> bool {
    let record = (plugin.record)(0, 0);
    record.starts_with(r#""hypothesis": ""#) && record.contains(r#""source": ""#)
}

#[test]
fn errors_of_records_name_the_place_and_the_data() {
    let folder = Folder::new("errors");
    for (name, line, words) in [
        (
            "typo",
            r#"{"id": 1, "n": 4, "cc": 1}"#,
            &["typo.jsonl", "line 2", "`cc`", "`n`", "`c`", "program_samples"][..],
        ),
        ("missing", r#"{"id": 1, "n": 4}"#, &["missing.jsonl", "line 2", "missing field `c`"]),
        ("more", r#"{"id": 1, "n": 4, "c": 9}"#, &["more.jsonl", "line 2", "4 samples, of which 9 pass"]),
    ] {
        folder.write(&format!("{name}.jsonl"), format!("{{\"n\": 1, \"c\": 1}}\n{line}\n"));
        let (_, error) = folder.both(&format!("score --segments {name}.jsonl -m pass_at_k"));
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
    }
    folder.write("text", "a\n");
    let (_, error) = folder.both("score text -i text -m bleu pass_at_k");
    assert!(error.contains("pass@1 takes `program_samples` data (n, c): give --segments FILE"), "{error}");
}

/// 96 segments of two systems.
#[test]
fn a_model_gets_whole_batches_at_every_door() {
    let folder = Folder::new("batches");
    let plugin = PLUGINS.iter().find(|plugin| plugin.spec == "judge").unwrap();
    folder.write("both.jsonl", records(plugin, &[0, 1]));
    folder.write("one.jsonl", records(plugin, &[0]));
    folder.write("two.jsonl", records(plugin, &[1]));
    folder.write("gate.toml", policy("judge"));
    let door = |arguments: &str, segments: usize| {
        let (_, error) = folder.both(arguments);
        let read =
            error.lines().filter_map(|line| line.strip_prefix("the judge reads ")?.strip_suffix(" texts"));
        let calls: Vec<usize> = read.map(|count| count.parse().unwrap()).collect();
        assert_eq!(calls.iter().sum::<usize>(), segments, "{arguments}: {error}");
        assert!(calls.len() <= segments.div_ceil(32) + 1, "{arguments}: {calls:?}");
    };
    door("score --segments both.jsonl -m judge", 2 * SEGMENTS);
    door("score --segments both.jsonl -m judge --by domain --threads 2", 2 * SEGMENTS);
    door("compare --segments both.jsonl -m judge --resamples 100", 2 * SEGMENTS);
    door("stats --segments one.jsonl -m judge -o one.stats", SEGMENTS);
    door("report --segments both.jsonl -m judge -o report.html", 2 * SEGMENTS);
    door("gate --policy gate.toml --segments two.jsonl", SEGMENTS);
    door("score --stats one.stats", 0);
}
