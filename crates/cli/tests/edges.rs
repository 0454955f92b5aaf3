//! The edges of the command line: streams that are one, systems that are unequal, options without effect, outputs that
//! would write over something.

mod common;

use common::{Folder, bleuprint, refused, stdout};
use serde_json::Value;

fn json(arguments: &[&str], stdin: &[u8]) -> Value {
    serde_json::from_str(&stdout(arguments, stdin)).unwrap()
}

#[test]
fn one_stream_is_not_read_twice() {
    let folder = Folder::new("once");
    let file = folder.file("ref", "a b c d\n");
    for arguments in [
        &["score", "-"][..],
        &["score", "-", "-i", "-"],
        &["score", "/dev/stdin", "-i", "-"],
        &["explain", "-"],
    ] {
        refused(arguments, b"a b c d\n", &["given twice", "read only once"]);
    }
    assert_eq!(stdout(&["score", &file, "-i", &file, "-b"], b""), "100.0\n");
}

#[test]
fn systems_of_one_file_have_the_same_segments() {
    let folder = Folder::new("systems");
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
        refused(&["score", "--segments", &file], b"", &["all.jsonl", words]);
    }
}

#[test]
fn a_quote_that_never_closes_swallows_nothing() {
    let folder = Folder::new("quote");
    let file = folder.file("all.csv", "hypothesis,reference\na,a\nb,\"b\nc,c\nd,d\ne,e\n");
    refused(&["score", "--segments", &file], b"", &["all.csv: line 3", "never closes"]);
}

#[test]
fn dialects_take_the_tokens_of_their_programs() {
    let folder = Folder::new("tokens");
    let reference = folder.file("ref", "One two\u{a0}three four five six.\n");
    let system = folder.file("sys", "one two\u{a0}three four five six .\u{a0}\n");
    let score = |options: &[&str]| json(&[&["score", &reference, "-i", &system], options].concat(), b"");
    let multi = score(&["--dialect", "multi-bleu"]);
    assert_eq!(
        (&multi["tok"], &multi["case"], &multi["sys_len"]),
        (&"ascii-space".into(), &"mixed".into(), &6.into())
    );
    let mteval = score(&["--dialect", "mteval:v13a"]);
    assert_eq!(
        (&mteval["tok"], &mteval["case"], &mteval["score"]),
        (&"mteval".into(), &"lc-ascii".into(), &1.0.into())
    );
    let asked = score(&["--dialect", "multi-bleu", "-tok", "13a"]);
    assert_eq!(asked["tok"], "13a");
}

#[test]
fn options_without_effect_are_refused() {
    let folder = Folder::new("effect");
    let file = folder.file("ref", "a b c d\n");
    let with = |options: &[&str], words: &[&str]| {
        refused(&[&["score", &file, "-i", &file], options].concat(), b"", words)
    };
    with(&["--tokenizer-model", "x"], &["`13a` takes no --tokenizer-model"]);
    with(&["--dictionary", "x", "-tok", "char"], &["`char` takes no --dictionary"]);
    with(&["-l", "xx-yy"], &["the language is `xx`", "`de`, `deu`", "--tokenize"]);
    refused(&["score", &file, "-i", &file, &file, "-b"], b"", &["--score-only takes one system, but 2"]);
    assert!(stdout(&["score", &file, "-i", &file, "-l", "en-zh_TW"], b"").contains("\"tok\": \"zh\""));
}

#[test]
fn unequal_files_are_refused_before_segments_are_printed() {
    let folder = Folder::new("lengths");
    let (reference, system) = (folder.file("ref", "a\nb\n"), folder.file("sys", "a\n"));
    refused(&["score", &reference, "-i", &system, "-sl"], b"", &["sys has 1 segments, but", "ref has 2"]);
}

