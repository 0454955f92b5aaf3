//! Draws a recording as a text picture: the speaker turns of reference and hypothesis, and below them the
//! time stretches of each kind of error.

use bleuprint_core::{PartValue, Result, ScorePart, Segment, ShowPart};

use crate::ticks::seconds;
use crate::{Diarization, DiarizationTimes, Regions, Turns};

type Stretches = Vec<(f64, f64)>;

type TimeOf = fn(&DiarizationTimes) -> u64;

/// Kinds of diarization errors: display name, and the function that reads their time.
const ERRORS: [(&str, TimeOf); 3] = [
    ("missed speech", |times| times.miss),
    ("false alarm", |times| times.false_alarm),
    ("another speaker", |times| times.confusion),
];

impl Diarization {
    /// Returns the rows of a picture of a recording, as [`Answer::Picture`](bleuprint_core::Answer::Picture).
    /// Each reference speaker is followed by the hypothesis speaker mapped to it.
    ///
    /// # Errors
    /// Returns an error if the recording cannot be scored.
    pub(crate) fn picture(&self, segment: Segment<'_, Turns, Turns, Regions>) -> Result<Vec<ScorePart>> {
        let mut errors = [const { Stretches::new() }; 3];
        let mut out = Stretches::new();
        let mut scored = 0.0;
        let pairs = self.pieces(segment, |start, length, times| {
            let start = start.unsigned_abs();
            let from = seconds(start);
            let to = seconds(start + length);
            if length == 0 {
                return;
            }
            if from > scored {
                out.push((scored, from));
            }
            scored = to;
            for ((_, time), stretches) in ERRORS.iter().zip(&mut errors) {
                match (time(&times), stretches.last_mut()) {
                    (0, _) => {}
                    // Adjacent pieces with the same error become one stretch; every border of a turn would
                    // otherwise cut it.
                    (_, Some(last)) if last.1 == from => last.1 = to,
                    _ => stretches.push((from, to)),
                }
            }
        })?;
        let sides = [segment.one_reference(self.name())?, segment.hypothesis];
        let ends = sides.iter().flat_map(|side| side.0.iter().map(|turn| turn.end));
        let end = ends.fold(scored, f64::max);
        if end > scored {
            out.push((scored, end));
        }
        let mut rows = vec![
            ScorePart::new("axis", labelled("s"), PartValue::Number(end)),
            row("out", "not scored", out),
        ];
        for pair in &pairs {
            for ((kind, side), name) in ["reference", "hypothesis"].into_iter().zip(sides).zip(pair) {
                if let Some(name) = name {
                    rows.push(row(kind, name, self.turns_of(side, name)));
                }
            }
        }
        // Detection has one speaker on each side, who cannot be confused.
        let errors = ERRORS.iter().zip(errors).take(if self.is_detection() { 2 } else { 3 });
        rows.extend(errors.map(|((name, _), stretches)| row("error", name, stretches)));
        Ok(rows)
    }

    /// Returns the start and end of each turn of a speaker, in seconds. For the detection error rate, all
    /// turns belong to one speaker.
    fn turns_of(&self, side: &Turns, name: &str) -> Stretches {
        let own = side.0.iter().filter(|turn| self.is_detection() || turn.speaker == name);
        own.map(|turn| (turn.start, turn.end)).collect()
    }
}

fn row(kind: &'static str, name: &str, stretches: Stretches) -> ScorePart {
    ScorePart::new(kind, labelled(name), PartValue::Points(stretches))
}

fn labelled(name: &str) -> ShowPart {
    ShowPart::Labelled(name.to_owned().into(), 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScoredTime, Turn};

    #[test]
    fn a_picture_has_the_turns_of_pairs_and_each_error_as_one_stretch() {
        let turns = |given: &[(&str, f64, f64)]| {
            Turns(given.iter().map(|(name, start, end)| Turn::new(*name, *start, *end)).collect())
        };
        let reference = turns(&[("Ann", 1.0, 4.0), ("Bob", 4.0, 6.0)]);
        let hypothesis = turns(&[("1", 2.0, 5.0), ("2", 5.0, 7.0), ("1", 7.0, 9.0)]);
        let references = [&reference];
        let regions = Regions(vec![(0.5, 8.0)]);
        let segment = Segment::with_source(&hypothesis, &references, Some(&regions));
        let shown = |metric: Diarization| -> Vec<String> {
            let row = |row: &ScorePart| match (&row.show, &row.value) {
                (ShowPart::Labelled(name, _), PartValue::Points(points)) => {
                    format!("{} {name} {points:?}", row.key)
                }
                (show, value) => format!("{} {show:?} {value:?}", row.key),
            };
            metric.picture(segment).unwrap().iter().map(row).collect()
        };
        assert_eq!(
            shown(Diarization::der(ScoredTime::default()).unwrap()),
            [
                "axis Labelled(\"s\", 3) Number(9.0)",
                "out not scored [(0.0, 0.5), (8.0, 9.0)]",
                "reference Ann [(1.0, 4.0)]",
                "hypothesis 1 [(2.0, 5.0), (7.0, 9.0)]",
                "reference Bob [(4.0, 6.0)]",
                "hypothesis 2 [(5.0, 7.0)]",
                "error missed speech [(1.0, 2.0)]",
                "error false alarm [(6.0, 8.0)]",
                "error another speaker [(4.0, 5.0)]",
            ]
        );
        assert_eq!(
            shown(Diarization::detection(ScoredTime::default()).unwrap())[2..],
            [
                "reference Ann [(1.0, 4.0), (4.0, 6.0)]",
                "hypothesis 1 [(2.0, 5.0), (5.0, 7.0), (7.0, 9.0)]",
                "error missed speech [(1.0, 2.0)]",
                "error false alarm [(6.0, 8.0)]",
            ]
        );
    }
}
