//! Tests that a metric's optional faster methods give the same results as observing segment by segment.

use super::prelude::*;
use super::seen::{LawSubject, SeenScores};

impl SeenScores<'_> {
    pub(super) fn speed_ups(&self) -> Held {
        self.batches()?;
        self.prepared()?;
        if self.subject.whole.is_some() {
            // Parts of one segment belong together, so they are not mixed with parts of others.
            return self.segments.iter().try_for_each(|segment| {
                let pool = LawPool::from_segment(segment);
                self.pairs(&pool)?;
                self.aggregate(&pool)
            });
        }
        let pool = self.pool();
        self.pairs(&pool)?;
        self.left_out(&pool)?;
        self.aggregate(&pool)
    }

    /// Returns all hypotheses and all references of the test corpus.
    pub(super) fn pool(&self) -> LawPool<'_> {
        LawPool {
            hypotheses: self.segments.iter().map(|segment| segment.hypothesis).collect(),
            references: self.segments.iter().flat_map(|segment| segment.references).copied().collect(),
        }
    }

    /// Tests that observing many segments in one call gives each segment the statistics that it has alone.
    fn batches(&self) -> Held {
        const LAW: &str = "batches";
        let SeenScores { subject, segments, .. } = self;
        let mut stats: Vec<AnyStats> = segments.iter().map(|_| subject.metric.zero()).collect();
        let observed = subject.metric.observe_each(&mut AnyScratch::default(), &mut stats, segments);
        fine(LAW, "all segments at once", observed)?;
        same(LAW, "all segments at once, each with what it has alone", &stats, &self.alone)?;
        require!(LAW, subject.metric.batch() > 0, "`batch()` must be at least 1");
        Ok(())
    }

    /// Tests that observing with prepared references, which were processed in advance, gives the same
    /// statistics and errors as ordinary observing. Each hypothesis is combined with the references of each
    /// segment, and with none.
    fn prepared(&self) -> Held {
        let bare = self.segments.first().map(|segment| Segment::new(segment.hypothesis, &[]));
        self.segments.iter().chain(&bare).try_for_each(|segment| self.prepared_of(segment.references))
    }

    fn prepared_of(&self, references: &[&[u8]]) -> Held {
        const LAW: &str = "prepared references";
        let metric = &*self.subject.metric;
        let mut scratch = AnyScratch::default();
        let prepared = metric.prepare(&mut scratch, references);
        if let Ok(Some(number)) = prepared.as_ref().map(Prepared::references) {
            same(LAW, "their number", &number, &references.len())?;
        }
        // Parts made as a whole fit only the references of their segment.
        let apart = self.subject.whole.is_none() || references.is_empty();
        for owned in self.segments.iter().filter(|owned| apart || owned.references == references) {
            let segment = with_references(*owned, references);
            let expected = self.observe(segment);
            let mut stats = metric.zero();
            let observed = prepared.as_ref().map_err(Clone::clone).and_then(|prepared| {
                // The references are passed only if nothing was prepared, so that a metric that reads them
                // anyway is found.
                let segment =
                    if prepared.references().is_none() { segment } else { with_references(segment, &[]) };
                metric.observe_prepared(&mut scratch, &mut stats, segment, prepared)
            });
            if observed.is_err() {
                same("errors", "after an error of prepared references", &stats, &self.subject.zero)?;
            }
            same_results(LAW, "a hypothesis with them", &observed.map(|()| stats), &expected)?;
        }
        Ok(())
    }

    /// Tests that the fast score of each pair of hypothesis and reference is NaN or matches the observed
    /// score bit for bit.
    fn pairs(&self, LawPool { hypotheses, references }: &LawPool<'_>) -> Held {
        const LAW: &str = "pairs";
        let metric = &*self.subject.metric;
        let answer = self.answer(LAW, Ask::new(Wanted::Pairs, hypotheses, references))?;
        let Some(answer) = answer else { return Ok(()) };
        let Answer::Scores(scorer) = answer else { return other_form(LAW) };
        // Two ranges are requested, because the second one must not begin with the first hypothesis again.
        for portion in [0..hypotheses.len() / 2, hypotheses.len() / 2..hypotheses.len()] {
            let mut scores = vec![f64::INFINITY; portion.len() * references.len()];
            scorer.score(portion.clone(), &mut scores);
            let pairs = hypotheses[portion].iter().flat_map(|h| references.iter().map(move |r| (*h, *r)));
            for ((hypothesis, reference), score) in pairs.zip(scores) {
                if score.is_nan() {
                    continue;
                }
                let stats = self.observe(Segment::new(hypothesis, &[reference]));
                let number = stats.and_then(|stats| metric.number(&stats, &SegmentCounts::of_segment(1)));
                let alike = number.as_ref().is_ok_and(|number| number.to_bits() == score.to_bits());
                require!(LAW, alike, "a pair scores {score:?}, and observed alone {number:?}");
            }
        }
        Ok(())
    }

    /// Tests the fast leave-one-out method, which compares each sequence with all other sequences as its
    /// references. It must give the same statistics as observing each sequence with these references.
    ///
    /// A wrapper may tokenize references and hypotheses differently. A second test therefore passes
    /// references that differ from the hypotheses: the same sequences in reverse order.
    fn left_out(&self, pool: &LawPool<'_>) -> Held {
        let all = pool.all();
        if all.len() < 2 {
            return Ok(());
        }
        let reversed: Vec<&[u8]> = all.iter().rev().copied().collect();
        self.left_out_of(&all, &all)?;
        self.left_out_of(&all, &reversed)
    }

    fn left_out_of(&self, all: &[&[u8]], references: &[&[u8]]) -> Held {
        const LAW: &str = "leave one out";
        let answer = self.answer(LAW, Ask::new(Wanted::LeaveOneOut, all, references))?;
        let Some(answer) = answer else { return Ok(()) };
        let Answer::Stats(stats) = answer else { return other_form(LAW) };
        same(LAW, "one for each sequence", &stats.len(), &all.len())?;
        for (own, (hypothesis, stats)) in all.iter().zip(&stats).enumerate() {
            let mut others = references.to_vec();
            others.remove(own);
            let expected = self.observed(Segment::new(hypothesis, &others))?;
            same(LAW, &format!("sequence {own} with all others"), stats, &expected)?;
        }
        Ok(())
    }

    /// Tests the fast method that combines all references. With a single reference it must give the same
    /// statistics as observing; with several, its statistics must pass the metric's own check.
    fn aggregate(&self, LawPool { hypotheses, references }: &LawPool<'_>) -> Held {
        const LAW: &str = "aggregate";
        let metric = &*self.subject.metric;
        for reference in references {
            let Some(all) = self.laid_together(hypotheses, &[reference])? else { return Ok(()) };
            same(LAW, "one for each hypothesis", &all.len(), &hypotheses.len())?;
            for (hypothesis, stats) in hypotheses.iter().zip(&all) {
                let expected = self.observed(Segment::new(hypothesis, &[reference]))?;
                same(LAW, "with a single reference", stats, &expected)?;
            }
        }
        let counts = Ask::new(Wanted::Aggregate, hypotheses, references).counts();
        for stats in self.laid_together(hypotheses, references)?.into_iter().flatten() {
            fine(LAW, "the metric's check of one for all", metric.check(&stats, &counts))?;
        }
        Ok(())
    }

    /// Returns the statistics of each hypothesis from the fast method that combines all references; `None` if
    /// the metric lacks this method.
    fn laid_together(&self, hypotheses: &[&[u8]], references: &[&[u8]]) -> Held<Option<Vec<AnyStats>>> {
        let ask = Ask::new(Wanted::Aggregate, hypotheses, references);
        let Ok(Some(answer)) = self.subject.metric.ask(&mut AnyScratch::default(), ask) else {
            return Ok(None);
        };
        let Answer::Stats(all) = answer else { return other_form("aggregate") };
        Ok(Some(all))
    }

    fn answer(&self, law: &'static str, ask: Ask<'_, [u8]>) -> Held<Option<Answer<'_, AnyStats>>> {
        fine(law, "a pool", self.subject.metric.ask(&mut AnyScratch::default(), ask))
    }
}

