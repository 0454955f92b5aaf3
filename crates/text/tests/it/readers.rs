//! Readers on real files: standard input's newlines, errors with their places.

use bleuprint_text::{FileText, LineReader, Newlines};

use crate::streams::Temporary;

fn all(mut lines: LineReader) -> Vec<String> {
    let (mut line, mut all) = (String::new(), Vec::new());
    while lines.next(&mut line).expect("UTF-8") {
        all.push(line.clone());
    }
    all
}

#[test]
fn files_and_standard_input_differ_in_newlines() {
    let text = b"a b c d\re f g h\n\r\nx\r";
    assert_eq!(all(LineReader::new(&text[..], "f")), ["a b c d\re f g h", "", "x"]);
    let universal = LineReader::new(&text[..], "f").with_newlines(Newlines::Universal);
    assert_eq!(all(universal), ["a b c d", "e f g h", "", "x"]);
}

#[test]
fn newlines_at_the_edges_of_buffers_count_once() {
    let text: Vec<u8> = b"ab\r\ncd\r\r\nef\n\n".repeat(3);
    for capacity in 1..8 {
        let reader = std::io::BufReader::with_capacity(capacity, std::io::Cursor::new(text.clone()));
        let lines = LineReader::new(reader, "f").with_newlines(Newlines::Universal);
        assert_eq!(all(lines), ["ab", "cd", "", "ef", ""].repeat(3), "buffers of {capacity}");
    }
}

#[test]
fn streams_and_texts_agree() {
    for bytes in [&b""[..], b"\n", b"a", b"a\n", b"a \n\nb\xc2\xa0\n", b"\n\n"] {
        let text = FileText::open(&Temporary::new("agree", bytes).0, Default::default()).expect("UTF-8");
        let lines = all(LineReader::new(std::io::Cursor::new(bytes.to_vec()), "f"));
        assert_eq!(lines, text.iter().collect::<Vec<_>>());
    }
}

#[test]
fn invalid_utf8_names_file_line_and_byte() {
    let file = Temporary::new("invalid", b"fine\nab\xff\n");
    let mut lines = LineReader::open(&file.0, Default::default()).expect("a file");
    let mut line = String::new();
    assert!(lines.next(&mut line).expect("UTF-8"));
    let expected = format!(
        "{}: line 2: invalid UTF-8 at byte 3 of the line; if the file is in Latin-1, `iconv -f latin1 -t utf-8` converts it",
        file.0.display()
    );
    assert_eq!(lines.next(&mut line).unwrap_err().to_string(), expected);
    assert_eq!(FileText::open(&file.0, Default::default()).unwrap_err().to_string(), expected);
}

#[test]
fn missing_files_are_named() {
    let error = LineReader::open("/no/such/file", Default::default()).unwrap_err().to_string();
    assert!(error.starts_with("/no/such/file: "), "{error}");
}

#[cfg(feature = "jsonl")]
#[test]
fn json_lines_give_filtered_ids() {
    use bleuprint_text::read::{
        IdFilter, ReadSegment, SegmentOptions, SegmentReader as _, Source, read_segments,
    };
    let line = r#"{"hypothesis_ids": [1, 5, 6, 2, 0], "reference_ids": [[5, 7, -100], null]}"#;
    let ids = IdFilter { pad: vec![0, -100], begin: vec![1], end: vec![2], exclude: Vec::new() };
    let options = SegmentOptions { ids, ..SegmentOptions::default() };
    let mut reader = read_segments(Source::new(line.as_bytes(), "f.jsonl"), &options).expect("a reader");
    let mut segment = ReadSegment::default();
    assert!(reader.next(&mut segment).expect("a segment"));
    assert_eq!(segment.hypothesis_ids.as_deref(), Some(&[5, 6][..]));
    assert_eq!(segment.reference_ids, [Some(vec![5, 7]), None]);
}
