//! Prints the rates in the tables of `bleuprint align`.

use bleuprint::report;

pub(super) fn rate(count: u64, of: u64) -> String {
    // A word that no reference has, such as an insertion, has no rate.
    if of == 0 { "-".to_owned() } else { report::fixed(count as f64 / of as f64, 4) }
}
