//! Functions for states. A state has the statistics of a metric over all observed segments; states can be
//! merged, and the score is computed from them.

use std::ffi::c_char;
use std::sync::Arc;

use bleuprint::contract::Data;
use bleuprint::eval::evaluation::{SegmentPart, read_own};
use bleuprint::eval::store::{Header, StoredStatistics};
use bleuprint::eval::{Panel, PanelScratch, PanelState};
use bleuprint::text::read::EmptyReferences;
use bleuprint::text::whitespace::strip;
use bleuprint::{InputError, InputErrorKind, Location, Metric as _, Observe, Segment, State};
use serde::Deserialize;
use serde_json::Value;
use smallvec::SmallVec;

use crate::call::{CallError, CallResult, CallStatus, call};
use crate::metric::{ConfiguredMetric, DataKind, MetricHandle};
use crate::numbers::score_json;
use crate::pointers::{
    IdSegmentPointers, OwnedBytes, PaddedRows, SegmentPointers, free, given, given_mut, list, text, write,
    write_bytes, write_handle,
};

/// Statistics of a metric over all segments that it has observed.
pub struct StateHandle {
    metric: Arc<ConfiguredMetric>,
    state: PanelState,
    scratch: PanelScratch,
    /// `true` while a call changes the state. It stays `true` if the call panics; the state is then unusable.
    broken: bool,
}

impl StateHandle {
    fn new(metric: &Arc<ConfiguredMetric>, state: PanelState) -> Self {
        StateHandle { metric: metric.clone(), state, scratch: PanelScratch::default(), broken: false }
    }

    /// Returns the statistics. Returns an error if they are unusable, because a call panicked while it
    /// changed them.
    pub(crate) fn sound(&self) -> CallResult<&PanelState> {
        if self.broken {
            return Err(CallError::argument("the state is unusable after a fault: free it"));
        }
        Ok(&self.state)
    }

    fn require(&self, kind: DataKind) -> CallResult {
        if self.metric.data == kind {
            return Ok(());
        }
        let name = self.metric.panel.identity().name();
        let (wanted, given) = (self.metric.data.words(), kind.words());
        Err(CallError::argument(format!("{name} takes {wanted} here, but {given} is given")))
    }

