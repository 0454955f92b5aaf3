//! Tests of names that look alike, of durations that are not whole buckets, and of wrong clocks.

use bleuprint_core::StateKey;
use bleuprint_inference::NumpyRandom;
use bleuprint_metrics::registry;
use bleuprint_track::{
    Adding, AlarmPlan, Event, Ledger, LedgerPageRequest, PrometheusRequest, Selection, ShowRequest, Span,
    Time, page, prometheus, show, slice_of,
};

use crate::support::{HOUR, add, adding, event, export, fresh, hour, row};

fn counts() -> Vec<u64> {
    row(&mut NumpyRandom::new(5), 4, 80)
}

fn by(label: &str, window: i64) -> ShowRequest {
    ShowRequest { window: Span(window), by: vec![label.to_owned()], stream: None, as_of: None }
}

fn counters(ledger: &Ledger, window: i64) -> bleuprint_core::Result<String> {
    let request = PrometheusRequest { window: Span(window), openmetrics: false, checked: None };
    prometheus(ledger, &registry(), &request)
}

#[test]
fn slices_with_commas_and_equals_are_told_apart() {
    let (_place, mut ledger) = fresh();
    let plain = event("0", hour(0), "m1", "", &counts());
    let slices: [&[(&str, &str)]; 6] = [
        &[("a", "1"), ("b", "2")],
        &[("a", "1,b=2")],
        &[("a", r"1\"), ("b", "2")],
        &[("a", r"1\,b=2")],
        &[("a=1,b", "2")],
        &[("a", "1=2")],
    ];
    let events = slices.iter().enumerate().map(|(number, slice)| {
        let event = Event { key: number.to_string(), ..plain.clone() };
        slice.iter().fold(event, |event, (name, value)| event.labelled(*name, *value))
    });
    let events: Vec<Event> = events.collect();
    add(&mut ledger, events.clone(), false).unwrap();
    let shown = show(&ledger, &registry(), &by("slice", HOUR)).unwrap();
    assert!(shown.len() == 6 && shown.iter().all(|group| group.segments == 4), "{shown:?}");
    // Names are printed as users write them.
    let mut read: Vec<_> = shown.iter().map(|group| slice_of(&group.labels[0]).unwrap()).collect();
    let mut added: Vec<_> = events.into_iter().map(|event| event.counts.unwrap().series.slice).collect();
    read.sort();
    added.sort();
    assert_eq!(read, added);
    let text = counters(&ledger, HOUR).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("bleuprint_segments_total{")).count(),
        6,
        "{text}"
    );
    let request = LedgerPageRequest { title: String::new(), window: Span(HOUR), checked: None };
    assert_eq!(page(&ledger, &registry(), &request).unwrap().matches("<th scope=\"row\">").count(), 6);
}

#[test]
fn a_window_is_a_multiple_of_the_bucket() {
    let (_place, mut ledger) = fresh();
    add(&mut ledger, vec![event("a", hour(0), "m1", "", &counts())], false).unwrap();
    for (minutes, words) in [
        (90, "a window of 90m, but the ledger has buckets of 1h: give a multiple of that, as in 2h"),
        (30, "as in 1h"),
        (0, "as in 1h"),
    ] {
        let length = minutes * HOUR / 60;
        let request = LedgerPageRequest { title: String::new(), window: Span(length), checked: None };
        let errors = [
            show(&ledger, &registry(), &by("version", length)).unwrap_err(),
            page(&ledger, &registry(), &request).unwrap_err(),
            counters(&ledger, length).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.to_string().contains(words)), "{errors:?}");
    }
    assert_eq!(show(&ledger, &registry(), &by("version", 2 * HOUR)).unwrap().len(), 1);
}

