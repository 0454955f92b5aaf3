//! Keeps the tokenized segments for metrics that take many segments in one call, until all segments of the
//! batch are tokenized.

use bleuprint_core::{Result, Segment};
use bleuprint_registry::{AnyScratch, AnyStats, ViewKind};

use super::observe::Looks;
use super::{PanelMember, PanelStats};
use crate::batches::batch_of;
use crate::pools::encoded::{Copies, IdCopies, owned};

enum KeptTexts {
    Ids(IdCopies),
    Tokens(Copies<Vec<String>>),
    Text(Copies<String>),
}

/// Tokenized texts that are kept until the end of a batch, one entry for each metric; `None` for metrics that
/// take segments one by one.
pub(super) struct MemberBatches(Vec<Option<KeptTexts>>);

impl MemberBatches {
    pub(super) fn new(members: &[PanelMember]) -> Self {
        // Most panels have no member with batches, and then an empty list makes every later look-up miss.
        if members.iter().all(|member| batch_of(&member.metric) == 1) {
            return MemberBatches(Vec::new());
        }
        let kept = |member: &PanelMember| match member.kind {
            _ if batch_of(&member.metric) == 1 => None,
            // A panel over text has no members of these kinds.
            ViewKind::Numbers | ViewKind::Vectors | ViewKind::Own => None,
            ViewKind::Ids => Some(KeptTexts::Ids(IdCopies::new())),
            ViewKind::Tokens => Some(KeptTexts::Tokens(Copies::new())),
            ViewKind::Text => Some(KeptTexts::Text(Copies::new())),
        };
        MemberBatches(members.iter().map(kept).collect())
    }

    /// Keeps the tokenized texts of a group of segments (one for each system) for the metric with this index.
    /// Returns `false` if the metric takes segments one by one.
    pub(super) fn keep(&mut self, index: usize, looks: &Looks<'_>, group: &[Segment<'_, str>]) -> bool {
        let Some(Some(kept)) = self.0.get_mut(index) else { return false };
        let first = group.first();
        let texts = group.len()
            // The references and the source are shared in a group, so they are kept once.
            + first.map_or(0, |shared| shared.references.len() + usize::from(shared.source.is_some()));
        match kept {
            KeptTexts::Ids(copies) => {
                let get = |at| looks.ids.as_ref().map(|ids| ids.get(at)).unwrap_or_default();
                copies.push(group, (0..texts).map(get));
            }
            KeptTexts::Tokens(copies) => {
                let get = |at| looks.tokens.as_ref().map(|lists| owned(lists.get(at))).unwrap_or_default();
                copies.push(group, (0..texts).map(get));
            }
            KeptTexts::Text(copies) => copies.push(group, looks.texts.iter().map(ToString::to_string)),
        }
        true
    }

    pub(super) fn observe(
        &self,
        members: &[PanelMember],
        tables: &mut [AnyScratch],
        stats: &mut [PanelStats],
    ) -> Result<()> {
        for (index, (kept, member)) in self.0.iter().zip(members).enumerate() {
            let (Some(kept), tables) = (kept, &mut tables[member.tables]) else { continue };
            with_member(stats, index, |stats| match kept {
                KeptTexts::Ids(copies) => copies.observe(&member.metric, tables, stats),
                KeptTexts::Tokens(copies) => copies.observe_tokens(&member.metric, tables, stats),
                KeptTexts::Text(copies) => copies.observe(&member.metric, tables, stats),
            })?;
        }
        Ok(())
    }
}

pub(super) fn with_member(
    stats: &mut [PanelStats],
    index: usize,
    observe: impl FnOnce(&mut [AnyStats]) -> Result<()>,
) -> Result<()> {
    // A metric observes a slice of its own statistics, but the panel stores the statistics of all metrics of
    // a segment together: they are moved out and back.
    let mut own: Vec<AnyStats> =
        stats.iter_mut().map(|stats| core::mem::take(&mut stats.members[index])).collect();
    let done = observe(&mut own);
    stats.iter_mut().zip(own).for_each(|(stats, own)| stats.members[index] = own);
    done
}
