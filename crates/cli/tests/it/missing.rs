//! Segments that systems do not share, or not alone: missing numbers, units, and systems with segments of their own.

use crate::common::{Folder, bleuprint, compared, parsed, refused, said, stdout, words};
use serde_json::{Value, json};

const A: &str = "0.5\n0.75\nNaN\n1\n0.25\n";
const B: &str = "0.25\n1\n0.5\n\n0.5\n";

#[test]
fn missing_numbers_are_left_out_for_all() {
    let folder = Folder::new();
    let given = format!("comet={},{}", folder.file("a", A), folder.file("b", B));
    let score = |options: &str, more: &[&str]| {
        let metric = format!("given:name=comet,producer=t{options}");
        stdout(&[&["score", "--given", &given, "-m", &metric, "-f", "text"], more].concat())
    };
    refused(
        &["score", "--given", &given, "-m", "given:name=comet"],
        &["a: line 3: comet has no number here", "(1 of 5 have none)", "missing=skip"],
    );
    let one = format!("comet={}", folder.path("a"));
    let skipped = bleuprint(&["score", "--given", &one, "-m", "given:name=comet,missing=skip", "-f", "text"]);
    let (shown, notes) = (String::from_utf8_lossy(&skipped.stdout), String::from_utf8_lossy(&skipped.stderr));
    assert!(
        shown.starts_with("given|name:comet|") && shown.contains("(missing = 1 segments = 5)"),
        "{shown}"
    );
    assert!(notes.contains("comet: 1 of 5 segments of") && notes.contains("no number"), "{notes}");
    let compare =
        ["compare", "--given", &given, "-m", "given:name=comet,producer=t,missing=skip", "--resamples", "40"];
    let document = parsed(&[&compare[..], &["-f", "json"]].concat());
    let metric = &document["metrics"][0];
    assert_eq!((&metric["left_out"], &metric["scores"]), (&json!(2), &json!([0.5, 1.75 / 3.0])));
    let segments: Vec<_> =
        metric["segments"].as_array().unwrap().iter().map(|one| one["segment"].clone()).collect();
    assert!([json!(1), json!(2), json!(5)].iter().all(|segment| segments.contains(segment)), "{segments:?}");
    let text = stdout(&compare);
    assert!(text.contains("comet, 3 of 5 (2 left out, as a system has no number there) segments"), "{text}");
    let paired =
        format!("score --given {given} -m given:name=comet,missing=skip --paired-bs --paired-bs-n 40");
    let notes = said(&words(&paired));
    assert!(notes.contains("comet: 2 of 5 segments are left out"), "{notes}");
    assert!(notes.contains("nobody can tell which comet this is"), "{notes}");
    // The worst end of the scale, as lower numbers are better: (0.5 + 0.75 + 1 + 1 + 0.25) / 5.
    let worst = score(",missing=worst,scale=0..1,better=lower", &[]);
    assert!(worst.contains(" 0.700 ") && worst.contains(" 0.650 "), "{worst}");
}

#[test]
fn systems_are_aligned_by_ids() {
    let folder = Folder::new();
    let a = folder.file("a.csv", "q,run,score\nx,1,1\nx,2,0.5\ny,1,0\n");
    let b = folder.file("b.csv", "q,run,score\ny,1,1\n\"x\",2,0\nz,1,1\n");
    let columns = ["--numbers", &format!("A={a}"), &format!("B={b}"), "--id", "q,run"];
    let metric = |missing: &str| format!("given:name=score,producer=t,missing={missing}");
    refused(
        &[&["score"], &columns[..], &["-m", &metric("error")]].concat(),
        &["a.csv: it has no record `z,1`: score has no number here", "(1 of 4 have none)"],
    );
    let skip = metric("skip");
    let arguments = [&columns[..], &["-m", &skip]].concat();
    assert_eq!(compared(&arguments), [0.25, 0.5]);
    let labels =
        [&["score", "-f", "json", "--label", "question=q", "--by", "question"], &arguments[..]].concat();
    let groups = parsed(&labels);
    assert_eq!(groups[0]["group"], "x");
    refused(
        &["score", "--numbers", &a, "--id", "question", "-m", &metric("skip")],
        &["a.csv", "no column `question` among q, run, score"],
    );
}

