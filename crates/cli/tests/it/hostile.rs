//! Input that would make a wrong number: damaged files, byte order marks, empty references, slips in names, no text.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{Folder, bleuprint, refused, refused_of, stdout, stdout_of};

/// Damages that `gzip -t` refuses: a cut, junk behind the data, a member behind padding, one-bit flips. `None` without
/// the program.
fn damaged(folder: &Folder, content: &str) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let plain = folder.file("plain", content);
    let gzip = |arguments: &[&str]| std::process::Command::new("gzip").args(arguments).output().ok();
    let Some(whole) = gzip(&["-nc", &plain]).filter(|output| output.status.success()) else {
        eprintln!("skipped: there is no gzip");
        return None;
    };
    let whole = whole.stdout;
    let flips = (0..whole.len() * 8).step_by(3).filter_map(|bit| {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let file = folder.file("flipped.gz", &bytes);
        (!gzip(&["-t", &file])?.status.success()).then_some(bytes)
    });
    let others = [
        whole[..whole.len() - 9].to_vec(),
        [&whole[..], b"junk"].concat(),
        [&whole[..], &[0; 512], &whole].concat(),
        [&whole[..], &whole[..20]].concat(),
    ];
    let all: Vec<_> = others.into_iter().chain(flips).collect();
    assert!(all.len() > whole.len(), "{} damages of {} bytes", all.len(), whole.len());
    Some((whole, all))
}

#[test]
fn damaged_gzip_is_scored_by_no_door() {
    let folder = Folder::new();
    let lines =
        "The cat\tsat on the mat today.\nAnother line,\twith 27 words or 8.\nA third one:\tit is last.\n";
    let Some((whole, damages)) = damaged(&folder, lines) else { return };
    let (plain, system) = (folder.path("plain"), folder.path("sys.gz"));
    let run = |arguments: &[&str]| bleuprint(arguments);
    let score = |bytes: &[u8]| {
        folder.file("sys.gz", bytes);
        run(&["score", &plain, "-i", &system, "-b"])
    };
    assert!(score(&whole).status.success() && score(&[&whole[..], &whole].concat()).status.code() == Some(2));
    assert!(score(&[&whole[..], &[0; 512]].concat()).status.success(), "padding is none of the data");
    for bytes in &damages {
        let output = score(bytes);
        assert_eq!(output.status.code(), Some(2), "{bytes:?}");
        assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("sys.gz"));
    }
    let refused_by = |arguments: &[&str]| {
        let output = run(arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty() && message.contains("gzip"), "{arguments:?}: {message}");
    };
    // One of each kind, at every door that reads lines.
    for bytes in damages[..4]
        .iter()
        .chain(damages.iter().skip(4).step_by(200).filter(|bytes| bytes.starts_with(&[0x1f, 0x8b])))
    {
        folder.file("sys.gz", bytes);
        refused_by(&["score", &system, "-i", &plain]);
        refused_by(&["score", &plain, &system, "-i", &plain]);
        refused_by(&["score", &plain, "-i", &plain, &system]);
        refused_by(&["score", &plain, "-i", &system, "-sl"]);
        refused_by(&["score", &system, "-i", &plain, "--num-refs", "2", "-m", "chrf"]);
        refused_by(&["compare", &plain, "-i", &plain, &system]);
        refused_by(&["stats", &plain, "-i", &system, "-o", &folder.path("out.stats")]);
        refused_by(&["report", &plain, "-i", &system, "-o", &folder.path("out.html")]);
        refused_by(&["explain", &plain, "-i", &system]);
        refused_by(&["mbr", &system]);
        refused_by(&["self", &system, &plain]);
        refused_of(&["score", &plain], bytes, &["<stdin>", "gzip"]);
    }
}

