//! Tests of the metric `given`, which averages numbers that another program computed: required properties,
//! sums in any order, and errors.

use bleuprint_core::{Accumulator, Direction, Metric as _, Score as _, State, Stats as _};
use bleuprint_registry::Numbers;
use bleuprint_registry::laws;
use bleuprint_testkit::random::Rng;

use super::{Given, GivenOptions, MissingNumber};
use crate::registry;

fn named() -> GivenOptions {
    GivenOptions { name: "number".to_owned(), producer: Some("test".to_owned()), ..GivenOptions::default() }
}

fn observed(given: &Given, numbers: &[Vec<f64>]) -> Accumulator<Given, Numbers> {
    let mut accumulator = Accumulator::new(given.clone());
    for one in numbers {
        accumulator.push(one, &[]).unwrap();
    }
    accumulator
}

#[test]
fn obeys_the_laws() {
    for (over, spread) in [(false, false), (false, true), (true, false), (true, true)] {
        let of = |missing: MissingNumber| {
            let given =
                GivenOptions { over, spread, scale: Some((0.0, 1.0)), missing, ..named() }.build().unwrap();
            let make = move |raw: &[u8]| {
                let byte = |place: usize| f64::from(raw.get(place).copied().unwrap_or_default() % 7);
                let value =
                    if missing != MissingNumber::Error && byte(0) == 6.0 { f64::NAN } else { byte(0) / 6.0 };
                match (over, missing, raw.len()) {
                    (_, MissingNumber::Skip, 0) => Vec::new(),
                    (true, ..) => vec![value, 1.0 + byte(1)],
                    (false, ..) => vec![value],
                }
            };
            laws::check_sequences::<Numbers>(&given, make);
        };
        [MissingNumber::Error, MissingNumber::Skip, MissingNumber::Worst].into_iter().for_each(of);
    }
    let names =
        ["", ",over=n", ",spread", ",over=n,spread", ",scale=-2..2", ",better=lower", ",missing=skip"];
    let metrics =
        names.map(|options| registry().build(&format!("given:name=x,producer=t{options}")).unwrap());
    metrics.iter().for_each(laws::check_any);
    laws::check_distinct(&metrics);
}

#[test]
fn order_and_cut_do_not_matter() {
    let mut random = Rng::new(12345);
    let mut draw = move |below: usize| random.below(below);
    for (over, spread) in [(false, false), (false, true), (true, true)] {
        let given = GivenOptions { over, spread, missing: MissingNumber::Skip, ..named() }.build().unwrap();
        let wide = |draw: &mut dyn FnMut(usize) -> usize| {
            (draw(2000) as f64 - 1000.0) / 3.0 * 10_f64.powi(draw(40) as i32 - 38)
        };
        let mut rows: Vec<Vec<f64>> = (0..500)
            .map(|row| match (row % 50, over) {
                (7, _) => Vec::new(),
                (_, true) => vec![wide(&mut draw), wide(&mut draw).abs()],
                (_, false) => vec![wide(&mut draw)],
            })
            .collect();
        let whole = serde_json::to_string(observed(&given, &rows).total()).unwrap();
        for _ in 0..10 {
            for last in (1..rows.len()).rev() {
                rows.swap(last, draw(last + 1));
            }
            let mut merged = State::zero(&given);
            let mut rest = &rows[..];
            let mut shards = Vec::new();
            while !rest.is_empty() {
                let (shard, others) = rest.split_at((1 + draw(90)).min(rest.len()));
                shards.push(observed(&given, shard));
                rest = others;
            }
            shards.iter().for_each(|shard| merged.merge(shard.total()).unwrap());
            assert_eq!(serde_json::to_string(&merged).unwrap(), whole);
        }
    }
}

#[test]
fn missing_numbers_are_refused_left_out_or_the_worst() {
    let rows = [vec![0.5], vec![f64::NAN], vec![]];
    let given = |missing| GivenOptions { scale: Some((0.0, 2.0)), missing, ..named() };
    let mut refusing = Accumulator::<_, Numbers>::new(given(MissingNumber::Error).build().unwrap());
    refusing.push(&[0.5], &[]).unwrap();
    for row in &rows[1..] {
        assert!(refusing.push(row, &[]).unwrap_err().to_string().contains("number has no number here"));
    }
    assert_eq!(refusing.score().unwrap().value(), 0.5);
    let metric = given(MissingNumber::Skip).build().unwrap();
    let skipping = observed(&metric, &rows);
    let scored = skipping.score().unwrap();
    assert_eq!(scored.value(), 0.5);
    let parts: Vec<_> = scored.score.parts().into_iter().map(|part| part.key.into_owned()).collect();
    assert_eq!(parts, ["missing", "segments"]);
    assert_eq!(skipping.total().stats().missing(skipping.total().counts()), 2);
    assert_eq!(
        observed(&given(MissingNumber::Worst).build().unwrap(), &rows).score().unwrap().value(),
        0.5 / 3.0
    );
    let lower =
        GivenOptions { better: Direction::LowerIsBetter, ..given(MissingNumber::Worst) }.build().unwrap();
    assert_eq!(observed(&lower, &rows).score().unwrap().value(), 1.5);
    // Of a quotient, the worst for as much as there was.
    let over = GivenOptions { over: true, better: Direction::LowerIsBetter, ..given(MissingNumber::Worst) }
        .build()
        .unwrap();
    assert_eq!(observed(&over, &[vec![1.0, 4.0], vec![f64::NAN, 2.0]]).score().unwrap().value(), 5.0 / 6.0);
    let error = Accumulator::<_, Numbers>::new(over).push(&[1.0, f64::NAN], &[]).unwrap_err().to_string();
    assert!(error.contains("number has no denominator here"), "{error}");
    let none = observed(&given(MissingNumber::Skip).build().unwrap(), &[vec![], vec![f64::NAN]]);
    assert!(none.score().unwrap_err().to_string().contains("no segment has a number"));
}

