//! Tests of the laws of the metric contract.

use bleuprint_registry::{AnyMetric, Registry, laws};
use bleuprint_sclite::{ENTRIES, Heard};

const PIECES: [&str; 8] = ["a", "b", "{ a / b b }", "(a)", "b-", "{ @ / { c / a } }", "B", "@"];

fn built(name: &str) -> AnyMetric {
    Registry::from_entries(ENTRIES).unwrap().build(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn text(raw: &[u8]) -> String {
    let pieces = raw.iter().take(6).map(|byte| PIECES[usize::from(*byte) % PIECES.len()]);
    pieces.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_error_rate_obeys_the_laws() {
    for name in [
        "sclite",
        "sclite:optional=free,fragments",
        "sclite:optional=sclite,keep-case",
        "alternatives_wip:optional=free",
    ] {
        laws::check_any(&built(name));
    }
}

#[test]
fn the_entropy_obeys_the_laws() {
    for name in ["nce", "nce:optional=sclite,fragments"] {
        laws::check_any_for(&built(name), |raw: &[u8]| {
            let (one, other) = raw.split_at(raw.len() / 2);
            let word = |byte: &u8| {
                let word = ["a", "b", "(a)", "b-"][usize::from(*byte) % 4].to_owned();
                (word, Some(f64::from(*byte) / 255.0))
            };
            // One word is right and one wrong, so that every segment has a number.
            let sure = [("x".to_owned(), Some(0.9)), ("y".to_owned(), Some(0.25))];
            let heard = Heard(one.iter().take(5).map(word).chain(sure).collect());
            (heard, vec![format!("{} {{ x z / x }}", text(other))], None::<Heard>)
        });
    }
}
