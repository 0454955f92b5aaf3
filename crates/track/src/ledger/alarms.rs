//! Alarms, which stay active until they are acknowledged, and plans of comparisons, which are fixed before
//! the first look.

use bleuprint_core::Result;
use rusqlite::{OptionalExtension as _, params};

use super::Ledger;
use crate::Time;

/// The reason of an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AlarmKind {
    /// The score of the stream dropped.
    Drop,
    /// The ratio of the lengths of outputs and references dropped.
    Shorter,
    /// The ratio of the lengths of outputs and references rose.
    Longer,
    /// Too few segments arrived in the stream.
    Silent,
}

impl AlarmKind {
    const ALL: [AlarmKind; 4] = [AlarmKind::Drop, AlarmKind::Shorter, AlarmKind::Longer, AlarmKind::Silent];

    /// Returns the name of the reason in outputs.
    pub fn name(self) -> &'static str {
        match self {
            AlarmKind::Drop => "drop",
            AlarmKind::Shorter => "shorter",
            AlarmKind::Longer => "longer",
            AlarmKind::Silent => "silent",
        }
    }
}

/// An alarm about a watched stream: its score or length changed, or too little arrived.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Alarm {
    /// Number of the alarm in the ledger; 0 before it is recorded.
    pub id: i64,
    /// Name of the watch that raised the alarm.
    pub watch: String,
    /// Reason of the alarm, such as a drop of the score.
    pub kind: AlarmKind,
    /// Version of the model that the alarm concerns.
    pub version: String,
    /// End of the time bucket whose counts raised the alarm.
    pub at: Time,
    /// Estimated time at which the change began.
    pub since: Time,
    /// Evidence for the change, as a multiple of the threshold at which an alarm is raised.
    pub evidence: f64,
    /// Number of events that the ledger had. `--as-of` this number shows the alarm again.
    pub seen: u64,
    /// Time at which the alarm was acknowledged.
    pub acknowledged: Option<Time>,
}

/// The plan of a comparison of two versions with repeated looks, fixed before the first look.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a plan is fixed before its data")]
pub struct AlarmPlan {
    /// Rate of false findings over all looks at the comparison of versions together.
    pub alpha: f64,
    /// Number of units (such as requests) of each version that was planned for the comparison.
    pub expect: u64,
    /// Planned information of the comparison: `1/se²` of the difference at the planned number of units.
    pub information: f64,
    /// Number of events that the ledger had at the first look at the comparison.
    pub seen: u64,
}

impl Ledger {
    /// Records alarms that the ledger does not have yet.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be written.
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

    /// Returns the alarms in the order of time.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged.
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

    /// Acknowledges one alarm, or all alarms for `None`, and returns how many were active.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be written.
    pub fn acknowledge(&self, id: Option<i64>, now: Time) -> Result<usize> {
        let sql = "UPDATE alarm SET acknowledged = ?2 WHERE acknowledged IS NULL AND (?1 IS NULL OR id = ?1)";
        self.connection.execute(sql, params![id, now.0]).map_err(|error| self.said(error))
    }

    /// Returns the plan of a comparison. If there is none yet, the plan that `first` makes is stored.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be written or the unit differs from the plan's, and the errors
    /// of `first`.
    pub fn plan(
        &self,
        [stream, spec, versions, unit]: [&str; 4],
        first: impl FnOnce() -> Result<Option<AlarmPlan>>,
    ) -> Result<Option<AlarmPlan>> {
        let said = |error| self.said(error);
        // Earlier versions joined the two version names by a space, which may also occur within a name.
        let spaced = versions.replace('\u{1F}', " ");
        let sql = "SELECT alpha, expect, information, seen, unit FROM plan WHERE stream = ?1 AND spec = ?2 AND versions IN (?3, ?4)
            ORDER BY versions = ?3 DESC";
        let there = self.connection.query_row(sql, [stream, spec, versions, &spaced], |row| {
            let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            let plan = AlarmPlan {
                alpha: row.get(0)?,
                expect: count(1)?,
                information: row.get(2)?,
                seen: count(3)?,
            };
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
                let AlarmPlan { alpha, expect, information, seen } = plan;
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
