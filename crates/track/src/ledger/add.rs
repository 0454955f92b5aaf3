//! Adds events to a ledger (database of metric counts over time): all events of a batch in one transaction,
//! or none of them.

use std::collections::{BTreeMap, HashMap};

use bleuprint_core::{InputError, Location, Result, State};
use bleuprint_registry::Registry;
use rusqlite::{OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::corrections::Retraction;
use super::read::Bucket;
use super::rows::{BUCKET, EVENT, SAME_BUCKET, sound_bucket, sound_event};
use super::{Ledger, labels_text, row_text, said};
use crate::event::{Event, EventCounts, MetricName, Series};
use crate::metric::{metric_of, row_of};
use crate::{Span, Time};

/// Tolerance for clocks that differ between machines: one hour. An event's time may be at most one hour ahead
/// of this machine's clock. This clock may be at most one hour behind the latest addition.
const SLACK: Span = Span(3_600_000_000_000);

/// Options for adding events (metric counts of a service's outputs) to a ledger.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Adding::new(..)`")]
pub struct Adding<'r> {
    /// Registry of all metrics, used to check that the counts of each event are possible for its metric.
    pub registry: &'r Registry,
    /// `true` if an event with a known key but different content replaces the earlier event; `false` if it is
    /// an error.
    pub upsert: bool,
    /// `true` to ignore the times of the events. An event then gets the time at which its key was first
    /// added, or the current time for a new key.
    pub undated: bool,
    /// `true` to add events although this machine's clock is behind the time of the last addition. Use it
    /// after a clock that was ahead has been corrected.
    pub reset_clock: bool,
    /// Current time. New events are dated with it, and the times of events are checked against it.
    pub now: Time,
}

impl<'r> Adding<'r> {
    /// Creates options with the current time. An event with a known key but different content is then an
    /// error.
    pub fn new(registry: &'r Registry) -> Self {
        Adding { registry, upsert: false, undated: false, reset_clock: false, now: Time::now() }
    }
}

/// Numbers of events that an addition to a ledger has added, skipped or corrected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Added {
    /// Number of events that the ledger did not contain before.
    pub added: u64,
    /// Number of events that the ledger already had with equal content, and that were skipped.
    pub duplicates: u64,
    /// Number of added events that correct an earlier event with the same key and different content.
    pub corrected: u64,
}

impl Ledger {
    /// Adds all events of a batch to the ledger, or adds nothing and returns an error. The order of events
    /// within a batch does not matter: retractions find events of the same batch.
    ///
    /// # Errors
    /// Returns an error with the line if an event cannot be read. Returns an error if a known key has other
    /// content, if a retracted event does not exist, if an event is corrected twice, or if events retract
    /// each other. Also returns an error if counts are impossible, if a sum exceeds 2⁶³ − 1, if a time is
    /// ahead of the clock, or if the disk is full.
    pub fn add(
        &mut self,
        events: impl IntoIterator<Item = Result<(Location, Event)>>,
        how: &Adding<'_>,
    ) -> Result<Added> {
        let place = self.place.clone();
        let wrong = |error: rusqlite::Error| said(&place, &error);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = transaction.map_err(wrong)?;
        let received = clock(&transaction, how).map_err(|error| error.or(&place))?;
        let mut batch = EventBatch {
            place: &place,
            transaction: &transaction,
            how,
            received,
            bucket: self.bucket,
            checked: HashMap::new(),
            seen_to: HashMap::new(),
            newest: BTreeMap::new(),
            changes: BTreeMap::new(),
            retractions: Vec::new(),
            done: Added::default(),
        };
        let ended = batch.all(events).map_err(|error| error.or(&place));
        let done = batch.done;
        drop(batch);
        match ended {
            Ok(()) => {
                tally(&transaction, "duplicate", done.duplicates).map_err(wrong)?;
                transaction.commit().map_err(wrong)?;
                Ok(done)
            }
            Err(error) => {
                // A full disk has ended the transaction already, so an error of the rollback is ignored.
                transaction.rollback().ok();
                // The rejected batch is counted if possible, but a failure to count it must not hide the
                // first error.
                tally(&self.connection, "refused", 1).ok();
                Err(error)
            }
        }
    }

