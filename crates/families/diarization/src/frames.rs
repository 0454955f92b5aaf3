//! Frames of a hundredth of a second, on which dscore counts.

use crate::side::{Span, SpeakerTurns, Stretch, union};
use crate::ticks::SECOND;

const STEP: f64 = 0.01;

/// The first frame whose time is not before a time in ticks; frame `i` has the time `0.01 * i`, a product of floats.
fn first_from(ticks: i64) -> i64 {
    let time = ticks as f64 / SECOND;
    let mut frame = (time / STEP).ceil() as i64;
    while frame > 0 && STEP * (frame - 1) as f64 >= time {
        frame -= 1;
    }
    while STEP * (frame as f64) < time {
        frame += 1;
    }
    frame
}

/// The frames of a region, of which the last begins a frame before its end.
pub(crate) fn of_region(region: &[(i64, i64)]) -> Span {
    let end = region.last().map_or(0.0, |last| last.1 as f64 / SECOND);
    let frames = (end / STEP).floor() as i64;
    union(region.iter().map(|&(start, end)| (first_from(start), first_from(end).min(frames))).collect())
}

/// The frames of the turns of a side.
pub(crate) fn of_side(side: SpeakerTurns<'_>) -> SpeakerTurns<'_> {
    let frames =
        |turn: &Stretch| Stretch { start: first_from(turn.start), end: first_from(turn.end), ..*turn };
    SpeakerTurns { turns: side.turns.iter().map(frames).collect(), ..side }
}
