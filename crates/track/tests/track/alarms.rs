//! Tests of alarms: they are raised once, stay active until acknowledged, and can be reproduced later.

use bleuprint_core::State;
use bleuprint_eval::store::{Fingerprint, Header, StoredSegment, StoredState, StoredStatistics};
use bleuprint_inference::NumpyRandom;
use bleuprint_metrics::registry;
use bleuprint_track::{AlarmKind, Checked, Ledger, Moment, Time, WatchPolicy, check};

use crate::support::{Place, add, bleu, event, fresh, hour, row};

/// Writes a baseline of segments with a quality of 70 % next to the ledger, and returns its file.
fn baseline(place: &Place) -> String {
    let (metric, mut random) = (bleu(), NumpyRandom::new(3));
    let rows: Vec<Vec<u64>> = (0..400).map(|_| row(&mut random, 1, 70)).collect();
    let segment = |row: &Vec<u64>| StoredSegment {
        references: Fingerprint::from_texts(["r"]),
        source: None,
        labels: vec![],
        states: vec![StoredState::Row(row.clone())],
    };
    let segments: Vec<StoredSegment> = rows.iter().map(segment).collect();
    let mut total = State::zero(&metric);
    for row in &rows {
        total.merge(&State::from_row(&metric, row).unwrap()).unwrap();
    }
    let header = Header { system: "release".to_owned(), ..Header::of_metric("bleu", &metric).unwrap() };
    let total = vec![StoredState::from_state(&metric, &total).unwrap()];
    let file = place.0.with_extension("stats").display().to_string();
    StoredStatistics::new(header, segments, total).write(&file).unwrap();
    file
}

fn policy(baseline: &str, more: &str) -> WatchPolicy {
    let text = format!(
        "format = \"bleuprint-track/1\"\n[[watch]]\nname = \"w\"\nstream = \"support\"\nmetric = \"bleu\"\nbaseline = \"{baseline}\"\ndrop = 3.0\nfalse-alarms = \"1 per 365d\"\n{more}\n"
    );
    WatchPolicy::parse("track.toml", &text, &registry()).unwrap()
}

fn watched(more: &str) -> (Place, Ledger, WatchPolicy) {
    let (place, ledger) = fresh();
    let policy = policy(&baseline(&place), more);
    (place, ledger, policy)
}

fn fill(ledger: &mut Ledger, version: &str, hours: std::ops::Range<i64>, quality: u32, segments: usize) {
    let mut random = NumpyRandom::new(hours.start as u128 + 1000);
    let one = |number: i64| {
        let row = row(&mut random, segments, quality);
        event(format!("{version}-{number}-{segments}"), hour(number), version, "", &row)
    };
    add(ledger, hours.map(one).collect(), false).unwrap();
}

fn checked(ledger: &Ledger, policy: &WatchPolicy, now: i64, as_of: Option<u64>) -> Checked {
    check(ledger, policy, &registry(), Moment { now: hour(now), as_of }).unwrap()
}

#[test]
fn a_drop_is_raised_once_and_stands_until_it_is_acknowledged() {
    let (_place, mut ledger, policy) = watched("");
    fill(&mut ledger, "m1", 0..20, 70, 40);
    let early = checked(&ledger, &policy, 20, None);
    assert_eq!((early.exit_code(), early.watches[0].dispersion), (3, None));
    fill(&mut ledger, "m1", 20..100, 70, 40);
    let quiet = checked(&ledger, &policy, 100, None);
    assert_eq!(quiet.exit_code(), 0, "{:?}", quiet.standing);
    fill(&mut ledger, "m1", 100..140, 60, 40);
    let alarm = checked(&ledger, &policy, 140, None);
    assert_eq!(alarm.exit_code(), 1);
    let first = alarm.standing[0].clone();
    assert_eq!((first.kind, first.version.as_str(), first.id), (AlarmKind::Drop, "m1", 1));
    assert!(first.at > hour(100) && first.at < hour(120), "{first:?}");
    assert!(first.since > hour(70) && first.since <= hour(102), "{first:?}");
    // Checking again raises no new alarm, and late events never withdraw one.
    let count = alarm.standing.len();
    let mut random = NumpyRandom::new(99);
    let late: Vec<_> = (100..140)
        .map(|number| event(format!("late{number}"), hour(number), "m1", "", &row(&mut random, 400, 95)))
        .collect();
    add(&mut ledger, late, false).unwrap();
    let again = checked(&ledger, &policy, 141, None);
    assert_eq!((again.exit_code(), again.standing.len(), &again.standing[0]), (1, count, &first));
    // The alarm is raised with all events that it had seen, but not with fewer.
    let seen = checked(&ledger, &policy, 500, Some(first.seen));
    assert_eq!((seen.standing[0].at, seen.standing[0].since), (first.at, first.since));
    assert_eq!(checked(&ledger, &policy, 500, Some(100)).exit_code(), 0);
    assert_eq!(ledger.acknowledge(None, hour(142)).unwrap(), count);
    assert_eq!(checked(&ledger, &policy, 142, None).exit_code(), 0);
}

