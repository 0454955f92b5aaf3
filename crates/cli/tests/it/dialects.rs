//! BLEU's dialects from the shell: `-m bleu:dialect=NAME`, `dialects`, `explain`.

use crate::common::{Folder, pair, parsed, refused, stdout, words};
use serde_json::Value;

/// A corpus without a common 4-gram, where programs differ.
const REF: &str = "the cat is on the mat\nhe read the book\n";
const SYS: &str = "the cat was on the mat\nhe read\n";

#[test]
fn one_corpus_has_many_numbers() {
    let (_folder, reference, system) = pair(REF, SYS);
    let score = |dialect: &str| {
        parsed(&words(&format!("score {reference} -i {system} -tok none -m bleu:dialect={dialect}")))["score"]
            .as_f64()
            .unwrap()
    };
    // NLTK 3.10.4 and sacreBLEU 2.6.0, run on these segments.
    assert_eq!(score("multi-bleu"), 0.0);
    assert_eq!(score("nltk:method1").to_bits(), NLTK_METHOD1.to_bits());
    assert_eq!(score("sacrebleu:exp").to_bits(), SACREBLEU_EXP.to_bits());
    let line = stdout(&words(&format!(
        "score {reference} -i {system} -tok none -m bleu:dialect=nltk:method1 -f text"
    )));
    assert!(line.starts_with("BLEU|nrefs:1|case:mixed|tok:none|dialect:nltk:method1|version:"), "{line}");
    let lines = stdout(&["score", &reference, "-i", &system, "-sl", "-b", "-m", "bleu:dialect=nltk:method5"]);
    assert_eq!(lines.lines().count(), 2);
}

const NLTK_METHOD1: f64 = 0.18098729078841955;
const SACREBLEU_EXP: f64 = 30.750541480453705;

#[test]
fn what_a_dialect_does_not_take_is_refused() {
    let (_folder, reference, system) = pair(REF, SYS);
    let with = |options: &[&str], words: &[&str]| {
        refused(&[&["score", &reference, "-i", &system], options].concat(), words);
    };
    with(&["-m", "bleu:dialect=nltk:method8"], &["unknown", "`nltk:method8`", "nltk:method1"]);
    with(&["-m", "bleu:dialect=nltk:method5"], &["single segments", "there were 2"]);
    with(&["-m", "bleu:dialect=hf", "-s", "floor"], &["smooth-method is decided by the dialect `hf`"]);
    with(&["-m", "bleu:dialect=hf,effective-order"], &["effective-order is decided"]);
    with(
        &["-m", "bleu:dialect=multi-bleu,summation=compensated"],
        &["summation has no effect on the dialect `multi-bleu`"],
    );
    refused(
        &["score", &reference, &reference, "-i", &system, "-m", "bleu:dialect=fairseq"],
        &["one reference per segment"],
    );
}

#[test]
fn every_dialect_is_in_the_catalogue_and_scores_or_says_why_not() {
    let (_folder, reference, system) = pair(REF, SYS);
    let catalogue = parsed(&["dialects", "-f", "json"]);
    let text = stdout(&["dialects"]);
    assert_eq!(text.lines().count(), catalogue.as_array().unwrap().len());
    let explained = parsed(&["explain", &reference, "-i", &system, "-f", "json"]);
    for dialect in catalogue.as_array().unwrap() {
        let setting = format!("-m bleu:dialect={}", dialect["name"].as_str().unwrap());
        let row = explained.as_array().unwrap().iter().find(|row| row["settings"][0] == setting.as_str());
        let row = row.unwrap_or_else(|| panic!("{setting} is not explained"));
        assert!(row["score"].is_number() || row["error"].is_string(), "{row}");
    }
}

#[test]
fn explain_agrees_with_score_and_finds_a_target() {
    let (_folder, reference, system) = pair(REF, SYS);
    let rows = parsed(&["explain", &reference, "-i", &system, "-f", "json"]);
    let default = parsed(&["score", &reference, "-i", &system]);
    let signature = |scored: &Value| format!("BLEU|{}", scored["signature"].as_str().unwrap());
    assert_eq!((&rows[0]["score"], &rows[0]["signature"]), (&default["score"], &signature(&default).into()));
    assert_eq!(rows[0]["change"], 0.0);
    for (settings, arguments) in [
        ("-m bleu:max-order=2", vec!["-m", "bleu:max-order=2"]),
        ("-m bleu:ref-len=shortest", vec!["-m", "bleu:ref-len=shortest"]),
        ("--tokenize char", vec!["--tokenize", "char"]),
        ("--lowercase", vec!["--lowercase"]),
        ("-m bleu:smooth-method=floor", vec!["--smooth-method", "floor"]),
        ("-m bleu:dialect=hf:smooth", vec!["-m", "bleu:dialect=hf:smooth"]),
    ] {
        let row = rows.as_array().unwrap().iter().find(|row| row["settings"][0] == settings).unwrap();
        let scored = parsed(&[&["score", &reference, "-i", &system], &arguments[..]].concat());
        assert_eq!(
            (&row["score"], &row["signature"]),
            (&scored["score"], &signature(&scored).into()),
            "{settings}"
        );
    }
    let char_bigrams =
        parsed(&["score", &reference, "-i", &system, "-tok", "char", "-m", "bleu:max-order=2"]);
    let target = char_bigrams["score"].to_string();
    let found =
        parsed(&["explain", &reference, "-i", &system, "-f", "json", "--target", &target, "--most", "3"]);
    assert_eq!(found.as_array().unwrap().len(), 3);
    assert_eq!(found[0]["off_by"], 0.0);
    let text = stdout(&["explain", &reference, "-i", &system]);
    assert!(text.lines().nth(1).unwrap().ends_with("default"), "{text}");
}

