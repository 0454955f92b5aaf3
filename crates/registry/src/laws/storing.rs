//! Property tests of storing a metric's counts and reading them back.

use serde::Serialize;

use bleuprint_core::Tagged;

use super::prelude::*;
use super::seen::{LawSubject, SeenScores};

impl SeenScores<'_> {
    /// Tests that counts that are stored and read back stay equal, keep their score and accept more segments.
    /// Reading must fail for every truncated text and for every other layout version.
    pub(super) fn storing(&self) -> Held {
        const LAW: &str = "storing";
        let SeenScores { subject, whole, .. } = self;
        let text = stored(whole)?;
        let mut read = fine(LAW, &text, subject.read(&text))?;
        same_states(LAW, &format!("read from {text}"), &read, whole)?;
        same_scores(LAW, &format!("the score of {text}"), &subject.finish(&read), &subject.finish(whole))?;
        let mut scratch = AnyScratch::default();
        let mut longer = whole.clone();
        subject.observe_into(&mut longer, &mut scratch, self.other)?;
        subject.observe_into(&mut read, &mut scratch, self.other)?;
        same_states(LAW, &format!("observed on from {text}"), &read, &longer)?;
        // Truncations of small states suffice: larger states have the same form.
        let few = |segment: &Segment<'_, [u8]>| segment.hypothesis.len() <= 2;
        let small = whole.counts().segments <= 1 && self.segments.iter().all(few);
        let ends = if small { text.len() } else { 0 };
        for end in 0..ends {
            let cut = text.get(..end).unwrap_or_default();
            require!(LAW, subject.read(cut).is_err(), "a truncated state is accepted: {cut}");
        }
        let middle = self.segments.len() / 2;
        let mut merged = subject.state(&self.segments[middle..])?;
        // Equal states must be stored as equal bytes, so that files can be compared and cached.
        if merged.merge(&self.firsts[middle]).is_ok() && merged == *whole {
            let what = "the same state, merged in another order, is stored otherwise";
            same(LAW, what, &stored(&merged)?, &text)?;
        }
        self.other_layout()
    }

    fn other_layout(&self) -> Held {
        let SeenScores { subject, whole, .. } = self;
        let Some(key) = next_layout(whole.key()) else { return Ok(()) };
        let opened = Tagged { key: key.clone(), counts: *whole.counts(), stats: whole.stats().clone() }
            .open(&*subject.metric);
        require!("storing", opened.is_err(), "a state of another layout is opened: {key}");
        let finished = foreign(key, whole.counts(), whole.stats())?.score(&*subject.metric);
        require!("storing", finished.is_err(), "a state of another layout is finished");
        Ok(())
    }
}

impl LawSubject<'_> {
    /// Reads stored counts of the metric from JSON and checks that the text ends after them.
    pub(super) fn read(&self, text: &str) -> Result<State<AnyStats>> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = State::read(&*self.metric, &mut deserializer)?;
        let end = deserializer.end();
        end.map_err(|error| InputError::malformed_state(error.to_string())).map(|()| read)
    }
}

/// Returns the state key with the layout version of every metric increased by one; `None` if there is no
/// metric.
fn next_layout(key: &StateKey) -> Option<StateKey> {
    let mut next = key.clone();
    next.parts.iter_mut().for_each(|part| part.schema = part.schema.wrapping_add(1));
    (next != *key).then_some(next)
}

/// Creates a state with the key `key`, which may belong to another metric than the statistics.
pub(super) fn foreign(key: StateKey, counts: &SegmentCounts, stats: &AnyStats) -> Held<State<AnyStats>> {
    fine(
        "foreign statistics",
        "a state",
        State::from_stats(&ForeignKey(Arc::new(key)), *counts, stats.clone()),
    )
}

/// A test metric that has nothing but a state key.
struct ForeignKey(Arc<StateKey>);

impl Metric for ForeignKey {
    type Stats = AnyStats;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("foreign", 1, Scale::UNBOUNDED)
    }
    fn state_key(&self) -> Arc<StateKey> {
        self.0.clone()
    }
    fn check(&self, _: &AnyStats, _: &SegmentCounts) -> Result<()> {
        Ok(())
    }
    fn finalize(&self, _: &AnyStats, _: &SegmentCounts) -> Result<f64> {
        Err(InputErrorKind::EmptyCorpus.into())
    }
}

pub(super) fn stored(state: &impl Serialize) -> Held<String> {
    let refused = |error| Broken { law: "storing", shown: format!("a state is not stored: {error}") };
    serde_json::to_string(state).map_err(refused)
}
