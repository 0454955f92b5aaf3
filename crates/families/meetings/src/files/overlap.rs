//! Detects utterances of one speaker that overlap in time, because the order of their words is then unknown.

use super::file::SessionFile;
use crate::Spoken;

/// Returns two sums over the speakers of a session, in seconds. The first is the time in which an utterance
/// overlaps with an earlier one of the same speaker; the second is the total time of the speakers. MeetEval's
/// self-overlap rate is the first divided by the second.
///
/// The total time of a speaker is the latest end of its utterances, or 0 if that is negative.
///
/// ```
/// use bleuprint_meetings::{Spoken, self_overlap};
/// let spoken = |times| Spoken { speaker: "A".into(), times: Some(times), words: String::new() };
/// assert_eq!(self_overlap(&[spoken([1.0, 3.0]), spoken([2.5, 4.0])]), [0.5, 4.0]);
/// assert_eq!(self_overlap(&[spoken([-2.0, -1.0]), spoken([-0.5, 4.0])]), [0.0, 4.0]);
/// ```
pub fn self_overlap(session: &[Spoken]) -> [f64; 2] {
    let mut overlap = 0.0;
    let mut total = 0.0;
    for times in times_of_speakers(session) {
        // Times may be below zero, where a recording began late.
        let mut latest = f64::NEG_INFINITY;
        for [start, end] in times {
            if latest > start {
                overlap += latest.min(end) - start;
            }
            total += (end - latest.max(0.0)).max(0.0);
            latest = latest.max(end);
        }
    }
    [overlap, total]
}

/// Returns the start and end times of each speaker's utterances, sorted by start.
fn times_of_speakers(session: &[Spoken]) -> Vec<Vec<[f64; 2]>> {
    let mut speakers: Vec<(&str, Vec<[f64; 2]>)> = Vec::new();
    for spoken in session {
        let Some(times) = spoken.times else { continue };
        match speakers.iter_mut().find(|(name, _)| *name == spoken.speaker) {
            Some((_, all)) => all.push(times),
            None => speakers.push((&spoken.speaker, vec![times])),
        }
    }
    let sorted = |(_, mut times): (&str, Vec<[f64; 2]>)| {
        times.sort_by(|one, other| one[0].total_cmp(&other[0]));
        times
    };
    speakers.into_iter().map(sorted).collect()
}

/// Returns a warning if utterances of one speaker overlap in a file, otherwise `None`.
pub(super) fn of_file(file: &SessionFile) -> Option<String> {
    let mut seconds = 0.0;
    let mut first = None;
    for name in file.names() {
        let [overlap, _] = self_overlap(file.session(name).unwrap_or_default());
        if overlap > 0.0 {
            seconds += overlap;
            first = first.or(Some(name));
        }
    }
    // Whole hundredths print the same on every platform.
    let hundredths = (100.0 * seconds).round() as u64;
    let [whole, part] = [hundredths / 100, hundredths % 100];
    first.map(|session| {
        format!(
            "warning: {}: {whole}.{part:02} s of utterances overlap with others of the same speaker, first in the session \
             `{session}`: their words are taken in order of start, which may not be the order in time",
            file.path
        )
    })
}
