//! What one command knows of its segments, every command knows: the unit, the ids, the labels, the options that took
//! effect, and what was left out, for a metric of each kind of data.

use bleuprint::contract::ViewKind;
use bleuprint::eval::TokenRequest;
use bleuprint::eval::evaluation::Run;
use bleuprint_requests::CountedFiles;
use bleuprint_requests::data::Reading;
use bleuprint_requests::request::{CountingRequest, FileForm, MetricChoice, Sources, VectorsRequest};
use serde_json::{Value, json};

use crate::common::{Folder, bleuprint, commands_of_help, parsed, refused, stdout};
use crate::examples::{Example, examples_of_kinds};

/// Number of segments, two of each document.
const SEGMENTS: usize = 24;

/// Metrics of the views without a family: tokens, text and ids of tokens.
const VIEWS: [(&str, [&str; 2]); 3] = [
    (
        "bleu:lowercase=yes",
        [
            r#"{"hypothesis": "a b c d e", "reference": "a b c d"}"#,
            r#"{"hypothesis": "A b c d", "reference": "a b c d"}"#,
        ],
    ),
    (
        "chrf",
        [r#"{"hypothesis": "cat", "reference": "cats"}"#, r#"{"hypothesis": "dog", "reference": "dog"}"#],
    ),
    (
        "wer:tokenize=char",
        [r#"{"hypothesis": "cat", "reference": "cats"}"#, r#"{"hypothesis": "dog", "reference": "dog"}"#],
    ),
];

/// Every command of the program: what it does with the facts of segments.
const COMMANDS: &[(&str, CommandKind)] = &[
    ("score", CommandKind::Checked),
    ("compare", CommandKind::Checked),
    ("stats", CommandKind::Checked),
    ("merge", CommandKind::Checked),
    ("subtract", CommandKind::Checked),
    ("report", CommandKind::Checked),
    ("gate", CommandKind::Checked),
    ("track", CommandKind::Checked),
    ("show", CommandKind::Other("one score of all segments")),
    ("verify", CommandKind::Other("one score of all segments")),
    ("explain", CommandKind::Other("one score of all segments")),
    ("mbr", CommandKind::Other("candidates of one segment at a time")),
    ("self", CommandKind::Other("one score of all segments")),
    ("align", CommandKind::Other("words of one segment at a time")),
    ("meta", CommandKind::Other("its own segments and systems, which ratings name")),
    ("turns", CommandKind::Other("a conversion")),
    ("transcripts", CommandKind::Other("reports of sclite and a conversion")),
    ("normalize", CommandKind::Other("texts")),
    ("tokenize", CommandKind::Other("texts")),
    ("resegment", CommandKind::Other("texts")),
    ("dialects", CommandKind::Other("no segments")),
    ("list", CommandKind::Other("no segments")),
    ("cite", CommandKind::Other("no segments")),
    ("completions", CommandKind::Other("no segments")),
    ("man", CommandKind::Other("no segments")),
    ("help", CommandKind::Other("no segments")),
];

enum CommandKind {
    /// The tests below ask it for the facts.
    Checked,
    /// The reason why facts of segments have no place there.
    Other(&'static str),
}

/// Two systems over the same segments, as files of records in two orders, or as vectors with a file of labels.
struct KnownSegments {
    folder: Folder,
    metric: String,
    /// The arguments that read each system.
    systems: [Vec<String>; 2],
    has_ids: bool,
}

impl KnownSegments {
    fn from_example(example: &Example) -> Self {
        let records = [example.record.clone(), example.other_record()];
        if example.built.view.kind == ViewKind::Vectors {
            return KnownSegments::from_vectors(example, &records);
        }
        KnownSegments::from_records(&example.metric, &records)
    }

    fn from_vectors(example: &Example, records: &[Value; 2]) -> Self {
        let folder = Folder::new();
        let records: Vec<Value> = (0..SEGMENTS).map(|at| records[(at + at / 7) % 2].clone()).collect();
        let labels: String = (0..SEGMENTS).map(|at| format!("d{}\n", at / 2)).collect();
        let label = format!("document={}", folder.file("documents", labels));
        let input = example.input(&folder, &records);
        let system = |system: &str| {
            let mut words = input.clone();
            words[1] = format!("{system}={}", words[1]);
            words.extend(["--label".to_owned(), label.clone()]);
            words
        };
        let systems = ["A", "B"].map(system);
        KnownSegments { folder, metric: example.metric.clone(), systems, has_ids: false }
    }

    fn from_records(metric: &str, records: &[Value; 2]) -> Self {
        let folder = Folder::new();
        let line = |system: &str, at: usize| {
            let mut record = records[(at + at / 7) % 2].clone();
            record["id"] = format!("s{at}").into();
            record["document"] = format!("d{}", at / 2).into();
            record["system"] = system.into();
            format!("{record}\n")
        };
        let one: String = (0..SEGMENTS).map(|at| line("A", at)).collect();
        let two: String = (0..SEGMENTS).rev().map(|at| line("B", at)).collect();
        let files = [folder.file("a.jsonl", one), folder.file("b.jsonl", two)];
        let systems = files.map(|file| vec!["--segments".to_owned(), file]);
        KnownSegments { folder, metric: metric.to_owned(), systems, has_ids: true }
    }

    /// Returns the arguments of a command over one system.
    fn over<'a>(&'a self, system: usize, before: &[&'a str], after: &[&'a str]) -> Vec<&'a str> {
        let data = self.systems[system].iter().map(String::as_str);
        before.iter().copied().chain(data).chain(after.iter().copied()).collect()
    }

    /// Returns the files of the first system for a program without a command line, and its files of labels.
    fn sources(&self) -> (Sources, Vec<String>) {
        match &self.systems[0][..] {
            [_, records] => (Sources { records: Some(records.clone()), ..Sources::default() }, Vec::new()),
            [_, vectors, _, references, _, label] => {
                let (system, file) = vectors.split_once('=').unwrap();
                let systems = vec![(Some(system.to_owned()), file.to_owned())];
                let vectors = VectorsRequest { systems, references: vec![references.clone()] };
                (Sources { vectors, ..Sources::default() }, vec![label.clone()])
            }
            other => panic!("{other:?}"),
        }
    }

    fn statistics(&self, system: usize, name: &str) -> String {
        let file = self.folder.path(name);
        stdout(&self.over(system, &["stats", "-q"], &["-m", &self.metric, "-o", &file]));
        file
    }
}

fn header(file: &str) -> Value {
    let text = std::fs::read_to_string(file).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

/// Returns the signature without the fields of a test.
fn plain(signature: &str) -> String {
    let test = ["bs:", "seed:", "drawn:"];
    signature
        .split('|')
        .filter(|field| !test.iter().any(|test| field.starts_with(test)))
        .collect::<Vec<_>>()
        .join("|")
}

#[test]
fn every_command_is_checked_or_has_a_reason() {
    let commands = commands_of_help();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    assert!(commands.len() > 10, "{commands:?}");
    for command in &commands {
        assert!(
            COMMANDS.iter().any(|(name, _)| name == command),
            "{command}: what does it do with units and ids?"
        );
    }
    // A reason is for commands that neither draw nor pair segments.
    for (command, kind) in COMMANDS.iter().filter(|(name, _)| commands.contains(name) && *name != "help") {
        let help = stdout(&[command, "--help"]);
        let draws = ["--unit", "--resamples", "--confidence"].iter().any(|option| help.contains(option));
        match kind {
            CommandKind::Checked => {}
            CommandKind::Other(reason) => {
                assert!(!draws || *command == "meta", "{command} is {reason}, but draws")
            }
        }
    }
}

#[test]
fn a_metric_of_each_kind_of_data_carries_its_facts_through_every_command() {
    for (metric, records) in VIEWS {
        let records = records.map(|record| serde_json::from_str(record).unwrap());
        carries_its_facts(&KnownSegments::from_records(metric, &records), true);
    }
    // Records of numbers have options of their own, and metrics of two passes learn from all segments of a file: both are tested
    // below and in other files.
    let carried = |example: &Example| example.built.view.kind != ViewKind::Numbers && !example.learns();
    let kinds: Vec<Example> = examples_of_kinds().into_iter().filter(carried).collect();
    for example in &kinds {
        carries_its_facts(&KnownSegments::from_example(example), example.is_row());
    }
}

fn carries_its_facts(known: &KnownSegments, is_row: bool) {
    of_library(known);
    let files = [known.statistics(0, "a.stats"), known.statistics(1, "b.stats")];
    of_files(known, &files);
    of_comparisons(known, &files);
    of_gate_and_report(known, &files);
    // A ledger keeps rows of counts.
    if is_row {
        of_event(known);
    }
}

fn of_library(known: &KnownSegments) {
    let (sources, labels) = known.sources();
    let metrics = MetricChoice { names: vec![known.metric.clone()], given: true, ..MetricChoice::default() };
    let request = CountingRequest { sources, metrics, ..CountingRequest::default() };
    let reading = Reading { labels, ..Reading::default() };
    let read = CountedFiles::new(|| Ok(request), &reading, &bleuprint::families()).unwrap();
    assert_eq!(read.run.unit(), Some("document"), "{}", known.metric);
    assert_eq!(read.run.facts().ids == ["id"], known.has_ids, "{}", known.metric);
    assert_eq!(read.run.labels.values_of("document").unwrap()[3], "d1");
    let note = read.run.unit_note().unwrap().unwrap();
    assert_eq!(note, "24 segments are drawn in 12 document units");
}

fn of_files(known: &KnownSegments, files: &[String; 2]) {
    let KnownSegments { folder, metric, .. } = known;
    for file in files {
        assert_eq!(header(file)["unit"], "document", "{metric}");
    }
    let read = Run::read(&bleuprint::registry(), files).unwrap();
    assert_eq!(
        (read.unit(), read.systems()),
        (Some("document"), &["A".to_owned(), "B".to_owned()][..]),
        "{metric}"
    );
    // The second file has the segments in another order, unless they have no ids.
    let [one, two] = [0, 1].map(|system| {
        let scores = read.sentence_scores(0, system).into_iter();
        scores.map(|score| score.map(|score| score.value()).unwrap_or(f64::NAN).to_bits()).collect::<Vec<_>>()
    });
    assert_eq!(one, two, "{metric}");
    let all = folder.path("all.stats");
    if known.has_ids {
        let text = std::fs::read_to_string(known.systems[0][1].as_str()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let shard = |name: &str, lines: &[&str]| {
            let records = folder.file(&format!("{name}.jsonl"), lines.join("\n"));
            let file = folder.path(&format!("{name}.stats"));
            stdout(&["stats", "-q", "--segments", &records, "-m", metric, "-o", &file]);
            file
        };
        // Tables of first passes differ between shards, which is refused before ids are compared.
        let (first, second) = (shard("first", &lines[..13]), shard("second", &lines[12..]));
        refused(&["merge", &first, &second, "-o", &all], &["the id `s12`"]);
        let second = shard("rest", &lines[13..]);
        stdout(&["merge", &first, &second, "-o", &all]);
        assert_eq!(header(&all)["unit"], "document", "{metric}");
        let rest = folder.path("subtracted.stats");
        stdout(&["subtract", &all, &second, "-o", &rest]);
        assert_eq!(header(&rest)["unit"], "document", "{metric}");
    }
    let total = folder.path("total.stats");
    stdout(&known.over(0, &["stats", "-q", "--total"], &["-m", metric, "-o", &total]));
    assert_eq!(header(&total)["unit"], "document", "{metric}");
}

fn of_comparisons(known: &KnownSegments, files: &[String; 2]) {
    let metric = &*known.metric;
    let [one, two] = files;
    let compared = parsed(&["compare", "--stats", one, two, "-f", "json"]);
    assert_eq!(
        (&compared["unit"], &compared["metrics"][0]["unit"]),
        (&json!("document"), &json!("document")),
        "{metric}"
    );
    let pair = &compared["metrics"][0]["pairs"][0];
    assert_eq!((&pair["difference"], &pair["paired_units"]["units"]), (&json!(0.0), &json!(12)), "{metric}");
    let single = parsed(&["compare", "--stats", one, two, "-f", "json", "--unit", "segment"]);
    assert_eq!(
        (&single["unit"], &single["metrics"][0]["pairs"][0]["paired_units"]),
        (&Value::Null, &Value::Null)
    );
    // An unpaired test needs counts, and no segment has two sides.
    let apart = bleuprint(&["compare", "--unpaired", "-q", "--stats", one, two, "-f", "json"]);
    if apart.status.success() {
        let apart: Value = serde_json::from_slice(&apart.stdout).unwrap();
        assert_eq!(apart["unit"], "document", "{metric}");
        assert_eq!(apart["metrics"][0]["arms"][0]["units"], 12, "{metric}");
    }
    let signature = header(one)["metrics"][0]["signature"].as_str().unwrap().to_owned();
    let tested = |arguments: &[&str]| {
        let output = bleuprint(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("24 segments are drawn in 12 document units"), "{arguments:?}: {message}");
        let scores: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = scores.to_string();
        let at = found.find("drawn:document").unwrap_or_else(|| panic!("{metric}: {found}"));
        let start = found[..at].rfind('"').unwrap() + 1;
        found[start..].split('"').next().unwrap().to_owned()
    };
    let interval = tested(&["score", "--stats", one, "--confidence", "-f", "json"]);
    assert!(signature.ends_with(&plain(&interval)), "{metric}: {interval}");
    tested(&["score", "--stats", one, two, "--paired-bs", "-f", "json"]);
    tested(&known.over(0, &["score", "--confidence", "-f", "json"], &["-m", metric]));
}

fn of_gate_and_report(known: &KnownSegments, files: &[String; 2]) {
    let KnownSegments { folder, metric, .. } = known;
    let signature = &header(&files[0])["metrics"][0]["signature"];
    let rule = format!("[[rule]]\nmetric = \"{metric}\"\nmax-drop = 0.0\n");
    let policy =
        folder.file("gate.toml", format!("format = \"bleuprint-gate/1\"\nbaseline = \"a.stats\"\n{rule}"));
    let verdict = folder.path("verdict.json");
    let judged = stdout(&known.over(1, &["gate", "--policy", &policy, "--json", &verdict], &[]));
    assert!(judged.starts_with("PASS"), "{metric}: {judged}");
    let verdict: Value = serde_json::from_str(&std::fs::read_to_string(&verdict).unwrap()).unwrap();
    let rule = &verdict["rules"][0];
    assert_eq!((&rule["unit"], &rule["groups"][0]["units"]), (&json!("document"), &json!(12)), "{metric}");
    assert_eq!(&rule["signature"], signature, "{metric}");
    let page = parsed(&["report", "-q", "--stats", &files[0], &files[1], "-f", "json", "-o", "-"]);
    assert_eq!(
        (&page["unit"], page["units"].as_array().unwrap().len()),
        (&json!("document"), SEGMENTS),
        "{metric}"
    );
    assert!(
        page["test"].as_str().unwrap().contains("24 segments are drawn in 12 document units"),
        "{metric}"
    );
    assert_eq!(&page["metrics"][0]["signature"], signature, "{metric}");
    let of_data = known.over(0, &["report", "-q", "-f", "json", "-o", "-"], &["-m", metric]);
    assert_eq!(parsed(&of_data)["unit"], "document", "{metric}");
}

fn of_event(known: &KnownSegments) {
    let KnownSegments { folder, metric: row, .. } = known;
    let (event, ledger) = (folder.path("event"), folder.path("live.db"));
    let key = ["--total", "--event", "KEY", "--stream", "s", "--time", "2026-11-01T00:00:00Z"];
    let arguments = [&known.over(0, &["stats", "-q"], &["-m", row, "-o", &event])[..], &key[..]].concat();
    stdout(&arguments);
    let line: Value = serde_json::from_str(&std::fs::read_to_string(&event).unwrap()).unwrap();
    assert_eq!(line["unit"], "document", "{row}");
    // The ledger keeps the unit, so the event that is added again is the same one.
    let add = ["track", "add", &ledger, &event, "--now", "2026-12-01T00:00:00Z"];
    stdout(&add);
    assert!(stdout(&add).contains("1 was there already"), "{row}");
    assert_eq!(bleuprint(&["track", "verify", &ledger]).status.code(), Some(0), "{row}");
}

#[test]
fn samples_of_one_item_are_one_unit_from_logs_and_from_records() {
    let folder = Folder::new();
    let passed = |system: usize, item: usize| {
        if system == 0 { item < 10 } else { (3..10).contains(&item) || item == 12 }
    };
    let log = |system: usize| {
        let line =
            |item: usize| format!("{{\"task_id\": \"T/{item}\", \"passed\": {}}}\n", passed(system, item));
        let lines: String = (0..15).map(|item| line(item).repeat(20)).collect();
        folder.file(&format!("{system}_results.jsonl"), lines)
    };
    let records = |system: usize| {
        let line = |item: usize, epoch: usize| {
            format!("{{\"question\": {item}, \"epoch\": {epoch}, \"passed\": {}}}\n", passed(system, item))
        };
        let lines: String = (0..15).flat_map(|item| (0..20).map(move |epoch| line(item, epoch))).collect();
        folder.file(&format!("{system}.jsonl"), lines)
    };
    let metric = "given:name=passed,scale=0..1,producer=p";
    let logs = [format!("A={}", log(0)), format!("B={}", log(1))];
    let numbers = [format!("A={}", records(0)), format!("B={}", records(1))];
    let from = ["--from", "human-eval"];
    let columns = ["--id", "question,epoch"];
    let inputs = [
        ([&from[..], &[&logs[0], &logs[1]]].concat(), [&from[..], &[&logs[0]]].concat()),
        (
            [&["--numbers", &numbers[0], &numbers[1]][..], &columns[..]].concat(),
            [&["--numbers", &numbers[0]][..], &columns[..]].concat(),
        ),
    ];
    for (both, one) in inputs {
        let compared = parsed(&[&["compare", "-f", "json", "-q"], &both[..], &["-m", metric]].concat());
        let pair = &compared["metrics"][0]["pairs"][0];
        // Of 15 items, 3 are right in the first system alone and 1 in the second.
        assert_eq!((&compared["unit"], &pair["paired_units"]["units"]), (&json!("item"), &json!(15)));
        assert!((pair["p_value"].as_f64().unwrap() - 0.625).abs() < 1e-12, "{pair}");
        let file = folder.path(&format!("{}.stats", one[0].trim_start_matches('-')));
        stdout(&[&["stats", "-q"], &one[..], &["-m", metric, "-o", &file]].concat());
        assert_eq!(header(&file)["unit"], "item");
    }
}

#[test]
fn what_a_reader_leaves_out_is_counted_at_every_command() {
    let folder = Folder::new();
    let reference = folder.file("ref.stm", "s1 1 A 0 2 a b\ns2 1 A 0 2 c d\ns3 1 A 0 2 e\n");
    let system = folder.file("sys.stm", "s1 1 A 0 2 a b\ns3 1 A 0 2 f\n");
    let read = [&*reference, "-i", &system, "--speakers", "--missing-sessions", "skip"];
    let said = "1 of 3 sessions are left out";
    let over = |before: &[&'static str], after: &[&str]| {
        let arguments =
            [before, &read[..], after].concat().iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        bleuprint(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let metric = ["-m", "cpwer"];
    for before in [&["score"][..], &["score", "--confidence"], &["compare", "--most", "1"]] {
        let message = String::from_utf8(over(before, &metric).stderr).unwrap();
        assert!(message.contains(said), "{before:?}: {message}");
    }
    let file = folder.path("a.stats");
    assert!(over(&["stats"], &["-m", "cpwer", "-o", &file]).status.success());
    let left_out = &header(&file)["left_out"][0];
    assert_eq!((&left_out["count"], &left_out["of"]), (&json!(1), &json!(3)));
    let stored = bleuprint(&["score", "--stats", &file]);
    assert!(String::from_utf8(stored.stderr).unwrap().contains(said));
    let page = parsed(&["report", "-q", "--stats", &file, "-f", "json", "-o", "-"]);
    assert!(page["left_out"][0].as_str().unwrap().starts_with(said));
    let rule = "[[rule]]\nmetric = \"cpwer\"\nmax = 1.0\n";
    let policy = folder.file("gate.toml", format!("format = \"bleuprint-gate/1\"\n{rule}"));
    let judged = String::from_utf8(over(&["gate"], &["--policy", &policy]).stdout).unwrap();
    assert!(judged.contains(said), "{judged}");
    let families = bleuprint::families();
    let form = FileForm::all(&families).into_iter().find(|form| form.name == "speakers").unwrap();
    let options = [("missing-sessions", "skip".to_owned())];
    let metrics = vec!["cpwer".to_owned()];
    let request =
        || form.request(reference.clone(), vec![system.clone()], &options, metrics, TokenRequest::default());
    let read = CountedFiles::new(request, &Reading::default(), &families).unwrap();
    assert!(read.run.facts().left_out[0].to_string().starts_with(said));
    assert!(read.notes.iter().any(|note| note.starts_with(said)), "{:?}", read.notes);
}
