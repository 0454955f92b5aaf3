//! Fuzzes sequences of calls of the C interface: no call panics, a failed call leaves its output empty and the
//! state unchanged, and bytes that are written can be read.
#![no_main]

use std::ptr;

use bleuprint_c::{
    CallStatus, IdSegmentPointers, IdSlice, MetricHandle, OwnedBytes, PaddedRows, SegmentPointers,
    StateHandle, TextSlice, bleuprint_bytes_free, bleuprint_last_error, bleuprint_metric_describe,
    bleuprint_metric_first_pass, bleuprint_metric_for_sentences, bleuprint_metric_free, bleuprint_metric_new,
    bleuprint_metric_second_pass, bleuprint_state_clear, bleuprint_state_free, bleuprint_state_from_bytes,
    bleuprint_state_merge, bleuprint_state_new, bleuprint_state_observe, bleuprint_state_observe_ids,
    bleuprint_state_observe_json, bleuprint_state_observe_rows, bleuprint_state_score,
    bleuprint_state_score_json, bleuprint_state_to_bytes,
};
use bleuprint_fuzz::EXAMPLES;
use libfuzzer_sys::fuzz_target;

/// Number of places for metrics and for states; a new handle replaces the old one of its place.
const PLACES: usize = 3;

/// The name that no metric has.
const UNKNOWN: &str = "blue";

const OPTIONS: [&str; 4] = ["", "{\"empty_references\":\"keep\"}", "{\"lowercase\":true}", "{\"max_order\":"];

#[derive(Default)]
struct Handles {
    metrics: [Option<*mut MetricHandle>; PLACES],
    states: [Option<*mut StateHandle>; PLACES],
}

impl Drop for Handles {
    fn drop(&mut self) {
        // SAFETY: the handles are of this library, and each is freed once.
        unsafe {
            self.metrics.iter().flatten().for_each(|&metric| bleuprint_metric_free(metric));
            self.states.iter().flatten().for_each(|&state| bleuprint_state_free(state));
        }
    }
}

impl Handles {
    fn metric(&self, place: u8) -> *mut MetricHandle {
        self.metrics[usize::from(place) % PLACES].unwrap_or(ptr::null_mut())
    }

    fn state(&self, place: u8) -> *mut StateHandle {
        self.states[usize::from(place) % PLACES].unwrap_or(ptr::null_mut())
    }

    fn keep_metric(&mut self, place: u8, made: *mut MetricHandle) {
        if !made.is_null() {
            let old = self.metrics[usize::from(place) % PLACES].replace(made);
            // SAFETY: the old handle leaves its place.
            unsafe { bleuprint_metric_free(old.unwrap_or(ptr::null_mut())) }
        }
    }

