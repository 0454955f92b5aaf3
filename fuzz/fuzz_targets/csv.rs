//! Fuzzes CSV against the naive reader of its tests: any text under a header of three columns, in buffers of
//! any size.
#![no_main]

#[path = "../../crates/text/tests/it/naive/csv.rs"]
mod naive;

use std::io::{BufReader, Cursor};

use bleuprint_text::read::{
    EmptyReferences, ReadSegment, SegmentOptions, SegmentReader, Source, read_segments,
};
use bleuprint_text::whitespace::rstrip;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (u8, &str)| {
    let (buffer, text) = data;
    let whole = format!("hypothesis,reference,ref_2\n{text}");
    let reader = BufReader::with_capacity(usize::from(buffer) + 1, Cursor::new(whole.into_bytes()));
    let options = SegmentOptions { empty_references: EmptyReferences::Keep, ..SegmentOptions::default() };
    let read = read(&mut *read_segments(Source::new(reader, "f.csv"), &options).expect("a header"));
    let rows = naive::rows(text).filter(|rows| rows.iter().all(|row| row.len() == 3));
    let expected = rows.map(|rows| {
        let strip = |row: Vec<String>| row.iter().map(|cell| rstrip(cell).to_owned()).collect::<Vec<_>>();
        rows.into_iter().map(strip).collect::<Vec<_>>()
    });
    assert_eq!(read, expected);
});

fn read(table: &mut dyn SegmentReader) -> Option<Vec<Vec<String>>> {
    let (mut segment, mut rows) = (ReadSegment::default(), Vec::new());
    while table.next(&mut segment).ok()? {
        let cells = segment.hypothesis.iter().chain(segment.references.iter().flatten());
        rows.push(cells.cloned().collect());
    }
    Some(rows)
}
