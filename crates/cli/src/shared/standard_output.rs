//! Detects if standard output was closed when the program started.
//!
//! Before `main`, Rust's runtime opens `/dev/null` for closed standard streams, such as after `>&-`. Every
//! later write then succeeds without an effect. This module therefore checks the stream before the runtime
//! starts.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[ctor::ctor(unsafe)]
// A constructor of the binary runs before Rust's runtime, unlike any code in `main`.
fn look() {
    let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    CLOSED.store(closed, Ordering::Relaxed);
}

/// Returns `true` if standard output was closed when the program started. On systems other than Unix it
/// always returns `false`.
pub(crate) fn was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}
