//! Property tests of observing segments and of merging counts.

use std::panic::resume_unwind;

use super::prelude::*;
use super::seen::SeenScores;

impl SeenScores<'_> {
    /// Tests that earlier use of a metric's working buffers does not change a result.
    pub(super) fn scratch(&self) -> Held {
        let mut fresh = State::zero(&*self.subject.metric);
        for segment in self.segments {
            self.subject.observe_into(&mut fresh, &mut AnyScratch::default(), &[*segment])?;
        }
        same_states("scratch", "observed with scratch that was used", &self.whole, &fresh)
    }

    /// Tests that merging the counts of the two parts of a corpus gives the counts of the whole, for every
    /// split and in both orders. Also tests merging with empty counts, and with a third state.
    pub(super) fn merging(&self) -> Held {
        let SeenScores { subject, whole, .. } = self;
        let zero = State::zero(&*subject.metric);
        for (cut, a) in self.firsts.iter().enumerate() {
            let b = subject.state(&self.segments[cut..])?;
            let ab = merged(a, &b)?;
            let ba = merged(&b, a)?;
            same_states("homomorphism", &format!("stats(a) ⊕ stats(b), cut after {cut}"), &ab, whole)?;
            same_states("commutativity", &format!("b ⊕ a, cut after {cut}"), &ba, &ab)?;
            same_states("identity", "0 ⊕ a", &merged(&zero, a)?, a)?;
            same_states("identity", "a ⊕ 0", &merged(a, &zero)?, a)?;
            let left = merged(&ab, whole)?;
            let right = merged(a, &merged(&b, whole)?)?;
            same_states("associativity", &format!("(a ⊕ b) ⊕ c, cut after {cut}"), &left, &right)?;
        }
        self.repetition()?;
        self.foreign_statistics()
    }

    /// Tests that several threads, each with some of the segments, together give the same counts as a single
    /// thread.
    pub(super) fn threads(&self) -> Held {
        const LAW: &str = "threads";
        // 2 threads share the segments evenly; 7 are more than most corpora have, so some get none.
        for threads in [2, 7] {
            let part = self.segments.len().div_ceil(threads).max(1);
            let metric = &*self.subject.metric;
            let state = |segments: &[Segment<'_, [u8]>]| {
                let mut state = State::zero(metric);
                let mut scratch = AnyScratch::default();
                let mut all = segments.iter();
                all.try_for_each(|segment| state.observe(metric, &mut scratch, *segment)).map(|()| state)
            };
            let states = std::thread::scope(|scope| {
                let parts = self.segments.chunks(part);
                let running: Vec<_> = parts.map(|part| scope.spawn(|| state(part))).collect();
                let ended = running.into_iter().map(std::thread::ScopedJoinHandle::join);
                let states = ended.map(|state| state.unwrap_or_else(|panic| resume_unwind(panic)));
                states.collect::<bleuprint_core::Result<Vec<_>>>()
            });
            let mut all = State::zero(metric);
            for state in &fine(LAW, "observing", states)? {
                all = merged(&all, state)?;
            }
            same_states(LAW, &format!("observed by {threads} threads"), &all, &self.whole)?;
        }
        Ok(())
    }

    /// Tests that merging the counts of a corpus several times in one call equals merging them one by one.
    fn repetition(&self) -> Held {
        const LAW: &str = "repetition";
        let subject = self.subject;
        let whole = &self.whole;
        let mut one_by_one = State::zero(&*subject.metric);
        for times in 0..4 {
            let mut at_once = State::zero(&*subject.metric);
            fine(LAW, "states of one metric", at_once.merge_times(whole, times))?;
            same_states(LAW, &format!("0 ⊕ {times} · a"), &at_once, &one_by_one)?;
            let mut behind = whole.clone();
            fine(LAW, "states of one metric", behind.merge_times(whole, times))?;
            same_states(LAW, &format!("a ⊕ {times} · a"), &behind, &merged(&one_by_one, whole)?)?;
            one_by_one = merged(&one_by_one, whole)?;
        }
        Ok(())
    }

    /// Tests that the metric's statistics cannot be merged with the `Default` value of their Rust type, which
    /// does not belong to the metric. Tests nothing if that value equals the metric's empty statistics.
    fn foreign_statistics(&self) -> Held {
        const LAW: &str = "foreign statistics";
        let Some(foreign) = &self.subject.foreign else { return Ok(()) };
        let own = self.whole.stats();
        for (one, other) in [(own, foreign), (foreign, own)] {
            let mut after = one.clone();
            require!(LAW, after.merge(other).is_err(), "{other:?} is merged into {one:?}");
            same(LAW, "after an error", &after, one)?;
            require!(LAW, one.check_merge(other).is_err(), "{other:?} would be merged into {one:?}");
        }
        Ok(())
    }

    pub(super) fn reference_order(&self) -> Held {
        let SeenScores { subject, segments, .. } = self;
        if subject.metric.identity().needs().reference_order {
            return Ok(());
        }
        let reversed: Vec<Vec<&[u8]>> =
            segments.iter().map(|segment| segment.references.iter().rev().copied().collect()).collect();
        let segments = segments.iter().zip(&reversed);
        let segments: Vec<_> =
            segments.map(|(segment, references)| with_references(*segment, references)).collect();
        same_states("reference order", "references reversed", &subject.state(&segments)?, &self.whole)
    }

    /// Tests segments without references and segments without a source. A metric that declares that it needs
    /// them may reject the segment. Other metrics must give the same statistics as for the complete segment.
    pub(super) fn what_is_missing(&self) -> Held {
        let identity = self.subject.metric.identity();
        for (segment, alone) in self.segments.iter().zip(&self.alone) {
            let bare = with_references(*segment, &[]);
            let needed = identity.needs().references;
            self.missing("without references", bare, needed.then_some(InputErrorKind::NoReferences), alone)?;
            let bare = Segment::new(segment.hypothesis, segment.references);
            let needed = identity.needs().source;
            self.missing("without a source", bare, needed.then_some(InputErrorKind::NoSource), alone)?;
            if identity.needs().one_reference {
                self.several_references(*segment)?;
            }
        }
        Ok(())
    }

    /// Tests that a metric defined for one reference rejects several references and then changes nothing.
    fn several_references(&self, segment: Segment<'_, [u8]>) -> Held {
        const LAW: &str = "one reference";
        let [reference, ..] = segment.references else { return Ok(()) };
        let references = [*reference, *reference];
        let mut after = self.whole.clone();
        let several = with_references(segment, &references);
        let observed = after.observe(&*self.subject.metric, &mut AnyScratch::default(), several);
        require!(LAW, observed.is_err(), "two references are observed by a metric that is defined for one");
        same_states("errors", "after an error the state is unchanged", &after, &self.whole)
    }

    /// Tests the segment `bare`, which lacks its references or its source. A metric that `needs` them may
    /// reject the segment. Other metrics must give the statistics `whole` of the complete segment.
    fn missing(
        &self,
        law: &'static str,
        bare: Segment<'_, [u8]>,
        needs: Option<InputErrorKind>,
        whole: &AnyStats,
    ) -> Held {
        let mut after = self.whole.clone();
        match (after.observe(&*self.subject.metric, &mut AnyScratch::default(), bare), needs) {
            // A metric may accept what it says it needs: some need references only for certain hypotheses.
            (Ok(()), Some(_)) => Ok(()),
            (Ok(()), None) => same(law, "without an unused part", &self.observed(bare)?, whole),
            (Err(error), None) => fine(law, "the identity declares no need of any", Err(error)),
            (Err(error), Some(kind)) => {
                require!(law, *error.kind() == kind, "the error should be `{kind}`: {error}");
                same_states("errors", "after an error the state is unchanged", &after, &self.whole)?;
                self.refused_in_a_batch(bare, &kind)
            }
        }
    }

    /// Tests that an error about one segment of a batch has the number of that segment.
    fn refused_in_a_batch(&self, refused: Segment<'_, [u8]>, kind: &InputErrorKind) -> Held {
        const LAW: &str = "batches";
        let mut segments = self.segments.to_vec();
        segments.push(refused);
        let mut stats: Vec<AnyStats> = segments.iter().map(|_| self.subject.metric.zero()).collect();
        match self.subject.metric.observe_each(&mut AnyScratch::default(), &mut stats, &segments) {
            Ok(()) => {
                let shown = String::from("a segment that is refused alone is observed among others");
                Err(Broken { law: LAW, shown })
            }
            Err(error) => {
                same(LAW, "the error of a segment among others", error.kind(), kind)?;
                let number = segments.len() as u64;
                same(LAW, "the number of the segment in its error", &error.location().segment, &Some(number))
            }
        }
    }
}

/// Merges the counts of two states (`a ⊕ b`), and tests that `check_merge` predicted the result.
fn merged(a: &State<AnyStats>, b: &State<AnyStats>) -> Held<State<AnyStats>> {
    let mut merged = a.clone();
    fine("merging", "states of one metric", merged.merge(b))?;
    same_results(
        "merging",
        "whether states of one metric merge",
        &a.stats().check_merge(b.stats()),
        &Ok(()),
    )?;
    Ok(merged)
}