    /// Adds events that were not read from a file to the ledger.
    ///
    /// # Errors
    /// Returns the errors of [`Ledger::add`], with the index of the event.
    pub fn add_all(&mut self, events: impl IntoIterator<Item = Event>, how: &Adding<'_>) -> Result<Added> {
        let numbered = (1..).zip(events).map(|(number, event)| Ok((Location::segment(number), event)));
        self.add(numbered, how)
    }
}

/// Reason why a batch of events was not added: an error in the events, or an error of the database.
pub(super) enum Refusal {
    Input(InputError),
    Database(rusqlite::Error),
}

impl Refusal {
    fn or(self, place: &std::path::Path) -> InputError {
        match self {
            Refusal::Input(error) => error,
            Refusal::Database(error) => said(place, &error),
        }
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        Refusal::Input(error)
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Refusal::Database(error)
    }
}

pub(super) type Done<T = ()> = Result<T, Refusal>;

/// Returns the arrival time of a batch of events: the current time, or the latest arrival in the ledger if
/// that is later. With `reset_clock`, it is always the current time.
fn clock(transaction: &Transaction<'_>, how: &Adding<'_>) -> Done<Time> {
    let now = how.now;
    if how.reset_clock {
        return Ok(now);
    }
    let last: Option<i64> = transaction
        .query_row("SELECT received FROM event ORDER BY seq DESC LIMIT 1", [], |row| row.get(0))
        .optional()?;
    // Events may arrive while the clock is a little behind. The later time is then used, so that arrivals
    // stay in order.
    let last = last.map_or(now, Time);
    if last - now > SLACK {
        let message = format!(
            "the clock of this machine says {now}, but events were added at {last}: it ran back, or was ahead then; if it is right now, add with --reset-clock (reset_clock=True in Python)"
        );
        return Err(InputError::malformed(message).into());
    }
    Ok(now.max(last))
}

fn tally(connection: &rusqlite::Connection, result: &str, count: u64) -> rusqlite::Result<usize> {
    if count == 0 {
        return Ok(0);
    }
    let sql = "INSERT INTO tally VALUES (?1, ?2) ON CONFLICT (result) DO UPDATE SET count = count + ?2";
    connection.execute(sql, params![result, i64::try_from(count).unwrap_or(i64::MAX)])
}

/// Changes to a time bucket: rows of counts, each with `true` if it is added to the bucket's sum and `false`
/// if it is subtracted.
type Changes = Vec<(Vec<u64>, bool)>;

pub(super) struct EventBatch<'t> {
    pub(super) place: &'t std::path::Path,
    pub(super) transaction: &'t Transaction<'t>,
    how: &'t Adding<'t>,
    received: Time,
    pub(super) bucket: Span,
    /// Metrics by name, with which the counts of events are checked. `None` for a metric that needs learned
    /// weights, because its counts cannot be checked here.
    checked: HashMap<MetricName, Option<bleuprint_registry::AnyMetric>>,
    seen_to: HashMap<String, Option<i64>>,
    newest: BTreeMap<String, i64>,
    pub(super) changes: BTreeMap<(Time, Series, MetricName), Changes>,
    pub(super) retractions: Vec<Retraction>,
    done: Added,
}