#[test]
fn a_new_version_starts_anew_with_the_rate_that_is_known() {
    let (_place, mut ledger, policy) = watched("");
    fill(&mut ledger, "m1", 0..60, 70, 40);
    fill(&mut ledger, "m2", 60..80, 50, 40);
    let checked = checked(&ledger, &policy, 80, None);
    let names: Vec<&str> =
        checked.watches[0].versions.iter().map(|version| version.version.as_str()).collect();
    assert_eq!(names, ["m1", "m2"]);
    assert!(checked.standing.iter().all(|alarm| alarm.version == "m2"), "{:?}", checked.standing);
    assert!(checked.standing[0].at <= hour(66), "{:?}", checked.standing);
}

#[test]
fn small_buckets_wait_and_silence_is_an_alarm() {
    let (_place, mut ledger, policy) = watched("min-segments = 30\nsilent = \"6h\"");
    fill(&mut ledger, "m1", 0..120, 70, 10);
    let checked_then = checked(&ledger, &policy, 119, None);
    let points = &checked_then.watches[0].versions[0].points;
    // Three buckets make an observation; the last two are not closed.
    assert_eq!((points.len(), checked_then.exit_code()), (39, 0));
    assert_eq!((points[1].start, points[1].end), (hour(3), hour(6)));
    let silent = checked(&ledger, &policy, 130, None);
    assert_eq!((silent.exit_code(), silent.standing[0].kind), (1, AlarmKind::Silent));
    assert_eq!(checked(&ledger, &policy, 131, None).standing.len(), 1);
}

#[test]
fn outputs_that_get_shorter_are_an_alarm_of_their_own() {
    let (_place, mut ledger, policy) = watched("length-ratio = 0.02");
    fill(&mut ledger, "m1", 0..60, 70, 40);
    // The first eight of twelve tokens: precisions stay, the ratio falls.
    let metric = bleu();
    let reference: Vec<u32> = (0..12).collect();
    let (hypothesis, references) = (&[0, 1, 2, 99, 4, 5, 6, 7, 8, 9][..], [&reference[..]]);
    let segment = bleuprint_core::Segment::new(hypothesis, &references);
    let mut state = State::of_segment(&metric, &mut Default::default(), segment).unwrap();
    (0..5).for_each(|_| state.merge(&state.clone()).unwrap());
    let row = state.row().unwrap();
    let events = (60..75).map(|number| event(format!("s{number}"), hour(number), "m1", "", &row)).collect();
    add(&mut ledger, events, false).unwrap();
    let checked = checked(&ledger, &policy, 75, None);
    assert!(checked.standing.iter().any(|alarm| alarm.kind == AlarmKind::Shorter), "{:?}", checked.standing);
    assert!(checked.standing.iter().all(|alarm| alarm.kind != AlarmKind::Longer));
}