#[test]
fn damaged_gzip_is_no_record_no_statistics_and_no_policy() {
    let folder = Folder::new();
    let rows = "{\"hyp\": \"a b c d\", \"ref\": \"a b c e\"}\n{\"hyp\": \"f g h i\", \"ref\": \"f g h i\"}\n";
    let table = "hypothesis,reference\na b c d,a b c e\nf g h i,f g h i\n";
    let plain = folder.file("lines", "a b c d\nf g h i\n");
    let statistics = folder.path("base.stats");
    stdout(&["stats", &plain, "-i", &plain, "-o", &statistics, "-q"]);
    let statistics = std::fs::read_to_string(statistics).unwrap();
    let policy = format!(
        "format = \"bleuprint-gate/1\"\nbaseline = \"{}\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1.0\n",
        folder.path("base.gz")
    );
    for (name, content) in
        [("rows.jsonl.gz", rows), ("rows.csv.gz", table), ("base.gz", &*statistics), ("gate.toml", &policy)]
    {
        let Some((whole, damages)) = damaged(&folder, content) else { return };
        let (file, merged) = (folder.path(name), folder.path("merged.stats"));
        let run = |bytes: &[u8]| {
            folder.file(name, bytes);
            let arguments: &[&[&str]] = match name {
                "base.gz" => {
                    &[&["score", "--stats", &file], &["show", &file], &["merge", &file, "-o", &merged]]
                }
                "gate.toml" => &[&["gate", "--policy", &file, &plain, "-i", &plain]],
                _ => &[&["score", "--segments", &file], &["compare", "--segments", &file]],
            };
            arguments.iter().map(|arguments| bleuprint(arguments)).collect::<Vec<_>>()
        };
        assert!(run(&whole).iter().any(|output| output.status.success()), "{name}");
        for bytes in damages.iter().take(4).chain(damages.iter().skip(4).step_by(25)) {
            for output in run(bytes) {
                assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{name}");
            }
        }
        folder.file(name, &whole);
    }
}

#[test]
fn byte_order_marks_are_text_as_for_sacrebleu_with_one_warning() {
    let folder = Folder::new();
    let system = folder.file("sys", "\u{feff}the cat sat on the mat\nsecond line went here now\n");
    let reference = folder.file("ref", "the cat sat on the mat today\nsecond line goes here now\n");
    let marked = folder.file("marked", "\u{feff}the cat sat on the mat today\nsecond line goes here now\n");
    let joined = folder.file("joined", "the cat sat on the mat today\n\u{feff}second line goes here now\n");
    // The numbers are those of sacreBLEU 2.6.0 with and without `-e utf-8-sig`.
    for (reference, options, expected, warnings) in [
        (&reference, &[][..], "50.4928\n", &["sys: begins with a byte order mark"][..]),
        (&reference, &["-e", "utf-8-sig"], "64.0712\n", &[]),
        (&marked, &[], "64.0712\n", &["sys: begins with a byte", "marked: begins with a byte"]),
        (&joined, &["--encoding", "utf-8-sig"], "60.0464\n", &["joined: line 2 has a byte order mark in it"]),
        (&reference, &["-q"], "50.4928\n", &[]),
    ] {
        let arguments = [&["score", reference, "-i", &system, "-b", "-w", "4"], options].concat();
        let output = bleuprint(&arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{arguments:?}: {message}");
        assert_eq!(message.matches("warning").count(), warnings.len(), "{message}");
        assert!(warnings.iter().all(|warning| message.contains(warning)), "{message}");
    }
    let input = std::fs::read(&system).unwrap();
    assert_eq!(stdout_of(&["score", &reference, "-b", "-w", "4"], &input), "50.4928\n");
    let signature = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0";
    let verify = |score: &str, options: &[&str]| {
        let arguments = ["verify", &reference, "-i", &system, "--signature", signature, "--score", score];
        bleuprint(&[&arguments, options].concat())
    };
    assert!(
        verify("50.4928", &[]).status.success() && verify("64.0712", &["-e", "utf-8-sig"]).status.success()
    );
    for (score, options, cause) in [
        ("64.0712", &[][..], "byte order mark dropped, --encoding utf-8-sig"),
        ("50.4928", &["-e", "utf-8-sig"], "byte order mark kept, --encoding utf-8"),
    ] {
        let output = verify(score, options);
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1));
        assert!(found.lines().nth(4).is_some_and(|line| line.contains(cause)), "{found}");
        let explained = [&["explain", &reference, "-i", &system, "--target", score], options].concat();
        assert!(stdout(&explained).lines().nth(2).is_some_and(|line| line.contains(cause)));
    }
    let rows = folder.file("rows.jsonl", "\u{feff}{\"hyp\": \"a b c d\", \"ref\": \"a b c d\"}\n");
    assert_eq!(stdout(&["score", "--segments", &rows, "-b"]), "100.0\n");
}