fn sparse(folder: &Folder) -> [String; 2] {
    let file = |name: &str, shift: f64, missing: &[usize]| {
        let line = |id: usize| match missing.contains(&id) {
            true => format!("{{\"id\":{id},\"comet\":null}}\n"),
            false => format!("{{\"id\":{id},\"comet\":{}}}\n", shift + (id * 7 % 10) as f64 / 20.0),
        };
        folder.file(name, (0..60).map(line).collect::<String>())
    };
    [file("old.jsonl", 0.5, &[3, 10]), file("new.jsonl", 0.25, &[10, 20, 30])]
}

#[test]
fn the_gate_leaves_out_what_a_side_lacks() {
    let folder = Folder::new();
    let [old, new] = sparse(&folder);
    let metric = "given:name=comet,scale=0..1,producer=t,missing=skip";
    let named = format!("sys={old}");
    let base = folder.path("base.stats");
    stdout(&["stats", "-q", "--numbers", &named, "--id", "id", "-m", metric, "-o", &base]);
    let policy = format!(
        "format = \"bleuprint-gate/1\"\nbaseline = \"base.stats\"\n[[rule]]\nname = \"marks\"\nmetric = \"{metric}\"\nmax-drop = 0.3\n"
    );
    let policy = folder.file("policy.toml", policy);
    let judge = |file: &str| {
        let numbers = format!("sys={file}");
        let place = folder.path("verdict.json");
        let gate = ["gate", "-q", "--policy", &policy, "--numbers", &numbers, "--id", "id", "--json", &place];
        let output = bleuprint(&gate);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some_and(|code| code != 2), "{said}");
        let document: Value = serde_json::from_str(&std::fs::read_to_string(&place).unwrap()).unwrap();
        document["rules"][0].clone()
    };
    let rule = judge(&new);
    let text = rule.to_string();
    assert!(text.contains("4 of 60 segments are left out, as an output has no number there"), "{text}");
    let group = &rule["groups"][0];
    assert_eq!(group["units"], json!(56), "{text}");
    // On the segments of both every number is a quarter lower.
    assert!((group["drop"].as_f64().unwrap() - 0.25).abs() < 1e-12, "{text}");
    let whole = judge(&old);
    assert!(whole.to_string().contains("2 of 60 segments are left out"), "{whole}");
    let full = folder
        .file("full.jsonl", (0..60).map(|id| format!("{{\"id\":{id},\"comet\":1}}\n")).collect::<String>());
    assert_eq!(judge(&full)["groups"][0]["units"], json!(58));
}

#[test]
fn the_report_leaves_out_what_a_system_lacks() {
    let folder = Folder::new();
    let [old, new] = sparse(&folder);
    let (one, other) = (format!("one={old}"), format!("other={new}"));
    let metric = "given:name=comet,scale=0..1,producer=t,missing=skip";
    let (data, page) = (folder.path("data.json"), folder.path("page.html"));
    let report = ["report", "-q", "--numbers", &one, &other, "--id", "id", "-m", metric, "-o"];
    stdout(&[&report[..], &[&data, "-f", "json"]].concat());
    let data: Value = serde_json::from_str(&std::fs::read_to_string(&data).unwrap()).unwrap();
    let shown = &data["metrics"][0];
    assert_eq!((&shown["missing"], &data["segments"]), (&json!(4), &json!(60)), "{data}");
    let compare = ["compare", "-q", "--numbers", &one, &other, "--id", "id", "-m", metric, "-f", "json"];
    let expected = &parsed(&compare)["metrics"][0];
    assert_eq!(expected["left_out"], json!(4));
    for system in 0..2 {
        assert_eq!(shown["scores"][system]["score"], expected["scores"][system], "{shown}");
    }
    stdout(&[&report[..], &[&page]].concat());
    assert!(std::fs::read_to_string(&page).unwrap().contains("4 segments left out"));
    // Nothing is left out where nothing is missing, and nothing is said of it.
    let whole = folder
        .file("whole.jsonl", (0..60).map(|id| format!("{{\"id\":{id},\"comet\":1}}\n")).collect::<String>());
    let whole = [format!("one={whole}"), format!("other={whole}")];
    let place = folder.path("whole.html");
    stdout(&["report", "-q", "--numbers", &whole[0], "--id", "id", "-m", metric, "-o", &place]);
    assert!(!std::fs::read_to_string(&place).unwrap().contains("segments left out"));
}

