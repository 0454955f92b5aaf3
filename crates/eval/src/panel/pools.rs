//! Panels over pools of texts: all pairs, expected utilities, each text with the others as its references.

use bleuprint_core::{AnyState, InputError, InputErrorKind, ViewKind};

use super::{Member, Panel, PanelState, Source};
use crate::EncoderScratch;
use crate::encoder::{Texts, cased};
use crate::pools::mbr::{MbrError, Weights, aggregated_utilities_of, utilities_of};
use crate::pools::pairwise::{Tile, tiles_of};
use crate::pools::self_score::each_with_others;
use crate::pools::{Erased, Viewed};

/// What is done with a pool, whichever view a metric has of it.
trait Work {
    type Output;

    /// Works on hypotheses and references as the metric looks at them.
    fn work<S>(self, metric: Erased<'_>, hypotheses: &[&S], references: &[&S]) -> Self::Output
    where
        S: Viewed + ?Sized + Sync;
}

impl Panel {
    /// The scores by the panel's metric number `metric` of all pairs, tile by tile: see
    /// [`pairwise::tiles`](crate::pairwise::tiles).
    ///
    /// # Errors
    /// Those of the tokenizer; a pair without a score; no such metric.
    pub fn pair_tiles(
        &self,
        metric: usize,
        hypotheses: &[&str],
        references: &[&str],
        each: impl FnMut(Tile<'_>),
    ) -> Result<(), InputError> {
        self.on_pool(metric, hypotheses, references, Tiles(each))?
    }

    /// The expected score by the panel's metric number `metric` of each hypothesis: see
    /// [`mbr::utilities`](crate::mbr::utilities).
    ///
    /// # Errors
    /// Those of the tokenizer and of [`mbr::utilities`](crate::mbr::utilities); no such metric.
    pub fn utilities(
        &self,
        metric: usize,
        hypotheses: &[&str],
        references: &[&str],
        weights: Weights<'_>,
    ) -> Result<Vec<f64>, MbrError> {
        self.on_pool(metric, hypotheses, references, Utilities(weights))?
    }

    /// An approximation of [`Panel::utilities`]: see [`mbr::aggregated_utilities`](crate::mbr::aggregated_utilities).
    ///
    /// # Errors
    /// Those of the tokenizer and of [`mbr::aggregated_utilities`](crate::mbr::aggregated_utilities); no such metric.
    pub fn aggregated_utilities(
        &self,
        metric: usize,
        hypotheses: &[&str],
        references: &[&str],
    ) -> Result<Vec<f64>, MbrError> {
        self.on_pool(metric, hypotheses, references, Aggregated)?
    }

    /// The states of each text with all the others as its references: see
    /// [`self_score::leave_one_out`](crate::self_score::leave_one_out).
    ///
    /// # Errors
    /// [`NoReferences`](InputErrorKind::NoReferences) for a single text; those of the tokenizers and the metrics.
    pub fn leave_one_out(&self, texts: &[&str]) -> Result<Vec<PanelState>, InputError> {
        if texts.len() == 1 {
            return Err(InputErrorKind::NoReferences.into());
        }
        let mut states: Vec<PanelState> = texts.iter().map(|_| PanelState { states: Vec::new() }).collect();
        for metric in 0..self.members.len() {
            let of_metric = self.on_pool(metric, texts, texts, LeaveOneOut)??;
            for (state, of_metric) in states.iter_mut().zip(of_metric) {
                state.states.push(of_metric);
            }
        }
        Ok(states)
    }

    /// Does work on texts as one metric looks at them.
    fn on_pool<W: Work>(
        &self,
        metric: usize,
        hypotheses: &[&str],
        references: &[&str],
        work: W,
    ) -> Result<W::Output, InputError> {
        let Some(Member { metric, kind, view, .. }) = self.members.get(metric) else {
            let of = self.members.len();
            return Err(InputError::malformed(format!("metric {metric} of a panel of {of}, counted from 0")));
        };
        let all: Vec<&str> = hypotheses.iter().chain(references).copied().collect();
        let texts = Texts::new(&all, hypotheses.len(), references.len());
        let (mut scratch, metric) = (EncoderScratch::default(), Erased(&**metric));
        match &self.views[*view] {
            Source::Given(_) => Err(InputError::malformed("the panel is over ids, but text is given")),
            Source::Text(case) => {
                let mut lowered = vec![String::new(); all.len()];
                let texts: Vec<&str> =
                    all.iter().zip(&mut lowered).map(|(text, lowered)| cased(*case, text, lowered)).collect();
                let (hypotheses, references) = texts.split_at(hypotheses.len());
                Ok(work.work(metric, hypotheses, references))
            }
            Source::Tokenizer { encoder, .. } if *kind == ViewKind::Tokens => {
                let lists = encoder.tokens(&mut scratch, texts)?;
                let tokens: Vec<&[&str]> = (0..all.len()).map(|index| lists.get(index)).collect();
                let (hypotheses, references) = tokens.split_at(hypotheses.len());
                Ok(work.work(metric, hypotheses, references))
            }
            Source::Tokenizer { encoder, .. } => {
                let encoded = encoder.encode(&mut scratch, texts)?;
                let ids: Vec<&[u32]> = (0..all.len()).map(|index| encoded.get(index)).collect();
                let (hypotheses, references) = ids.split_at(hypotheses.len());
                Ok(work.work(metric, hypotheses, references))
            }
        }
    }
}

struct Tiles<F>(F);

impl<F: FnMut(Tile<'_>)> Work for Tiles<F> {
    type Output = Result<(), InputError>;

    fn work<S>(self, metric: Erased<'_>, hypotheses: &[&S], references: &[&S]) -> Self::Output
    where
        S: Viewed + ?Sized + Sync,
    {
        tiles_of(&metric, hypotheses, references, self.0)
    }
}

struct Utilities<'w>(Weights<'w>);

impl Work for Utilities<'_> {
    type Output = Result<Vec<f64>, MbrError>;

    fn work<S>(self, metric: Erased<'_>, hypotheses: &[&S], references: &[&S]) -> Self::Output
    where
        S: Viewed + ?Sized + Sync,
    {
        utilities_of(&metric, hypotheses, references, self.0)
    }
}

struct Aggregated;

impl Work for Aggregated {
    type Output = Result<Vec<f64>, MbrError>;

    fn work<S>(self, metric: Erased<'_>, hypotheses: &[&S], references: &[&S]) -> Self::Output
    where
        S: Viewed + ?Sized + Sync,
    {
        aggregated_utilities_of(&metric, hypotheses, references)
    }
}

struct LeaveOneOut;

impl Work for LeaveOneOut {
    type Output = Result<Vec<AnyState>, InputError>;

    /// As hypotheses and as references texts may have different tokens; the shorter way knows only one kind.
    fn work<S>(self, Erased(metric): Erased<'_>, hypotheses: &[&S], references: &[&S]) -> Self::Output
    where
        S: Viewed + ?Sized + Sync,
    {
        if hypotheses == references
            && let Some(states) = metric.leave_one_out(S::sequences(hypotheses))?
        {
            return Ok(states);
        }
        each_with_others(
            hypotheses,
            references,
            || metric.scratch(),
            |scratch, segment| metric.observe_one(scratch, S::segment(segment)),
        )
    }
}
