//! Description of the machine in a record: everything that matters for speed, and nothing that identifies
//! the machine.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use xtask::Result;
use xtask::process::output;

pub(crate) fn describe(python: &Path) -> Result<Value> {
    let version = |program: &mut Command| output(program).map(|text| text.trim().to_owned());
    Ok(json!({
        "processor": processor().unwrap_or_else(|| "unknown".to_owned()),
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        "rustc": version(Command::new("rustc").arg("--version"))?,
        "python": version(Command::new(python).arg("--version"))?,
        "profile": "release, as the README installs it: no link-time optimisation, no flags for this processor",
    }))
}

/// Returns the processor model as the system reports it, on Linux only.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, model)| model.trim().to_owned())
}

/// Returns the date as `YYYY-MM-DD` from the seconds since 1970. Days are counted from March in the civil
/// calendar.
pub(crate) fn date(seconds: u64) -> String {
    // Days from 0000-03-01: a year that starts in March has its leap day at the end, so no month needs a
    // special case.
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    // Howard Hinnant's algorithm: an era has 400 years, and the terms remove the leap days of 4, 100 and 400
    // years.
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_798_761_599), "2026-12-31");
    }
}
