//! Tests of the ledger: it counts each event once, in any order, and loses nothing.

use bleuprint_core::{InputError, Segment, State};
use bleuprint_inference::NumpyRandom;
use bleuprint_metrics::registry;
use bleuprint_registry::{AnyMetric, Numbers};
use bleuprint_testkit::draws;
use bleuprint_track::{
    Adding, Bucket, Event, Late, Ledger, Selection, ShowRequest, Span, Time, Window, show,
};

use crate::support::{HOUR, Place, START, add, adding, event, export, fresh, hour, row};

/// Returns a few rows that events share, so that thousands of events are made quickly.
fn rows() -> Vec<Vec<u64>> {
    let mut random = NumpyRandom::new(7);
    (0..5).map(|quality| row(&mut random, 3, 60 + 8 * quality)).collect()
}

/// Returns events of a month in two versions and three languages, some of them retractions.
fn many(count: usize) -> Vec<Event> {
    let rows = rows();
    let mut random = NumpyRandom::new(11);
    let mut draws = vec![0; count];
    random.fill_indices(30 * 24 * 60, &mut draws);
    let one = |(number, minute): (usize, &u32)| {
        let time = Time(START + i64::from(*minute) * 60_000_000_000);
        let key = format!("pod{}-{number}", number % 3);
        match number % 50 {
            // The events before this one are retracted or corrected, wherever in the batches they are.
            7 => Event::new(key, time).retracting(format!("pod{}-{}", (number - 1) % 3, number - 1)),
            8 => event(key, time, "m1", "de", &rows[0]).retracting(format!(
                "pod{}-{}",
                (number - 3) % 3,
                number - 3
            )),
            _ => event(key, time, ["m1", "m2"][number % 2], ["de", "fr", ""][number % 3], &rows[number % 5]),
        }
    };
    draws.iter().enumerate().map(one).collect()
}

fn shuffled(events: &[Event], seed: u128) -> Vec<Event> {
    let mut random = NumpyRandom::new(seed);
    let mut shuffled = events.to_vec();
    for place in (1..shuffled.len()).rev() {
        let mut draw = [0];
        random.fill_indices(place as u32 + 1, &mut draw);
        shuffled.swap(place, draw[0] as usize);
    }
    shuffled
}

/// Adds events in batches. A retraction whose target is not there yet is added with a later batch.
fn add_in_batches(ledger: &mut Ledger, events: &[Event], size: usize) {
    let mut waiting: Vec<Event> = Vec::new();
    for batch in events.chunks(size) {
        let (retracting, counting): (Vec<Event>, Vec<Event>) =
            batch.iter().cloned().partition(|event| event.retracts.is_some());
        add(ledger, counting, false).unwrap();
        waiting.extend(retracting);
    }
    add(ledger, waiting, false).unwrap();
}

#[test]
fn shuffles_with_duplicates_and_late_events_give_the_same_export_and_sums() {
    let events = many(10_000);
    let mut expected: Option<(String, Vec<Bucket>)> = None;
    for seed in 0..draws(10, 3) as u128 {
        let (_place, mut ledger) = fresh();
        let mut order = shuffled(&events, seed);
        // A tenth of the events is added twice.
        order.extend(shuffled(&events, seed + 100).into_iter().take(1000));
        add_in_batches(&mut ledger, &order, 700);
        assert_eq!(ledger.verify().unwrap(), Vec::<String>::new());
        let tallies = ledger.tallies().unwrap();
        assert_eq!((tallies.merged, tallies.duplicate), (10_000, 1000));
        assert!(tallies.late > 1000, "{tallies:?}");
        let all = (export(&ledger), ledger.buckets(Selection::ALL).unwrap());
        assert_eq!(all.0.lines().count(), 10_000);
        assert!(expected.get_or_insert_with(|| all.clone()) == &all, "order {seed}");
    }
    // An export can be imported as a ledger.
    let (text, buckets) = expected.unwrap();
    let (_place, mut ledger) = fresh();
    ledger.add(bleuprint_track::events("export", &text), &adding()).unwrap();
    assert!(export(&ledger) == text && ledger.buckets(Selection::ALL).unwrap() == buckets);
}