#[test]
fn explain_ranks_what_rounds_to_the_target() {
    let folder = Folder::new("explain");
    let reference = folder.file("ref", "the cat is on the mat, it says\nanother line is here now .\n");
    let system = folder.file("sys", "The cat is on the mat, it said\nanother line was here now .\n");
    let score = stdout(&["score", &reference, "-i", &system, "-b"], b"");
    let text = stdout(&["explain", &reference, "-i", &system, "--target", score.trim()], b"");
    assert!(
        text.contains("round to this number")
            && text.lines().nth(2).is_some_and(|line| line.ends_with("default")),
        "{text}"
    );
    for (target, more, rows) in [("99.99", &[][..], 5), ("12.345678", &["--most", "2"], 2)] {
        let asked = ["explain", &reference, "-i", &system, "--target", target];
        let nothing = bleuprint(&[&asked[..], more].concat(), b"");
        let text = String::from_utf8(nothing.stdout).unwrap();
        assert!(text.starts_with("nothing fits") && nothing.status.code() == Some(1), "{text}");
        let shown: Vec<&str> = text.lines().skip(2).collect();
        let numbers: Vec<&str> = shown.iter().filter_map(|line| line.split_whitespace().next()).collect();
        assert!(shown.len() == rows && numbers.windows(2).all(|pair| pair[0] != pair[1]), "{text}");
        assert!(!text.contains("+0.00 ") && !text.contains("0.000000"), "{text}");
    }
    // As many decimals as were asked for.
    let exact = json(&["score", &reference, "-i", &system], b"")["score"].as_f64().unwrap();
    let beside = format!("{:.6}", exact + 2e-6);
    let near = bleuprint(&["explain", &reference, "-i", &system, "--target", &beside, "--most", "1"], b"");
    let text = String::from_utf8(near.stdout).unwrap();
    assert!(text.contains("-0.000002") && near.status.code() == Some(1), "{text}");
    for target in ["nan", "inf", "-inf", "x"] {
        refused(&["explain", &reference, "-i", &system, "--target", target], b"", &["must be a number"]);
    }
}

#[test]
fn korean_is_not_called_a_language_without_spaces() {
    let folder = Folder::new("korean");
    let korean = folder.file("ko", "이것은 시험이다.\n");
    let warned = bleuprint(&["score", &korean, "-i", &korean, "-b"], b"");
    let message = String::from_utf8_lossy(&warned.stderr).into_owned();
    assert!(
        message.contains("Hangul") && message.contains("ko-mecab") && !message.contains("no spaces"),
        "{message}"
    );
}

#[test]
fn ids_that_are_none_name_their_file() {
    let folder = Folder::new("bad-ids");
    let (good, bad) = (folder.file("good", "1 2 3\n4 5 6\n"), folder.file("bad", "1 2 3\n4 x 6\n"));
    for (reference, system) in [(&good, &bad), (&bad, &good)] {
        let words = ["bad: line 2: column 3: `x` is not an id"];
        refused(&["score", reference, "-i", system, "-tok", "ids"], b"", &words);
    }
    refused(&["score", &good, "-tok", "ids"], b"1 2 3\n4 x 6\n", &["<stdin>: line 2: column 3"]);
}

#[test]
fn weights_of_another_sum_are_shown_as_they_would_be_right() {
    let folder = Folder::new("weights");
    let file = folder.file("ref", "a b c d\n");
    let command = ["score", &file, "-i", &file, "--weights", "0.33,0.33,0.33"];
    let third = "0.3333333333333333,0.3333333333333333,0.3333333333333333";
    refused(&command, b"", &["the sum of the weights is 0.99, but must be 1", third]);
    assert_eq!(stdout(&["score", &file, "-i", &file, "--weights", third, "-b"], b""), "100.0\n");
    let huge = ["score", &file, "-i", &file, "-s", "add-k", "-sv", "1e308"];
    refused(&huge, b"", &["smooth-value is 1e308, but must be from 0 to"]);
}

