//! The laws of a metric at the run-time door, whatever it looks at and whatever its statistics are.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::format;

use super::{OwnedSegment, corpora, json, tokens};
use crate::{AnyMetric, AnyScratch, AnySegment, AnyState, Case, InputError, Segment, TokenSpace, ViewKind};

type Corpus = [OwnedSegment<Vec<u8>>];

/// Every law that can be seen through the run-time door: merging, reference order, purity, scale, storing, hostile
/// states, foreign states and segments; and rows and subtraction where the statistics are linear. States are
/// compared as they are stored, so what is stored must be everything, and in one order.
///
/// A metric of two passes learns from each corpus before it observes it.
///
/// # Panics
/// When a law is broken.
pub fn check_any(metric: &dyn AnyMetric) {
    let key = metric.state_key();
    assert_eq!(key.to_string().parse().as_ref(), Ok(key), "the state key is parsed back");
    assert_eq!(&metric.identity().key(), key, "the state key follows from the identity");
    for corpus in corpora(tokens) {
        let second = metric.first_pass().map(|first| learned(metric, first, &corpus));
        check_corpus(second.as_deref().unwrap_or(metric), &corpus);
    }
}

fn learned(metric: &dyn AnyMetric, first: &dyn AnyMetric, corpus: &Corpus) -> Box<dyn AnyMetric> {
    check_corpus(first, corpus);
    match observe(first, corpus).and_then(|state| metric.second_pass(&state)) {
        Ok(second) => second,
        Err(error) => panic!("the second pass does not follow the first: {error}: {corpus:?}"),
    }
}

fn check_corpus(metric: &dyn AnyMetric, corpus: &Corpus) {
    let name = metric.identity().name();
    let whole = observed(metric, corpus);
    let stored = json(&whole);
    for cut in 0..=corpus.len() {
        let (left, right) = corpus.split_at(cut);
        let (a, b) = (observed(metric, left), observed(metric, right));
        let ab = merged(metric, &a, &b);
        assert_eq!(json(&ab), stored, "{name}: homomorphism, cut {cut} of {corpus:?}");
        assert_eq!(json(&merged(metric, &b, &a)), stored, "{name}: commutativity, cut {cut} of {corpus:?}");
        assert_eq!(json(&merged(metric, &metric.zero(), &a)), json(&a), "{name}: identity, {left:?}");
        check_rows(metric, &a, &b, &ab);
    }
    if !metric.identity().is_reference_order_kept() {
        let reversed: Vec<_> = corpus.iter().map(OwnedSegment::reversed).collect();
        assert_eq!(json(&observed(metric, &reversed)), stored, "{name}: reference order, {corpus:?}");
    }
    check_score(metric, &whole, corpus);
    let score = metric.score(&whole);
    let other = OwnedSegment {
        hypothesis: alloc::vec![0, 1, 2],
        references: alloc::vec![alloc::vec![0, 1]],
        source: alloc::vec![1],
    };
    // What is observed and finished in between must not show: a state elsewhere than in the statistics would.
    let _ = observe(metric, core::slice::from_ref(&other)).and_then(|other| metric.score(&other));
    assert_eq!(
        metric.score(&whole),
        score,
        "{name}: a score depends on what was observed elsewhere, {corpus:?}"
    );
    assert_eq!(json(&whole), stored, "{name}: finishing only reads, {corpus:?}");
    check_storing(metric, &whole);
    check_foreign(metric, &whole);
}

