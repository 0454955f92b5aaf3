//! Tests of the counters for Prometheus, and of the page.

use std::process::{Command, Stdio};

use bleuprint_core::{Metric as _, State, score_row};
use bleuprint_inference::NumpyRandom;
use bleuprint_metrics::registry;
use bleuprint_testkit::Folder;
use bleuprint_track::{Event, LedgerPageRequest, PrometheusRequest, Span, page, prometheus};

use crate::ledger::months;
use crate::support::{HOUR, Place, add, bleu, event, fresh, hour, row};

const DAY: Span = Span(24 * HOUR);

const DOCS: &str = include_str!("../../docs/track.md");

fn promtool(arguments: &[&str], input: &str) -> Option<(bool, String)> {
    use std::io::Write as _;
    let spawned = Command::new("promtool")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        println!("skipped: promtool is not installed (on Debian: the package prometheus)");
        return None;
    };
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Some((output.status.success(), text))
}

fn text(ledger: &bleuprint_track::Ledger, openmetrics: bool) -> String {
    prometheus(ledger, &registry(), &PrometheusRequest { window: DAY, openmetrics, checked: None }).unwrap()
}

/// Creates a ledger with BLEU of two slices, numbers of another program with squares, and a retraction.
fn mixed(place: &Place) -> bleuprint_track::Ledger {
    use bleuprint_registry::Numbers;
    let registry = registry();
    let spec = "given:name=mark,scale=-1..1,missing=skip,spread=yes";
    let parsed = registry.parse(spec).unwrap();
    let metric = registry.get(&parsed.metric).unwrap().build(&parsed.options).unwrap();
    let mut marks = bleuprint_core::Accumulator::<_, Numbers>::new(&metric);
    for mark in [0.5, -0.25, 1.0] {
        marks.push(&[mark], &[]).unwrap();
    }
    marks.push(&[], &[]).unwrap();
    let mut random = NumpyRandom::new(2);
    let row = row(&mut random, 10, 70);
    let mut ledger = place.ledger();
    let events = vec![
        event("a", hour(0), "m1", "d\"\\\ne", &row),
        event("b", hour(1), "m1", "", &row),
        event("c", hour(1), "m1", "", &row),
        Event::new("off", hour(2)).retracting("c"),
        Event::new("marks", hour(1)).counting("judge", "j1", spec, marks.total()).unwrap(),
    ];
    add(&mut ledger, events, false).unwrap();
    ledger
}

#[test]
fn counters_are_those_of_the_ledger_and_lint_clean() {
    let place = Place::new();
    let ledger = mixed(&place);
    let text = text(&ledger, false);
    let key = format!("key=\"{}\",metric=\"bleu\"", bleu().state_key());
    let support = "stream=\"support\",version=\"m1\"";
    for line in [
        "# TYPE bleuprint_segments_total counter",
        &format!("bleuprint_segments_total{{{key},slice=\"lang=d\\\"\\\\\\\\\\ne\",{support}}} 10"),
        &format!("bleuprint_segments_total{{{key},slice=\"all\",{support}}} 20"),
        &format!("bleuprint_retracted_segments_total{{{key},slice=\"all\",{support}}} 10"),
        "bleuprint_events_total{result=\"merged\"} 5",
        "bleuprint_events_total{result=\"retracted\"} 1",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let value = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("{name}{{")) && line.contains("judge"));
        line.unwrap_or_else(|| panic!("{name}: {text}")).rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()
    };
    assert_eq!(value("bleuprint_values_total"), 3.0);
    assert_eq!(value("bleuprint_values_missing_total"), 1.0);
    // (0.5 + 1) + (−0.25 + 1) + (1 + 1), and 0.25 + 0.0625 + 1.
    assert_eq!(value("bleuprint_value_above_min_total"), 4.25);
    assert_eq!(value("bleuprint_value_squares_total"), 1.3125);
    if let Some((fine, said)) = promtool(&["check", "metrics"], &text) {
        assert!(fine && said.is_empty(), "{said}\n{text}");
    }
    let open = self::text(&ledger, true);
    assert!(open.ends_with("# EOF\n") && open.contains("# TYPE bleuprint_segments counter\n"), "{open}");
    assert!(
        open.contains(&format!("bleuprint_segments_created{{{key},"))
            && open.contains("# UNIT bleuprint_last_event_timestamp_seconds seconds\n")
    );
}

