//! Expected confidence intervals and p-values of differences of rates and means, from other programs.

/// Returns the file `data/intervals/golden.jsonl` with expected intervals and p-values, one JSON object a
/// line. The kinds of test are `paired`, `unpaired` and `units`.
#[must_use]
pub fn intervals() -> &'static str {
    include_str!("../data/intervals/golden.jsonl")
}
