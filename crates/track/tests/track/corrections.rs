//! Tests of corrections: one per event, in chains but not in circles; and of sums and events that were
//! changed.

use bleuprint_inference::NumpyRandom;
use bleuprint_metrics::registry;
use bleuprint_track::{Bucket, Event, Ledger, Selection, ShowRequest, Span, show};

use crate::support::{HOUR, Place, add, adding, event, export, fresh, hour, row};

fn rows() -> [Vec<u64>; 4] {
    let mut random = NumpyRandom::new(3);
    [70, 75, 80, 85].map(|quality| row(&mut random, 5, quality))
}

fn correction(key: &str, target: &str, row: &[u64]) -> Event {
    event(key, hour(0), "m1", "", row).retracting(target)
}

fn sum(ledger: &Ledger) -> Vec<u64> {
    ledger.buckets(Selection::ALL).unwrap().into_iter().map(|bucket| bucket.row).next().unwrap_or_default()
}

fn sound(ledger: &Ledger) {
    assert_eq!(ledger.verify().unwrap(), Vec::<String>::new());
}

#[test]
fn a_second_correction_of_an_event_names_the_first_and_one_of_the_correction_counts() {
    let [bad, good, other, last] = rows();
    let (_place, mut ledger) = fresh();
    add(&mut ledger, vec![event("a", hour(0), "m1", "", &bad), correction("b", "a", &good)], false).unwrap();
    let error = add(&mut ledger, vec![correction("c", "a", &other)], false).unwrap_err();
    assert!(error.contains("`c`: it corrects `a`, which `b` corrects already: correct `b`"), "{error}");
    assert_eq!(sum(&ledger), good);
    add(&mut ledger, vec![correction("c", "b", &other)], false).unwrap();
    // Retracting an event twice changes nothing.
    add(&mut ledger, vec![Event::new("off", hour(1)).retracting("a")], false).unwrap();
    assert_eq!(sum(&ledger), other);
    // In one batch too.
    let both = vec![correction("d", "c", &last), correction("e", "c", &last)];
    assert!(add(&mut ledger, both, false).unwrap_err().contains("segment 2: `e`: it corrects `c`"));
    sound(&ledger);

    // Two machines correct the same event: merging fails and changes neither ledger.
    let places = [Place::new(), Place::new()];
    let [mut one, mut two] = [places[0].ledger(), places[1].ledger()];
    for (ledger, key, row) in [(&mut one, "b", &good), (&mut two, "c", &other)] {
        add(ledger, vec![event("a", hour(0), "m1", "", &bad), correction(key, "a", row)], false).unwrap();
    }
    let error = one.merge(&two, &adding()).unwrap_err().to_string();
    assert!(error.contains("which `b` corrects already"), "{error}");
    assert_eq!((sum(&one), export(&one).lines().count()), (good, 2));
}

#[test]
fn events_that_retract_each_other_are_refused() {
    let [one, two, three, _] = rows();
    let (_place, mut ledger) = fresh();
    let circles = [
        vec![correction("a", "b", &one), correction("b", "a", &two)],
        vec![correction("a", "b", &one), correction("b", "c", &two), correction("c", "a", &three)],
    ];
    for circle in circles {
        for upsert in [false, true] {
            let error = add(&mut ledger, circle.clone(), upsert).unwrap_err();
            assert!(error.contains("it retracts itself through other events"), "{error}");
        }
        let twice = [&circle[..], &[event("a", hour(2), "m1", "", &three).retracting("b")]].concat();
        assert!(add(&mut ledger, twice, true).unwrap_err().contains("it retracts itself"));
    }
    assert_eq!(export(&ledger), "");
}

#[test]
fn verify_finds_corrections_and_circles_that_earlier_versions_let_in() {
    let [bad, good, other, _] = rows();
    let (place, mut ledger) = fresh();
    let first = vec![event("a", hour(0), "m1", "", &bad), correction("b", "a", &good)];
    add(&mut ledger, first, false).unwrap();
    // `c` is then changed within the file, so that it looks like a second correction of `a`.
    add(&mut ledger, vec![event("c", hour(0), "m1", "", &other)], false).unwrap();
    let change = |sql: &str, event: &Event| {
        let database = rusqlite::Connection::open(&place.0).unwrap();
        assert_eq!(database.execute(sql, [event.sha256()]).unwrap(), 1);
        place.ledger().verify().unwrap()
    };
    let sql = "UPDATE event SET retracts = 'a', sha256 = ?1 WHERE key = 'c'";
    let wrong = change(sql, &correction("c", "a", &other));
    assert_eq!(wrong, ["`b` and `c` are corrections of `a`, and both count"]);
    // One of the two corrections is retracted.
    add(&mut ledger, vec![Event::new("off", hour(1)).retracting("c")], false).unwrap();
    sound(&ledger);
    let sql = "UPDATE event SET retracts = 'b', sha256 = ?1 WHERE key = 'a'";
    let wrong = change(sql, &correction("a", "b", &bad)).join("\n");
    assert!(wrong.contains("retracts itself through other events"), "{wrong}");
}

