//! Applies retractions and corrections of events in a ledger. An event can be corrected only once, and
//! corrections cannot form a circle. To correct an event again, the last correction must be corrected.

use std::collections::HashMap;

use bleuprint_core::{InputError, Location};
use rusqlite::params;

use super::add::{Done, EventBatch, Refusal, in_event};
use crate::event::{Event, EventCounts};

/// Event in a batch that retracts or corrects another event, its target.
pub(super) struct Retraction {
    pub(super) place: Location,
    pub(super) seq: i64,
    pub(super) key: String,
    pub(super) target: String,
    pub(super) corrects: bool,
}

impl EventBatch<'_> {
    /// Applies all retractions in a batch of events, after its events have been inserted into the ledger.
    pub(super) fn retract_all(&mut self) -> Done {
        let retractions = std::mem::take(&mut self.retractions);
        // An event can retract only an event that was there before or that comes in the same batch. So a
        // circle lies within one batch.
        let corrections = retractions.iter().filter(|retraction| retraction.corrects);
        let targets =
            corrections.map(|retraction| (retraction.key.clone(), retraction.target.clone())).collect();
        let circular = circle(&targets);
        for retraction in &retractions {
            let done = if circular == Some(retraction.key.as_str()) {
                Err(InputError::malformed("it retracts itself through other events").into())
            } else {
                self.retract(retraction)
            };
            done.map_err(|refusal| match refusal {
                Refusal::Input(error) => {
                    Refusal::Input(in_event(&retraction.key, &error).at(retraction.place.clone()))
                }
                other => other,
            })?;
        }
        Ok(())
    }

    /// Subtracts the counts of a retracted event from its time bucket, unless an earlier retraction has
    /// already done so.
    fn retract(&mut self, retraction: &Retraction) -> Done {
        let Retraction { seq, target, .. } = retraction;
        let Some(event) = self.find("e.key", target)? else {
            return Err(InputError::malformed(format!("it retracts `{target}`, which is not there")).into());
        };
        let Some(EventCounts { series, metric, row, .. }) = event.counts else {
            let message = format!("it retracts `{target}`, which is a retraction itself and has no counts");
            return Err(InputError::malformed(message).into());
        };
        if let (true, Some(first)) =
            (retraction.corrects, self.find("e.row IS NOT NULL AND e.retracts", target)?)
            && first.key != retraction.key
        {
            let first = first.key;
            let message =
                format!("it corrects `{target}`, which `{first}` corrects already: correct `{first}`");
            return Err(InputError::malformed(message).into());
        }
        // The stream that a retraction changes decides if it is late.
        let seen_to = self.seen_to(series.stream.clone())?;
        let sql = "UPDATE event SET seen_to = ?2 WHERE seq = ?1 AND row IS NULL";
        self.transaction.prepare_cached(sql)?.execute(params![seq, seen_to])?;
        let sql = "SELECT min(seq) FROM event WHERE retracts = ?1";
        let first: i64 = self.transaction.prepare_cached(sql)?.query_row([target], |row| row.get(0))?;
        // Several events may retract the same target, but only the first one changes the sum.
        if first == *seq {
            let bucket = (event.time.floor(self.bucket), series, metric);
            self.changes.entry(bucket).or_default().push((row, false));
        }
        Ok(())
    }

    /// Creates an event that corrects the stored event `first` to the content of `event`; both have the same
    /// key. If `first` was already corrected, the new event corrects the last correction. Returns `None` if
    /// the content would not change.
    pub(super) fn revision(&self, first: Event, event: &Event) -> Done<Option<Event>> {
        let mut last = first;
        while let Some(next) = self.find("e.row IS NOT NULL AND e.retracts", &last.key)? {
            if next.key == event.key {
                return Err(in_event(&event.key, &InputError::malformed("it retracts itself")).into());
            }
            last = next;
        }
        if (last.time, &last.counts) == (event.time, &event.counts) {
            return Ok(None);
        }
        let mut number = 2_u64;
        // Corrections that this program makes have the key of their event with a number, the first of which
        // is 2.
        let key = loop {
            let key = format!("{}#{number}", event.key);
            match self.find("e.key", &key)? {
                Some(_) => number += 1,
                None => break key,
            }
        };
        Ok(Some(Event { key, retracts: Some(last.key), ..event.clone() }))
    }
}

/// Returns the key of an event that corrects itself through a circle of corrections, if there is one.
/// `targets` maps the key of each correction to the key of its target.
pub(super) fn circle(targets: &HashMap<String, String>) -> Option<&str> {
    // Each key is stored with the number of the walk that visited it: meeting a key of the same walk again is
    // a circle.
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (walk, start) in targets.keys().enumerate() {
        let mut at = start.as_str();
        while let Some(target) = targets.get(at) {
            match seen.insert(at, walk) {
                Some(same) if same == walk => return Some(at),
                Some(_) => break,
                None => at = target,
            }
        }
    }
    None
}
