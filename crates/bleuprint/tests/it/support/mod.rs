//! Metrics and panels that several tests need.
#![allow(dead_code, reason = "not every test uses everything")]

use std::collections::BTreeSet;

use bleuprint::eval::{ChosenTokens, Panel, PanelState};
use bleuprint::{
    Accumulator, AnyMetric, Case, Identity, InputError, Metric, Observe, Result, Scale, Segment,
    SegmentCounts, Stats, TokenizerOptions, registry, tokenizer,
};
use serde::{Deserialize, Serialize};

/// The share of the bigrams of a corpus that are distinct: a set as state, which remembers tokens.
#[derive(Debug, Clone)]
pub(crate) struct Distinct2;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bigrams {
    pub(crate) distinct: BTreeSet<(String, String)>,
    pub(crate) all: u64,
}

impl Stats for Bigrams {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_merge(other)?;
        self.all += other.all;
        self.distinct.extend(other.distinct.iter().cloned());
        Ok(())
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        let too_many = || InputError::malformed_state("more bigrams than can be counted");
        self.all.checked_add(other.all).map(drop).ok_or_else(too_many)
    }
}

impl Metric for Distinct2 {
    type Stats = Bigrams;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("distinct_2", 1, Scale::PERCENT).needing(|needs| needs.tokens = true).reference_free()
    }
    fn finalize(&self, stats: &Bigrams, _: &SegmentCounts) -> Result<f64> {
        Ok(100.0 * stats.distinct.len() as f64 / stats.all.max(1) as f64)
    }
    fn check(&self, stats: &Bigrams, _: &SegmentCounts) -> Result<()> {
        InputError::require_at_most("distinct", stats.distinct.len() as u64, "all", stats.all)
    }
}

impl<T: AsRef<str>> Observe<[T]> for Distinct2 {
    fn observe(&self, (): &mut (), stats: &mut Bigrams, segment: Segment<'_, [T]>) -> Result<()> {
        let mut observed = Bigrams::default();
        for bigram in segment.hypothesis.windows(2) {
            observed.distinct.insert((bigram[0].as_ref().to_owned(), bigram[1].as_ref().to_owned()));
            observed.all += 1;
        }
        stats.merge(&observed)
    }
}

/// A metric of a name or with options, as a user of the program names it.
pub(crate) fn named(name: &str) -> AnyMetric {
    registry().build(name).unwrap()
}

pub(crate) fn panel(metrics: Vec<AnyMetric>, name: &str, case: Case) -> Panel {
    let tokenizer = tokenizer(name, &TokenizerOptions { case, ..TokenizerOptions::default() }).unwrap();
    Panel::new(metrics, &ChosenTokens::new(tokenizer, case)).unwrap()
}

pub(crate) fn observed(panel: &Panel, segments: &[(&str, &str)]) -> PanelState {
    let mut corpus = Accumulator::<&Panel, str>::new(panel);
    for (hypothesis, reference) in segments {
        corpus.add(Segment::new(hypothesis, &[reference])).unwrap();
    }
    corpus.into()
}

pub(crate) fn stored(states: &impl Serialize) -> String {
    serde_json::to_string(states).unwrap()
}