#[test]
fn the_rule_of_the_documentation_gives_the_score_of_all_instances() {
    let rules = DOCS.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    // Two instances, unequal in size and quality; each adds the same counts every hour.
    let mut random = NumpyRandom::new(8);
    let rows = [row(&mut random, 9, 80), row(&mut random, 3, 50)];
    let metric = bleu();
    let merged: Vec<u64> = rows[0].iter().zip(&rows[1]).map(|(one, other)| one + other).collect();
    let score = score_row(&metric, &merged).unwrap() / 100.0;
    let mean = rows.iter().map(|row| score_row(&metric, row).unwrap() / 200.0).sum::<f64>();
    assert!((score - mean).abs() > 0.01, "a mean of scores would do");
    let mut series = String::new();
    for (instance, row) in rows.iter().enumerate() {
        let (_place, mut ledger) = fresh();
        add(&mut ledger, vec![event("a", hour(0), "m1", "", row)], false).unwrap();
        for line in text(&ledger, false).lines().filter(|line| line.starts_with("bleuprint_bleu_")) {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let name = name.replace('{', &format!("{{instance=\"{instance}\","));
            series += &format!("      - series: '{name}'\n        values: '{value}+{value}x30'\n");
        }
    }
    let folder = Folder::new();
    folder.file("rules.yml", rules);
    // One sample within a hair of the score of the merged counts: doubles of Prometheus are not our bits.
    let (low, high) = (score * (1.0 - 1e-9), score * (1.0 + 1e-9));
    let test = format!(
        "rule_files: [rules.yml]\nevaluation_interval: 1h\ntests:\n  - interval: 1h\n    input_series:\n{series}    promql_expr_test:\n      - expr: count(stream:bleu:ratio_increase1d > {low} < {high})\n        eval_time: 30h\n        exp_samples:\n          - labels: '{{}}'\n            value: 1\n"
    );
    let file = folder.file("test.yml", test);
    if let Some((fine, said)) = promtool(&["test", "rules", &file.display().to_string()], "") {
        assert!(fine, "{said}");
    }
}

#[test]
fn too_many_slices_are_refused() {
    let (_place, mut ledger) = fresh();
    let row = row(&mut NumpyRandom::new(1), 2, 70);
    let one = |number: usize| event(format!("{number}"), hour(0), "m1", &format!("l{number}"), &row);
    add(&mut ledger, (0..51).map(one).collect(), false).unwrap();
    let request = PrometheusRequest { window: DAY, openmetrics: false, checked: None };
    let error = prometheus(&ledger, &registry(), &request).unwrap_err().to_string();
    assert!(error.contains("51 slices") && error.contains("the limit is 50"), "{error}");
}

#[test]
fn the_page_of_three_months_is_small_and_names_stay_texts() {
    let (_place, mut ledger) = fresh();
    months(&mut ledger);
    let state = State::from_row(&bleu(), &row(&mut NumpyRandom::new(1), 5, 70)).unwrap();
    let hostile = "</style><script>alert(1)</script>&\"'";
    let event = Event::new("x", hour(24 * 90)).counting(hostile, hostile, "bleu", &state).unwrap();
    add(&mut ledger, vec![event.labelled(hostile, hostile)], false).unwrap();
    let request = LedgerPageRequest { title: hostile.to_owned(), window: DAY, checked: None };
    let start = std::time::Instant::now();
    let page = page(&ledger, &registry(), &request).unwrap();
    println!("page of {} bytes in {:?}", page.len(), start.elapsed());
    assert!(page.len() < 200_000, "{} bytes", page.len());
    assert!(
        !page.contains("<script") && page.contains("default-src 'none'") && page.matches("<svg").count() == 2
    );
    assert!(!page.contains("NaN") && !page.contains("inf\""), "a number that is none");
}
