//! Latency of output that is written while the source is still being read: simultaneous translation and
//! recognition.
//!
//! A segment has the delays `d_1 .. d_T` of the pieces of its output, words or characters. Its source has the
//! length `X`, and its reference has `Y` pieces. All times have the same unit, usually milliseconds.
//!
//! ```text
//! lag(n) = d_1 if d_1 > X, else the mean over i = 1 .. t of d_i - (i - 1)·X/n,     t = the first i with d_i >= X, or T
//! AL     = lag(Y)                 LAAL = lag(max(Y, T))
//! AP     = Σ d_i / (X·Y)
//! DAL    = the mean over all i of g_i - (i - 1)·X/T,     g_1 = d_1, g_i = max(d_i, g_(i-1) + X/T)
//! YAAL   = the mean of the terms of LAAL before the first d_i >= X; in the long form before the end of the recording
//! ```
//!
//! The score is the mean over the segments that have a number. Its sum is exact and rounded once, so the
//! order of the segments does not matter. Segments without a number are counted. If a system writes all
//! output at the end, none of its segments has a YAAL, and its AL is `X`.
//!
//! | singular case | result |
//! |---|---|
//! | no delays, or a source of length 0 | a segment without a number |
//! | a reference of 0 pieces | without AL and AP |
//! | the first delay is not before the end | without YAAL |
//! | no segment with a number | no score |
//! | an empty reference text | one piece by words, none by characters |
//! | delays that fall, or are not finite; negative ones unless `form=long` | error |
//! | a negative or infinite length of the source; `elapsed` with a different number of values than `delays` | error |
//! | no reference, or several | error |
//!
//! The range has no limits, because lags may be negative; lower is better. Sources: Ma et al. 2019 (AL), Papi
//! et al. 2022 (LAAL), Cho and Esipova 2016 (AP), Cherry and Foster 2019 (DAL), Polák et al. 2025 (YAAL).
//! Numbers match OmniSTEval 0.1.10 and SimulEval 1.1.4. Time is linear in the number of delays.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_latency::{Delays, Latency, LatencyMeasure, Reference};
//!
//! let mut all = Accumulator::<_, Delays, Reference>::new(Latency::new(LatencyMeasure::Laal));
//! let delays = Delays { delays: vec![1000.0, 2000.0, 3000.0], source_length: 3000.0, ..Delays::default() };
//! all.push(&delays, &[&Reference::Text("a b c".to_owned())]).unwrap();
//! assert_eq!(all.score().unwrap().value(), 1000.0);
//! ```

mod entry;
mod given;
mod measures;
mod metric;

pub use given::{Delays, Reference};
pub use measures::LatencyMeasure;
pub use metric::Latency;

use bleuprint_registry::{MetricEntry, MetricSet};
use bleuprint_text::{Family, FamilyPage};

/// The registry entries of all latency metrics.
pub static ENTRIES: &[MetricEntry] = &[entry::AL, entry::LAAL, entry::AP, entry::DAL, entry::YAAL];

const ALL: MetricSet = MetricSet {
    name: "latency",
    summary: "All measures of latency: AL, LAAL, AP, DAL and YAAL",
    metrics: &["al", "laal", "ap", "dal", "yaal"],
};

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "latency", text: include_str!("../docs/latency.md") }];

/// Returns the family of latency metrics, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("latency", "Latency of simultaneous output: AL, LAAL, AP, DAL and YAAL")
        .metrics(ENTRIES)
        .sets(&[ALL])
        .pages(PAGES)
}

/// Returns the paper with this key in the file `papers.bib`.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}
