//! Logs that the harnesses wrote for small tasks of our own: `data/README.md` has their runs.

use std::fs;
use std::path::PathBuf;

use bleuprint_harness::{Harness, LogRecord, LogValue};
use bleuprint_testkit::Folder;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The number of this name, or `None` where the record has none.
fn number(record: &LogRecord, name: &str) -> Option<f64> {
    let value = record.values.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    match value {
        Some(LogValue::Number(number)) => Some(*number),
        _ => None,
    }
}

#[test]
fn lm_eval_has_a_log_for_each_task() {
    let log = Harness::LmEval.read(data("lm-eval")).unwrap();
    let of = |task: &str| log.records.iter().filter(|record| record.task.as_deref() == Some(task)).count();
    assert_eq!((of("bp_quiz"), of("bp_sums"), log.warnings.len()), (4, 4, 0));
    assert!(log.records.iter().all(|record| number(record, "acc").is_some() == (record.group.is_some())));
    // Without their stamps, the files are logs of the same two tasks, and not two runs of `bp`.
    let folder = Folder::new();
    for file in fs::read_dir(data("lm-eval/dummy")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().split("_2026").next().unwrap().to_owned();
        fs::copy(&path, folder.path(name + ".jsonl")).unwrap();
    }
    folder.file("samples_bp_none.jsonl", "");
    let plain = Harness::LmEval.read(folder.path("")).unwrap();
    let tasks = |log: &bleuprint_harness::Log| -> Vec<Option<String>> {
        log.records.iter().map(|record| record.task.clone()).collect()
    };
    assert_eq!(tasks(&plain), tasks(&log));
    assert_eq!(plain.warnings.len(), 1, "{:?}", plain.warnings);
    assert!(
        plain.warnings[0]
            .ends_with("samples_bp_none.jsonl: the log has no records, so its task is in no score")
    );
}

#[test]
fn a_run_of_inspect_is_its_task_with_its_arguments() {
    for (folder, right) in [("inspect/a", 4.0), ("inspect/b", 4.0)] {
        let log = Harness::Inspect.read(data(folder)).unwrap();
        assert_eq!((log.records.len(), log.warnings.len()), (8, 0), "{folder}: {:?}", log.warnings);
        assert_eq!(log.records.iter().filter_map(|record| number(record, "match")).sum::<f64>(), right);
        let kinds = log.records.iter().map(|record| &record.arguments);
        assert!(kinds.clone().all(|arguments| arguments.last().unwrap().0 == "dataset"));
        assert_eq!(kinds.filter(|arguments| arguments.contains(&("kind".into(), "plus".into()))).count(), 4);
    }
}

#[test]
fn a_second_run_with_the_same_arguments_replaces_the_first() {
    let folder = Folder::new();
    for (place, name) in [("inspect/a", "2026-11-29_1.json"), ("inspect/a", "2026-11-30_2.json")] {
        let file = fs::read_dir(data(place)).unwrap().map(|file| file.unwrap().path()).min().unwrap();
        fs::copy(file, folder.path(name)).unwrap();
    }
    let log = Harness::Inspect.read(folder.path("")).unwrap();
    assert_eq!(log.records.len(), 4);
    let warning = &log.warnings[0];
    assert!(
        warning
            .contains("kind=plus, wrong=plus-1, dataset=plus) was run more than once; the log 2026-11-30_2"),
        "{warning}"
    );
}

#[test]
fn failed_and_invalidated_samples_of_inspect_are_counted() {
    let scored = Harness::Inspect.read(data("inspect/scored")).unwrap();
    let numbers = |log: &bleuprint_harness::Log| -> Vec<Option<f64>> {
        log.records.iter().map(|record| number(record, "match")).collect()
    };
    assert_eq!(numbers(&scored), [Some(0.0), Some(1.0), Some(1.0), Some(1.0)]);
    assert!(scored.warnings[0].ends_with("samples with an error and with scores, which count: 1"));
    let failed = Harness::Inspect.read(data("inspect/failed")).unwrap();
    assert_eq!(numbers(&failed), [None, Some(0.0), Some(1.0), None]);
    let note = "samples with an error and without scores, so without a number: 1; invalidated, so without a number: 1";
    assert!(failed.warnings[0].ends_with(note), "{:?}", failed.warnings);
}

