//! Monitors the scores of deployed models. A ledger stores metric counts, which can be summed and retracted.
//! The crate computes from them the scores of any time window, alarms with a stated rate of false alarms,
//! comparisons of model versions, an HTML page, and counters for Prometheus.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | the counts of an hour | a line for a ledger | [`Event`] |
//! | events of any number of machines | one ledger, each event once | [`Ledger::add`], [`Ledger::merge`] |
//! | a ledger | the score of any window | [`show`], [`Window`] |
//! | a ledger and a policy | alarms | [`check`], [`WatchPolicy`] |
//! | two versions in service | which is better, valid however often you look | [`compare`] |
//! | a ledger | a page with the trend | [`page`] |
//! | a ledger | counters for Prometheus | [`prometheus`] |
//!
//! Counts can be summed, scores cannot. The counts of a time window are the sum of its time buckets, over all
//! requested machines and labels, and its score is the score of all its segments. This crate works with any
//! metric.

mod baseline;
mod chart;
mod check;
mod event;
mod ledger;
mod metric;
mod page;
mod policy;
mod prometheus;
mod svg;
mod time;
mod versions;
mod widened;
mod window;

pub use baseline::{Baseline, BaselineCounts};
pub use chart::{Chart, Observation, over_dispersion, run_length};
pub use check::{
    CALIBRATION, Checked, Moment, Point, VersionReport, Versions, WatchReport, check, watch_rows,
};
pub use event::{Event, EventCounts, FORMAT, MetricName, Series, events, slice_of};
pub use ledger::{Added, Adding, Alarm, AlarmKind, AlarmPlan, Bucket, EventTallies, Late, Ledger, Selection};
pub use metric::require_event;
pub use page::{GENERATOR, LedgerPageRequest, page};
pub use policy::{BaselineSource, Watch, WatchPolicy};
pub use prometheus::{PrometheusRequest, prometheus};
pub use time::{Span, Time};
pub use versions::{VariationUnit, VersionDifference, VersionsCompared, VersionsRequest, compare};
pub use window::{ShowRequest, Window, WindowScore, show};
