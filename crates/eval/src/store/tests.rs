//! Files of statistics: round trips and refusals.

use bleuprint_testkit::Folder;
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
        metrics: vec![
            metric("linear", Some(&["segments", "references", "references_squared", "a", "b"])),
            metric("set", None),
        ],
        labels: vec!["id".to_owned(), "domain".to_owned()],
        each,
        unit: None,
        ids: Vec::new(),
        left_out: Vec::new(),
    }
}

fn statistics(rows: &[(u16, u32)]) -> StoredStatistics {
    let set = |segments: usize, set: &[u16]| {
        let counts =
            serde_json::json!({"segments": segments, "references": segments, "references_squared": segments});
        StoredState::Other(serde_json::json!({"counts": counts, "set": set}))
    };
    let segment = |(index, &(a, b)): (usize, &(u16, u32))| StoredSegment {
        references: Fingerprint::from_texts([format!("reference {index}")]),
        source: Some(Fingerprint::from_texts([format!("source {index}")])),
        labels: vec![Some(format!("{index}\u{2028}")), (index % 2 == 0).then(|| "news".to_owned())],
        states: vec![StoredState::Row(vec![1, 1, 1, u64::from(a), u64::from(b) << 20]), set(1, &[a])],
    };
    let segments: Vec<StoredSegment> = rows.iter().enumerate().map(segment).collect();
    let sum = |column: usize| segments.iter().map(|one| one.states[0].row().unwrap()[column]).sum();
    let total = vec![StoredState::Row((0..5).map(sum).collect()), set(rows.len(), &[])];
    StoredStatistics::new(header(true), segments, total)
}

fn written(statistics: &StoredStatistics, name: &str) -> Vec<u8> {
    let folder = Folder::new();
    statistics.write(folder.path(name)).unwrap();
    std::fs::read(folder.path(name)).unwrap()
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

/// Tests every cut and every bit of every byte: the end line is covered by its own checksum.
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
    assert_eq!(statistics.rows(0).unwrap().row(1), [1, 1, 1, 3, 4 << 20]);
    assert!(statistics.rows(1).unwrap_err().to_string().contains("`set` are not rows"));
    let domains = statistics.segments.iter().map(|segment| segment.labels[1].as_deref());
    assert_eq!(domains.collect::<Vec<_>>(), [Some("news"), None]);
}

/// Returns the file with some text replaced and a correct checksum.
fn forged(from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(written(&statistics(&[(1, 2), (3, 4)]), "forged")).unwrap();
    assert!(text.contains(from), "{text}");
    sealed(&text.replacen(from, to, 1))
}

/// Returns the text as a file with a correct checksum.
fn sealed(text: &str) -> Vec<u8> {
    use sha2::Digest as _;
    let (before, end) = text.rsplit_once(",\"sha256\":\"").unwrap();
    let (lines, end_line) = before.rsplit_once('\n').unwrap();
    assert_eq!(end.len(), 67);
    let mut sealed = format!("{end_line}}}").into_bytes();
    super::checksum::seal(&mut sealed, sha2::Sha256::new_with_prefix(format!("{lines}\n")));
    [lines.as_bytes(), b"\n", &sealed, b"\n"].concat()
}

