//! One metric of a panel over text: its pools and prepared references.

use bleuprint_core::{
    AnyMetric, AnyScratch, AnyStats, InputError, Metric as _, Observe, PairScorer, Prepared, Result, Segment,
    Stats as _, ViewKind,
};

use super::{Member, Source};
use crate::EncoderScratch;
use crate::encoder::Texts;
use crate::pools::encoded;
use crate::text_steps::Rewritten;

enum Pool<'p> {
    Ids(&'p [&'p [u32]], &'p [&'p [u32]]),
    Tokens(&'p [&'p [&'p str]], &'p [&'p [&'p str]]),
    Text(&'p [&'p str], &'p [&'p str]),
}

impl Member {
    pub(super) fn new(metric: AnyMetric, kind: ViewKind, view: usize) -> Self {
        let (is_row, remembers) = (metric.zero().is_row(), metric.identity().is_token_remembered());
        Member { metric, kind, view, tables: 0, is_row, remembers }
    }

    /// Hands a pool to `work` in the view of the metric: lower-cased, tokenized and numbered once.
    fn with_pool<R>(
        &self,
        source: &Source,
        hypotheses: &[&str],
        references: &[&str],
        work: impl FnOnce(Pool<'_>) -> Result<R>,
    ) -> Result<R> {
        let all: Vec<&str> = hypotheses.iter().chain(references).copied().collect();
        let texts = Texts::new(&all, hypotheses.len(), references.len());
        let mut scratch = EncoderScratch::default();
        match source {
            Source::Given(_) => Err(text_is_given()),
            Source::Text { steps, .. } => {
                let mut memory: Vec<Rewritten> = all.iter().map(|_| Rewritten::default()).collect();
                let texts: Vec<&str> = texts.after(steps, &mut memory).collect();
                let (hypotheses, references) = texts.split_at(hypotheses.len());
                work(Pool::Text(hypotheses, references))
            }
            Source::Tokenizer { encoder, .. } if self.kind == ViewKind::Tokens => {
                let lists = encoder.tokens(&mut scratch, texts)?;
                let tokens: Vec<&[&str]> = (0..all.len()).map(|index| lists.get(index)).collect();
                let (hypotheses, references) = tokens.split_at(hypotheses.len());
                work(Pool::Tokens(hypotheses, references))
            }
            Source::Tokenizer { encoder, .. } => {
                let encoded = encoder.encode(&mut scratch, texts)?;
                let ids: Vec<&[u32]> = (0..all.len()).map(|index| encoded.get(index)).collect();
                let (hypotheses, references) = ids.split_at(hypotheses.len());
                work(Pool::Ids(hypotheses, references))
            }
        }
    }

    pub(super) fn pairs<'m>(
        &'m self,
        source: &Source,
        hypotheses: &[&str],
        references: &[&str],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>> {
        self.with_pool(source, hypotheses, references, |pool| match pool {
            Pool::Ids(hypotheses, references) => {
                encoded::pairs_of_ids(&self.metric, hypotheses, references).map(Some)
            }
            Pool::Tokens(hypotheses, references) => {
                encoded::pairs_of_tokens(&self.metric, hypotheses, references).map(Some)
            }
            Pool::Text(hypotheses, references) => self.metric.pair_scorer(hypotheses, references),
        })
    }

    pub(super) fn leave_one_out(&self, source: &Source, texts: &[&str]) -> Result<Vec<AnyStats>> {
        self.with_pool(source, texts, texts, |pool| match pool {
            Pool::Ids(hypotheses, references) => encoded::leave_one_out(&self.metric, hypotheses, references),
            Pool::Tokens(hypotheses, references) => {
                encoded::leave_one_out(&self.metric, hypotheses, references)
            }
            Pool::Text(hypotheses, references) => {
                encoded::leave_one_out(&self.metric, hypotheses, references)
            }
        })
    }

    pub(super) fn aggregate(
        &self,
        source: &Source,
        hypotheses: &[&str],
        references: &[&str],
    ) -> Result<Option<Vec<AnyStats>>> {
        self.with_pool(source, hypotheses, references, |pool| match pool {
            Pool::Ids(hypotheses, references) => self.metric.aggregate(hypotheses, references),
            Pool::Tokens(hypotheses, references) => self.metric.aggregate(hypotheses, references),
            Pool::Text(hypotheses, references) => self.metric.aggregate(hypotheses, references),
        })
    }

    pub(super) fn prepare(
        &self,
        source: &Source,
        scratch: &mut EncoderScratch,
        tables: &mut AnyScratch,
        references: &[&str],
    ) -> Result<Prepared> {
        match source {
            Source::Tokenizer { encoder, .. } if self.kind == ViewKind::Ids => {
                encoder.prepare(&self.metric, scratch, tables, references)
            }
            Source::Text { steps, .. } => {
                let mut memory: Vec<Rewritten> = references.iter().map(|_| Rewritten::default()).collect();
                let texts = Texts::new(references, 0, references.len());
                let texts: Vec<&str> = texts.after(steps, &mut memory).collect();
                self.metric.prepare(tables, &texts)
            }
            Source::Tokenizer { .. } | Source::Given(_) => Ok(Prepared::default()),
        }
    }

    /// Observes a hypothesis with references that [`Member::prepare`] prepared; `None` where it did not.
    pub(super) fn observe_prepared(
        &self,
        source: &Source,
        scratch: &mut EncoderScratch,
        tables: &mut AnyScratch,
        stats: &mut AnyStats,
        hypothesis: &str,
        prepared: &Prepared,
    ) -> Option<Result<()>> {
        match source {
            Source::Tokenizer { encoder, .. } => {
                encoder.observe_prepared(&self.metric, scratch, tables, stats, hypothesis, prepared)
            }
            Source::Text { steps, .. } => {
                let mut memory = Rewritten::default();
                let segment = Segment::new(steps.apply(hypothesis, false, &mut memory), &[]);
                Some(self.metric.observe_prepared(tables, stats, segment, prepared))
            }
            Source::Given(_) => None,
        }
    }
}

pub(super) fn text_is_given() -> InputError {
    InputError::malformed("the panel is over ids, but text is given")
}
