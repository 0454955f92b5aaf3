//! `bleuprint track` as a service meets it: events from `stats`, alarms by exit code, page and counters, and a program that is
//! killed while it adds.
#![allow(clippy::print_stdout, reason = "says how many runs were killed")]

mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Folder, bleuprint, parsed, refused, refused_of, stdout, stdout_of, words};

const NOW: &str = "2026-12-01T00:00:00Z";

fn lines(line: impl Fn(usize) -> String) -> String {
    (0..60).map(|index| line(index) + "\n").collect()
}

fn reference(index: usize) -> String {
    format!(
        "the {} cat number {index} sat on the mat and looked at dog {}",
        ["red", "old"][index % 2],
        index * 7
    )
}

struct Service {
    folder: Folder,
    event: String,
}

impl Service {
    fn new() -> Self {
        let folder = Folder::new();
        folder.file("ref", lines(reference));
        let good = |index: usize| {
            if index.is_multiple_of(3) { format!("a {}", reference(index)) } else { reference(index) }
        };
        folder.file("good", lines(good));
        folder.file(
            "bad",
            lines(|index| if index % 2 == 0 { "no idea at all".to_owned() } else { good(index) }),
        );
        let event = Self::line(&folder, "good");
        Service { folder, event }
    }

    /// The event of an output: key KEY, time 2026-11-01T00:00:00Z.
    fn line(folder: &Folder, output: &str) -> String {
        let event =
            "--event KEY --stream support --model-version m1 --slice lang=de --time 2026-11-01T00:00:00Z";
        folder.stdout_in(&words(&format!("stats ref -i {output} --total {event} -o -")))
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
fn a_service_is_followed_from_events_to_alarms() {
    let service = Service::new();
    let ledger = service.ledger();
    let place = |name: &str| service.folder.path(name);
    assert!(
        service.event.starts_with("{\"format\":\"bleuprint-event/1\",\"key\":\"KEY\""),
        "{}",
        service.event
    );
    let quiet = Service::hours(&service.event, 0..80);
    assert!(service.add(&quiet).contains("80 events added, 0 were there already"));
    assert!(service.add(&quiet).contains("0 events added, 80 were there already"));
    let shown = stdout(&["track", "show", &ledger, "--by", "version,lang"]);
    assert!(shown.contains("support") && shown.contains("1440") && shown.contains("tok:13a"), "{shown}");
    // The window of one day is the score of its events together.
    let day = stdout(&["track", "show", &ledger, "-f", "json"]);
    let day: serde_json::Value = serde_json::from_str(&day).unwrap();
    let alone = stdout(&["score", &place("ref"), "-i", &place("good"), "-b", "-w", "17"]);
    assert_eq!(day["groups"][0]["score"]["score"].as_f64(), alone.trim().parse().ok());

    service.folder.stdout_in(&["stats", "ref", "-i", "good", "-o", "main.stats"]);
    let policy = "format = \"bleuprint-track/1\"\n[[watch]]\nname = \"w\"\nstream = \"support\"\nmetric = \"bleu\"\nbaseline = \"main.stats\"\ndrop = 5\nfalse-alarms = \"1 per 365d\"\n";
    let policy = service.folder.file("track.toml", policy);
    let check = |more: &[&str]| {
        let arguments = [&["track", "check", &ledger, "--policy", &policy, "--now", NOW], more].concat();
        let output = bleuprint(&arguments);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = check(&[]);
    assert!(code == Some(0) && text.starts_with("QUIET") && text.contains("+ w"), "{code:?} {text}");
    assert_eq!(check(&["--as-of", "10"]).0, Some(3));
    service.add(&Service::hours(&Service::line(&service.folder, "bad"), 80..100));
    let (code, text) = check(&[]);
    assert!(
        code == Some(1) && text.starts_with("ALARM") && text.contains("alarm 1: drop since"),
        "{code:?} {text}"
    );
    let (_, json) = check(&["-f", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["exit"].as_u64(), json["alarms"][0]["kind"].as_str()), (Some(1), Some("drop")));
    assert_eq!(check(&["--acknowledge", "all"]).0, Some(0));
    assert_eq!(check(&["--acknowledge", "all"]).0, Some(2));

    let (page, prom) = (place("trend.html"), place("x.prom"));
    for _ in 0..2 {
        stdout(&["track", "page", &ledger, "--policy", &policy, "-o", &page, "--now", NOW]);
        stdout(&["track", "prom", &ledger, "--policy", &policy, "-o", &prom, "--now", NOW]);
    }
    assert!(std::fs::read_to_string(&page).unwrap().contains("Evidence of a drop"));
    assert!(std::fs::read_to_string(&prom).unwrap().contains("bleuprint_alarms{watch=\"w\"} 0"));
    refused(&["track", "page", &ledger, "-o", &policy], &["is no page of a ledger"]);
    refused(&["track", "page", &ledger, "-o", &ledger], &["does not write over it"]);

    // Out, into another ledger, and merged: the same bytes.
    let export = stdout(&["track", "export", &ledger]);
    let other = place("other.db");
    stdout_of(&["track", "add", &other, "--now", NOW], export.as_bytes());
    stdout(&["track", "merge", &other, &ledger, "--now", NOW]);
    assert_eq!(stdout(&["track", "export", &other]), export);
    assert!(stdout(&["track", "verify", &other]).contains("sound, 100 events"));
}

#[test]
fn numbers_of_a_ledger_are_right_or_refused() {
    let service = Service::new();
    let ledger = service.ledger();
    let add = ["track", "add", &ledger, "--now", NOW];
    let good = &service.event;
    let of = |key: &str, retracts: &str| {
        let event = good.replace("\"KEY\"", &format!("\"{key}\""));
        match retracts {
            "" => event,
            target => event.replace("\"state\":", &format!("\"retracts\":\"{target}\",\"state\":")),
        }
    };
    service.add(&(of("a", "") + &of("b", "a")));
    refused_of(&add, of("c", "a").as_bytes(), &["it corrects `a`, which `b` corrects already"]);
    let circle = of("x", "y") + &of("y", "x");
    refused_of(&add, circle.as_bytes(), &["it retracts itself by way of other events"]);
    // Another user's event has the shape of a revision.
    service.add(&(of("req", "") + &of("req#2", "")));
    let upsert = [&add[..], &["--upsert"]].concat();
    assert!(
        stdout_of(&upsert, of("req", "").replace("00:00:00Z", "00:30:00Z").as_bytes())
            .contains("(1 correction)")
    );
    let shown =
        || -> serde_json::Value { parsed(&["track", "show", &ledger, "-f", "json", "--window", "1h"]) };
    assert_eq!(shown()["groups"][0]["segments"].as_u64(), Some(180));
    for window in ["90m", "30m"] {
        for more in [&["show", &ledger][..], &["prom", &ledger, "-o", "-"], &["page", &ledger, "-o", "-"]] {
            let arguments = [&["track"], more, &["--window", window]].concat();
            refused(&arguments, &[&format!("a window of {window}, but the ledger has buckets of 1h")]);
        }
    }
    let wrong = |from: &str, to: &str, words: &str| {
        let event = of("new", "").replace(from, to);
        assert_ne!(event, of("new", ""), "{from}");
        refused_of(&add, event.as_bytes(), &[words]);
    };
    wrong("\"support\"", "\"support \"", "begins or ends with white space");
    wrong("\"support\"", "\"Support\"", "`Support` differs by case alone from `support`");
    wrong("\"spec\":\"bleu\"", "\"spec\":\"bleu:tokenize=char\"", "has other tokens than its state key");
    wrong("2026-11-01T00:00:00Z", "2026-11-01T00:00:00+25:00", "an offset of a day or more");
    // A clock that was ahead once.
    let late = ["track", "add", &ledger, "--now", "2031-01-01T00:00:00Z"];
    stdout_of(&late, of("late", "").as_bytes());
    refused_of(&add, of("new", "").as_bytes(), &["it ran back, or was ahead then", "--reset-clock"]);
    stdout_of(&[&add[..], &["--reset-clock"]].concat(), of("new", "").as_bytes());
    service.add(&of("newer", ""));
    assert!(stdout(&["track", "verify", &ledger]).contains("sound"));
    // A digit of a sum.
    let database = rusqlite::Connection::open(&ledger).unwrap();
    database.execute("UPDATE bucket SET sha256 = NULL", []).unwrap();
    let output = bleuprint(&["track", "show", &ledger]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && said.contains("1 sum has no checksum, as in earlier versions"),
        "{said}"
    );
    assert!(stdout(&["track", "verify", &ledger]).contains("sound"));
    database.execute("UPDATE bucket SET row = replace(row, '[3', '[4')", []).unwrap();
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
