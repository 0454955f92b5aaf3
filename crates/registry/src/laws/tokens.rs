//! The laws of metrics over any tokens: the type and the names of the tokens do not matter, and the erased metric has the
//! results of the typed one.

use super::any::{check_any, renamed, subject_of, words};
use super::form::with_made;
use super::prelude::*;
use super::seen::{Seen, Subject};
use super::wrapper::Told;

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
    let erased =
        AnyMetric::over_ids(metric.clone()).unwrap_or_else(|_| AnyMetric::over_tokens(metric.clone()));
    let ids = |number| Subject::new::<[u32], _, _>(metric.clone(), renamed(number), true);
    let words = Subject::new::<[&str], _, _>(metric.clone(), words, true);
    let bytes = Subject::new::<[u8], _, _>(metric.clone(), few, true);
    let strings = Subject::new::<[String], _, _>(metric.clone(), strings, true);
    check_forms(&ids, &[words, bytes, strings, subject_of(&erased)], &|segments| typed(metric, segments));
    // The results behind the pointer are the same, so the other laws are checked there alone.
    check_any(&erased);
}

/// The statistics of each segment, by the metric itself.
fn typed<M>(metric: &M, segments: &[Segment<'_, [&str]>]) -> Result<Vec<AnyStats>>
where
    M: for<'t> Observe<[&'t str]>,
    M::Stats: Storable,
{
    let of = |segment: &Segment<'_, _>| {
        let mut stats = metric.zero();
        metric.observe(&mut M::Scratch::default(), &mut stats, *segment)?;
        Ok(AnyStats::of(stats))
    };
    segments.iter().map(of).collect()
}

fn few(raw: &[u8]) -> Vec<u8> {
    raw.iter().map(|token| token % 3).collect()
}

fn strings(raw: &[u8]) -> Vec<String> {
    words(raw).into_iter().map(String::from).collect()
}

/// The statistics of each segment by the typed metric.
type Typed<'m> = dyn Fn(&[Segment<'_, [&str]>]) -> Result<Vec<AnyStats>> + 'm;

/// A metric over ids, with those of a segment renamed, over the other kinds of tokens, behind the pointer, and with its types.
fn check_forms<'m>(
    ids: &dyn Fn(Option<u32>) -> Subject<'m>,
    [words, bytes, strings, erased]: &[Subject<'_>; 4],
    typed: &Typed<'_>,
) {
    let subject = ids(None);
    let identity = subject.metric.identity();
    let (name, remembers) = (identity.name(), identity.needs().tokens);
    hold(&name, || {
        subject.says_what_it_is()?;
        subject.hostile_counts()
    });
    hold_on_corpora(&name, &*subject.show, &|corpus| {
        subject.look_at(corpus, |seen| seen.finishing())?;
        words.look_at(corpus, |seen| typed_and_erased(typed, seen))?;
        let erased = erased.told(corpus)?;
        if remembers {
            return same_told("wrapper", "behind the pointer", &erased, &words.told(corpus)?);
        }
        let own = subject.told(corpus)?;
        subject.renamed_ids(corpus, ids)?;
        same_told("relabelling", "bytes", &bytes.told(corpus)?, &own)?;
        same_told("relabelling", "words", &strings.told(corpus)?, &own)?;
        same_told("wrapper", "behind the pointer", &erased, &own)
    });
}

/// The laws see the metric without its types, and it is the same.
fn typed_and_erased(typed: &Typed<'_>, seen: &Seen<'_>) -> Held {
    const LAW: &str = "wrapper";
    let typed = with_made(&words, seen.segments, |segments| typed(segments));
    same(LAW, "each segment without types", &seen.alone, &fine(LAW, "each segment with types", typed)?)
}

/// Two forms of a metric have the same results on a corpus.
fn same_told(law: &'static str, form: &str, told: &Told, own: &Told) -> Held {
    same(law, form, &told.stats, &own.stats)?;
    same(law, form, &told.numbers, &own.numbers)?;
    same(law, form, &told.missing, &own.missing)?;
    for ((name, own), (_, told)) in own.speed_ups.iter().zip(&told.speed_ups) {
        // Some speed-ups exist for some types of tokens only.
        let there = *own != Ok(None) && *told != Ok(None);
        if there || law == "wrapper" {
            same_results(law, &format!("{form}, {name}"), told, own)?;
        }
    }
    Ok(())
}

impl Subject<'_> {
    fn told(&self, corpus: &[Owned]) -> Held<Told> {
        self.look_at(corpus, |seen| seen.told())
    }

    /// Ids may be renamed from segment to segment.
    pub(super) fn renamed_ids<'m>(
        &self,
        corpus: &[Owned],
        renamed: &dyn Fn(Option<u32>) -> Subject<'m>,
    ) -> Held {
        let (mut state, mut scratch) = (State::zero(&*self.metric), AnyScratch::default());
        for (number, owned) in (0..).zip(corpus) {
            with_segments(core::slice::from_ref(owned), |segments| {
                renamed(Some(number)).observe_into(&mut state, &mut scratch, segments)
            })?;
        }
        let plain = with_segments(corpus, |segments| self.state(segments))?;
        same_states("relabelling", "ids renamed from segment to segment", &state, &plain)
    }
}
