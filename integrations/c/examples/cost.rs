//! Measures how much time a call through the C interface adds: Rust and C observe and score the same segment.

#![allow(clippy::print_stdout, reason = "it prints a measurement")]

use std::hint::black_box;
use std::ptr;
use std::time::Instant;

use bleuprint::eval::PanelScratch;
use bleuprint::{Segment, State};
use bleuprint_c::{
    BLEUPRINT_TEXT, CallStatus, SegmentPointers, TextSlice, bleuprint_metric_free, bleuprint_metric_new,
    bleuprint_state_free, bleuprint_state_new, bleuprint_state_observe,
};

const ROUNDS: usize = 15;

fn slice(text: &str) -> TextSlice {
    TextSlice { data: text.as_ptr().cast(), length: text.len() }
}

/// Returns the duration of a call in nanoseconds. It is the smallest mean of several rounds, because other
/// work on the machine only adds time.
fn least(calls: u32, mut call: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn measure(calls: u32, name: &str, hypothesis: &str, reference: &str) {
    let panel = bleuprint::metric(name).expect("a metric");
    let mut scratch = PanelScratch::default();
    let mut state = State::zero(&panel);
    let references = [reference];
    let rust = least(calls, || {
        let segment = Segment::new(black_box(hypothesis), black_box(&references));
        state.observe(&panel, &mut scratch, segment).expect("a segment");
    });

    let mut metric = ptr::null_mut();
    let mut handle = ptr::null_mut();
    let own = [slice(reference)];
    let segment = SegmentPointers {
        hypothesis: slice(hypothesis),
        references: own.as_ptr(),
        reference_count: 1,
        source: ptr::null(),
    };
    // SAFETY: all pointers are of values that live longer than the calls.
    let c = unsafe {
        let text = slice(name);
        bleuprint_metric_new(text.data, text.length, ptr::null(), 0, BLEUPRINT_TEXT, &raw mut metric);
        bleuprint_state_new(metric, &raw mut handle);
        let c = least(calls, || {
            assert_eq!(bleuprint_state_observe(handle, black_box(&raw const segment), 1), CallStatus::Ok);
        });
        bleuprint_state_free(handle);
        bleuprint_metric_free(metric);
        c
    };
    println!("{name:>12}: {rust:8.1} ns by Rust, {c:8.1} ns by C, {:+.1} ns", c - rust);
}

fn main() {
    let words = "the cat sat on the mat and looked at the dog";
    let mut arguments = std::env::args().skip(1);
    let calls = arguments.next().and_then(|calls| calls.parse().ok()).expect("cost CALLS METRIC..");
    for name in arguments {
        measure(calls, &name, "a", "a");
        measure(calls, &name, words, "the cat sat on a mat and looked at the dogs");
    }
}
