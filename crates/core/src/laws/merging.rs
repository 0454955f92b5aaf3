//! The laws of observing and merging.

use alloc::format;
use alloc::vec::Vec;

use super::broken::{Broken, Held, require, same, same_state};
use super::corpora::with_references;
use super::seen::{Checked, Seen};
use crate::{InputErrorKind, Location, Observe, Segment, State, Stats};

impl<S: ?Sized, M: Observe<S>> Seen<'_, S, M>
where
    M::Stats: Checked,
{
    /// Every cut of the corpus, in both orders, with zeros and with a third state.
    pub(super) fn merging(&self) -> Held {
        let Seen { subject, whole, .. } = self;
        let zero = State::zero(subject.metric);
        same("fresh zero", "what the metric starts from after it observed", zero.stats(), &subject.zero)?;
        for (cut, a) in self.firsts.iter().enumerate() {
            let b = subject.state(&self.segments[cut..])?;
            let (ab, ba) = (merged(a, &b)?, merged(&b, a)?);
            subject.same("homomorphism", &format!("stats(a) ⊕ stats(b), cut after {cut}"), &ab, whole)?;
            subject.same("commutativity", &format!("b ⊕ a, cut after {cut}"), &ba, &ab)?;
            subject.same("identity", "0 ⊕ a", &merged(&zero, a)?, a)?;
            subject.same("identity", "a ⊕ 0", &merged(a, &zero)?, a)?;
            let (left, right) = (merged(&ab, whole)?, merged(a, &merged(&b, whole)?)?);
            subject.same("associativity", &format!("(a ⊕ b) ⊕ c, cut after {cut}"), &left, &right)?;
        }
        self.nobodys_statistics()
    }

    /// A default that is nobody's zero merges with no state.
    fn nobodys_statistics(&self) -> Held {
        const LAW: &str = "foreign statistics";
        let Some(nobodys) = &self.subject.nobodys else { return Ok(()) };
        let own = self.whole.stats();
        for (one, other) in [(own, nobodys), (nobodys, own)] {
            let mut after = one.clone();
            require!(LAW, after.merge(other).is_err(), "{other:?} is merged into {one:?}");
            same(LAW, "after an error", &after, one)?;
            require!(LAW, one.check_merge(other).is_err(), "{other:?} would be merged into {one:?}");
        }
        Ok(())
    }

    pub(super) fn reference_order(&self) -> Held {
        let Seen { subject, segments, .. } = self;
        if subject.metric.identity().is_reference_order_kept() {
            return Ok(());
        }
        let reversed: Vec<Vec<&S>> = segments
            .iter()
            .map(|segment| segment.references_or_none().iter().rev().copied().collect())
            .collect();
        let segments = segments.iter().zip(&reversed);
        let segments: Vec<_> =
            segments.map(|(segment, references)| with_references(*segment, references)).collect();
        subject.same("reference order", "references reversed", &subject.state(&segments)?, &self.whole)
    }

    /// What scratch was used for before does not matter.
    pub(super) fn scratch(&self) -> Held {
        let (mut scratch, mut before) = (M::Scratch::default(), State::zero(self.subject.metric));
        self.subject.observe_into(&mut before, &mut scratch, self.other)?;
        let mut after = State::zero(self.subject.metric);
        self.subject.observe_into(&mut after, &mut scratch, self.segments)?;
        self.subject.same("scratch", "observed with scratch that was used", &after, &self.whole)
    }

    /// Segments without references and without a source: refused by those that need them, and an error changes nothing.
    pub(super) fn what_is_missing(&self) -> Held {
        let Some(segment) = self.segments.first() else { return Ok(()) };
        let identity = self.subject.metric.identity();
        let unreferenced = with_references(*segment, &[]);
        let unsourced = Segment::new(segment.hypothesis(), segment.references_or_none());
        let referred = !identity.is_reference_free();
        self.missing("without references", unreferenced, referred, InputErrorKind::NoReferences)?;
        self.missing("without a source", unsourced, identity.is_source_needed(), InputErrorKind::NoSource)
    }

    /// The first segment without what a metric may `need`.
    fn missing(
        &self,
        law: &'static str,
        segment: Segment<'_, S>,
        needed: bool,
        kind: InputErrorKind,
    ) -> Held {
        let (metric, mut scratch) = (self.subject.metric, M::Scratch::default());
        let mut after = self.whole.clone();
        match after.observe(metric, &mut scratch, segment) {
            Ok(()) if needed => {}
            Ok(()) => {
                let mut fresh = metric.zero();
                let observed = metric.observe(&mut scratch, &mut fresh, segment);
                same(law, "observed twice", &observed, &Ok(()))?;
                same(law, "what it does not look at is missing", &fresh, self.firsts[1].stats())?;
            }
            Err(error) => {
                require!(law, needed, "the metric does not say that it needs them: {error}");
                require!(law, *error.kind() == kind, "the error should be `{kind}`: {error}");
                same_state("errors", "after an error the state is unchanged", &after, &self.whole)?;
                self.in_a_batch(segment, &kind)?;
            }
        }
        Ok(())
    }

    /// The error of a segment among others tells its number.
    fn in_a_batch(&self, segment: Segment<'_, S>, kind: &InputErrorKind) -> Held {
        const LAW: &str = "batches";
        let mut segments = self.segments.to_vec();
        segments.push(segment);
        let mut stats: Vec<M::Stats> = segments.iter().map(|_| self.subject.metric.zero()).collect();
        let observed = self.subject.metric.observe_each(&mut M::Scratch::default(), &mut stats, &segments);
        let Err(error) = observed else {
            return Err(Broken {
                law: LAW,
                shown: "a segment is refused alone, but not among others".into(),
            });
        };
        same(LAW, "the error of a segment among others", error.kind(), kind)?;
        let number = Location::segment(segments.len() as u64).segment;
        same(LAW, "the number of the segment in its error", &error.location().segment, &number)
    }
}

/// `a ⊕ b`, which must be there, and must have been foretold.
fn merged<S: Checked>(a: &State<S>, b: &State<S>) -> Held<State<S>> {
    let mut merged = a.clone();
    same("merging", "states of one metric merge", &merged.merge(b), &Ok(()))?;
    same("merging", "whether states of one metric merge", &a.check_merge(b), &Ok(()))?;
    Ok(merged)
}
