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
        FirstPass { panel: self }
    }
}

/// The first passes of a panel's metrics; see [`Panel::first_pass`].
pub struct FirstPass<'p> {
    panel: &'p Panel,
}

impl FirstPass<'_> {
    fn members(&self) -> impl Iterator<Item = (&Member, &dyn AnyMetric)> {
        self.panel.members.iter().filter_map(|member| Some((member, member.metric.first_pass()?)))
    }

    /// Learns from all segments, in order, in one thread.
    ///
    /// # Errors
    /// Those of the metrics, with the number of the segment.
    pub fn learn<'t>(
        &self,
        segments: impl IntoIterator<Item = SystemsSegment<'t, str>>,
    ) -> Result<PanelState, InputError> {
        let mut scratches: Vec<AnyScratch> = self.members().map(|(_, metric)| metric.scratch()).collect();
        let mut states: Vec<AnyState> = self.members().map(|(_, metric)| metric.zero()).collect();
        let mut encoder = EncoderScratch::default();
        for (number, segment) in (1..).zip(segments) {
            let first = segment.hypotheses.first().copied().unwrap_or_default();
            for ((member, metric), (scratch, state)) in
                self.members().zip(scratches.iter_mut().zip(&mut states))
            {
                let segment = Segment::new(first, segment.references);
                self.look(member, &mut encoder, segment, |segment| metric.observe(scratch, state, segment))
                    .map_err(|error| error.at(Location::segment(number)))?;
            }
        }
        Ok(PanelState { states })
    }

    fn look(
        &self,
        member: &Member,
        scratch: &mut EncoderScratch,
        segment: Segment<'_, str>,
        observe: impl FnOnce(AnySegment<'_>) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let references = segment.references_or_none();
        let all: SmallVec<[&str; 8]> =
            core::iter::once(segment.hypothesis()).chain(references.iter().copied()).collect();
        let texts = Texts::new(&all, 1, references.len());
        let shape = Shape { systems: 1, references: references.len(), source: false };
        let mut lowered: Vec<String> = vec![String::new(); all.len()];
        let looks = match &self.panel.views[member.view] {
            Source::Given(_) => {
                return Err(InputError::malformed("the panel is over ids, but text is given"));
            }
            Source::Text(case) => {
                let text = all.iter().zip(&mut lowered).map(|(text, lowered)| cased(*case, text, lowered));
                Looks { texts: text.collect(), ..Looks::default() }
            }
            Source::Tokenizer { encoder, .. } if member.kind == ViewKind::Tokens => {
                Looks { tokens: Some(encoder.tokens(scratch, texts)?), ..Looks::default() }
            }
            Source::Tokenizer { encoder, .. } => {
                Looks { ids: Some(encoder.encode(scratch, texts)?), ..Looks::default() }
            }
        };
        looks.segment(member.kind, shape, 0, observe)
    }
}
