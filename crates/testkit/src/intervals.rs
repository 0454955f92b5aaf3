//! Golden rows of intervals and tests of differences of rates and means.

/// Returns the rows of `data/intervals/golden.jsonl`, one JSON object a line: kinds `paired`, `unpaired` and `units`.
#[must_use]
pub fn intervals() -> &'static str {
    include_str!("../data/intervals/golden.jsonl")
}
