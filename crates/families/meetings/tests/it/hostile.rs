//! Sessions above the limits and malformed sessions: each must fail quickly with an error that names the
//! limit.

use bleuprint_meetings::TimeConstraint;

use crate::{Spoken, outcome, talk};

const METRICS: [(&str, bool); 8] = [
    ("orcwer", false),
    ("orcwer:search=greedy", false),
    ("mimower", false),
    ("dicpwer", false),
    ("tcorcwer", true),
    ("tcorcwer:search=greedy", true),
    ("tcmimower", true),
    ("ditcpwer", true),
];

fn error(metric: &str, timed: bool, [reference, hypothesis]: [&Spoken; 2]) -> String {
    let time = timed.then(|| TimeConstraint::new(5.0).unwrap());
    outcome(metric, time, reference, hypothesis).unwrap_err().to_string()
}

fn speakers(count: usize, words: usize) -> Spoken {
    let utterance = |number| (format!("s.{number}"), Some([0.0, 1.0]), vec!["a".to_owned(); words]);
    (0..count).map(utterance).collect()
}

#[test]
fn too_many_speakers_are_refused() {
    let many = speakers(200, 1);
    for (metric, timed) in METRICS {
        let error = error(metric, timed, [&many, &many]);
        assert!(error.starts_with("the number of "), "{error}");
        assert!(error.contains(" of a session is 200, but must be at most "), "{error}");
    }
}

#[test]
fn times_that_are_missing_or_beyond_the_limit_are_refused() {
    let good = talk(&[("A", [0.0, 1.0], "a b")]);
    let untimed: Spoken = vec![("A".to_owned(), None, vec!["a".to_owned()])];
    for (metric, timed) in METRICS {
        for times in [[0.0, f64::INFINITY], [f64::NAN, 1.0], [2.0, 1.0], [0.0, 1e9], [-1e300, 0.0]] {
            let bad = talk(&[("A", times, "a b")]);
            assert!(error(metric, timed, [&good, &bad]).contains("an utterance of `A` is from "));
        }
        if timed {
            let error = error(metric, timed, [&untimed, &untimed]);
            assert!(error.ends_with("needs times, but an utterance of `A` has none"), "{error}");
        }
    }
}

#[test]
fn tables_beyond_the_limit_are_refused_and_name_the_greedy_search() {
    let long = speakers(3, 2000);
    let time = |timed: bool| timed.then(|| TimeConstraint::new(5.0).unwrap());
    assert!(outcome("orcwer:search=greedy", time(false), &long, &long).is_ok());
    assert!(outcome("tcorcwer:search=greedy", time(true), &long, &long).is_ok());
    for (metric, timed, greedy) in [
        ("orcwer", false, "search=greedy"),
        ("tcorcwer", true, "search=greedy"),
        ("mimower", false, "orcwer:search=greedy"),
        ("tcmimower", true, "tcorcwer:search=greedy"),
    ] {
        let error = error(metric, timed, [&long, &long]);
        assert!(error.starts_with("the memory of "), "{error}");
        assert!(error.contains(greedy) && error.contains("at most 2147483648"), "{error}");
    }
}

#[test]
fn many_turns_at_once_are_counted_or_refused() {
    let turns = |speakers: usize, count: usize| -> Spoken {
        let turn = |number| {
            (format!("s{}", number % speakers), Some([0.0, 1.0]), vec![format!("w{}", number % 1000)])
        };
        (0..count).map(turn).collect()
    };
    let two = turns(2, 200_000);
    let error = error("orcwer:search=greedy", false, [&two, &two]);
    assert!(error.starts_with("the memory of the greedy ORC-WER for 200000 utterances"), "{error}");
    let counts = outcome("orcwer", None, &turns(2, 5_000), &turns(1, 5_000)).unwrap().0;
    assert_eq!(counts, [0, 0, 0, 5_000]);
}
