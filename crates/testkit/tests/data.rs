//! The golden data itself: it loads, is well-formed, and agrees with its README.

use std::collections::BTreeSet;

use bleuprint_testkit::golden::{self, BleuCase, File, Named, SignatureCase, parse};

const SMOOTHING: &[&str] = &["none", "floor", "add-k", "exp"];
const ERRORS: &[&str] = &["empty-corpus", "no-references", "unequal-lengths", "order-zero"];

/// A longer list of known differences is a sign of drift.
const MOST_DIFFERENCES: usize = 20;

#[test]
fn every_file_loads_and_has_cases_and_a_source() {
    for (name, file) in golden::all_bleu() {
        assert!(!file.cases.is_empty() && !file.source.is_empty(), "bleu/{name}.toml");
    }
    for (name, file) in golden::all_tokenize() {
        assert!(!file.cases.is_empty() && !file.source.is_empty(), "tokenize/{name}.toml");
    }
    assert!(!golden::signatures().cases.is_empty());
}

#[test]
fn a_bleu_case_has_a_corpus_or_statistics_and_known_options() {
    for (file, case) in bleu_cases() {
        let name = format!("{file}/{}", case.name());
        assert_eq!(case.hypotheses.is_some(), case.references.is_some(), "{name}");
        assert_ne!(case.hypotheses.is_some(), case.statistics.is_some(), "{name}");
        assert!(SMOOTHING.contains(&case.options.smooth.as_str()), "{name}: {}", case.options.smooth);
        assert!(golden::all_tokenize().iter().any(|(known, _)| *known == case.options.tokenize), "{name}");
    }
}

#[test]
fn a_bleu_case_expects_a_score_or_a_known_error() {
    for (file, case) in bleu_cases() {
        let (name, expected) = (format!("{file}/{}", case.name()), &case.expected);
        match &expected.error {
            Some(error) => assert!(ERRORS.contains(&error.as_str()), "{name}: {error}"),
            None => assert!(expected.score.is_some(), "{name} expects nothing"),
        }
        for row in [expected.counts.as_ref().map(Vec::len), expected.precisions.as_ref().map(Vec::len)] {
            assert!(row.is_none_or(|len| len == case.options.max_order), "{name}: {row:?} orders");
        }
    }
}

#[test]
fn streams_are_as_long_as_the_hypotheses_unless_that_is_the_point() {
    for (file, case) in bleu_cases() {
        if case.expected.error.is_none() {
            let segments = case.hypotheses.as_ref().map_or(0, Vec::len);
            for stream in case.references.iter().flatten() {
                assert_eq!(stream.len(), segments, "{file}/{}", case.name());
            }
        }
    }
}

#[test]
fn a_missing_reference_is_left_out_and_an_empty_one_is_not() {
    let file = golden::bleu("sacrebleu");
    assert_eq!(find(&file, "missing-reference-is-dropped").segment_references(0), ["a b c"]);
    assert_eq!(find(&file, "empty-reference-is-real").segment_references(0), ["a b c", ""]);
}

#[test]
fn the_headline_values_are_the_published_ones() {
    let file = golden::bleu("papineni");
    let rounded = |name: &str| find(&file, name).expected.score.map(|score| format!("{:.3}", score / 100.0));
    assert_eq!(rounded("fall-leaves").as_deref(), Some("0.742"));
    assert_eq!(rounded("fall-leaves-exhausted").as_deref(), Some("0.478"));
    let clipped = &find(&file, "seven-times-the").expected;
    assert_eq!((clipped.counts.as_deref(), clipped.totals.as_deref()), (Some(&[2][..]), Some(&[7][..])));
}

#[test]
fn floats_keep_their_last_bit() {
    let file = golden::bleu("sacrebleu");
    let score = find(&file, "perfect-match-is-an-ulp-above-100").expected.score;
    assert_eq!(score.map(f64::to_bits), Some(100.00000000000004_f64.to_bits()));
    assert_ne!(score, Some(100.0));
}

#[test]
fn signatures_end_in_the_version_and_count_references() {
    for case in golden::signatures().cases {
        let nrefs = case.nrefs.map_or("var".to_owned(), |count| count.to_string());
        assert!(case.long.starts_with(&format!("nrefs:{nrefs}|")), "{}", case.name);
        assert!(case.long.ends_with("|version:2.6.0"), "{}", case.name);
        assert_eq!(case.options.is_some(), case.metric == "bleu", "{}", case.name);
    }
}

#[test]
fn the_list_of_differences_stays_short() {
    let differences = golden::differences().cases;
    assert!(differences.len() <= MOST_DIFFERENCES, "{} differences", differences.len());
    let words: BTreeSet<&str> = differences.iter().map(|case| case.reason.as_str()).collect();
    assert_eq!(words.len(), differences.len(), "every difference has a reason of its own");
}

#[test]
fn a_name_given_twice_is_refused() {
    let case = "[[case]]\nname = \"a\"\nmetric = \"bleu\"\nlong = \"x\"\n";
    let once = format!("source = \"here\"\n{case}");
    assert!(parse::<SignatureCase>(&once).is_ok());
    let error = parse::<SignatureCase>(&format!("{once}{case}")).expect_err("the name is there twice");
    assert!(error.contains("two cases are named `a`"), "{error}");
}

#[test]
fn an_unknown_key_is_refused() {
    let text = "source = \"here\"\n[[case]]\nname = \"a\"\nmetric = \"bleu\"\nlong = \"x\"\nlnog = \"y\"\n";
    let error = parse::<SignatureCase>(text).expect_err("`lnog` is no key");
    assert!(error.contains("lnog"), "{error}");
}

fn bleu_cases() -> Vec<(&'static str, BleuCase)> {
    golden::all_bleu()
        .into_iter()
        .flat_map(|(name, file)| file.cases.into_iter().map(move |case| (name, case)))
        .collect()
}

fn find<'a>(file: &'a File<BleuCase>, name: &str) -> &'a BleuCase {
    match file.cases.iter().find(|case| case.name == name) {
        Some(case) => case,
        None => panic!("no case named `{name}`"),
    }
}
