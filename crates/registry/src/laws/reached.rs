//! The law that the laws are about something: the data that the generator draws reach the metric.
//!
//! A metric that never meets what it counts keeps every law. So among all drawn corpora some statistics must differ from
//! zero, or some scores from each other.

use core::cell::RefCell;

use crate::prelude::*;
use super::broken::{Held, require};
use super::seen::Seen;

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
    /// Looks at one more corpus.
    pub(super) fn look(&self, seen: &Seen<'_>) {
        let Shown { counted, scored, first } = &mut *self.0.borrow_mut();
        *counted |= seen.alone.iter().any(|stats| *stats != seen.subject.zero);
        let score = format!("{:?}", seen.subject.finish(&seen.whole));
        match first {
            Some(first) => *scored |= *first != score,
            None => *first = Some(score),
        }
    }

    /// # Errors
    /// No corpus changed the statistics or the score.
    pub(super) fn require(&self) -> Held {
        const LAW: &str = "reaching";
        let Shown { counted, scored, .. } = &*self.0.borrow();
        require!(
            LAW,
            *counted || *scored,
            "the generator never reaches this metric: no segment that it draws changes its statistics or its score; give \
             data of the metric's own to `laws::check_sequences` or `laws::check_any_over`"
        );
        Ok(())
    }
}
