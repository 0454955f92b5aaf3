//! [`notes`]: warnings about recordings whose scores depend on the scoring program.

use bleuprint_core::{Result, counted};

use crate::Recording;
use crate::side::{Joined, SpeakerTurns, scored};
use crate::ticks::SECOND;

/// Share of the hypothesis speech outside the scored regions above which there is a warning.
const OUTSIDE: f64 = 0.01;

/// Returns warnings about recordings whose error rates depend on the scoring program. There are warnings for
/// missing regions, and for hypothesis speech outside the regions. There are also warnings for speakers whose
/// own turns overlap, and for a collar above half the median turn of the reference.
///
/// ```
/// use bleuprint_diarization::{Recording, Turn, Turns, notes};
/// let reference = Turns(vec![Turn::new("Ann", 0.0, 0.5), Turn::new("Ann", 0.25, 1.0)]);
/// let all = notes(&[Recording { reference, ..Recording::default() }], 0.5).unwrap();
/// assert!(all[0].starts_with("no UEM"));
/// assert_eq!(all[1], "1 turn of the reference overlaps another of its speaker: it counts once, in pyannote.metrics twice");
/// ```
///
/// # Errors
///
/// Returns the metrics' errors for malformed turns or regions.
pub fn notes(recordings: &[Recording], collar: f64) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    let mut lengths = Vec::new();
    let mut overlapping = [0_usize; 2];
    let mut inside = 0.0;
    let mut all = 0.0;
    for one in recordings {
        let sides = [
            SpeakerTurns::from_turns("reference", &one.reference, true)?,
            SpeakerTurns::from_turns("hypothesis", &one.hypothesis, true)?,
        ];
        for (side, count) in sides.iter().zip(&mut overlapping) {
            *count += side.turns.len() - side.joined(Joined::Overlapping).turns.len();
        }
        lengths.extend(sides[0].turns.iter().map(|turn| turn.end - turn.start));
        if let Some(regions) = &one.regions {
            inside += length(&sides[1].within(&scored(regions, true)?));
            all += length(&sides[1]);
        }
    }
    if recordings.iter().any(|one| one.regions.is_none()) {
        let note = "no UEM: uem=extent scores from the first to the last turn, which programs take of one side or of both";
        notes.push(note.to_owned());
    }
    if all - inside > OUTSIDE * all {
        // Tenths of a percent in integers, rounded down, so that the note never claims more than there is.
        let tenths = (1000.0 * (all - inside) / all) as u64;
        let share = format!("{}.{}", tenths / 10, tenths % 10);
        notes.push(format!("{share} % of the hypothesis is outside of the UEM and is not scored"));
    }
    for (side, count) in
        ["reference", "hypothesis"].into_iter().zip(overlapping).filter(|(_, count)| *count > 0)
    {
        let (turns, overlap, their, they) = match count {
            1 => ("turn", "overlaps another", "its", "it counts"),
            _ => ("turns", "overlap others", "their", "they count"),
        };
        notes.push(format!(
            "{count} {turns} of the {side} {overlap} of {their} speaker: {they} once, in pyannote.metrics twice"
        ));
    }
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).map_or(0.0, |median| *median as f64 / SECOND);
    // A turn shorter than two collars vanishes completely.
    if collar > median / 2.0 && !lengths.is_empty() && collar > 0.0 {
        let turns = counted(lengths.len(), "turn");
        notes.push(format!(
            "a collar of {collar} s is above half the median of {turns} of the reference, {median} s: short turns are not scored"
        ));
    }
    Ok(notes)
}

fn length(side: &SpeakerTurns<'_>) -> f64 {
    side.turns.iter().map(|turn| (turn.end - turn.start) as f64).sum()
}