fn other_form<T>(law: &'static str) -> Held<T> {
    Err(Broken { law, shown: String::from("the answer has the form of another question's") })
}

/// All hypotheses and all references of a test corpus.
pub(super) struct LawPool<'c> {
    pub(super) hypotheses: Vec<&'c [u8]>,
    pub(super) references: Vec<&'c [u8]>,
}

impl<'c> LawPool<'c> {
    fn from_segment(segment: &Segment<'c, [u8]>) -> Self {
        LawPool { hypotheses: vec![segment.hypothesis], references: segment.references.to_vec() }
    }

    pub(super) fn all(&self) -> Vec<&'c [u8]> {
        self.hypotheses.iter().chain(&self.references).copied().collect()
    }
}

impl LawSubject<'_> {
    /// Tests that the fast method for prefixes gives the same statistics as observing each prefix of a
    /// hypothesis.
    pub(super) fn prefixes(&self, corpus: &[OwnedSegment]) -> Held {
        const LAW: &str = "prefixes";
        for raw in corpus {
            with_segments(core::slice::from_ref(raw), |segments| {
                let mut all = Vec::new();
                let mut push = |stats: &AnyStats| {
                    all.push(stats.clone());
                    Ok(())
                };
                let mut scratch = AnyScratch::default();
                let told = self.metric.observe_prefixes(&mut scratch, segments[0], &mut push);
                if !fine(LAW, "a segment", told)? {
                    return same(LAW, "prefixes that are not told", &all.len(), &0);
                }
                if !self.tokens {
                    // Only the last prefix is known here: the whole text.
                    return match all.last() {
                        Some(last) => same(LAW, "the whole", last, self.state(segments)?.stats()),
                        None => Ok(()),
                    };
                }
                same(LAW, "their number", &all.len(), &raw.hypothesis.len())?;
                for (end, stats) in (1..).zip(&all) {
                    let Segment { references, source, .. } = segments[0];
                    let prefix = Segment::with_source(&raw.hypothesis[..end], references, source);
                    same(LAW, &format!("the first {end}"), stats, self.state(&[prefix])?.stats())?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
