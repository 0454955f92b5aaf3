//! The laws of finishing and of storing.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;

use serde::Serialize;

use super::broken::{Broken, Held, fine, require, same, same_scores, same_states};
use super::seen::{Checked, Seen, Subject};
use crate::{InputError, InputErrorKind, Metric, Observe, Result, Scale, Score, State, Tagged};

impl<S: ?Sized, M: Observe<S>> Seen<'_, S, M>
where
    M::Stats: Checked,
{
    /// Finishing is repeatable, changes nothing, and does not depend on what was observed and finished elsewhere; its
    /// numbers have names, lie on the scale, and the first of them is the number.
    pub(super) fn finishing(&self) -> Held {
        let Seen { subject, whole, .. } = self;
        let before = whole.clone();
        let first = subject.finish(whole);
        same_scores("finishing only reads", "finished twice", &subject.finish(whole), &first)?;
        let other = subject.state(self.other)?;
        let _ = subject.finish(&other);
        let elsewhere = "finished after a state of other segments";
        same_scores("finishing only reads", elsewhere, &subject.finish(whole), &first)?;
        same_states("finishing only reads", "the state after it was finished", whole, &before)?;
        fine("own check", "what was observed", subject.metric.check(whole.stats(), whole.counts()))?;
        subject.number(whole)?;
        match first {
            Ok(headlines) => subject.headlines(&headlines),
            Err(error) => no_score(&error),
        }
    }

    /// A state survives storing in all it does: it is equal, scores the same and goes on the same. Every truncation of it
    /// is an error, and so is a state of another layout.
    pub(super) fn storing(&self) -> Held {
        const LAW: &str = "storing";
        let Seen { subject, whole, .. } = self;
        let text = stored(whole)?;
        let mut read = fine(LAW, &text, subject.read(&text))?;
        same_states(LAW, &format!("read from {text}"), &read, whole)?;
        same_scores(LAW, &format!("the score of {text}"), &subject.finish(&read), &subject.finish(whole))?;
        let (mut scratch, mut longer) = (M::Scratch::default(), whole.clone());
        subject.observe_into(&mut longer, &mut scratch, self.other)?;
        subject.observe_into(&mut read, &mut scratch, self.other)?;
        same_states(LAW, &format!("observed on from {text}"), &read, &longer)?;
        // Every cut of a small state is enough: larger ones have the same form.
        let ends = if whole.counts().segments <= 1 { text.len() } else { 0 };
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
        let opened = Tagged::new(key.clone(), *whole.counts(), whole.stats().clone()).open(subject.metric);
        require!("storing", opened.is_err(), "a state of another layout is opened: {key}");
        let finished =
            State::new(Arc::new(key), *whole.counts(), whole.stats().clone()).score(subject.metric);
        require!("storing", finished.is_err(), "a state of another layout is finished");
        Ok(())
    }
}

/// A state as it is stored.
pub(super) fn stored(state: &impl Serialize) -> Held<String> {
    let refused = |error| Broken { law: "storing", shown: format!("a state is not stored: {error}") };
    serde_json::to_string(state).map_err(refused)
}

/// What may be said in place of a score.
fn no_score(error: &InputError) -> Held {
    let kind = error.kind();
    let known = matches!(kind, InputErrorKind::NoScore { .. } | InputErrorKind::CannotFinish { .. });
    require!(
        "finishing only reads",
        known || matches!(kind, InputErrorKind::EmptyCorpus),
        "what the metric observed has no score, and the error is no reason of a definition: {error}"
    );
    Ok(())
}

impl<M: Metric> Subject<'_, M>
where
    M::Stats: Checked,
{
    /// Reads a state that was stored, and nothing behind it.
    pub(super) fn read(&self, text: &str) -> Result<State<M::Stats>> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = State::read(self.metric, &mut deserializer)?;
        let end = deserializer.end();
        end.map_err(|error| InputError::malformed_state(error.to_string())).map(|()| read)
    }

    /// The number is the value of the score, to the bit.
    fn number(&self, state: &State<M::Stats>) -> Held {
        let number = self.metric.number(state.stats(), state.counts()).map(|number| vec![number]);
        let score = self.metric.finalize(state.stats(), state.counts());
        let score = score.map(|score| (vec![score.value()], score.headlines()));
        let value = score.clone().map(|(value, _)| value);
        same_scores("number", "the number beside the value of the score", &number, &value)?;
        let first = score.map(|(value, headlines)| headlines.first().map_or(value, |first| vec![*first]));
        same_scores("number", "the first headline number beside the value of the score", &first, &value)
    }

    fn headlines(&self, headlines: &[f64]) -> Held {
        let names = self.metric.headline_names();
        let alike = names.len() == headlines.len();
        require!("headlines", alike, "the names {names:?} of the numbers {headlines:?}");
        let twice = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
        require!("headlines", twice.is_none(), "a name is there twice: {names:?}");
        // The numbers of several metrics lie on scales of their own, of which the first is known.
        let several = self.metric.identity().parts() > 1;
        let of_scale = if several { &headlines[..headlines.len().min(1)] } else { headlines };
        let Scale { min, max, .. } = self.metric.scale();
        for value in of_scale {
            let on_scale = self.metric.scale().contains(*value);
            require!("scale", on_scale, "{value:?} is not on the scale from {min} to {max}");
        }
        Ok(())
    }
}
