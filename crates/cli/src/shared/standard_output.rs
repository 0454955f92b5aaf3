//! The state of standard output at the start of the program.
//!
//! Before `main`, the runtime of Rust opens `/dev/null` for standard streams that are closed, as after `>&-`. From then on
//! everything is written there and nothing fails, so it is looked at before.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    CLOSED.store(closed, Ordering::Relaxed);
}

/// Always `false` on other systems than Unix.
pub(crate) fn was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}
