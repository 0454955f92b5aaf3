//! [`SpeakerTurns`]: the speaker turns of a reference or hypothesis, with times as integers. [`Span`]: a list
//! of time stretches.

use bleuprint_core::{InputError, Result};

use crate::ticks::{seconds, ticks};
use crate::{Regions, Turns};

/// Largest number of speakers in a reference or hypothesis; the running time of mapping speakers grows with
/// its cube.
pub(crate) const MOST_SPEAKERS: usize = 100;

/// Largest number of speaker turns in the reference or hypothesis of a recording.
pub(crate) const MOST_TURNS: usize = 400_000;

/// Speaker turn with the index of its speaker, and its start and end in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) speaker: usize,
    pub(crate) start: i64,
    pub(crate) end: i64,
}

/// Speaker turns of a reference or hypothesis in input order, and the speakers' names in order of their first
/// turns.
#[derive(Debug, Clone, Default)]
pub(crate) struct SpeakerTurns<'t> {
    pub(crate) turns: Vec<Stretch>,
    pub(crate) speakers: Vec<&'t str>,
}

/// Rule that decides which turns of one speaker are joined: only overlapping turns, or also turns that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    Overlapping,
    Touching,
}

impl<'t> SpeakerTurns<'t> {
    /// Converts speaker turns to ticks. `name` is `reference` or `hypothesis`, for error messages.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ticks`]. Also returns an error for an end before its start, for too many
    /// turns, and for too many speakers. Errors name the turn.
    pub(crate) fn from_turns(name: &str, given: &'t Turns, rounded: bool) -> Result<Self> {
        require_at_most(&format!("the number of turns of the {name}"), given.0.len(), MOST_TURNS)?;
        let mut side = SpeakerTurns::default();
        for (place, turn) in given.0.iter().enumerate() {
            let in_ticks = |end: &str, seconds: f64| {
                ticks(|| format!("the {end} of turn {} of the {name}", place + 1), seconds, rounded)
            };
            let start = in_ticks("start", turn.start)?;
            let end = in_ticks("end", turn.end)?;
            if end < start {
                let place = place + 1;
                let start = turn.start;
                let end = turn.end;
                let message =
                    format!("turn {place} of the {name} ends at {end}, before its start at {start}");
                return Err(InputError::malformed(message));
            }
            let speaker = side.number(name, &turn.speaker)?;
            side.turns.push(Stretch { speaker, start, end });
        }
        Ok(side)
    }

    fn number(&mut self, name: &str, speaker: &'t str) -> Result<usize> {
        if let Some(known) = self.speakers.iter().position(|known| *known == speaker) {
            return Ok(known);
        }
        self.speakers.push(speaker);
        let speakers = self.speakers.len();
        require_at_most(&format!("the number of speakers of the {name}"), speakers, MOST_SPEAKERS)?;
        Ok(speakers - 1)
    }

    /// Returns the earliest start and the latest end of all turns, or `None` if there are no turns.
    pub(crate) fn extent(&self) -> Option<(i64, i64)> {
        let start = self.turns.iter().map(|turn| turn.start).min()?;
        Some((start, self.turns.iter().map(|turn| turn.end).max()?))
    }

    /// Returns these turns with overlapping turns of one speaker joined. With [`Joined::Touching`], turns
    /// that only touch are joined too.
    pub(crate) fn joined(&self, joined: Joined) -> Self {
        let mut sorted = self.turns.clone();
        // Sorted by speaker and start, only the last joined turn can meet the next one.
        sorted.sort_unstable_by_key(|turn| (turn.speaker, turn.start, turn.end));
        let mut turns: Vec<Stretch> = Vec::with_capacity(sorted.len());
        for turn in sorted {
            let meets = |last: &Stretch| match joined {
                Joined::Overlapping => turn.start < last.end,
                Joined::Touching => turn.start <= last.end,
            };
            match turns.last_mut().filter(|last| last.speaker == turn.speaker && meets(last)) {
                Some(last) => last.end = last.end.max(turn.end),
                None => turns.push(turn),
            }
        }
        SpeakerTurns { turns, speakers: self.speakers.clone() }
    }