#[test]
fn repeats_of_promptfoo_are_samples_of_a_test() {
    let log = Harness::Promptfoo.read(data("promptfoo/three.json")).unwrap();
    for system in ["A", "B"] {
        let own: Vec<&LogRecord> =
            log.records.iter().filter(|record| record.system.as_deref() == Some(system)).collect();
        let places: Vec<(&str, u64)> = own.iter().map(|record| (&*record.id, record.sample)).collect();
        let expected: Vec<(&str, u64)> =
            ["0", "1", "2", "3"].into_iter().flat_map(|id| (0..3).map(move |sample| (id, sample))).collect();
        assert_eq!(places, expected, "{system}");
        assert!(own.iter().all(|record| number(record, "exact").is_some() == (record.id != "3")));
        assert_eq!(own[0].asserts, [("equals".to_owned(), Some("exact".to_owned()))]);
        assert_eq!(own[11].asserts, [("contains".to_owned(), None)]);
    }
}

#[test]
fn tests_of_promptfoo_without_repeats_keep_their_numbers_and_prompts_name_systems() {
    let folder = Folder::new();
    let one = |prompt: u64, test: u64, vars: &str| {
        format!(
            r#"{{"provider": "p", "promptIdx": {prompt}, "testIdx": {test}, "vars": {vars}, "success": true, "score": 1}}"#
        )
    };
    let rows = [
        one(0, 2, r#"{"n": 1}"#),
        one(1, 2, r#"{"n": 1}"#),
        one(0, 5, r#"{"n": 2}"#),
        one(1, 5, r#"{"n": 2}"#),
    ];
    let path = folder.file("r.json", format!("{{\"results\": [{}]}}", rows.join(",")));
    let log = Harness::Promptfoo.read(path).unwrap();
    let of = |record: &LogRecord| format!("{} {}", record.system.clone().unwrap(), record.id);
    let all: Vec<String> = log.records.iter().map(of).collect();
    assert_eq!(all, ["p|0 2", "p|1 2", "p|0 5", "p|1 5"]);
}

#[test]
fn the_split_of_helm_is_the_one_that_is_there() {
    let folder = Folder::new();
    for (kind, ids) in [("valid", &["id0", "id1", "id2", "id3"][..]), ("both", &["id0", "id1"])] {
        let run = folder.path(format!("{kind}/kind={kind},model=simple_model1"));
        fs::create_dir_all(&run).unwrap();
        fs::copy(data(&format!("helm/{kind}.json")), run.join("per_instance_stats.json")).unwrap();
        let log = Harness::Helm.read(folder.path(kind)).unwrap();
        assert_eq!(log.records.iter().map(|record| &*record.id).collect::<Vec<_>>(), ids);
        assert!(log.records.iter().all(|record| number(record, "exact_match").is_some()), "{kind}");
        let others = "the split test is read; not read: 2 instances of other splits";
        assert_eq!(
            log.warnings.iter().filter(|note| note.ends_with(others)).count(),
            usize::from(kind == "both")
        );
    }
}

/// By hand, after the format of evalplus 0.3.1: its data set cannot be had.
#[test]
fn a_task_of_evalplus_without_samples_is_refused() {
    let folder = Folder::new();
    let sample = r#"{"base_status": "pass", "plus_status": "fail"}"#;
    let path = folder.file("x_eval_results.json", format!(r#"{{"eval": {{"T/0": [{sample}], "T/1": []}}}}"#));
    let error = Harness::EvalPlus.read(path).unwrap_err().to_string();
    assert!(error.contains("x_eval_results.json: the task `T/1` has no samples"), "{error}");
}
