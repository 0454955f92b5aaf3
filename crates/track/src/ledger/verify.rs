//! Verifies a ledger: checks that events are unchanged, and that the stored sums of time buckets equal the
//! sums of their events.

use std::collections::{BTreeMap, HashMap};

use bleuprint_core::{InputError, Result};
use rusqlite::params;

use super::corrections::circle;
use super::rows::{BUCKET, EVENT, EVENT_COLUMNS, SAME_BUCKET, bucket_of, changed, event_of};
use super::{Bucket, Ledger, labels_text, row_text};
use crate::Time;
use crate::event::{MetricName, Series};
use crate::metric::add_row;

/// Sums of the time buckets that start at one time, by stream, model version, labels and metric. Each entry
/// has two sums: the sum stored in the ledger, and the sum recomputed from its events.
type Sums = BTreeMap<(Series, MetricName), [Vec<u64>; 2]>;

impl Ledger {
    /// Checks the ledger and returns a description of every fault; the list is empty if the ledger is intact.
    ///
    /// Faults are damaged database pages, wrong hashes of events or sums, retractions without a target,
    /// events with two active corrections, and sums that differ from their events. In a ledger without
    /// faults, sums without a checksum get one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn verify(&self) -> Result<Vec<String>> {
        let mut wrong = self.integrity()?;
        if !wrong.is_empty() {
            return Ok(wrong);
        }
        // A transaction gives a snapshot, so additions by other programs in the meantime are not seen.
        let snapshot = self.connection.unchecked_transaction().map_err(|error| self.said(error))?;
        self.verify_events(&mut wrong)?;
        self.verify_sums(&mut wrong)?;
        // The table of newest times must equal the newest times of the events themselves.
        if self.streams(None)? != self.streams(Some(u64::MAX))? {
            wrong.push("the newest times of the streams are not those of their events".to_owned());
        }
        drop(snapshot);
        if wrong.is_empty() {
            self.seal()?;
        }
        Ok(wrong)
    }

    fn verify_events(&self, wrong: &mut Vec<String>) -> Result<()> {
        let sql = format!(
            "SELECT {EVENT}, EXISTS (SELECT 1 FROM event t WHERE t.key = e.retracts),
                EXISTS (SELECT 1 FROM event r WHERE r.retracts = e.key) FROM event e ORDER BY e.key"
        );
        let mut targets = HashMap::new();
        let mut counting = Vec::new();
        self.each(&sql, [], |row| {
            let (event, sound) = event_of(row, &self.place)?;
            let flag = |column| row.get::<_, bool>(column).map_err(|error| self.said(error));
            if !sound {
                wrong.push(changed(&event));
            }
            let Some(target) = event.retracts else { return Ok(()) };
            // The first further column of the query: the target exists. The second: another event retracts this one.
            if !flag(EVENT_COLUMNS)? {
                wrong.push(format!("`{}` retracts `{target}`, which is not there", event.key));
            }
            if event.counts.is_some() {
                counting.extend((!flag(EVENT_COLUMNS + 1)?).then(|| event.key.clone()));
                targets.insert(event.key, target);
            }
            Ok::<_, InputError>(())
        })?;
        if let Some(key) = circle(&targets) {
            wrong.push(format!("`{key}` retracts itself through other events"));
            return Ok(());
        }
        let mut firsts: HashMap<&str, &str> = HashMap::new();
        for key in &counting {
            // The chain of targets ends at the original event. Two corrections that count must not share it.
            let mut origin = key;
            while let Some(target) = targets.get(origin) {
                origin = target;
            }
            if let Some(first) = firsts.insert(origin, key) {
                wrong.push(format!("`{first}` and `{key}` are corrections of `{origin}`, and both count"));
            }
        }
        Ok(())
    }

    /// Compares the stored sum of each time bucket with the sum of its events, and appends a message to
    /// `wrong` for each difference. Buckets are read one at a time, so that memory does not grow with the
    /// ledger.
    fn verify_sums(&self, wrong: &mut Vec<String>) -> Result<()> {
        let sql = format!(
            "SELECT {BUCKET}, 0 FROM bucket UNION ALL
             SELECT time, stream, version, slice, spec, state_key, row, NULL, 1 FROM event e
             WHERE row IS NOT NULL AND NOT EXISTS (SELECT 1 FROM event r WHERE r.retracts = e.key) ORDER BY 1"
        );
        let mut sums = Sums::new();
        let mut now = None;
        self.each(&sql, [], |row| {
            let (Bucket { start, series, metric, row: counts }, sound) = bucket_of(row, &self.place)?;
            let place = format!("{series}, {}, the bucket of {start}", metric.spec);
            let of_event: bool = row.get(8).map_err(|error| self.said(error))?;
            let floor = start.floor(self.bucket);
            // The rows are sorted by time, so a new start means that the previous bucket is complete.
            if let Some(before) = now.replace(floor).filter(|before| *before != floor) {
                compare(before, std::mem::take(&mut sums), wrong);
            }
            if sound == Some(false) {
                wrong.push(format!("{place} is not what was written: its checksum differs"));
            }
            if !of_event && start != floor {
                wrong.push(format!("{place} is not a bucket: it starts within one"));
            }
            let side = &mut sums.entry((series, metric)).or_default()[usize::from(of_event)];
            if let Err(error) = add_row(side, &counts) {
                wrong.push(format!("{place}: {error}"));
            }
            Ok::<_, InputError>(())
        })?;
        if let Some(last) = now {
            compare(last, sums, wrong);
        }
        Ok(())
    }

    /// Adds a checksum to each sum of counts that has none, as in ledgers of the first format version. The
    /// caller must first check that the sums agree with their events.
    fn seal(&self) -> Result<()> {
        let mut open = Vec::new();
        self.each(&format!("SELECT {BUCKET} FROM bucket WHERE sha256 IS NULL"), [], |row| {
            open.push(bucket_of(row, &self.place)?.0);
            Ok::<_, InputError>(())
        })?;
        let sealing = || {
            let transaction = self.connection.unchecked_transaction()?;
            // The condition on the row skips sums that another program has changed in the meantime.
            let sql =
                format!("UPDATE bucket SET sha256 = ?7 WHERE {SAME_BUCKET} AND row = ?8 AND sha256 IS NULL");
            for bucket in &open {
                let Bucket { start, series, metric, row } = bucket;
                let MetricName { spec, key } = metric;
                let slice = labels_text(series);
                let sha256 = bucket.sha256();
                let row = row_text(row);
                let values = params![start.0, series.stream, series.version, slice, spec, key, sha256, row];
                transaction.prepare_cached(&sql)?.execute(values)?;
            }
            transaction.commit()
        };
        if open.is_empty() { Ok(()) } else { sealing().map_err(|error| self.said(error)) }
    }

    /// Returns a message for each damaged page or index of the database file, as SQLite reports them.
    fn integrity(&self) -> Result<Vec<String>> {
        let said = |error| self.said(error);
        let mut query = self.connection.prepare("PRAGMA integrity_check").map_err(said)?;
        let rows = query.query_map([], |row| row.get::<_, String>(0)).map_err(said)?;
        let rows = rows.collect::<Result<Vec<_>, _>>().map_err(said)?;
        Ok(rows.into_iter().filter(|row| row != "ok").collect())
    }

    /// Adds all events of another ledger to this one. The order in which ledgers are merged changes only the
    /// order of arrival.
    ///
    /// # Errors
    /// Returns the errors of [`Ledger::add`]. Likely causes are that both ledgers have a key with different
    /// content, or that each has a correction of the same event.
    pub fn merge(&mut self, other: &Ledger, how: &super::Adding<'_>) -> Result<super::Added> {
        let mut events = Vec::new();
        other.events(|event| {
            let place = bleuprint_core::Location::file(other.place.display().to_string());
            events.push(Ok((place, event)));
            Ok::<_, InputError>(())
        })?;
        self.add(events, how)
    }
}

fn compare(start: Time, sums: Sums, wrong: &mut Vec<String>) {
    for ((series, metric), [sum, counted]) in sums {
        let is_there = |row: &[u64]| row.iter().any(|&count| count > 0);
        let what = match (is_there(&sum), is_there(&counted)) {
            (true, true) if sum != counted => ": its sum is not that of its events",
            (true, false) => ": it has no events",
            (false, true) => " is missing",
            _ => continue,
        };
        wrong.push(format!("{series}, {}, the bucket of {start}{what}", metric.spec));
    }
}