#[test]
fn every_door_warns_of_tokenized_text_but_where_that_is_wanted() {
    let folder = Folder::new("warned");
    let lines = folder.file("lines", "a b c d .\n".repeat(100));
    let row = "{\"hyp\": \"a b c d .\", \"ref\": \"a b c d .\"}\n";
    let rows = folder.file("rows.jsonl", row.repeat(100));
    let warns = |arguments: &[&str]| {
        let output = bleuprint(arguments, b"");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).contains("100 hypotheses end in a tokenized period")
    };
    assert!(warns(&["score", &lines, "-i", &lines]));
    assert!(warns(&["score", "--segments", &rows]));
    assert!(warns(&["score", &lines, "-i", &lines, "--dialect", "hf"]));
    assert!(warns(&["explain", &lines, "-i", &lines, "--most", "1"]));
    assert!(!warns(&["explain", &lines, "-i", &lines, "--most", "1", "--force"]));
    assert!(!warns(&["score", &lines, "-i", &lines, "--dialect", "multi-bleu"]));
}

#[test]
fn tens_of_thousands_of_systems_are_read() {
    let folder = Folder::new("systems-many");
    let row = |system: u32| {
        format!("{{\"system\": \"s{system}\", \"id\": 1, \"hyp\": \"a b\", \"ref\": \"a b\"}}\n")
    };
    let file = folder.file("all.jsonl", (0..20_000).map(row).collect::<String>());
    let scores = json(&["score", "--segments", &file, "-m", "em"], b"");
    assert_eq!(scores.as_array().unwrap().len(), 20_000);
}

/// Under one signature all systems are scored against the same references, in whatever form they come.
#[test]
fn systems_of_one_file_have_the_same_references() {
    let folder = Folder::new("other-references");
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
            refused(&[command, &["--segments", &file]].concat(), b"", &[name, words]);
        }
        let report = ["report", "--segments", &file, "-o", &folder.path("x.html")];
        refused(&report, b"", &[name, words]);
        let same = folder.file(name, content.replace("e f g h", "a b c d"));
        assert_eq!(stdout(&["score", "--segments", &same, "-f", "text"], b"").matches("100.0").count(), 2);
    }
}

/// Files that `score`, `stats` and `gate` read, and a policy with its baseline.
struct Outputs {
    folder: Folder,
}

impl Outputs {
    fn new(test: &str) -> Self {
        let folder = Folder::new(test);
        folder.file("ref", "a b c d\n".repeat(12));
        folder.file("sys", "a b c d\n".repeat(12));
        folder.file("labels", "x\n".repeat(12));
        let policy = "format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1\n";
        folder.file("gate.toml", policy);
        let outputs = Outputs { folder };
        outputs.done(&["stats", "ref", "-i", "sys", "-o", "main.stats"]);
        outputs
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bleuprint"));
        command.args(arguments).current_dir(self.folder.path("")).env_remove("GITHUB_STEP_SUMMARY");
        command.stdin(std::process::Stdio::null()).output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Expects a refusal in these words, and that no file is another than before.
    fn refused(&self, arguments: &[&str], words: &str) {
        let files = || {
            let entry = |entry: std::io::Result<std::fs::DirEntry>| {
                let path = entry.unwrap().path();
                (path.clone(), std::fs::read(path).ok())
            };
            let mut files: Vec<_> = std::fs::read_dir(self.folder.path("")).unwrap().map(entry).collect();
            files.sort();
            files
        };
        let before = files();
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(words), "{arguments:?}: `{words}` is not in: {message}");
        assert!(files() == before, "{arguments:?} wrote something");
    }
}

const CIDER: [&str; 6] = ["score", "ref", "-i", "sys", "-m", "cider_d"];
const STATS: [&str; 4] = ["stats", "ref", "-i", "sys"];
const REPORT: [&str; 6] = ["report", "ref", "-i", "sys", "--label", "domain=labels"];
const GATE: [&str; 6] = ["gate", "--policy", "gate.toml", "ref", "-i", "sys"];

