//! Alarms, which stand until they are acknowledged, and plans of comparisons, which are fixed before the first look.

use bleuprint_core::Result;
use rusqlite::{OptionalExtension as _, params};

use super::Ledger;
use crate::Time;

/// The reason of an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AlarmKind {
    /// The score fell.
    Drop,
    /// The length ratio fell.
    Shorter,
    /// The length ratio rose.
    Longer,
    /// Too few segments came.
    Silent,
}

impl AlarmKind {
    const ALL: [AlarmKind; 4] = [AlarmKind::Drop, AlarmKind::Shorter, AlarmKind::Longer, AlarmKind::Silent];

    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            AlarmKind::Drop => "drop",
            AlarmKind::Shorter => "shorter",
            AlarmKind::Longer => "longer",
            AlarmKind::Silent => "silent",
        }
    }
}

/// An alarm.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Alarm {
    /// Its number in the ledger; 0 before it is recorded.
    pub id: i64,
    /// The watch.
    pub watch: String,
    /// The reason.
    pub kind: AlarmKind,
    /// The version of the model.
    pub version: String,
    /// The end of the bucket that raised it.
    pub at: Time,
    /// The estimate of the time from which on things are different.
    pub since: Time,
    /// The evidence: 1 is the threshold.
    pub evidence: f64,
    /// The number of events that the ledger had: `--as-of` it, the alarm is seen again.
    pub seen: u64,
    /// When it was acknowledged.
    pub acknowledged: Option<Time>,
}

/// A comparison of two versions that is looked at repeatedly: what was fixed before its first look.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a plan is fixed before its data")]
pub struct Plan {
    /// The rate of false findings over all looks.
    pub alpha: f64,
    /// The planned number of units of each version.
    pub expect: u64,
    /// The planned information: `1/se²` at that number.
    pub information: f64,
    /// The number of events that the ledger had at the first look.
    pub seen: u64,
}

impl Ledger {
    /// Records alarms that are not there yet.
    ///
    /// # Errors
    /// A ledger that cannot be written.
    pub fn record(&self, alarms: &[Alarm]) -> Result<()> {
        let sql = "INSERT OR IGNORE INTO alarm (watch, kind, version, at, since, evidence, seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        for alarm in alarms {
            let Alarm { watch, kind, version, at, since, evidence, seen, .. } = alarm;
            let seen = i64::try_from(*seen).unwrap_or(i64::MAX);
            let values = params![watch, kind.name(), version, at.0, since.0, evidence, seen];
            self.connection.execute(sql, values).map_err(|error| self.said(error))?;
        }
        Ok(())
    }

    /// The alarms, by their time.
    ///
    /// # Errors
    /// A damaged ledger.
    pub fn alarms(&self) -> Result<Vec<Alarm>> {
        let said = |error| self.said(error);
        let sql = "SELECT id, watch, kind, version, at, since, evidence, seen, acknowledged FROM alarm ORDER BY at, id";
        let mut query = self.connection.prepare(sql).map_err(said)?;
        let rows = query.query_map([], |row| {
            let kind: String = row.get(2)?;
            let alarm = Alarm {
                id: row.get(0)?,
                watch: row.get(1)?,
                kind: AlarmKind::Drop,
                version: row.get(3)?,
                at: Time(row.get(4)?),
                since: Time(row.get(5)?),
                evidence: row.get(6)?,
                seen: row.get::<_, i64>(7)?.unsigned_abs(),
                acknowledged: row.get::<_, Option<i64>>(8)?.map(Time),
            };
            Ok((kind, alarm))
        });
        let named = |row: rusqlite::Result<(String, Alarm)>| {
            let (kind, alarm) = row.map_err(said)?;
            let known = AlarmKind::ALL.into_iter().find(|known| known.name() == kind);
            let kind = known.ok_or_else(|| self.damaged(format!("an alarm of kind `{kind}`")))?;
            Ok(Alarm { kind, ..alarm })
        };
        rows.map_err(said)?.map(named).collect()
    }

    /// Acknowledges an alarm, or all of them, and says how many stood.
    ///
    /// # Errors
    /// A ledger that cannot be written.
    pub fn acknowledge(&self, id: Option<i64>, now: Time) -> Result<usize> {
        let sql = "UPDATE alarm SET acknowledged = ?2 WHERE acknowledged IS NULL AND (?1 IS NULL OR id = ?1)";
        self.connection.execute(sql, params![id, now.0]).map_err(|error| self.said(error))
    }

    /// The plan of a comparison; fixes the one that `first` makes, where there is none yet.
    ///
    /// # Errors
    /// A ledger that cannot be written; those of `first`.
    pub fn plan(
        &self,
        [stream, spec, versions, unit]: [&str; 4],
        first: impl FnOnce() -> Result<Option<Plan>>,
    ) -> Result<Option<Plan>> {
        let said = |error| self.said(error);
        // Earlier plans have a space between the versions, which may also be within one.
        let spaced = versions.replace('\u{1F}', " ");
        let sql = "SELECT alpha, expect, information, seen, unit FROM plan WHERE stream = ?1 AND spec = ?2 AND versions IN (?3, ?4)
            ORDER BY versions = ?3 DESC";
        let there = self.connection.query_row(sql, [stream, spec, versions, &spaced], |row| {
            let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            let plan =
                Plan { alpha: row.get(0)?, expect: count(1)?, information: row.get(2)?, seen: count(3)? };
            Ok((plan, row.get::<_, String>(4)?))
        });
        match there.optional().map_err(said)? {
            Some((_, other)) if other != unit => {
                let message =
                    format!("the units of this comparison are {other}s since its first look, not {unit}s");
                Err(bleuprint_core::InputError::malformed(message))
            }
            Some((plan, _)) => Ok(Some(plan)),
            None => {
                let Some(plan) = first()? else { return Ok(None) };
                let Plan { alpha, expect, information, seen } = plan;
                let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
                let values =
                    params![stream, spec, versions, unit, alpha, count(expect), information, count(seen)];
                let sql = "INSERT INTO plan VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
                self.connection.execute(sql, values).map_err(said)?;
                Ok(Some(plan))
            }
        }
    }
}
