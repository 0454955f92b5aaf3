//! [`Ledger`]: stores events with metric counts in an append-only SQLite file, together with the sums of each
//! time bucket.

mod add;
mod alarms;
mod corrections;
mod open;
mod read;
mod rows;
mod verify;

pub use add::{Added, Adding};
pub use alarms::{Alarm, AlarmKind, AlarmPlan};
pub use read::{Bucket, EventTallies, Late, Selection};

use std::path::PathBuf;

use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use rusqlite::{Connection, ErrorCode};

use crate::Span;
use crate::event::Series;

/// Append-only SQLite file with events, which hold the metric counts of any number of streams of model
/// outputs.
///
/// ```
/// use bleuprint_core::Accumulator;
/// use bleuprint_metrics::{Bleu, registry};
/// use bleuprint_track::{Adding, Event, Ledger};
///
/// let folder = bleuprint_testkit::Folder::new();
/// let place = folder.path("track.db");
/// let mut ledger = Ledger::open_or_create(&place, None).unwrap();
/// let mut hour = Accumulator::<_, [u32]>::new(Bleu::default());
/// hour.push(&[1, 2, 3, 4, 5], &[&[1, 2, 3, 4, 6]]).unwrap();
/// let event = Event::new("pod3-0007", "2026-11-21T10:00:00Z".parse().unwrap());
/// let event = event.counting("support", "m1", "bleu", hour.total()).unwrap();
/// let registry = registry();
/// assert_eq!(ledger.add_all([event.clone()], &Adding::new(&registry)).unwrap().added, 1);
/// assert_eq!(ledger.add_all([event], &Adding::new(&registry)).unwrap().duplicates, 1);
/// ```
///
/// The file stores each event, and also a sum for each bucket (a time interval, such as an hour). The sum of
/// a bucket adds up the counts of its events. It is written in the same transaction as the events, so readers
/// need not add them up.
///
/// If a sum and its events disagree, the events are right. [`Ledger::verify`] computes the sums again and
/// reports wrong ones; it never repairs a sum silently. Events and sums have hashes, which are checked at
/// every read.
///
/// | table | rows | |
/// |---|---|---|
/// | `ledger` | one | the length of a bucket in nanoseconds |
/// | `event` | one per event | `seq` is the order of arrival, `seen_to` the newest time of the stream before it arrived |
/// | `bucket` | one per start, series and metric | the sum of the added events without the retracted ones; its hash, unless it is of version 1 |
/// | `stream` | one per stream | its newest time |
/// | `tally` | few | duplicates and refusals |
/// | `alarm`, `plan` | | raised alarms; fixed plans of comparisons |
///
/// Times are nanoseconds since 1970. The counts of a metric are stored as a JSON list of whole numbers up to
/// 2⁶³ − 1.
#[derive(Debug)]
pub struct Ledger {
    connection: Connection,
    place: PathBuf,
    bucket: Span,
}

impl Ledger {
    /// Returns the length of the ledger's time buckets, which is the shortest length that a policy or a time
    /// window can use.
    pub fn bucket(&self) -> Span {
        self.bucket
    }

    /// Returns the path of the ledger's file, as the user gave it.
    pub fn place(&self) -> &std::path::Path {
        &self.place
    }

    fn said(&self, error: rusqlite::Error) -> InputError {
        said(&self.place, &error)
    }

    fn damaged(&self, what: impl std::fmt::Display) -> InputError {
        damaged(&self.place, what)
    }

    /// Returns an error unless the duration is a whole number of time buckets. `what` describes it in the
    /// message.
    pub(crate) fn require_buckets(&self, what: &str, length: Span) -> Result<()> {
        let own = self.bucket;
        if length.0 > 0 && length.0 % own.0.max(1) == 0 {
            return Ok(());
        }
        let next = Span((length.0 / own.0.max(1)).saturating_add(1).saturating_mul(own.0));
        let message = format!(
            "{what} of {length}, but the ledger has buckets of {own}: give a multiple of that, as in {next}"
        );
        Err(InputError::malformed(message))
    }
}

fn damaged(place: &std::path::Path, what: impl std::fmt::Display) -> InputError {
    let location = Location::file(place.display().to_string());
    InputError::malformed(format!("the ledger is damaged: {what}")).at(location)
}

/// Converts an SQLite error into an error with the file's path and an explanation for the user.
fn said(place: &std::path::Path, error: &rusqlite::Error) -> InputError {
    let code = error.sqlite_error_code();
    let message = match code {
        Some(ErrorCode::DiskFull) => "the disk is full; nothing was added".to_owned(),
        // Possible causes are a disk quota, a limit on the file's size, or a full disk when SQLite extends
        // the index of its log.
        Some(ErrorCode::SystemIoFailure) => {
            format!("the disk is full, or fails; nothing was added: make room, and add again ({error})")
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            format!("this file is not a ledger, or it was truncated or changed ({error})")
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program is writing to the ledger, and did not end in time; nothing was added".to_owned()
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            format!("the ledger, or its folder, cannot be written ({error})")
        }
        _ => error.to_string(),
    };
    let location = Location::file(place.display().to_string());
    let error = match code {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => InputError::malformed(message),
        _ => InputErrorKind::Io(message).into(),
    };
    error.at(location)
}

fn row_text(row: &[u64]) -> String {
    serde_json::to_string(row).unwrap_or_default()
}

fn labels_text(series: &Series) -> String {
    serde_json::to_string(&series.slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Adding, Event, Time};

    #[test]
    fn a_full_disk_is_told_and_nothing_is_lost() {
        let folder = bleuprint_testkit::Folder::new();
        let place = folder.path("track.db");
        let registry = bleuprint_metrics::registry();
        let metric = bleuprint_registry::AnyMetric::for_text(bleuprint_metrics::ExactMatch);
        let state = bleuprint_core::State::from_row(&metric, &[1, 1, 1, 1]).unwrap();
        let events = |name: &'static str, count: usize| {
            let state = &state;
            (0..count).map(move |number| {
                let event = Event::new(format!("{name}{number}"), Time(0));
                event.counting("s", "m", "exact_match", state).unwrap()
            })
        };
        let mut ledger = Ledger::open_or_create(&place, None).unwrap();
        ledger.add_all(events("a", 10), &Adding::new(&registry)).unwrap();
        // SQLite treats a file that may not grow like a full disk.
        ledger.connection.pragma_update(None, "max_page_count", 1).unwrap();
        let error = ledger.add_all(events("b", 5000), &Adding::new(&registry)).unwrap_err().to_string();
        assert!(error.contains("the disk is full; nothing was added"), "{error}");
        let rest = (ledger.tallies().unwrap().merged, ledger.verify().unwrap());
        assert_eq!(rest, (10, Vec::<String>::new()));
    }

    /// Checks that two SQLite error codes give the message that the disk is full. One code is for the index
    /// of SQLite's log, the other for an exceeded disk quota.
    #[test]
    fn a_disk_that_cannot_be_written_is_no_bare_error_of_sqlite() {
        use rusqlite::ffi;
        for code in [ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_WRITE] {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            let error = said(std::path::Path::new("x.db"), &error).to_string();
            assert!(
                error.starts_with("x.db: the disk is full, or fails; nothing was added: make room"),
                "{error}"
            );
        }
    }
}
