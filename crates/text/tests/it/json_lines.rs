//! JSON Lines: rows that are read, and errors of all records in their own words, with line and place.

use bleuprint_text::read::{
    EmptyReferences, ReadSegment, SegmentOptions, SegmentReader, Source, read_segments,
};
use quickcheck::quickcheck;

fn rows(text: &str) -> Box<dyn SegmentReader + Send> {
    let source = Source::new(std::io::Cursor::new(text.to_owned()), "f.jsonl");
    read_segments(source, &Default::default()).unwrap()
}

fn read(line: &str) -> Result<ReadSegment, String> {
    let mut reader = rows(line);
    let mut segment = ReadSegment::default();
    match reader.next(&mut segment) {
        Ok(true) => Ok(segment),
        Ok(false) => Err("no segment".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn errors_name_line_column_and_what_is_there() {
    for row in include_str!("../data/faults.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(row).unwrap();
        let [file, text, expected] = ["file", "text", "error"].map(|key| case[key].as_str().unwrap());
        let reader = std::io::BufReader::with_capacity(4, std::io::Cursor::new(text.to_owned()));
        let read = read_segments(Source::new(reader, file), &Default::default()).and_then(|mut reader| {
            while reader.next(&mut ReadSegment::default())? {}
            Ok(())
        });
        let error = read.unwrap_err().to_string();
        assert_eq!(error, format!("{file}: {expected}"), "{text}");
        for word in ["untagged", "struct", "enum", "Row", "map", "sequence", "serde"] {
            assert!(!error.contains(word), "{error}");
        }
    }
}

#[test]
fn labels_are_any_scalar_and_a_number_has_one_form() {
    let cases = [
        ("7", Some("7")),
        ("-0", Some("0")),
        ("1.0", Some("1")),
        ("1.50", Some("1.5")),
        ("1e3", Some("1000")),
        (r#""1.0""#, Some("1.0")),
        ("123456789012345678901234567890", Some("123456789012345678901234567890")),
        ("true", Some("true")),
        ("null", None),
        (r#""a\u00e9""#, Some("aé")),
        (r#""""#, Some("")),
    ];
    for (written, label) in cases {
        let segment =
            read(&format!(r#"{{"id": {written}, "system": {written}, "hyp": "a", "ref": "b"}}"#)).unwrap();
        assert_eq!((segment.id.as_deref(), segment.system.as_deref()), (label, label), "{written}");
    }
}

#[test]
fn keys_and_values_may_be_escaped_and_others_are_ignored() {
    let line = r#" {"x": {"hyp": [1, {}]}, "hy\u0070": "a\tb", "refs": [null, "c"], "reference_ids": null, "y": 1e999} "#;
    let segment = read(line).unwrap();
    assert_eq!(segment.hypothesis.as_deref(), Some("a\tb"));
    assert_eq!(segment.references, [None, Some("c".to_owned())]);
    assert!(segment.reference_ids.is_empty());
}

#[test]
fn sources_are_read_references_may_be_absent_and_other_keys_are_told() {
    let text = "{\"hyp\": \"a\", \"src\": \"b\", \"lp\": 1}\n{\"hyp\": \"a\", \"score\": 2, \"lp\": 1}\n";
    let mut reader = rows(text);
    let mut segment = ReadSegment::default();
    assert!(reader.next(&mut segment).unwrap());
    assert_eq!((segment.source.as_deref(), segment.references.len()), (Some("b"), 0));
    assert!(reader.next(&mut segment).unwrap());
    assert_eq!(segment.source, None);
    assert_eq!(reader.findings().ignored, ["lp", "score"]);
}

/// Pieces of rows, put together at random.
fn hostile(bytes: &[u8]) -> String {
    const PIECES: &str = "{|}|[|]|\"|:|,|\"hyp\"|\"ref\"|\"refs\"|\"hypothesis_ids\"|\"id\"|\"a\"|null|1|-2.5e9|\\|\\u|é|\u{0}| |true";
    let pieces: Vec<&str> = PIECES.split('|').collect();
    bytes.iter().map(|byte| pieces[usize::from(*byte) % pieces.len()]).collect()
}

quickcheck! {
    fn no_line_panics_and_columns_are_within_the_line(bytes: Vec<u8>) -> bool {
        let line = hostile(&bytes);
        let line = format!("{{\"hyp\": \"a\", {line}");
        match read(&line) {
            Ok(_) => true,
            Err(error) => match error.split("column ").nth(1) {
                None => true,
                Some(rest) => {
                    let column: usize = rest.split(':').next().unwrap().parse().unwrap();
                    (1..=line.chars().count() + 1).contains(&column)
                }
            },
        }
    }
}

#[test]
fn empty_references_are_what_they_are_said_to_be() {
    let read = |line: &'static str, empty_references| {
        let options = SegmentOptions { empty_references, ..SegmentOptions::default() };
        let mut reader = read_segments(Source::new(line.as_bytes(), "f.jsonl"), &options).unwrap();
        let mut segment = ReadSegment::default();
        reader.next(&mut segment).map(|_| (segment.references.len(), segment.reference_ids.len()))
    };
    for (line, missing) in [
        (r#"{"hyp": "a", "refs": ["b c", " "]}"#, (1, 0)),
        (r#"{"hyp": "a", "refs": [null, "", "b c"]}"#, (2, 0)),
        (r#"{"hypothesis_ids": [1], "reference_ids": [[1, 2], []]}"#, (0, 1)),
    ] {
        let message = read(line, EmptyReferences::Refuse).unwrap_err().to_string();
        assert!(message.starts_with("f.jsonl: line 1: reference 2 is an empty reference"), "{message}");
        assert_eq!(read(line, EmptyReferences::Missing).unwrap(), missing);
        let kept = read(line, EmptyReferences::Keep).unwrap();
        assert_eq!(kept.0 + kept.1, missing.0 + missing.1 + 1);
    }
    for alone in [r#"{"hyp": "a", "refs": ["", null]}"#, r#"{"hyp": "a", "ref": ""}"#] {
        assert!(read(alone, EmptyReferences::Refuse).is_ok());
    }
}