    /// Adds the statistics of all segments to the state. If one segment is invalid, none is added.
    fn observe<S: ?Sized>(&mut self, segments: &[Segment<'_, S>]) -> CallResult
    where
        Panel: Observe<S>,
    {
        let panel = &self.metric.panel;
        if let [segment] = segments {
            return Ok(self.state.observe(panel, &mut self.scratch, *segment)?);
        }
        if segments.is_empty() {
            return Ok(());
        }
        let mut batch = State::zero(panel);
        if panel.batch() > 1 {
            let mut each = vec![panel.zero(); segments.len()];
            panel.observe_each(&mut self.scratch, &mut each, segments)?;
            for (stats, segment) in each.into_iter().zip(segments) {
                let counts = bleuprint::SegmentCounts::of_segment(segment.references.len());
                batch.merge(&State::from_stats(panel, counts, stats)?)?;
            }
        } else {
            for (number, segment) in (1..).zip(segments) {
                let observed = batch.observe(panel, &mut self.scratch, *segment);
                observed.map_err(|error| error.renumbered(Location::segment(number)))?;
            }
        }
        Ok(self.state.merge(&batch)?)
    }

    fn observe_texts(&mut self, given: &[SegmentPointers]) -> CallResult {
        self.require(DataKind::Text)?;
        let empty = self.metric.empty_references();
        let mut texts: Sequences<'_, str> = SmallVec::new();
        // A single segment is the common case, and needs no lists of segments.
        if let [segment] = given {
            let source = push_texts(&mut texts, segment, empty, 1)?;
            let segment = Segment::with_source(texts[0], &texts[1..], source);
            return Ok(self.state.observe(&self.metric.panel, &mut self.scratch, segment)?);
        }
        let mut ends = Vec::with_capacity(given.len());
        let mut sources = Vec::with_capacity(given.len());
        for (number, segment) in (1..).zip(given) {
            sources.push(push_texts(&mut texts, segment, empty, number)?);
            ends.push(texts.len());
        }
        self.observe(&segments_of(&texts, &ends, &sources))
    }

    fn observe_ids(&mut self, given: &[IdSegmentPointers]) -> CallResult {
        self.require(DataKind::Ids)?;
        let empty = self.metric.empty_references();
        let mut all: Sequences<'_, [u32]> = SmallVec::new();
        let mut ends: SmallVec<[usize; 4]> = SmallVec::new();
        for (number, segment) in (1..).zip(given) {
            let start = all.len() + 1;
            // SAFETY: the caller of the function promises ids with their lengths.
            unsafe {
                all.push(list(segment.hypothesis.data, segment.hypothesis.length, "a hypothesis")?);
                for reference in list(segment.references, segment.reference_count, "the references")? {
                    all.push(list(reference.data, reference.length, "a reference")?);
                }
            }
            settle(&mut all, start, empty, <[u32]>::is_empty, number)?;
            ends.push(all.len());
        }
        self.observe(&segments_of(&all, &ends, &[]))
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
        let (hypotheses, references) =
            (rows_of(hypotheses, "hypotheses")?, rows_of(references, "references")?);
        let empty = self.metric.empty_references();
        let mut all: Sequences<'_, [u32]> = SmallVec::new();
        let mut ends = Vec::with_capacity(hypotheses.len());
        for (row, hypothesis) in hypotheses.iter().enumerate() {
            let start = all.len() + 1;
            all.push(hypothesis);
            all.extend(references[row * each..(row + 1) * each].iter().map(Vec::as_slice));
            settle(&mut all, start, empty, <[u32]>::is_empty, row as u64 + 1)?;
            ends.push(all.len());
        }
        self.observe(&segments_of(&all, &ends, &[]))
    }

    fn observe_json(&mut self, json: &str) -> CallResult {
        let DataKind::Own(form) = self.metric.data else {
            let name = self.metric.panel.identity().name();
            let wanted = self.metric.data.words();
            return Err(CallError::argument(format!("{name} takes {wanted} here, but an object is given")));
        };
        let segments: Vec<OwnSegment> = serde_json::from_str(json).map_err(|error| {
            CallError::argument(format!("the segments are no JSON list of segments: {error}"))
        })?;
        let mut all: Vec<Arc<Data>> = Vec::new();
        let mut ends = Vec::new();
        let mut sources = Vec::new();
        for (number, segment) in (1..).zip(&segments) {
            let read = |part, what: &str, value: &Value| {
                let read = read_own(&form, part, what, value);
                read.map_err(|error| error.at(Location::segment(number)))
            };
            all.push(read(SegmentPart::Hypothesis, "the hypothesis", &segment.hypothesis)?);
            for (at, reference) in segment.references.iter().enumerate() {
                all.push(read(SegmentPart::Reference, &format!("reference {}", at + 1), reference)?);
            }
            let source = segment.source.as_ref();
            sources.push(source.map(|source| read(SegmentPart::Source, "the source", source)).transpose()?);
            ends.push(all.len());
        }
        let all: Vec<&Data> = all.iter().map(|data| &**data).collect();
        let sources: Vec<Option<&Data>> = sources.iter().map(Option::as_deref).collect();
        self.observe(&segments_of(&all, &ends, &sources))
    }

    fn merge(&mut self, other: &StateHandle) -> CallResult {
        Ok(self.state.merge(other.sound()?)?)
    }

    fn to_bytes(&self) -> CallResult<Vec<u8>> {
        let metric = self.metric.metric()?;
        let state = self.metric.panel.states(self.sound()?)?.remove(0);
        let mut header = Header::of_metric(self.metric.spec().name(), metric)?;
        // The metric that reads the bytes has learned the weights itself.
        header.metrics[0].learned = None;
        Ok(header.state_to_bytes(metric, &state)?)
    }

    fn from_bytes(metric: &Arc<ConfiguredMetric>, bytes: &[u8]) -> CallResult<Self> {
        let stored = StoredStatistics::from_reader(bytes, "the state")?;
        let (header, total) = stored.into_state()?;
        header.metrics[0].require_of(metric.metric()?)?;
        let state = total.open(metric.metric()?)?;
        Ok(StateHandle::new(metric, metric.panel.state_of(vec![state])?))
    }

    fn score(&self) -> CallResult<f64> {
        let state = self.sound()?;
        if state.counts().segments == 0 {
            return Err(InputError::from(InputErrorKind::EmptyCorpus).into());
        }
        // The shorter way builds neither parts nor a signature.
        Ok(self.metric.panel.number(state.stats(), state.counts())?)
    }
}

/// A segment of structured data as a JSON object, with the keys that JSON Lines files also use.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnSegment {
    hypothesis: Value,
    #[serde(default)]
    references: Vec<Value>,
    source: Option<Value>,
}

/// Hypotheses and references of several segments in one list: for each segment its hypothesis, then its
/// references.
type Sequences<'s, S> = SmallVec<[&'s S; 8]>;

