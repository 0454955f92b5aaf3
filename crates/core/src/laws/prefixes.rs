//! The law of prefixes.

use alloc::vec::Vec;
use core::fmt::Debug;

use quickcheck::Gen;

use super::{corpora, name};
use crate::{Prefixes, Segment};

/// The statistics of the beginnings of every hypothesis of a corpus are those of observing each by itself.
///
/// # Panics
/// When they are not.
pub fn check_prefixes<T, M>(metric: &M, generate: impl Fn(&mut Gen) -> Vec<T>)
where
    T: Clone + Debug,
    M: Prefixes<T>,
    M::Stats: PartialEq + Debug,
{
    let mut scratch = metric.scratch();
    for corpus in corpora(&generate) {
        for owned in &corpus {
            let references: Vec<&[T]> = owned.references.iter().map(Vec::as_slice).collect();
            let mut all = Vec::new();
            let segment = Segment::new(&owned.hypothesis[..], &references);
            let told = metric.observe_prefixes(&mut scratch, segment, &mut |stats| {
                all.push(stats.clone());
                Ok(())
            });
            for end in 1..=owned.hypothesis.len() {
                let mut expected = metric.zero();
                let segment = Segment::new(&owned.hypothesis[..end], &references);
                let observed = metric.observe(&mut scratch, &mut expected, segment);
                assert_eq!(told, observed, "{}: beginnings, {owned:?}", name(metric));
                if observed.is_ok() {
                    assert_eq!(
                        all.get(end - 1),
                        Some(&expected),
                        "{}: {end} tokens, {owned:?}",
                        name(metric)
                    );
                }
            }
        }
    }
}
