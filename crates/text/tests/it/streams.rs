//! The forms of a stream of bytes: compressed and recognised by its content, cut off, padded, marked; and read once.

use bleuprint_core::InputError;
use bleuprint_testkit::Folder;
use bleuprint_text::read::{
    Findings, ReadSegment, SegmentReader, check_read_once, count_lines, open_segments,
};
use bleuprint_text::{Encoding, FileText, LineReader, Newlines};
use std::path::PathBuf;

/// A file in a folder of its own, gone with the value.
pub(crate) struct Temporary(
    pub(crate) PathBuf,
    #[expect(dead_code, reason = "kept until the file is read")] Folder,
);

impl Temporary {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = Folder::new();
        Temporary(folder.file(name, bytes), folder)
    }
}

/// The lines of a file with this name and content, or the error without the file's name.
fn lines(name: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
    let file = Temporary::new(name, bytes);
    let text =
        FileText::open(&file.0, Default::default()).map(|text| text.iter().map(str::to_owned).collect());
    text.map_err(|error| error.to_string().replace(&format!("{}: ", file.0.display()), ""))
}

#[test]
fn marks_are_text_unless_they_are_not_to_be() {
    let marked = Temporary::new("bom", b"\xEF\xBB\xBFa\nb\n");
    let as_text = |encoding| {
        let text = FileText::open(&marked.0, encoding).unwrap();
        let mut lines = LineReader::open(&marked.0, encoding).unwrap();
        assert!(text.iter().all(|line| lines.advance().unwrap() && lines.line() == line));
        assert!(!lines.advance().unwrap());
        assert_eq!(lines.findings(), &text.findings());
        (text.iter().map(str::to_owned).collect::<Vec<_>>(), text.findings().leading_mark)
    };
    assert_eq!(as_text(Encoding::Utf8), (vec!["\u{feff}a".to_owned(), "b".to_owned()], true));
    assert_eq!(as_text(Encoding::Utf8Sig), (vec!["a".to_owned(), "b".to_owned()], false));
    assert_eq!(lines("only", b"\xEF\xBB\xBF").unwrap(), ["\u{feff}"]);
    assert_eq!(
        lines("part", b"\xEF\xBB").unwrap_err(),
        "line 1: invalid UTF-8 at byte 1 of the line; if the file is in Latin-1, `iconv -f latin1 -t utf-8` converts it"
    );
}

#[test]
fn other_encodings_are_named() {
    for mark in [b"\xFF\xFEa\0", b"\xFE\xFF\0a"] {
        assert_eq!(
            lines("utf16", mark).unwrap_err(),
            "UTF-16, as its byte order mark says; convert it to UTF-8"
        );
    }
    for (bytes, name) in [(&b"a\0\n\0"[..], "UTF-16"), (b"\0a\0\n", "UTF-16"), (b"a\0\0\0\n\0\0\0", "UTF-32")]
    {
        let expected = format!("{name} without a byte order mark, by its NUL bytes; convert it to UTF-8");
        assert_eq!(lines("wide", bytes).unwrap_err(), expected);
    }
    assert_eq!(lines("nul", &[0; 99]).unwrap_err(), "begins with NUL bytes and is therefore not text");
    let expected = "compressed with xz, which is not supported; decompress the file first";
    assert_eq!(lines("xz", b"\xFD7zXZ\0\0\x04").unwrap_err(), expected);
    for (name, kind) in [("a.bz2", "bzip2"), ("a.XZ", "xz"), ("a.zip", "zip"), ("a.lz4", "lz4")] {
        assert_eq!(
            lines(name, b"text\n").unwrap_err(),
            format!("its name says {kind}, but its content does not")
        );
    }
}

