//! Reads the summed counts of time intervals from a ledger (database of metric counts over time), in its
//! current or an earlier state.

use bleuprint_core::{InputError, Result};
use rusqlite::{Row, params};

use super::Ledger;
use super::rows::{BUCKET, EVENT, EVENT_COLUMNS, sound_bucket, sound_event};
use crate::event::{Event, MetricName, Series};
use crate::metric::{add_row, subtract_row};
use crate::{EventCounts, Span, Time};

/// Summed metric counts of all events in one time interval that have equal stream, model version, labels and
/// metric.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bucket {
    /// Start of the time interval whose counts are summed.
    pub start: Time,
    /// Source of the counts: stream, model version and labels.
    pub series: Series,
    /// Metric whose counts are summed.
    pub metric: MetricName,
    /// Sum of the events' count rows: numbers of segments and references, then the metric's columns.
    pub row: Vec<u64>,
}

/// Rule for events that arrive after their time bucket has closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Late {
    /// Late events are included in the sums of their time buckets, so that scores include them.
    Count,
    /// Late events are ignored: the sum of a time bucket stays as it was when the bucket closed. The first
    /// span is the time between the bucket's end and its closing, the second the bucket's length.
    LeaveOut(Span, Span),
}

/// Filter that selects which time buckets (summed counts of an interval) of a ledger are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Selection::ALL`")]
pub struct Selection<'s> {
    /// Start of the earliest bucket to read.
    pub from: Time,
    /// Stream whose buckets are read; `None` for all streams.
    pub stream: Option<&'s str>,
    /// Number of events to include: events that were added to the ledger later are ignored. `None` for all
    /// events.
    pub as_of: Option<u64>,
    /// Rule for events that arrived after their time bucket had closed.
    pub late: Late,
}

impl Selection<'_> {
    /// Filter that selects all buckets in the current state of the ledger, including late events.
    pub const ALL: Selection<'static> =
        Selection { from: Time(i64::MIN), stream: None, as_of: None, late: Late::Count };
}

/// Numbers of events that a ledger has added, skipped, rejected or retracted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventTallies {
    /// Number of events that the ledger contains, whether they were added or came from another ledger that
    /// was merged.
    pub merged: u64,
    /// Number of events that arrived again with equal content, and were skipped.
    pub duplicate: u64,
    /// Number of events that arrived after a later time bucket of their stream had begun.
    pub late: u64,
    /// Number of batches of events that the ledger rejected.
    pub refused: u64,
    /// Number of events whose counts a later event retracted.
    pub retracted: u64,
}

impl Ledger {
    /// Returns the selected time buckets, ordered by start, then by stream, model version and metric.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged.
    pub fn buckets(&self, selection: Selection<'_>) -> Result<Vec<Bucket>> {
        let Selection { from, stream, as_of, late } = selection;
        let mut buckets = match as_of {
            None => {
                let sql = format!(
                    "SELECT {BUCKET} FROM bucket WHERE start >= ?1 AND (?2 IS NULL OR stream = ?2) ORDER BY start"
                );
                let floor = from.floor(self.bucket);
                let mut buckets = Vec::new();
                self.each(&sql, params![floor.0, stream], |row| {
                    buckets.push(sound_bucket(row, &self.place)?.0);
                    Ok::<_, InputError>(())
                })?;
                buckets
            }
            Some(seen) => self.sums_as_of(selection, seen)?,
        };
        if let (None, Late::LeaveOut(lateness, length)) = (as_of, late) {
            self.undo_late(&mut buckets, stream, lateness, length)?;
        }
        // A bucket whose events were all retracted remains as zeros in the table.
        buckets.retain(|bucket| bucket.row.first().is_some_and(|&segments| segments > 0));
        buckets.sort_by(|one, other| {
            (one.start, &one.series, &one.metric).cmp(&(other.start, &other.series, &other.metric))
        });
        Ok(buckets)
    }

