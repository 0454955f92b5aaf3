//! The C interface of bleuprint: creates any metric by its name, observes segments, merges statistics, and
//! stores them as bytes.
//!
//! The header `include/bleuprint.h` is generated from this package. The package has no code for single
//! metrics, so every metric of the registry is available to callers.
//!
//! Rules for all functions:
//!
//! - A function that can fail returns a status. After an error, [`bleuprint_last_error`] returns the message,
//!   and the outputs are null or empty.
//! - An error leaves a state unchanged. A panic is reported as an error, but it makes the state unusable.
//! - Each handle and each output has its own function that frees it. The library keeps no pointer of the
//!   caller after a call.

mod beside_text;
mod call;
mod compare;
mod configured;
mod explain;
mod metric;
mod numbers;
mod observe;
mod pointers;
mod registry;
mod segments;
mod state;
#[cfg(target_family = "wasm")]
mod wasm;

pub use call::{CallStatus, bleuprint_last_error, bleuprint_version};
pub use compare::bleuprint_compare;
pub use configured::{BLEUPRINT_IDS, BLEUPRINT_TEXT};
pub use explain::bleuprint_explain;
pub use metric::{
    MetricHandle, bleuprint_metric_describe, bleuprint_metric_first_pass, bleuprint_metric_for_sentences,
    bleuprint_metric_free, bleuprint_metric_new, bleuprint_metric_second_pass,
};
pub use observe::{
    bleuprint_state_observe, bleuprint_state_observe_ids, bleuprint_state_observe_json,
    bleuprint_state_observe_rows,
};
pub use pointers::{
    IdSegmentPointers, IdSlice, OwnedBytes, PaddedRows, SegmentPointers, TextSlice, bleuprint_bytes_free,
};
pub use registry::bleuprint_registry;
pub use state::{
    StateHandle, bleuprint_state_clear, bleuprint_state_free, bleuprint_state_from_bytes,
    bleuprint_state_merge, bleuprint_state_new, bleuprint_state_score, bleuprint_state_score_json,
    bleuprint_state_segments, bleuprint_state_to_bytes,
};
