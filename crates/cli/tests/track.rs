//! A ledger in a program that is killed while it adds, and one with a damaged sum. Other claims are in `cases/track.case`.
#![allow(clippy::print_stdout, reason = "says how many runs were killed")]

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Folder, bleuprint, refused, stdout, stdout_of, words};

const NOW: &str = "2026-12-01T00:00:00Z";

struct Service {
    folder: Folder,
    /// Key KEY, time 2026-11-01T00:00:00Z.
    event: String,
}

impl Service {
    fn new() -> Self {
        let folder = Folder::new();
        let reference =
            |index: usize| format!("the cat number {index} sat on the mat and looked at dog {}\n", index * 7);
        let lines: Vec<String> = (0..60).map(reference).collect();
        folder.file("ref", lines.concat());
        folder.file("good", lines.concat().replace("dog 7", "a dog"));
        let event =
            "--event KEY --stream support --model-version m1 --slice lang=de --time 2026-11-01T00:00:00Z";
        let event = folder.stdout_in(&words(&format!("stats ref -i good --total {event} -o -")));
        Service { folder, event }
    }

    fn hours(event: &str, hours: std::ops::Range<usize>) -> String {
        let hour = |hour: usize| {
            let time = format!("2026-11-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24);
            event.replace("KEY", &format!("pod-{hour}")).replace("2026-11-01T00:00:00Z", &time)
        };
        hours.map(hour).collect()
    }

    fn ledger(&self) -> String {
        self.folder.path("live.db")
    }

    fn add(&self, events: &str) -> String {
        stdout_of(&["track", "add", &self.ledger(), "--now", NOW], events.as_bytes())
    }
}

#[test]
fn a_digit_of_a_sum_is_noticed() {
    let service = Service::new();
    let ledger = service.ledger();
    service.add(&service.event);
    let database = rusqlite::Connection::open(&ledger).unwrap();
    database.execute("UPDATE bucket SET sha256 = NULL", []).unwrap();
    let output = bleuprint(&["track", "show", &ledger]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && said.contains("1 sum has no checksum, as in earlier versions"),
        "{said}"
    );
    assert!(stdout(&["track", "verify", &ledger]).contains("sound"));
    database.execute("UPDATE bucket SET row = replace(row, '[6', '[7')", []).unwrap();
    refused(&["track", "show", &ledger], &["the ledger is damaged", "its checksum differs"]);
}

/// Adds in a program that is killed at random moments: a reported batch is there, and none in part.
fn kill(runs: usize) {
    const BATCH: usize = 40;
    let service = Service::new();
    let ledger = service.ledger();
    let batch = |run: usize| Service::hours(&service.event, 0..BATCH).replace("pod-", &format!("run{run}-"));
    let start = Instant::now();
    service.add(&batch(runs));
    let whole = start.elapsed();
    let (mut killed, mut reported, mut kept) = (0, 0, 0);
    for run in 0..runs {
        let file = service.folder.file("batch", batch(run));
        let mut child = Command::new(env!("CARGO_BIN_EXE_bleuprint"))
            .args(["track", "add", &ledger, &file, "--now", NOW])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Over the whole run and a little beyond, in an order that looks random.
        let share = (run * 89 % 101) as f64 / 101.0 * 1.3;
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * share));
        child.kill().unwrap();
        let done = child.wait().unwrap().success();
        killed += usize::from(!done);
        reported += usize::from(done);
        if run % 50 == 49 || run + 1 == runs {
            let export = stdout(&["track", "export", &ledger]);
            kept = 0;
            for earlier in 0..=run {
                let there = export.matches(&format!("\"key\":\"run{earlier}-")).count();
                assert!(there == 0 || there == BATCH, "run {earlier}: {there} of {BATCH} events");
                kept += usize::from(there == BATCH);
            }
            assert!(kept >= reported, "{kept} batches are there, {reported} were reported");
            assert!(stdout(&["track", "verify", &ledger]).contains("sound"));
        }
    }
    assert!(killed > 0, "no run was killed in time");
    println!("{killed} of {runs} runs were killed; {kept} batches are there, {reported} were reported");
}

#[test]
fn a_program_that_is_killed_loses_nothing_that_it_reported() {
    kill(60);
}

#[test]
#[ignore = "minutes: 1,000 kills"]
fn a_thousand_kills_lose_nothing() {
    kill(1000);
}
