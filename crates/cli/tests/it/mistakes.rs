//! Mistakes of newcomers: each message names the remedy.

use crate::common::{Folder, bleuprint, bleuprint_of, parsed, refused};

const FILES: &[(&str, &[u8])] = &[
    ("ref", b"a b c\nd e\n"),
    ("hyp", b"a b\nd e\n"),
    ("new", b"a b\nd f\n"),
    ("blank", b"a b\nd e\n\n"),
    ("latin", b"caf\xe9\nd e\n"),
    ("none", b""),
    ("nothing", b""),
    ("one", b"0.5\n0.25\n"),
    ("numbers.txt", b"0.5\n0.25\n"),
    ("semicolons.csv", b"hypothesis;reference\na b;a c\n"),
    ("tabs.csv", b"hypothesis\treference\na b\ta c\n"),
    ("comma.csv", b"hypothesis,reference\na, b,a c\n"),
    ("latin.csv", b"hypothesis,reference\ncaf\xe9,a c\n"),
    ("missing.csv", b"hypothesis,target\na,b\n"),
    ("prediction.csv", b"prediction,reference\na,b\n"),
    ("prediction.jsonl", b"{\"prediction\":\"a b\",\"reference\":\"a c\"}\n"),
    ("array.json", b"[{\"hypothesis\":\"a\",\"reference\":\"b\"}]\n"),
    ("a.docx", b"PK\x03\x04\x14\0\x06\0\x08\0"),
    ("a.xlsx", b"PK\x03\x04\x14\0\x06\0\x08\0"),
    ("a.parquet", b"PAR1\x15\x04\x15\x10"),
    ("a.pdf", b"%PDF-1.7\n%\xe2\xe3\n"),
    ("policy", b"{\"format\": \"bleuprint-gate/1\"}\n"),
];

/// Commands over the files, and a part of the message.
const MISTAKES: &[(&str, &str)] = &[
    (
        "score ref hyp",
        "<stdin> has 0 segments, but ref has 2; without -i, outputs are read from standard input: -i FILE",
    ),
    ("scor ref -i hyp", "unknown command `scor`"),
    ("scor ref -i hyp", "did you mean `score`?"),
    ("score ref -i hyp --confidence 95", "--confidence takes no value, but `95` stands behind it"),
    ("score ref -i hyp --threads -1", "-1 is not in 1..=1024"),
    ("score ref -i a.docx", "a.docx: a document of a word processor; save it as plain text"),
    ("score ref -i a.xlsx", "a.xlsx: a spreadsheet; save it as CSV"),
    ("score --segments a.parquet", "a.parquet: a table in Parquet; write it as JSON Lines"),
    ("score ref -i a.pdf", "a.pdf: a PDF; `pdftotext`"),
    (
        "score ref -i latin",
        "latin: line 1: invalid UTF-8 at byte 4 of the line; if the file is in Latin-1, `iconv",
    ),
    (
        "score --segments latin.csv",
        "cell 1: invalid UTF-8 at byte 4 of the cell; if the file is in Latin-1, `iconv",
    ),
    ("score ref -i blank", "but ref has 2; the last lines of the longer one are empty"),
    ("score blank -i hyp -sl", "but blank has 3; the last lines of the longer one are empty"),
    (
        "score --segments semicolons.csv",
        "line 1: no column `hypothesis` among hypothesis;reference; it is separated by semicolons",
    ),
    (
        "score --segments tabs.csv",
        "it is separated by tabs, but by its name by commas: .csv has commas, .tsv tabs",
    ),
    ("score --numbers semicolons.csv -m given:name=n,producer=x", "it is separated by semicolons"),
    ("score --segments comma.csv", "line 2: 3 columns, but the header has 2; a cell with a comma is quoted"),
    (
        "score --segments missing.csv",
        "line 1: no column `reference` among hypothesis, target; if `target` is it, name it `reference`",
    ),
    (
        "score --segments prediction.csv",
        "line 1: no column `hypothesis` among prediction, reference; if `prediction` is it",
    ),
    (
        "score --segments prediction.jsonl",
        "neither `hypothesis` nor `hypothesis_ids`; if `prediction` is it, name it `hypothesis`",
    ),
    ("score --segments array.json", "but this is an array; `jq -c '.[]'` makes a line of each"),
    (
        "score --numbers numbers.txt -m given:name=n,producer=x",
        "numbers alone, one a line, are given by their name (--given NAME=FILE)",
    ),
    ("score none -i nothing", "nothing and none: no segments"),
    ("score none -i nothing -sl", "nothing and none: no segments"),
    ("score --segments none", "none: no segments"),
    ("gate --policy policy ref -i hyp", "policy: line 1: this is JSON, but a policy is TOML"),
    ("score ref -i hyp --by domain", "--label domain=FILE gives it"),
    ("align ref -i hyp --by domain", "--label domain=FILE gives it"),
    (
        "compare ref -i hyp new --given n=one -m given:name=n,producer=x",
        "--given n= has 1 file for 2 systems",
    ),
    ("score ref -i hyp --norm lowr", "did you mean `lower`?"),
];

