//! Keys for the hash of interned tokens, so that nobody can craft tokens that collide.
//!
//! They come from addresses, which the system randomises per process, and a counter. Results never depend on
//! them: ids are given by order of first occurrence.

use ahash::RandomState;
use core::sync::atomic::{AtomicUsize, Ordering};

/// A hash state with keys of its own. (A newtype, since [`RandomState`] has a `Default` only with more features.)
#[derive(Debug, Clone)]
pub(crate) struct Keyed(pub(crate) RandomState);

impl Default for Keyed {
    fn default() -> Self {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let call = CALLS.fetch_add(1, Ordering::Relaxed);
        let (on_stack, in_image) = (&raw const call as usize, &raw const CALLS as usize);
        let in_code = Keyed::default as fn() -> Keyed as usize;
        let (image, stack) = (in_image as u64, on_stack as u64);
        Keyed(RandomState::with_seeds(image, stack.rotate_left(32), in_code as u64, call as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_states_agree() {
        let hashes = [Keyed::default(), Keyed::default()].map(|state| state.0.hash_one("token"));
        assert_ne!(hashes[0], hashes[1]);
    }
}
