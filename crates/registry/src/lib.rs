//! Metrics chosen at run time: type-erased metrics, a registry of metrics by name, and their options as data.
//!
//! | you want | look at |
//! |---|---|
//! | a metric without its types | [`AnyMetric`], and [`View`] for the data that it observes |
//! | data of a type that only your metric knows | [`AnyMetric::for_own`] |
//! | options that every interface shows and checks | [`settings!`], [`Opt`] |
//! | a metric by name in programs | [`MetricEntry`], [`Registry`] |
//! | to test a metric against the laws | `laws`, behind the feature of that name |
//!
//! The metric trait itself, [`Metric`](bleuprint_core::Metric), is in `bleuprint-core`. A metric that is
//! never chosen at run time does not need this crate. The crate does no IO. It needs `alloc`, not `std`
//! (except for the feature `laws`, which is for tests).
#![no_std]

#[macro_use]
extern crate alloc;
#[cfg(feature = "laws")]
extern crate std;

mod any;
#[cfg(feature = "laws")]
pub mod laws;
mod opt;
mod options;
mod paper;
mod prelude;
mod registry;
mod settings;
mod spelling;
mod taken_names;

/// Names that the macro [`settings!`] writes, so that the caller's crate needs no dependency on them.
#[doc(hidden)]
pub use bleuprint_core;

pub use any::{
    AnyForm, AnyMetric, AnyScore, AnyScratch, AnyState, AnyStats, Data, DataRemarks, NumberColumns, Numbers,
    Storable, TextChoice, ValueTag, View, ViewKind,
};
pub use opt::Opt;
pub use options::{MetricOptions, OptionDefault, OptionField, OptionKind, OptionSpec};
pub use paper::{Paper, PaperKind};
pub use registry::{MetricEntry, MetricSet, MetricSpec, Registry};
pub use spelling::{Meaning, Preset, Spelling};
