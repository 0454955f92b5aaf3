//! Stores alarms, which stay active until they are acknowledged, and plans of version comparisons, which are
//! fixed before the first look at the data.

use bleuprint_core::Result;
use rusqlite::{OptionalExtension as _, params};

use super::Ledger;
use crate::Time;

/// Kind of change in a monitored stream for which an alarm is raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AlarmKind {
    /// Alarm because the score of the stream dropped.
    Drop,
    /// Alarm because outputs became shorter relative to the references.
    Shorter,
    /// Alarm because outputs became longer relative to the references.
    Longer,
    /// Alarm because too few segments arrived in the stream.
    Silent,
}

impl AlarmKind {
    const ALL: [AlarmKind; 4] = [AlarmKind::Drop, AlarmKind::Shorter, AlarmKind::Longer, AlarmKind::Silent];

    /// Returns the name of this kind of alarm in JSON and other outputs, such as `drop`.
    pub fn name(self) -> &'static str {
        match self {
            AlarmKind::Drop => "drop",
            AlarmKind::Shorter => "shorter",
            AlarmKind::Longer => "longer",
            AlarmKind::Silent => "silent",
        }
    }
}

/// Alarm about a monitored stream of outputs: its score or length changed, or too few segments arrived.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Alarm {
    /// Id of the alarm in the ledger; 0 before it is recorded.
    pub id: i64,
    /// Name of the policy rule (watch) that raised the alarm.
    pub watch: String,
    /// Kind of change that raised the alarm, such as a drop of the score.
    pub kind: AlarmKind,
    /// Version of the model whose outputs raised the alarm.
    pub version: String,
    /// End of the time bucket whose counts raised the alarm.
    pub at: Time,
    /// Estimated time at which the score or the lengths began to change.
    pub since: Time,
    /// Evidence for the change, as a multiple of the threshold at which an alarm is raised.
    pub evidence: f64,
    /// Number of events in the ledger when the alarm was raised. A check with `--as-of` this number raises
    /// the alarm again.
    pub seen: u64,
    /// Time at which a user acknowledged the alarm; `None` while it is active.
    pub acknowledged: Option<Time>,
}

/// Plan of a comparison of two model versions that may be evaluated repeatedly; it is fixed before the first
/// look at the data.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a plan is fixed before its data")]
pub struct AlarmPlan {
    /// Allowed probability that equal versions are found to differ, over all evaluations of the comparison
    /// together.
    pub alpha: f64,
    /// Planned number of units (such as requests) of each of the two versions.
    pub expect: u64,
    /// Planned precision of the comparison: `1/se²`. The standard error `se` of the score difference is that
    /// expected at the planned number of units.
    pub information: f64,
    /// Number of events in the ledger when the comparison was first evaluated.
    pub seen: u64,
}

impl Ledger {
    /// Records the given alarms, except alarms that the ledger already has.
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

    /// Returns all recorded alarms in order of time.
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

    /// Acknowledges one alarm, or all alarms if `id` is `None`. Returns the number of alarms that were active
    /// before.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be written.
    pub fn acknowledge(&self, id: Option<i64>, now: Time) -> Result<usize> {
        let sql = "UPDATE alarm SET acknowledged = ?2 WHERE acknowledged IS NULL AND (?1 IS NULL OR id = ?1)";
        self.connection.execute(sql, params![id, now.0]).map_err(|error| self.said(error))
    }

    /// Returns the stored plan of a version comparison. If none is stored yet, stores and returns the plan
    /// that `first` makes.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be written, if the unit differs from the unit of the stored
    /// plan, or if `first` fails.
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
