//! Tests of the golden data: it loads, is well-formed, and agrees with its README. The example data must be
//! unchanged.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bleuprint_testkit::golden::{self, GoldenRow, parse};
use bleuprint_testkit::tables::{self, SignatureCase};
use sha2::{Digest as _, Sha256};

const ERRORS: &[&str] = &["empty-corpus", "no-references", "unequal-lengths", "order-zero", "no-score"];

/// A longer list of known differences is a sign that the implementation drifts away from the other programs.
const MOST_DIFFERENCES: usize = 29;

fn all() -> Vec<(&'static str, GoldenRow)> {
    golden::files().flat_map(|file| golden::rows(file).into_iter().map(move |row| (file, row))).collect()
}

fn find(file: &str, name: &str) -> GoldenRow {
    golden::rows(file).into_iter().find(|row| row.name == name).expect("a row by this name")
}

#[test]
fn every_file_has_rows() {
    for file in golden::files() {
        assert!(!golden::rows(file).is_empty(), "{file}");
    }
    assert!(tables::tokenize().iter().all(|(_, cases)| !cases.is_empty()));
    assert!(!tables::signatures().is_empty() && !tables::alignments().is_empty());
}

#[test]
fn a_row_has_texts_or_statistics() {
    for (file, row) in all() {
        let texts = !row.hypotheses.is_empty() || row.expected.error.as_deref() == Some("empty-corpus");
        assert_ne!(texts, row.statistics.is_some(), "{file}: {}", row.name);
        assert!(row.sources.is_empty() || row.sources.len() == row.hypotheses.len(), "{file}: {}", row.name);
    }
}

#[test]
fn a_row_expects_a_score_or_a_known_error() {
    for (file, row) in all() {
        match &row.expected.error {
            Some(error) => assert!(ERRORS.contains(&error.as_str()), "{file}: {}: {error}", row.name),
            None => assert!(row.expected.score.is_some(), "{file}: {} expects nothing", row.name),
        }
    }
}

#[test]
fn rows_of_bleu_have_known_tokenizers_and_as_many_numbers_as_orders() {
    for (file, row) in all().iter().filter(|(_, row)| row.spec.starts_with("bleu")) {
        let option = |name: &str| row.spec.split([':', ',']).find_map(|option| option.strip_prefix(name));
        let known = |name: &str| tables::tokenize().iter().any(|(known, _)| *known == name);
        assert!(option("tokenize=").is_none_or(known), "{}", row.spec);
        let max_order = option("max-order=").map_or(4, |number| number.parse().expect("a number"));
        for key in ["counts", "totals", "precisions"] {
            let orders = row.expected.parts.get(key).and_then(|part| part.as_array()).map(Vec::len);
            assert!(orders.is_none_or(|orders| orders == max_order), "{file}: {}", row.name);
        }
    }
}

#[test]
fn references_are_as_many_as_the_hypotheses_unless_that_is_the_point() {
    for (file, row) in all() {
        let equal = row.references.len() == row.hypotheses.len();
        let refused = row.expected.error.as_deref() == Some("unequal-lengths");
        assert_ne!(equal, refused, "{file}: {}", row.name);
    }
}

#[test]
fn a_missing_reference_is_left_out_and_an_empty_one_is_not() {
    assert_eq!(find("sacrebleu", "missing-reference-is-dropped").references[0], ["a b c"]);
    assert_eq!(find("sacrebleu", "empty-reference-is-real").references[0], ["a b c", ""]);
}

#[test]
fn the_headline_values_are_the_published_ones() {
    let rounded = |name| find("papineni", name).expected.score.map(|score| format!("{:.3}", score / 100.0));
    assert_eq!(rounded("fall-leaves").as_deref(), Some("0.742"));
    assert_eq!(rounded("fall-leaves-exhausted").as_deref(), Some("0.478"));
}

#[test]
fn floats_keep_their_last_bit() {
    let score = find("sacrebleu", "perfect-match-is-an-ulp-above-100").expected.score;
    assert_eq!(score.map(f64::to_bits), Some(100.00000000000004_f64.to_bits()));
    assert_ne!(score, Some(100.0));
}

