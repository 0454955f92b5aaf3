//! Functions by which states observe segments: of text, of token ids, and of other data as JSON.

use std::ffi::c_char;

use bleuprint::contract::{Data, Numbers, Vector};
use bleuprint::eval::Panel;
use bleuprint::eval::evaluation::read_own;
use bleuprint::text::read::EmptyReferences;
use bleuprint::{Location, Metric as _, Observe, SegmentCounts, State};

use crate::beside_text::{TextVectors, numbers_of};
use crate::call::{CallError, CallResult, CallStatus};
use crate::configured::DataKind;
use crate::pointers::{IdSegmentPointers, PaddedRows, SegmentPointers, given, list, text};
use crate::segments::{JsonSegment, SegmentList, rows_of};
use crate::state::{StateHandle, change};

impl StateHandle {
    fn require(&self, kind: DataKind) -> CallResult {
        if self.metric.data == kind { Ok(()) } else { Err(self.other_kind(kind)) }
    }

    #[cold]
    fn other_kind(&self, kind: DataKind) -> CallError {
        let name = self.metric.panel.identity().name();
        let (wanted, given) = (self.metric.data.words(), kind.words());
        CallError::argument(format!("{name} takes {wanted} here, but {given} is given"))
    }

    /// Adds the statistics of all segments to the state. If one segment is invalid, none is added.
    fn observe<S: ?Sized>(&mut self, list: &SegmentList<'_, S>) -> CallResult
    where
        Panel: Observe<S>,
    {
        let panel = &self.metric.panel;
        if let Some(segment) = list.only() {
            return Ok(self.state.observe(panel, &mut self.scratch, segment)?);
        }
        let segments = list.segments();
        let mut batch = State::zero(panel);
        if panel.batch() > 1 {
            let mut each = vec![panel.zero(); segments.len()];
            panel.observe_each(&mut self.scratch, &mut each, &segments)?;
            for (stats, segment) in each.into_iter().zip(&segments) {
                let counts = SegmentCounts::of_segment(segment.references.len());
                batch.merge(&State::from_stats(panel, counts, stats)?)?;
            }
        } else {
            for (number, segment) in (1..).zip(segments) {
                let observed = batch.observe(panel, &mut self.scratch, segment);
                observed.map_err(|error| error.renumbered(Location::segment(number)))?;
            }
        }
        Ok(self.state.merge(&batch)?)
    }

    fn observe_texts(&mut self, given: &[SegmentPointers]) -> CallResult {
        self.require(DataKind::Text)?;
        let mut texts = SegmentList::new(self.metric.empty_references());
        texts.push_texts(given)?;
        self.observe(&texts)
    }

    fn observe_ids(&mut self, given: &[IdSegmentPointers]) -> CallResult {
        self.require(DataKind::Ids)?;
        let mut ids = SegmentList::new(self.metric.empty_references());
        ids.push_ids(given)?;
        self.observe(&ids)
    }

    fn observe_rows(&mut self, hypotheses: &PaddedRows, references: &PaddedRows, each: usize) -> CallResult {
        self.require(DataKind::Ids)?;
        if hypotheses.rows.checked_mul(each) != Some(references.rows) {
            return Err(CallError::argument(format!(
                "{} hypotheses with {each} references each need {} rows of references, but {} are given",
                hypotheses.rows,
                hypotheses.rows.saturating_mul(each),
                references.rows
            )));
        }
        let hypotheses = rows_of(hypotheses, "hypotheses")?;
        let references = rows_of(references, "references")?;
        let mut ids = SegmentList::<[u32]>::new(self.metric.empty_references());
        for (row, hypothesis) in hypotheses.iter().enumerate() {
            let own = references[row * each..(row + 1) * each].iter().map(|ids| Ok(&ids[..]));
            ids.push(hypothesis, own, None, <[u32]>::is_empty)?;
        }
        self.observe(&ids)
    }

    fn observe_json(&mut self, json: &str) -> CallResult {
        let metric = self.metric.clone();
        match metric.data {
            DataKind::Own(form) => {
                let segments =
                    JsonSegment::parse_list(json, |part, place, value| read_own(&form, part, place, value))?;
                self.observe_parsed::<Data>(segments.iter().map(|own| own.map(|data| &**data)))
            }
            DataKind::Numbers => {
                let numbers = &metric.metric()?.view.numbers;
                let segments = JsonSegment::parse_list(json, |part, place, value| {
                    numbers_of(numbers, part, place, value)
                })?;
                self.observe_parsed::<Numbers>(segments.iter().map(|own| own.map(|all| &all[..])))
            }
            DataKind::Vectors => {
                let segments =
                    JsonSegment::parse_list(json, |_, place, value| TextVectors::parse(place, value))?;
                let vectors: Vec<_> = segments.iter().map(|own| own.map(TextVectors::vectors)).collect();
                self.observe_parsed::<[Vector<'_>]>(vectors.iter().map(|own| own.map(|all| &all[..])))
            }
            DataKind::Text | DataKind::Ids => {
                let name = metric.panel.identity().name();
                let wanted = metric.data.words();
                Err(CallError::argument(format!("{name} takes {wanted} here, but an object is given")))
            }
        }
    }

    /// Adds the statistics of segments that are read from JSON. Such data has no empty references.
    fn observe_parsed<'s, S: ?Sized + 's>(
        &mut self,
        segments: impl Iterator<Item = JsonSegment<&'s S>>,
    ) -> CallResult
    where
        Panel: Observe<S>,
    {
        let mut all = SegmentList::new(EmptyReferences::default());
        for JsonSegment { hypothesis, references, source } in segments {
            all.push(hypothesis, references.into_iter().map(Ok), source, |_| false)?;
        }
        self.observe(&all)
    }
}

/// Adds the statistics of segments of text to a state. If one segment is invalid, none is added.
///
/// Threads: one call at a time for a state.
///
/// # Safety
/// `state` is a state that is not freed; `segments` points to `count` segments with correct pointers and
/// lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_observe(
    state: *mut StateHandle,
    segments: *const SegmentPointers,
    count: usize,
) -> CallStatus {
    // SAFETY: the caller's promise.
    unsafe { change(state, |state| state.observe_texts(list(segments, count, "the segments")?)) }
}

/// Adds the statistics of segments of token ids to a state. If one segment is invalid, none is added.
///
/// Threads: one call at a time for a state.
///
/// # Safety
/// `state` is a state that is not freed; `segments` points to `count` segments with correct pointers and
/// lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_observe_ids(
    state: *mut StateHandle,
    segments: *const IdSegmentPointers,
    count: usize,
) -> CallStatus {
    // SAFETY: the caller's promise.
    unsafe { change(state, |state| state.observe_ids(list(segments, count, "the segments")?)) }
}

