//! Tests of input without a value, and of long input.

use super::*;

#[test]
fn a_segment_without_references_is_an_error() {
    for program in ["levenshtein", "difflib", "jaro", "ned", "anls", "eed", "character", "ribes"] {
        let error = value(program, "a", &[]).unwrap_err().to_string();
        assert!(error.contains("references"), "{program}: {error}");
    }
    let error = value("character", "a", &["a", "b"]).unwrap_err().to_string();
    assert!(error.contains("one reference"), "{error}");
}

#[test]
fn an_empty_reference_of_character_has_no_number() {
    let error = value("character", "a", &[" "]).unwrap_err().to_string();
    assert!(error.contains("no segment has a number"), "{error}");
    let segments = [("a", vec![""]), ("b", vec!["b"]), ("", vec!["b"])];
    assert_eq!(for_text(Character, &segments).unwrap(), 0.5);
}

#[test]
fn a_threshold_beyond_its_limits_is_refused() {
    for threshold in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        assert!(Anls::new(AnlsRule::Paper, threshold).is_err());
    }
}

/// Lower case may be longer than upper case, so the distance may exceed the length.
#[test]
fn anls_stays_on_its_scale() {
    for rule in [AnlsRule::Paper, AnlsRule::Rrc] {
        for threshold in [0.0, 0.5, 1.0] {
            let anls = Anls::new(rule, threshold).unwrap();
            let value = for_text(anls, &[("İ", vec!["x"])]).unwrap();
            assert!((0.0..=1.0).contains(&value), "{rule:?} {threshold} {value}");
        }
    }
}

#[test]
fn long_texts_take_no_stack_and_little_time() {
    let (one, other) = ("ab".repeat(3_000), "ba".repeat(3_000));
    for program in ["levenshtein", "indel", "jaro_winkler", "difflib-all", "ned", "anls"] {
        let value = value(program, &one, &[&other]).unwrap();
        assert!((0.0..=1.0).contains(&value), "{program}: {value}");
    }
    let words = "a b ".repeat(800);
    assert!(value("ribes", &words, &[&words[2..]]).is_ok());
    assert!(value("difflib", &"x".repeat(5_000), &[&"x y".repeat(1_000)]).is_ok());
}