#[test]
fn counters_of_one_metric_with_two_keys_are_told_apart() {
    let (_place, mut ledger) = fresh();
    let cased = event("a", hour(0), "m1", "", &counts());
    let lower = |mut event: Event, case: &str| {
        let counts = event.counts.as_mut().unwrap();
        counts.metric.key = format!("bleu/1|order:4|case:{case}|tok:13a");
        assert!(counts.metric.key.parse::<StateKey>().is_ok());
        event
    };
    let events = vec![lower(cased.clone(), "mixed"), lower(Event { key: "b".to_owned(), ..cased }, "lc")];
    add(&mut ledger, events, false).unwrap();
    let text = counters(&ledger, HOUR).unwrap();
    for family in
        ["bleuprint_segments_total", "bleuprint_bleu_ref_len_closest_total", "bleuprint_window_score_ratio"]
    {
        for case in ["mixed", "lc"] {
            let line = format!("{family}{{key=\"bleu/1|order:4|case:{case}|tok:13a\",metric=\"bleu\",");
            assert!(text.contains(&line), "{line}\n{text}");
        }
    }
}

#[test]
fn names_that_look_alike_are_refused() {
    let (_place, mut ledger) = fresh();
    let first = event("a", hour(0), "m1", "de", &counts());
    add(&mut ledger, vec![first.clone()], false).unwrap();
    let before = export(&ledger);
    let changed = |change: fn(&mut Event)| {
        let mut event = Event { key: "b".to_owned(), ..first.clone() };
        change(&mut event);
        event
    };
    fn stream(event: &mut Event) -> &mut String {
        &mut event.counts.as_mut().unwrap().series.stream
    }
    let spaced = changed(|event| stream(event).push(' '));
    assert!(
        Event::parse(&spaced.line())
            .unwrap_err()
            .to_string()
            .contains("the stream `support ` begins or ends")
    );
    for (event, words) in [
        (spaced, "the stream `support ` begins or ends with white space"),
        (changed(|event| event.key.insert(0, '\t')), "the key `\tb` begins or ends"),
        (changed(|event| event.counts.as_mut().unwrap().series.version.push('\n')), "the version `m1\n`"),
        (
            changed(|event| stream(event).replace_range(..1, "S")),
            "`Support` differs by case alone from `support`",
        ),
    ] {
        assert!(add(&mut ledger, vec![event], false).unwrap_err().contains(words), "{words}");
    }
    // Within one batch too.
    let [mut one, mut two] =
        [Event { key: "c".to_owned(), ..first.clone() }, Event { key: "d".to_owned(), ..first }];
    "new".clone_into(stream(&mut one));
    "New".clone_into(stream(&mut two));
    assert!(
        add(&mut ledger, vec![one, two], false)
            .unwrap_err()
            .contains("`New` differs by case alone from `new`")
    );
    assert_eq!(export(&ledger), before);
}

#[test]
fn a_metric_that_contradicts_its_key_is_refused() {
    let (_place, mut ledger) = fresh();
    let good = event("a", hour(0), "m1", "", &counts()).line().replace("tok:unspecified", "tok:13a");
    let mut add = |line: &str| {
        ledger.add(bleuprint_track::events("x.jsonl", line), &adding()).map_err(|error| error.to_string())
    };
    for options in ["tokenize=char", "lowercase=yes", "norm=nfc"] {
        let error = add(&good.replace("\"bleu\"", &format!("\"bleu:{options}\""))).unwrap_err();
        assert!(error.contains("line 1") && error.contains("has other tokens than its state key"), "{error}");
    }
    assert_eq!(add(&good.replace("\"bleu\"", "\"bleu:tokenize=13a\"")).unwrap().added, 1);
}

