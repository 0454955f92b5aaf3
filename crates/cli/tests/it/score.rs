//! The program as a user meets it: forms of input and output, and every kind of bad input.

use crate::common::{
    Folder, bleuprint, pair, parsed, parsed_of, refused, refused_of, said, stdout, stdout_of,
};
use serde_json::Value;

const REF: &str = "The dog bit the man.\nIt was not unexpected.\n";
const SYS: &str = "The dog bit the man.\nIt wasn't surprising.\n";

#[test]
fn the_text_line_is_sacrebleus() {
    let (_folder, reference, system) = pair(REF, SYS);
    let score = |options: &[&str]| stdout(&[&["score", &reference, "-i", &system], options].concat());
    // The numbers are those that sacreBLEU 2.6.0 prints for these files.
    let expected = concat!(
        "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:bleuprint-0.1.0 = 64.0 ",
        "80.0/62.5/66.7/75.0 (BP = 0.905 ratio = 0.909 hyp_len = 10 ref_len = 11)\n"
    );
    assert_eq!(score(&["-f", "text"]), expected);
    let short = score(&["-f", "text", "-sh", "-w", "3"]);
    assert!(short.starts_with("BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:bleuprint-0.1.0 = "), "{short}");
    assert_eq!(score(&["-b", "-w", "2"]).trim().len(), 5);
}

#[test]
fn standard_input_is_a_system_or_several() {
    let (_folder, reference, system) = pair(REF, SYS);
    let by_file = parsed(&["score", &reference, "-i", &system]);
    // Carriage returns alone end lines too, among others; a text with nothing else is refused, as from a file.
    for newline in ["\n", "\r\n"] {
        assert_eq!(
            parsed_of(&["score", &reference], SYS.replace('\n', newline).as_bytes()),
            by_file,
            "{newline:?}"
        );
    }
    let mixed = SYS.replace('\n', "\r") + "\n";
    assert_eq!(parsed_of(&["score", &reference], mixed.replace("\r\n", "\n").as_bytes()), by_file);
    refused_of(&["score", &reference], SYS.replace('\n', "\r").as_bytes(), &["<stdin>", "carriage returns"]);
    let columns: String = SYS.lines().zip(REF.lines()).map(|(a, b)| format!("{a}\t{b}\n")).collect();
    let both = parsed_of(&["score", &reference], columns.as_bytes());
    assert_eq!(both[0]["scores"][0], by_file);
    assert_eq!(both[1]["BLEU"], 100.00000000000004);
    refused_of(&["score", &reference], b"a\tb\nc\n", &["<stdin>", "line 2", "1 tab-separated column, but 2"]);
}

#[test]
fn references_come_as_columns_too() {
    let folder = Folder::new();
    let tsv =
        folder.file("refs.tsv", "The dog bit the man.\tA dog bit a man.\nIt rained.\tIt was raining.\n");
    let both = parsed_of(&["score", &tsv, "-nr", "2"], b"A dog bit a man.\nIt rained.\n");
    assert_eq!((&both["nrefs"], &both["score"]), (&"2".into(), &100.00000000000004.into()));
    refused_of(
        &["score", &tsv, "-nr", "3"],
        b"a\nb\n",
        &["refs.tsv", "line 1", "2 tab-separated columns, but 3"],
    );
}

#[test]
fn sentence_level_gives_a_line_per_segment() {
    let (_folder, reference, system) = pair(REF, SYS);
    let text = stdout(&["score", &reference, "-i", &system, "-sl"]);
    assert_eq!(text.lines().count(), 2);
    assert!(text.lines().all(|line| line.contains("|eff:yes|")), "{text}");
    let lines = stdout(&["score", &reference, "-i", &system, "-sl", "-f", "json", "-m", "bleu", "wer"]);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[3]["segment"], &rows[3]["name"]), (&2.into(), &"WER".into()));
}

#[test]
fn options_are_in_the_signature() {
    let (_folder, reference, system) = pair(REF, SYS);
    let options = ["-m", "bleu:max-order=2,ref-len=shortest", "-lc", "-tok", "none"];
    let object = parsed(&[&["score", &reference, "-i", &system], &options[..]].concat());
    let signature = "nrefs:1|case:lc|eff:no|tok:none|smooth:exp|order:2|len:shortest|version:bleuprint-0.1.0";
    assert_eq!((&object["signature"], &object["order"]), (&signature.into(), &"2".into()));
}

