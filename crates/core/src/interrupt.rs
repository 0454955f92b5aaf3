//! [`check_interrupt`]: how a long computation learns that its caller wants it to stop.

use once_cell::race::OnceBox;

use crate::Result;
use crate::prelude::*;

static ANSWER: OnceBox<fn() -> Result<()>> = OnceBox::new();

/// Returns an error if the caller wants the work to end. Long computations call it every few milliseconds.
///
/// # Errors
/// Returns [`Interrupted`](crate::InputErrorKind::Interrupted) if the function set by [`answer_interrupts`]
/// does. Without such a function the work continues.
pub fn check_interrupt() -> Result<()> {
    ANSWER.get().map_or(Ok(()), |answer| answer())
}

/// Sets the function that decides if long work ends early, for the whole process. Only the first call has an
/// effect.
pub fn answer_interrupts(answer: fn() -> Result<()>) {
    // Two callers may race, but both set the same function, that of `interruptible` in `bleuprint-inference`.
    let _ = ANSWER.set(Box::new(answer));
}
