//! Fuzzes metrics over data of their own form: for any segments like the example of a metric, any cut and both
//! orders, the merged parts have the state and score of the whole.
#![no_main]

use std::sync::LazyLock;

use bleuprint::contract::Data;
use bleuprint::{Accumulator, AnyMetric, Segment, State};
use bleuprint_fuzz::{EXAMPLES, MetricExample};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// The examples of metrics whose data is of a form.
static OWN: LazyLock<Vec<&MetricExample>> =
    LazyLock::new(|| EXAMPLES.iter().filter(|example| example.metric.view.form.is_some()).collect());

fuzz_target!(|data: &[u8]| {
    let [which, cut, rest @ ..] = data else { return };
    let example = OWN[usize::from(*which) % OWN.len()];
    let segments: Vec<Value> =
        rest.split(|&byte| byte == 254).take(8).map(|edits| example.segment(edits)).collect();
    let metric = &example.metric;
    let Some(whole) = observe(metric, &segments) else { return };
    let (before, after) = segments.split_at(usize::from(*cut) % (segments.len() + 1));
    let part = |segments| observe(metric, segments).expect("what the whole has observed");
    let (before, after) = (part(before), part(after));
    for (mut left, right) in [(before.clone(), &after), (after.clone(), &before)] {
        left.merge(right).expect("parts of one whole");
        assert_eq!(left, whole, "{}", example.name);
    }
    if let Ok(scored) = whole.score(metric) {
        assert!(!scored.value().is_nan(), "{}: {segments:?}", example.name);
    }
});

/// Returns the statistics of segments, or `None` if the form or the metric rejects one of them.
fn observe(metric: &AnyMetric, segments: &[Value]) -> Option<State<<AnyMetric as bleuprint::Metric>::Stats>> {
    let form = metric.view.form?;
    let mut all = Accumulator::<_, Data>::new(metric);
    for segment in segments {
        let hypothesis = form.hypothesis(&segment["hypothesis"]).ok()?;
        let references = segment["references"].as_array()?.iter();
        let references =
            references.map(|one| form.reference(one.clone()).ok()).collect::<Option<Vec<_>>>()?;
        let references: Vec<&Data> = references.iter().map(|one| &**one).collect();
        let source = segment.get("source").map(|source| form.source(source.clone())).transpose().ok()?;
        all.add(Segment::with_source(&*hypothesis, &references, source.as_deref())).ok()?;
    }
    Some(all.into())
}
