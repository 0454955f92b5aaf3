//! Files of statistics: round trips, and everything that must be refused.

use quickcheck::quickcheck;

use super::*;

fn header(each: bool) -> Header {
    let metric = |spec: &str, columns: Option<&[&str]>| StoredMetric {
        spec: spec.to_owned(),
        key: format!("{spec}/1|case:mixed|tok:13a"),
        signature: spec.to_owned(),
        columns: columns.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
        learned: None,
    };
    Header {
        format: FORMAT.to_owned(),
        tool: "test".to_owned(),
        system: "sys \"a\"\n".to_owned(),
        metrics: vec![metric("linear", Some(&["a", "b"])), metric("set", None)],
        labels: vec!["id".to_owned(), "domain".to_owned()],
        each,
    }
}

fn statistics(rows: &[(u16, u32)]) -> StoredStatistics {
    let segment = |(index, &(a, b)): (usize, &(u16, u32))| StoredSegment {
        references: References::of([format!("reference {index}")]),
        labels: vec![Some(format!("{index}\u{2028}")), (index % 2 == 0).then(|| "news".to_owned())],
        states: vec![
            StoredState::Row(vec![u64::from(a), u64::from(b) << 20]),
            StoredState::Other(serde_json::json!({"set": [a]})),
        ],
    };
    let segments: Vec<StoredSegment> = rows.iter().enumerate().map(segment).collect();
    let sum = |column: usize| segments.iter().map(|one| one.states[0].row().unwrap()[column]).sum();
    let total =
        vec![StoredState::Row(vec![sum(0), sum(1)]), StoredState::Other(serde_json::json!({"set": []}))];
    let references = segments.iter().fold(References::default(), |sum, one| sum.plus(one.references));
    let segment_count = segments.len() as u64;
    StoredStatistics { header: header(true), segments, segment_count, references, total }
}

fn place(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("bleuprint-store-{}-{name}", std::process::id()))
}

