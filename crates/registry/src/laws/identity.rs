//! Property tests of a metric's name and settings, and of states whose tokens come from another tokenizer.

use bleuprint_core::{Case, Signature, TokenSpace};

use super::prelude::*;
use super::seen::LawSubject;
use super::storing::foreign;

impl LawSubject<'_> {
    pub(super) fn hold_without_corpus(&self) -> Held {
        self.says_what_it_is()?;
        self.other_tokens()?;
        self.columns()?;
        self.hostile_counts()?;
        self.hostile_rows()
    }

    pub(super) fn says_what_it_is(&self) -> Held {
        const LAW: &str = "key and signature";
        let metric = &*self.metric;
        let identity = self.metric.identity();
        same(LAW, "the identity, asked twice", &metric.identity(), &identity)?;
        let key = metric.state_key();
        let signature = metric.signature();
        let printed = key.to_string();
        let own = identity.key().to_string();
        same(LAW, "the state key beside the identity's", &printed, &own)?;
        same(
            LAW,
            "the signature beside the identity's",
            &signature,
            &identity.signature(&SegmentCounts::default()),
        )?;
        same(LAW, "the scale beside the identity's", &metric.scale(), &identity.scale())?;
        let parsed: StateKey = fine(LAW, "parsing the printed key", printed.parse())?;
        same(LAW, "what the printed key is parsed to", &parsed, &*key)?;
        let parsed: Signature = fine(LAW, "parsing the printed signature", signature.to_string().parse())?;
        same(LAW, "what the printed signature is parsed to", &parsed, &signature)?;
        fine(LAW, "the metric's own states", metric.serves(&key))?;
        same("fresh zero", "zero, asked twice", &metric.zero(), &self.zero)
    }

    /// Tests that counts of tokens from another tokenizer can neither be merged nor subtracted.
    fn other_tokens(&self) -> Held {
        const LAW: &str = "foreign statistics";
        let Ok(space) = TokenSpace::new("tokens of somebody else", Case::Lower) else { return Ok(()) };
        let key = self.metric.identity().over(&space).key();
        let mut own = State::zero(&*self.metric);
        if key == *own.key() {
            return Ok(());
        }
        let other = foreign(key, own.counts(), &self.zero)?;
        require!(LAW, own.merge(&other).is_err(), "a state over other tokens is merged");
        require!(LAW, own.retract(&*self.metric, &other).is_err(), "a state over other tokens is subtracted");
        same_states(LAW, "after an error", &own, &State::zero(&*self.metric))
    }
}
