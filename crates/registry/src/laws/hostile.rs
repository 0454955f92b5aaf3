//! Tests that a metric rejects or scores untrusted input (rows, counts and stored states from elsewhere), and
//! never panics.

use quickcheck::{Arbitrary, Gen};
use serde_json::{Value, json};

use bleuprint_core::{Tagged, score_row};

use super::prelude::*;
use super::seen::LawSubject;

impl LawSubject<'_> {
    pub(super) fn hostile_counts(&self) -> Held {
        for segments in [0, 1, u64::MAX] {
            let counts = SegmentCounts { segments, references: segments, references_squared: segments };
            self.hostile(counts, self.zero.clone());
        }
        let Some(foreign) = &self.foreign else { return Ok(()) };
        let counts = SegmentCounts::of_segment(1);
        let checked = self.metric.check(foreign, &counts);
        require!("foreign statistics", checked.is_err(), "{foreign:?} passes the metric's check");
        self.hostile(counts, foreign.clone());
        Ok(())
    }

    /// Tests that the metric rejects or scores random rows of counts, small and near the 64-bit limit, and
    /// never panics.
    pub(super) fn hostile_rows(&self) -> Held {
        if !self.zero.is_row() {
            return Ok(());
        }
        let columns = self.zero.column_names().len();
        let mut last = self.zero.clone();
        for seed in 0..500 {
            let mut generator = Gen::from_size_and_seed(8, seed);
            // Small counts pass the bounds more often and so reach the finishing code; huge ones provoke
            // overflows.
            let mut count = || match u8::arbitrary(&mut generator) % 4 {
                0 => u64::arbitrary(&mut generator),
                1 => u64::MAX,
                _ => u64::arbitrary(&mut generator) % 4,
            };
            let row: Vec<u64> = (0..columns).map(|_| count()).collect();
            let counts =
                SegmentCounts { segments: count(), references: count(), references_squared: count() };
            let mut stats = self.zero.clone();
            fine("rows", "reading a row", stats.read_row(&row))?;
            // Results are ignored here and below: any answer is right except a panic, which the caller turns
            // into a broken law.
            let _ = score_row(&*self.metric, &row);
            combined(&stats, &last)?;
            self.hostile(counts, stats.clone());
            last = stats;
        }
        Ok(())
    }

    fn hostile(&self, counts: SegmentCounts, stats: AnyStats) {
        let _ = self.metric.number(&stats, &counts);
        let _ = self.metric.finalize(&stats, &counts);
        let tagged = Tagged { key: (*self.metric.state_key()).clone(), counts, stats };
        if let Ok(mut state) = tagged.open(&*self.metric) {
            let _ = state.score(&*self.metric);
            let before = state.clone();
            let _ = state.clone().merge(&before);
            let _ = state.retract(&*self.metric, &before);
        }
    }

    /// Tests stored states in which one value was replaced or removed. The metric may reject such a state,
    /// but must not panic.
    pub(super) fn hostile_states(&self, state: &State<AnyStats>) -> Held {
        let Ok(stored) = serde_json::to_value(state) else { return Ok(()) };
        for (field, within) in stored.as_object().into_iter().flatten() {
            for replaced in variants(within) {
                let mut hostile = stored.clone();
                hostile[field] = replaced;
                if let Ok(opened) = self.read(&hostile.to_string()) {
                    combined(opened.stats(), state.stats())?;
                    self.hostile(*opened.counts(), opened.stats().clone());
                }
            }
        }
        Ok(())
    }
}

/// Tests that two statistics stay unchanged if merging or subtracting them fails. Also tests that
/// `check_merge` predicts the result of `merge`.
fn combined(one: &AnyStats, other: &AnyStats) -> Held {
    for (one, other) in [(one, other), (other, one)] {
        let mut sum = one.clone();
        let mut rest = one.clone();
        let merged = sum.merge(other);
        same_results("merging", "whether statistics merge", &one.check_merge(other), &merged)?;
        if merged.is_err() {
            same("errors", "after an error of merging", &sum, one)?;
        }
        if rest.retract(other).is_err() {
            same("errors", "after an error of subtracting", &rest, one)?;
        }
    }
    Ok(())
}

/// Returns damaged variants of a stored JSON value, each with one nested value replaced or removed.
fn variants(value: &Value) -> Vec<Value> {
    let mut all = vec![json!(0), json!(u64::MAX), json!(-1), json!(0.5), json!(""), json!([]), Value::Null];
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let replaced = variants(item).into_iter().map(Some).chain([None]);
                all.extend(replaced.map(|new| {
                    let mut items = items.clone();
                    items.splice(index..=index, new);
                    Value::Array(items)
                }));
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                let mut without = fields.clone();
                without.remove(name);
                all.push(Value::Object(without));
                all.extend(variants(item).into_iter().map(|new| {
                    let mut fields = fields.clone();
                    fields.insert(name.to_string(), new);
                    Value::Object(fields)
                }));
            }
        }
        _ => {}
    }
    all
}