/// Neither an input nor another output is written over, under whatever name, and no option allows it.
#[test]
fn outputs_are_no_inputs_and_no_other_outputs() {
    let outputs = Outputs::new("inputs");
    let refuse = |command: &[&str], more: &[&str], words: &str| {
        outputs.refused(&[command, more, &["--overwrite"]].concat(), words);
    };
    refuse(&CIDER, &["--save-learned", "ref"], "--save-learned ref: the command reads this file");
    refuse(&CIDER, &["--save-learned", "./sys"], "--save-learned ./sys: the command reads this file, as sys");
    refuse(&STATS, &["-o", "sys"], "-o sys: the command reads this file");
    refuse(&["merge", "main.stats"], &["-o", "main.stats"], "the command reads this file");
    refuse(&["subtract", "main.stats"], &["-o", "main.stats"], "the command reads this file");
    for input in ["ref", "sys", "labels"] {
        refuse(&REPORT, &["-o", input], "the command reads this file");
    }
    refuse(&["report", "--stats", "main.stats"], &["-o", "main.stats"], "the command reads this file");
    for input in ["ref", "sys", "gate.toml", "main.stats"] {
        for option in ["--json", "--junit", "--summary"] {
            refuse(&GATE, &[option, input], &format!("{option} {input}: the command reads this file"));
        }
    }
    refuse(&GATE, &["--json", "v", "--junit", "./v"], "--json v and --junit ./v are one file");
    refuse(&GATE, &["--json", "v", "--summary", "v"], "--json v and --summary v are one file");
    // A baseline that is to be recorded is one before it is there.
    std::fs::remove_file(outputs.folder.path("main.stats")).unwrap();
    refuse(&GATE, &["--json", "main.stats"], "the command reads this file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("ref", outputs.folder.path("link")).unwrap();
        std::fs::hard_link(outputs.folder.path("ref"), outputs.folder.path("hard")).unwrap();
        for name in ["link", "hard"] {
            refuse(&STATS, &["-o", name], &format!("-o {name}: the command reads this file, as ref"));
            refuse(&REPORT, &["-o", name], "the command reads this file");
        }
    }
}

/// A file that is there is written over where it is an earlier output that can be made again, or `--overwrite` says so.
#[test]
fn what_is_there_is_not_written_over_without_a_word() {
    let outputs = Outputs::new("overwrite");
    let there = "is there already";
    for (command, option) in [(&CIDER[..], "--save-learned"), (&STATS[..], "-o")] {
        let command = [command, &[option, "made"]].concat();
        outputs.done(&command);
        outputs.refused(&command, there);
        outputs.done(&[&command[..], &["--overwrite"]].concat());
        std::fs::remove_file(outputs.folder.path("made")).unwrap();
    }
    for (command, option, what) in
        [(&REPORT[..], "-o", "report"), (&GATE[..], "--json", "verdict"), (&GATE[..], "--junit", "verdict")]
    {
        outputs.folder.file("other", "something else\n");
        let to = |file| [command, &[option, file]].concat();
        outputs.refused(&to("other"), &format!("other is there already and is no {what}; --overwrite"));
        outputs.done(&[&to("other")[..], &["--overwrite"]].concat());
        // Its own, again.
        outputs.done(&to("other"));
        outputs.done(&to("other"));
    }
    // A summary is added to what is there.
    outputs.folder.file("step.md", "before\n");
    outputs.done(&[&GATE[..], &["--summary", "step.md"]].concat());
    assert!(std::fs::read_to_string(outputs.folder.path("step.md")).unwrap().starts_with("before\n## Gate"));
    refused(&["score", "x", "-i", "y", "--overwrite"], b"", &["--save-learned"]);
}

