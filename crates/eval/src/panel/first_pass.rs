//! [`FirstPass`]: what a panel's metrics learn from the data before they observe it.

use bleuprint_core::{AnyMetric, AnyScratch, AnySegment, AnyState, InputError, Location, Segment, ViewKind};
use smallvec::SmallVec;

use super::looks::{Looks, Shape};
use super::{Member, Panel, PanelState, Source, SystemsSegment, require_equal};
use crate::EncoderScratch;
use crate::encoder::{Texts, cased};

impl Panel {
    /// The panel that observes after the first pass, which `learned` of a [`Panel::first_pass`] panel has seen. Metrics
    /// without a first pass stay as they are.
    ///
    /// # Errors
    /// States of another panel; those of [`AnyMetric::second_pass`].
    pub fn second_pass(mut self, learned: &PanelState) -> Result<Panel, InputError> {
        let mut states = learned.states.iter();
        for member in &mut self.members {
            if member.metric.first_pass().is_some() {
                let missing = || InputError::malformed_state("the state of a first pass is missing");
                member.metric = member.metric.second_pass(states.next().ok_or_else(missing)?)?;
                member.linear = member.metric.linear().is_some();
            }
        }
        require_equal("the metrics of the first pass", 0, "the states left over", states.len())?;
        Ok(self)
    }

    /// What must observe the data before [`Panel::second_pass`]: the first passes of those metrics that have one.
    pub fn first_pass(&self) -> FirstPass<'_> {
        let first = || members(self).map(|(_, metric)| metric);
        FirstPass {
            panel: self,
            scratches: first().map(|metric| metric.scratch()).collect(),
            states: first().map(|metric| metric.zero()).collect(),
            encoder: EncoderScratch::default(),
            segments: 0,
        }
    }
}

/// The metrics of two passes, and the first pass of each.
fn members(panel: &Panel) -> impl Iterator<Item = (&Member, &dyn AnyMetric)> {
    panel.members.iter().filter_map(|member| Some((member, member.metric.first_pass()?)))
}

/// The first passes of a panel's metrics; see [`Panel::first_pass`].
pub struct FirstPass<'p> {
    panel: &'p Panel,
    scratches: Vec<AnyScratch>,
    states: Vec<AnyState>,
    encoder: EncoderScratch,
    segments: u64,
}

impl FirstPass<'_> {
    /// Learns from a segment: from the hypothesis of the first system, the references and the source.
    ///
    /// # Errors
    /// Those of the metrics, with the number of the segment.
    pub fn observe(&mut self, segment: SystemsSegment<'_, str>) -> Result<(), InputError> {
        self.segments += 1;
        let first = segment.hypotheses.first().copied().unwrap_or_default();
        let one = Segment::new(first, segment.references);
        let one = segment.source.map_or(one, |source| one.with_source(source));
        let FirstPass { panel, scratches, states, encoder, segments } = self;
        for ((member, metric), (scratch, state)) in members(panel).zip(scratches.iter_mut().zip(states)) {
            let observe = |segment: AnySegment<'_>| metric.observe(scratch, state, segment);
            look(&panel.views[member.view], member.kind, encoder, one, observe)
                .map_err(|error| error.at(Location::segment(*segments)))?;
        }
        Ok(())
    }

    /// [`FirstPass::observe`] for segments that come as ids; see [`Panel::observe_ids`].
    ///
    /// # Errors
    /// As for [`FirstPass::observe`].
    pub fn observe_ids(&mut self, segment: SystemsSegment<'_, [u32]>) -> Result<(), InputError> {
        self.segments += 1;
        let SystemsSegment { hypotheses, references, source } = segment;
        let first = hypotheses.first().copied().unwrap_or_default();
        let all: Vec<&[u32]> =
            core::iter::once(first).chain(references.iter().copied()).chain(source).collect();
        let digits: Vec<Vec<String>> =
            all.iter().map(|ids| ids.iter().map(u32::to_string).collect()).collect();
        let looks = Looks {
            given: all,
            digits: digits.iter().map(|text| text.iter().map(String::as_str).collect()).collect(),
            ..Looks::default()
        };
        let shape = Shape { systems: 1, ..Shape::of(&segment) };
        let FirstPass { panel, scratches, states, segments, .. } = self;
        for ((member, metric), (scratch, state)) in members(panel).zip(scratches.iter_mut().zip(states)) {
            let observe = |segment: AnySegment<'_>| metric.observe(scratch, state, segment);
            looks
                .segment(member.kind, shape, 0, observe)
                .map_err(|error| error.at(Location::segment(*segments)))?;
        }
        Ok(())
    }

    /// What was learned, for [`Panel::second_pass`].
    pub fn finish(self) -> PanelState {
        PanelState { states: self.states }
    }
}

/// Hands a segment to `observe` as a metric with this view looks at it.
fn look(
    view: &Source,
    kind: ViewKind,
    scratch: &mut EncoderScratch,
    segment: Segment<'_, str>,
    observe: impl FnOnce(AnySegment<'_>) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let (references, source) = (segment.references_or_none(), segment.source_or_none());
    let all: SmallVec<[&str; 8]> =
        core::iter::once(segment.hypothesis()).chain(references.iter().copied()).chain(source).collect();
    let texts = Texts::new(&all, 1, references.len());
    let shape = Shape { systems: 1, references: references.len(), source: source.is_some() };
    let mut lowered: Vec<String> = vec![String::new(); all.len()];
    let looks = match view {
        Source::Given(_) => return Err(InputError::malformed("the panel is over ids, but text is given")),
        Source::Text(case) => {
            let text = all.iter().zip(&mut lowered).map(|(text, lowered)| cased(*case, text, lowered));
            Looks { texts: text.collect(), ..Looks::default() }
        }
        Source::Tokenizer { encoder, .. } if kind == ViewKind::Tokens => {
            Looks { tokens: Some(encoder.tokens(scratch, texts)?), ..Looks::default() }
        }
        Source::Tokenizer { encoder, .. } => {
            Looks { ids: Some(encoder.encode(scratch, texts)?), ..Looks::default() }
        }
    };
    looks.segment(kind, shape, 0, observe)
}
