//! Converts rows of counts in a ledger that an earlier version of this program wrote. In these rows, a sum of
//! real numbers has eight integer columns; now it has nine.

use std::collections::BTreeMap;

use bleuprint_core::Result;
use bleuprint_eval::store::NarrowSums;
use bleuprint_registry::Registry;

use crate::Time;
use crate::event::{MetricName, Series};
use crate::ledger::{Bucket, Ledger, Selection};
use crate::metric::{add_row, metric_of};

/// Reads the time buckets (summed counts) of a ledger. Rows of an earlier version, in which a sum of real
/// numbers has eight columns in place of nine, are converted.
///
/// # Errors
/// Returns the errors of [`Ledger::buckets`], and an error if a sum exceeds 64 bits.
pub(crate) fn buckets(ledger: &Ledger, registry: &Registry, selection: Selection<'_>) -> Result<Vec<Bucket>> {
    widened(registry, ledger.buckets(selection)?)
}

pub(crate) fn widened(registry: &Registry, buckets: Vec<Bucket>) -> Result<Vec<Bucket>> {
    let mut known: BTreeMap<MetricName, Option<NarrowSums>> = BTreeMap::new();
    let mut places: BTreeMap<(Time, Series, MetricName), usize> = BTreeMap::new();
    let mut wide: Vec<Bucket> = Vec::with_capacity(buckets.len());
    for mut bucket in buckets {
        if !known.contains_key(&bucket.metric) {
            known.insert(bucket.metric.clone(), narrow_sums(registry, &bucket.metric));
        }
        if let Some(sums) = &known[&bucket.metric] {
            bucket.row = sums.row(&bucket.row)?;
            bucket.metric.key = sums.key(&bucket.metric.key)?;
        }
        // An old and a new bucket may have the same key after the conversion; they are then added.
        let place = places.entry((bucket.start, bucket.series.clone(), bucket.metric.clone()));
        match *place.or_insert(wide.len()) {
            place if place < wide.len() => add_row(&mut wide[place].row, &bucket.row)?,
            _ => wide.push(bucket),
        }
    }
    Ok(wide)
}

/// Returns a converter for counts that an earlier version stored: a sum of real numbers had eight columns
/// instead of nine. Returns `None` if nothing must be converted or the metric is unknown.
fn narrow_sums(registry: &Registry, name: &MetricName) -> Option<NarrowSums> {
    NarrowSums::from_metric(&metric_of(registry, name, None).ok()?, &name.key.parse().ok()?).ok().flatten()
}

#[cfg(test)]
mod tests {
    use bleuprint_core::Metric as _;

    use super::*;

    #[test]
    fn buckets_with_sums_of_eight_columns_are_those_of_today() {
        let registry = bleuprint_metrics::registry();
        let metric = registry.build("given:name=a").unwrap();
        let row = |values: &[f64]| {
            let mut all = bleuprint_core::Accumulator::<_, bleuprint_registry::Numbers>::new(metric.clone());
            values.iter().for_each(|value| drop(all.push(&[*value], &[]).unwrap()));
            all.total().row().unwrap()
        };
        let key = metric.state_key().to_string();
        let series = Series { stream: "s".into(), version: "v".into(), slice: BTreeMap::new() };
        let bucket = |key: &str, row: Vec<u64>| {
            let metric = MetricName { spec: "given:name=a".into(), key: key.into() };
            Bucket { start: Time(0), series: series.clone(), metric, row }
        };
        let mut narrow = row(&[0.25, -3.0]);
        assert_eq!(narrow.pop(), Some(1 << 32));
        let before = key.replacen("given/2", "given/1", 1);
        let ledger = vec![bucket(&before, narrow), bucket(&key, row(&[7.5]))];
        assert_eq!(widened(&registry, ledger).unwrap(), [bucket(&key, row(&[0.25, -3.0, 7.5]))]);
    }
}
