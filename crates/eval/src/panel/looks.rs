//! The texts of one segment as each metric of a panel looks at them.

use bleuprint_core::{AnySegment, InputError, Segment, ViewKind};
use smallvec::SmallVec;

use super::SystemsSegment;
use crate::Sequences;
use crate::encoder::TokenLists;

/// How many texts of each kind a segment has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) systems: usize,
    pub(super) references: usize,
    pub(super) source: bool,
}

impl Shape {
    pub(super) fn of<S: ?Sized>(segment: &SystemsSegment<'_, S>) -> Self {
        let SystemsSegment { hypotheses, references, source } = segment;
        Shape { systems: hypotheses.len(), references: references.len(), source: source.is_some() }
    }
}

/// The texts of one segment through one view: hypotheses, references, source.
#[derive(Default, Clone)]
pub(super) struct Looks<'s> {
    pub(super) ids: Option<Sequences<'s>>,
    pub(super) tokens: Option<TokenLists<'s>>,
    pub(super) texts: Vec<&'s str>,
    pub(super) given: Vec<&'s [u32]>,
    pub(super) digits: Vec<Vec<&'s str>>,
}

impl Looks<'_> {
    /// Hands the segment of one system to `observe`, as the metric looks at it.
    pub(super) fn segment<R>(
        &self,
        kind: ViewKind,
        shape: Shape,
        system: usize,
        observe: impl FnOnce(AnySegment<'_>) -> Result<R, InputError>,
    ) -> Result<R, InputError> {
        match kind {
            ViewKind::Ids => {
                let get = |index: usize| match &self.ids {
                    Some(ids) => ids.get(index),
                    None => self.given.get(index).copied().unwrap_or_default(),
                };
                with_segment(shape, system, get, |segment| observe(AnySegment::Ids(segment)))
            }
            ViewKind::Tokens => {
                let get = |index: usize| match &self.tokens {
                    Some(tokens) => tokens.get(index),
                    None => self.digits.get(index).map(Vec::as_slice).unwrap_or_default(),
                };
                with_segment(shape, system, get, |segment| observe(AnySegment::Tokens(segment)))
            }
            ViewKind::Text => {
                if self.texts.is_empty() {
                    return Err(InputError::malformed("a metric looks at text, but ids are given"));
                }
                let get = |index: usize| self.texts.get(index).copied().unwrap_or_default();
                with_segment(shape, system, get, |segment| observe(AnySegment::Text(segment)))
            }
        }
    }
}

fn with_segment<'s, S: ?Sized + 's, R>(
    shape: Shape,
    system: usize,
    get: impl Fn(usize) -> &'s S,
    observe: impl FnOnce(Segment<'_, S>) -> R,
) -> R {
    let first = shape.systems;
    let references: SmallVec<[&S; 8]> = (first..first + shape.references).map(&get).collect();
    let segment = Segment::new(get(system), &references);
    observe(if shape.source { segment.with_source(get(first + shape.references)) } else { segment })
}
