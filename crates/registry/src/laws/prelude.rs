//! Imports that most property tests of metrics use.

pub(super) use bleuprint_core::{
    Answer, Ask, Composition, Identity, InputError, InputErrorKind, Metric, Observe, Prepared, Result, Scale,
    Score, Segment, SegmentCounts, State, StateKey, Stats, Wanted, column_names,
};

pub(super) use super::broken::{Broken, Held, fine, require, same, same_results, same_scores, same_states};
pub(super) use super::corpora::{
    OwnedSegment, Raw, another, hold, hold_on_corpora, sample, with_references, with_segments,
};
pub(super) use crate::prelude::*;
pub(super) use crate::{AnyMetric, AnyScratch, AnyStats, Storable};
