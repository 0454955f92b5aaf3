//! Runs of programs: their answer, their times and their peak memory.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use xtask::Result;
use xtask::process::output;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ProgramAnswer {
    pub(crate) version: String,
    pub(crate) seconds: Vec<f64>,
    pub(crate) result: Value,
}

pub(crate) fn answer(command: &mut Command) -> Result<ProgramAnswer> {
    let output = output(command)?;
    Ok(serde_json::from_str(&output)
        .map_err(|error| format!("an engine's answer has another shape: {error}"))?)
}

/// Returns the seconds from the start of a program to its end, as a shell sees them, and its output.
pub(crate) fn wall(command: &mut Command) -> Result<(f64, String)> {
    let start = Instant::now();
    let output = output(command)?;
    Ok((start.elapsed().as_secs_f64(), output))
}

/// Returns the peak resident memory of a program in bytes, from a separate run that is not timed. The value
/// is polled while the program runs, so a peak at the very end can be missed. Returns `None` if the system
/// does not report it.
pub(crate) fn peak_memory(command: &mut Command) -> Result<Option<u64>> {
    let name = command.get_program().display().to_string();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    // A thread reads the output, so that the program never waits for a full pipe.
    let drain =
        child.stdout.take().map(|mut pipe| std::thread::spawn(move || pipe.read_to_end(&mut Vec::new())));
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while matches!(child.try_wait(), Ok(None)) {
        let now = std::fs::read_to_string(&status).ok().as_deref().and_then(high_water);
        peak = peak.max(now);
        // Short enough to see the peak of runs of milliseconds, and long enough to leave the processor to
        // the program.
        std::thread::sleep(Duration::from_micros(200));
    }
    if let Some(drain) = drain {
        let _ = drain.join();
    }
    Ok(peak)
}

/// Returns `VmHWM` from the status of a process, in bytes.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

pub(crate) fn least_and_middle(seconds: &[f64]) -> (f64, f64) {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted.first().copied().unwrap_or(f64::NAN), sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(high_water("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), Some(2048 * 1024));
        assert_eq!(high_water("Name:\tx\n"), None);
    }

    #[test]
    fn least_and_middle_do_not_need_order() {
        assert_eq!(least_and_middle(&[3.0, 1.0, 2.0]), (1.0, 2.0));
    }
}
