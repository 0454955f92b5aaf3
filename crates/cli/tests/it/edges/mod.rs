//! The edges of the command line: streams that are one, systems that are unequal, options without effect, slips.

mod outputs;
mod tokens;

use crate::common::{Folder, bleuprint, parsed, refused, refused_of, stdout};

#[test]
fn one_stream_is_not_read_twice() {
    let folder = Folder::new();
    let file = folder.file("ref", "a b c d\n");
    for arguments in [
        &["score", "-"][..],
        &["score", "-", "-i", "-"],
        &["score", "/dev/stdin", "-i", "-"],
        &["explain", "-"],
    ] {
        refused_of(arguments, b"a b c d\n", &["given twice", "read only once"]);
    }
    assert_eq!(stdout(&["score", &file, "-i", &file, "-b"]), "100.0\n");
}

#[test]
fn systems_of_one_file_have_the_same_segments() {
    let folder = Folder::new();
    let row = |system: &str, id: &str| {
        format!("{{\"system\": {system}, \"id\": {id}, \"hyp\": \"a\", \"ref\": \"a\"}}\n")
    };
    let rows = |rows: &[(&str, &str)]| rows.iter().map(|(system, id)| row(system, id)).collect::<String>();
    for (content, words) in [
        (rows(&[("\"A\"", "1"), ("\"A\"", "2"), ("\"B\"", "1")]), "system `B` has no segment `2`"),
        (rows(&[("\"A\"", "1"), ("\"A\"", "1")]), "line 2: system `A` has the segment `1` twice"),
        (rows(&[("\"\"", "1")]), "line 1: the name of the system is empty"),
        (
            rows(&[("\"A\"", "null"), ("\"A\"", "null"), ("\"B\"", "null")]),
            "system `A` has 2 segments, but system `B` has 1",
        ),
    ] {
        let file = folder.file("all.jsonl", content);
        refused(&["score", "--segments", &file], &["all.jsonl", words]);
    }
}

#[test]
fn a_quote_that_never_closes_swallows_nothing() {
    let folder = Folder::new();
    let file = folder.file("all.csv", "hypothesis,reference\na,a\nb,\"b\nc,c\nd,d\ne,e\n");
    refused(&["score", "--segments", &file], &["all.csv: line 3", "never closes"]);
}

#[test]
fn options_without_effect_are_refused() {
    let folder = Folder::new();
    let file = folder.file("ref", "a b c d\n");
    let with = |options: &[&str], words: &[&str]| {
        refused(&[&["score", &file, "-i", &file], options].concat(), words)
    };
    with(&["--tokenizer-model", "x"], &["`13a` takes no --tokenizer-model"]);
    with(&["--dictionary", "x", "-tok", "char"], &["`char` takes no --dictionary"]);
    with(&["-l", "xx-yy"], &["the language is `xx`", "`de`, `deu`", "--tokenize"]);
    refused(&["score", &file, "-i", &file, &file, "-b"], &["--score-only takes one system, but 2"]);
    assert!(stdout(&["score", &file, "-i", &file, "-l", "en-zh_TW"]).contains("\"tok\": \"zh\""));
}

#[test]
fn unequal_files_are_refused_before_segments_are_printed() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", "a\nb\n"), folder.file("sys", "a\n"));
    refused(&["score", &reference, "-i", &system, "-sl"], &["sys has 1 segment, but", "ref has 2"]);
}

#[test]
fn explain_ranks_what_rounds_to_the_target() {
    let folder = Folder::new();
    let reference = folder.file("ref", "the cat is on the mat, it says\nanother line is here now .\n");
    let system = folder.file("sys", "The cat is on the mat, it said\nanother line was here now .\n");
    let score = stdout(&["score", &reference, "-i", &system, "-b"]);
    let text = stdout(&["explain", &reference, "-i", &system, "--target", score.trim()]);
    assert!(
        text.contains("round to this number")
            && text.lines().nth(2).is_some_and(|line| line.ends_with("default")),
        "{text}"
    );
    for (target, more, rows) in [("99.99", &[][..], 5), ("12.345678", &["--most", "2"], 2)] {
        let asked = ["explain", &reference, "-i", &system, "--target", target];
        let nothing = bleuprint(&[&asked[..], more].concat());
        let text = String::from_utf8(nothing.stdout).unwrap();
        assert!(text.starts_with("nothing fits") && nothing.status.code() == Some(1), "{text}");
        let shown: Vec<&str> = text.lines().skip(2).collect();
        let numbers: Vec<&str> = shown.iter().filter_map(|line| line.split_whitespace().next()).collect();
        assert!(shown.len() == rows && numbers.windows(2).all(|pair| pair[0] != pair[1]), "{text}");
        assert!(!text.contains("+0.00 ") && !text.contains("0.000000"), "{text}");
    }
    // As many decimals as were asked for.
    let exact = parsed(&["score", &reference, "-i", &system])["score"].as_f64().unwrap();
    let beside = format!("{:.6}", exact + 2e-6);
    let near = bleuprint(&["explain", &reference, "-i", &system, "--target", &beside, "--most", "1"]);
    let text = String::from_utf8(near.stdout).unwrap();
    assert!(text.contains("-0.000002") && near.status.code() == Some(1), "{text}");
    for target in ["nan", "inf", "-inf", "x"] {
        refused(&["explain", &reference, "-i", &system, "--target", target], &["must be a number"]);
    }
}

