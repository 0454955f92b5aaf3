//! Limits of networks, and confidences that JSON does not have.

use bleuprint_core::{Accumulator, Segment};
use bleuprint_sclite::{Heard, Nce, ScliteSettings, aligned};

fn error(text: &str) -> String {
    aligned("a", text, ScliteSettings::default()).unwrap_err().to_string()
}

#[test]
fn networks_have_limits() {
    assert!(error(&"{ ".repeat(100_000)).contains("character 201: more than 100 nested braces"));
    // Each of 2,000 alternatives has 2,000 predecessors. Arcs are shared, so the size stays small.
    let many = format!("{{ {} }} ", vec!["a"; 2_000].join(" / "));
    assert!(aligned("a a", &many.repeat(2), ScliteSettings::default()).is_ok());
    assert!(error(&"{ a / b } ".repeat(140_000)).contains("at most 2^19"));
    let long = "a ".repeat(20_000);
    assert!(
        aligned(&long, &long, ScliteSettings::default()).unwrap_err().to_string().contains("at most 2^28")
    );
    // The text has 2^40 paths, which are never listed.
    assert!(aligned("b", &"{ a / b } ".repeat(40), ScliteSettings::default()).is_ok());
}

#[test]
fn nan_is_no_confidence() {
    let heard = Heard(vec![("a".to_owned(), Some(f64::NAN))]);
    let reference = "a".to_owned();
    let mut all = Accumulator::<_, Heard, String, Heard>::new(Nce::new(ScliteSettings::default()));
    let references = [&reference];
    let error = all.push_segment(Segment::with_source(&heard, &references, None)).unwrap_err().to_string();
    assert!(error.contains("from 0 to 1"), "{error}");
}