/// Devices and pipes stay what they are, and standard output has the output and nothing else.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_written_to() {
    let outputs = Outputs::new("devices");
    for place in ["-", "/dev/stdout"] {
        let stats = outputs.done(&[&STATS[..], &["-o", place]].concat());
        assert!(stats.starts_with("{\"format\":\"bleuprint-stats/") && stats.ends_with("\"}\n"), "{stats}");
        let page = outputs.done(&[&REPORT[..], &["-o", place]].concat());
        assert!(page.starts_with("<!") && page.trim_end().ends_with("</html>"), "{page}");
        let verdict = outputs.done(&[&GATE[..], &["--json", place]].concat());
        assert!(verdict.starts_with('{') && verdict.contains("}\nPASS"), "{verdict}");
        let learned = outputs.done(&[&CIDER[..], &["--save-learned", place, "-b"]].concat());
        assert!(learned.starts_with("{\"format\":\"bleuprint-learned/"), "{learned}");
        assert!(!std::path::Path::new(&outputs.folder.path("-")).exists());
    }
    for command in [
        &[&STATS[..], &["-o", "/dev/null"]].concat(),
        &[&GATE[..], &["--json", "/dev/null", "--junit", "/dev/null"]].concat(),
    ] {
        outputs.done(command);
    }
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    // A pipe, as of a process substitution.
    let script =
        format!("cat <({} stats ref -i sys -o /dev/fd/3 3>&1 >/dev/null)", env!("CARGO_BIN_EXE_bleuprint"));
    let mut bash = std::process::Command::new("bash");
    let output = bash.args(["-c", &script]).current_dir(outputs.folder.path("")).output().unwrap();
    let main = std::fs::read(outputs.folder.path("main.stats")).unwrap();
    assert_eq!(output.stdout, main, "{}", String::from_utf8_lossy(&output.stderr));
}

/// A closed standard output is an error; `/dev/null` is an open one.
#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_no_success() {
    let outputs = Outputs::new("closed");
    let run = |script: String| {
        let script = format!("{} {script}", env!("CARGO_BIN_EXE_bleuprint"));
        let mut bash = std::process::Command::new("bash");
        let output = bash.args(["-c", &script]).current_dir(outputs.folder.path("")).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for command in ["score ref -i sys", "gate --policy gate.toml ref -i sys", "list tokenizers"] {
        let (code, message) = run(format!("{command} >&-"));
        assert!(code == Some(2) && message.contains("standard output is closed"), "{command}: {message}");
        for stdout in [">/dev/null", "<>/dev/null >&0", "| true; exit ${PIPESTATUS[0]}"] {
            assert_eq!(run(format!("{command} {stdout}")).0, Some(0), "{command} {stdout}");
        }
        let (code, message) = run(format!("{command} >/dev/full"));
        assert!(code == Some(2) && message.contains("cannot write"), "{command}: {message}");
    }
}

/// What sacreBLEU 2.6.0 gives for the same models: pieces are compared by their texts.
#[test]
fn unknown_pieces_match_only_where_their_texts_do() {
    let folder = Folder::new("pieces");
    let model = |name: &str| format!("{}/../text/tests/data/spm/{name}.model", env!("CARGO_MANIFEST_DIR"));
    for (name, hypothesis, reference, expected) in [
        ("unigram", "the dog \u{436} bit", "the dog \u{3a9} bit", 53.7284965911771),
        ("unigram", "\u{436} \u{436}", "\u{3a9} \u{436}", 35.35533905932737),
        ("unigram", "the dog \u{436}\u{3a9} bit", "the dog \u{436}\u{3a9} bit", 100.00000000000004),
        ("bpe", "the dog \u{436} bit", "the dog \u{3a9} bit", 42.72870063962342),
        ("bpe", "\u{436} \u{436}", "\u{3a9} \u{436}", 35.35533905932737),
    ] {
        let (hyp, refs) = (folder.file("h", hypothesis), folder.file("r", reference));
        let rows =
            folder.file("a.jsonl", format!("{{\"hyp\": \"{hypothesis}\", \"ref\": \"{reference}\"}}\n"));
        let table = folder.file("a.csv", format!("hypothesis,reference\n{hypothesis},{reference}\n"));
        let (stats, model) = (folder.path(&format!("{name}.stats")), model(name));
        let tokens = ["-tok", "spm", "--tokenizer-model", &model];
        let score = |source: &[&str]| json(&[&["score"], source, &tokens].concat(), b"")["score"].as_f64();
        for source in [&[&refs, "-i", &hyp][..], &["--segments", &rows], &["--segments", &table]] {
            assert_eq!(score(source), Some(expected), "{name}: {hypothesis}");
        }
        let count = ["stats", &refs, "-i", &hyp, "-o", &stats, "--overwrite"];
        stdout(&[&count[..], &tokens].concat(), b"");
        assert_eq!(json(&["score", "--stats", &stats], b"")["score"].as_f64(), Some(expected));
        let columns = format!("{hypothesis}\t{hypothesis}\n");
        let both = json(&[&["score", &refs][..], &tokens].concat(), columns.as_bytes());
        assert_eq!(both[0]["BLEU"].as_f64(), Some(expected), "{both}");
    }
}