#[test]
fn messages_name_the_remedy() {
    let folder = Folder::new();
    for (name, content) in FILES {
        folder.file(name, content);
    }
    for (command, message) in MISTAKES {
        let arguments: Vec<&str> = command.split(' ').collect();
        folder.refused_in(&arguments, message);
    }
}

#[test]
fn names_behind_a_feature_are_known() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", "a\n"), folder.file("hyp", "a\n"));
    let build = "cargo install bleuprint-cli --features";
    for (name, feature, there) in [
        ("-m=codebleu", "code", cfg!(feature = "code")),
        ("-m=codebleu:lang=python", "code", cfg!(feature = "code")),
        ("--tokenize=zh-jieba", "jieba", cfg!(feature = "jieba")),
        ("--tokenize=hf:tokenizer.json", "hf", cfg!(feature = "hf")),
    ] {
        if !there {
            refused(&["score", &reference, "-i", &system, name], &[&format!("{build} {feature}")]);
        }
    }
    if !cfg!(feature = "code") {
        for command in [&["help", "codebleu"][..], &["list", "metrics", "codebleu"], &["cite", "codebleu"]] {
            refused(command, &[build]);
        }
    }
}

#[test]
fn a_normalizer_keeps_the_number_of_lines() {
    let folder = Folder::new();
    let (text, steps) = (folder.file("text", "b\na b\n"), folder.file("steps", "a\tx\\ny\n"));
    let chain = format!("regex={steps}");
    let output = bleuprint(&["normalize", &text, "--norm", &chain]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("line 2: the normalizer `regex#") && message.contains("several lines"),
        "{message}"
    );
}

#[test]
fn one_nul_is_text_and_no_encoding() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", "a\n"), folder.file("hyp", "a\0bcd\n"));
    let output = bleuprint(&["score", &reference, "-i", &system]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && message.contains("line 1 has a NUL in it"), "{message}");
}

#[test]
fn f_measures_have_precision_and_recall_in_json() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", "a b c d\n"), folder.file("hyp", "a b\n"));
    let score = parsed(&["score", &reference, "-i", &system, "-m", "rouge1", "-f", "json"]);
    assert_eq!((&score["precision"], &score["recall"]), (&1.0.into(), &0.5.into()), "{score}");
}

#[test]
fn times_below_zero_do_not_overlap() {
    let folder = Folder::new();
    let sessions = folder.file("r.stm", "X 1 a -2 -1 go\nX 1 a -0.5 3 on\n");
    let output = bleuprint(&["score", "--speakers", &sessions, "-i", &sessions, "-m", "cpwer"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn one_is_no_plural() {
    let folder = Folder::new();
    let (reference, short) = (folder.file("ref", "a b\n\n"), folder.file("short", "a\n"));
    refused(&["score", &reference, "-i", &short], &["has 1 segment, but"]);
    let system = folder.file("sys", "a b\nc\n");
    let said = bleuprint(&["score", &reference, "-i", &system, "-m", "wer"]).stderr;
    assert!(String::from_utf8_lossy(&said).contains("1 reference is without words"));
    let written = bleuprint(&[
        "stats",
        &folder.file("r", "a\n"),
        "-i",
        &folder.file("h", "a\n"),
        "-o",
        &folder.path("one"),
    ]);
    assert!(String::from_utf8_lossy(&written.stdout).contains("1 segment of"), "{written:?}");
    let explained = bleuprint_of(&["explain", "--hyp", "a", "--ref", "b c"], b"");
    let explained = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(!explained.contains("1 tokens"), "{explained}");
}