#[test]
fn empty_references_are_refused_unless_it_is_said_what_they_are() {
    let folder = Folder::new();
    let system = folder.file("sys", "a b c d e\nf g h i j\n");
    let first = folder.file("first", "a b c d e f g h\nf g h i j\n");
    let second = folder.file("second", "a b c d x\n\n");
    let columns = folder.file("columns", "a b c d e f g h\ta b c d x\n\tf g h i j\n");
    let table = folder.file(
        "table.csv",
        "hypothesis,ref,ref_2\na b c d e,a b c d e f g h,a b c d x\nf g h i j,f g h i j,\n",
    );
    let lines = folder.file(
        "lines.jsonl",
        "{\"hyp\": \"a b c d e\", \"refs\": [\"a b c d e f g h\", \"a b c d x\"]}\n\
         {\"hyp\": \"f g h i j\", \"refs\": [\"f g h i j\", \"\"]}\n",
    );
    let doors: [(&[&str], &str); 4] = [
        (&["--segments", &lines], "lines.jsonl: line 2: reference 2 is an empty reference"),
        (&[&first, &second, "-i", &system], "second: line 2: the line is an empty reference"),
        (&[&columns, "--num-refs", "2", "-i", &system], "columns: line 2: column 1 is an empty reference"),
        (&["--segments", &table], "table.csv: line 3: cell 3, of the column `ref_2`, is an empty reference"),
    ];
    for (arguments, message) in doors {
        for command in ["score", "compare"] {
            refused(&[&[command], arguments].concat(), &[message, "missing", "keep"]);
        }
        for command in ["stats", "report"] {
            let output = ["-o", &folder.path("out")];
            refused(&[&[command], arguments, &output].concat(), &[message, "missing", "keep"]);
        }
        let score = |meaning: &str| {
            let options = ["-m", "ter", "-b", "-w", "4", "--empty-references", meaning];
            stdout(&[&["score"], arguments, &options].concat())
        };
        // The mean reference lengths are 6.5 and 5, or 6.5 and 2.5, over one edit, that of `x`.
        assert_eq!((score("missing").trim(), score("keep").trim()), ("8.6957", "11.1111"), "{arguments:?}");
    }
    let blank = folder.file("blank", "a b c d e\n\n");
    assert_eq!(
        stdout(&["score", &blank, &blank, "-i", &blank, "-b"]),
        "100.0\n",
        "a line that all leave empty"
    );
}

#[test]
fn records_have_sources_and_need_references_for_metrics_that_do() {
    let folder = Folder::new();
    let row = |fields: &str| format!("{{\"hyp\": \"a b a b\"{fields}}}\n");
    let rows = folder.file("rows.jsonl", row(", \"source\": \"a c a b\", \"ref\": \"a b\"").repeat(2));
    let lines = |name: &str, line: &str| folder.file(name, format!("{line}\n").repeat(2));
    let (system, source, reference) = (lines("sys", "a b a b"), lines("src", "a c a b"), lines("ref", "a b"));
    let table = folder.file("rows.tsv", "src\thyp\tref\na c a b\ta b a b\ta b\na c a b\ta b a b\ta b\n");
    let of_lines = stdout(&["score", &reference, "-i", &system, "--source", &source, "-m", "sari"]);
    for file in [&rows, &table] {
        assert_eq!(stdout(&["score", "--segments", file, "-m", "sari"]), of_lines);
        stdout(&["report", "--segments", file, "-m", "sari", "-o", &folder.path("out.html"), "-q"]);
    }
    let bare = folder.file("bare.jsonl", row("").repeat(2));
    let header = folder.file("bare.csv", "hypothesis,id\na b a b,1\na b a b,2\n");
    let free = stdout(&["score", "-i", &system, "-m", "repetition"]);
    let said = ["line 1: no references: every segment needs at least one", "line 1: no column `reference`"];
    for (file, said) in [&bare, &header].into_iter().zip(said) {
        assert_eq!(stdout(&["score", "--segments", file, "-m", "repetition"]), free);
        refused(&["score", "--segments", file], &[said]);
        refused(&["score", "--segments", file, "-m", "repetition", "bleu"], &[said]);
    }
    let no_source = folder.file("no-source.jsonl", row(", \"ref\": \"a b\""));
    refused(&["score", "--segments", &no_source, "-m", "sari"], &["line 1: SARI needs the source"]);
}

#[test]
fn names_with_spaces_and_slips_in_keys_are_refused_everywhere() {
    let folder = Folder::new();
    for (name, content, words) in [
        (
            "a.csv",
            "system,hyp,ref\nA,a,a\nA ,a,a\n",
            "line 3: the system `A ` has whitespace at an end; did you mean `A`?",
        ),
        ("a.tsv", "system\thyp\tref\n A\ta\ta\n", "line 2: the system ` A` has whitespace at an end"),
        (
            "a.jsonl",
            "{\"system\": \"A \", \"hyp\": \"a\", \"ref\": \"a\"}\n",
            "line 1: the system `A ` has whitespace",
        ),
        ("b.csv", "sytem,hyp,ref\nA,a,a\n", "line 1: the column `sytem` is not read; did you mean `system`?"),
        (
            "b.jsonl",
            "{\"sytem\": \"A\", \"hyp\": \"a\", \"ref\": \"a\"}\n",
            "line 1: the key `sytem` is not read",
        ),
        (
            "c.jsonl",
            "{\"hyp\": \"a\", \"reference_2\": \"a\", \"ref\": \"a\"}\n",
            "did you mean `references`",
        ),
    ] {
        let file = folder.file(name, content);
        for command in ["score", "compare"] {
            refused(&[command, "--segments", &file], &[words]);
        }
        refused(&["report", "--segments", &file, "-o", &folder.path("out")], &[words]);
    }
    for (name, content) in [
        ("d.csv", "hyp,ref,lp\na b c d,a b c d,x\n"),
        ("d.jsonl", "{\"hyp\": \"a b c d\", \"ref\": \"a b c d\", \"lp\": 1}\n"),
    ] {
        let output = bleuprint(&["score", "--segments", &folder.file(name, content), "-b"]);
        assert_eq!(output.stdout, b"100.0\n");
        assert!(String::from_utf8_lossy(&output.stderr).contains("not read: `lp`"), "{name}");
    }
}

