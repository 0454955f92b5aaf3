//! The cases and the laws of all families. A family has its data in its folder `tests/rows`; it needs no line here.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;

use bleuprint::text::Family;
use bleuprint_testkit::Folder;
use bleuprint_testkit::rows::{ExampleCorpus, check_laws, check_recorded, check_rows};

/// Returns the folder with the cases of a family. The folder of a package has the name of the package.
fn folder(family: &Family) -> PathBuf {
    let name = if family.name == "code" { "codebleu" } else { family.name };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../families").join(name).join("tests/rows")
}

/// Runs a test for each family in a separate thread, and panics after all with the names of the families that fail.
fn for_each_family(test: impl Fn(&Family) -> usize + Sync) -> usize {
    let families = bleuprint::families();
    let test = &test;
    thread::scope(|scope| {
        let tests: Vec<_> =
            families.list().iter().map(|family| (family.name, scope.spawn(move || test(family)))).collect();
        let results: Vec<(&str, thread::Result<usize>)> =
            tests.into_iter().map(|(name, test)| (name, test.join())).collect();
        let failed = results.iter().filter(|(_, result)| result.is_err()).map(|(name, _)| *name);
        let failed: Vec<&str> = failed.collect();
        assert!(failed.is_empty(), "families that fail: {}", failed.join(", "));
        results.into_iter().flat_map(|(_, result)| result).sum()
    })
}

#[test]
fn cases_of_families_have_their_results() {
    let cases = for_each_family(|family| check_rows(&bleuprint::families(), family.name, &folder(family)));
    assert!(cases > 0, "no family has cases");
}

#[test]
fn every_metric_of_every_family_obeys_the_laws() {
    for_each_family(|family| check_laws(&bleuprint::families(), family.name, &folder(family)));
}

#[test]
fn every_example_has_a_corpus_of_variations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/data/examples.json");
    let recorded = std::fs::read_to_string(path).unwrap();
    let recorded: BTreeMap<String, f64> = serde_json::from_str(&recorded).unwrap();
    let families = bleuprint::families();
    let mut other_scores = 0;
    for entry in families.registry().entries() {
        let score_of = |length, seed| ExampleCorpus::new(&families, entry, length, seed).score();
        let name = entry.example_options().named(&entry.name);
        let score = recorded[&name];
        // A corpus of one segment is the example.
        assert_eq!(score_of(1, 7).to_bits(), score.to_bits(), "{name}");
        let varied = score_of(30, 7);
        assert_eq!(varied.to_bits(), score_of(30, 7).to_bits(), "{name}: draws of a seed differ");
        other_scores += usize::from(varied != score);
    }
    // Some scores stay: the example of `given` is one number, which has no variation.
    assert!(other_scores >= 60, "{other_scores} of {} metrics", families.registry().entries().len());
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_families_have_their_numbers() {
    let rows = for_each_family(|family| check_recorded(&bleuprint::families(), family.name));
    assert_eq!(rows, 1_188);
}

/// Returns the message with which the runner rejects a file of cases of the family `likelihood`.
fn rejected(cases: &str) -> String {
    let folder = Folder::new();
    folder.file("planted.jsonl", cases);
    let check = || check_rows(&bleuprint::families(), "likelihood", folder.as_ref());
    let panic = catch_unwind(AssertUnwindSafe(check)).expect_err("the case is wrong");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn planted_wrong_cases_fail() {
    let case = |why: &str, expected: &str| {
        let segment = r#"{"hypothesis": {"loglik": [-1.5]}}"#;
        format!(r#"{{"why": "{why}", "segments": [{segment}], "expected": {{{expected}}}}}"#)
    };
    let score = rejected(&case("a wrong score", r#""nll": 1.6"#));
    assert_eq!(score, "results that differ:\nplanted.jsonl: line 1: `a wrong score`: nll: 1.5, not 1.6");
    let bits = rejected(&case("a wrong last bit", r#""nll": 1.5000000000000002"#));
    assert!(bits.contains("nll: 1.5, not 1.5000000000000002"), "{bits}");
    let message = rejected(&case("a part of a message", r#""nll:per=word": "per=word needs""#));
    assert!(message.contains("per=word needs the field `text` of the segment\", not"), "{message}");
    let scored = rejected(&case("a score in place of an error", r#""nll": null"#));
    assert!(scored.contains("nll: 1.5, not null"), "{scored}");
    let part = rejected(&case("a wrong name of a number", r#""nll": {"bytes": 3}"#));
    assert!(part.contains("no number `bytes`"), "{part}");
    let listed = |key: &str| {
        format!(r#"{{"why": "a list", "segments": [{{"hypothesis": {{"loglik": [-1.5]}}}}], {key}}}"#)
    };
    let counts = rejected(&listed(r#""counts": {"nll": {"bytes": 3}}"#));
    assert!(counts.contains("nll, bytes: null, not 3"), "{counts}");
    let pairs = rejected(&listed(r#""pairs": {"nll": [["Ann", null]]}"#));
    assert!(pairs.contains(r#"nll, pairs of names: [], not [["Ann",null]]"#), "{pairs}");
    let options = rejected(&case("options that are wrong", r#""nll:per=byte,base=-1": null"#));
    assert!(options.contains("not null"), "{options}");
    let twice = [case("twice", r#""nll": 1.5"#), case("twice", r#""bits": 2.0"#)].join("\n");
    assert!(rejected(&twice).contains("line 2: `twice` is the reason of an earlier case too"));
    let unknown = rejected(r#"{"why": "a key", "expect": {}}"#);
    assert!(unknown.contains("planted.jsonl: line 1: unknown field `expect`"), "{unknown}");
}
