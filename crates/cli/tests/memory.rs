//! Memory is bounded by bytes, not by segments; what does not fit is an error and not the end of the program. Held by the
//! shell's `ulimit -v`, which counts addresses, so where there is none there is no test.
#![cfg(target_os = "linux")]

mod common;

use std::process::{Command, Output};

use common::Folder;

/// Runs with at most so many MiB of addresses.
fn limited(mebibytes: usize, arguments: &[&str]) -> Output {
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
    let folder = Folder::new("memory-many");
    // 2 x 77 MB of text, in 100 MiB that hold the program too.
    let text = format!("{}\n", words(77_000)).repeat(1000);
    let file = folder.file("all", text);
    let output = limited(100, &["score", &file, "-i", &file, "-m", "em", "-b", "--threads", "1"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout, b"100.0\n");
}

#[test]
fn a_token_of_a_giant_line_takes_few_bytes() {
    let folder = Folder::new("memory-giant");
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
        let output = limited(limit, &arguments);
        let code = output.status.code();
        assert!(code == Some(0) || code == Some(2), "{limit}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