/// Twelve documents of five segments, all right or all wrong.
fn documents(folder: &Folder, name: &str, shift: usize) -> String {
    let line = |at: usize| {
        let (document, pass) = (at / 5, u8::from(!(at / 5 + shift).is_multiple_of(4)));
        format!("{{\"id\":{at},\"document\":\"d{document}\",\"pass\":{pass}}}\n")
    };
    folder.file(name, (0..60).map(line).collect::<String>())
}

#[test]
fn pairs_are_drawn_by_units() {
    let folder = Folder::new();
    let (one, other) = (documents(&folder, "one.jsonl", 0), documents(&folder, "other.jsonl", 1));
    let (one, other) = (format!("one={one}"), format!("other={other}"));
    let metric = "given:name=pass,scale=0..1,producer=t";
    let base = ["compare", "--numbers", &one, &other, "--id", "id", "-m", metric];
    let with = |more: &[&str]| parsed(&[&base[..], more, &["-f", "json"]].concat());
    let by = with(&["--unit", "document", "--test", "randomization"]);
    let (metric_by, pair) = (&by["metrics"][0], &by["metrics"][0]["pairs"][0]);
    assert_eq!(
        (&by["unit"], &by["segments"], &pair["paired_units"]["units"]),
        (&json!("document"), &json!(60), &json!(12))
    );
    let effect = pair["paired_units"]["design_effect"].as_f64().unwrap();
    assert!((effect - 5.0 * 59.0 / 55.0).abs() < 1e-9, "{effect}");
    // Whole documents are right or wrong, so McNemar's test of documents is the exact one: three on each side.
    assert_eq!(
        (&metric_by["test"], &pair["mcnemar"]),
        (&json!("mcnemar"), &json!({"only_first": 3, "only_second": 3}))
    );
    let by_segments = with(&["--test", "randomization"]);
    assert_eq!(
        by_segments["metrics"][0]["pairs"][0]["mcnemar"],
        json!({"only_first": 15, "only_second": 15})
    );
    assert!(by_segments["unit"].is_null() && by_segments["metrics"][0]["pairs"][0]["paired_units"].is_null());
    // The segments where the systems differ stay segments.
    assert_eq!(metric_by["segments"].as_array().unwrap().len(), 60);
    let text = stdout(&[&base[..], &["--unit", "document"]].concat());
    for words in ["60 segments in 12 document units", "design effect", "these document units show"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let table = stdout(&[&base[..], &["--unit", "document", "--test", "bootstrap", "-f", "csv"]].concat());
    assert!(table.contains(",paired-bootstrap by document,"), "{table}");
    refused(&[&base[..], &["--unit", "nobody"]].concat(), &["nobody"]);
    refused(&[&base[..], &["--unit", "document", "--expect", "100"]].concat(), &["--unpaired"]);
    // Two documents are no evidence.
    let halves: String = (0..60).map(|at| format!("h{}\n", at / 30)).collect();
    let text: String = (0..60).map(|at| format!("word number {at}\n")).collect();
    let (halves, reference) = (folder.file("halves", halves), folder.file("ref", &text));
    let worse = folder.file("worse", text.replace("number 1", "figure 1"));
    let label = format!("half={halves}");
    let few =
        ["compare", &reference, "-i", &reference, &worse, "-m", "bleu", "--label", &label, "--unit", "half"];
    let shown = stdout(&few);
    assert!(
        shown.contains("inconclusive (fewer than 10 units)") && shown.contains("in 2 half units"),
        "{shown}"
    );
    let pair = parsed(&[&few[..], &["-f", "json"]].concat())["metrics"][0]["pairs"][0].clone();
    assert!(pair["p_value"].is_null() && pair["paired_units"]["inconclusive"] == "too-few-units", "{pair}");
}

#[test]
fn one_file_holds_systems_with_their_own_segments() {
    let folder = Folder::new();
    let line = |system: &str, at: usize, pass: u8| {
        format!("{{\"arm\":\"{system}\",\"user\":\"{system}{}\",\"pass\":{pass}}}\n", at / 2)
    };
    let (a, b) = (
        (0..80).map(|at| line("A", at, u8::from(at % 4 != 0))).collect::<String>(),
        (0..60).map(|at| line("B", at, u8::from(at % 3 != 0))).collect::<String>(),
    );
    let (alone, both) =
        ([folder.file("a", &a), folder.file("b", &b)], folder.file("both.jsonl", format!("{a}{b}")));
    let named = [format!("A={}", alone[0]), format!("B={}", alone[1])];
    for file in &alone {
        std::fs::rename(file, format!("{file}.jsonl")).unwrap();
    }
    let named = named.map(|name| format!("{name}.jsonl"));
    let metric = ["-m", "given:name=pass,scale=0..1,producer=t", "--unit", "user", "-f", "json"];
    let of_files =
        parsed(&[&["compare", "--unpaired", "--numbers", &named[0], &named[1]][..], &metric].concat());
    let column = ["compare", "--unpaired", "--numbers", &both, "--system-column", "arm"];
    assert_eq!(parsed(&[&column[..], &metric].concat()), of_files);
    assert_eq!(of_files["segments"], json!([80, 60]));
    refused(
        &[&column[..3], &[&both, "--system-column", "team"], &metric[..2]].concat(),
        &["both.jsonl: line 1", "team"],
    );
    // Numbers beside texts, of segments that each system has alone.
    let record = |system: &str, at: usize, words: &str, mark: f64| {
        format!(
            "{{\"system\":\"{system}\",\"document\":\"{system}{}\",\"hypothesis\":\"{words} {at}\",\"references\":[\"yes {at}\"],\"mark\":{mark}}}\n",
            at / 2
        )
    };
    let (first, second) = (
        (0..40).map(|at| record("A", at, "yes", 0.5 + (at % 3) as f64 / 4.0)).collect::<String>(),
        (0..30).map(|at| record("B", at, "no", 0.25 + (at % 4) as f64 / 8.0)).collect::<String>(),
    );
    // In turns, so that the rows of a system do not stand together.
    let mixed: String = {
        let (mut all, mut other) = (String::new(), second.lines());
        for line in first.lines() {
            all += &format!("{line}\n");
            other.next().into_iter().for_each(|line| all += &format!("{line}\n"));
        }
        all
    };
    let mixed = folder.file("mixed.jsonl", mixed);
    let metrics = ["-m", "wer", "given:name=mark,scale=0..1,producer=t", "--unit", "document", "-f", "json"];
    let found = parsed(&[&["compare", "--unpaired", "--segments", &mixed][..], &metrics].concat());
    let mean = |count: usize, mark: &dyn Fn(usize) -> f64| (0..count).map(mark).sum::<f64>() / count as f64;
    let expected =
        [mean(40, &|at| 0.5 + (at % 3) as f64 / 4.0), mean(30, &|at| 0.25 + (at % 4) as f64 / 8.0)];
    for (system, expected) in expected.into_iter().enumerate() {
        let score = found["metrics"][0]["scores"][system].as_f64().unwrap();
        assert!((score - expected).abs() < 1e-12, "{score} {expected}");
    }
    assert_eq!(found["metrics"][1]["scores"], json!([0.0, 0.5]));
    assert_eq!(
        (&found["segments"], &found["metrics"][0]["arms"][1]["units"]),
        (&json!([40, 30]), &json!(15))
    );
    // From files beside the records: the numbers of each system in a file of its own.
    let lines = |count: usize, mark: &dyn Fn(usize) -> f64| {
        (0..count).map(|at| format!("{}\n", mark(at))).collect::<String>()
    };
    let marks = [
        folder.file("a.n", lines(40, &|at| 0.5 + (at % 3) as f64 / 4.0)),
        folder.file("b.n", lines(30, &|at| 0.25 + (at % 4) as f64 / 8.0)),
    ];
    let given = format!("mark={},{}", marks[0], marks[1]);
    let beside = ["compare", "--unpaired", "--segments", &mixed, "--given", &given];
    assert_eq!(parsed(&[&beside[..], &metrics].concat()), found);
    let one = format!("mark={}", marks[0]);
    refused(&[&beside[..5], &[&one], &metrics[..]].concat(), &["1 were given for 2"]);
    let scores = folder.file("x.seg.score", "A\t1\nB\t0\n");
    let given = format!("mark={scores}");
    refused(
        &["compare", "--unpaired", "--given", &given, "-m", "given:name=mark"],
        &["x.seg.score", "the same segments", "without --unpaired"],
    );
}
