//! The laws of metrics over any tokens: which tokens they are does not matter, and the erased metric is the metric.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::borrow::Borrow;

use super::any::{ids, words};
use super::broken::{Broken, Held, fine, same};
use super::corpora::{Owned, Raw, with_segments};
use super::seen::{Checked, Subject, View};
use super::wrapper::same_speed_ups;
use super::{Equality, check_in_view};
use crate::{AnyMetric, Metric, Observe, Storable};

/// Every law for a metric over any tokens, typed and behind [`AnyMetric`].
///
/// # Panics
/// When a law is broken.
pub fn check<M>(metric: &M)
where
    M: Observe<[u8]> + Observe<[u32]> + Observe<[String]> + Clone + 'static,
    M: for<'t> Observe<[&'t str]>,
    M::Stats: Storable,
{
    let subject = Subject::new(metric, Equality::Exact);
    let view = View { make: &ids, tokens: true };
    check_in_view::<[u32], _, M>(&subject, &view, |corpus| {
        subject.relabelling(corpus)?;
        if metric.identity().is_token_remembered() {
            let view = View { make: &words, tokens: true };
            subject.erased::<[&str], _>(&AnyMetric::over_tokens(metric.clone()), &view, corpus)
        } else {
            let erased = AnyMetric::over_ids(metric.clone());
            let erased = erased.map_err(|error| Broken { law: "wrapper", shown: error.to_string() })?;
            subject.erased::<[u32], _>(&erased, &view, corpus)
        }
    });
}

impl<M: Metric> Subject<'_, M>
where
    M::Stats: Checked,
{
    /// Bytes and words give what ids give, and have speed-ups that tell the same.
    fn relabelling(&self, corpus: &[Owned<Raw>]) -> Held
    where
        M: Observe<[u8]> + Observe<[u32]> + Observe<[String]>,
    {
        self.renamed_ids(corpus)?;
        let bytes = |raw: &[u8]| raw.iter().map(|token| token % 3).collect::<Vec<u8>>();
        self.of_tokens::<[u8], _>("bytes", &bytes, corpus)?;
        let owned = |raw: &[u8]| words(raw).into_iter().map(String::from).collect::<Vec<String>>();
        self.of_tokens::<[String], _>("words", &owned, corpus)
    }

    /// Ids that name other tokens in every segment give what ids of one meaning give, unless the metric remembers tokens.
    pub(super) fn renamed_ids(&self, corpus: &[Owned<Raw>]) -> Held
    where
        M: Observe<[u32]>,
    {
        if self.metric.identity().is_token_remembered() {
            return Ok(());
        }
        let renamed = (0..).zip(corpus).map(|(segment, owned): (u32, _)| {
            let rename = |token: &u8| 4_000_000_000 - u32::from(token % 3) * 77_777 - segment * 1_001;
            owned.map(|raw| raw.iter().map(rename).collect())
        });
        let renamed: Vec<Owned<Vec<u32>>> = renamed.collect();
        let renamed = with_segments::<[u32], _, _>(&renamed, |segments| self.state(segments))?;
        let plain: Vec<_> = corpus.iter().map(|owned| owned.map(|raw| ids(raw))).collect();
        let plain = with_segments::<[u32], _, _>(&plain, |segments| self.state(segments))?;
        self.same("relabelling", "ids that mean other tokens in every segment", &renamed, &plain)
    }

    /// Tokens of another type.
    fn of_tokens<S, O>(&self, what: &str, make: &dyn Fn(&[u8]) -> O, corpus: &[Owned<Raw>]) -> Held
    where
        S: ?Sized,
        O: Borrow<S>,
        M: Observe<S> + Observe<[u32]>,
    {
        let view = View { make, tokens: true };
        let remembered = self.metric.identity().is_token_remembered();
        self.look_at::<S, O, _>(&view, corpus, |seen| {
            if !remembered {
                let plain: Vec<_> = corpus.iter().map(|owned| owned.map(|raw| ids(raw))).collect();
                let plain = with_segments::<[u32], _, _>(&plain, |segments| self.state(segments))?;
                self.same("relabelling", what, &seen.whole, &plain)?;
            }
            seen.speed_ups()
        })?;
        self.beginnings::<S, O>(&view, corpus)
    }

    /// Behind the pointer the statistics, the number and the speed-ups are those of the metric.
    fn erased<S, O>(&self, erased: &AnyMetric, view: &View<'_, O>, corpus: &[Owned<Raw>]) -> Held
    where
        S: ?Sized,
        O: Borrow<S>,
        M: Observe<S>,
        AnyMetric: Observe<S>,
    {
        let erased = Subject::new(erased, self.equality);
        let typed = self.look_at::<S, O, _>(view, corpus, |seen| Ok(seen.whole.stats().clone()))?;
        erased.look_at::<S, O, _>(view, corpus, |seen| {
            let stats = fine("wrapper", "statistics behind the pointer", seen.whole.stats().typed())?;
            same("wrapper", "statistics behind the pointer", stats, &typed)
        })?;
        same_speed_ups::<S, O, M, S, O, AnyMetric>(self, view, &erased, view, corpus)
    }
}
