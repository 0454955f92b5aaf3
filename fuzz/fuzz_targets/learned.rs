//! Fuzzes learned data of first passes: any bytes, and a valid file with edits. Data that is read must be
//! written again unchanged and serve a second pass; other data must be rejected.
#![no_main]

use std::sync::LazyLock;

use bleuprint::eval::Panel;
use bleuprint::{Accumulator, AnyMetric, Segment};
use bleuprint_fuzz::{REGISTRY, edited, sealed, words};
use libfuzzer_sys::fuzz_target;

static PANEL: LazyLock<Panel> = LazyLock::new(|| {
    let learns = |metric: &AnyMetric| metric.first_pass().is_some() && !metric.view.kind.is_beside_text();
    let built = REGISTRY.entries().iter().filter_map(|entry| entry.build(&entry.example_options()).ok());
    Panel::new(built.filter(learns), &words()).expect("a panel")
});

static FIRST: LazyLock<Panel> = LazyLock::new(|| PANEL.first_pass().expect("metrics that learn"));

static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut learner = Accumulator::<&Panel, str>::new(&*FIRST);
    learner.add(Segment::new("a b", &["a b c", "d"])).expect("a segment");
    FIRST.learned_to_vec(learner.total()).expect("a file")
});

fuzz_target!(|data: &[u8]| {
    let bytes = match data.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        Some((_, edits)) => sealed(edited(&VALID, edits)),
        None => VALID.clone(),
    };
    let Ok(learned) = FIRST.restore_learned(&bytes) else { return };
    let again = FIRST.learned_to_vec(&learned).expect("what was read is written");
    assert_eq!(FIRST.restore_learned(&again).expect("what was written is read"), learned);
    let Ok(second) = PANEL.clone().second_pass(&learned) else { return };
    let mut scorer = Accumulator::<&Panel, str>::new(&second);
    if scorer.add(Segment::new("a b", &["a b c"])).is_ok()
        && let Ok(scores) = second.scores(scorer.total())
    {
        assert!(scores.iter().all(|scored| !scored.score.value.is_nan()), "{scores:?}");
    }
});
