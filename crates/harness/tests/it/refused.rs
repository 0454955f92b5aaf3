//! Folders and files that are no log of their harness are errors with their place.

use bleuprint_harness::{Harness, LogValue};
use bleuprint_testkit::Folder;

fn write(folder: &Folder, name: &str, text: &str) {
    std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
    folder.file(name, text);
}

fn error(harness: Harness, folder: &Folder) -> String {
    harness.read(folder.path("")).unwrap_err().to_string()
}

#[test]
fn a_folder_without_logs() {
    let folder = Folder::new();
    for (harness, expected) in [
        (Harness::LmEval, "samples_TASK_STAMP.jsonl"),
        (Harness::Inspect, "*.eval or *.json"),
        (Harness::EvalPlus, "*eval_results.json"),
        (Harness::HumanEval, "*_results.jsonl"),
        (Harness::Helm, "RUN/per_instance_stats.json"),
        (Harness::Promptfoo, "*.json or *.jsonl"),
    ] {
        assert!(error(harness, &folder).contains(expected), "{}", error(harness, &folder));
    }
}

#[test]
fn two_models_are_no_system() {
    let folder = Folder::new();
    for model in ["a", "b"] {
        write(&folder, &format!("{model}/samples_t_2026.jsonl"), "{\"doc_id\": 0, \"metrics\": []}\n");
    }
    assert!(
        error(Harness::LmEval, &folder)
            .ends_with("logs of several models, but a system is one model; give the path of one of `a`, `b`")
    );
    assert_eq!(Harness::LmEval.read(folder.path("a")).unwrap().records.len(), 1);
}

#[test]
fn the_newest_log_of_a_task_is_read_and_the_other_named() {
    let folder = Folder::new();
    for (stamp, value) in [("2026-01", 0), ("2026-02", 1)] {
        let line = format!("{{\"doc_id\": 0, \"metrics\": [\"acc\"], \"acc\": {value}}}\n");
        write(&folder, &format!("samples_a_b_{stamp}.jsonl"), &line);
    }
    let log = Harness::LmEval.read(folder.path("")).unwrap();
    assert_eq!(log.records[0].values, [("acc".to_owned(), LogValue::Number(1.0))]);
    assert!(
        log.warnings[0].contains("a_b was run more than once; the log 2026-02 is read, not 2026-01"),
        "{:?}",
        log.warnings
    );
}

#[test]
fn malformed_logs() {
    for (harness, file, text, expected) in [
        (Harness::LmEval, "samples_t_1.jsonl", "{\"doc_id\": 0}\n", "line 1: no list `metrics`"),
        (Harness::LmEval, "samples_t_1.jsonl", "{\"metrics\": []}\n", "no `doc_id`"),
        (Harness::LmEval, "samples_t_1.jsonl", "", "empty"),
        (Harness::HumanEval, "x_results.jsonl", "{\"task_id\": \"a\", \"passed\": 1}\n", "`passed` is 1"),
        (Harness::EvalPlus, "eval_results.json", "{}", "no object `eval`"),
        (Harness::EvalPlus, "eval_results.json", "{\"eval\": {\"a\": [{}]}}", "no `base_status`"),
        (Harness::Promptfoo, "r.json", "{\"results\": {}}", "no array `results.results`"),
        (Harness::Inspect, "a.json", "{\"samples\": {}}", "no array `samples`"),
        (Harness::Inspect, "a.eval", "PK", "no log of inspect-ai"),
        (Harness::Inspect, "a.json", "{\"samples\": [], \"samples\": []}", "JSON: "),
        (
            Harness::EvalPlus,
            "eval_results.json",
            "{\"eval\": {\"a\": [{\"base_status\": \"Pass\"}]}}",
            "the status \"Pass\" is not one of pass",
        ),
        (Harness::Inspect, "a.json", "{\"samples\": [{\"id\": 1, \"epoch\": -1}]}", "`epoch` is -1"),
        (
            Harness::Inspect,
            "a.json",
            r#"{"samples": [{"id": 1, "scores": {"a": {"value": {"b": 1}}, "a.b": {"value": 0}}}]}"#,
            "the sample of `1` has two numbers `a.b`",
        ),
        (
            Harness::Helm,
            "run/per_instance_stats.json",
            r#"[{"instance_id": "a", "stats": [{"name": {"name": "em", "split": "test"}, "mean": 1},
                {"name": {"name": "em", "split": "test"}, "mean": 0}]}]"#,
            "the sample of `a` has two numbers `em`",
        ),
        (Harness::Helm, "run/per_instance_stats.json", "[{\"stats\": []}]", "no `instance_id`"),
    ] {
        let folder = Folder::new();
        write(&folder, file, text);
        let error = error(harness, &folder);
        assert!(error.contains(expected), "{error}");
        assert!(text.is_empty() || error.contains(file.rsplit('/').next().unwrap()), "{error}");
    }
}
