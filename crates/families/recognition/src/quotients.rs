//! Quotients of counts, and parts of scores that may be absent.

use bleuprint_core::{PartValue, PlainScore, ScorePart, ShowPart};

/// Returns the quotient, or `None` if the divisor is 0.
pub(crate) fn quotient(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Adds the parts whose numbers exist.
pub(crate) fn numbers<'p>(
    score: PlainScore,
    parts: impl IntoIterator<Item = (&'p str, Option<f64>)>,
) -> PlainScore {
    let known = parts.into_iter().filter_map(|(name, number)| Some((name.to_owned(), number?)));
    known.fold(score, |score, (name, number)| score.with(ScorePart::number(name, number, 4)))
}

/// Adds a part that only JSON output shows.
pub(crate) fn hidden(score: PlainScore, key: String, value: PartValue) -> PlainScore {
    score.with(ScorePart::new(key, ShowPart::Hidden, value))
}
