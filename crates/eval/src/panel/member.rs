//! Scores many candidate texts at once, and prepares references, for one metric of a panel (set of metrics
//! that are computed together).

use bleuprint_core::{Answer, Ask, InputError, Metric as _, Observe, Prepared, Result, Segment, Stats as _};
use bleuprint_registry::{AnyMetric, AnyScratch, AnyStats, ViewKind};

use super::{PanelMember, TokenizerSource};
use crate::EncoderScratch;
use crate::encoder::EncoderTexts;
use crate::pools::encoded;
use crate::text_steps::Rewritten;

impl PanelMember {
    pub(super) fn new(metric: AnyMetric, kind: ViewKind, view: usize) -> Self {
        let is_row = metric.zero().is_row();
        let remembers = metric.identity().needs().tokens;
        PanelMember { metric, kind, view, tables: 0, is_row, remembers }
    }

    /// Asks the metric for results over many candidate texts at once, such as the scores of all pairs of
    /// texts. Texts are normalized, tokenized and mapped to ids once.
    pub(super) fn ask(
        &self,
        source: &TokenizerSource,
        scratch: &mut EncoderScratch,
        tables: &mut AnyScratch,
        ask: Ask<'_, str>,
    ) -> Result<Option<Answer<'_, AnyStats>>> {
        let all = encoded::texts_of_ask(&ask);
        let texts = EncoderTexts::new(&all, ask.hypotheses.len(), ask.references.len());
        match source {
            TokenizerSource::Given(_) | TokenizerSource::Own(..) => Err(source.refuses_text()),
            TokenizerSource::Text { steps, .. } => {
                let mut memory: Vec<Rewritten> = all.iter().map(|_| Rewritten::default()).collect();
                let texts: Vec<&str> = texts.after(steps, &mut memory).collect();
                encoded::answer(&self.metric, tables, encoded::recoded(&ask, &texts), |_, _| None)
            }
            TokenizerSource::Tokenizer { encoder, .. } if self.kind == ViewKind::Tokens => {
                let lists = encoder.tokens(scratch, texts)?;
                let tokens: Vec<&[&str]> = (0..all.len()).map(|index| lists.get(index)).collect();
                encoded::answer_tokens(&self.metric, tables, encoded::recoded(&ask, &tokens))
            }
            TokenizerSource::Tokenizer { encoder, .. } => {
                let encoded = encoder.encode(scratch, texts)?;
                let ids: Vec<&[u32]> = (0..all.len()).map(|index| encoded.get(index)).collect();
                encoded::answer_ids(&self.metric, tables, encoded::recoded(&ask, &ids))
            }
        }
    }

    pub(super) fn prepare(
        &self,
        source: &TokenizerSource,
        scratch: &mut EncoderScratch,
        tables: &mut AnyScratch,
        references: &[&str],
    ) -> Result<Prepared> {
        match source {
            TokenizerSource::Tokenizer { encoder, .. } if self.kind == ViewKind::Ids => {
                encoder.prepare(&self.metric, scratch, tables, references)
            }
            TokenizerSource::Text { steps, .. } => {
                let mut memory: Vec<Rewritten> = references.iter().map(|_| Rewritten::default()).collect();
                let texts = EncoderTexts::new(references, 0, references.len());
                let texts: Vec<&str> = texts.after(steps, &mut memory).collect();
                self.metric.prepare(tables, &texts)
            }
            TokenizerSource::Tokenizer { .. } | TokenizerSource::Given(_) | TokenizerSource::Own(..) => {
                Ok(Prepared::default())
            }
        }
    }

    /// Adds to `stats` the metric's counts for a hypothesis against references from [`PanelMember::prepare`].
    /// Returns `None` if nothing was prepared.
    pub(super) fn observe_prepared(
        &self,
        source: &TokenizerSource,
        scratch: &mut EncoderScratch,
        tables: &mut AnyScratch,
        stats: &mut AnyStats,
        hypothesis: &str,
        prepared: &Prepared,
    ) -> Option<Result<()>> {
        match source {
            TokenizerSource::Tokenizer { encoder, .. } => {
                encoder.observe_prepared(&self.metric, scratch, tables, stats, hypothesis, prepared)
            }
            TokenizerSource::Text { steps, .. } => {
                let mut memory = Rewritten::default();
                let segment = Segment::new(steps.apply(hypothesis, false, &mut memory), &[]);
                Some(self.metric.observe_prepared(tables, stats, segment, prepared))
            }
            TokenizerSource::Given(_) | TokenizerSource::Own(..) => None,
        }
    }
}

impl TokenizerSource {
    /// Creates the error for text that is passed to metrics over token ids or data beside text.
    pub(super) fn refuses_text(&self) -> InputError {
        let over = match self {
            TokenizerSource::Own(_, Some(form)) => format!("`{}` data", form.name),
            TokenizerSource::Own(ViewKind::Numbers, _) => "numbers".to_owned(),
            TokenizerSource::Own(..) => "vectors".to_owned(),
            _ => "ids".to_owned(),
        };
        InputError::malformed(format!("the panel is over {over}, but text is given"))
    }
}
