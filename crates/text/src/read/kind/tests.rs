//! Tests of [`FileKind`]: each format under its name, under another name, and texts that resemble it.

use super::*;

/// One small file of each format, with a usual name.
const FILES: [(&str, FileKind, &str); 16] = [
    ("h.jsonl", FileKind::JsonLines, "{\"id\": 0, \"text\": \"a b\"}\n{\"id\": 1, \"text\": \"c d\"}\n"),
    ("h.json", FileKind::Json, "[\n  {\"id\": 0, \"text\": \"a b\"},\n  {\"id\": 1}\n]\n"),
    ("list.json", FileKind::Json, "[\"a b\", \"c d\"]\n"),
    ("s.json", FileKind::SegLst, "[{\"session_id\": \"s\", \"words\": \"a b\"}]\n"),
    ("h.csv", FileKind::Csv, "id,text\n0,the house is small\n1,\"we go, home\"\n"),
    ("h.tsv", FileKind::Tsv, "id\ttext\n0\tthe house\n1\twe go\n"),
    ("h.sgm", FileKind::Sgml, "<refset setid=\"x\">\n<doc docid=\"a\">\n<seg id=\"1\">a b</seg>\n"),
    ("h.xml", FileKind::Xml, "<?xml version='1.0'?>\n<dataset id=\"wmt\">\n<doc>\n"),
    ("m.sgm", FileKind::Sgml, "<?xml version='1.0'?>\n<mteval>\n<refset>\n"),
    ("h.html", FileKind::Html, "<!DOCTYPE html>\n<p>a b</p>\n"),
    ("h.srt", FileKind::Srt, "1\n00:00:01,000 --> 00:00:02,000\nhello\n\n2\n"),
    ("h.vtt", FileKind::Vtt, "WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n"),
    ("h.stm", FileKind::Stm, ";; x\ns1 1 A 0 2 <o,f,m> hello there\ns1 1 B 2.5 4 good bye\n"),
    ("h.ctm", FileKind::Ctm, "s1 1 0.1 0.2 hello 0.9\ns1 1 0.5 0.2 there 0.99\n"),
    ("h.rttm", FileKind::Rttm, "SPEAKER rec 1 5.00 5.00 <NA> <NA> a <NA> <NA>\n"),
    ("h.trn", FileKind::Trn, "a b (ann-1)\nc d (ann-2)\ne f (bob-1)\n"),
];

#[test]
fn each_format_is_known_by_its_lines_and_refused_under_its_name() {
    for (name, kind, text) in FILES {
        // The first lines alone are enough for a warning.
        assert_eq!(FileKind::detect("h.txt", text), Some(kind), "{name}");
        assert_eq!(FileKind::detect(name, text), Some(kind), "{name}");
        for name in [name.to_owned(), name.to_uppercase(), format!("{name}.gz")] {
            let error = ExpectedLines::Texts.check(&name, text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(kind.remedy()) && error.contains("--plain"), "{error}");
            assert!(ExpectedLines::Any.check(&name, text.as_bytes()).is_ok());
        }
        assert!(ExpectedLines::Texts.check("h.txt", text.as_bytes()).is_ok(), "{name}");
    }
    assert!(ExpectedLines::Columns.check("h.tsv", b"a\tb\nc\td\n").is_ok());
    assert!(ExpectedLines::Columns.check("h.jsonl", b"{\"a\": 1}\n").is_err());
}

#[test]
fn every_format_has_an_entry() {
    for (_, kind, _) in FILES {
        assert_eq!(kind.entry().kind, kind);
    }
}

#[test]
fn texts_are_texts() {
    for text in [
        "",
        "\n\n",
        "the cat sat on the mat\n",
        "[noise] hello\n[laughter] good bye\n",
        "{ uh } hello\n",
        "hello, world\ngood bye, all\n",
        "1\n2\n3\n",
        "1\nthen 2 --> 3\n",
        "a < b\n<unk> x\n",
        "so (laughs)\nwell (laughs)\nyes (laughs)\n",
        "we had 3 5 4 and so on\n",
        "{\"a\": 1}\nand more text\n",
        "WEBVTTs\n",
        "SPEAKER of the house\n",
        "ein Satz\tnoch einer\nmehr\tund mehr\n",
        "yes, no\nno, yes\n",
    ] {
        assert_eq!(FileKind::detect("a.txt", text), None, "{text}");
        assert_eq!(FileKind::detect("-", text), None, "{text}");
        assert_eq!(FileKind::detect("a.en", text), None, "{text}");
    }
    // A name alone is no reason: such files may have one text on each line.
    for name in [
        "a.jsonl", "a.json", "a.html", "a.srt", "a.vtt", "a.stm", "a.ctm", "a.rttm", "a.trn", "a.csv",
        "a.tsv",
    ] {
        assert_eq!(FileKind::detect(name, "the cat sat\nhello there\n"), None, "{name}");
    }
}

#[test]
fn a_cut_line_is_not_examined() {
    let long = format!("{{\"text\": \"{}\"}}\n", "a ".repeat(40));
    let text = long.repeat(200);
    assert_eq!(ExpectedLines::Texts.unlike("a.jsonl", text.as_bytes()), Some(FileKind::JsonLines));
    let mut broken = text.as_bytes()[..HEAD].to_vec();
    broken.push(0xFF);
    assert_eq!(ExpectedLines::Texts.unlike("a.jsonl", &broken), Some(FileKind::JsonLines));
}