#[test]
fn bad_input_is_refused_with_where_and_why() {
    let (folder, reference, system) = pair(REF, SYS);
    let longer = folder.file("longer", format!("{REF}one more\n"));
    let invalid = folder.file("invalid", b"good\nb\xffd\n");
    let empty = folder.file("empty", "");
    refused(&["score", &longer, "-i", &system], &["sys has 2 segments", "longer has 3"]);
    refused(&["score", &invalid, "-i", &system], &["invalid", "line 2", "invalid UTF-8 at byte 2"]);
    refused(&["score", &empty, "-i", &empty], &["no segments"]);
    refused(&["score", "/no/such/file", "-i", &system], &["/no/such/file"]);
    refused(&["score"], &["REF"]);
    let with = |options: &[&str], words: &[&str]| {
        refused(&[&["score", &reference, "-i", &system], options].concat(), words);
    };
    with(&["-s", "exponential"], &["exponential", "none, floor, add-k, exp"]);
    with(&["-tok", "13"], &["unknown tokenizer `13`", "13a"]);
    with(&["-m", "blue"], &["blue", "bleu"]);
    with(&["-f", "xml"], &["xml", "json, text"]);
    with(&["-m", "bleu:ref-len=longest"], &["longest", "closest, shortest, average"]);
    with(&["-s", "floor", "-sv", "-1"], &["smooth-value is -1", "from 0 to 1"]);
    with(&["-s", "exp", "-sv", "1"], &["takes no value"]);
    with(&["-m", "bleu:max-order=0"], &["max-order is 0", "from 1 to 1000"]);
    with(&["-m", "bleu:max-order=four"], &["`four`", "a whole number"]);
    with(&["-m", "bleu:weights=0.5/0.6"], &["1.1", "must be 1"]);
    with(&["-m", "wer", "-s", "exp"], &["--smooth-method is an option of bleu"]);
    with(&["--no-such-option"], &["--no-such-option"]);
}