#[test]
fn bad_numbers_are_errors_that_change_nothing() {
    let refused = |given: GivenOptions, numbers: &[f64]| {
        let given = given.build().unwrap();
        let mut accumulator = Accumulator::<_, Numbers>::new(given.clone());
        let error = accumulator.push(numbers, &[]).unwrap_err().to_string();
        assert_eq!(accumulator.total(), &State::zero(&given));
        error
    };
    for (given, numbers, message) in [
        (named(), &[f64::INFINITY][..], "number is inf, but must be finite"),
        (named(), &[1.0, 2.0], "number takes 1 in a segment, but 2 numbers are given"),
        (
            GivenOptions { scale: Some((0.0, 1.0)), ..named() },
            &[1.25],
            "number is 1.25, but must be from 0 to 1",
        ),
        (named(), &[9_223_372_036_854_775_808.0], "9.223372036854776e18, but must be finite and below 2^63"),
        (
            GivenOptions { over: true, ..named() },
            &[1.0, -1.0],
            "number is -1, but must be at least 0, as a denominator",
        ),
        (
            GivenOptions { over: true, scale: Some((0.0, 1.0)), ..named() },
            &[1.0, 0.0],
            "number is inf, but must be from 0 to 1",
        ),
        (GivenOptions { spread: true, ..named() }, &[-3_037_000_499.0], "below 3037000499 in magnitude"),
    ] {
        let error = refused(given, numbers);
        assert!(error.contains(message), "{error}");
    }
    let nothing = observed(
        &GivenOptions { over: true, scale: Some((0.0, 1.0)), ..named() }.build().unwrap(),
        &[vec![0.0, 0.0]],
    );
    assert!(nothing.score().unwrap_err().to_string().contains("the sum of the denominators is 0"));
}

#[test]
fn wrong_options_are_refused() {
    for (text, message) in [
        ("given", "name is ``"),
        ("given:name=a b", "name is `a b`"),
        ("given:name=a,scale=1", "scale is `1`, but must be MIN..MAX"),
        ("given:name=a,scale=1..0", "scale is 1..0"),
        ("given:name=a,scale=NaN..1", "scale is NaN..1"),
        ("given:name=a,missing=worst", "missing=worst needs the worst number"),
        ("given:name=a,map=C", "map is `C`"),
        ("given:name=a,map=C=1/C=2", "map is `C=1/C=2`"),
        ("given:name=a,map=C=inf", "map is `C=inf`"),
        ("given:name=a,producer=1", "producer is `1`"),
        ("given:name=a,better=up", "unknown better `up`"),
    ] {
        let error = registry().build(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn unlike_numbers_do_not_merge() {
    let build = |options: &str| registry().build(&format!("given:name=comet{options}")).unwrap();
    let plain = build("");
    for (options, field) in [
        (",over=words", "over"),
        (",better=lower", "better"),
        (",scale=0..1", "scale"),
        (",producer=COMET 1", "producer"),
        (",missing=skip", "missing"),
        (",map=C=1", "map"),
        (",spread", "spread"),
    ] {
        let error = State::zero(&plain).merge(&State::zero(&build(options))).unwrap_err().to_string();
        assert!(error.contains(&format!("they differ in {field}:")), "{error}");
    }
    let elsewhere = State::zero(&build(",column=scores.comet"));
    assert!(State::zero(&plain).merge(&elsewhere).is_ok());
}

#[test]
fn names_are_read_back() {
    let producer = "Comet 2.2, fp32|100%|a%2Cb";
    let mut spec = registry().parse("given:name=comet,scale=0..1").unwrap();
    spec.options.set("producer", producer);
    let read = registry().parse(&spec.name()).unwrap();
    assert_eq!(read.options.given("producer"), Some(producer), "{}", spec.name());
    let metric = registry().build(&spec.name()).unwrap();
    assert_eq!(metric.state_key().get("producer"), Some(producer));
    let key = metric.state_key().to_string();
    assert_eq!(key.parse(), Ok((*metric.state_key()).clone()), "{key}");
}

#[test]
fn totals_have_standard_errors() {
    let rows: Vec<Vec<f64>> = [0.25, 1.0, 0.5, 0.125].map(|value| vec![value]).to_vec();
    let all = observed(&GivenOptions { spread: true, ..named() }.build().unwrap(), &rows);
    let mean = all.score().unwrap().value();
    let squares: f64 = rows.iter().map(|row| (row[0] - mean).powi(2)).sum();
    let error = all.total().stats().standard_error(mean).unwrap();
    assert!((error - (squares / 12.0).sqrt()).abs() < 1e-15, "{error}");
    let rows = [vec![1.0, 2.0], vec![3.0, 7.0], vec![2.0, 2.0]];
    let all = observed(&GivenOptions { over: true, spread: true, ..named() }.build().unwrap(), &rows);
    let score = all.score().unwrap().value();
    let squares: f64 = rows.iter().map(|row| (row[0] - score * row[1]).powi(2)).sum();
    let error = all.total().stats().standard_error(score).unwrap();
    assert!((error - (1.5 * squares).sqrt() / 11.0).abs() < 1e-15, "{error}");
    assert_eq!(observed(&named().build().unwrap(), &[vec![1.0]]).total().stats().standard_error(1.0), None);
    assert!(all.total().stats().is_row());
}
