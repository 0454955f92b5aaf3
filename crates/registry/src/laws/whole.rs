//! The laws over whole segments: the hypothesis, the references and the source of a segment are made together.
//!
//! A drawn hypothesis stands for a segment. The laws see the parts of a segment as raw sequences: each has the bytes of its
//! segment behind a role, so that they may take parts away, reorder and repeat them.

use core::any::Any;
use core::borrow::Borrow;
use core::fmt::Debug;

use super::any::check_one_pass;
use super::form::{Kept, Viewed};
use super::prelude::*;
use super::seen::Subject;
use crate::Data;
use crate::any::erased::Erased;

const HYPOTHESIS: u8 = 0;
const SOURCE: u8 = 1;
/// The first of the references, which number on from here.
const REFERENCE: u8 = 2;

/// Every law for a metric over data of its own ([`Form`](bleuprint_core::Form)). `make` makes a whole segment from bytes: the
/// hypothesis, its references and its source. Reduce each byte modulo a small number, so that segments have much in common. Data whose
/// type only the form knows come as `(usize, Arc<Data>)`, with a number by which messages name them.
///
/// # Panics
/// When a law is broken, with the smallest segments that break it.
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
/// laws::check_any_over(&AnyMetric::over_own::<Samples, _>(metric), |raw| {
///     let n = 1 + raw.len() as u8;
///     (Samples { n, c: raw.first().map_or(0, |byte| byte % n) }, Vec::<Samples>::new(), None::<Samples>)
/// });
/// ```
pub fn check_any_over<H, R, C>(
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
        Owned {
            hypothesis: part(HYPOTHESIS),
            references: (REFERENCE..).take(references.len()).map(part).collect(),
            source: source.map(|_| part(SOURCE)),
        }
    };
    let show = move |owned: &Owned| {
        let (hypothesis, references, source) = make(&owned.hypothesis);
        format!("hypothesis {hypothesis:?}, references {references:?}, source {source:?}")
    };
    let door = Box::new(Viewed::<Data, Made> { door: Box::new(Erased(metric, Kept)), make: Box::new(part) });
    let default = AnyStats::of(AnyStats::default());
    let subject = Subject::of(door, default, Box::new(show), false);
    check_one_pass(metric, &Subject { whole: Some(Box::new(whole)), ..subject });
}

struct Made(Box<Data>);

impl Borrow<Data> for Made {
    fn borrow(&self) -> &Data {
        self.0.downcast_ref::<(usize, Arc<Data>)>().map_or(&*self.0, |(_, data)| &**data)
    }
}