#[test]
fn ledgers_merge_in_any_order() {
    let events = many(600);
    let places = [(); 3].map(|()| Place::new());
    let ledgers: Vec<Ledger> = places
        .iter()
        .enumerate()
        .map(|(number, place)| {
            let mut ledger = place.ledger();
            // Every ledger has the targets of its retractions, and some of the other events.
            let own = events.iter().enumerate().filter(|(at, _)| at % 50 < 10 || at % 3 != number);
            add(&mut ledger, own.map(|(_, event)| event.clone()).collect(), false).unwrap();
            ledger
        })
        .collect();
    let mut exports = Vec::new();
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let place = Place::new();
        let mut merged = place.ledger();
        for number in order {
            merged.merge(&ledgers[number], &adding()).unwrap();
        }
        assert_eq!(merged.verify().unwrap(), Vec::<String>::new());
        exports.push((export(&merged), merged.buckets(Selection::ALL).unwrap()));
    }
    assert!(exports.iter().all(|export| *export == exports[0]));
}

#[test]
fn windows_by_adding_and_retracting_are_fresh_sums() {
    let (_place, mut ledger) = fresh();
    add_in_batches(&mut ledger, &many(3000), 3000);
    let mut sums = std::collections::BTreeMap::<Time, Vec<u64>>::new();
    for bucket in ledger.buckets(Selection::ALL).unwrap() {
        let sum = sums.entry(bucket.start).or_insert_with(|| vec![0; bucket.row.len()]);
        sum.iter_mut().zip(&bucket.row).for_each(|(sum, count)| *sum += count);
    }
    assert!(sums.len() > 500);
    let length = Span(24 * HOUR);
    let mut window = Window::new(length);
    for (&start, row) in &sums {
        let fresh = sums.range(Time(start.0 - length.0 + 1)..=start);
        let mut sum = vec![0; row.len()];
        fresh.for_each(|(_, row)| sum.iter_mut().zip(row).for_each(|(sum, count)| *sum += count));
        assert_eq!(window.add(start, row).unwrap(), sum, "{start}");
    }
}