#[test]
fn marks_and_nuls_elsewhere_are_found_with_their_lines() {
    let long = "a line\n".repeat(20_000);
    for (text, mark, nul) in [
        ("a\n\u{feff}b\n".to_owned(), Some(2), None),
        ("\u{feff}a\nb\u{feff}".to_owned(), Some(2), None),
        ("\u{feff}\u{feff}".to_owned(), Some(1), None),
        ("abcdefgh\0\n".to_owned(), None, Some(1)),
        (format!("{long}\u{feff}{long}\0"), Some(20_001), Some(40_001)),
    ] {
        let leading = text.starts_with('\u{feff}');
        for newlines in [Newlines::Lf, Newlines::Universal] {
            let mut lines = LineReader::new(std::io::Cursor::new(text.clone()), "f").with_newlines(newlines);
            while lines.advance().unwrap() {}
            let Findings { leading_mark, mark: found, nul: found_nul, .. } = lines.findings().clone();
            assert_eq!((leading_mark, found, found_nul), (leading, mark, nul), "{newlines:?}");
        }
        assert_eq!(FileText::new(text, "f").findings().mark, mark);
    }
}

#[test]
fn carriage_returns_alone_are_refused_however_they_come() {
    let read = |text: &'static str, newlines| {
        let reader = std::io::BufReader::new(Slow(std::io::Cursor::new(text.into())));
        let mut lines = LineReader::new(reader, "f").with_newlines(newlines);
        loop {
            match lines.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(lines.read()),
                Err(error) => return Err(error.to_string()),
            }
        }
    };
    for text in ["a\rb\rc\r", "a\rb", "a\r\r", "\ra"] {
        for newlines in [Newlines::Lf, Newlines::Universal] {
            let error = read(text, newlines).unwrap_err();
            assert!(error.contains("carriage returns and no line feed"), "{text:?}: {error}");
        }
        assert!(lines("cr", text.as_bytes()).unwrap_err().contains("carriage returns and no line feed"));
    }
    for (text, of_file, of_input) in
        [("a\r", 1, 1), ("a\r\nb\r\n", 2, 2), ("a\rb\nc", 2, 3), ("a\r\n", 1, 1), ("", 0, 0)]
    {
        assert_eq!(read(text, Newlines::Lf), Ok(of_file), "{text:?}");
        assert_eq!(read(text, Newlines::Universal), Ok(of_input), "{text:?}");
        assert_eq!(lines("cr", text.as_bytes()).unwrap().len() as u64, of_file, "{text:?}");
    }
}

/// Everything that every reader gives of a file: lines, or segments. After an error all that follows is the same error.
fn by_every_reader(file: &PathBuf) -> Vec<Result<String, String>> {
    let by_lines = |newlines| {
        let mut lines = LineReader::open(file, Default::default())?.with_newlines(newlines);
        repeated(|all| {
            let more = lines.advance()?;
            *all += lines.line();
            all.push('\n');
            Ok(more)
        })
    };
    let mut texts = vec![
        FileText::open(file, Default::default())
            .map(|text| text.iter().map(|line| format!("{line}\n")).collect()),
        by_lines(Newlines::Lf),
        by_lines(Newlines::Universal),
        LineReader::open(file, Default::default()).and_then(|mut lines| {
            let mut line = String::new();
            repeated(|all| {
                let more = lines.next(&mut line)?;
                *all += &line;
                Ok(more)
            })
        }),
        LineReader::open(file, Default::default()).and_then(|mut lines| {
            repeated(|all| {
                *all = lines.count_rest()?.to_string();
                Ok(false)
            })
        }),
    ];
    texts.push(open_segments(file, &Default::default()).and_then(|mut reader| all_segments(&mut reader)));
    texts.into_iter().map(|read| read.map_err(|error| error.to_string())).collect()
}

/// Calls until the end. What fails once must fail alike ever after.
fn repeated(mut next: impl FnMut(&mut String) -> Result<bool, InputError>) -> Result<String, InputError> {
    let mut all = String::new();
    loop {
        match next(&mut all) {
            Ok(true) => {}
            Ok(false) => return Ok(all),
            Err(error) => {
                for _ in 0..3 {
                    assert!(next(&mut all).is_err(), "after the error `{error}` the rest was read");
                }
                return Err(error);
            }
        }
    }
}

fn all_segments(reader: &mut dyn SegmentReader) -> Result<String, InputError> {
    let mut segment = ReadSegment::default();
    let mut all = String::new();
    while reader.next(&mut segment)? {
        all += &format!("{segment:?}");
    }
    Ok(all)
}

