//! Memory is bounded by bytes, not by segments; what does not fit is an error and not the end of the program. Held by the
//! shell's `ulimit -v`, which counts addresses, so where there is none there is no test.
#![cfg(target_os = "linux")]

mod common;

use std::process::{Command, Output};
use std::sync::LazyLock;

use common::Folder;

/// MiB of addresses of a program without optional features, which the limits below hold too.
const LEAN: usize = 28;

/// MiB of addresses in which this program starts: more with grammars and models built in.
static START: LazyLock<usize> = LazyLock::new(|| {
    let starts = |limit: &usize| in_addresses(*limit, &["--version"]).status.success();
    (LEAN..400).find(starts).expect("the program starts in 400 MiB")
});

/// Runs with at most this many MiB of addresses, and those of optional features.
fn limited(mebibytes: usize, arguments: &[&str]) -> Output {
    in_addresses(mebibytes + *START - LEAN, arguments)
}

fn in_addresses(mebibytes: usize, arguments: &[&str]) -> Output {
    let script = format!("ulimit -v {} && exec \"$0\" \"$@\"", mebibytes * 1024);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_bleuprint")]).args(arguments);
    // One arena, as each thread would ask for 64 MiB of addresses that it does not use.
    command.env("MALLOC_ARENA_MAX", "1").env_remove("SACREBLEU_FORMAT").output().unwrap()
}

fn words(bytes: usize) -> String {
    let mut line = String::new();
    let mut number = 1_u32;
    while line.len() < bytes {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        line.push_str(&format!("word{} ", number >> 20));
    }
    line
}

