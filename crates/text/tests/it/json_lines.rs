//! JSON Lines: rows that are read, and errors in words of JSON with line and column.

use bleuprint_text::read::{EmptyReferences, Segment, SegmentOptions, SegmentReader, Source, read_segments};
use quickcheck::quickcheck;

fn rows(text: &str) -> Box<dyn SegmentReader + Send> {
    let source = Source::new(std::io::Cursor::new(text.to_owned()), "f.jsonl");
    read_segments(source, &Default::default()).unwrap()
}

fn read(line: &str) -> Result<Segment, String> {
    let mut reader = rows(line);
    let mut segment = Segment::default();
    match reader.next(&mut segment) {
        Ok(true) => Ok(segment),
        Ok(false) => Err("no segment".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn errors_name_line_column_and_what_is_there() {
    let cases = [
        (r#"{"references": ["a"]}"#, "neither `hypothesis` nor `hypothesis_ids`"),
        (r#"{"hyp": null, "refs": ["a"]}"#, "neither `hypothesis` nor `hypothesis_ids`"),
        (r#"{"hyp": "a", "ref": "b", "sytem": "c"}"#, "the key `sytem` is not read; did you mean `system`?"),
        (
            r#"{"hyp": "a", "reference_2": "b"}"#,
            "the key `reference_2` is not read; did you mean `references` with an array, or `reference`?",
        ),
        (
            r#"{"hyp": "a", "ref": "b", "system": "A "}"#,
            "the system `A ` has whitespace at an end; did you mean `A`?",
        ),
        (r#"{"hyp": "a", "source": ["b"]}"#, "column 24: `source` is an array, but must be a text"),
        (r#"{"hyp": "a", "ref": "b", "refs": ["c"]}"#, "both `references` and `reference`"),
        (
            r#"{"hypothesis": "a", "hyp": "b", "ref": "c"}"#,
            "column 30: the key `hypothesis` (or `hyp`) twice",
        ),
        (r#"{"id": 1, "id": 1, "hyp": "b", "ref": "c"}"#, "column 17: the key `id` twice"),
        (r#"{"hyp": 1, "ref": "c"}"#, "column 9: `hypothesis` is a number, but must be a text"),
        (r#"{"hyp": ["é"], "ref": "c"}"#, "column 9: `hypothesis` is an array, but must be a text"),
        (r#"{"é": 1, "hyp": "a", "ref": {}}"#, "column 29: `reference` is an object, but must be a text"),
        (
            r#"{"hyp": "a", "refs": 7}"#,
            "column 22: `references` is a number, but must be a text or an array of texts",
        ),
        (
            r#"{"hyp": "a", "refs": ["b", 7]}"#,
            "column 28: `references` holds 7, but may hold texts, and null for a missing one",
        ),
        (
            r#"{"hyp": "a", "refs": [["one", "two", "three", "four"]]}"#,
            "column 23: `references` holds [\"one\", \"two\", \"thre.., but may hold texts, and null for a missing one",
        ),
        (
            r#"{"hypothesis_ids": [1, 2.5], "reference_ids": [[1]]}"#,
            "column 24: `hypothesis_ids` holds 2.5, but may hold ids, which are integers of 64 bits",
        ),
        (
            r#"{"hypothesis_ids": "1 2", "reference_ids": [[1]]}"#,
            "column 20: `hypothesis_ids` is a text, but must be an array of ids, which are integers",
        ),
        (
            r#"{"hypothesis_ids": [1], "reference_ids": [1]}"#,
            "column 43: `reference_ids` holds 1, but may hold arrays of ids, and null for a missing one",
        ),
        (
            r#"{"hypothesis_ids": [1, -100], "reference_ids": [[1]]}"#,
            "an id that is not filtered out is -100, but must be from 0 to 4294967295",
        ),
        (
            r#"{"hyp": "a", "ref": "b", "id": [1]}"#,
            "column 32: `id` is an array, but must be a text, a number, true, false or null",
        ),
        (
            r#"["a", "b"]"#,
            "column 1: a row is an object, but this is an array; `jq -c '.[]'` makes a line of each object of an array",
        ),
        (r#" "a""#, "column 2: a row is an object, but this is a text"),
        ("not json", "column 1: a row is an object, but this is no value of JSON"),
        (
            "[1",
            "column 1: a row is an object, but this is an array; `jq -c '.[]'` makes a line of each object of an array",
        ),
        (r#"{"hyp": "é" "ref": "b"}"#, "column 13: expected `,` or `}`"),
        (r#"{"hyp" "a"}"#, "column 8: expected `:`"),
        (r#"{"hyp": }"#, "column 9: a value is expected"),
        (r#"{hyp: 1}"#, "column 2: a key in quotes is expected"),
        (r#"{"hyp": "a"} {"hyp": "b"}"#, "column 14: text after the end of the object"),
        (r#"{"hyp": "a", "refs": ["b""#, "column 25: the line ends within an array"),
        (r#"{"hyp": "a"#, "column 10: the line ends within a text"),
        (r#"{"hyp": "a""#, "column 11: the line ends within an object"),
        (r#"{"hyp": "\ud800", "ref": "b"}"#, "column 16: unexpected end of hex escape"),
        (r#"{"hyp": "\q", "ref": "b"}"#, "column 11: invalid escape"),
        (r#"{"hyp": tru, "ref": "b"}"#, "column 12: expected `true`, `false` or `null`"),
        (r#"{"hyp": "a", "ref": "b",}"#, "column 25: trailing comma"),
        (r#"{"hyp": 01, "ref": "b"}"#, "column 10: invalid number"),
    ];
    for (line, message) in cases {
        let error = read(&format!("\n{line}\n")).unwrap_err();
        assert_eq!(error, format!("f.jsonl: line 2: {message}"), "{line}");
        for word in ["untagged", "struct", "enum", "Row", "map", "sequence", "serde", "line 1"] {
            assert!(!error.contains(word), "{error}");
        }
    }
}

#[test]
fn labels_are_any_scalar_as_it_is_written() {
    let cases = [
        ("7", Some("7")),
        ("-0", Some("-0")),
        ("1.50", Some("1.50")),
        ("1e3", Some("1e3")),
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
    let mut segment = Segment::default();
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
        let mut segment = Segment::default();
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