/// Keeps, drops or rejects the empty references of one segment, as `empty` requires. The references are the
/// items of `all` from `start` on. A single reference is always kept; `number` is the segment's number for
/// errors.
fn settle<S: ?Sized>(
    all: &mut Sequences<'_, S>,
    start: usize,
    empty: EmptyReferences,
    is_empty: impl Fn(&S) -> bool,
    number: u64,
) -> CallResult {
    // An empty reference is ambiguous only next to other references. Alone, it is the correct answer.
    if all.len() < start + 2 {
        return Ok(());
    }
    let leaves_out = empty.leaves_out(all[start..].iter().map(|one| Some(is_empty(one))));
    let leaves_out = leaves_out.map_err(|index| {
        EmptyReferences::refused(&format!("reference {}", index + 1)).at(Location::segment(number))
    })?;
    if leaves_out {
        let mut place = 0;
        all.retain(|one| {
            place += 1;
            place <= start || !is_empty(one)
        });
    }
    Ok(())
}

/// Adds the texts of a segment, hypothesis first, and returns its source.
fn push_texts<'s>(
    texts: &mut Sequences<'s, str>,
    segment: &SegmentPointers,
    empty: EmptyReferences,
    number: u64,
) -> CallResult<Option<&'s str>> {
    let start = texts.len() + 1;
    // SAFETY: the caller of the function promises texts with their lengths.
    let source = unsafe {
        texts.push(text(segment.hypothesis.data, segment.hypothesis.length, "a hypothesis")?);
        for reference in list(segment.references, segment.reference_count, "the references")? {
            texts.push(text(reference.data, reference.length, "a reference")?);
        }
        match segment.source.as_ref() {
            Some(source) => Some(text(source.data, source.length, "a source")?),
            None => None,
        }
    };
    settle(texts, start, empty, |text| strip(text).is_empty(), number)?;
    Ok(source)
}

/// Splits a list of sequences into segments. `ends` has the end position of each segment in `all`; the first
/// sequence of a segment is the hypothesis, and the others are references.
fn segments_of<'s, S: ?Sized>(
    all: &'s [&'s S],
    ends: &[usize],
    sources: &[Option<&'s S>],
) -> SmallVec<[Segment<'s, S>; 4]> {
    let mut start = 0;
    let segment = |(at, &end): (usize, &usize)| {
        let own = &all[start..end];
        start = end;
        Segment::with_source(own[0], &own[1..], sources.get(at).copied().flatten())
    };
    ends.iter().enumerate().map(segment).collect()
}

/// Copies the rows of ids without the padding at both ends. Returns an error that names `what` if an id is
/// negative or needs more than 32 bits.
fn rows_of(rows: &PaddedRows, what: &str) -> CallResult<Vec<Vec<u32>>> {
    let length = rows.rows.checked_mul(rows.width);
    let length = length.ok_or_else(|| CallError::argument(format!("{what} are beyond the memory")))?;
    // SAFETY: the caller of the function promises `rows` rows of `width` ids.
    let all = unsafe { list(rows.data, length, what)? };
    let row = |row: usize| {
        let mut ids = &all[row * rows.width..(row + 1) * rows.width];
        while let [first, rest @ ..] = ids
            && *first == rows.padding
        {
            ids = rest;
        }
        while let [rest @ .., last] = ids
            && *last == rows.padding
        {
            ids = rest;
        }
        let id = |id: &i64| {
            u32::try_from(*id).map_err(|_| {
                let limit = format!("from 0 to {}, of {what}", u32::MAX);
                InputError::limit("an id", *id, limit).at(Location::segment(row as u64 + 1))
            })
        };
        Ok(ids.iter().map(id).collect::<Result<_, InputError>>()?)
    };
    (0..rows.rows).map(row).collect()
}

/// Runs a call that changes a state. If the call panics, the state stays marked as broken, and later calls
/// return an error.
///
/// # Safety
/// `state` is null or a state that no other call uses.
unsafe fn change(state: *mut StateHandle, run: impl FnOnce(&mut StateHandle) -> CallResult) -> CallStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let state = unsafe { given_mut(state, "the state")? };
        state.sound()?;
        state.broken = true;
        let result = run(state);
        state.broken = false;
        result
    })
}

/// Creates an empty state for a metric: the statistics of no segments. You must free it with
/// [`bleuprint_state_free`].
///
/// Threads: any thread at any time. A state may move between threads, but only one call may use it at a
/// time; give each thread its own state and merge them.
///
/// # Safety
/// `metric` is a metric that is not freed; `out` points to memory for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_new(
    metric: *const MetricHandle,
    out: *mut *mut StateHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            Ok(StateHandle::new(metric, State::zero(&metric.panel)))
        })
    })
}

