//! [`check_interrupt`]: lets a long computation stop early when its caller cancels it.

use once_cell::race::OnceBox;

use crate::Result;
use crate::prelude::*;

static ANSWER: OnceBox<fn() -> Result<()>> = OnceBox::new();

/// Returns an error if the caller has cancelled the work. Long computations call it every few milliseconds.
///
/// # Errors
/// Returns [`Interrupted`](crate::InputErrorKind::Interrupted) if the function set by [`answer_interrupts`]
/// returns it. Without such a function the work continues.
pub fn check_interrupt() -> Result<()> {
    ANSWER.get().map_or(Ok(()), |answer| answer())
}

/// Sets the process-wide function that decides whether long computations stop early. Only the first call has
/// an effect.
pub fn answer_interrupts(answer: fn() -> Result<()>) {
    // Two callers may race, but both set the same function, that of `interruptible` in `bleuprint-inference`.
    let _ = ANSWER.set(Box::new(answer));
}