#[test]
fn many_long_lines_take_little_memory() {
    let folder = Folder::new();
    // 2 x 77 MB of text, in 100 MiB that hold the program too.
    let text = format!("{}\n", words(77_000)).repeat(1000);
    let file = folder.file("all", text);
    let output = limited(100, &["score", &file, "-i", &file, "-m", "em", "-b", "--threads", "1"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout, b"100.0\n");
}

#[test]
fn a_token_of_a_giant_line_takes_few_bytes() {
    let folder = Folder::new();
    // 5.3 million characters, for which tables with room for all would take 800 MB: some 16 bytes for each, beside copies
    // of the text and the program itself.
    let text = words(3_000_000);
    let file = folder.file("line", &text);
    let arguments = ["score", &file, "-i", &file, "-tok", "char", "-b", "--threads", "1"];
    let output = limited(200, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout, b"100.0\n");
    // With too little there is a message with the segment and what it takes.
    let output = limited(75, &arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("there is no memory"), "{message}");
    // Between the two it is one or the other, and never the end of the program.
    for limit in (60..200).step_by(10) {
        scored_or_refused(limit, &arguments);
    }
}

/// A score or a message, and never the end of the program.
fn scored_or_refused(limit: usize, arguments: &[&str]) -> String {
    let output = limited(limit, arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(code == Some(0) || code == Some(2) && message.contains("error"), "{limit}: {message}");
    message
}

#[test]
fn giant_lines_of_statistics_are_errors_with_their_place() {
    let folder = Folder::new();
    let (text, place) = (folder.file("text", "a b c d\n"), folder.path("whole.stats"));
    let count = ["stats", &text, "-i", &text, "-o", &place, "-m", "bleu", "distinct"];
    assert!(limited(1000, &count).status.success());
    let whole = std::fs::read_to_string(&place).unwrap();
    let [header, segment, end] = whole.lines().collect::<Vec<_>>()[..] else { panic!("{whole}") };
    let counts = format!("[{}1,", "1,".repeat(1_500_000));
    let names = format!("\"metrics\":[{}", "\"x\",".repeat(1_000_000));
    for (lines, words) in [
        ([header, &"x".repeat(8_000_000), end], "line 2: expected value"),
        ([header, &segment.replacen("[1,", &counts, 1), end], "line 2: the state of bleu: 1500019 counts"),
        ([header, &segment[..20], &"9".repeat(8_000_000)], "line 2: "),
        ([&header.replacen("\"metrics\":[", &names, 1), segment, end], "line 1: invalid type: string"),
        ([header, segment, &end.replacen("[1,", &counts, 1)], "line 3: the file was changed"),
        ([header, segment, &"[".repeat(8_000_000)], "line 3: "),
    ] {
        let file = folder.file("giant.stats", lines.join("\n") + "\n");
        let merged = folder.path("merged.stats");
        for command in [
            &["show", &file][..],
            &["score", "--stats", &file],
            &["compare", "--stats", &place, &file],
            &["merge", &file, "-o", &merged],
            &["report", "--stats", &file, "-o", &merged],
        ] {
            let output = limited(4000, command);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{command:?}: {message}");
            assert!(message.contains("giant.stats: ") && message.contains(words), "{words}: {message}");
            assert!(message.len() < 2000, "the message holds the line: {} bytes", message.len());
        }
        for limit in [30, 60, 100, 200, 400] {
            let message = scored_or_refused(limit, &["show", &file]);
            assert!(message.contains("giant.stats: line ") || message.contains("giant.stats: "), "{message}");
        }
    }
}

#[test]
fn giant_lines_of_json_are_scored_or_refused() {
    let folder = Folder::new();
    let text = "the cat sat on the mat and so on ".repeat(60_000);
    let pair = |hyp: &str, refs: &str| format!("{{\"hyp\": {hyp}, \"refs\": {refs}}}\n");
    let (quoted, many) = (format!("\"{text}\""), format!("[{}\"x\"]", "\"x\",".repeat(400_000)));
    let ids = format!("{{\"hypothesis_ids\": [{}1], \"reference_ids\": [[1]]}}\n", "1,".repeat(1_000_000));
    let deep = format!("{{\"hyp\": {}\n", "[".repeat(3_000_000));
    for (name, content, scored, words) in [
        ("text.jsonl", pair(&quoted, &format!("[{quoted}]")), true, ""),
        ("many.jsonl", pair("\"a\"", &many), true, ""),
        ("ids.jsonl", ids, false, "ids but no text"),
        ("deep.jsonl", deep, false, "the line ends within an array"),
        ("number.jsonl", pair("\"a\"", &"1".repeat(3_000_000)), false, "references"),
    ] {
        let file = folder.file(name, content);
        let command = ["score", "--segments", &file, "-m", "em", "-b", "--threads", "1"];
        let output = limited(4000, &command);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), scored, "{name}: {message}");
        assert!(
            scored || message.contains(&format!("{name}: line 1")) && message.contains(words),
            "{message}"
        );
        assert!(message.len() < 2000, "the message holds the line: {} bytes", message.len());
        for limit in [30, 60, 90, 120, 160, 200, 300] {
            scored_or_refused(limit, &command);
        }
    }
    let three = format!("{{\"candidates\": [{quoted}, {quoted}, \"a\"]}}\n");
    let weights = format!("{{\"candidates\": [\"a\", \"b\"], \"weights\": [{}1]}}\n", "1,".repeat(700_000));
    for (name, content, words) in
        [("three.jsonl", three, None), ("weights.jsonl", weights, Some("the number of weights is 700001"))]
    {
        let file = folder.file(name, content);
        let command = ["mbr", "--pools", &file, "-m", "em", "--threads", "1"];
        let output = limited(4000, &command);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), words.is_none(), "{message}");
        assert!(message.contains(words.unwrap_or_default()), "{message}");
        for limit in [30, 60, 90, 120, 160, 200, 300] {
            scored_or_refused(limit, &command);
        }
    }
}

#[test]
fn pools_of_giant_lines_are_scored() {
    let folder = Folder::new();
    let text = "the cat sat on the mat and so on ".repeat(40_000);
    let file = folder.file("pool", format!("{text}\n{text}a b\na b c d\n"));
    for (metric, limit) in [("bleu", 400), ("chrf", 400), ("em", 60)] {
        for command in ["mbr", "self"] {
            let output = limited(limit, &[command, &file, "-m", metric, "--threads", "1"]);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{command} {metric}: {message}");
        }
    }
    for limit in [30, 45, 60, 90] {
        scored_or_refused(limit, &["mbr", &file, "-m", "em", "--threads", "1"]);
    }
}
