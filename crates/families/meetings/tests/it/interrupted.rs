//! Tests that long work ends early after an interrupt: sessions whose words all overlap in time, and sessions with many
//! ways of utterances into streams.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bleuprint_core::{Accumulator, InputErrorKind, Observe};
use bleuprint_inference::interruptible;
use bleuprint_meetings::{CpWer, OrcWer, TimeConstraint, Utterance, WordTiming};

/// Returns the words of utterances that all last the same second.
fn session(utterances: usize, words: usize, times: u64) -> Vec<String> {
    let utterance = |number: usize| {
        let head = Utterance::head(["A", "B"][number % 2], Some([0.0, 1.0]), words);
        let words = (0..words as u64).map(move |at| ((at + number as u64) * at * times % 5_000).to_string());
        std::iter::once(head).chain(words)
    };
    (0..utterances).flat_map(utterance).collect()
}

/// Counts the sessions, and interrupts the work 200 ms after its first question. On a busy machine the clock shows
/// more than the second of processor time within which kernels ask.
fn is_interrupted<M: for<'t> Observe<[&'t str]>>(name: &str, metric: M, sessions: [Vec<String>; 2]) {
    let [hypothesis, reference] =
        [&sessions[0], &sessions[1]].map(|session| session.iter().map(String::as_str).collect::<Vec<_>>());
    let begun = Arc::new(OnceLock::<Instant>::new());
    let asked = begun.clone();
    let stop = move || asked.get_or_init(Instant::now).elapsed() > Duration::from_millis(200);
    let push = || Accumulator::<_, [&str]>::new(metric).push(&hypothesis, &[&reference]).map(drop);
    let kind = interruptible(stop, push).map_err(|error| error.kind().clone());
    assert_eq!(kind, Err(InputErrorKind::Interrupted), "{name}");
    let took = begun.get().map(Instant::elapsed);
    assert!(took.is_some_and(|took| took < Duration::from_secs(6)), "{name}: {took:?}");
}

#[test]
fn sessions_end_when_they_are_told_to() {
    let whole = TimeConstraint::new(5.0).unwrap().with_timing(WordTiming::Utterance, WordTiming::Utterance);
    is_interrupted("tcpwer", CpWer::timed(whole), [session(1, 200_000, 1), session(1, 200_000, 1)]);
    is_interrupted("orcwer", OrcWer::untimed(), [session(60, 40, 3), session(60, 40, 7)]);
}
