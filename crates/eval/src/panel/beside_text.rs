//! Computes the statistics of a panel over data beside text: numbers, vectors or structured data.

use bleuprint_core::{Observe, Result, Segment, Vector};
use bleuprint_registry::{Data, Numbers};

use super::{Panel, PanelScratch, PanelStats, batch};
use crate::batches::observe_in_batches;

/// Implements counting of data beside text, for panels from [`Panel::for_own`]. Every metric of the panel
/// takes the segments as they are.
macro_rules! observe_beside_text {
    ($($S:ty $(, $life:lifetime)?;)+) => {
        $(impl $(<$life>)? Observe<$S> for Panel {
            fn observe(
                &self,
                scratch: &mut PanelScratch,
                stats: &mut PanelStats,
                segment: Segment<'_, $S>,
            ) -> Result<()> {
                self.require_shape(stats)?;
                scratch.fit(self);
                self.all_or_none(&mut scratch.metrics, stats, |index, tables, stats| {
                    self.members[index].metric.observe(tables, stats, segment)
                })
            }

            fn observe_each(
                &self,
                scratch: &mut PanelScratch,
                stats: &mut [PanelStats],
                segments: &[Segment<'_, $S>],
            ) -> Result<()> {
                stats.iter().try_for_each(|stats| self.require_shape(stats))?;
                scratch.fit(self);
                for (index, member) in self.members.iter().enumerate() {
                    let tables = &mut scratch.metrics[member.tables];
                    batch::with_member(stats, index, |stats| {
                        observe_in_batches(&member.metric, tables, stats, segments)
                    })?;
                }
                Ok(())
            }
        })+
    };
}

observe_beside_text! {
    Data;
    Numbers;
    [Vector<'v>], 'v;
}
