//! Opens or creates a ledger file, an SQLite database of metric counts over time. Rejects databases of other
//! programs, and files on network file systems.

use std::path::Path;
use std::time::Duration;

use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use rusqlite::{Connection, OpenFlags};

use super::{Ledger, said};
use crate::Span;

/// SQLite application id (`bleu` in ASCII) that marks a database as a ledger.
const APPLICATION: i32 = i32::from_be_bytes(*b"bleu");
/// Version of the format that this program writes. In version 1, sums have no checksum; up to version 2,
/// events have no unit.
const VERSION: i32 = 3;
const PATIENCE: Duration = Duration::from_secs(30);

const TABLES: &str = "
CREATE TABLE ledger (bucket INTEGER NOT NULL) STRICT;
CREATE TABLE event (
  seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, time INTEGER NOT NULL, retracts TEXT,
  stream TEXT, version TEXT, slice TEXT, spec TEXT, state_key TEXT, row TEXT,
  sha256 TEXT NOT NULL, received INTEGER NOT NULL, seen_to INTEGER, unit TEXT) STRICT;
CREATE INDEX event_retracts ON event (retracts) WHERE retracts IS NOT NULL;
CREATE INDEX event_late ON event (stream) WHERE seen_to >= time;
CREATE TABLE bucket (
  start INTEGER NOT NULL, stream TEXT NOT NULL, version TEXT NOT NULL, slice TEXT NOT NULL,
  spec TEXT NOT NULL, state_key TEXT NOT NULL, row TEXT NOT NULL, sha256 TEXT,
  PRIMARY KEY (start, stream, version, slice, spec, state_key)) STRICT, WITHOUT ROWID;
CREATE TABLE stream (stream TEXT PRIMARY KEY, newest INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE tally (result TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE alarm (
  id INTEGER PRIMARY KEY, watch TEXT NOT NULL, kind TEXT NOT NULL, version TEXT NOT NULL, at INTEGER NOT NULL,
  since INTEGER NOT NULL, evidence REAL NOT NULL, seen INTEGER NOT NULL, acknowledged INTEGER,
  UNIQUE (watch, kind, version, at)) STRICT;
CREATE TABLE plan (
  stream TEXT NOT NULL, spec TEXT NOT NULL, versions TEXT NOT NULL, unit TEXT NOT NULL, alpha REAL NOT NULL,
  expect INTEGER NOT NULL, information REAL NOT NULL, seen INTEGER NOT NULL,
  PRIMARY KEY (stream, spec, versions)) STRICT;
";

impl Ledger {
    /// Opens an existing ledger file.
    ///
    /// # Errors
    /// Returns an error if there is no file, if it is not a ledger or of a newer version, or if it is on a
    /// network file system.
    pub fn open(place: impl AsRef<Path>) -> Result<Self> {
        let place = place.as_ref();
        if !place.exists() {
            let message = "there is no ledger; `bleuprint track add` makes it".to_owned();
            return Err(at(place, InputErrorKind::Io(message).into()));
        }
        Self::opened(place, OpenFlags::SQLITE_OPEN_READ_WRITE, None)
    }

    /// Opens a ledger file, or creates one with time buckets of this length (default: an hour).
    ///
    /// # Errors
    /// Returns the errors of [`Ledger::open`], and an error if an existing ledger has buckets of a different
    /// length.
    pub fn open_or_create(place: impl AsRef<Path>, bucket: Option<Span>) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let ledger = Self::opened(place.as_ref(), flags, Some(bucket.unwrap_or(Span(3_600_000_000_000))))?;
        match bucket.filter(|bucket| *bucket != ledger.bucket) {
            Some(other) => {
                let message = format!("its buckets are of {}, not of {other}", ledger.bucket);
                Err(at(place.as_ref(), InputError::malformed(message)))
            }
            None => Ok(ledger),
        }
    }

    fn opened(place: &Path, flags: OpenFlags, create: Option<Span>) -> Result<Self> {
        require_local(place)?;
        let wrong = |error: rusqlite::Error| said(place, &error);
        // Each connection is used by one thread at a time, so SQLite needs no mutex.
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(place, flags).map_err(wrong)?;
        connection.busy_timeout(PATIENCE).map_err(wrong)?;
        let pragma = |connection: &Connection, name: &str| {
            connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0)).map_err(wrong)
        };
        // Checked before anything is written, so that a database of another program stays unchanged.
        let application = pragma(&connection, "application_id")?;
        let tables: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(wrong)?;
        if application != APPLICATION && (application != 0 || tables > 0) {
            let message = "this database is not a ledger of bleuprint";
            return Err(at(place, InputError::malformed(message)));
        }
        let version = pragma(&connection, "user_version")?;
        if version > VERSION {
            let message =
                format!("the ledger is of version {version}, but this program reads version {VERSION}");
            return Err(at(place, InputError::malformed(message)));
        }
        // The log is synced at every commit, so that committed data survives a loss of power.
        let mode: String = connection
            .pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
            .map_err(wrong)?;
        if mode != "wal" {
            let message =
                format!("the file system does not support SQLite's write-ahead log (journal mode `{mode}`)");
            return Err(at(place, InputErrorKind::Io(message).into()));
        }
        connection.pragma_update(None, "synchronous", "full").map_err(wrong)?;
        if let Some(bucket) = create {
            let made = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate);
            let made = made.map_err(wrong)?;
            // Counted again within the transaction: another program may have created the tables in between.
            let tables: i64 =
                made.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(wrong)?;
            if tables == 0 {
                made.execute_batch(TABLES).map_err(wrong)?;
                made.execute("INSERT INTO ledger VALUES (?1)", [bucket.0]).map_err(wrong)?;
                made.pragma_update(None, "application_id", APPLICATION).map_err(wrong)?;
                made.pragma_update(None, "user_version", VERSION).map_err(wrong)?;
            }
            made.commit().map_err(wrong)?;
        }
        if (1..VERSION).contains(&version) {
            upgrade(&mut connection).map_err(wrong)?;
        }
        let bucket =
            connection.query_row("SELECT bucket FROM ledger", [], |row| row.get(0)).map_err(wrong)?;
        Ok(Ledger { connection, place: place.to_path_buf(), bucket: Span(bucket) })
    }
}