    /// Computes the sums of the selected time buckets as they were after the ledger's first `seen` events.
    fn sums_as_of(&self, selection: Selection<'_>, seen: u64) -> Result<Vec<Bucket>> {
        let Selection { from, stream, late, .. } = selection;
        let on_time = |event: &str| match late {
            Late::Count => "1".to_owned(),
            Late::LeaveOut(lateness, length) => {
                // SQLite's remainder has the sign of the dividend, so the length is added before the second
                // remainder: times before 1970 are negative.
                let end = format!("(e.time - (e.time % {0} + {0}) % {0} + {0} + {1})", length.0, lateness.0);
                format!("({event}.seen_to IS NULL OR {event}.seen_to < {end})")
            }
        };
        let sql = format!(
            "SELECT {EVENT} FROM event e
             WHERE e.row IS NOT NULL AND e.time >= ?1 AND (?2 IS NULL OR e.stream = ?2) AND e.seq <= ?3 AND {}
               AND NOT EXISTS (SELECT 1 FROM event r WHERE r.retracts = e.key AND r.seq <= ?3 AND {})",
            on_time("e"),
            on_time("r")
        );
        let seen = i64::try_from(seen).unwrap_or(i64::MAX);
        // The bucket that contains `from` is read as a whole, as in the table of sums.
        let floor = from.floor(self.bucket).0;
        let mut sums = std::collections::BTreeMap::<_, Vec<u64>>::new();
        self.each_count(&sql, params![floor, stream, seen], |_, Bucket { start, series, metric, row }| {
            let sum = sums.entry((start.floor(self.bucket), series, metric)).or_default();
            add_row(sum, &row).map_err(|error| self.damaged(error))
        })?;
        let bucket = |((start, series, metric), row)| Bucket { start, series, metric, row };
        Ok(sums.into_iter().map(bucket).collect())
    }

    /// Subtracts events that arrived late from the sums of their time buckets, and adds back events that were
    /// retracted late.
    fn undo_late(
        &self,
        buckets: &mut [Bucket],
        stream: Option<&str>,
        lateness: Span,
        length: Span,
    ) -> Result<()> {
        let is_late = |time: Time, seen_to: Option<i64>| {
            seen_to.is_some_and(|seen| Time(seen) >= time.floor(length) + length + lateness)
        };
        let mut places: std::collections::HashMap<_, usize> = Default::default();
        for (place, Bucket { start, series, metric, .. }) in buckets.iter().enumerate() {
            places.insert((*start, series.clone(), metric.clone()), place);
        }
        let mut change = |event: Bucket, apply: fn(&mut Vec<u64>, &[u64]) -> Result<()>| {
            let Bucket { start, series, metric, row } = event;
            let key = (start.floor(self.bucket), series, metric);
            let Some(&place) = places.get(&key) else { return Ok(()) };
            apply(&mut buckets[place].row, &row).map_err(|error| self.damaged(error))
        };
        let seen =
            |row: &Row<'_>, column| row.get::<_, Option<i64>>(column).map_err(|error| self.said(error));
        // Only the first retraction of an event has changed its sum.
        let sql = format!(
            "SELECT {EVENT}, e.seen_to, r.seen_to FROM event r JOIN event e ON e.key = r.retracts
             WHERE r.retracts IS NOT NULL AND (?1 IS NULL OR e.stream = ?1)
               AND r.seq = (SELECT min(f.seq) FROM event f WHERE f.retracts = e.key)"
        );
        self.each_count(&sql, params![stream], |row, event| {
            let of_event = seen(row, EVENT_COLUMNS)?;
            let of_retraction = seen(row, EVENT_COLUMNS + 1)?;
            if !is_late(event.start, of_event) && is_late(event.start, of_retraction) {
                change(event, add_row)
            } else {
                Ok(())
            }
        })?;
        let sql = format!(
            "SELECT {EVENT}, e.seen_to FROM event e
             WHERE e.seen_to >= e.time AND e.row IS NOT NULL AND (?1 IS NULL OR e.stream = ?1)
               AND NOT EXISTS (SELECT 1 FROM event r WHERE r.retracts = e.key)"
        );
        self.each_count(&sql, params![stream], |row, event| {
            if is_late(event.start, seen(row, EVENT_COLUMNS)?) { change(event, subtract_row) } else { Ok(()) }
        })
    }