#[test]
fn numbers_of_others_are_watched_around_a_stated_mean() {
    use bleuprint_registry::Numbers;
    let registry = registry();
    let spec = "given:name=mark,scale=0..1,missing=skip,spread=yes";
    let parsed = registry.parse(spec).unwrap();
    let metric = registry.get(&parsed.metric).unwrap().build(&parsed.options).unwrap();
    for deviation in ["deviation = 0.4", ""] {
        let (_place, mut ledger) = fresh();
        let mut random = NumpyRandom::new(5);
        let mut one = |number: i64| {
            let mut draws = [0; 50];
            random.fill_indices(100, &mut draws);
            let passes = if number < 60 { 80 } else { 60 };
            let mut marks = bleuprint_core::Accumulator::<_, Numbers>::new(&metric);
            for (place, draw) in draws.iter().enumerate() {
                match place {
                    0 => marks.push(&[], &[]).unwrap(),
                    _ => marks.push(&[f64::from(u8::from(*draw < passes))], &[]).unwrap(),
                };
            }
            let event = bleuprint_track::Event::new(format!("{number}"), hour(number));
            event.counting("support", "m1", spec, marks.total()).unwrap()
        };
        add(&mut ledger, (0..90).map(&mut one).collect(), false).unwrap();
        let text = format!(
            "format = \"bleuprint-track/1\"\n[[watch]]\nstream = \"support\"\nmetric = \"{spec}\"\nscore = 0.8\n{deviation}\ndrop = 0.1\nfalse-alarms = \"1 per 365d\"\n"
        );
        let policy = WatchPolicy::parse("track.toml", &text, &registry).unwrap();
        let checked = checked(&ledger, &policy, 90, None);
        assert_eq!(checked.exit_code(), 1);
        let at = checked.standing[0].at;
        assert!(at > hour(60) && at < hour(72), "{at} {deviation}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let (place, mut ledger) = fresh();
    let file = baseline(&place);
    fill(&mut ledger, "m1", 0..2, 70, 40);
    let wrong = |from: &str, to: &str, words: &str| {
        let mut wrong = policy(&file, "");
        let text = format!("{wrong:?}");
        assert!(text.contains(from), "{from}");
        let watch = &mut wrong.watches[0];
        match from {
            "support" => watch.stream = to.to_owned(),
            "bleu" => watch.metric = to.to_owned(),
            _ => watch.bucket = to.parse().unwrap(),
        }
        let moment = Moment { now: hour(9), as_of: None };
        let error = check(&ledger, &wrong, &registry(), moment).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("track.toml: line 2"), "{error}");
    };
    wrong("support", "suport", "no stream `suport`; it has: support");
    wrong("bleu", "chrf", "has no `chrf`; it has: bleu");
    wrong("bucket", "90m", "buckets of 90m, but the ledger has buckets of 1h");
    let text = |from: &str, to: &str, words: &str| {
        let text = "format = \"bleuprint-track/1\"\n[[watch]]\nstream = \"support\"\nmetric = \"bleu\"\nbaseline = \"x\"\ndrop = 1\nfalse-alarms = \"1 per 365d\"\n";
        let error =
            WatchPolicy::parse("t.toml", &text.replace(from, to), &registry()).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("t.toml"), "{words}: {error}");
    };
    text("drop = 1", "drop = 0", "must be a number of points above 0");
    text("drop = 1", "drop = nan", "must be a number of points above 0");
    text("drop = 1\n", "", "`drop` is missing");
    text("1 per 365d", "365d", "as in \"1 per 365d\"");
    text("1 per 365d", "1 per 0d", "as in \"1 per 365d\"");
    text("false-alarms", "false-alarm", "did you mean `false-alarms`?");
    text("baseline = \"x\"", "score = 1\nbaseline = \"x\"", "give `baseline`");
    text("[[watch]]", "[watch]", "list of tables");
    text("track/1", "track/2", "reads bleuprint-track/1");
    text("metric = \"bleu\"", "metric = \"blue\"", "did you mean");
    text("drop = 1", "drop = 1\nbucket = \"1\"", "as in \"6h\"");
    text("drop = 1", "drop = 1\nslice = \"de\"", "lang=de,domain=news");
    let time: Time = hour(0);
    assert_eq!(time.date(), "2026-01-01");
}
