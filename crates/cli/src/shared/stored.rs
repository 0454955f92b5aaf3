//! Reads files of metric statistics and combines several files into one.

use bleuprint::eval::evaluation::metrics_of;
use bleuprint::eval::store::{AtomicFile, StoredStatistics, TOOL};
use bleuprint::{AnyMetric, InputError, Registry};
use bleuprint_requests::failure::{Failure, Result, fail};

use crate::shared::command::Out;
use crate::shared::places::{Holds, NumberPlace};

/// Reads statistics files and combines them: calls `step` to add each further file to the first. If `system`
/// is given, it replaces the system's name in each file.
pub(crate) fn combined(
    registry: &Registry,
    files: &[String],
    system: Option<&str>,
    step: impl Fn(&mut StoredStatistics, &[AnyMetric], &StoredStatistics) -> Result<(), InputError>,
) -> Result<StoredStatistics> {
    let Some((first, others)) = files.split_first() else {
        fail!("no file of statistics was given");
    };
    let named = |files: String| move |error: InputError| Failure::Message(format!("{files}: {error}"));
    let read = |file: &String| {
        let mut read = StoredStatistics::read(file)?;
        // Renaming before the merge lets shards with different names become one system.
        if let Some(system) = system {
            system.clone_into(&mut read.header.system);
        }
        Ok::<_, InputError>(read)
    };
    let mut combined = read(first)?;
    let metrics = metrics_of(registry, &combined.header).map_err(named(first.clone()))?;
    combined.open(&metrics).map_err(named(first.clone()))?;
    for file in others {
        let other = read(file)?;
        step(&mut combined, &metrics, &other).map_err(named(format!("{first} and {file}")))?;
    }
    // The result was written by this version, whichever version wrote its parts.
    TOOL.clone_into(&mut combined.header.tool);
    Ok(combined)
}

pub(crate) fn place(file: &str) -> NumberPlace<'_> {
    NumberPlace { option: "-o", file, holds: Holds::Data }
}

pub(crate) fn save(statistics: &StoredStatistics, file: &str, said: &str, out: &mut Out) -> Result<()> {
    statistics.write(file)?;
    said_of(file, said, out)
}

/// Prints `said`, a message about an output file, unless the file was written to standard output.
pub(crate) fn said_of(file: &str, said: &str, out: &mut Out) -> Result<()> {
    if !AtomicFile::is_standard_output(file) {
        writeln!(out, "{file}: {said}")?;
    }
    Ok(())
}
