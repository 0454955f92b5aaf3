//! The laws of storing.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;

use serde::Serialize;

use super::broken::{Broken, Held, fine, require, same, same_scores, same_states};
use super::seen::{Seen, Subject};
use crate::{AnyScratch, AnyStats, InputError, Result, Segment, State, Tagged};

impl Seen<'_> {
    /// A stored and restored state is equal, scores the same and observes on the same. Every truncation is an error, and
    /// so is a state of another layout.
    pub(super) fn storing(&self) -> Held {
        const LAW: &str = "storing";
        let Seen { subject, whole, .. } = self;
        let text = stored(whole)?;
        let mut read = fine(LAW, &text, subject.read(&text))?;
        same_states(LAW, &format!("read from {text}"), &read, whole)?;
        same_scores(LAW, &format!("the score of {text}"), &subject.finish(&read), &subject.finish(whole))?;
        let (mut scratch, mut longer) = (AnyScratch::default(), whole.clone());
        subject.observe_into(&mut longer, &mut scratch, self.other)?;
        subject.observe_into(&mut read, &mut scratch, self.other)?;
        same_states(LAW, &format!("observed on from {text}"), &read, &longer)?;
        // Every cut of a small state is enough: larger ones have the same form.
        let few = |segment: &Segment<'_, [u8]>| segment.hypothesis().len() <= 2;
        let small = whole.counts().segments <= 1 && self.segments.iter().all(few);
        let ends = if small { text.len() } else { 0 };
        for end in 0..ends {
            let cut = text.get(..end).unwrap_or_default();
            require!(LAW, subject.read(cut).is_err(), "a truncated state is accepted: {cut}");
        }
        let middle = self.segments.len() / 2;
        let mut merged = subject.state(&self.segments[middle..])?;
        if merged.merge(&self.firsts[middle]).is_ok() && merged == *whole {
            let what = "the same state, merged in another order, is stored otherwise";
            same(LAW, what, &stored(&merged)?, &text)?;
        }
        self.other_layout()
    }

    fn other_layout(&self) -> Held {
        let Seen { subject, whole, .. } = self;
        let mut key = whole.key().clone();
        key.parts.iter_mut().for_each(|part| part.schema = part.schema.wrapping_add(1));
        if key == *whole.key() {
            return Ok(());
        }
        let opened = Tagged::new(key.clone(), *whole.counts(), whole.stats().clone()).open(&*subject.metric);
        require!("storing", opened.is_err(), "a state of another layout is opened: {key}");
        let finished =
            State::new(Arc::new(key), *whole.counts(), whole.stats().clone()).score(&*subject.metric);
        require!("storing", finished.is_err(), "a state of another layout is finished");
        Ok(())
    }
}

impl Subject<'_> {
    /// Reads a stored state, with nothing behind it.
    pub(super) fn read(&self, text: &str) -> Result<State<AnyStats>> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = State::read(&*self.metric, &mut deserializer)?;
        let end = deserializer.end();
        end.map_err(|error| InputError::malformed_state(error.to_string())).map(|()| read)
    }
}

pub(super) fn stored(state: &impl Serialize) -> Held<String> {
    let refused = |error| Broken { law: "storing", shown: format!("a state is not stored: {error}") };
    serde_json::to_string(state).map_err(refused)
}