#[test]
fn a_key_counts_once_and_other_content_is_refused_or_a_correction() {
    let (_place, mut ledger) = fresh();
    let rows = rows();
    let first = event("k", hour(0), "m1", "", &rows[0]);
    let other = event("k", hour(0), "m1", "", &rows[1]);
    let sum = |ledger: &Ledger| ledger.buckets(Selection::ALL).unwrap()[0].row.clone();
    assert_eq!(add(&mut ledger, vec![first.clone(), first.clone()], false).unwrap().duplicates, 1);
    let before = export(&ledger);
    let error = add(&mut ledger, vec![event("n", hour(1), "m1", "", &rows[0]), other.clone()], false);
    assert!(error.unwrap_err().contains("segment 2: the key `k` already exists with other content"));
    assert_eq!((export(&ledger), ledger.tallies().unwrap().refused), (before, 1));
    // A source overwrites its records: the last content counts, and all are kept.
    for (event, expected, lines) in
        [(&other, &rows[1], 2), (&other, &rows[1], 2), (&first, &rows[0], 3), (&other, &rows[1], 4)]
    {
        add(&mut ledger, vec![event.clone()], true).unwrap();
        assert_eq!((&sum(&ledger), export(&ledger).lines().count()), (expected, lines));
        assert_eq!(ledger.verify().unwrap(), Vec::<String>::new());
    }
    assert!(export(&ledger).contains(r#""key":"k#2""#) && export(&ledger).contains(r#""retracts":"k#3""#));
}

#[test]
fn retractions_take_out_once_and_need_their_target() {
    let (_place, mut ledger) = fresh();
    let rows = rows();
    let all = |ledger: &Ledger| ledger.buckets(Selection::ALL).unwrap();
    let off = |key: &str, target: &str| Event::new(key, hour(5)).retracting(target);
    // In one batch the order does not matter.
    add(
        &mut ledger,
        vec![
            off("off", "a"),
            event("a", hour(0), "m1", "", &rows[0]),
            event("b", hour(0), "m1", "", &rows[1]),
        ],
        false,
    )
    .unwrap();
    assert_eq!(all(&ledger)[0].row, rows[1]);
    add(&mut ledger, vec![off("again", "a")], false).unwrap();
    assert_eq!(all(&ledger)[0].row, rows[1]);
    for (event, words) in [
        (off("x", "nowhere"), "retracts `nowhere`, which is not there"),
        (off("x", "off"), "retracts `off`, which is a retraction itself"),
        (off("x", "x"), "retracts itself"),
    ] {
        assert!(add(&mut ledger, vec![event], false).unwrap_err().contains(words), "{words}");
    }
    add(&mut ledger, vec![off("last", "b")], false).unwrap();
    assert_eq!((all(&ledger), ledger.verify().unwrap()), (vec![], vec![]));
}

#[test]
fn late_events_change_scores_and_no_closed_bucket_and_the_past_can_be_seen() {
    let (_place, mut ledger) = fresh();
    let rows = rows();
    let closed = Late::LeaveOut(Span(HOUR), Span(HOUR));
    add(&mut ledger, vec![event("a", hour(0), "m1", "", &rows[0])], false).unwrap();
    add(&mut ledger, vec![event("b", hour(9), "m1", "", &rows[1])], false).unwrap();
    // Hour 0 is closed since time stands at hour 9.
    add(&mut ledger, vec![event("c", hour(0), "m1", "", &rows[2])], false).unwrap();
    add(&mut ledger, vec![Event::new("off", hour(9)).retracting("a")], false).unwrap();
    let first = |late: Late, as_of: Option<u64>| {
        let buckets = ledger.buckets(Selection { late, as_of, ..Selection::ALL }).unwrap();
        buckets.into_iter().find(|bucket| bucket.start == hour(0)).map(|bucket| bucket.row)
    };
    let added = |one: &[u64], other: &[u64]| one.iter().zip(other).map(|(a, b)| a + b).collect::<Vec<_>>();
    assert_eq!(first(Late::Count, None), Some(rows[2].clone()));
    assert_eq!(first(closed, None), Some(rows[0].clone()));
    assert_eq!(first(Late::Count, Some(3)), Some(added(&rows[0], &rows[2])));
    assert_eq!(first(Late::Count, Some(2)), Some(rows[0].clone()));
    // The stored sums, corrected for late events, equal the sums of the events.
    for as_of in [3, 4] {
        assert_eq!(first(closed, Some(as_of)), Some(rows[0].clone()));
    }
    assert_eq!(ledger.seen(Some(2)).unwrap().0, 2);
    assert!(ledger.seen(Some(5)).unwrap_err().to_string().contains("has 4 events, not 5"));
    assert_eq!(ledger.tallies().unwrap().late, 1);
}

#[test]
fn late_events_of_many_are_left_out_alike_by_both_ways() {
    let (_place, mut ledger) = fresh();
    add_in_batches(&mut ledger, &many(2000), 100);
    let (seen, _) = ledger.seen(None).unwrap();
    for lateness in [1, 24, 24 * 40] {
        let late = Late::LeaveOut(Span(lateness * HOUR), Span(HOUR));
        let quick = ledger.buckets(Selection { late, ..Selection::ALL }).unwrap();
        let slow = ledger.buckets(Selection { late, as_of: Some(seen), ..Selection::ALL }).unwrap();
        assert!(quick == slow, "{lateness} h");
    }
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    let (_place, mut ledger) = fresh();
    let rows = rows();
    let good = event("k", hour(0), "m1", "", &rows[0]).line();
    let huge = (1_u64 << 63).to_string();
    let cases = [
        ("{\"format\":\"bleuprint-event/1\"", "not an event"),
        (&good.replace("event/1", "event/2"), "the format is `bleuprint-event/2`"),
        (&good.replace("\"version\"", "\"model\""), "unknown field `model`"),
        (&good.replace("\"stream\":\"support\",", ""), "go together"),
        (&good.replace("\"key\":\"k\"", "\"key\":\"\""), "empty key"),
        (&good.replace("2026-01-01T00:00:00Z", "2026-01-01"), "RFC 3339"),
        (&good.replace("2026-01-01", "2300-01-01"), "1677 to 2262"),
        (&good.replace("2026-01-01", "2027-06-01"), "a clock is wrong"),
        (&good.replace("[3,3,3,", "[3,3,"), "malformed"),
        (&good.replace("[3,3,3,", "[-3,3,3,"), "not an event"),
        (&good.replace("[3,3,3,", "[NaN,3,3,"), "not an event"),
        (&good.replace("[3,3,3,", &format!("[{huge},3,3,")), "exceeds 9223372036854775807"),
        (&good.replace("[3,3,3,", "[3,9,3,"), "cannot have 9 references"),
        (&good.replace("\"spec\":\"bleu\"", "\"spec\":\"blue\""), "did you mean"),
        (&good.replace("bleu/1|order:4", "bleu/1|order:3"), "unlike states"),
        (&good.replace("\"key\":\"k\"", "\"key\":\"k\",\"slice\":{\"a\":\"1\",\"a\":\"2\"}"), "comes twice"),
    ];
    for (line, words) in cases {
        let text = format!("{}\n{line}\n", event("fine", hour(0), "m1", "", &rows[0]).line());
        let error = ledger.add(bleuprint_track::events("x.jsonl", &text), &adding()).unwrap_err().to_string();
        assert!(
            error.contains(words) && error.contains("x.jsonl") && error.contains("line 2"),
            "{words}: {error}"
        );
    }
    assert_eq!(export(&ledger), "");
}

#[test]
fn sums_beyond_63_bits_are_refused_and_nothing_is_kept() {
    let (_place, mut ledger) = fresh();
    // Segments without tokens: only counts of references grow.
    let most = i64::MAX as u64;
    let metric = AnyMetric::for_text(bleuprint_metrics::ExactMatch);
    let state = State::from_row(&metric, &[most, most, most, 0]).unwrap();
    let of = |key: &str| Event::new(key, hour(0)).counting("s", "m", "exact_match", &state).unwrap();
    add(&mut ledger, vec![of("a")], false).unwrap();
    let error = add(&mut ledger, vec![of("b")], false).unwrap_err();
    assert!(
        error.contains("column 1 would be 18446744073709551614; the limit is 9223372036854775807"),
        "{error}"
    );
    assert_eq!(export(&ledger).lines().count(), 1);
}

#[test]
fn clocks_that_run_back_are_told_and_nothing_is_added() {
    let (_place, mut ledger) = fresh();
    let rows = rows();
    let registry = registry();
    let at = |now: Time| Adding { now, ..Adding::new(&registry) };
    ledger.add_all([event("a", hour(0), "m1", "", &rows[0])], &at(hour(100))).unwrap();
    let error = ledger.add_all([event("b", hour(0), "m1", "", &rows[0])], &at(hour(2))).unwrap_err();
    assert!(error.to_string().contains("it ran back"), "{error}");
    // A clock that is slightly behind is accepted; arrivals stay in order.
    let a_little = Time(hour(100).0 - HOUR / 2);
    ledger.add_all([event("b", hour(0), "m1", "", &rows[0])], &at(a_little)).unwrap();
    assert_eq!(ledger.seen(Some(2)).unwrap().1, Some(hour(100)));
}

#[test]
fn a_cut_file_and_a_foreign_one_are_told() {
    let place = Place::new();
    add(&mut place.ledger(), many(200), false).unwrap();
    let whole = std::fs::read(&place.0).unwrap();
    std::fs::write(&place.0, &whole[..whole.len() / 2]).unwrap();
    let error = Ledger::open(&place.0).and_then(|ledger| ledger.verify()).unwrap_err().to_string();
    assert!(error.contains("truncated or changed") && error.contains("track.db"), "{error}");

    std::fs::write(&place.0, "no database at all, but longer than a header of one hundred bytes would have to be, so that it is read").unwrap();
    let error = Ledger::open(&place.0).unwrap_err().to_string();
    assert!(error.contains("this file is not a ledger"), "{error}");
    std::fs::remove_file(&place.0).unwrap();
    assert!(Ledger::open(&place.0).unwrap_err().to_string().contains("there is no ledger"));
}

#[test]
fn changed_events_and_sums_are_found() {
    let place = Place::new();
    add(&mut place.ledger(), many(100), false).unwrap();
    let change = |sql: &str| {
        let database = rusqlite::Connection::open(&place.0).unwrap();
        assert!(database.execute(sql, []).unwrap() > 0, "{sql}");
        place.ledger().verify().unwrap().join("\n")
    };
    let wrong = change(
        "UPDATE bucket SET row = replace(row, '[3,', '[4,') WHERE start = (SELECT min(start) FROM bucket)",
    );
    assert!(wrong.contains("its sum is not that of its events"), "{wrong}");
    let wrong = change("UPDATE event SET time = time + 1 WHERE seq = 5");
    assert!(wrong.contains("is not what was added"), "{wrong}");
    let wrong = change("DELETE FROM bucket WHERE start = (SELECT max(start) FROM bucket)");
    assert!(wrong.contains("is missing"), "{wrong}");
    let wrong = change("DELETE FROM event WHERE key IN (SELECT retracts FROM event)");
    assert!(wrong.contains("which is not there"), "{wrong}");
}

#[test]
fn buckets_of_a_ledger_have_one_length() {
    let place = Place::new();
    drop(Ledger::open_or_create(&place.0, Some(Span(HOUR / 4))).unwrap());
    assert_eq!(place.ledger().bucket(), Span(HOUR / 4));
    let error = Ledger::open_or_create(&place.0, Some(Span(HOUR))).unwrap_err().to_string();
    assert!(error.contains("its buckets are of 15m, not of 1h"), "{error}");
}

#[test]
fn three_months_of_twenty_slices_are_shown_in_a_blink() {
    let (_place, mut ledger) = fresh();
    months(&mut ledger);
    let registry = registry();
    let by = vec!["version".to_owned(), "slice".to_owned()];
    let request = ShowRequest { window: Span(24 * HOUR), by, stream: None, as_of: None };
    let start = std::time::Instant::now();
    let shown = show(&ledger, &registry, &request).unwrap();
    let time = start.elapsed();
    assert_eq!(shown.len(), 20);
    println!("show of {} events: {time:?}", ledger.tallies().unwrap().merged);
    // A generous limit, which a busy machine without optimisation keeps too.
    assert!(time.as_secs() < 10, "{time:?}");
}

/// Adds hourly events of three months in twenty slices.
pub(crate) fn months(ledger: &mut Ledger) {
    let rows = rows();
    let one = |number: i64| {
        let slice = format!("l{:02}", number % 20);
        event(format!("{number}"), hour(number / 20), "m1", &slice, &rows[(number % 5) as usize])
    };
    add(ledger, (0..91 * 24 * 20).map(one).collect(), false).unwrap();
}

#[test]
fn missing_numbers_without_leave_are_refused() {
    let registry = registry();
    let metric =
        registry.parse("given:name=x").and_then(|spec| registry.get(&spec.metric)?.build(&spec.options));
    let numbers: &Numbers = &[];
    let error: InputError =
        State::of_segment(&metric.unwrap(), &mut Default::default(), Segment::new(numbers, &[])).unwrap_err();
    assert!(error.to_string().contains("missing=skip"));
}
