//! Computes the statistics of all metrics of a panel. Each text is tokenized once for each tokenizer, for all
//! metrics and for all systems that share references.

use bleuprint_core::{
    Answer, Ask, InputError, Location, Metric as _, Observe, Pairing, Prepared, Result, Segment, Stats as _,
    Wanted,
};
use bleuprint_registry::{AnyMetric, AnyScratch, AnyStats, ViewKind};
use smallvec::{SmallVec, smallvec};

use super::batch::{self, MemberBatches};
use super::{Panel, PanelMember, PanelScratch, PanelStats, TokenizerSource};
use crate::batches::observe_in_batches;
use crate::encoder::EncodedSequences;
use crate::encoder::{EncoderTexts, TokenLists};
use crate::pools::encoded::{Copies, each_group, texts_of};
use crate::text_steps::Rewritten;

/// Prepared texts of a group of segments, as token ids, token texts or plain text. Each list has the
/// hypotheses (one for each system), then the references, then the source.
#[derive(Default)]
pub(super) struct Looks<'s> {
    pub(super) ids: Option<EncodedSequences<'s>>,
    pub(super) tokens: Option<TokenLists<'s>>,
    pub(super) texts: SmallVec<[&'s str; 8]>,
}

impl Panel {
    /// Tokenizes the texts of a group of segments once for each tokenizer of the panel's metrics, and passes
    /// the results to `observe`.
    fn with_looks<R>(
        &self,
        scratch: &mut PanelScratch,
        group: &[Segment<'_, str>],
        observe: impl FnOnce(&mut [AnyScratch], &[Looks<'_>]) -> Result<R>,
    ) -> Result<R> {
        scratch.fit(self);
        let PanelScratch { encoders, token_encoders, rewritten, metrics } = scratch;
        let all = texts_of(group);
        let references = group.first().map_or(0, |segment| segment.references.len());
        let texts = EncoderTexts::new(&all, group.len(), references);
        // The buffers are split among the views, because all views stay alive until `observe` returns.
        let room = rewritten.len().max(all.len() * self.views.len());
        rewritten.resize_with(room, Rewritten::default);
        let mut rewritten = &mut rewritten[..];
        let mut looks: SmallVec<[Looks<'_>; 2]> = SmallVec::new();
        for (source, (ids, tokens)) in self.views.iter().zip(encoders.iter_mut().zip(token_encoders)) {
            looks.push(match source {
                TokenizerSource::Given(_) | TokenizerSource::Own(..) => return Err(source.refuses_text()),
                TokenizerSource::Text { steps, .. } => {
                    let (own, rest) = rewritten.split_at_mut(all.len());
                    rewritten = rest;
                    Looks { texts: texts.after(steps, own).collect(), ..Looks::default() }
                }
                TokenizerSource::Tokenizer { encoder, ids: wants_ids, tokens: wants_tokens, .. } => {
                    let tokens = wants_tokens.then(|| encoder.tokens(tokens, texts)).transpose()?;
                    let ids = match (wants_ids, &tokens) {
                        (false, _) => None,
                        // The tokens are known already, so ids come from them without a second tokenization.
                        (true, Some(cut)) => Some(encoder.encode_cut(ids, texts, cut)?),
                        (true, None) => Some(encoder.encode(ids, texts)?),
                    };
                    Looks { ids, tokens, ..Looks::default() }
                }
            });
        }
        observe(metrics, &looks)
    }
}

impl PanelMember {
    fn observe(
        &self,
        tables: &mut AnyScratch,
        stats: &mut AnyStats,
        looks: &[Looks<'_>],
        group: &[Segment<'_, str>],
        index: usize,
    ) -> Result<()> {
        let looks = &looks[self.view];
        match (self.kind, &looks.ids, &looks.tokens) {
            (ViewKind::Ids, Some(ids), _) => {
                with_segment(group, index, |at| ids.get(at), |own| self.metric.observe(tables, stats, own))
            }
            (ViewKind::Tokens, _, Some(lists)) => {
                with_segment(group, index, |at| lists.get(at), |own| self.metric.observe(tables, stats, own))
            }
            _ => {
                let text = |at: usize| looks.texts.get(at).copied().unwrap_or_default();
                with_segment(group, index, text, |own| self.metric.observe(tables, stats, own))
            }
        }
    }
}

impl Panel {
    /// Returns, for each metric, the pairs of names that it matched in this segment, such as speakers. `None`
    /// marks a metric that does not match names; see [`Wanted::Pairing`].
    ///
    /// # Errors
    /// Returns the errors of the metrics.
    pub fn pairings(
        &self,
        scratch: &mut PanelScratch,
        segment: Segment<'_, str>,
    ) -> Result<Vec<Option<Pairing>>> {
        let hypotheses = [segment.hypothesis];
        let mut ask = Ask::new(Wanted::Pairing, &hypotheses, segment.references);
        ask.source = segment.source;
        let of = |member| match self.ask_member(member, scratch, ask)? {
            Some(Answer::Pairing(pairing)) => Ok(Some(pairing)),
            _ => Ok(None),
        };
        self.members.iter().map(of).collect()
    }

    fn ask_member<'m>(
        &self,
        member: &'m PanelMember,
        scratch: &mut PanelScratch,
        ask: Ask<'_, str>,
    ) -> Result<Option<Answer<'m, AnyStats>>> {
        scratch.fit(self);
        let PanelScratch { encoders, metrics, .. } = scratch;
        member.ask(&self.views[member.view], &mut encoders[member.view], &mut metrics[member.tables], ask)
    }
}

/// Builds the segment `index` of a group from tokenized texts and passes it to `look`; `get` returns the
/// tokenized texts of the group by index.
fn with_segment<'e, S: ?Sized + 'e, R>(
    group: &[Segment<'_, str>],
    index: usize,
    get: impl Fn(usize) -> &'e S,
    look: impl FnOnce(Segment<'_, S>) -> R,
) -> R {
    let first = group.len();
    let shared = &group[index];
    let references = first + shared.references.len();
    let own: SmallVec<[&S; 8]> = (first..references).map(&get).collect();
    look(Segment::with_source(get(index), &own, shared.source.map(|_| get(references))))
}

impl Observe<str> for Panel {
    /// Adds the segment to the statistics of all metrics. After an error all statistics are unchanged.
    ///
    /// Rows of counts are added to directly, and subtracted again after an error, which is rare. Statistics
    /// that cannot be subtracted are counted into a copy and merged once nothing can fail. One such metric
    /// counts last, so it needs no copy.
    fn observe(
        &self,
        scratch: &mut PanelScratch,
        stats: &mut PanelStats,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        self.require_shape(stats)?;
        // A single metric over unchanged text needs no buffers: the segment is passed on as it is.
        if let ([member], [stats]) = (&self.members[..], &mut stats.members[..])
            && matches!(&self.views[member.view], TokenizerSource::Text { steps, .. } if steps.are_none())
        {
            scratch.fit(self);
            return member.metric.observe(&mut scratch.metrics[member.tables], stats, segment);
        }
        let group = [segment];
        self.with_looks(scratch, &group, |tables, looks| {
            self.all_or_none(tables, stats, |index, tables, stats| {
                self.members[index].observe(tables, stats, looks, &group, 0)
            })
        })
    }

    fn observe_each(
        &self,
        scratch: &mut PanelScratch,
        stats: &mut [PanelStats],
        segments: &[Segment<'_, str>],
    ) -> Result<()> {
        stats.iter().try_for_each(|stats| self.require_shape(stats))?;
        let mut batches = MemberBatches::new(&self.members);
        each_group(stats, segments, |stats, group| {
            self.with_looks(scratch, group, |tables, looks| {
                let now: SmallVec<[usize; 8]> = (0..self.members.len())
                    .filter(|&index| !batches.keep(index, &looks[self.members[index].view], group))
                    .collect();
                // All metrics observe a hypothesis before the next hypothesis, because metrics of one name
                // reuse what another has counted.
                for (hypothesis, stats) in stats.iter_mut().enumerate() {
                    for &index in &now {
                        let member = &self.members[index];
                        let own = &mut stats.members[index];
                        let tables = &mut tables[member.tables];
                        let observed = member.observe(tables, own, looks, group, hypothesis);
                        observed.map_err(|error| error.at(Location::segment(hypothesis as u64 + 1)))?;
                    }
                }
                Ok(())
            })
        })?;
        // Without a segment, no group has made the tables of the metrics.
        scratch.fit(self);
        batches.observe(&self.members, &mut scratch.metrics, stats)
    }

    fn prepare(&self, scratch: &mut PanelScratch, references: &[&str]) -> Result<Prepared> {
        scratch.fit(self);
        let PanelScratch { encoders, metrics, .. } = scratch;
        let mut prepared = Vec::with_capacity(self.members.len());
        for member in &self.members {
            let source = &self.views[member.view];
            let tables = &mut metrics[member.tables];
            let own = member.prepare(source, &mut encoders[member.view], tables, references)?;
            // One member without prepared references makes the whole panel observe in the ordinary way.
            if own.references().is_none() {
                return Ok(own);
            }
            prepared.push(own);
        }
        Ok(Prepared::new(references.len(), prepared))
    }

    fn observe_prepared(
        &self,
        scratch: &mut PanelScratch,
        stats: &mut PanelStats,
        segment: Segment<'_, str>,
        prepared: &Prepared,
    ) -> Result<()> {
        let prepared = prepared.get::<Vec<Prepared>>().filter(|own| own.len() == self.members.len());
        let Some(prepared) = prepared else { return self.observe(scratch, stats, segment) };
        self.require_shape(stats)?;
        scratch.fit(self);
        let PanelScratch { encoders, metrics, .. } = scratch;
        self.all_or_none(metrics, stats, |index, tables, stats| {
            let member = &self.members[index];
            let hypothesis = segment.hypothesis;
            let source = &self.views[member.view];
            let encoder = &mut encoders[member.view];
            let observed =
                member.observe_prepared(source, encoder, tables, stats, hypothesis, &prepared[index]);
            observed.unwrap_or_else(|| Err(InputError::malformed("references of another panel")))
        })
    }

    /// Answers a request for results over many candidate texts at once, such as leave-one-out statistics.
    /// With one metric, its answer is returned. With several metrics, only requests for statistics are
    /// answered, and only if all metrics can answer.
    fn ask(&self, scratch: &mut PanelScratch, ask: Ask<'_, str>) -> Result<Option<Answer<'_, PanelStats>>> {
        if let [member] = &self.members[..] {
            return alone_in(self.ask_member(member, scratch, ask)?);
        }
        if !matches!(ask.wanted, Wanted::LeaveOneOut | Wanted::Aggregate) {
            return Ok(None);
        }
        let mut all: Vec<PanelStats> = ask.hypotheses.iter().map(|_| PanelStats::default()).collect();
        for member in &self.members {
            let Some(Answer::Stats(own)) = self.ask_member(member, scratch, ask)? else { return Ok(None) };
            all.iter_mut().zip(own).for_each(|(all, own)| all.members.push(own));
        }
        Ok(Some(Answer::Stats(all)))
    }
}

impl Panel {
    pub(super) fn require_shape(&self, stats: &PanelStats) -> Result<()> {
        bleuprint_inference::require_equal(
            "the panel",
            self.members.len(),
            "the statistics",
            stats.members.len(),
        )
    }

    /// Returns the index of the metric that counts a segment after all other metrics. If an earlier metric
    /// fails, this metric has counted nothing, so its statistics need no copy for undoing the segment.
    ///
    /// Among metrics whose statistics cannot be subtracted, it prefers one that stores tokens, because its
    /// statistics are the largest.
    fn observed_last(&self) -> Option<usize> {
        let mut others = self.members.iter().enumerate().filter(|(_, member)| !member.is_row);
        others.clone().find(|(_, member)| member.remembers).or(others.next()).map(|(index, _)| index)
    }

    /// Calls `observe` with the index of every metric, so that each adds to its statistics. After an error,
    /// all statistics are restored.
    pub(super) fn all_or_none(
        &self,
        tables: &mut [AnyScratch],
        stats: &mut PanelStats,
        mut observe: impl FnMut(usize, &mut AnyScratch, &mut AnyStats) -> Result<()>,
    ) -> Result<()> {
        if let ([tables], [stats]) = (&mut *tables, &mut stats.members[..]) {
            return observe(0, tables, stats);
        }
        let mut apart: SmallVec<[(usize, AnyStats); 2]> = SmallVec::new();
        let mut failed = None;
        let last = self.observed_last();
        for (index, member) in self.members.iter().enumerate().filter(|(index, _)| Some(*index) != last) {
            let own = &mut stats.members[index];
            let tables = &mut tables[member.tables];
            let observed = if member.is_row {
                observe(index, tables, own)
            } else {
                let mut fresh = member.metric.zero();
                // The merge is checked now, while other metrics can still be taken back; after the loop it
                // cannot fail.
                let observed = observe(index, tables, &mut fresh).and_then(|()| own.check_merge(&fresh));
                observed.map(|()| apart.push((index, fresh)))
            };
            if let Err(error) = observed {
                failed = Some((index, error));
                break;
            }
        }
        // The last metric runs only if all others succeeded. If it fails, its own statistics are unchanged,
        // and all others are taken back.
        if let (None, Some(index)) = (&failed, last) {
            let own = &mut stats.members[index];
            let tables = &mut tables[self.members[index].tables];
            failed = observe(index, tables, own).err().map(|error| (self.members.len(), error));
        }
        let Some((at, error)) = failed else {
            return apart.into_iter().try_for_each(|(index, fresh)| stats.members[index].merge(&fresh));
        };
        // The failed metric itself left its statistics unchanged, so only those before it are observed again
        // and subtracted.
        for (index, member) in self.members.iter().enumerate().take(at) {
            if member.is_row {
                let mut observed = member.metric.zero();
                observe(index, &mut tables[member.tables], &mut observed)?;
                stats.members[index].retract(&observed)?;
            }
        }
        Err(error)
    }
}

/// Counts segments that are given as token ids. The ids must come from the panel's tokenizer, unless the
/// panel comes from [`Panel::for_ids`]. Metrics that need token texts get the ids as decimal digits.
impl Observe<[u32]> for Panel {
    fn observe(
        &self,
        scratch: &mut PanelScratch,
        stats: &mut PanelStats,
        segment: Segment<'_, [u32]>,
    ) -> Result<()> {
        self.require_shape(stats)?;
        scratch.fit(self);
        self.all_or_none(&mut scratch.metrics, stats, |index, tables, stats| {
            let member = &self.members[index];
            match member.kind {
                ViewKind::Ids => member.metric.observe(tables, stats, segment),
                ViewKind::Tokens => in_digits(&[segment]).with(|segments| {
                    segments.iter().try_for_each(|segment| member.metric.observe(tables, stats, *segment))
                }),
                _ => member.metric.observe(tables, stats, segment),
            }
        })
    }

    fn observe_each(
        &self,
        scratch: &mut PanelScratch,
        stats: &mut [PanelStats],
        segments: &[Segment<'_, [u32]>],
    ) -> Result<()> {
        stats.iter().try_for_each(|stats| self.require_shape(stats))?;
        scratch.fit(self);
        for (index, member) in self.members.iter().enumerate() {
            let tables = &mut scratch.metrics[member.tables];
            batch::with_member(stats, index, |stats| match member.kind {
                ViewKind::Ids => observe_in_batches(&member.metric, tables, stats, segments),
                ViewKind::Tokens => in_digits(segments).observe_tokens(&member.metric, tables, stats),
                _ => member.metric.observe_each(tables, stats, segments),
            })?;
        }
        Ok(())
    }

    fn prepare(&self, scratch: &mut PanelScratch, references: &[&[u32]]) -> Result<Prepared> {
        let Some(metric) = self.only_over_ids() else { return Ok(Prepared::default()) };
        scratch.fit(self);
        metric.prepare(&mut scratch.metrics[0], references)
    }

    fn observe_prepared(
        &self,
        scratch: &mut PanelScratch,
        stats: &mut PanelStats,
        segment: Segment<'_, [u32]>,
        prepared: &Prepared,
    ) -> Result<()> {
        if prepared.references().is_none() {
            return self.observe(scratch, stats, segment);
        }
        self.require_shape(stats)?;
        scratch.fit(self);
        self.all_or_none(&mut scratch.metrics, stats, |index, tables, stats| {
            self.members[index].metric.observe_prepared(tables, stats, segment, prepared)
        })
    }
    fn observe_prefixes(
        &self,
        scratch: &mut PanelScratch,
        segment: Segment<'_, [u32]>,
        each: &mut dyn FnMut(&PanelStats) -> Result<()>,
    ) -> Result<bool> {
        let Some(metric) = self.only_over_ids() else { return Ok(false) };
        scratch.fit(self);
        metric.observe_prefixes(&mut scratch.metrics[0], segment, &mut |stats| each(&alone(stats.clone())))
    }

    fn ask(&self, scratch: &mut PanelScratch, ask: Ask<'_, [u32]>) -> Result<Option<Answer<'_, PanelStats>>> {
        let Some(metric) = self.only_over_ids() else { return Ok(None) };
        scratch.fit(self);
        alone_in(metric.ask(&mut scratch.metrics[0], ask)?)
    }
}

impl Panel {
    /// Returns the metric if the panel has exactly one and the metric takes token ids. Its faster methods can
    /// then be used directly.
    fn only_over_ids(&self) -> Option<&AnyMetric> {
        match &self.members[..] {
            [PanelMember { metric, kind: ViewKind::Ids, .. }] => Some(metric),
            _ => None,
        }
    }
}

fn alone(stats: AnyStats) -> PanelStats {
    PanelStats { members: smallvec![stats] }
}

fn alone_in(answer: Option<Answer<'_, AnyStats>>) -> Result<Option<Answer<'_, PanelStats>>> {
    answer.map(|answer| answer.map_stats(|own| Ok(alone(own)))).transpose()
}

fn in_digits(segments: &[Segment<'_, [u32]>]) -> Copies<Vec<String>> {
    let mut copies = Copies::new();
    // Segments with the same references form one group, so the references are copied once.
    for group in segments.chunk_by(Segment::shares_references) {
        let digits = texts_of(group).into_iter().map(|ids| ids.iter().map(u32::to_string).collect());
        copies.push(group, digits);
    }
    copies
}
