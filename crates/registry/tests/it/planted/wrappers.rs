//! The wrappers of this package have every speed-up of what they wrap; one that lost any is caught.

use std::sync::{Arc, LazyLock};

use bleuprint_core::{
    Answer, Ask, Case, Identity, Mean, Metric, Observe, Prepared, Result, Segment, SegmentCounts, TokenSpace,
    Wanted,
};
use bleuprint_registry::{AnyMetric, Storable, laws};

use super::length_error::{Apart, LengthError, Means};
use super::{breaks, segment};

fn ids(tokens: &[u8]) -> Vec<u32> {
    vec![7; tokens.len()]
}

/// The law for a wrapper, behind a pointer, which is a wrapper too.
fn check<W>(wrapper: W)
where
    W: Observe<[u32]> + 'static,
    W::Stats: Storable,
{
    let wrapper = AnyMetric::over_ids(wrapper).unwrap();
    laws::check_wrapper::<[u32], _, _, [u32], _, _>(&LengthError::right(), ids, &wrapper, ids);
}

#[test]
fn wrappers_have_every_speed_up() {
    let metric = LengthError::right;
    check(metric());
    check(&*Box::leak(Box::new(metric())));
    check(Box::new(metric()));
    check(Arc::new(metric()));
    check(metric().over(TokenSpace::new("13a", Case::Lower).unwrap()));
    check(Mean::new(metric()));
    check((metric(), Mean::new(metric())));
    let erased = AnyMetric::over_ids(Mean::new((metric(), Box::new(metric())))).unwrap();
    let mean = Mean::new(Arc::new(erased));
    laws::check_wrapper::<[u32], _, _, [u32], _, _>(&LengthError::right(), ids, &mean, ids);
}

struct Loses(&'static str);

impl Metric for Loses {
    type Stats = Apart;
    type Score = Means;
    type Scratch = Vec<usize>;

    fn identity(&self) -> Identity {
        LengthError::right().identity()
    }
    fn finalize(&self, stats: &Apart, counts: &SegmentCounts) -> Result<Means> {
        LengthError::right().finalize(stats, counts)
    }
    fn headline_names(&self) -> Vec<std::borrow::Cow<'static, str>> {
        LengthError::right().headline_names()
    }
    fn batch(&self) -> usize {
        if self.0 == "batches" { 1 } else { LengthError::right().batch() }
    }
}

impl Observe<[u32]> for Loses {
    fn observe(
        &self,
        scratch: &mut Vec<usize>,
        stats: &mut Apart,
        segment: Segment<'_, [u32]>,
    ) -> Result<()> {
        LengthError::right().observe(scratch, stats, segment)
    }
    fn prepare(&self, scratch: &mut Vec<usize>, references: &[&[u32]]) -> Result<Prepared> {
        match self.0 {
            "prepared references" => Ok(Prepared::default()),
            _ => LengthError::right().prepare(scratch, references),
        }
    }
    fn observe_prepared(
        &self,
        scratch: &mut Vec<usize>,
        stats: &mut Apart,
        segment: Segment<'_, [u32]>,
        prepared: &Prepared,
    ) -> Result<()> {
        LengthError::right().observe_prepared(scratch, stats, segment, prepared)
    }
    fn observe_prefixes(
        &self,
        scratch: &mut Vec<usize>,
        segment: Segment<'_, [u32]>,
        each: &mut dyn FnMut(&Apart) -> Result<()>,
    ) -> Result<bool> {
        match self.0 {
            "prefixes" => Ok(false),
            _ => LengthError::right().observe_prefixes(scratch, segment, each),
        }
    }
    fn ask(&self, scratch: &mut Vec<usize>, ask: Ask<'_, [u32]>) -> Result<Option<Answer<'_, Apart>>> {
        static RIGHT: LazyLock<LengthError> = LazyLock::new(LengthError::right);
        Ok(match (self.0, ask.wanted) {
            ("pair scores", Wanted::Pairs)
            | ("leave-one-out statistics", Wanted::LeaveOneOut)
            | ("aggregate references", Wanted::Aggregate)
            | ("pairings", Wanted::Pairing)
            | ("pictures", Wanted::Picture) => None,
            ("other pairings", Wanted::Pairing) => Some(Answer::Pairing(Vec::new())),
            _ => RIGHT.ask(scratch, ask)?,
        })
    }
}

#[test]
fn what_a_wrapper_lost_is_named() {
    check(Loses("nothing"));
    let empty = [segment(&[], &[&[]])];
    for (lost, smallest) in [
        ("prepared references", &empty[..]),
        ("prefixes", &empty),
        ("pair scores", &[]),
        ("leave-one-out statistics", &empty),
        ("aggregate references", &[]),
        ("pairings", &empty),
        ("pictures", &empty),
        ("batches", &[]),
    ] {
        breaks("length_error", &format!("wrapper: {lost}"), smallest, || check(Loses(lost)));
    }
    let pairings = [segment(&[], &[&[]])];
    breaks("length_error", "wrapper: pairings", &pairings, || check(Loses("other pairings")));
}

#[test]
fn a_wrapper_that_loses_tokens_is_caught() {
    let without_the_first = |tokens: &[u8]| ids(tokens.get(1..).unwrap_or_default());
    let metric = LengthError::right();
    let check = || {
        let wrapper = AnyMetric::over_ids(metric.clone()).unwrap();
        laws::check_wrapper::<[u32], _, _, [u32], _, _>(&metric, ids, &wrapper, without_the_first);
    };
    // The only token of a reference.
    breaks("length_error", "wrapper: the number", &[segment(&[], &[&[]])], check);
}
