//! Rows of other programs' outputs, kept beside the checkout: ignored by name, and run by `cargo xtask step recorded`.

mod corpus_metrics;
mod edits;
mod segment_scores;
mod speech;
mod wmt23;

use bleuprint_testkit::golden::GoldenRow;

/// Holds our numbers to the row.
fn compare(row: &GoldenRow) {
    match (crate::golden::by_name(row), &row.expected.error) {
        (Ok((answer, sentences)), None) => {
            row.check("its name", &answer);
            row.check_sentences("its name", &sentences);
        }
        (Err(_), Some(_)) => {}
        (outcome, expected) => panic!("{}: {outcome:?}, expected {expected:?}", row.name),
    }
}
