//! The record of a run: rows, their table, and their files.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xtask::Result;

use super::tasks::{ROUNDS, TASKS, TURNS};
use super::{chart, machine};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) task: String,
    pub(crate) corpus: String,
    pub(crate) segments: usize,
    pub(crate) engine: String,
    pub(crate) version: String,
    /// The least time of one round.
    pub(crate) seconds: f64,
    pub(crate) middle_seconds: f64,
    /// The least time in units of ours.
    pub(crate) times_ours: f64,
    pub(crate) peak_bytes: Option<u64>,
    pub(crate) agreement: String,
}

pub(crate) struct Record {
    pub(crate) machine: Value,
    pub(crate) rows: Vec<Row>,
}

impl Row {
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
}

impl Record {
    pub(crate) fn markdown(&self) -> String {
        let said = |key: &str| self.machine[key].as_str().unwrap_or("unknown").to_owned();
        let mut text = format!(
            "<!-- Written by `cargo xtask bench --record`; see benches/README.md for method and bias. -->\n\n\
             {}, {} cores, {}; {}; {}. One thread each; time of the \
             processor, from the shell of the clock; least of {} rounds, of fewer where they take long.\n",
            said("processor"),
            self.machine["cores"],
            said("system"),
            said("rustc"),
            said("python"),
            TURNS * ROUNDS,
        );
        for (task, title) in TASKS {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.task == *task).collect();
            if rows.is_empty() {
                continue;
            }
            text.push_str(&format!("\n**{}**\n\n", title));
            text.push_str(
                "| corpus | engine | time | × ours | segments/s | peak memory | agreement with ours |\n",
            );
            text.push_str("|---|---|--:|--:|--:|--:|---|\n");
            rows.iter().for_each(|row| text.push_str(&row.markdown()));
        }
        text
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let date = machine::date(now);
        let record = json!({ "date": date, "machine": self.machine, "rows": self.rows });
        let record = serde_json::to_string_pretty(&record)? + "\n";
        fs::create_dir_all(folder).map_err(|error| format!("cannot make a folder: {error}"))?;
        let record = (format!("{date}.json"), record);
        let tables = [record, ("latest.md".to_owned(), self.markdown())];
        for (name, text) in tables.into_iter().chain(chart::files(&self.rows, &date)) {
            fs::write(folder.join(&name), text).map_err(|error| format!("cannot write {name}: {error}"))?;
        }
        Ok(format!("benches/records/{date}.json, latest.md, chart-light.svg, chart-dark.svg"))
    }
}

/// The charts of the newest record in the folder.
pub(crate) fn charts(folder: &Path) -> Result<[(String, String); 2]> {
    #[derive(Deserialize)]
    struct Kept {
        date: String,
        rows: Vec<Row>,
    }
    let records = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let newest = records.filter(|path| path.extension().is_some_and(|kind| kind == "json")).max();
    let kept: Kept = serde_json::from_str(&fs::read_to_string(newest.ok_or("there is no record")?)?)?;
    Ok(chart::files(&kept.rows, &kept.date))
}

impl Row {
    fn markdown(&self) -> String {
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

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6))
}

/// A rate in three significant digits or so, with separators.
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
    fn the_charts_are_those_of_the_newest_record() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records");
        for (name, text) in charts(&folder).unwrap() {
            assert_eq!(fs::read_to_string(folder.join(&name)).unwrap(), text, "{name}");
            assert_eq!((text.matches("<rect").count(), text.matches("×)").count()), (6, 5));
        }
    }

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
