//! Tests panels, evaluations, pools and rewards: all forms of one computation agree.

mod batches;
mod formats;
mod learned;
mod one_form;
mod pairing;
mod pools;
mod prepared;
mod rewards;
mod significance;
mod stream;
mod support;
mod wrappers;
