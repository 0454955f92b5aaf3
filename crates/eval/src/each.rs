//! The states of every segment of a panel, kept apart: what tests, slices and stored statistics start from.

use bleuprint_core::{InputError, Location};

use crate::{Panel, PanelScratch, PanelState, SystemsSegment};

impl Panel {
    /// Observes each segment into states of its own, in all threads of the current rayon pool (feature `parallel`;
    /// else in one): for each segment, the states of each system.
    ///
    /// # Errors
    /// Those of [`Panel::observe`], with the number of the segment; of several, that of the first.
    pub fn observe_each(
        &self,
        segments: &[SystemsSegment<'_, str>],
    ) -> Result<Vec<Vec<PanelState>>, InputError> {
        map_with(segments, || self.scratch(), |scratch, segment| self.observe_one(scratch, *segment))
            .into_iter()
            .zip(1..)
            .map(|(states, number)| states.map_err(|error| error.at(Location::segment(number))))
            .collect()
    }

    /// The states of each system of one segment.
    ///
    /// # Errors
    /// Those of [`Panel::observe`].
    pub fn observe_one(
        &self,
        scratch: &mut PanelScratch,
        segment: SystemsSegment<'_, str>,
    ) -> Result<Vec<PanelState>, InputError> {
        let mut systems: Vec<PanelState> = segment.hypotheses.iter().map(|_| self.zero()).collect();
        self.observe(scratch, &mut systems, segment)?;
        Ok(systems)
    }

    /// The merge of the states of some segments of one system.
    ///
    /// # Errors
    /// Those of [`Panel::merge`].
    pub fn merged<'s>(
        &self,
        segments: impl IntoIterator<Item = &'s PanelState>,
    ) -> Result<PanelState, InputError> {
        let mut total = self.zero();
        segments.into_iter().try_for_each(|segment| self.merge(&mut total, segment))?;
        Ok(total)
    }
}

/// Maps in order, in chunks that share what `init` makes.
#[cfg(feature = "parallel")]
fn map_with<T: Sync, S: Send, R: Send>(
    items: &[T],
    init: impl Fn() -> S + Sync + Send,
    map: impl Fn(&mut S, &T) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().with_min_len(64).map_init(init, map).collect()
}

#[cfg(not(feature = "parallel"))]
fn map_with<T, S, R>(items: &[T], init: impl Fn() -> S, map: impl Fn(&mut S, &T) -> R) -> Vec<R> {
    let mut scratch = init();
    items.iter().map(|item| map(&mut scratch, item)).collect()
}