#[test]
fn a_tokenizer_that_leaves_nothing_is_named_with_one_that_would_do() {
    let folder = Folder::new("emptied");
    for (text, suggested) in [
        ("\u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947} \u{926}\u{941}\u{928}\u{93f}\u{92f}\u{93e}", "word"),
        ("\u{645}\u{631}\u{62d}\u{628}\u{627} \u{628}\u{643}", "word"),
        ("\u{4eca}\u{5929}\u{5929}\u{6c14}", "zh"),
    ] {
        let lines = folder.file("lines", format!("{text}\n"));
        let rows = folder.file("rows.jsonl", format!("{{\"hyp\": \"{text}\", \"ref\": \"{text}\"}}\n"));
        let said = |arguments: &[&str]| {
            let output = bleuprint(arguments, b"");
            assert!(output.status.success(), "{arguments:?}");
            String::from_utf8(output.stderr).unwrap()
        };
        let warning = "the tokenizer `rouge` of ROUGE-L leaves nothing of 2 texts";
        let hint = format!("METRIC:tokenize={suggested}`");
        for source in [&["score", &lines, "-i", &lines][..], &["score", "--segments", &rows]] {
            for more in [&[][..], &["-sl"], &["--by", "length", "-f", "text"]] {
                let message = said(&[source, &["-m", "rougeL"], more].concat());
                assert!(message.contains(warning) && message.contains(&hint), "{message}");
            }
            let message = said(&[source, &["-m", "rougeL", "-q"]].concat());
            assert!(!message.contains("leaves nothing"), "{message}");
            let better = format!("rougeL:tokenize={suggested}");
            let scored = bleuprint(&[source, &["-m", &better]].concat(), b"");
            let message = String::from_utf8_lossy(&scored.stderr);
            assert!(!message.contains("leaves nothing"), "{message}");
            let value: Value = serde_json::from_slice(&scored.stdout).unwrap();
            assert_eq!(value["score"], 1.0, "{better}");
        }
    }
    let pool = folder.file("pool", "\u{928}\u{92e}\n\u{928}\u{92e}\n");
    for command in ["mbr", "self"] {
        let output = bleuprint(&[command, &pool, "-m", "rougeL"], b"");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("the tokenizer `rouge` of ROUGE-L leaves nothing"), "{command}: {message}");
    }
    let english = folder.file("english", "a b c\n...\n");
    let output = bleuprint(&["score", &english, "-i", &english, "-m", "rougeL", "bleu"], b"");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_almost_right_is_answered_with_the_right_command() {
    let folder = Folder::new("almost");
    let file = folder.file("ref", "a b c d e\n");
    for name in ["BLEU", "Bleu", "CHRF++", "rougel", "RougeLsum"] {
        stdout(&["score", &file, "-i", &file, "-m", name], b"");
    }
    let score =
        |metric: &str, words: &[&str]| refused(&["score", &file, "-i", &file, "-m", metric], b"", words);
    score("blue", &["unknown metric `blue`", "chrf++", "did you mean `bleu`?"]);
    score("rouge-l", &["did you mean `rougeL`?"]);
    score("bleu,chrf", &["-m bleu chrf"]);
    let given = format!("bleuprint score {file} -i {file}");
    refused(&[&file, "-i", &file], b"", &["the name of the command is missing", &given]);
    refused(&["-i", &file, &file], b"", &["bleuprint score -i"]);
    let listed = stdout(&["list", "metrics"], b"");
    assert!(listed.contains("\n  chrf++") && listed.contains("[chrf:chrf-word-order=2]"), "{listed}");
}
