//! Property tests of metrics whose test segments are made as a whole: hypothesis, references and source
//! together.
//!
//! A function makes such a segment from random bytes. The tests remove, reorder and repeat references without
//! knowledge of their type. For them, a hypothesis, reference or source is a byte sequence: first a byte for
//! its role, then the random bytes that the segment was made from.

use core::any::Any;
use core::borrow::Borrow;
use core::fmt::Debug;

use super::any::check_one_pass;
use super::form::{LawScores, Viewed};
use super::prelude::*;
use super::seen::LawSubject;
use crate::Data;
use crate::any::erased::Erased;

const HYPOTHESIS: u8 = 0;
const SOURCE: u8 = 1;
/// Role number of the first reference of a test segment; further references have the numbers after it.
const REFERENCE: u8 = 2;

/// Tests that a metric with structured input ([`Form`](bleuprint_core::Form)), such as rankings, obeys every
/// law (required property).
///
/// `make` makes a whole segment from random bytes: hypothesis, references and source. Reduce each byte modulo
/// a small number, so that segments have much in common. Data of a type that only the metric knows is passed
/// as `(usize, Arc<Data>)`; messages name it by that number.
///
/// # Panics
/// Panics if the metric breaks a law, with the smallest segments that break it.
///
/// ```
/// use bleuprint_core::*;
/// use bleuprint_registry::*;
///
/// form! { struct Samples as "samples" { n: u8, c: u8 } }
/// let identity = Identity::new("pass@1", 1, Scale::UNIT).reference_free();
/// let metric = PerSegment::new(identity, |segment: Segment<'_, Samples>| {
///     Ok(f64::from(segment.hypothesis.c) / f64::from(segment.hypothesis.n))
/// });
/// laws::check_any_for(&AnyMetric::for_own::<Samples, _>(metric), |raw| {
///     let n = 1 + raw.len() as u8;
///     (Samples { n, c: raw.first().map_or(0, |byte| byte % n) }, Vec::<Samples>::new(), None::<Samples>)
/// });
/// ```
pub fn check_any_for<H, R, C>(
    metric: &AnyMetric,
    make: impl Fn(&[u8]) -> (H, Vec<R>, Option<C>) + Send + Sync,
) where
    H: Any + Send + Sync + Debug,
    R: Any + Send + Sync + Debug,
    C: Any + Send + Sync + Debug,
{
    let make = &make;
    let boxed = move |raw: &[u8]| -> Box<Data> {
        let (role, bytes) = raw.split_first().map_or((HYPOTHESIS, raw), |(role, bytes)| (*role, bytes));
        let (hypothesis, references, source) = make(bytes);
        match role.checked_sub(REFERENCE) {
            // A part that does not exist becomes `()`, which no form accepts, so the metric must report an
            // error and not panic.
            None if role == SOURCE => source.map_or(Box::new(()), |source| Box::new(source)),
            None => Box::new(hypothesis),
            Some(at) => {
                references.into_iter().nth(at.into()).map_or(Box::new(()), |reference| Box::new(reference))
            }
        }
    };
    let part = move |raw: &[u8]| Made(boxed(raw));
    let whole = move |raw: &Raw| {
        let (_, references, source) = make(raw);
        let part = |role: u8| [&[role], &raw[..]].concat();
        OwnedSegment {
            hypothesis: part(HYPOTHESIS),
            references: (REFERENCE..).take(references.len()).map(part).collect(),
            source: source.map(|_| part(SOURCE)),
        }
    };
    let show = move |owned: &OwnedSegment| {
        let (hypothesis, references, source) = make(&owned.hypothesis);
        format!("hypothesis {hypothesis:?}, references {references:?}, source {source:?}")
    };
    let door =
        Box::new(Viewed::<Data, Made> { door: Box::new(Erased(metric, LawScores)), make: Box::new(part) });
    let default = AnyStats::from_stats(AnyStats::default());
    let subject = LawSubject::before_observation(door, default, Box::new(show), false);
    check_one_pass(metric, &LawSubject { whole: Some(Box::new(whole)), ..subject });
}

struct Made(Box<Data>);

impl Borrow<Data> for Made {
    fn borrow(&self) -> &Data {
        self.0.downcast_ref::<(usize, Arc<Data>)>().map_or(&*self.0, |(_, data)| &**data)
    }
}