/// Frees a state. It does nothing with a null pointer.
///
/// Threads: any thread, after all calls with this state have returned.
///
/// # Safety
/// `state` is null, or a state that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_free(state: *mut StateHandle) {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        free(state);
        Ok(())
    });
}

/// Resets a state to no segments. Its buffers are kept, so the next segments need fewer allocations.
///
/// Threads: one call at a time for a state.
///
/// # Safety
/// `state` is a state that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_clear(state: *mut StateHandle) -> CallStatus {
    // SAFETY: the caller's promise.
    unsafe {
        change(state, |state| {
            state.state = State::zero(&state.metric.panel);
            Ok(())
        })
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

/// Adds the statistics of segments of structured data, such as turns of speakers, to a state. `json` is a
/// list of objects with `hypothesis`, `references` (a list) and `source`. If one segment is invalid, none is
/// added.
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

/// Adds the statistics of `other` to `state`, as if `state` had observed the segments of `other`, too. The
/// metrics of both states must have equal state keys (`state_key` in `bleuprint_metric_describe`). `state`
/// and `other` may be the same state.
///
/// Threads: no other call may use either of the two states meanwhile.
///
/// # Safety
/// `state` and `other` are states that are not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_merge(
    state: *mut StateHandle,
    other: *const StateHandle,
) -> CallStatus {
    if std::ptr::eq(state, other) {
        // Two borrows of one state would break the rules of references.
        return unsafe {
            change(state, |state| {
                let same = state.state.clone();
                Ok(state.state.merge(&same)?)
            })
        };
    }
    // SAFETY: the caller's promise, and they are two states.
    unsafe { change(state, |state| state.merge(given(other, "the other state")?)) }
}

/// Returns the number of segments that a state has observed; 0 for a null pointer.
///
/// Threads: no other call may change the state meanwhile.
///
/// # Safety
/// `state` is null, or a state that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_segments(state: *const StateHandle) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { state.as_ref().map_or(0, |state| state.state.counts().segments) }
}

/// Writes a state as bytes, which Rust, Python and all other interfaces of bleuprint can read. The layout of
/// the bytes is documented.
///
/// Threads: no other call may change the state meanwhile.
///
/// # Safety
/// `state` is a state that is not freed; `out` points to memory for the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_to_bytes(
    state: *const StateHandle,
    out: *mut OwnedBytes,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { write_bytes(out, || given(state, "the state")?.to_bytes()) })
}

/// Creates a state from the bytes that [`bleuprint_state_to_bytes`] or another interface wrote. It checks the
/// bytes, and returns an error if they are of a different metric.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric that is not freed; `bytes` points to `length` bytes; `out` points to memory for one
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_from_bytes(
    metric: *const MetricHandle,
    bytes: *const c_char,
    length: usize,
    out: *mut *mut StateHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            StateHandle::from_bytes(metric, list(bytes.cast::<u8>(), length, "the bytes")?)
        })
    })
}

/// Computes the score of a state and writes it to `out`; after an error `out` is NaN. If a metric has several
/// main numbers, the score is the first.
///
/// Threads: no other call may change the state meanwhile.
///
/// # Safety
/// `state` is a state that is not freed; `out` points to memory for one number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_score(state: *const StateHandle, out: *mut f64) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { write(out, f64::NAN, || given(state, "the state")?.score()) })
}

/// Computes the score of a state and writes it as a JSON object. Its keys are `name`, `score`, `signature`,
/// `short_signature`, `line` (the score as the command line prints it), `details` (the end of that line),
/// `higher_is_better`, `segments`, `headlines` (the main numbers) and `parts` (the numbers that make up the
/// score). `headlines` and `parts` are lists of pairs of a name and a value.
///
/// Numbers have all their digits. JSON has no NaN and no infinity, so they are written as objects, such as
/// `{"$bleuprint::non_finite":"NaN"}`.
///
/// Threads: no other call may change the state meanwhile.
///
/// # Safety
/// `state` is a state that is not freed; `out` points to memory for the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_state_score_json(
    state: *const StateHandle,
    out: *mut OwnedBytes,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_bytes(out, || {
            let state = given(state, "the state")?;
            let scored = state.metric.panel.scores(state.sound()?)?.remove(0);
            Ok(score_json(&scored, state.state.counts().segments).to_string().into_bytes())
        })
    })
}