fn written(statistics: &StoredStatistics, name: &str) -> Vec<u8> {
    let path = place(name);
    statistics.write(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<StoredStatistics, String> {
    StoredStatistics::from_reader(bytes, "f").map_err(|error| error.to_string())
}

quickcheck! {
    fn what_is_written_is_read(rows: Vec<(u16, u32)>) -> bool {
        let statistics = statistics(&rows);
        read(&written(&statistics, "round")).unwrap() == statistics
    }
}

/// Every cut, and every bit of every byte: the end line is covered by its own checksum.
#[test]
fn no_cut_and_no_changed_byte_is_read() {
    let bytes = written(&statistics(&[(1, 2), (3, 4), (5, 6)]), "cut");
    for at in 0..bytes.len() {
        // A missing line feed at the very end is all that a reader may overlook.
        assert!(at + 1 == bytes.len() || read(&bytes[..at]).is_err(), "cut to {at} bytes");
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(read(&changed).is_err(), "bit {bit} of byte {at}: {}", String::from_utf8_lossy(&changed));
        }
    }
}

#[test]
fn a_total_alone_is_read() {
    let whole = statistics(&[(1, 2), (3, 4)]);
    let total = StoredStatistics { header: header(false), segments: Vec::new(), ..whole };
    let back = read(&written(&total, "total")).unwrap();
    assert_eq!(back, total);
    assert!(back.rows(0).unwrap_err().to_string().contains("holds a total alone"));
}

#[test]
fn rows_and_labels_come_out() {
    let statistics = statistics(&[(1, 2), (3, 4)]);
    assert_eq!(statistics.rows(0).unwrap().row(1), [3, 4 << 20]);
    assert!(statistics.rows(1).unwrap_err().to_string().contains("`set` are not rows"));
    assert_eq!(statistics.labels("domain").unwrap().collect::<Vec<_>>(), [Some("news"), None]);
    let error = statistics.labels("genre").err().unwrap().to_string();
    assert_eq!(error, "the segments have no label `genre`; they have: id, domain");
}

/// The file with some text replaced and the checksum made right again.
fn forged(from: &str, to: &str) -> Vec<u8> {
    use sha2::Digest;
    let text = String::from_utf8(written(&statistics(&[(1, 2), (3, 4)]), "forged")).unwrap();
    assert!(text.contains(from), "{text}");
    let text = text.replacen(from, to, 1);
    let end = text.rfind(",\"sha256\":\"").unwrap();
    let hash = super::write::hexadecimal(&sha2::Sha256::digest(&text.as_bytes()[..end]));
    let at = end + 11;
    format!("{}{hash}{}", &text[..at], &text[at + 64..]).into_bytes()
}

#[test]
fn forged_files_are_refused_with_their_line() {
    let cases = [
        (
            "bleuprint-stats/1",
            "bleuprint-stats/2",
            "f: line 1: the format is bleuprint-stats/2, but this program",
        ),
        ("bleuprint-stats/1", "other/1", "f: line 1: the format is `other/1`"),
        ("{\"format\"", "{\"x\":1,\"format\"", "f: line 1: unknown field `x`"),
        (
            "[1,2097152]",
            "[1,99999999999999999999]",
            "f: line 2: the state of linear: invalid type: floating point",
        ),
        ("[1,2097152]", "[-1,2097152]", "f: line 2: the state of linear: invalid value"),
        ("[1,2097152]", "[1]", "f: line 2: the state of linear: 1 counts for 2 columns"),
        ("[1,2097152]", "[2,2097152]", "f: line 5: the states of linear do not add up to the total"),
        (
            "[1,2097152]",
            "[18446744073709551615,2097152]",
            "f: line 5: the states of linear: count out of range",
        ),
        ("\"segments\":2", "\"segments\":3", "f: line 5: the end line counts 3 segments, but there are 2"),
        (
            "\"each\":true",
            "\"each\":false",
            "f: line 2: a line of a segment in a file that holds a total alone",
        ),
        (",\"news\"]", "]", "f: line 2: 1 labels, but the header names 2"),
        ("{\"set\":[1]}", "1],\"x\":[2", "f: line 2: unknown field `x`"),
        (",{\"set\":[1]}", "", "f: line 2: 1 states, but the header names 2 metrics"),
    ];
    for (from, to, expected) in cases {
        let error = read(&forged(from, to)).unwrap_err();
        assert!(error.starts_with(expected), "{from} -> {to}: {error}");
    }
    read(&forged("\"tool\":\"test\"", "\"tool\":\"other\"")).unwrap();
}

#[test]
fn what_is_no_such_file_is_named() {
    assert_eq!(read(b"").unwrap_err(), "f: line 1: the file is empty");
    assert!(read(b"a plain text\n").unwrap_err().contains("not a file of statistics"));
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n";
    assert!(read(pointer).unwrap_err().contains("git lfs pull"));
    let mut longer = written(&statistics(&[(1, 2)]), "longer");
    longer.extend_from_slice(b"{}\n");
    assert!(read(&longer).unwrap_err().contains("more after the end line"));
}

#[test]
fn other_references_are_named() {
    let (one, mut other) = (statistics(&[(1, 2), (3, 4)]), statistics(&[(1, 2), (3, 4)]));
    one.require_same_references("a", &other, "b").unwrap();
    other.segments[1].references = References::of(["x"]);
    let error = one.require_same_references("a", &other, "b").unwrap_err().to_string();
    assert_eq!(error, "a and b differ in the references of segment 2");
    let error = one.require_same_references("a", &statistics(&[(1, 2)]), "b").unwrap_err().to_string();
    assert_eq!(error, "a has 2 segments, but b has 1");
}

#[cfg(feature = "zst")]
#[test]
fn compressed_files_are_the_same() {
    let statistics = statistics(&[(1, 2); 500]);
    let path = place("c.stats.zst");
    statistics.write(&path).unwrap();
    let size = std::fs::metadata(&path).unwrap().len();
    let back = StoredStatistics::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(back, statistics);
    assert!(size < 20_000, "{size}");
}