#[test]
fn rows_with_the_texts_of_another_have_them() {
    let (first, second) = (find("wer", "empty-hypothesis, wer"), find("wer", "empty-hypothesis, cer"));
    assert_eq!((&first.hypotheses, &first.references), (&second.hypotheses, &second.references));
    assert_eq!(second.references, [["the cat"]]);
}

#[test]
fn signatures_end_in_the_version_and_count_references() {
    for case in tables::signatures() {
        let nrefs = case.nrefs.map_or("var".to_owned(), |count| count.to_string());
        assert!(case.long.starts_with(&format!("nrefs:{nrefs}|")), "{}", case.name);
        assert!(case.long.ends_with("|version:2.6.0"), "{}", case.name);
    }
}

#[test]
fn the_list_of_differences_stays_short() {
    let differences = tables::differences();
    assert!(differences.len() <= MOST_DIFFERENCES, "{} differences", differences.len());
    let words: BTreeSet<&str> = differences.iter().map(|case| case.reason.as_str()).collect();
    assert_eq!(words.len(), differences.len(), "every difference has a reason of its own");
}

/// Returns name and text of each example file that `SHA256SUMS` lists, after checking its sum.
fn examples() -> Vec<(String, String)> {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data").join(name);
        fs::read_to_string(path).expect("a file of examples/data")
    };
    let sums = read("SHA256SUMS");
    let sums = sums.lines().map(|line| line.split_once("  ").expect("a sum and a name"));
    let file = |(sum, name): (&str, &str)| {
        let text = read(name);
        let found: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, sum, "{name}");
        (name.to_owned(), text)
    };
    sums.map(file).collect()
}

#[test]
fn example_data_are_unchanged_and_parallel_and_their_lines_clean() {
    let files = examples();
    assert_eq!(files.len(), 12);
    for (at, (name, text)) in files.iter().enumerate() {
        assert_eq!(text.lines().count(), 300, "{name}");
        assert!(text.lines().all(|line| line == line.trim()), "{name}");
        let empty = [("sys-a", 2), ("sys-b", 4)].into_iter().find(|(system, _)| name.contains(system));
        assert_eq!(text.lines().filter(|line| line.is_empty()).count(), empty.map_or(0, |(_, lines)| lines));
        assert!(files[at + 1..].iter().all(|(_, other)| text != other), "{name}");
    }
}

#[test]
fn example_data_have_the_hard_cases() {
    let english = examples().into_iter().filter(|(name, _)| name.starts_with("en.ref"));
    let english: String = english.map(|(_, text)| text).collect();
    for needle in ["1,000.50", "10-20", "&quot;", "&amp;", "\"", "“", "'", "€", "%"] {
        assert!(english.contains(needle), "no segment contains {needle}");
    }
}

const ROW: &str = r#"{"name": "a", "spec": "bleu", "hypotheses": ["x"], "references": [["x"]], "expected": {"score": 1.0}}"#;

#[test]
fn a_name_given_twice_is_refused() {
    assert_eq!(parse(ROW).map(|rows| rows.len()), Ok(1));
    let error = parse(&format!("{ROW}\n{ROW}")).expect_err("the name is there twice");
    assert!(error.contains("two rows are named `a`"), "{error}");
    let case = "[[case]]\nname = \"a\"\nspec = \"bleu\"\nlong = \"x\"\n";
    let error = tables::parse::<SignatureCase>(&format!("source = \"here\"\n{case}{case}"));
    assert!(error.expect_err("the name is there twice").contains("two cases are named `a`"));
}

#[test]
fn an_unknown_key_is_refused_with_its_line() {
    let error = parse(&format!("{ROW}\n{}", ROW.replace("score", "scoer"))).expect_err("`scoer` is no key");
    assert!(error.contains("line 2") && error.contains("scoer"), "{error}");
}

#[test]
fn texts_of_no_earlier_row_are_refused() {
    let error = parse(r#"{"name": "a", "spec": "bleu", "texts": "b", "expected": {}}"#);
    assert!(error.expect_err("no `b`").contains("no earlier row is named `b`"));
}
