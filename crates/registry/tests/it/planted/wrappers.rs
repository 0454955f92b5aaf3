//! Tests that the wrappers of this package keep every speed-up, and that a wrapper that loses one is found.

use std::sync::Arc;

use bleuprint_core::{Case, Mean, Metric, Observe, TokenSpace};
use bleuprint_registry::{AnyMetric, Storable, laws};

use super::length_error::LengthError;
use super::{breaks, segment};

fn ids(tokens: &[u8]) -> Vec<u32> {
    vec![7; tokens.len()]
}

/// Checks the law for a wrapper behind a pointer, which is a wrapper too.
fn check<W>(wrapper: W)
where
    W: Observe<[u32]> + 'static,
    W::Stats: Storable,
{
    let wrapper = AnyMetric::for_ids(wrapper).unwrap();
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
    let erased = AnyMetric::for_ids(Mean::new((metric(), Box::new(metric())))).unwrap();
    let mean = Mean::new(Arc::new(erased));
    laws::check_wrapper::<[u32], _, _, [u32], _, _>(&LengthError::right(), ids, &mean, ids);
}

#[test]
fn what_a_wrapper_lost_is_named() {
    let empty = [segment(&[], &[&[]])];
    for (lost, smallest) in [
        ("loses prepared references", &empty[..]),
        ("loses prefixes", &empty),
        ("loses pair scores", &[]),
        ("loses leave-one-out statistics", &empty),
        ("loses aggregate references", &[]),
        ("loses pairings", &empty),
        ("loses pictures", &empty),
        ("loses batches", &[]),
    ] {
        let law = lost.replace("loses", "wrapper:");
        breaks("length_error", &law, smallest, || check(LengthError::with(lost)));
    }
    let pairings = [segment(&[], &[&[]])];
    breaks("length_error", "wrapper: pairings", &pairings, || check(LengthError::with("other pairings")));
}

#[test]
fn a_wrapper_that_loses_tokens_is_caught() {
    let without_the_first = |tokens: &[u8]| ids(tokens.get(1..).unwrap_or_default());
    let metric = LengthError::right();
    let check = || {
        let wrapper = AnyMetric::for_ids(metric.clone()).unwrap();
        laws::check_wrapper::<[u32], _, _, [u32], _, _>(&metric, ids, &wrapper, without_the_first);
    };
    // The only token of a reference.
    breaks("length_error", "wrapper: the number", &[segment(&[], &[&[]])], check);
}
