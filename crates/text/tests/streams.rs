//! What a stream of bytes may be: compressed and recognised by its content, cut off, padded, marked; and read once.

use bleuprint_text::read::{Segment, SegmentReader, check_read_once, count_lines, open_segments};
use bleuprint_text::{Lines, Text};
use std::fs;
use std::path::PathBuf;

/// A file in the temporary folder, gone with the value.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("bleuprint-streams-{}-{name}", std::process::id()));
        fs::write(&path, bytes).expect("a writable temporary folder");
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The lines of a file with this name and content, or the error without the file's name.
fn lines(name: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
    let file = Temporary::new(name, bytes);
    let text = Text::open(&file.0).map(|text| text.iter().map(str::to_owned).collect());
    text.map_err(|error| error.to_string().replace(&format!("{}: ", file.0.display()), ""))
}

#[test]
fn marks_are_skipped_and_utf16_is_named() {
    assert_eq!(lines("bom", b"\xEF\xBB\xBFa\nb\n").unwrap(), ["a", "b"]);
    assert_eq!(lines("bom2", "\u{feff}\u{feff}a".as_bytes()).unwrap(), ["\u{feff}a"], "one mark, no more");
    assert_eq!(lines("only", b"\xEF\xBB\xBF").unwrap(), [""; 0]);
    assert_eq!(lines("part", b"\xEF\xBB").unwrap_err(), "line 1: invalid UTF-8 at byte 1 of the line");
    for mark in [b"\xFF\xFEa\0", b"\xFE\xFF\0a"] {
        assert_eq!(
            lines("utf16", mark).unwrap_err(),
            "UTF-16, as its byte order mark says; convert it to UTF-8"
        );
    }
    let expected = "compressed with xz, which is not read here; decompress it first";
    assert_eq!(lines("xz", b"\xFD7zXZ\0\0\x04").unwrap_err(), expected);
}

#[cfg(feature = "gz")]
mod gzip {
    use super::*;
    use std::io::Write;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn content_tells_and_not_the_name() {
        for name in ["a.gz", "a.GZ", "a.txt", "a"] {
            assert_eq!(lines(name, &member(b"\xEF\xBB\xBFa\nb")).unwrap(), ["a", "b"], "{name}");
        }
        let error = lines("text.Gz", b"a\n").unwrap_err();
        assert_eq!(error, "its name says gzip, but its content does not");
        assert_eq!(lines("empty.gz", b"").unwrap_err(), "empty, and so it is not gzip");
    }

    #[test]
    fn every_cut_is_refused_but_those_between_members() {
        let (one, two) = (member(b"a\nb"), member(b"c\nd\n"));
        let both = [&one[..], &two[..]].concat();
        for end in 1..both.len() {
            let read = lines("cut.gz", &both[..end]);
            match end {
                1 => assert_eq!(read.unwrap_err(), "its name says gzip, but its content does not"),
                _ if end == one.len() => assert_eq!(read.unwrap(), ["a", "b"]),
                _ => assert!(read.is_err_and(|error| error.contains("ends too early")), "{end}"),
            }
        }
        assert_eq!(lines("both", &both).unwrap(), ["a", "bc", "d"]);
    }

    #[test]
    fn zeros_at_the_end_are_padding_and_nothing_else_is() {
        let one = member(b"a\nb");
        for zeros in [1, 511, 300_000] {
            assert_eq!(lines("padded", &[&one[..], &vec![0; zeros]].concat()).unwrap(), ["a", "b"]);
        }
        for tail in [&b"x"[..], b"\0x", b"\n"] {
            let read = lines("tail", &[&one[..], tail].concat());
            assert_eq!(read.unwrap_err(), "bytes after the end of the gzip data", "{tail:?}");
        }
        assert!(lines("member", &[&one[..], b"\0", &one[..]].concat()).is_err());
    }

    #[test]
    fn damage_is_found() {
        let whole = member(&b"some text that is long enough\n".repeat(20));
        for at in 2..whole.len() {
            for bit in [1, 0x80] {
                let mut damaged = whole.clone();
                damaged[at] ^= bit;
                // Bytes 3 to 9 are flags, time and system, which may be anything, and the last byte before the checksum has
                // bits without a meaning. Wherever else, a text that can be read is not the same.
                let free = (3..10).contains(&at) || at == whole.len() - 9;
                assert!(free || lines("damaged", &damaged).is_err(), "byte {at} of {}", whole.len());
            }
        }
    }
}