impl EventBatch<'_> {
    fn all(&mut self, events: impl IntoIterator<Item = Result<(Location, Event)>>) -> Done {
        for event in events {
            let (place, event) = event?;
            self.one(&place, event).map_err(|refusal| match refusal {
                Refusal::Input(error) => Refusal::Input(error.at(place)),
                other => other,
            })?;
        }
        // After all inserts, so that a retraction finds an event that comes later in the batch.
        self.retract_all()?;
        for (stream, newest) in &self.newest {
            let sql = "INSERT INTO stream VALUES (?1, ?2) ON CONFLICT (stream) DO UPDATE SET newest = max(newest, ?2)";
            self.transaction.execute(sql, params![stream, newest])?;
        }
        std::mem::take(&mut self.changes)
            .into_iter()
            .try_for_each(|(bucket, changes)| self.change(&bucket, &changes))
    }

    fn one(&mut self, place: &Location, mut event: Event) -> Done {
        event.check()?;
        if let Some(counts) = &event.counts {
            self.check(counts)
                .map_err(|error| InputError::malformed(format!("the state of `{}`: {error}", event.key)))?;
        }
        let there = self.find("e.key", &event.key)?;
        // A single event from the future would close all buckets before it, and everything else would be
        // late.
        let ahead = event.time - self.how.now > SLACK;
        if ahead && there.as_ref() != Some(&event) && !self.how.reset_clock && !self.how.undated {
            let key = &event.key;
            let time = event.time;
            let now = self.how.now;
            let message = format!(
                "`{key}` is of {time}, but it is {now}: a clock is wrong; give the event its time, or add with --reset-clock (reset_clock=True in Python) if it was made while a clock was ahead"
            );
            return Err(InputError::malformed(message).into());
        }
        if self.how.undated {
            event.time = there.as_ref().map_or(self.how.now, |there| there.time);
        }
        if let Some(there) = there {
            // An upsert replaces counts; its retraction, if any, must stay the same.
            let upsert = self.how.upsert && (event.retracts.is_none() || there.retracts == event.retracts);
            if there != event && !upsert {
                let message = format!(
                    "the key `{}` already exists with other content; give a correction another key and `retracts`, or add with --upsert",
                    event.key
                );
                return Err(InputError::malformed(message).into());
            }
            match if upsert { self.revision(there, &event)? } else { None } {
                Some(revision) => event = revision,
                None => {
                    self.done.duplicates += 1;
                    return Ok(());
                }
            }
            self.done.corrected += 1;
        }
        if let Some(counts) = &event.counts {
            self.require_stream(&counts.series.stream)?;
        }
        let seq = self.insert(&event)?;
        if let Some(target) = event.retracts {
            let place = place.clone();
            let key = event.key;
            let corrects = event.counts.is_some();
            self.retractions.push(Retraction { place, seq, key, target, corrects });
        }
        if let Some(EventCounts { series, metric, row, .. }) = event.counts {
            let newest = self.newest.entry(series.stream.clone()).or_insert(event.time.0);
            *newest = event.time.0.max(*newest);
            let bucket = (event.time.floor(self.bucket), series, metric);
            self.changes.entry(bucket).or_default().push((row, true));
        }
        self.done.added += 1;
        Ok(())
    }

    fn check(&mut self, counts: &EventCounts) -> Result<()> {
        let name = &counts.metric;
        if !self.checked.contains_key(name) {
            let metric = metric_of(self.how.registry, name, None)?;
            self.checked.insert(name.clone(), metric.first_pass().is_none().then_some(metric));
        }
        match self.checked.get(name) {
            Some(Some(metric)) => {
                State::from_row(metric, &row_of(metric, &name.key, &counts.row)?).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if a new stream's name differs only by case from the name of a known stream.
    fn require_stream(&self, stream: &str) -> Done {
        if self.seen_to.contains_key(stream) {
            return Ok(());
        }
        let mut query = self.transaction.prepare_cached("SELECT stream FROM stream")?;
        let known = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
        // A misspelt stream would silently start a second history.
        let folded = stream.to_lowercase();
        let mut alike =
            known.iter().chain(self.seen_to.keys()).filter(|other| other.to_lowercase() == folded);
        match alike.next() {
            Some(other) if other != stream && !known.iter().any(|known| known == stream) => {
                let message = format!("the stream `{stream}` differs by case alone from `{other}`");
                Err(InputError::malformed(message).into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the earliest event for which the SQL expression `column` equals `value`. It may begin with a
    /// further condition, as in `e.row IS NOT NULL AND e.key`.
    pub(super) fn find(&self, column: &str, value: &str) -> Done<Option<Event>> {
        let sql = format!("SELECT {EVENT} FROM event e WHERE {column} = ?1 ORDER BY e.seq LIMIT 1");
        let mut query = self.transaction.prepare_cached(&sql)?;
        let mut rows = query.query([value])?;
        Ok(rows.next()?.map(|row| sound_event(row, self.place)).transpose()?)
    }

    fn insert(&mut self, event: &Event) -> Done<i64> {
        let counts = event.counts.as_ref();
        let stream = counts.map(|counts| counts.series.stream.clone());
        let seen_to = stream.map_or(Ok(None), |stream| self.seen_to(stream))?;
        let sql = "INSERT INTO event (key, time, retracts, stream, version, slice, spec, state_key, row, sha256, received, seen_to, unit)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        self.transaction.prepare_cached(sql)?.execute(params![
            event.key,
            event.time.0,
            event.retracts,
            counts.map(|counts| &counts.series.stream),
            counts.map(|counts| &counts.series.version),
            counts.map(|counts| labels_text(&counts.series)),
            counts.map(|counts| &counts.metric.spec),
            counts.map(|counts| &counts.metric.key),
            counts.map(|counts| row_text(&counts.row)),
            event.sha256(),
            self.received.0,
            seen_to,
            counts.map(|counts| &counts.unit),
        ])?;
        Ok(self.transaction.last_insert_rowid())
    }

    pub(super) fn seen_to(&mut self, stream: String) -> Done<Option<i64>> {
        if let Some(known) = self.seen_to.get(&stream) {
            return Ok(*known);
        }
        let mut query = self.transaction.prepare_cached("SELECT newest FROM stream WHERE stream = ?1")?;
        let newest = query.query_row([&stream], |row| row.get(0)).optional()?;
        self.seen_to.insert(stream, newest);
        Ok(newest)
    }

    fn change(&self, bucket: &(Time, Series, MetricName), changes: &[(Vec<u64>, bool)]) -> Done {
        let (start, series, metric) = bucket;
        let Series { stream, version, .. } = series;
        let slice = labels_text(series);
        let sql = format!("SELECT {BUCKET} FROM bucket WHERE {SAME_BUCKET}");
        let mut query = self.transaction.prepare_cached(&sql)?;
        let mut rows = query.query(params![start.0, stream, version, slice, metric.spec, metric.key])?;
        let there = rows.next()?.map(|row| sound_bucket(row, self.place)).transpose()?;
        // A sum that had no checksum before gets none by adding to it, because it is still unverified.
        let checked = there.as_ref().is_none_or(|(_, checked)| *checked);
        let columns = changes.first().map_or(0, |(row, _)| row.len());
        let wrong = |what: String| InputError::malformed(format!("{series}, the bucket of {start}: {what}"));
        // `i128` holds the sum of any number of counts, so only the result is compared with the limits.
        let mut sum: Vec<i128> = match there {
            Some((bucket, _)) => bucket.row.into_iter().map(i128::from).collect(),
            None => vec![0; columns],
        };
        for (row, adds) in changes {
            if row.len() != sum.len() {
                return Err(wrong(format!("{} counts, where others have {}", row.len(), sum.len())).into());
            }
            for (sum, &count) in sum.iter_mut().zip(row) {
                *sum += if *adds { i128::from(count) } else { -i128::from(count) };
            }
        }
        let fits = |(column, &sum): (usize, &i128)| match i64::try_from(sum) {
            Ok(fits @ 0..) => Ok(fits as u64),
            Ok(_) => Err(wrong(format!("column {} would fall to {sum}, below 0", column + 1))),
            Err(_) => Err(wrong(format!("column {} would be {sum}; the limit is {}", column + 1, i64::MAX))),
        };
        let row = sum.iter().enumerate().map(fits).collect::<Result<Vec<u64>>>()?;
        let bucket = Bucket { start: *start, series: series.clone(), metric: metric.clone(), row };
        let sha256 = checked.then(|| bucket.sha256());
        let sql = "INSERT INTO bucket VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (start, stream, version, slice, spec, state_key) DO UPDATE SET row = ?7, sha256 = ?8";
        let MetricName { spec, key } = metric;
        let values = params![start.0, stream, version, slice, spec, key, row_text(&bucket.row), sha256];
        self.transaction.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }
}

pub(super) fn in_event(key: &str, error: &InputError) -> InputError {
    InputError::malformed(format!("`{key}`: {error}"))
}
