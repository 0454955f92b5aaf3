//! Row of the record: the time of one engine for a task on a corpus, and the format of numbers in tables.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct BenchRow {
    pub(crate) task: String,
    pub(crate) corpus: String,
    pub(crate) segments: usize,
    pub(crate) engine: String,
    pub(crate) version: String,
    /// Shortest time of one round, in seconds.
    pub(crate) seconds: f64,
    pub(crate) middle_seconds: f64,
    /// Shortest time relative to ours.
    pub(crate) times_ours: f64,
    pub(crate) peak_bytes: Option<u64>,
    pub(crate) agreement: String,
}

impl BenchRow {
    pub(crate) fn print(&self) {
        println!(
            "    {:<16} {:<20} {:>10} {:>9} {:>9}  {}",
            self.task,
            self.engine,
            time(self.seconds),
            ratio(self.times_ours),
            memory(self.peak_bytes),
            self.agreement
        );
    }

    pub(crate) fn markdown(&self) -> String {
        // Our own row is the row with the ratio 1, and it needs no comparison with itself.
        let agreement = if self.times_ours == 1.0 { "" } else { &self.agreement };
        format!(
            "| {} | {} {} | {} | {} | {} | {} | {agreement} |\n",
            self.corpus,
            self.engine,
            self.version.trim_start_matches("bleuprint-"),
            time(self.seconds),
            ratio(self.times_ours),
            thousands(self.segments as f64 / self.seconds),
            memory(self.peak_bytes),
        )
    }
}

pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 0.001 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

pub(crate) fn ratio(times: f64) -> String {
    if times < 10.0 { format!("{times:.1}") } else { format!("{times:.0}") }
}

/// Formats a figure with enough digits to compare it with a target.
pub(crate) fn finely(figure: f64) -> String {
    if figure < 10.0 { format!("{figure:.2}") } else { ratio(figure) }
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6))
}

/// Formats a rate without decimals, with separators of thousands.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let first = digits.len() % 3;
    let groups = (first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]);
    std::iter::once(&digits[..first])
        .chain(groups)
        .filter(|group| !group.is_empty())
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(thousands(1_234_567.4), "1,234,567");
        assert_eq!((thousands(999.0), thousands(123_456.0)), ("999".to_owned(), "123,456".to_owned()));
        assert_eq!(
            (time(2.5), time(0.0123), time(0.000_045)),
            ("2.50 s".into(), "12.3 ms".into(), "45 µs".into())
        );
        assert_eq!((ratio(1.0), ratio(123.4)), ("1.0".to_owned(), "123".to_owned()));
    }
}