#[cfg(feature = "zst")]
#[test]
fn every_cut_of_zstandard_is_refused() {
    let frame = |text: &[u8]| zstd::stream::encode_all(text, 0).expect("memory");
    let (one, two) = (frame(b"a\nb"), frame(b"c\nd\n"));
    let both = [&one[..], &two[..]].concat();
    for name in ["a.zst", "a.ZST", "a"] {
        assert_eq!(lines(name, &both).unwrap(), ["a", "bc", "d"], "{name}");
    }
    for end in 4..both.len() {
        assert_eq!(lines("cut", &both[..end]).is_ok(), end == one.len(), "{end}");
    }
    assert_eq!(lines("text.zst", b"a\n").unwrap_err(), "its name says Zstandard, but its content does not");
}

#[cfg(feature = "jsonl")]
#[test]
fn segments_are_told_by_name_in_capitals_and_else_by_content() {
    let json = &b"\n {\"hyp\": \"x\", \"refs\": [\"y\"]}\n"[..];
    let (csv, tsv) = (&b"id,hypothesis,reference\n1,x,y\n"[..], &b"reference\thyp\ny\tx\n"[..]);
    let cases = [
        ("a.JSONL", json),
        ("a.NdJson", json),
        ("a.CSV", csv),
        ("a.Tab", tsv),
        ("a", json),
        ("b", csv),
        ("c", tsv),
    ];
    for (name, content) in cases {
        for content in [content.to_vec(), [b"\xEF\xBB\xBF", content].concat()] {
            let file = Temporary::new(name, &content);
            let mut reader = open_segments(&file.0, &Default::default()).expect(name);
            let mut segment = Segment::default();
            assert!(reader.next(&mut segment).expect(name));
            assert_eq!(segment.hypothesis.as_deref(), Some("x"), "{name}");
            assert_eq!(segment.references, [Some("y".to_owned())], "{name}");
            assert!(!reader.next(&mut segment).expect(name));
        }
    }
    for content in [&b"a line\n"[..], b"", b"hypothesis only\n", b"\xff\xff"] {
        let file = Temporary::new("lines", content);
        let error = open_segments(&file.0, &Default::default()).err().expect("no segments").to_string();
        assert!(error.contains("neither JSON Lines nor a table"), "{error}");
    }
}

#[test]
fn lines_are_counted_where_they_can_be_read_again() {
    let file = Temporary::new("counted", b"a\nb");
    assert_eq!(count_lines(&file.0).unwrap(), Some(2));
    assert_eq!(count_lines("-").unwrap(), None);
    assert_eq!(count_lines("/no/such/file").unwrap(), None);
    check_read_once([&file.0, &file.0]).expect("a file can be read twice");
}

#[cfg(unix)]
#[test]
fn one_pipe_is_one_stream_whatever_its_name() {
    let path = std::env::temp_dir().join(format!("bleuprint-streams-{}-fifo", std::process::id()));
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let link = path.with_extension("link");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    let error = check_read_once([&path, &link]).unwrap_err().to_string();
    let _ = (fs::remove_file(&path), fs::remove_file(&link));
    assert!(error.contains("given twice, as `"), "{error}");
    assert!(check_read_once(["/dev/fd/0", "-"]).is_err());
    assert!(check_read_once(["-", "-"]).unwrap_err().to_string().starts_with("<stdin>: given twice, but"));
}

/// Reads one byte at a time, as a slow pipe gives them.
struct Slow(std::io::Cursor<Vec<u8>>);

impl std::io::Read for Slow {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(1);
        std::io::Read::read(&mut self.0, &mut out[..len])
    }
}

#[test]
fn lines_do_not_depend_on_the_pieces_in_which_they_come() {
    let text = "é\nlonger line \n\nlast".as_bytes().to_vec();
    let mut all = Vec::new();
    let mut lines = Lines::new(std::io::BufReader::new(Slow(std::io::Cursor::new(text))), "f");
    let mut line = String::new();
    while lines.next(&mut line).expect("UTF-8") {
        all.push(line.clone());
    }
    assert_eq!(all, ["é", "longer line", "", "last"]);
}
