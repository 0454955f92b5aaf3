//! Converts times to frames of 10 ms, the unit in which dscore counts time.

use crate::side::{Span, SpeakerTurns, Stretch, union};
use crate::ticks::SECOND;

const STEP: f64 = 0.01;

/// Returns the index of the first frame at or after a time in ticks. Frame `i` begins at `0.01 * i` seconds,
/// computed in floating point.
fn first_from(ticks: i64) -> i64 {
    let time = ticks as f64 / SECOND;
    let mut frame = (time / STEP).ceil() as i64;
    // The quotient may be rounded across a frame. The loops correct it with the same product of floats that
    // dscore's table has.
    while frame > 0 && STEP * (frame - 1) as f64 >= time {
        frame -= 1;
    }
    while STEP * (frame as f64) < time {
        frame += 1;
    }
    frame
}

/// Converts the scored region from ticks to frame numbers. The last frame begins at least one frame before
/// the end of the region.
pub(crate) fn of_region(region: &[(i64, i64)]) -> Span {
    let end = region.last().map_or(0.0, |last| last.1 as f64 / SECOND);
    let frames = (end / STEP).floor() as i64;
    union(region.iter().map(|&(start, end)| (first_from(start), first_from(end).min(frames))).collect())
}

/// Returns the speaker turns with their starts and ends as frame numbers.
pub(crate) fn of_side(side: SpeakerTurns<'_>) -> SpeakerTurns<'_> {
    let frames =
        |turn: &Stretch| Stretch { start: first_from(turn.start), end: first_from(turn.end), ..*turn };
    SpeakerTurns { turns: side.turns.iter().map(frames).collect(), ..side }
}
