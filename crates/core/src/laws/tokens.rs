//! The laws of metrics over any tokens: the type and the names of the tokens do not matter, and the erased metric has the
//! results of the typed one.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;

use super::Equality;
use super::any::{check_any, ids, words};
use super::broken::{Held, same, same_results};
use super::corpora::{Owned, Raw, hold, hold_on_corpora, with_segments};
use super::seen::{Checked, Subject, View};
use super::wrapper::{SPEED_UPS, Told};
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
    let (name, subject) = (metric.identity().name(), Subject::new(metric, Equality::Exact));
    let remembers = metric.identity().is_token_remembered();
    let erased =
        AnyMetric::over_ids(metric.clone()).unwrap_or_else(|_| AnyMetric::over_tokens(metric.clone()));
    let through = Subject::new(&erased, Equality::Exact);
    hold(&name, || {
        subject.says_what_it_is()?;
        subject.hostile_counts()
    });
    let view = View { make: &ids, tokens: true };
    hold_on_corpora(&name, &|raw| view.show(raw), |corpus| {
        subject.look_at::<[u32], _, _>(&view, corpus, |seen| seen.finishing())?;
        if remembers {
            let own = subject.told::<[&str], _>(&words, corpus)?;
            return same_told(
                "wrapper",
                "behind the pointer",
                &through.told::<[&str], _>(&words, corpus)?,
                &own,
            );
        }
        let own = subject.told::<[u32], _>(&ids, corpus)?;
        subject.renamed_ids(corpus)?;
        let bytes = |raw: &[u8]| raw.iter().map(|token| token % 3).collect::<Vec<u8>>();
        same_told("relabelling", "bytes", &subject.told::<[u8], _>(&bytes, corpus)?, &own)?;
        let owned = |raw: &[u8]| words(raw).into_iter().map(String::from).collect::<Vec<String>>();
        same_told("relabelling", "words", &subject.told::<[String], _>(&owned, corpus)?, &own)?;
        same_told("wrapper", "behind the pointer", &through.told::<[u32], _>(&ids, corpus)?, &own)
    });
    // The results behind the pointer are the same, so the other laws are checked there alone.
    check_any(&erased);
}

/// Two forms of a metric have the same results on a corpus.
fn same_told(law: &'static str, form: &str, told: &Told, own: &Told) -> Held {
    same(law, form, &told.stats, &own.stats)?;
    same(law, form, &told.numbers, &own.numbers)?;
    for ((name, own), told) in SPEED_UPS.iter().zip(&own.speed_ups).zip(&told.speed_ups) {
        // Some speed-ups exist for some types of tokens only.
        let there = *own != Ok(None) && *told != Ok(None);
        if there || law == "wrapper" {
            same_results(law, &format!("{form}, {name}"), told, own)?;
        }
    }
    Ok(())
}

impl<M: Metric> Subject<'_, M>
where
    M::Stats: Checked,
{
    fn told<S, O>(&self, make: &dyn Fn(&[u8]) -> O, corpus: &[Owned<Raw>]) -> Held<Told>
    where
        S: ?Sized,
        O: Borrow<S>,
        M: Observe<S>,
    {
        self.look_at::<S, O, _>(&View { make, tokens: true }, corpus, |seen| seen.told())
    }

    /// Ids may be renamed from segment to segment.
    pub(super) fn renamed_ids(&self, corpus: &[Owned<Raw>]) -> Held
    where
        M: Observe<[u32]>,
    {
        let renamed = (0..).zip(corpus).map(|(segment, owned): (u32, _)| {
            let rename = |token: &u8| 4_000_000_000 - u32::from(token % 3) * 77_777 - segment * 1_001;
            owned.map(|raw| raw.iter().map(rename).collect())
        });
        let renamed: Vec<Owned<Vec<u32>>> = renamed.collect();
        let renamed = with_segments::<[u32], _, _>(&renamed, |segments| self.state(segments))?;
        let plain: Vec<_> = corpus.iter().map(|owned| owned.map(|raw| ids(raw))).collect();
        let plain = with_segments::<[u32], _, _>(&plain, |segments| self.state(segments))?;
        self.same("relabelling", "ids renamed from segment to segment", &renamed, &plain)
    }
}
