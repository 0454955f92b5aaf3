//! Quotients of counts, and details of a score that are added only if they are defined.

use bleuprint_core::{PartValue, PlainScore, ScorePart, ShowPart};

/// Returns `part / whole`, or `None` if `whole` is 0.
pub(crate) fn quotient(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Adds named numbers as details of a score; a number that is `None` is left out.
pub(crate) fn numbers<'p>(
    score: PlainScore,
    parts: impl IntoIterator<Item = (&'p str, Option<f64>)>,
) -> PlainScore {
    let known = parts.into_iter().filter_map(|(name, number)| Some((name.to_owned(), number?)));
    known.fold(score, |score, (name, number)| score.with(ScorePart::number(name, number, 4)))
}

/// Adds a detail to a score; only JSON output shows the detail.
pub(crate) fn hidden(score: PlainScore, key: String, value: PartValue) -> PlainScore {
    score.with(ScorePart::new(key, ShowPart::Hidden, value))
}