    /// Runs an SQL query and calls `each` for every row of the result.
    pub(super) fn each<E: From<InputError>>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        mut each: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let wrong = |error| self.said(error);
        let mut query = self.connection.prepare(sql).map_err(wrong)?;
        let mut rows = query.query(values).map_err(wrong)?;
        while let Some(row) = rows.next().map_err(wrong)? {
            each(row)?;
        }
        Ok(())
    }

    /// Runs an SQL query on events and calls `each` with the counts of every event, as a bucket that starts
    /// at the event's time. The query must first select the columns in [`EVENT`].
    fn each_count(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        mut each: impl FnMut(&Row<'_>, Bucket) -> Result<()>,
    ) -> Result<()> {
        self.each(sql, values, |row| {
            let Event { time: start, counts, .. } = sound_event(row, &self.place)?;
            let Some(EventCounts { series, metric, row: counts, .. }) = counts else { return Ok(()) };
            each(row, Bucket { start, series, metric, row: counts })
        })
    }

    /// Returns a message if some sums of counts in the ledger have no checksum, because they were written in
    /// the first version of the database format; otherwise `None`.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged.
    pub fn unchecked(&self) -> Result<Option<String>> {
        let sql = "SELECT count(*) FROM bucket WHERE sha256 IS NULL";
        let count: i64 =
            self.connection.query_row(sql, [], |row| row.get(0)).map_err(|error| self.said(error))?;
        let what = if count == 1 { "1 sum has" } else { &format!("{count} sums have") };
        let place = self.place.display();
        let remedy = "`bleuprint track verify` compares them with their events, and gives them one";
        Ok((count > 0).then(|| format!("{place}: {what} no checksum, as in earlier versions; {remedy}")))
    }

    /// Returns the counts of retracted events, as one bucket for each event, with its stream, model version
    /// and metric. The bucket starts at the time of the event.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged.
    pub fn retracted(&self) -> Result<Vec<Bucket>> {
        let sql = format!(
            "SELECT {EVENT} FROM event e
             WHERE row IS NOT NULL AND EXISTS (SELECT 1 FROM event r WHERE r.retracts = e.key)"
        );
        let mut retracted = Vec::new();
        self.each_count(&sql, [], |_, bucket| {
            retracted.push(bucket);
            Ok(())
        })?;
        Ok(retracted)
    }

    /// Returns the time at which the ledger's first event arrived; `None` for an empty ledger.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged.
    pub fn created(&self) -> Result<Option<Time>> {
        let sql = "SELECT min(received) FROM event";
        let received = self.connection.query_row(sql, [], |row| row.get::<_, Option<i64>>(0));
        Ok(received.map_err(|error| self.said(error))?.map(Time))
    }

    /// Returns the name of each stream, with the time of its newest event.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged.
    pub fn streams(&self, as_of: Option<u64>) -> Result<Vec<(String, Time)>> {
        let seen = as_of.map_or(i64::MAX, |seen| i64::try_from(seen).unwrap_or(i64::MAX));
        let sql = match as_of {
            None => "SELECT stream, newest FROM stream WHERE ?1 = ?1 ORDER BY stream",
            Some(_) => {
                "SELECT stream, max(time) FROM event WHERE stream IS NOT NULL AND seq <= ?1 GROUP BY stream ORDER BY stream"
            }
        };
        let wrong = |error| self.said(error);
        let mut query = self.connection.prepare(sql).map_err(wrong)?;
        let rows = query.query_map([seen], |row| Ok((row.get(0)?, Time(row.get(1)?)))).map_err(wrong)?;
        rows.map(|row| row.map_err(wrong)).collect()
    }

    /// Returns how many events the ledger has (or `as_of`, if given), and the arrival time of the last of
    /// these events.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged or has fewer events than `as_of`.
    pub fn seen(&self, as_of: Option<u64>) -> Result<(u64, Option<Time>)> {
        let sql = "SELECT max(seq), (SELECT received FROM event WHERE seq = ?1) FROM event";
        let last = as_of.and_then(|seen| i64::try_from(seen).ok());
        let (seq, received): (Option<i64>, Option<i64>) = self
            .connection
            .query_row(sql, [last], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(|error| self.said(error))?;
        let seq = seq.unwrap_or(0).unsigned_abs();
        match as_of.filter(|&as_of| as_of > seq || received.is_none()) {
            Some(as_of) => {
                let message = format!("the ledger has {seq} events, not {as_of}");
                Err(InputError::malformed(message))
            }
            None => Ok((as_of.unwrap_or(seq), received.map(Time))),
        }
    }

    /// Returns the numbers of events that were added, skipped, late, rejected or retracted.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged.
    pub fn tallies(&self) -> Result<EventTallies> {
        let sql = "SELECT (SELECT count(*) FROM event),
            (SELECT count(*) FROM event WHERE row IS NOT NULL AND seen_to >= time - (time % ?1 + ?1) % ?1 + ?1),
            (SELECT count(DISTINCT retracts) FROM event WHERE retracts IS NOT NULL),
            coalesce((SELECT count FROM tally WHERE result = 'duplicate'), 0),
            coalesce((SELECT count FROM tally WHERE result = 'refused'), 0)";
        let tallies = self.connection.query_row(sql, [self.bucket.0], |row| {
            let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            Ok(EventTallies {
                merged: count(0)?,
                late: count(1)?,
                retracted: count(2)?,
                duplicate: count(3)?,
                refused: count(4)?,
            })
        });
        tallies.map_err(|error| self.said(error))
    }

    /// Calls `each` for all events in the order of their keys, which does not depend on their order of
    /// arrival.
    ///
    /// # Errors
    /// Returns the errors of `each`, and an error if the ledger is damaged.
    pub fn events<E: From<InputError>>(&self, mut each: impl FnMut(Event) -> Result<(), E>) -> Result<(), E> {
        let sql = format!("SELECT {EVENT} FROM event e ORDER BY e.key");
        self.each(&sql, [], |row| each(sound_event(row, &self.place)?))
    }
}