#[test]
fn upsert_finds_revisions_by_what_they_retract() {
    let [first, second, third, foreign] = rows();
    let (_place, mut ledger) = fresh();
    let of = |key: &str, row: &[u64]| event(key, hour(0), "m1", "", row);
    // Another user's event has the shape of a revision.
    add(&mut ledger, vec![of("req", &first), of("req#2", &foreign)], false).unwrap();
    let both = |row: &[u64]| row.iter().zip(&foreign).map(|(one, other)| one + other).collect::<Vec<_>>();
    for (row, added) in [(&second, 1), (&second, 0), (&third, 1), (&third, 0), (&first, 1)] {
        assert_eq!(add(&mut ledger, vec![of("req", row)], true).unwrap().added, added);
        assert_eq!(sum(&ledger), both(row));
        sound(&ledger);
    }
    let keys = [r#""key":"req#3","#, r#""key":"req#4","#, r#""key":"req#5","#];
    assert!(keys.iter().all(|key| export(&ledger).contains(key)), "{}", export(&ledger));
    // A correction with another key replaces what counts under the first key.
    let (_place, mut ledger) = fresh();
    add(&mut ledger, vec![of("a", &first), correction("better", "a", &second)], false).unwrap();
    add(&mut ledger, vec![of("a", &third)], true).unwrap();
    assert_eq!(sum(&ledger), third);
    // An upsert may change only counts, not the event that is retracted.
    let error = add(&mut ledger, vec![of("b", &first), correction("b", "a", &second)], true).unwrap_err();
    assert!(error.contains("the key `b` already exists with other content"), "{error}");
    sound(&ledger);
}

#[test]
fn a_changed_digit_is_no_score() {
    let [one, two, three, four] = rows();
    let (place, mut ledger) = fresh();
    let late = Event::new("off", hour(40)).retracting("a");
    let events = vec![
        event("a", hour(0), "m1", "de", &one),
        event("b", hour(1), "m1", "de", &two),
        event("c", hour(30), "m1", "", &three),
        late,
    ];
    add(&mut ledger, events, false).unwrap();
    drop(ledger);
    let registry = registry();
    let shown = |as_of| {
        let by = vec!["version".to_owned()];
        let request = ShowRequest { window: Span(48 * HOUR), by, stream: None, as_of };
        show(&place.ledger(), &registry, &request).map(|shown| shown.len()).map_err(|error| error.to_string())
    };
    assert_eq!((shown(None), shown(Some(3))), (Ok(1), Ok(1)));
    let database = rusqlite::Connection::open(&place.0).unwrap();
    let own = format!("start = {}", hour(1).0);
    let text: String =
        database.query_row(&format!("SELECT row FROM bucket WHERE {own}"), [], |row| row.get(0)).unwrap();
    let write = |row: &str| {
        assert_eq!(database.execute(&format!("UPDATE bucket SET row = ?1 WHERE {own}"), [row]).unwrap(), 1);
    };
    for at in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at) {
        let digit = (text.as_bytes()[at] - b'0' + 1) % 10;
        write(&format!("{}{digit}{}", &text[..at], &text[at + 1..]));
        let error = shown(None).unwrap_err();
        assert!(error.contains("track.db") && error.contains("the ledger is damaged"), "{error}");
        let error = add(&mut place.ledger(), vec![event("d", hour(1), "m1", "de", &four)], false);
        assert!(error.unwrap_err().contains("the ledger is damaged"), "a sum that is wrong is no ground");
        write(&text);
    }
    assert_eq!(shown(None), Ok(1));
    // Changes of names and times of sums are found, and of events when they are read.
    for (change, back) in [("version = 'm2'", "version = 'm1'"), ("start = start + 1", "start = start - 1")] {
        for (set, wrong) in [(change, true), (back, false)] {
            let sql = format!("UPDATE bucket SET {set} WHERE start BETWEEN {0} AND {0} + 1", hour(1).0);
            assert_eq!(database.execute(&sql, []).unwrap(), 1);
            assert_eq!(shown(None).is_err(), wrong, "{set}");
        }
    }
    database.execute("UPDATE event SET row = replace(row, '[5,', '[4,') WHERE key = 'b'", []).unwrap();
    assert!(shown(Some(3)).unwrap_err().contains("`b` is not what was added"));
}

#[test]
fn sums_of_the_first_version_are_read_and_said_to_be_unchecked_until_they_are_verified() {
    let [one, two, three, _] = rows();
    let place = Place::new();
    let events = vec![event("a", hour(0), "m1", "", &one), event("b", hour(1), "m1", "", &two)];
    add(&mut place.ledger(), events, false).unwrap();
    let before: Vec<Bucket> = place.ledger().buckets(Selection::ALL).unwrap();
    let database = rusqlite::Connection::open(&place.0).unwrap();
    database.execute_batch("ALTER TABLE bucket DROP COLUMN sha256; ALTER TABLE event DROP COLUMN unit; PRAGMA user_version = 1").unwrap();
    drop(database);
    let mut ledger = place.ledger();
    assert_eq!(ledger.buckets(Selection::ALL).unwrap(), before);
    // Adding to an unchecked sum leaves it unchecked; new sums are checked.
    add(&mut ledger, vec![event("c", hour(1), "m1", "", &three), event("d", hour(2), "m1", "", &one)], false)
        .unwrap();
    let note = place.ledger().unchecked().unwrap().unwrap();
    assert!(note.contains("track.db: 2 sums have no checksum") && note.contains("track verify"), "{note}");
    sound(&ledger);
    assert_eq!(ledger.unchecked().unwrap(), None);
    let database = rusqlite::Connection::open(&place.0).unwrap();
    database.execute("UPDATE bucket SET row = replace(row, '[5,', '[6,')", []).unwrap();
    assert!(ledger.buckets(Selection::ALL).unwrap_err().to_string().contains("its checksum differs"));
}
