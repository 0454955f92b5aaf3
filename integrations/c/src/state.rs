//! Functions for states. A state has the statistics of a metric over all observed segments; states can be
//! merged, and the score is computed from them.

use std::ffi::c_char;
use std::sync::Arc;

use bleuprint::eval::store::{Header, StoredStatistics};
use bleuprint::eval::{PanelScratch, PanelState};
use bleuprint::{InputError, InputErrorKind, Metric as _, State};

use crate::call::{CallError, CallResult, CallStatus, call};
use crate::configured::ConfiguredMetric;
use crate::metric::MetricHandle;
use crate::numbers::score_json;
use crate::pointers::{OwnedBytes, free, given, given_mut, list, write, write_bytes, write_handle};

/// Statistics of a metric over all segments that it has observed.
pub struct StateHandle {
    pub(crate) metric: Arc<ConfiguredMetric>,
    pub(crate) state: PanelState,
    pub(crate) scratch: PanelScratch,
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

/// Runs a call that changes a state. If the call panics, the state stays marked as broken, and later calls
/// return an error.
///
/// # Safety
/// `state` is null or a state that no other call uses.
pub(crate) unsafe fn change(
    state: *mut StateHandle,
    run: impl FnOnce(&mut StateHandle) -> CallResult,
) -> CallStatus {
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
