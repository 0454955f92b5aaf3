//! Verifying: events are what they were, and sums are theirs.

use std::collections::{BTreeMap, BTreeSet};

use bleuprint_core::{InputError, Result};

use super::{Bucket, Late, Ledger, Selection};
use crate::Time;
use crate::metric::add_row;

impl Ledger {
    /// Everything that is wrong with the ledger, in words: pages of the database, hashes of events, retractions without
    /// their target, sums that are not those of the events. None for a sound ledger.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn verify(&self) -> Result<Vec<String>> {
        let mut wrong = self.integrity()?;
        if !wrong.is_empty() {
            return Ok(wrong);
        }
        let (mut keys, mut targets) = (BTreeSet::new(), BTreeMap::new());
        let mut newest: BTreeMap<String, Time> = BTreeMap::new();
        let mut counted = Vec::new();
        self.each_event(|_, event, sha256| {
            if event.sha256() != sha256 {
                wrong.push(format!("the event `{}` is not what was added: its hash differs", event.key));
            }
            if let Some(target) = &event.retracts {
                targets.insert(target.clone(), event.key.clone());
            }
            keys.insert(event.key.clone());
            if let Some(counts) = event.counts {
                let time = newest.entry(counts.series.stream.clone()).or_insert(event.time);
                *time = event.time.max(*time);
                counted.push((event.key, event.time, counts));
            }
            Ok::<_, InputError>(())
        })?;
        for (target, by) in &targets {
            if !keys.contains(target) {
                wrong.push(format!("`{by}` retracts `{target}`, which is not there"));
            }
        }
        let mut sums = BTreeMap::<_, Vec<u64>>::new();
        for (key, time, counts) in counted {
            let bucket = (time.floor(self.bucket), counts.series, counts.metric);
            if !targets.contains_key(&key)
                && let Err(error) = add_row(sums.entry(bucket).or_default(), &counts.row)
            {
                wrong.push(format!("the event `{key}`: {error}"));
            }
        }
        sums.retain(|_, row| row.first().is_some_and(|&segments| segments > 0));
        let all = Selection { late: Late::Count, ..Selection::ALL };
        for Bucket { start, series, metric, row } in self.buckets(all)? {
            let place = format!("{series}, {}, the bucket of {start}", metric.spec);
            match sums.remove(&(start, series, metric)) {
                Some(sum) if sum == row => {}
                Some(_) => wrong.push(format!("{place}: its sum is not that of its events")),
                None => wrong.push(format!("{place}: it has no events")),
            }
        }
        let missing = sums.into_keys();
        wrong.extend(missing.map(|(start, series, metric)| {
            format!("{series}, {}, the bucket of {start} is missing", metric.spec)
        }));
        if self.streams(None)? != newest.into_iter().collect::<Vec<_>>() {
            wrong.push("the newest times of the streams are not those of their events".to_owned());
        }
        Ok(wrong)
    }

    /// What SQLite finds wrong with its pages and indices.
    fn integrity(&self) -> Result<Vec<String>> {
        let said = |error| self.said(error);
        let mut query = self.connection.prepare("PRAGMA integrity_check").map_err(said)?;
        let rows = query.query_map([], |row| row.get::<_, String>(0)).map_err(said)?;
        let rows = rows.collect::<Result<Vec<_>, _>>().map_err(said)?;
        Ok(rows.into_iter().filter(|row| row != "ok").collect())
    }

    /// Adds the events of another ledger. The order of merging changes nothing but the order of arrival.
    ///
    /// # Errors
    /// Those of [`Ledger::add`]: a key with other content above all.
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