#[test]
fn what_is_no_text_is_named_and_carriage_returns_are_alike_from_file_and_input() {
    let folder = Folder::new();
    let reference = folder.file("ref", "a b c d\n");
    let wide: Vec<u8> = "a b c d\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (content, words) in [
        (&wide[..], "UTF-16 without a byte order mark"),
        (&[0; 100], "begins with NUL bytes"),
        (b"a b c d\re f g h\r", "carriage returns and no line feed"),
    ] {
        let file = folder.file("sys", content);
        refused(&["score", &reference, "-i", &file], &["sys: ", words]);
        refused_of(&["score", &reference], content, &["<stdin>: ", words]);
        let table = folder.file("sys.csv", content);
        refused(&["score", "--segments", &table], &["sys.csv: ", words]);
    }
    let cut = folder.file("cut", b"a b c d\0\0\0\0\n");
    let output = bleuprint(&["score", &reference, "-i", &cut, "-b"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cut: line 1 has a NUL in it"));
}

#[test]
fn control_characters_of_names_are_escaped_in_messages() {
    let folder = Folder::new();
    let file =
        folder.file("rows.jsonl", "{\"hyp\": \"a\", \"ref\": \"a\", \"system\": \"\\u001b]0;x\\u0007 \"}\n");
    let output = bleuprint(&["score", "--segments", &file]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("\\u{1b}]0;x\\u{7}") && !message.contains('\u{1b}') && !message.contains('\u{7}')
    );
}

/// ROUGE-1.5.5 lower-cases A to Z alone, Google's rouge_score every letter.
#[test]
fn skip_bigrams_have_the_letters_of_their_program() {
    let folder = Folder::new();
    let (system, reference) = (folder.file("sys", "i b k\n"), folder.file("ref", "\u{130} b \u{212a}\n"));
    let scored =
        |metric: &str| stdout(&["score", &reference, "-i", &system, "-m", metric, "-f", "text", "-w", "3"]);
    for (metric, tokens, score) in [
        ("rougeS", "tok:rouge155|", " = 0.000"),
        ("rougeSU", "tok:rouge155|", " = "),
        ("rougeW:stemmer", "tok:lines:rouge155-stem|", " = "),
        ("rougeL", "tok:rouge|", " = 1.000"),
    ] {
        let found = scored(metric);
        assert!(found.contains(tokens) && found.contains(score), "{metric}: {found}");
        assert!(metric == "rougeL" || !found.contains(" = 1.000"), "{metric}: {found}");
    }
}

#[test]
fn a_key_given_twice_is_refused_everywhere() {
    let folder = Folder::new();
    let twice = r#"{"id": 1, "score": {"value": 1, "value": 2}}"#;
    for (name, text, key) in [
        ("lines.jsonl", twice.to_owned(), "the key `value` twice"),
        ("array.json", format!("[\n{twice}]"), "the key `value` twice"),
        ("place.json", format!(r#"{{"rows": [], "rows": [{twice}]}}"#), "the key `rows` twice"),
        (
            "mlflow.json",
            r#"{"columns": ["score", "score"], "data": [[1, 2]]}"#.to_owned(),
            "the column `score` is there twice",
        ),
    ] {
        let file = folder.file(name, text);
        let place: &[&str] = if name == "place.json" { &["--records", "rows"] } else { &[] };
        let arguments = ["score", "--numbers", &file, "-m", "given:name=score.value,scale=0..9"];
        refused(&[&arguments[..], place].concat(), &[name, key]);
    }
    let captions =
        folder.file("captions.json", r#"{"annotations": [{"image_id": 1, "caption": "a", "caption": "b"}]}"#);
    let results = folder.file("results.json", r#"[{"image_id": 1, "caption": "a"}]"#);
    refused(
        &["score", "--segments", &captions, "--results", &results],
        &["captions.json", "the key `caption` twice"],
    );
}