    /// Returns these turns with all of them assigned to a single speaker.
    pub(crate) fn of_one(self) -> Self {
        let turns = self.turns.iter().map(|turn| Stretch { speaker: 0, ..*turn }).collect();
        SpeakerTurns { turns, speakers: self.speakers.into_iter().take(1).collect() }
    }

    /// Returns the turns whose end is after their start, without the turns of zero length.
    pub(crate) fn without_empty(self) -> Self {
        let turns = self.turns.into_iter().filter(|turn| turn.start < turn.end).collect();
        SpeakerTurns { turns, ..self }
    }

    /// Cuts the turns to the given time stretches, and returns the parts inside them.
    pub(crate) fn within(&self, span: &[(i64, i64)]) -> Self {
        let mut turns = Vec::with_capacity(self.turns.len());
        for turn in &self.turns {
            // Both the span and its ends ascend, so a binary search skips the regions before the turn.
            let first = span.partition_point(|region| region.1 <= turn.start);
            for region in span[first..].iter().take_while(|region| region.0 < turn.end) {
                let start = turn.start.max(region.0);
                let end = turn.end.min(region.1);
                turns.push(Stretch { start, end, ..*turn });
            }
        }
        SpeakerTurns { turns, speakers: self.speakers.clone() }
    }
}

pub(crate) fn require_at_most(what: &str, given: usize, most: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    Err(InputError::limit(what, given, format!("at most {most}")))
}

/// List of time stretches, in ticks and ascending order. They are not empty and neither overlap nor touch.
pub(crate) type Span = Vec<(i64, i64)>;

/// Converts scored regions from seconds to a list of time stretches in ticks.
///
/// # Errors
///
/// Returns the errors of [`ticks`]. Also returns an error for a region that does not end after its start, and
/// for overlapping regions.
pub(crate) fn scored(regions: &Regions, rounded: bool) -> Result<Span> {
    let mut span = Vec::with_capacity(regions.0.len());
    for (place, &(start, end)) in regions.0.iter().enumerate() {
        let in_ticks =
            |of: &str, seconds| ticks(|| format!("the {of} of region {}", place + 1), seconds, rounded);
        let region = (in_ticks("start", start)?, in_ticks("end", end)?);
        if region.1 <= region.0 {
            let place = place + 1;
            let message = format!("region {place} goes from {start} to {end}, but must end after its start");
            return Err(InputError::malformed(message));
        }
        span.push(region);
    }
    span.sort_unstable();
    if let Some(pair) = span.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        let at = seconds(pair[1].0.unsigned_abs());
        return Err(InputError::malformed(format!("two regions overlap at {at} s")));
    }
    Ok(union(span))
}

/// Returns the union of time stretches, which may overlap.
pub(crate) fn union(mut stretches: Vec<(i64, i64)>) -> Span {
    stretches.sort_unstable();
    let mut span: Span = Vec::with_capacity(stretches.len());
    for (start, end) in stretches {
        match span.last_mut().filter(|last| start <= last.1) {
            Some(last) => last.1 = last.1.max(end),
            // An empty stretch, such as a collar of width 0, adds nothing.
            None if start < end => span.push((start, end)),
            None => {}
        }
    }
    span
}

/// Returns the time stretches in `span` without the time in `out`.
pub(crate) fn without(span: &[(i64, i64)], out: &[(i64, i64)]) -> Span {
    let mut left = Vec::with_capacity(span.len() + out.len());
    let mut next = 0;
    for &(mut start, end) in span {
        while out.get(next).is_some_and(|out| out.1 <= start) {
            next += 1;
        }
        // A stretch of `out` may also cut the next part of the span, so only stretches that end before the
        // part are passed for good.
        let mut at = next;
        while let Some(&(from, to)) = out.get(at).filter(|out| out.0 < end) {
            if start < from {
                left.push((start, from));
            }
            start = start.max(to);
            at += 1;
        }
        if start < end {
            left.push((start, end));
        }
    }
    left
}