#[test]
fn one_file_may_hold_everything() {
    let folder = Folder::new();
    let rows = concat!(
        r#"{"id": 2, "system": "x", "hypothesis": "a b c d", "references": ["a b c d", null]}"#,
        "\n",
        r#"{"id": 2, "system": "y", "hypothesis": "a b", "references": ["a b c d", null], "domain": "news"}"#,
        "\n",
        r#"{"id": 3, "system": "x", "hypothesis": "e f g h", "references": ["e f g h", "h"]}"#,
        "\n",
        r#"{"id": 3, "system": "y", "hypothesis": "e", "references": ["e f g h", "h"]}"#,
        "\n",
    );
    let jsonl = folder.file("all.jsonl", rows);
    let systems = parsed(&["score", "--segments", &jsonl, "-tok", "none"]);
    assert_eq!((&systems[0]["system"], &systems[0]["BLEU"]), (&"x".into(), &100.00000000000004.into()));
    assert_eq!(systems[0]["scores"][0]["nrefs"], "var");
    let lines = stdout(&["score", "--segments", &jsonl, "-sl", "-f", "json"]);
    let second: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    assert_eq!(
        (&second["id"], &second["domain"], &second["segment"]),
        (&"2".into(), &"news".into(), &2.into())
    );
    let csv = folder.file("all.csv", "hypothesis,reference_1,reference_2\n\"a, b\",\"a, b\",c\n");
    assert_eq!(parsed(&["score", "--segments", &csv, "-m", "em"])["score"], 100.0);
    let ids =
        folder.file("ids.jsonl", r#"{"hypothesis_ids": [1, 2, 3, 4], "reference_ids": [[1, 2, 3, 4]]}"#);
    let by_ids = parsed(&["score", "--segments", &ids, "-tok", "ids"]);
    assert_eq!((&by_ids["score"], &by_ids["tok"]), (&100.00000000000004.into(), &"ids".into()));
    let padded = folder.file(
        "padded.jsonl",
        r#"{"hypothesis_ids": [7, 1, 2, 3, 4, 9, 5], "reference_ids": [[1, 2, 3, 4]]}"#,
    );
    let filter = ["--begin-ids", "7", "--end-ids", "9", "--pad-ids", "-100,0"];
    let trimmed = parsed(&[&["score", "--segments", &padded, "-tok", "ids"], &filter[..]].concat());
    assert_eq!((&trimmed["score"], &trimmed["sys_len"]), (&100.00000000000004.into(), &4.into()));
    refused(
        &["score", "--segments", &padded, "--end-ids", "9"],
        &["an option of the tokenizer `ids`, not of `13a`"],
    );
    refused(&["score", "--segments", &ids], &["ids.jsonl", "line 1", "--tokenize ids"]);
    let unknown = folder.file("all.txt", rows);
    assert_eq!(parsed(&["score", "--segments", &unknown, "-tok", "none"]), systems);
    let lines = folder.file("lines.txt", "a\n");
    refused(&["score", "--segments", &lines], &["lines.txt", "neither JSON Lines nor a table"]);
    let piped = parsed_of(&["score", "--segments", "-", "-tok", "none"], rows.as_bytes());
    assert_eq!(piped, systems);
    let none = folder.file("none.jsonl", r#"{"hypothesis": "a", "references": [null]}"#);
    refused(&["score", "--segments", &none], &["none.jsonl", "line 1", "no references"]);
}

#[test]
fn threads_never_change_a_score() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", REF.repeat(3000)), folder.file("sys", SYS.repeat(3000)));
    let score = |threads: &str| parsed(&["score", &reference, "-i", &system, "--threads", threads]);
    assert_eq!(score("1"), score("2"));
    assert_eq!(score("1"), score("7"));
}

#[test]
fn tokenized_hypotheses_are_suspected() {
    let folder = Folder::new();
    let tokenized = folder.file("tokenized", "A sentence .\n".repeat(100));
    let warned = bleuprint(&["score", &tokenized, "-i", &tokenized, "-b", "-tok", "char"]);
    assert_eq!(String::from_utf8_lossy(&warned.stdout), "100.0\n");
    assert!(String::from_utf8_lossy(&warned.stderr).contains("100 hypotheses end in a tokenized period"));
    let forced = bleuprint(&["score", &tokenized, "-i", &tokenized, "-b", "-tok", "char", "--force"]);
    assert!(forced.status.success() && forced.stderr.is_empty());
}

#[test]
fn a_tokenizer_for_spaced_languages_is_warned_of() {
    let folder = Folder::new();
    let chinese = folder.file("zh", "猫坐在垫子上。\n");
    let message = said(&["score", &chinese, "-i", &chinese, "-b"]);
    assert!(message.contains("are Han") && message.contains("--tokenize zh"), "{message}");
    for quiet in [["-tok", "zh"], ["-l", "en-zh"], ["-tok", "char"], ["-q", "--force"]] {
        let arguments = [&["score", &chinese, "-i", &chinese, "-b"], &quiet[..]].concat();
        assert!(bleuprint(&arguments).stderr.is_empty(), "{quiet:?}");
    }
}

#[test]
fn tokens_and_names_can_be_shown() {
    assert_eq!(
        stdout_of(&["tokenize", "-tok", "13a"], b"Hello, world.\n1,000.50\n"),
        "Hello , world .\n1,000.50\n"
    );
    assert_eq!(stdout_of(&["tokenize", "-tok", "char", "-lc"], b"AB c\n"), "a b c\n");
    refused_of(&["tokenize", "-tok", "char", "--ids"], b"a\n", &["`char` has no ids of its own"]);
    assert!(stdout(&["list", "tokenizers"]).lines().any(|line| line.starts_with("13a ")));
    assert!(stdout(&["list", "metrics"]).lines().any(|line| line.starts_with("bleu ")));
}

#[test]
fn the_options_of_chrf_have_sacrebleus_names() {
    let folder = Folder::new();
    let (hypothesis, reference) = (folder.file("h", "the cat sat.\n"), folder.file("r", "the cat sits.\n"));
    let line = |options: &[&str]| {
        let arguments =
            [&["score", &reference, "-i", &hypothesis, "-f", "text", "-w", "2"], options].concat();
        stdout(&arguments)
    };
    assert!(
        line(&["-m", "chrf"]).starts_with("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")
    );
    assert!(line(&["-m", "chrf"]).ends_with(" = 55.22\n"));
    for options in
        [&["-m", "chrf++"][..], &["-m", "chrf", "-cw", "2"], &["-m", "chrf", "--chrf-word-order", "2"]]
    {
        let line = line(options);
        assert!(line.starts_with("chrF2++|") && line.ends_with(" = 54.98\n"), "{line}");
    }
    assert!(line(&["-m", "chrf", "-cc", "3", "--chrf-beta", "0.5"]).starts_with("chrF0.5|"));
    assert!(line(&["-m", "chrf", "--chrf-beta", "3"]).ends_with(" = 54.56\n"));
    assert!(line(&["-m", "chrf", "--chrf-eps-smoothing"]).contains("|eff:no|"));
    let both = line(&["-m", "bleu", "chrf", "chrf++"]);
    assert_eq!(both.lines().count(), 3, "{both}");
}
