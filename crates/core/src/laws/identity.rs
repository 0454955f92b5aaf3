//! The laws of what a metric says of itself, and of states that are not its own.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;

use super::broken::{Held, require, same, same_state};
use super::seen::{Checked, Subject};
use crate::{Case, Metric, SegmentCounts, State, TokenSpace};

impl<M: Metric> Subject<'_, M>
where
    M::Stats: Checked,
{
    /// Every law that needs no corpus.
    pub(super) fn hold_without_corpus(&self) -> Held {
        self.says_what_it_is()?;
        self.other_tokens()?;
        self.columns()?;
        self.hostile_counts()?;
        self.hostile_rows()
    }

    /// The key, the signature and the scale follow from the identity, and are parsed back from what they print.
    fn says_what_it_is(&self) -> Held {
        const LAW: &str = "key and signature";
        let (metric, identity) = (self.metric, self.metric.identity());
        same(LAW, "the identity, asked twice", &metric.identity(), &identity)?;
        let (key, signature) = (metric.state_key(), metric.signature());
        same(LAW, "the state key beside the identity's", &*key, &identity.key())?;
        same(
            LAW,
            "the signature beside the identity's",
            &signature,
            &identity.signature(&SegmentCounts::default()),
        )?;
        same(LAW, "the scale beside the identity's", &metric.scale(), &identity.scale())?;
        same(LAW, &format!("what `{key}` is parsed to"), &key.to_string().parse().as_ref(), &Ok(&*key))?;
        let parsed = signature.to_string().parse();
        same(LAW, &format!("what `{signature}` is parsed to"), &parsed.as_ref(), &Ok(&signature))?;
        same(LAW, "whether the metric serves its own states", &metric.serves(&key), &Ok(()))?;
        same("fresh zero", "zero, asked twice", &metric.zero(), &self.zero)
    }

    /// A state over other tokens is neither merged nor subtracted.
    fn other_tokens(&self) -> Held {
        const LAW: &str = "foreign statistics";
        let Ok(space) = TokenSpace::new("tokens of somebody else", Case::Lower) else { return Ok(()) };
        let key = self.metric.identity().over(&space).key();
        let mut own = State::zero(self.metric);
        if key == *own.key() {
            return Ok(());
        }
        let other = State::new(Arc::new(key), *own.counts(), self.zero.clone());
        require!(LAW, own.merge(&other).is_err(), "a state over other tokens is merged");
        require!(LAW, own.check_merge(&other).is_err(), "a state over other tokens would be merged");
        require!(LAW, own.retract(self.metric, &other).is_err(), "a state over other tokens is subtracted");
        same_state(LAW, "after an error", &own, &State::zero(self.metric))
    }
}
