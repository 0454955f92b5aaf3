//! Property tests of metrics over any tokens. Type and names of the tokens must not matter, and the
//! type-erased metric must give the results of the typed metric.

use super::any::{check_any, renamed, subject_of, words};
use super::form::with_made;
use super::prelude::*;
use super::seen::{LawSubject, SeenScores};
use super::wrapper::Told;

/// Tests that a metric over any tokens obeys every law (required property), both typed and as an
/// [`AnyMetric`].
///
/// # Panics
/// Panics if the metric breaks a law.
pub fn check<M>(metric: &M)
where
    M: Observe<[u8]> + Observe<[u32]> + Observe<[String]> + Clone + 'static,
    M: for<'t> Observe<[&'t str]>,
    M::Stats: Storable,
{
    let erased = AnyMetric::for_ids(metric.clone()).unwrap_or_else(|_| AnyMetric::for_tokens(metric.clone()));
    let ids = |number| LawSubject::new::<[u32], _, _>(metric.clone(), renamed(number), true);
    let words = LawSubject::new::<[&str], _, _>(metric.clone(), words, true);
    let bytes = LawSubject::new::<[u8], _, _>(metric.clone(), few, true);
    let strings = LawSubject::new::<[String], _, _>(metric.clone(), strings, true);
    check_forms(&ids, &[words, bytes, strings, subject_of(&erased)], &|segments| typed(metric, segments));
    // The results of the wrapped metric were shown to be equal, so the other laws are checked for it alone.
    check_any(&erased);
}

/// Returns the statistics of each segment, observed by the metric without type erasure.
fn typed<M>(metric: &M, segments: &[Segment<'_, [&str]>]) -> Result<Vec<AnyStats>>
where
    M: for<'t> Observe<[&'t str]>,
    M::Stats: Storable,
{
    let of = |segment: &Segment<'_, _>| {
        let mut stats = metric.zero();
        metric.observe(&mut M::Scratch::default(), &mut stats, *segment)?;
        Ok(AnyStats::from_stats(stats))
    };
    segments.iter().map(of).collect()
}

fn few(raw: &[u8]) -> Vec<u8> {
    raw.iter().map(|token| token % 3).collect()
}

fn strings(raw: &[u8]) -> Vec<String> {
    words(raw).into_iter().map(String::from).collect()
}

/// Function that returns the statistics of each segment, observed by the metric without type erasure.
type Typed<'m> = dyn Fn(&[Segment<'_, [&str]>]) -> Result<Vec<AnyStats>> + 'm;

/// Runs property tests of a metric over several kinds of tokens: ids, ids that are renamed for each segment,
/// bytes and words. Also tests the metric in a wrapper, and without type erasure.
fn check_forms<'m>(
    ids: &dyn Fn(Option<u32>) -> LawSubject<'m>,
    [words, bytes, strings, erased]: &[LawSubject<'_>; 4],
    typed: &Typed<'_>,
) {
    let subject = ids(None);
    let identity = subject.metric.identity();
    let name = identity.name();
    let remembers = identity.needs().tokens;
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

/// Tests that the type-erased metric gives the same statistics as the typed metric.
fn typed_and_erased(typed: &Typed<'_>, seen: &SeenScores<'_>) -> Held {
    const LAW: &str = "wrapper";
    let typed = with_made(&words, seen.segments, |segments| typed(segments));
    same(LAW, "each segment without types", &seen.alone, &fine(LAW, "each segment with types", typed)?)
}

/// Returns an error unless a metric gives the same results on a test corpus in two variants, such as over ids
/// and over words.
fn same_told(law: &'static str, form: &str, told: &Told, own: &Told) -> Held {
    same(law, form, &told.stats, &own.stats)?;
    same(law, form, &told.numbers, &own.numbers)?;
    same(law, form, &told.missing, &own.missing)?;
    for ((name, own), (_, told)) in own.speed_ups.iter().zip(&told.speed_ups) {
        // Some speed-ups exist only for some types of tokens.
        let there = *own != Ok(None) && *told != Ok(None);
        if there || law == "wrapper" {
            same_results(law, &format!("{form}, {name}"), told, own)?;
        }
    }
    Ok(())
}

impl LawSubject<'_> {
    fn told(&self, corpus: &[OwnedSegment]) -> Held<Told> {
        self.look_at(corpus, |seen| seen.told())
    }

    /// Tests that token ids may be renamed from segment to segment without an effect.
    pub(super) fn renamed_ids<'m>(
        &self,
        corpus: &[OwnedSegment],
        renamed: &dyn Fn(Option<u32>) -> LawSubject<'m>,
    ) -> Held {
        let mut state = State::zero(&*self.metric);
        let mut scratch = AnyScratch::default();
        for (number, owned) in (0..).zip(corpus) {
            with_segments(core::slice::from_ref(owned), |segments| {
                renamed(Some(number)).observe_into(&mut state, &mut scratch, segments)
            })?;
        }
        let plain = with_segments(corpus, |segments| self.state(segments))?;
        // The way out comes first: the two statistics that follow may be long.
        let what = "ids renamed from segment to segment (a metric that keeps the tokens themselves declares \
                    `needing(|needs| needs.tokens = true)` and is made by `AnyMetric::for_tokens`; \
                    `Panel::for_ids` passes ids of a vocabulary to it)";
        same_states("relabelling", what, &state, &plain)
    }
}
