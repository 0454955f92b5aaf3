//! [`Turns`]: the turns of the speakers of one file, as files and programs hold them; [`Regions`]: its scored stretches.

use core::fmt;

use bleuprint_core::Form;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The turns of one file: a segment.
///
/// In JSON a list of turns. The reference has the same form, and the source is the [`Regions`] of the file.
///
/// ```
/// use bleuprint_diarization::{Turn, Turns};
/// let read = |text| serde_json::from_str::<Turns>(text);
/// let turns = read(r#"[["A", 0.5, 2.25], {"speaker": "B", "start": 2, "end": 3.5}]"#).unwrap();
/// assert_eq!(turns.0[1], Turn::new("B", 2.0, 3.5));
/// let error = read(r#"[{"speaker": "A", "begin": 0, "end": 1}]"#).unwrap_err().to_string();
/// assert!(error.contains("unknown field `begin`"), "{error}");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: the turns, and nothing else")]
pub struct Turns(pub Vec<Turn>);

/// A stretch of time in which a speaker speaks, in seconds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Turn {
    /// The speaker; labels of reference and hypothesis have nothing in common.
    pub speaker: String,
    /// The start.
    pub start: f64,
    /// The end.
    pub end: f64,
}

impl Turn {
    /// A turn from `start` to `end`.
    pub fn new(speaker: impl Into<String>, start: f64, end: f64) -> Self {
        Turn { speaker: speaker.into(), start, end }
    }
}

/// The stretches of a file that are scored (UEM), as pairs of start and end in seconds. They may touch, not overlap.
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

const FIELDS: &[&str] = &["speaker", "start", "end"];

struct TurnVisitor;

impl<'de> Visitor<'de> for TurnVisitor {
    type Value = Turn;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a turn: speaker, start and end")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Turn, A::Error> {
        let missing = |place| move || A::Error::invalid_length(place, &"a turn of three");
        let turn = Turn {
            speaker: list.next_element()?.ok_or_else(missing(0))?,
            start: list.next_element()?.ok_or_else(missing(1))?,
            end: list.next_element()?.ok_or_else(missing(2))?,
        };
        match list.next_element::<serde::de::IgnoredAny>()? {
            None => Ok(turn),
            Some(_) => Err(A::Error::invalid_length(4, &"a turn of three")),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Turn, A::Error> {
        let (mut speaker, mut start, mut end) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            let twice = match key.as_str() {
                "speaker" => speaker.replace(map.next_value()?).is_some(),
                "start" => start.replace(map.next_value()?).is_some(),
                "end" => end.replace(map.next_value()?).is_some(),
                other => return Err(A::Error::unknown_field(other, FIELDS)),
            };
            if twice {
                return Err(A::Error::custom(format!("the field `{key}` is there twice")));
            }
        }
        let missing = |field| move || A::Error::missing_field(field);
        Ok(Turn {
            speaker: speaker.ok_or_else(missing("speaker"))?,
            start: start.ok_or_else(missing("start"))?,
            end: end.ok_or_else(missing("end"))?,
        })
    }
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TurnVisitor)
    }
}