/// Hands a segment to `look` in the metric's view.
fn in_view<R>(kind: ViewKind, owned: &OwnedSegment<Vec<u8>>, look: impl FnOnce(AnySegment<'_>) -> R) -> R {
    match kind {
        ViewKind::Ids => {
            let ids = |tokens: &Vec<u8>| tokens.iter().map(|&t| 7 + u32::from(t) * 1_000_003).collect();
            owned.map(|tokens: &Vec<u8>| -> Vec<u32> { ids(tokens) }).with(|s| look(AnySegment::Ids(s)))
        }
        ViewKind::Tokens => {
            let word = |token: &u8| ["a", "the cat", "é"][usize::from(*token % 3)];
            let words = owned.map(|tokens| tokens.iter().map(word).collect::<Vec<&str>>());
            words.with(|segment| look(AnySegment::Tokens(segment)))
        }
        ViewKind::Text => {
            let word = |token: &u8| ["a", "cat.", "é"][usize::from(*token % 3)];
            let text = |tokens: &Vec<u8>| tokens.iter().map(word).collect::<Vec<&str>>().join(" ");
            owned.map(|tokens| -> String { text(tokens) }).with(|segment| look(AnySegment::Text(segment)))
        }
    }
}

fn observe(metric: &dyn AnyMetric, corpus: &Corpus) -> Result<AnyState, InputError> {
    let (mut scratch, mut state) = (metric.scratch(), metric.zero());
    for owned in corpus {
        in_view(metric.view().kind, owned, |segment| metric.observe(&mut scratch, &mut state, segment))?;
    }
    Ok(state)
}

fn observed(metric: &dyn AnyMetric, corpus: &Corpus) -> AnyState {
    match observe(metric, corpus) {
        Ok(state) => state,
        Err(error) => panic!("{}: a segment is refused: {error}: {corpus:?}", metric.identity().name()),
    }
}

fn merged(metric: &dyn AnyMetric, a: &AnyState, b: &AnyState) -> AnyState {
    let mut merged = a.clone();
    assert_eq!(metric.check_merge(a, b), Ok(()), "states of one metric merge");
    assert_eq!(metric.merge(&mut merged, b), Ok(()), "states of one metric merge");
    merged
}

fn check_rows(metric: &dyn AnyMetric, a: &AnyState, b: &AnyState, ab: &AnyState) {
    let Some(linear) = metric.linear() else { return };
    let row = |state| match linear.row(state) {
        Ok(row) => row,
        Err(error) => panic!("a metric must give the row of its own state: {error}"),
    };
    let sum: Vec<u64> = row(a).iter().zip(row(b)).map(|(x, y)| x + y).collect();
    assert_eq!(row(ab), sum, "rows: row(a ⊕ b) = row(a) + row(b)");
    assert_eq!(linear.column_names().len(), sum.len(), "one count for each column");
    assert_eq!(linear.read_row(&sum).map(|state| json(&state)), Ok(json(ab)), "a row is read back");
    assert!(
        linear.read_row(&sum[1..]).is_err() && linear.read_row(&[]).is_err(),
        "a row that was cut is read"
    );
    let mut less = ab.clone();
    assert_eq!(linear.retract(&mut less, b), Ok(()));
    assert_eq!(json(&less), json(a), "retraction: (a ⊕ b) ⊖ b = a");
    if let Ok(scored) = metric.score(ab) {
        assert_eq!(linear.score_row(&sum), Ok(scored.score.value), "the score of a row is that of its state");
    }
}

fn check_score(metric: &dyn AnyMetric, state: &AnyState, corpus: &Corpus) {
    let name = metric.identity().name();
    let first = metric.score(state);
    assert_eq!(metric.score(state), first, "{name}: finishing twice, {corpus:?}");
    let Ok(scored) = first else { return };
    let (scale, printed) = (metric.scale(), scored.signature.to_string());
    assert_eq!(scored.score.scale, scale, "{name}: one scale");
    assert_eq!(scored.score.headlines.first().map(|headline| headline.value), Some(scored.score.value));
    let on_scale = scored.score.headlines.iter().all(|headline| scale.contains(headline.value));
    assert!(on_scale, "{name}: {:?} is not on the scale {scale:?}, {corpus:?}", scored.score.headlines);
    assert_eq!(printed.parse().as_ref(), Ok(&scored.signature), "{name}: the signature is parsed back");
}

fn check_storing(metric: &dyn AnyMetric, state: &AnyState) {
    let text = json(state).to_string();
    let restore = |text: &str| {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = metric.restore(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut deserializer));
        read.and_then(|state| {
            deserializer
                .end()
                .map(|()| state)
                .map_err(|error| InputError::malformed_state(format!("{error}")))
        })
    };
    match restore(&text) {
        Ok(read) => assert_eq!(json(&read), json(state), "storing: {text}"),
        Err(error) => panic!("a state must be read back: {error}: {text}"),
    }
    // Every cut of a small state is enough: larger ones have the same form.
    let ends = if state.counts().segments <= 1 { text.len() } else { 0 };
    for end in 0..ends {
        let cut = text.get(..end).unwrap_or_default();
        assert!(restore(cut).is_err(), "a truncated state is accepted: {cut}");
    }
    let key = metric.state_key().to_string();
    let foreign = text.replace(&key, &key.replacen("/", "/9", 1));
    assert!(restore(&foreign).is_err(), "a state of another layout is accepted: {foreign}");
}

/// States, scratch and segments that are not the metric's are errors.
fn check_foreign(metric: &dyn AnyMetric, state: &AnyState) {
    let mut other = state.clone();
    let Ok(space) = TokenSpace::new("tokens of somebody else", Case::Lower) else { return };
    other.key = alloc::sync::Arc::new(metric.identity().over(&space).key());
    let mut own = state.clone();
    assert!(metric.merge(&mut own, &other).is_err(), "a state over other tokens is merged");
    assert!(metric.check_merge(&own, &other).is_err(), "a state over other tokens would be merged");
    assert_eq!(json(&own), json(state), "after an error the state is unchanged");
    if let Some(linear) = metric.linear() {
        assert!(linear.retract(&mut own, &other).is_err(), "a state over other tokens is subtracted");
        assert!(linear.row(&other).is_err(), "the row of a state over other tokens is given");
    }
    let ids = AnySegment::Ids(Segment::new(&[1, 2], &[&[1, 2]]));
    let text = AnySegment::Text(Segment::new("a", &["a"]));
    let in_another_view = if metric.view().kind == ViewKind::Ids { text } else { ids };
    let refused = metric.observe(&mut metric.scratch(), &mut own, in_another_view);
    assert!(refused.is_err(), "a segment in another view is observed");
    let mut no_scratch = AnyScratch { value: Box::new("no scratch of any metric") };
    let segment = OwnedSegment {
        hypothesis: alloc::vec![1],
        references: alloc::vec![alloc::vec![1]],
        source: alloc::vec![1],
    };
    let refused =
        in_view(metric.view().kind, &segment, |segment| metric.observe(&mut no_scratch, &mut own, segment));
    assert!(refused.is_err(), "scratch of another metric is used");
    assert_eq!(json(&own), json(state), "after an error the state is unchanged");
}