#[test]
fn sums_are_compensated_where_the_program_sums() {
    let (_folder, reference, system) = pair(REF, SYS);
    let scored =
        parsed(&["score", &reference, "-i", &system, "-m", "bleu:dialect=hf:smooth,summation=compensated"]);
    assert_eq!(scored["sum"], "compensated");
}

#[test]
fn a_segment_without_a_score_is_named_and_the_next_is_scored() {
    let folder = Folder::new();
    let reference = folder.file("ref", "a b c d e\nq\nx y z w\n");
    let system = folder.file("sys", "a b c d e\n\nx y z w\n");
    let lines = stdout(&["score", &reference, "-i", &system, "-sl", "-m", "bleu:dialect=multi-bleu", "-q"]);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains(" = 100.0 ") && lines[2].contains(" = 100.0 "), "{lines:?}");
    assert!(
        lines[1].starts_with("segment 2: ") && lines[1].contains("multi-bleu divides by zero"),
        "{lines:?}"
    );
}

#[test]
fn lower_case_is_that_of_the_program() {
    let folder = Folder::new();
    let reference = folder.file("ref", "\u{e9}t\u{e9} the cat is on a mat\n");
    let system = folder.file("sys", "\u{c9}T\u{c9} The cat IS on a mat\n");
    let rows = folder.file(
        "rows.jsonl",
        "{\"hyp\": \"\u{c9}T\u{c9} The cat IS on a mat\", \"ref\": \"\u{e9}t\u{e9} the cat is on a mat\"}\n",
    );
    let of_files = ["score", &reference, "-i", &system];
    let of_rows = ["score", "--segments", &rows];
    for source in [&of_files[..], &of_rows] {
        for (options, case, whole) in [
            (&["-m", "bleu:dialect=multi-bleu", "-lc"][..], "lc-ascii", false),
            (&["-m", "bleu:dialect=multi-bleu", "-lc", "-tok", "13a"], "lc-ascii", false),
            (&["-m", "bleu:dialect=multi-bleu,lowercase"], "lc-ascii", false),
            (&["-m", "bleu:dialect=multi-bleu"], "mixed", false),
            (&["-m", "bleu:dialect=multi-bleu-detok", "-lc"], "lc", true),
            (&["-m", "bleu:dialect=mteval:v13a"], "lc-ascii", false),
            (&["-m", "bleu:dialect=mteval:v13a", "-lc"], "lc-ascii", false),
            (&["-m", "bleu:dialect=mteval:v13a", "-tok", "mteval"], "lc-ascii", false),
            (&["-m", "bleu:dialect=mteval:v13a", "-tok", "mteval-intl"], "lc", true),
            (&["-m", "bleu:dialect=mteval:v13a", "-tok", "mteval-intl", "-lc"], "lc", true),
            (&["-m", "bleu:dialect=mteval:v13a,lowercase=no"], "mixed", false),
            (&["-m", "bleu:dialect=hf", "-lc"], "lc", true),
            (&["-m", "bleu:dialect=codexglue", "-sl", "-f", "json"], "lc", true),
            (&["-lc"], "lc", true),
        ] {
            let scored = parsed(&[source, options].concat());
            let perfect = scored["score"].as_f64() == Some(1.0) || scored["score"].as_f64() > Some(99.0);
            assert_eq!((scored["case"].as_str(), perfect), (Some(case), whole), "{options:?}");
        }
    }
    // A file of statistics keeps what was counted.
    let stats = folder.path("stats");
    stdout(&["stats", &reference, "-i", &system, "-m", "bleu:dialect=multi-bleu", "-lc", "-o", &stats]);
    let scored = parsed(&[&of_files[..], &["-m", "bleu:dialect=multi-bleu", "-lc"]].concat());
    assert_eq!(parsed(&["score", "--stats", &stats])["score"], scored["score"]);
}
