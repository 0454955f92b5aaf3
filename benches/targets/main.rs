//! All speed targets in one run: the target, the measurement, and whether it is met.
//!
//! `cargo bench -p bleuprint-benches --bench targets [-- [--rows] SECTION ..]`, for example `-- threads
//! rewards`. `--rows` prints lines of JSON for `cargo xtask bench`.
//!
//! All contenders of a line take turns in this process, and their best turns are compared (see `clock`). The
//! ratios therefore hold on a busy machine too; absolute times do not. Answers are compared before any
//! timing. The number in parentheses after the usual slice map is the best method with slices that we know.
#![allow(clippy::print_stdout, reason = "a program")]

mod edits;
mod growth;
mod kernel;
mod pools;
mod scale;
mod significance;
mod text;
mod wrappers;

use std::cell::Cell;

/// Returns the number of turns of each contender; one is enough if the program runs as a test.
fn rounds() -> usize {
    if std::env::args().any(|argument| argument == "--bench") { 25 } else { 1 }
}

fn has_rows() -> bool {
    std::env::args().any(|argument| argument == "--rows")
}

thread_local! {
    /// Name of the section that runs.
    static SECTION: Cell<&'static str> = const { Cell::new("") };
}

/// Sections, with the names that select them.
const SECTIONS: &[(&str, fn())] = &[
    ("lengths", kernel::lengths_of_segments),
    ("floor", kernel::floor),
    ("ids", kernel::ids_beyond_a_word),
    ("references", kernel::references_and_orders),
    ("words", kernel::words),
    ("prepared", kernel::prepared),
    ("threads", scale::threads),
    ("rewards", scale::rewards),
    ("candidates", pools::candidates),
    ("samples", pools::samples),
    ("wrappers", wrappers::overheads),
    ("sentences", wrappers::sentences),
    ("growth", growth::exponents),
    ("significance", significance::tests),
    ("tokenizers", text::tokenizers),
    ("long-lines", edits::long_lines),
];

fn main() {
    // Cargo passes options such as `--bench` too, so only plain words name sections.
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if !has_rows() {
        println!("{:<44} {:>30} {:>12} {:>12}   met", "target", "measured", "figure", "wanted");
    }
    for (name, measure) in SECTIONS {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            SECTION.set(name);
            measure();
        }
    }
}

/// Prints one line: a figure with its lower or upper target.
fn report(target: &str, measured: &str, figure: f64, wanted: f64, at_least: bool, unit: &str) {
    if has_rows() {
        let row = serde_json::json!({
            "task": SECTION.get(), "workload": format!("{target} ({measured})"), "peer": "", "figure": figure,
            "unit": unit.trim(), "wanted": wanted, "at_least": at_least, "answers": "equal",
        });
        println!("{row}");
        return;
    }
    let met = if at_least { figure >= wanted } else { figure <= wanted };
    let bound = if at_least { "≥" } else { "≤" };
    let (figure, wanted) = (format!("{figure:.2}{unit}"), format!("{bound} {wanted}{unit}"));
    println!("{target:<44} {measured:>30} {figure:>12} {wanted:>12}   {}", if met { "yes" } else { "NO" });
}
