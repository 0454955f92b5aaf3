//! [`Turns`]: the speaker turns of one recording; [`Regions`]: the scored time stretches of the recording.

use core::fmt;

use bleuprint_core::Form;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Speaker turns of one recording, the hypothesis or reference of a segment.
///
/// In JSON, they are a list of turns, or an object with three lists: speakers, starts and ends. The source of
/// the segment is the [`Regions`] of the recording.
///
/// ```
/// use bleuprint_diarization::{Turn, Turns};
/// let read = |text| serde_json::from_str::<Turns>(text);
/// let turns = read(r#"[["A", 0.5, 2.25], {"speaker": "B", "start": 2, "end": 3.5}]"#).unwrap();
/// assert_eq!(turns.0[1], Turn::new("B", 2.0, 3.5));
/// assert_eq!(read(r#"{"speaker": ["A", "B"], "start": [0.5, 2], "end": [2.25, 3.5]}"#).unwrap(), turns);
/// let error = read(r#"[{"speaker": "A", "begin": 0, "end": 1}]"#).unwrap_err().to_string();
/// assert!(error.contains("unknown field `begin`"), "{error}");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the turns, and nothing else")]
pub struct Turns(pub Vec<Turn>);

/// Speaker turn: a stretch of time in which one speaker speaks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a turn: speaker, start and end")]
#[non_exhaustive]
pub struct Turn {
    /// Label of the speaker. The labels of reference and hypothesis need not correspond.
    pub speaker: String,
    /// Start of the turn in seconds.
    pub start: f64,
    /// End of the turn in seconds.
    pub end: f64,
}

impl Turn {
    /// Creates a turn from `start` to `end`, in seconds.
    pub fn new(speaker: impl Into<String>, start: f64, end: f64) -> Self {
        Turn { speaker: speaker.into(), start, end }
    }
}

/// Scored time stretches of a recording (UEM), as pairs of start and end in seconds. They may touch but not
/// overlap.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: the regions, and nothing else")]
pub struct Regions(pub Vec<(f64, f64)>);

impl Form for Turns {
    const NAME: &'static str = "turns";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("speaker", "the speaker of a turn"),
        ("start", "its start in seconds"),
        ("end", "its end in seconds"),
    ];
    type Reference = Turns;
    type Source = Regions;
}

/// Speaker turns as three lists of equal length: speakers, starts and ends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnColumns {
    speaker: Vec<String>,
    start: Vec<f64>,
    end: Vec<f64>,
}

struct TurnsVisitor;

impl<'de> Visitor<'de> for TurnsVisitor {
    type Value = Turns;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of turns, or an object of three lists: speaker, start and end")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Turns, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(Turns)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Turns, A::Error> {
        let TurnColumns { speaker, start, end } = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
        let lens = [speaker.len(), start.len(), end.len()];
        if lens != [lens[0]; 3] {
            let [speakers, starts, ends] = lens;
            let message = format!(
                "{speakers} speakers, {starts} starts and {ends} ends, but each turn has one of each"
            );
            return Err(A::Error::custom(message));
        }
        let times = start.into_iter().zip(end);
        let turns =
            speaker.into_iter().zip(times).map(|(speaker, (start, end))| Turn { speaker, start, end });
        Ok(Turns(turns.collect()))
    }
}

impl<'de> Deserialize<'de> for Turns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TurnsVisitor)
    }
}