#[test]
fn weights_of_another_sum_are_shown_as_they_would_be_right() {
    let folder = Folder::new();
    let file = folder.file("ref", "a b c d\n");
    let command = ["score", &file, "-i", &file, "-m", "bleu:weights=0.33/0.33/0.33"];
    let third = "0.3333333333333333,0.3333333333333333,0.3333333333333333";
    refused(&command, &["the sum of the weights is 0.99, but must be 1", third]);
    let right = format!("bleu:weights={}", third.replace(',', "/"));
    assert_eq!(stdout(&["score", &file, "-i", &file, "-m", &right, "-b"]), "100.0\n");
    let huge = ["score", &file, "-i", &file, "-s", "add-k", "-sv", "1e308"];
    refused(&huge, &["smooth-value is 1e308, but must be from 0 to"]);
}

#[test]
fn tens_of_thousands_of_systems_are_read() {
    let folder = Folder::new();
    let row = |system: u32| {
        format!("{{\"system\": \"s{system}\", \"id\": 1, \"hyp\": \"a b\", \"ref\": \"a b\"}}\n")
    };
    let file = folder.file("all.jsonl", (0..20_000).map(row).collect::<String>());
    let scores = parsed(&["score", "--segments", &file, "-m", "em"]);
    assert_eq!(scores.as_array().unwrap().len(), 20_000);
}

#[test]
fn systems_of_one_file_have_the_same_references() {
    let folder = Folder::new();
    let jsonl = |id: &str| {
        let row = |system: &str, reference: &str| {
            format!("{{\"system\":\"{system}\",{id}\"hyp\":\"a b c d\",\"refs\":[\"{reference}\"]}}\n")
        };
        row("A", "a b c d") + &row("B", "e f g h")
    };
    let table = |separator: &str| {
        let rows = [
            ["system", "id", "hypothesis", "reference"],
            ["A", "1", "a b c d", "a b c d"],
            ["B", "1", "a b c d", "e f g h"],
        ];
        rows.map(|row| row.join(separator) + "\n").concat()
    };
    let with_id = "`B` has the segment `1` with other references than system `A`";
    for (name, content, words) in [
        ("id.jsonl", jsonl("\"id\":1,"), with_id),
        ("no-id.jsonl", jsonl(""), "segment 1 of system `B` has other references"),
        ("all.csv", table(","), with_id),
        ("all.tsv", table("\t"), with_id),
    ] {
        let file = folder.file(name, &content);
        for command in [&["score"][..], &["score", "-pbs"], &["score", "--by", "length"], &["compare"]] {
            refused(&[command, &["--segments", &file]].concat(), &[name, words]);
        }
        let report = ["report", "--segments", &file, "-o", &folder.path("x.html")];
        refused(&report, &[name, words]);
        let same = folder.file(name, content.replace("e f g h", "a b c d"));
        assert_eq!(stdout(&["score", "--segments", &same, "-f", "text"]).matches("100.0").count(), 2);
    }
}

#[test]
fn what_is_almost_right_is_answered_with_the_right_command() {
    let folder = Folder::new();
    let file = folder.file("ref", "a b c d e\n");
    for name in ["BLEU", "Bleu", "CHRF++", "rougel", "RougeLsum"] {
        stdout(&["score", &file, "-i", &file, "-m", name]);
    }
    let score = |metric: &str, words: &[&str]| refused(&["score", &file, "-i", &file, "-m", metric], words);
    score("blue", &["unknown metric `blue`", "chrf++", "did you mean `bleu`?"]);
    score("rouge-l", &["did you mean `rougeL`?"]);
    score("bleu,chrf", &["-m bleu chrf"]);
    let given = format!("bleuprint score {file} -i {file}");
    refused(&[&file, "-i", &file], &["the name of the command is missing", &given]);
    refused(&["-i", &file, &file], &["bleuprint score -i"]);
    let listed = stdout(&["list", "metrics"]);
    assert!(listed.contains("\n  chrf++") && listed.contains("[chrf:chrf-word-order=2]"), "{listed}");
}

#[test]
fn systems_of_one_file_have_the_same_sources() {
    let folder = Folder::new();
    let jsonl = |id: &str| {
        let row = |system: &str, source: &str| {
            format!(
                "{{\"system\":\"{system}\",{id}\"hyp\":\"a b\",\"src\":\"{source}\",\"refs\":[\"a b\"]}}\n"
            )
        };
        row("A", "a c") + &row("B", "a d")
    };
    let table = |separator: &str| {
        let rows = [
            ["system", "id", "source", "hypothesis", "reference"],
            ["A", "1", "a c", "a b", "a b"],
            ["B", "1", "a d", "a b", "a b"],
        ];
        rows.map(|row| row.join(separator) + "\n").concat()
    };
    let with_id = "`B` has the segment `1` with another source than system `A`";
    let policy = "format = \"bleuprint-gate/1\"\n[[rule]]\nmetric = \"sari\"\nmin = 0\n";
    let policy = folder.file("gate.toml", policy);
    for (name, content, words) in [
        ("id.jsonl", jsonl("\"id\":1,"), with_id),
        ("no-id.jsonl", jsonl(""), "segment 1 of system `B` has another source"),
        ("all.csv", table(","), with_id),
        ("all.tsv", table("\t"), with_id),
    ] {
        let file = folder.file(name, &content);
        for metric in ["sari", "bleu"] {
            for command in [
                &["score"][..],
                &["score", "-pbs"],
                &["score", "--by", "length"],
                &["compare"],
                &["report", "-o", &folder.path("x.html")],
                &["stats", "-o", &folder.path("x.stats")],
            ] {
                refused(&[command, &["--segments", &file, "-m", metric]].concat(), &[name, words]);
            }
        }
        refused(&["gate", "--policy", &policy, "--segments", &file], &[name, words]);
        let same = folder.file(name, content.replace("a d", "a c"));
        let scored = stdout(&["score", "--segments", &same, "-m", "sari", "-f", "csv"]);
        assert_eq!(scored.lines().count(), 3, "{scored}");
    }
}
