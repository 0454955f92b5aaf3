//! Fuzzes every tokenizer that has a naive reference implementation: any text, in a buffer that is reused.
#![no_main]

#[path = "../../crates/text/tests/it/naive/mod.rs"]
mod naive;

use std::cell::RefCell;

use bleuprint_text::TokenBuffer;
use libfuzzer_sys::fuzz_target;
use naive::list::{Twin, twins};

// The reference implementations of `squad` know only the letters of their tests.
thread_local!(static ALL: RefCell<(Vec<Twin>, TokenBuffer)> = RefCell::new((
    twins().into_iter().filter(|twin| !twin.name.starts_with("squad")).collect(),
    TokenBuffer::default(),
)));

fuzz_target!(|data: (u8, &str)| {
    let (which, line) = data;
    ALL.with_borrow_mut(|(twins, buffer)| {
        let count = twins.len();
        twins[usize::from(which) % count].check(line, buffer);
    });
});