#[test]
fn forged_files_are_refused_with_their_line() {
    let row = "[1,1,1,1,2097152]";
    let counts = |segments: u32, references: u32| {
        let counts = serde_json::json!({"segments": segments, "references": references, "references_squared": references});
        counts.to_string()
    };
    let one = counts(1, 1);
    let none = counts(1, 0);
    let two = counts(2, 1);
    let linear = "\"segments\",\"references\",\"references_squared\"";
    let cases = [
        ("stats/2", "stats/3", "f: line 1: the format is bleuprint-stats/3, but this program"),
        ("bleuprint-stats/2", "other/1", "f: line 1: the format is `other/1`"),
        ("bleuprint-stats/2", "bleuprint-stats/1", "f: line 2: a source in a file of bleuprint-stats/1"),
        ("\"domain\"]", "\"id\"]", "f: line 1: the header names the label `id` twice"),
        ("\"spec\":\"set\"", "\"spec\":\"linear\"", "f: line 1: the header names the metric `linear` twice"),
        ("{\"format\"", "{\"x\":1,\"format\"", "f: line 1: unknown field `x`"),
        (
            linear,
            "\"a\",\"b\",\"c\"",
            "f: line 1: the columns of linear are a, b, c, a, b, but those of every",
        ),
        (
            row,
            "[1,1,1,1,99999999999999999999]",
            "f: line 2: the state of linear: invalid type: floating point",
        ),
        (row, "[1,1,1,-1,2097152]", "f: line 2: the state of linear: invalid value"),
        (row, "[1]", "f: line 2: the state of linear: 1 counts for 5 columns"),
        (row, "[2,1,1,1,2097152]", "f: line 2: the state of linear counts 2 segments, the line 1"),
        (row, "[1,2,4,1,2097152]", "f: line 2: the states of linear and set count other references"),
        (&one, &two, "f: line 2: the state of set counts 2 segments, the line 1"),
        (&one, &none, "f: line 2: the states of linear and set count other references"),
        (&one, "{}", "f: line 2: the state of set: its counts of segments: missing field"),
        (row, "[1,1,1,2,2097152]", "f: line 4: the states of linear do not add up to the total"),
        (row, "[1,1,1,18446744073709551615,2097152]", "f: line 4: the states of linear: count out of range"),
        (
            "{\"segments\":2",
            "{\"segments\":3",
            "f: line 4: the state of linear counts 2 segments, the line 3",
        ),
        ("[2,2,2,", "[3,2,2,", "f: line 4: the state of linear counts 3 segments, the line 2"),
        (
            "\"each\":true",
            "\"each\":false",
            "f: line 2: a line of a segment in a file that holds a total alone",
        ),
        (",\"news\"]", "]", "f: line 2: 1 labels, but the header names 2"),
        (",\"set\":[1]}", "},1],\"x\":[2", "f: line 2: unknown field `x`"),
        ("\"source\":\"", "\"source\":\"x", "f: line 2: `x"),
    ];
    for (from, to, expected) in cases {
        let error = read(&forged(from, to)).unwrap_err();
        assert!(error.starts_with(expected), "{from} -> {to}: {error}");
    }
    read(&forged("\"tool\":\"test\"", "\"tool\":\"other\"")).unwrap();
    // The end line and its totals count one segment too many.
    let text = String::from_utf8(forged("{\"segments\":2", "{\"segments\":3")).unwrap();
    let more = text.replace("[2,2,2,", "[3,2,2,").replace(&counts(2, 2), &counts(3, 2));
    let error = read(&sealed(&more)).unwrap_err();
    assert!(error.starts_with("f: line 4: the end line counts 3 segments, but there are 2"), "{error}");
    let mut nothing = statistics(&[]);
    (nothing.header.metrics, nothing.total) = (Vec::new(), Vec::new());
    assert_eq!(read(&written(&nothing, "nothing")).unwrap_err(), "f: line 1: the header names no metrics");
}

/// Tests that files of the previous version are read, with unknown sources.
#[test]
fn files_of_the_version_before_are_read() {
    let mut old = statistics(&[(1, 2), (3, 4)]);
    old.header.format = "bleuprint-stats/1".to_owned();
    old.segments.iter_mut().for_each(|segment| segment.source = None);
    old.source = None;
    let bytes = written(&old, "old");
    assert!(!String::from_utf8_lossy(&bytes).contains("source"));
    assert_eq!(read(&bytes).unwrap(), old);
    let metric = |name: &str| bleuprint_metrics::registry().build(name).unwrap();
    old.require_sources(&metric("bleu")).unwrap();
    let error = old.require_sources(&metric("sari")).unwrap_err().to_string();
    assert!(error.contains("this file of bleuprint-stats/1 does not say which source"), "{error}");
    statistics(&[(1, 2)]).require_sources(&metric("sari")).unwrap();
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

#[cfg(feature = "zst")]
#[test]
fn compressed_files_are_the_same() {
    let statistics = statistics(&[(1, 2); 500]);
    let folder = Folder::new();
    let path = folder.path("c.stats.zst");
    statistics.write(&path).unwrap();
    let size = std::fs::metadata(&path).unwrap().len();
    let back = StoredStatistics::read(&path).unwrap();
    assert_eq!(back, statistics);
    assert!(size < 20_000, "{size}");
}
