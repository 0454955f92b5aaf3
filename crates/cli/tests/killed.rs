//! A program that is killed leaves no file that reads as complete.
#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "says how many runs were killed")]

mod common;

use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Folder, bleuprint, stdout};

#[test]
fn no_killed_run_leaves_a_file_that_reads_as_complete() {
    const RUNS: u32 = 200;
    let folder = Folder::new();
    let lines = |word: &str| {
        (0..400).map(|i| format!("{word} {i} the cat sat on the mat {}\n", i % 7)).collect::<String>()
    };
    let (reference, system) = (folder.file("ref", lines("a")), folder.file("sys", lines("b")));
    let place = folder.path("x.stats");
    let arguments = ["stats", &reference, "-i", &system, "-o", &place, "--overwrite"];
    let start = std::time::Instant::now();
    stdout(&arguments);
    let whole = start.elapsed();
    let expected = stdout(&["show", &place, "-b", "-w", "17"]);
    std::fs::remove_file(&place).unwrap();

    let (mut killed, mut complete) = (0, 0);
    for run in 0..RUNS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bleuprint"))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Over the whole run and a little beyond, in an order that looks random.
        let share = f64::from(run * 89 % RUNS) / f64::from(RUNS) * 1.2;
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * share));
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        if std::path::Path::new(&place).exists() {
            // Whatever has the name is whole.
            assert_eq!(stdout(&["show", &place, "-b", "-w", "17"]), expected, "run {run}");
            complete += 1;
            std::fs::remove_file(&place).unwrap();
        }
    }
    assert!(killed > 0, "no run was killed in time");
    // What killed runs leave behind does not read as complete either, unless it is, and the next run removes it.
    for entry in std::fs::read_dir(folder.path("")).unwrap().flatten() {
        let name = entry.path().display().to_string();
        if name.ends_with(".partial") {
            let output = bleuprint(&["show", &name, "-b", "-w", "17"]);
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.code() == Some(2) || text == expected, "{name}");
        }
    }
    std::fs::write(folder.path(".x.stats.7.partial"), "left by a killed run").unwrap();
    stdout(&arguments);
    let left = std::fs::read_dir(folder.path("")).unwrap().flatten();
    assert_eq!(left.filter(|entry| entry.path().extension().is_some_and(|end| end == "partial")).count(), 0);
    println!("{killed} of {RUNS} runs were killed; {complete} had the whole file in its place");
}