#[test]
fn a_time_that_was_not_given_is_that_of_the_first_addition() {
    let (_place, mut ledger) = fresh();
    let registry = registry();
    let at = |now: Time, upsert: bool| Adding { now, undated: true, upsert, ..Adding::new(&registry) };
    let [first, other] = [event("a", Time(0), "m1", "", &counts()), event("a", Time(0), "m2", "", &counts())];
    assert_eq!(ledger.add_all([first.clone()], &at(hour(1), false)).unwrap().added, 1);
    assert_eq!(ledger.add_all([first], &at(hour(7), false)).unwrap().duplicates, 1);
    assert!(ledger.add_all([other.clone()], &at(hour(8), false)).is_err());
    for corrected in [1, 0] {
        assert_eq!(ledger.add_all([other.clone()], &at(hour(9), true)).unwrap().corrected, corrected);
    }
    let off = Event::new("off", Time(0)).retracting("a#2");
    for (now, added) in [(hour(10), 1), (hour(11), 0)] {
        assert_eq!(ledger.add_all([off.clone()], &at(now, false)).unwrap().added, added);
    }
    let times: Vec<String> =
        export(&ledger).lines().map(|line| Event::parse(line).unwrap().time.to_string()).collect();
    assert_eq!(times, [hour(1), hour(1), hour(10)].map(|time| time.to_string()));
}

#[test]
fn a_clock_that_was_ahead_is_reset() {
    let (_place, mut ledger) = fresh();
    let registry = registry();
    let at = |now: Time| Adding { now, ..Adding::new(&registry) };
    let of = |key: &str| event(key, hour(0), "m1", "", &counts());
    ledger.add_all([of("a")], &at(hour(24 * 3650))).unwrap();
    let error = ledger.add_all([of("b")], &at(hour(1))).unwrap_err().to_string();
    assert!(error.contains("was ahead then") && error.contains("--reset-clock"), "{error}");
    ledger.add_all([of("b")], &Adding { reset_clock: true, ..at(hour(1)) }).unwrap();
    // After the reset the clock is checked again.
    ledger.add_all([of("c")], &at(hour(2))).unwrap();
    let error = ledger.add_all([event("d", hour(9), "m1", "", &counts())], &at(hour(2))).unwrap_err();
    assert!(error.to_string().contains("a clock is wrong"));
    assert_eq!((ledger.seen(Some(3)).unwrap().1, ledger.verify().unwrap()), (Some(hour(2)), vec![]));
    assert_eq!(ledger.buckets(Selection::ALL).unwrap()[0].row[0], 12);
    // An event from a clock that was ahead keeps its time, and is a duplicate when added again.
    let ahead = || [event("d", hour(9), "m1", "", &counts())];
    assert!(error.to_string().contains("--reset-clock"));
    ledger.add_all(ahead(), &Adding { reset_clock: true, ..at(hour(2)) }).unwrap();
    assert_eq!(ledger.add_all(ahead(), &at(hour(2))).unwrap().duplicates, 1);
}

#[test]
fn plans_know_where_the_names_of_versions_end_and_earlier_ones_are_read() {
    let (_place, ledger) = fresh();
    let plan = |versions: &str, expect: u64| {
        let first = || Ok(Some(AlarmPlan { alpha: 0.05, expect, information: 1.0, seen: 0 }));
        ledger.plan(["s", "bleu", versions, "segment"], first).unwrap().unwrap().expect
    };
    let expected = [("a b", 7, 7), ("a\u{1F}b", 8, 7), ("x y\u{1F}z", 9, 9), ("x\u{1F}y z", 10, 10)];
    for (versions, first, kept) in expected {
        assert_eq!(plan(versions, first), kept, "{versions}");
    }
}

#[test]
fn offsets_of_a_day_are_no_times() {
    for offset in ["+25:00", "-25:00", "+24:00", "+24:59"] {
        let error = format!("2026-11-21T12:00:00{offset}").parse::<Time>().unwrap_err().to_string();
        assert!(error.contains("offset") || error.contains("RFC 3339"), "{error}");
    }
    for (text, time) in [("2026-01-01T23:59:00+23:59", hour(0)), ("2025-12-31T12:00:00-12:00", hour(0))] {
        assert_eq!(text.parse::<Time>().unwrap(), time);
    }
}
