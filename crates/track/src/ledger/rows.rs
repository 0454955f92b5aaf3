//! Converts rows of the database to events and to summed counts of time buckets, and checks their hashes.

use std::path::Path;

use bleuprint_core::Result;
use rusqlite::Row;

use super::read::Bucket;
use super::{damaged, said};
use crate::event::{Event, MetricName, Series, hash};
use crate::{EventCounts, Time};

/// SQL columns of an event, from the event table under the alias `e`.
pub(super) const EVENT: &str =
    "e.time, e.stream, e.version, e.slice, e.spec, e.state_key, e.row, e.key, e.retracts, e.sha256, e.unit";

/// Number of columns in [`EVENT`]. A query may select further columns after them.
pub(super) const EVENT_COLUMNS: usize = 11;

pub(super) const BUCKET: &str = "start, stream, version, slice, spec, state_key, row, sha256";

/// SQL condition that selects the summed counts of a time bucket by the first six columns of [`BUCKET`].
pub(super) const SAME_BUCKET: &str =
    "start = ?1 AND stream = ?2 AND version = ?3 AND slice = ?4 AND spec = ?5 AND state_key = ?6";

impl Bucket {
    pub(super) fn sha256(&self) -> String {
        let Bucket { start, series: Series { stream, version, slice }, metric, row } = self;
        let all = (start.0, stream, version, slice, &metric.spec, &metric.key, row);
        // Text and whole numbers always serialize, so there is no error to report.
        hash(&serde_json::to_string(&all).unwrap_or_default())
    }
}

/// Reads an event from a row of the database. The flag is `true` if the event's hash is correct.
pub(super) fn event_of(row: &Row<'_>, place: &Path) -> Result<(Event, bool)> {
    let wrong = |error| said(place, &error);
    let text = |column| row.get::<_, Option<String>>(column).map_err(wrong);
    let key = row.get::<_, String>(7).map_err(wrong)?;
    let broken = |what: &dyn std::fmt::Display| damaged(place, format!("the event `{key}`: {what}"));
    // Either all columns of counts are present or none; anything else was changed outside this program.
    let counts = match (text(1)?, text(2)?, text(3)?, text(4)?, text(5)?, text(6)?) {
        (Some(stream), Some(version), Some(slice), Some(spec), Some(key), Some(counts)) => {
            let slice = serde_json::from_str(&slice).map_err(|error| broken(&error))?;
            let row = serde_json::from_str(&counts).map_err(|error| broken(&error))?;
            Some(EventCounts {
                series: Series { stream, version, slice },
                metric: MetricName { spec, key },
                row,
                unit: text(10)?,
            })
        }
        (None, None, None, None, None, None) => None,
        _ => return Err(broken(&"it is not whole")),
    };
    let time = Time(row.get(0).map_err(wrong)?);
    let event = Event { time, retracts: text(8)?, counts, key };
    let sound = Some(event.sha256()) == text(9)?;
    Ok((event, sound))
}

/// Reads an event from a row of the database, and returns an error if its hash is wrong.
pub(super) fn sound_event(row: &Row<'_>, place: &Path) -> Result<Event> {
    match event_of(row, place)? {
        (event, true) => Ok(event),
        (event, false) => Err(damaged(place, changed(&event))),
    }
}

pub(super) fn changed(event: &Event) -> String {
    format!("the event `{}` is not what was added: its hash differs", event.key)
}

/// Reads the summed counts of a time bucket from a row of the database. The flag tells whether their checksum
/// is correct; it is `None` without a checksum, as in the first version of the format.
pub(super) fn bucket_of(row: &Row<'_>, place: &Path) -> Result<(Bucket, Option<bool>)> {
    let wrong = |error| said(place, &error);
    let text = |column| row.get::<_, String>(column).map_err(wrong);
    let slice = text(3)?;
    let counts = text(6)?;
    let bucket = Bucket {
        start: Time(row.get(0).map_err(wrong)?),
        series: Series {
            stream: text(1)?,
            version: text(2)?,
            slice: serde_json::from_str(&slice).map_err(|error| damaged(place, error))?,
        },
        metric: MetricName { spec: text(4)?, key: text(5)? },
        row: serde_json::from_str(&counts).map_err(|error| damaged(place, error))?,
    };
    let sha256: Option<String> = row.get(7).map_err(wrong)?;
    let sound = sha256.map(|sha256| sha256 == bucket.sha256());
    Ok((bucket, sound))
}

/// Reads the summed counts of a time bucket from a row of the database, and returns an error if their
/// checksum is wrong. The flag is `true` if the row has a checksum.
pub(super) fn sound_bucket(row: &Row<'_>, place: &Path) -> Result<(Bucket, bool)> {
    match bucket_of(row, place)? {
        (bucket, Some(false)) => {
            let Bucket { start, series, metric, .. } = bucket;
            let what = format!("{series}, {}, the bucket of {start} is not what was written", metric.spec);
            Err(damaged(place, format!("{what}: its checksum differs")))
        }
        (bucket, sound) => Ok((bucket, sound.is_some())),
    }
}