/// Checks a compressed file under every damage: each reader refuses it, or gives what the whole file gives. Returns the
/// number of damaged files that were read as whole ones.
#[cfg(any(feature = "gz", feature = "zst"))]
fn read_under_damage(name: &str, whole: &[u8]) -> usize {
    let folder = Folder::new();
    let file = |bytes: &[u8]| folder.file(name, bytes);
    let expected = by_every_reader(&file(whole));
    assert!(expected.iter().all(Result::is_ok), "{expected:?}");
    let cuts = (1..whole.len()).map(|end| whole[..end].to_vec());
    let flips = (0..whole.len() * 8).map(|bit| {
        let mut bytes = whole.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    let tails = [&b"x"[..], b"\n", b"\0x", whole[..whole.len() / 2].into(), b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];
    let tails = tails.into_iter().map(|tail| [whole, tail].concat());
    let mut read_as_whole = 0;
    for bytes in cuts.chain(flips).chain(tails) {
        let read = by_every_reader(&file(&bytes));
        read_as_whole += usize::from(read[0].is_ok());
        for (place, (read, expected)) in read.iter().zip(&expected).enumerate() {
            assert!(read.is_err() || read == expected, "reader {place} of {name} took damage for data");
        }
        let refused = read.iter().filter(|read| read.is_err()).count();
        assert!(
            refused == 0 || refused == read.len(),
            "some readers of {name} refuse it and others do not: {read:?}"
        );
    }
    read_as_whole
}

/// JSON Lines of some length that hardly compress, so that every part of the compressed data says something.
#[cfg(any(feature = "gz", feature = "zst"))]
fn rows() -> Vec<u8> {
    let row = |number: u64| {
        let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        format!("{{\"hyp\": \"{hash:x}\", \"ref\": \"{:x}\"}}\n", hash >> 3)
    };
    (1..12).map(row).collect::<String>().into_bytes()
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
            assert_eq!(lines(name, &member(b"\xEF\xBB\xBFa\nb")).unwrap(), ["\u{feff}a", "b"], "{name}");
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
    fn no_reader_takes_damage_for_data() {
        let whole = member(&rows());
        // Time, system and flag of text in the header, and the bits that fill the last byte of the data.
        let free = (32 + 8 + 8 + 1)..=(32 + 8 + 8 + 1 + 7);
        let read = read_under_damage("damaged.jsonl.gz", &whole);
        assert!(free.contains(&read), "{read} damaged files were read");
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

#[cfg(feature = "zst")]
#[test]
fn no_reader_takes_damaged_zstandard_for_data() {
    use std::io::Write;
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 0).expect("memory");
    // As the program `zstd` writes it.
    encoder.include_checksum(true).expect("a checksum");
    encoder.write_all(&rows()).expect("memory");
    let read = read_under_damage("damaged.jsonl.zst", &encoder.finish().expect("memory"));
    // Bits without a meaning: in the header, and those that fill the last byte of a stream of bits.
    assert!(read <= 16, "{read} damaged files were read");
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
            let mut segment = ReadSegment::default();
            assert!(reader.next(&mut segment).expect(name));
            assert_eq!(segment.hypothesis.as_deref(), Some("x"), "{name}");
            assert_eq!(segment.references, [Some("y".to_owned())], "{name}");
            assert!(!reader.next(&mut segment).expect(name));
        }
    }
    let neither = "neither JSON Lines nor a table";
    for (content, message) in [
        (&b"a line\n"[..], neither),
        (b"", "no segments: an empty corpus has no score"),
        (b"hypothesis only\n", neither),
        (b"\xff\xff", neither),
    ] {
        let file = Temporary::new("lines", content);
        let error = open_segments(&file.0, &Default::default()).err().expect("no segments").to_string();
        assert!(error.contains(message), "{error}");
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
    let folder = Folder::new();
    let path = folder.path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo failed: install coreutils");
    let link = path.with_extension("link");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    let error = check_read_once([&path, &link]).unwrap_err().to_string();
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
    let mut lines = LineReader::new(std::io::BufReader::new(Slow(std::io::Cursor::new(text))), "f");
    let mut line = String::new();
    while lines.next(&mut line).expect("UTF-8") {
        all.push(line.clone());
    }
    assert_eq!(all, ["é", "longer line", "", "last"]);
}
