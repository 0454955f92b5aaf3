//! The law that the laws are about something: the data that the generator draws reach the metric.
//!
//! A metric that never meets what it counts keeps every law. So among all drawn corpora some statistics must differ from
//! zero, or some scores from each other.

use alloc::string::String;
use core::cell::RefCell;

use super::broken::{Held, require};

/// The changes that the corpora of one metric have shown so far.
#[derive(Default)]
pub(super) struct Reached(RefCell<Shown>);

#[derive(Default)]
struct Shown {
    counted: bool,
    scored: bool,
    /// The first score, or its error.
    first: Option<String>,
}

impl Reached {
    /// Looks at one more corpus: whether it changed statistics, and its score or error.
    pub(super) fn look(&self, changed: bool, score: String) {
        let Shown { counted, scored, first } = &mut *self.0.borrow_mut();
        *counted |= changed;
        match first {
            Some(first) => *scored |= *first != score,
            None => *first = Some(score),
        }
    }

    /// # Errors
    /// No corpus changed the statistics or the score. An absent metric has neither.
    pub(super) fn require(&self, absent: bool) -> Held {
        const LAW: &str = "reaching";
        let Shown { counted, scored, .. } = &*self.0.borrow();
        require!(
            LAW,
            absent || *counted || *scored,
            "the generator never reaches this metric: no segment that it draws changes its statistics or its score; give \
             data of the metric's own to `laws::check_sequences` or `laws::check_any_over`"
        );
        Ok(())
    }
}