    fn keep_state(&mut self, place: u8, made: *mut StateHandle) {
        if !made.is_null() {
            let old = self.states[usize::from(place) % PLACES].replace(made);
            // SAFETY: the old handle leaves its place.
            unsafe { bleuprint_state_free(old.unwrap_or(ptr::null_mut())) }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut handles = Handles::default();
    for call in data.chunks(12).take(64) {
        let &[kind, one, two, ref rest @ ..] = call else { return };
        // SAFETY: all pointers are of living values, or null; the lengths are right.
        unsafe { run(&mut handles, kind, one, two, rest) };
    }
});

fn slice(bytes: &[u8]) -> TextSlice {
    TextSlice { data: bytes.as_ptr().cast(), length: bytes.len() }
}

/// Calls one function.
///
/// # Safety
/// The handles are of the library.
unsafe fn run(handles: &mut Handles, kind: u8, one: u8, two: u8, rest: &[u8]) {
    let mut metric = ptr::null_mut();
    let mut state = ptr::null_mut();
    let mut out = OwnedBytes { data: ptr::null_mut(), length: 0 };
    let mut score = 0.0;
    let (own, other) = (handles.state(one), handles.state(two));
    let before = unsafe { written(own) };
    let ids: Vec<u32> = rest.iter().map(|&byte| u32::from(byte % 5)).collect();
    let wide: Vec<i64> = rest.iter().map(|&byte| i64::from(byte % 7) - 1).collect();
    let (left, right) = rest.split_at(rest.len() / 2);
    let references = [slice(right), slice(b"a b")];
    let text = SegmentPointers {
        hypothesis: slice(left),
        references: references.as_ptr(),
        reference_count: usize::from(two % 3),
        source: if two & 4 == 0 { ptr::null() } else { &raw const references[1] },
    };
    let sequence = IdSlice { data: ids.as_ptr(), length: ids.len() };
    let of_ids =
        IdSegmentPointers { hypothesis: sequence, references: &raw const sequence, reference_count: 1 };
    let rows = PaddedRows { data: wide.as_ptr(), rows: wide.len() / 3, width: 3, padding: -1 };
    let status = unsafe {
        match kind % 18 {
            0 | 1 => {
                let example = EXAMPLES.get(usize::from(one) % (EXAMPLES.len() + 1));
                let name = example.map_or(UNKNOWN, |example| &example.name).as_bytes();
                let options = OPTIONS[usize::from(two) % OPTIONS.len()].as_bytes();
                let (name, options) = (slice(name), slice(options));
                let view = u32::from(kind / 18 % 3);
                bleuprint_metric_new(
                    name.data,
                    name.length,
                    options.data,
                    options.length,
                    view,
                    &raw mut metric,
                )
            }
            2 => bleuprint_metric_new(
                slice(left).data,
                left.len(),
                slice(right).data,
                right.len(),
                0,
                &raw mut metric,
            ),
            3 => bleuprint_metric_for_sentences(handles.metric(one), &raw mut metric),
            4 => bleuprint_metric_first_pass(handles.metric(one), &raw mut metric),
            5 => bleuprint_metric_second_pass(handles.metric(one), other, &raw mut metric),
            6 | 7 => bleuprint_state_new(handles.metric(one), &raw mut state),
            8 | 9 => bleuprint_state_observe(own, &raw const text, 1),
            10 => bleuprint_state_observe_ids(own, &raw const of_ids, 1),
            11 => bleuprint_state_observe_rows(own, &raw const rows, &raw const rows, 1),
            12 => {
                let example = &EXAMPLES[usize::from(two) % EXAMPLES.len()];
                let json = format!("[{}]", example.segment(rest));
                bleuprint_state_observe_json(own, json.as_ptr().cast(), json.len())
            }
            13 => bleuprint_state_merge(own, other),
            14 => bleuprint_state_clear(own),
            15 => bleuprint_state_score(own, &raw mut score),
            16 => bleuprint_state_score_json(own, &raw mut out),
            _ => {
                let bytes = written(other).unwrap_or_default();
                let bytes = if rest.first() == Some(&0) { rest } else { &bytes };
                let status = bleuprint_state_from_bytes(
                    handles.metric(one),
                    bytes.as_ptr().cast(),
                    bytes.len(),
                    &raw mut state,
                );
                // The metric for sentences writes another signature, so the bytes need not be equal.
                let read = status != CallStatus::Ok || written(state).is_some();
                assert!(read, "a state that is read can be written");
                let _ = bleuprint_metric_describe(handles.metric(one), &raw mut out);
                status
            }
        }
    };
    assert_ne!(status, CallStatus::Panic, "{kind} {one} {two} {rest:?}");
    if status != CallStatus::Ok {
        assert!(metric.is_null() && state.is_null(), "a failed call has no output");
        // SAFETY: the message ends with a zero byte.
        assert_ne!(unsafe { *bleuprint_last_error() }, 0, "a failed call has a message");
        assert!(unsafe { written(own) } == before, "a failed call leaves the state unchanged");
    }
    // SAFETY: an output of the library, or an empty one.
    unsafe { bleuprint_bytes_free(&raw mut out) };
    handles.keep_metric(two, metric);
    handles.keep_state(two, state);
}

/// Returns the bytes of a state; `None` if there is none.
///
/// # Safety
/// `state` is null or a state.
unsafe fn written(state: *const StateHandle) -> Option<Vec<u8>> {
    let mut out = OwnedBytes { data: ptr::null_mut(), length: 0 };
    unsafe {
        let status = bleuprint_state_to_bytes(state, &raw mut out);
        let bytes = (status == CallStatus::Ok)
            .then(|| std::slice::from_raw_parts(out.data.cast::<u8>(), out.length).to_vec());
        bleuprint_bytes_free(&raw mut out);
        bytes
    }
}
