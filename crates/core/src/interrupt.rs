//! [`check_interrupt`]: the question of a kernel that works for long, whether to go on.

use once_cell::race::OnceBox;

use crate::Result;
use crate::prelude::*;

static ANSWER: OnceBox<fn() -> Result<()>> = OnceBox::new();

/// Ends work that its caller no longer wants: the question of kernels between pieces of some milliseconds.
///
/// # Errors
/// [`Interrupted`](crate::InputErrorKind::Interrupted), by the answer of [`answer_interrupts`]; without one work goes on.
pub fn check_interrupt() -> Result<()> {
    ANSWER.get().map_or(Ok(()), |answer| answer())
}

/// Sets the answer for the whole program, from the thread that asks. The first one stays: that of `interruptible`.
pub fn answer_interrupts(answer: fn() -> Result<()>) {
    // A loser of the race has the same answer.
    let _ = ANSWER.set(Box::new(answer));
}
