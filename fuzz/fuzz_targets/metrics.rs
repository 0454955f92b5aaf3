//! Fuzzes merging of every metric: for any segments, any cut and both orders, the merged parts have the
//! state and score of the whole.
#![no_main]

use std::sync::LazyLock;

use bleuprint::eval::{Panel, PanelState};
use bleuprint::{Accumulator, Segment};
use bleuprint_fuzz::{REGISTRY, panel};
use libfuzzer_sys::fuzz_target;

/// Panels of the metrics that need no files.
static PANELS: LazyLock<Vec<Panel>> =
    LazyLock::new(|| REGISTRY.entries().iter().filter_map(|entry| panel(&entry.name)).collect());

fuzz_target!(|data: &[u8]| {
    let [which, cut, rest @ ..] = data else { return };
    if rest.len() > 400 {
        return;
    }
    let lines: Vec<String> = rest.split(|&byte| byte == 255).map(line).collect();
    // Each chunk is a hypothesis and two references; the first reference is also the source.
    let segments: Vec<(&str, [&str; 2])> =
        lines.chunks_exact(3).map(|texts| (&*texts[0], [&*texts[1], &*texts[2]])).collect();
    if segments.is_empty() {
        return;
    }
    let panel = &PANELS[usize::from(*which) % PANELS.len()];
    let panel = match panel.first_pass() {
        Some(first) => match observe(&first, &segments) {
            Some(learned) => panel.clone().second_pass(&learned).expect("what was learned"),
            None => return,
        },
        None => panel.clone(),
    };
    let Some(whole) = observe(&panel, &segments) else { return };
    let (before, after) = segments.split_at(usize::from(*cut) % (segments.len() + 1));
    let part = |segments| observe(&panel, segments).expect("what the whole has observed");
    let (before, after) = (part(before), part(after));
    for (mut left, right) in [(before.clone(), &after), (after.clone(), &before)] {
        left.merge(right).expect("parts of one whole");
        assert_eq!(left, whole);
    }
    if let Ok(scores) = panel.scores(&whole) {
        assert!(scores.iter().all(|scored| !scored.score.value.is_nan()), "{scores:?}");
    }
});

/// Returns the statistics of segments under a panel, or `None` if the panel rejects a segment.
fn observe(panel: &Panel, segments: &[(&str, [&str; 2])]) -> Option<PanelState> {
    let mut corpus = Accumulator::<&Panel, str>::new(panel);
    for &(hypothesis, ref references) in segments {
        corpus.add(Segment::with_source(hypothesis, references, Some(references[0]))).ok()?;
    }
    Some(corpus.into())
}

/// Returns words of few letters, with some characters that are not letters.
fn line(bytes: &[u8]) -> String {
    const PIECES: [&str; 16] =
        ["a", "b", "c", "d", "ab", " ", " ", " ", " ", ".", ",", "1", "é", "中", "\n", "A"];
    bytes.iter().map(|byte| PIECES[usize::from(byte % 16)]).collect()
}
