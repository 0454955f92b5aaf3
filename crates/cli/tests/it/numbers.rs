//! Numbers of other programs: lines beside systems, the logs of evaluation programs, and every command.

use std::io::Write as _;

use crate::common::{Folder, bleuprint, compared, parsed, refused, stdout, words};
use serde_json::{Value, json};

/// A log that another program wrote.
fn log(name: &str) -> String {
    format!("{}/../testkit/data/given/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn lm_evaluation_harness() {
    let (a, b) =
        (format!("alpha={}", log("lm-eval-alpha.jsonl")), format!("beta={}", log("lm-eval-beta.jsonl")));
    let with = |filter: &str| {
        let metric = "given:name=exact_match,scale=0..1";
        compared(&words(&format!("--numbers {a} {b} --id doc_id --where filter={filter} -m {metric}")))
    };
    assert_eq!((with("strict-match"), with("flexible-extract")), ([1.0, 0.5], [0.75, 0.5]));
    // It writes a line for each document and filter.
    let metric = ["-m", "given:name=exact_match"];
    let all = ["score", "--numbers", &a, "--id", "doc_id"];
    refused(
        &[&all[..], &metric].concat(),
        &["lm-eval-alpha.jsonl: line 5", "the id `0` comes twice", "--where"],
    );
    refused(
        &[&all[..], &["--where", "filter=none"], &metric].concat(),
        &["no record of system alpha with filter=none"],
    );
}

#[test]
fn inspect_ai() {
    let (a, b) = (log("inspect-alpha.json"), log("inspect-beta.json"));
    let metric = "given:name=match,column=scores.match.value,map=C=1/P=0.5/I=0/N=0,scale=0..1";
    let (one, other) = (format!("alpha={a}"), format!("beta={b}"));
    let scores =
        compared(&["--numbers", &one, &other, "--records", "samples", "--id", "id,epoch", "-m", metric]);
    // As the program itself says.
    let accuracy = [a, b].map(|file| {
        let document: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        document["results"]["scores"][0]["metrics"]["accuracy"]["value"].as_f64().unwrap()
    });
    assert_eq!((scores, accuracy), ([0.75, 0.5], [0.75, 0.5]));
    // The columns of the id are labels.
    let by = ["score", "-q", "--numbers", &one, "--records", "samples", "--id", "id,epoch", "--by", "epoch"];
    let groups = parsed(&[&by[..], &["-m", metric, "-f", "json"]].concat());
    assert_eq!(groups[0]["systems"][0]["scores"][0]["score"], 1.0);
    assert_eq!(groups[1]["systems"][0]["scores"][0]["score"], 0.5);
    refused(
        &words(&format!(
            "score --numbers {one} --records samples -m given:name=match,column=scores.match.value"
        )),
        &["inspect-alpha.json: line", "scores.match.value: `C` is no number"],
    );
}

#[test]
fn mlflow() {
    let (a, b) = (format!("alpha={}", log("mlflow-alpha.json")), format!("beta={}", log("mlflow-beta.json")));
    let metric = "given:name=closeness,column=closeness/score,producer=mlflow 3.17.2";
    let scores = compared(&["--numbers", &a, &b, "--id", "inputs", "-m", metric]);
    // The program writes ten digits.
    assert_eq!(scores, [1.0, (2.5 + 0.333_333_333_3) / 4.0]);
}

/// By the program's documentation: `promptfoo eval --output r.jsonl`, and the same in a document.
#[test]
fn promptfoo() {
    let record = |test: u32, prompt: u32, graded: Option<bool>| {
        json!({
            "testIdx": test, "promptIdx": prompt, "success": graded, "score": 0, "namedScores": {"tone": 0.5},
            "gradingResult": graded.map(|pass| json!({"pass": pass, "score": 1, "componentResults": [{"pass": pass}]})),
            "error": if graded.is_some() { Value::Null } else { "timeout".into() },
        })
    };
    let records = [
        record(0, 0, Some(true)),
        record(0, 1, Some(true)),
        record(1, 0, Some(true)),
        record(1, 1, None),
        record(2, 1, Some(false)),
        record(2, 0, Some(false)),
    ];
    let folder = Folder::new();
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    let lines = folder.file("r.jsonl", lines);
    let document = folder.file("r.json", json!({"results": {"results": records}}).to_string());
    let metric = "given:name=pass,column=success,scale=0..1,missing=worst";
    let columns = ["--system-column", "promptIdx", "--id", "testIdx", "-m", metric];
    let scores = compared(&[&["--numbers", &lines][..], &columns].concat());
    assert_eq!(scores, [2.0 / 3.0, 1.0 / 3.0]);
    let of_document = ["--numbers", &document, "--records", "results.results"];
    assert_eq!(compared(&[&of_document[..], &columns].concat()), scores);
    refused(
        &["score", "--numbers", &document, "--records", "results.rows", "-m", metric],
        &["r.json: the document has no array `results.rows`"],
    );
}

/// By the documentation of these programs.
#[test]
fn other_programs() {
    let folder = Folder::new();
    let scores = |arguments: &[&str]| -> f64 {
        let document = parsed(&[&["score", "-q", "-f", "json"], arguments].concat());
        document["score"].as_f64().unwrap()
    };
    // HELM: display_predictions.json.
    let instance = |id: &str, trial: u32, score: f64| json!({"instance_id": id, "train_trial_index": trial, "stats": {"exact_match": score, "quasi": 1}});
    let helm = json!([instance("id1", 0, 1.0), instance("id1", 1, 0.0), instance("id2", 0, 1.0)]);
    let helm = folder.file("display_predictions.json", helm.to_string());
    let metric = "given:name=em,column=stats.exact_match";
    assert_eq!(
        scores(&["--numbers", &helm, "--id", "instance_id,train_trial_index", "-m", metric]),
        2.0 / 3.0
    );
    // COMET: comet-score --to_json, a list of each system.
    let comet = json!({"a.txt": [{"src": "x", "COMET": 0.5}, {"src": "y", "COMET": 0.25}], "b.txt": []});
    let comet = folder.file("comet.json", comet.to_string());
    assert_eq!(
        scores(&["--numbers", &comet, "--records", "a.txt", "-m", "given:name=comet,column=COMET"]),
        0.375
    );
    // Langfuse: the scores of its API. Phoenix: annotations.
    let score = |name: &str, trace: &str, value: f64| json!({"name": name, "traceId": trace, "value": value});
    let langfuse = json!({"data": [score("relevance", "t1", 0.5), score("tone", "t1", 0.0), score("relevance", "t2", 1.0)]});
    let langfuse = folder.file("scores.json", langfuse.to_string());
    let columns = ["--where", "name=relevance", "--id", "traceId", "-m", "given:name=relevance,column=value"];
    assert_eq!(scores(&[&["--numbers", &langfuse, "--records", "data"][..], &columns].concat()), 0.75);
    let phoenix = "{\"name\":\"q\",\"annotator_kind\":\"LLM\",\"result\":{\"score\":0.5,\"label\":\"ok\"}}\n";
    let phoenix = folder.file("phoenix.jsonl", phoenix);
    let metric = "given:name=q,column=result.score";
    assert_eq!(scores(&["--numbers", &phoenix, "--where", "annotator_kind=LLM", "-m", metric]), 0.5);
}

#[test]
fn forms_of_one_data() {
    let folder = Folder::new();
    let rows = [("3", 0.25), ("1", 1.0), ("10", 0.125), ("2", 0.75)];
    let object =
        |(id, score): &(&str, f64)| json!({"id": id, "s": {"judge": score}, "s.judge": score, "other": [1]});
    let cells = |between: char| {
        let row = |(id, score): &(&str, f64)| format!("{id}{between}{score}\n");
        format!("id{between}s.judge\n{}", rows.iter().map(row).collect::<String>())
    };
    let lines: String = rows.iter().map(|row| format!("{}\n", object(row))).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(lines.as_bytes()).unwrap();
    let table: Vec<_> = rows.iter().map(|(id, score)| json!([score, id])).collect();
    let files = [
        folder.file("a.jsonl", &lines),
        folder
            .file("shuffled.jsonl", lines.lines().rev().map(|line| format!("{line}\n")).collect::<String>()),
        folder.file("a.json", json!(rows.iter().map(object).collect::<Vec<_>>()).to_string()),
        folder.file("lines.json", &lines),
        folder.file("table.json", json!({"columns": ["s.judge", "id"], "data": table}).to_string()),
        folder.file("a.csv", cells(',')),
        folder.file("a.tsv", cells('\t')),
        folder.file("a.jsonl.gz", packed.finish().unwrap()),
    ];
    let statistics = |file: &String| {
        let (named, place) = (format!("sys={file}"), folder.path("out.stats"));
        let metric = "given:name=judge,column=s.judge,scale=0..1,producer=judge-7b, v2";
        let metric = metric.replace(", ", "%2C ");
        stdout(&["stats", "--numbers", &named, "--id", "id", "-m", &metric, "-o", &place, "--overwrite"]);
        std::fs::read_to_string(place).unwrap()
    };
    let all: Vec<String> = files.iter().map(statistics).collect();
    assert!(all[0].contains("producer=judge-7b%2C v2"), "{}", all[0]);
    for (file, statistics) in files.iter().zip(&all) {
        assert_eq!(statistics, &all[0], "{file}");
    }
}

#[test]
fn bad_input_is_named() {
    let folder = Folder::new();
    let metric = ["-m", "given:name=n,scale=0..1,producer=t"];
    let good = folder.file("good", "1\n0\n1\n");
    for (name, content, words) in [
        ("inf", "1\ninf\n0\n", &["inf: line 2: `inf` is no number"][..]),
        ("huge", "1\n0\n1e400\n", &["huge: line 3: `1e400` is more than a number holds"]),
        ("scale", "1\n0\n1.5\n", &["scale: line 3: n is 1.5, but must be from 0 to 1"]),
        ("two", "1\n0 1\n1\n", &["two: line 2: `0 1` is no number"]),
        ("comma", "1\n0,5\n1\n", &["comma: line 2: `0,5` is no number"]),
        ("word", "1\nPASS\n1\n", &["word: line 2: `PASS` is no number"]),
        ("short", "1\n0\n", &["short has 2 segments, but the corpus has 3"]),
    ] {
        let given = format!("n={good},{}", folder.file(name, content));
        refused(&[&["compare", "--given", &given][..], &metric].concat(), words);
    }
    for (name, content, words) in [
        (
            "cut.jsonl",
            "{\"n\": 1}\n{\"n\": 0, \"m\n",
            &["cut.jsonl: line 2: JSON: EOF while parsing a string"][..],
        ),
        ("cut.json", "[{\"n\": 1},\n {\"n\": 0}", &["cut.json: line", "JSON: EOF while parsing a list"]),
        ("list.jsonl", "{\"n\": 1}\n[1]\n", &["list.jsonl: line 2: a record is an object"]),
        (
            "inf.jsonl",
            "{\"n\": 1}\n{\"n\": -Infinity}\n",
            &["inf.jsonl: line 2: n: `-Infinity` is no number"],
        ),
        ("huge.jsonl", "{\"n\": 1e400}\n", &["huge.jsonl: line 1: JSON: number out of range"]),
        ("list.json", "[{\"n\": 1},\n{\"n\": [1]}]", &["list.json: line 2: n: `[1]` is no number"]),
        (
            "rows.json",
            "{\"columns\": [\"n\"], \"data\": [[1],\n[1, 2]]}",
            &["rows.json: line 2: a row of `data`"],
        ),
        ("cut.csv", "id,n\n1,1\n2\n", &["cut.csv: line 3: 1 column, but the header has 2"]),
        ("twice.csv", "n,n\n1,1\n", &["twice.csv: line 1: more than one column `n`"]),
        ("empty.csv", "", &["empty.csv: empty"]),
        ("empty.jsonl", "", &["no record of system"]),
        ("absent.jsonl", "{\"m\": 1}\n", &["absent.jsonl: line 1: n has no number here"]),
    ] {
        let file = folder.file(name, content);
        refused(&[&["score", "--numbers", &file][..], &metric].concat(), words);
    }
    let (text, file) = (folder.file("text", "a\nb\nc\n"), folder.file("n.csv", "n,id\n1,a\n1,a\n"));
    for (arguments, words) in [
        (&["score", "-m", "given:name=n"][..], &["given looks at numbers: give n by --given"][..]),
        (&["score", "-m", "given"], &["name is ``"]),
        (&["score", "-m", "bleu", "--numbers", &file], &["bleu", "but only numbers or vectors are given"]),
        (&["score", &text, "-i", &text, "--given", &format!("m={good}")], &["-m given:name=m does"]),
        (
            &["score", "--numbers", &file, "-m", "given:name=n", "--given", &format!("n={good}")],
            &["--given stands"],
        ),
        (
            &["score", "--numbers", &file, "--id", "id", "-m", "given:name=n"],
            &["n.csv: line 3: the id `a` comes twice"],
        ),
        (&["score", "--given", "n", "-m", "given:name=n"], &["--given n: expected NAME=FILE,.."]),
        (
            &["score", "--numbers", &file, "--where", "x", "-m", "given:name=n"],
            &["--where x: expected COLUMN=VALUE"],
        ),
        (&["score", "--numbers", &file, "--where", "x=1", "-m", "given:name=n"], &["no column `x`"]),
        (
            &words(&format!("score {text} -i {text} --given n={good} -m given:name=n,tokenize=char")),
            &["takes no tokenizer"],
        ),
        (&["self", &text, "-m", "given:name=n"], &["given looks at numbers or vectors, but text is given"]),
    ] {
        refused(arguments, words);
    }
}

#[test]
fn gate_report_and_files() {
    let folder = Folder::new();
    let record =
        |id: usize, score: f64| format!("{{\"id\":{id},\"comet\":{score},\"domain\":\"d{}\"}}\n", id % 2);
    let lines =
        |shift: f64| (0..60).map(|id| record(id, shift + (id * 7 % 10) as f64 / 20.0)).collect::<String>();
    let (old, new) = (folder.file("old.jsonl", lines(0.5)), folder.file("new.jsonl", lines(0.25)));
    let stats = |file: &str, place: &str, producer: &str| {
        let (named, place) = (format!("sys={file}"), folder.path(place));
        let metric = format!("given:name=comet,scale=0..1,producer={producer}");
        let more = ["--id", "id", "--label", "domain=domain", "-o", &place, "-m", &metric];
        stdout(&[&["stats", "--numbers", &named][..], &more].concat());
        place
    };
    let (base, other) = (stats(&old, "base.stats", "COMET 2"), stats(&new, "other.stats", "COMET 3"));
    let same = stats(&new, "same.stats", "COMET 2");
    let policy = |drop: &str| {
        let metric = "metric = \"given:name=comet,scale=0..1,producer=COMET 2\"";
        let rule = format!("[[rule]]\nname = \"marks\"\n{metric}\nmax-drop = {drop}\n");
        folder.file(
            "policy.toml",
            format!("format = \"bleuprint-gate/1\"\nbaseline = \"base.stats\"\n\n{rule}"),
        )
    };
    let judge = |drop: &str| {
        let policy = policy(drop);
        bleuprint(&["gate", "--policy", &policy, "--numbers", &format!("sys={new}"), "--id", "id"])
    };
    let (failed, passed) = (judge("0.1"), judge("0.3"));
    let text = String::from_utf8_lossy(&failed.stdout).into_owned();
    assert_eq!((failed.status.code(), passed.status.code()), (Some(1), Some(0)), "{text}");
    assert!(text.contains("drop 0.2500 of comet"), "{text}");
    assert!(text.contains("given|name:comet|better:higher|scale:0..1|producer:COMET 2|version:"), "{text}");
    refused(&["compare", "--stats", &base, &other], &["they differ in producer"]);
    assert_eq!(compared(&["--stats", &base, &same, "--by", "domain"])[0], 0.725);
    let shown = stdout(&["show", &base, "-f", "text"]);
    assert!(shown.contains("= 0.725"), "{shown}");
    refused(&["merge", &base, &base, "-o", &folder.path("twice.stats")], &["would count twice"]);
    let page = folder.path("page.html");
    stdout(&["report", "--stats", &base, &same, "-o", &page]);
    assert!(std::fs::read_to_string(&page).unwrap().contains("comet"), "the page names the number");
}

#[test]
fn texts_and_numbers_together() {
    let folder = Folder::new();
    let (reference, a, b) = (
        folder.file("ref", "the cat sat on the mat\nit rained all day\n"),
        folder.file("a", "the cat sat on the mat\nit rained\n"),
        folder.file("b", "a cat sat\nit rained all day\n"),
    );
    let given = format!("comet={},{}", folder.file("a.n", "0.5\n0.25\n"), folder.file("b.n", "0.75\n1\n"));
    let metrics = ["-m", "chrf", "given:name=comet,producer=t", "wer"];
    let lines =
        [&["score", &reference, "-i", &a, &b, "--given", &given, "-f", "json"][..], &metrics].concat();
    let scores = |document: &Value, system: usize| {
        let scores = document[system]["scores"].as_array().unwrap();
        scores
            .iter()
            .map(|score| (score["name"].clone(), score["score"].as_f64().unwrap()))
            .collect::<Vec<_>>()
    };
    let document = parsed(&lines);
    let names: Vec<Value> = scores(&document, 0).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["chrF2", "comet", "WER"]);
    assert_eq!((scores(&document, 0)[1].1, scores(&document, 1)[1].1), (0.375, 0.875));
    // The other metrics score what they score alone.
    let alone = parsed(&["score", &reference, "-i", &a, &b, "-f", "json", "-m", "chrf", "wer"]);
    assert_eq!(scores(&document, 1)[0], scores(&alone, 1)[0]);
    assert_eq!(scores(&document, 1)[2], scores(&alone, 1)[1]);
    let row = |system: &str, hypothesis: &str, comet: &str| {
        format!(
            "{{\"system\":\"{system}\",\"hypothesis\":\"{hypothesis}\",\"reference\":\"it rained\",\"comet\":{comet}}}\n"
        )
    };
    let records =
        [row("A", "it rained", "0.5"), row("B", "rain", "1"), row("A", "it", "null"), row("B", "it", "0")];
    let records = folder.file("all.jsonl", records.concat());
    let metrics = ["-m", "chrf", "given:name=comet,producer=t,missing=skip"];
    let document = parsed(&[&["score", "-q", "--segments", &records, "-f", "json"][..], &metrics].concat());
    assert_eq!((scores(&document, 0)[1].1, scores(&document, 1)[1].1), (0.5, 0.5));
    let each = stdout(
        &[
            &["score", "-sl", &reference, "-i", &a, "--given", &format!("comet={}", folder.path("a.n"))][..],
            &["-m", "given:name=comet,producer=t"],
        ]
        .concat(),
    );
    assert_eq!(each.lines().count(), 2, "{each}");
    // A file of mt-metrics-eval names its systems, and writes None for what is missing.
    let marks = folder.file("x.seg.score", "B\t0.5\nB\tNone\nA\t1\nA\t0.25\n");
    let given = format!("comet={marks}");
    let document =
        parsed(&["score", "-q", "--given", &given, "-f", "json", "-m", "given:name=comet,missing=skip"]);
    assert_eq!((document[0]["system"].clone(), scores(&document, 0)[0].1), (json!("B"), 0.5));
}
