//! Fuzzes JSON Lines against a generic JSON reader: every value read must be in the line, and errors must
//! name their line.
#![no_main]

use bleuprint_text::read::{ReadSegment, SegmentReader, Source, read_segments};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let source = Source::new(std::io::Cursor::new(data.to_vec()), "f.jsonl");
    let mut reader = read_segments(source, &Default::default()).expect("a reader");
    let mut segment = ReadSegment::default();
    loop {
        match reader.next(&mut segment) {
            Ok(true) => check(data, reader.location().line.expect("a line"), &segment),
            Ok(false) => return,
            Err(error) => {
                assert!(error.to_string().starts_with("f.jsonl: "), "{error}");
                return;
            }
        }
    }
});

fn check(data: &[u8], number: u64, segment: &ReadSegment) {
    let line = data.split(|&byte| byte == b'\n').nth(number as usize - 1).expect("the line");
    let row: Value = serde_json::from_slice(line).expect("JSON");
    let text = |names: [&str; 2]| names.iter().find_map(|name| row.get(name)).and_then(Value::as_str);
    assert_eq!(segment.hypothesis.as_deref(), text(["hypothesis", "hyp"]));
    assert_eq!(segment.source.as_deref(), text(["source", "src"]));
    let references = ["references", "refs", "reference", "ref"].iter().filter_map(|name| row.get(name));
    let references = references.flat_map(|value| match value {
        Value::Array(items) => items.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    });
    let references: Vec<Option<String>> = references.map(|item| item.as_str().map(str::to_owned)).collect();
    assert_eq!(segment.references, references);
}