/// Adds the checksum column to the table of buckets, unless another process has already added it.
fn upgrade(connection: &mut Connection) -> rusqlite::Result<()> {
    let upgrading = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version = upgrading.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0))?;
    if version < 2 {
        upgrading.execute_batch("ALTER TABLE bucket ADD COLUMN sha256 TEXT")?;
    }
    if version < 3 {
        upgrading.execute_batch("ALTER TABLE event ADD COLUMN unit TEXT")?;
        upgrading.pragma_update(None, "user_version", VERSION)?;
    }
    upgrading.commit()
}

fn at(place: &Path, error: InputError) -> InputError {
    error.at(Location::file(place.display().to_string()))
}

/// Magic numbers of network file systems, where SQLite's locks and shared memory do not work. File systems in
/// user space (FUSE) cannot be distinguished from network file systems.
#[cfg(any(target_os = "linux", test))]
const REMOTE: &[(u32, &str)] = &[
    (0x0000_6969, "NFS"),
    (0x0000_517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB2"),
    (0x0102_1997, "9P"),
    (0x00c3_6400, "Ceph"),
    (0x5346_414f, "AFS"),
    (0x6b41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x0bd0_0bd0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x6573_5546, "FUSE"),
];

#[cfg(target_os = "linux")]
fn require_local(place: &Path) -> Result<()> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let there = if place.exists() { place } else { folder.unwrap_or(Path::new(".")) };
    // If the kind is unknown, opening the file reports what is wrong.
    match rustix::fs::statfs(there) {
        Ok(kind) => refuse_remote(place, kind.f_type as u32),
        Err(_) => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn require_local(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(any(target_os = "linux", test))]
fn refuse_remote(place: &Path, kind: u32) -> Result<()> {
    let Some((_, name)) = REMOTE.iter().find(|(remote, _)| *remote == kind) else { return Ok(()) };
    let message = format!(
        "a ledger on a network file system ({name}) loses events when two programs write: collect events as JSON Lines there, and add them to a ledger on a disk of this machine"
    );
    Err(at(place, InputErrorKind::Io(message).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_other_machines_are_refused_by_name() {
        let error = refuse_remote(Path::new("x.db"), 0x6969).unwrap_err().to_string();
        assert!(error.contains("x.db") && error.contains("NFS") && error.contains("JSON Lines"), "{error}");
        // ext4, tmpfs, btrfs.
        for kind in [0xef53, 0x0102_1994, 0x9123_683e] {
            assert!(refuse_remote(Path::new("x.db"), kind).is_ok());
        }
    }
}
