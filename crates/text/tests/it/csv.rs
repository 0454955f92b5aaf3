//! CSV and TSV against a naive twin that looks at one character after the other, and strictness by example.

use crate::twins::for_each_string;
use bleuprint_text::read::{
    EmptyReferences, ReadSegment, SegmentOptions, SegmentReader, Source, read_segments,
};
use quickcheck::{Arbitrary, Gen, quickcheck};
use std::io::{BufReader, Cursor};

const HEADER: &str = "hypothesis,reference,ref_2\n";

fn open(
    text: &'static [u8],
    empty_references: EmptyReferences,
) -> Result<Box<dyn SegmentReader + Send>, String> {
    let options = SegmentOptions { empty_references, ..SegmentOptions::default() };
    let name = if text.contains(&b'\t') { "f.tsv" } else { "f.csv" };
    read_segments(Source::new(text, name), &options).map_err(|error| error.to_string())
}

fn read(text: &str, buffer: usize) -> Result<Vec<Vec<String>>, String> {
    let text = format!("{HEADER}{text}").into_bytes();
    let reader = BufReader::with_capacity(buffer, Cursor::new(text));
    let options = SegmentOptions { empty_references: EmptyReferences::Keep, ..SegmentOptions::default() };
    let mut table =
        read_segments(Source::new(reader, "f.csv"), &options).map_err(|error| error.to_string())?;
    let (mut segment, mut rows) = (ReadSegment::default(), Vec::new());
    while table.next(&mut segment).map_err(|error| error.to_string())? {
        let cells = [&segment.hypothesis, &segment.references[0], &segment.references[1]];
        rows.push(cells.map(|cell| cell.clone().unwrap()).to_vec());
    }
    Ok(rows)
}

#[derive(Debug, Clone)]
struct Hostile(String);

impl Arbitrary for Hostile {
    fn arbitrary(g: &mut Gen) -> Self {
        const PIECES: &str = "\"|,|\n|\r\n|\r|a|é|\"\"|\"a\"|a,b,c\n|\"a\",|x,y,\"z\"\n|\"x\ny\",,\n|\t";
        let pieces: Vec<&str> = PIECES.split('|').collect();
        (0..usize::arbitrary(g) % 14).filter_map(|_| g.choose(&pieces).copied()).collect::<String>().into()
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Hostile))
    }
}

impl From<String> for Hostile {
    fn from(text: String) -> Self {
        Hostile(text)
    }
}

/// The rest of a row where a naive reader has one: rows of three cells, stripped on the right.
fn expected(text: &str) -> Option<Vec<Vec<String>>> {
    let rows = crate::naive::csv::rows(text)?;
    if rows.iter().any(|row| row.len() != 3) {
        return None;
    }
    let strip = |cell: String| cell.trim_end().to_owned();
    Some(rows.into_iter().map(|row| row.into_iter().map(strip).collect()).collect())
}

quickcheck! {
    fn rows_are_those_of_the_naive_twin(text: Hostile, buffer: u8) -> bool {
        read(&text.0, usize::from(buffer) % 9 + 1).ok() == expected(&text.0)
    }

    fn what_is_quoted_is_read_back(rows: Vec<(String, String, String)>, quote_all: bool) -> bool {
        let cell = |text: &str| match quote_all || text.contains(['"', ',', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let mut text = String::new();
        for (a, b, c) in &rows {
            text += &format!("{},{},{}\r\n", cell(a), cell(b), cell(c));
        }
        let strip = |cell: &String| bleuprint_text::whitespace::rstrip(cell).to_owned();
        let expected: Vec<Vec<String>> = rows.iter().map(|(a, b, c)| [a, b, c].map(strip).to_vec()).collect();
        read(&text, 64) == Ok(expected)
    }
}

#[test]
fn every_short_text_is_read_as_by_the_twin() {
    const LETTERS: [char; 5] = ['"', ',', '\n', '\r', 'a'];
    for_each_string(&LETTERS, 7, &mut |text| assert_eq!(read(text, 3).ok(), expected(text), "{text:?}"));
}

#[test]
fn what_is_no_text_and_no_table_is_refused() {
    let mut table = open(b"hypothesis,reference\na,b\xff\n", EmptyReferences::Refuse).unwrap();
    let error = table.next(&mut ReadSegment::default()).unwrap_err().to_string();
    assert!(error.starts_with("f.csv: line 2: cell 2: invalid UTF-8 at byte 2 of the cell; if"), "{error}");
    assert_eq!(
        open(b"", EmptyReferences::Refuse).err().unwrap(),
        "f.csv: empty: a table has a header line, which names its columns"
    );
}

#[test]
fn tabs_separate_and_quotes_are_text() {
    let mut table = open(b"hypothesis\treference\r\n\"a\tb\" c\r\n", EmptyReferences::Refuse).unwrap();
    let mut segment = ReadSegment::default();
    assert!(table.next(&mut segment).unwrap());
    assert_eq!(segment.hypothesis.as_deref(), Some("\"a"));
    assert_eq!(segment.references, [Some("b\" c".to_owned())]);
    assert!(!table.next(&mut segment).unwrap());
}

#[test]
fn empty_references_are_what_they_are_said_to_be() {
    let read = |meaning| {
        let mut table = open(b"hypothesis,reference,reference_2\na,b,c\nd,e, \n", meaning).unwrap();
        let mut segment = ReadSegment::default();
        assert!(table.next(&mut segment).unwrap());
        table.next(&mut segment).map(|_| segment.references[1].clone()).map_err(|error| error.to_string())
    };
    let expected = "f.csv: line 3: cell 3, of the column `reference_2`, is an empty reference";
    assert!(read(EmptyReferences::default()).unwrap_err().starts_with(expected));
    assert_eq!(read(EmptyReferences::Missing), Ok(None));
    assert_eq!(read(EmptyReferences::Keep), Ok(Some(String::new())));
}

#[test]
fn sources_are_read_references_may_be_absent_and_names_have_no_space_at_an_end() {
    let mut table =
        open(b"src\thyp\tscore\tsystem\nx\ty\t1\tA\nx\ty\t1\tA \n", EmptyReferences::Refuse).unwrap();
    let mut segment = ReadSegment::default();
    assert!(table.next(&mut segment).unwrap());
    assert_eq!((segment.source.as_deref(), segment.references.len()), (Some("x"), 0));
    assert_eq!(table.findings().ignored, ["score"]);
    let error = table.next(&mut segment).unwrap_err().to_string();
    assert_eq!(error, "f.tsv: line 3: the system `A ` has whitespace at an end; did you mean `A`?");
}
