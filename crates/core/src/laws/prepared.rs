//! The law of prepared references.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::Debug;

use quickcheck::Gen;

use super::{corpora, name};
use crate::{Prepare, Segment};

/// Observing with prepared references is observing: statistics and errors alike, for every hypothesis of a corpus
/// with the references of every segment, and without references.
///
/// # Panics
/// When it is not.
pub fn check_prepared<S, O, M>(metric: &M, generate: impl Fn(&mut Gen) -> O)
where
    S: ?Sized,
    O: Borrow<S> + Clone + Debug,
    M: Prepare<S>,
    M::Stats: PartialEq + Debug,
{
    let mut scratch = metric.scratch();
    for corpus in corpora(&generate) {
        let mut sets: Vec<Vec<&S>> =
            corpus.iter().map(|segment| segment.references.iter().map(Borrow::borrow).collect()).collect();
        sets.push(Vec::new());
        for references in sets {
            let prepared = metric.prepare(&mut scratch, &references);
            for owned in &corpus {
                let hypothesis = owned.hypothesis.borrow();
                let (mut plain, mut fast) = (metric.zero(), metric.zero());
                let expected =
                    metric.observe(&mut scratch, &mut plain, Segment::new(hypothesis, &references));
                let observed = match &prepared {
                    Ok(prepared) => metric.observe_prepared(&mut scratch, &mut fast, hypothesis, prepared),
                    Err(error) => Err(error.clone()),
                };
                assert_eq!(observed, expected, "{}: prepared references, {corpus:?}", name(metric));
                assert_eq!(fast, plain, "{}: prepared references, {corpus:?}", name(metric));
            }
        }
    }
}
