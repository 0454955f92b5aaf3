//! Retractions and corrections: each event is corrected once, in no circle, and a correction is found by what it corrects.

use std::collections::HashMap;

use bleuprint_core::{InputError, Location};
use rusqlite::params;

use super::add::{Batch, Done, Refusal, in_event};
use crate::event::{Counts, Event};

/// An event of the batch that retracts another, or corrects it.
pub(super) struct Retraction {
    pub(super) place: Location,
    pub(super) seq: i64,
    pub(super) key: String,
    pub(super) target: String,
    pub(super) corrects: bool,
}

impl Batch<'_> {
    /// Retracts what the events of the batch retract, when all of them are there.
    pub(super) fn retract_all(&mut self) -> Done {
        let retractions = std::mem::take(&mut self.retractions);
        // An event retracts what was there before it, or what came with it: no circle is longer than a batch.
        let corrections = retractions.iter().filter(|retraction| retraction.corrects);
        let targets =
            corrections.map(|retraction| (retraction.key.clone(), retraction.target.clone())).collect();
        let circular = circle(&targets);
        for retraction in &retractions {
            let done = match circular == Some(retraction.key.as_str()) {
                true => Err(InputError::malformed("it retracts itself by way of other events").into()),
                false => self.retract(retraction),
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

    /// Takes the counts of an event out of its bucket, unless another event has done so.
    fn retract(&mut self, retraction: &Retraction) -> Done {
        let Retraction { seq, target, .. } = retraction;
        let Some(event) = self.find("e.key", target)? else {
            return Err(InputError::malformed(format!("it retracts `{target}`, which is not there")).into());
        };
        let Some(Counts { series, metric, row }) = event.counts else {
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
        // A retraction is late or not by the stream that it changes.
        let seen_to = self.seen_to(series.stream.clone())?;
        let sql = "UPDATE event SET seen_to = ?2 WHERE seq = ?1 AND row IS NULL";
        self.transaction.prepare_cached(sql)?.execute(params![seq, seen_to])?;
        let sql = "SELECT min(seq) FROM event WHERE retracts = ?1";
        let first: i64 = self.transaction.prepare_cached(sql)?.query_row([target], |row| row.get(0))?;
        if first == *seq {
            let bucket = (event.time.floor(self.bucket), series, metric);
            self.changes.entry(bucket).or_default().push((row, false));
        }
        Ok(())
    }

    /// The correction of what counts under a key, found by what corrects what; none if that has this content already.
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

/// The key of an event that takes itself out by way of others, if one does; each retracts one target.
pub(super) fn circle(targets: &HashMap<String, String>) -> Option<&str> {
    // Each with the number of the walk that came by.
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