/// Adds the statistics of a batch of padded token ids to a state. Each row of `hypotheses` is a segment; its
/// references are the next `references_each` rows of `references`. If one row is invalid, none is added.
///
/// Threads: one call at a time for a state.
///
/// # Safety
/// `state` is a state that is not freed. In both batches, `data` points to `rows` times `width` ids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_observe_rows(
    state: *mut StateHandle,
    hypotheses: *const PaddedRows,
    references: *const PaddedRows,
    references_each: usize,
) -> CallStatus {
    // SAFETY: the caller's promise.
    unsafe {
        change(state, |state| {
            let hypotheses = given(hypotheses, "the hypotheses")?;
            let references = given(references, "the references")?;
            state.observe_rows(hypotheses, references, references_each)
        })
    }
}

/// Adds the statistics of segments of structured data, numbers or vectors to a state. `json` is a list of
/// objects with `hypothesis`, `references` (a list) and `source`. If one segment is invalid, none is added.
///
/// The numbers of a segment are an object with a key for each column, such as `{"value": 1.5, "over": 2}`, or
/// a single number. The vectors of a text are a list of vectors, or an object with `vectors`, `weights` and
/// `ids` (one for each vector).
///
/// Threads: one call at a time for a state.
///
/// # Safety
/// `state` is a state that is not freed; `json` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_observe_json(
    state: *mut StateHandle,
    json: *const c_char,
    length: usize,
) -> CallStatus {
    // SAFETY: the caller's promise.
    unsafe { change(state, |state| state.observe_json(text(json, length, "the segments")?)) }
}
