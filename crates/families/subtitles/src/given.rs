//! [`Subtitles`]: the subtitles of one file, with their texts and times, and the checks of the times.

use core::fmt;

use bleuprint_core::{Form, InputError, Result};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Largest time of a subtitle in seconds, about three years.
const MOST_SECONDS: f64 = 1e8;
/// Largest number of subtitles that one file may show at the same time. The limit bounds the work, because
/// each is compared with all others shown at that time.
const MOST_AT_ONCE: usize = 1000;

/// The subtitles of one file. A file is one segment of the metric.
///
/// In JSON they are the text of a file in SRT or WebVTT, or a list of subtitles with times in seconds. The reference has
/// the same form.
///
/// ```
/// use bleuprint_subtitles::{Subtitle, Subtitles};
/// let read = |text| serde_json::from_str::<Subtitles>(text);
/// let one = Subtitle { start: 1.0, end: 2.5, text: "a\nb".to_owned() };
/// let list = read(r#"[{"start": 1, "end": 2.5, "text": "a\nb"}]"#).unwrap();
/// let srt = read(r#""1\n00:00:01,000 --> 00:00:02,500\na\nb\n""#).unwrap();
/// assert_eq!((&list.0[0], list.clone()), (&one, srt));
/// let error = read(r#""1\n00:00:01,000\na\n""#).unwrap_err().to_string();
/// assert!(error.contains("line 2 of the subtitles: the times are"), "{error}");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the subtitles, and nothing else")]
pub struct Subtitles(pub Vec<Subtitle>);

/// One subtitle: its text, and the time in which it is shown.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Subtitle::default()`")]
pub struct Subtitle {
    /// Time in seconds at which the subtitle appears.
    pub start: f64,
    /// Time in seconds at which the subtitle disappears.
    pub end: f64,
    /// The lines of the subtitle's text, separated by line feeds.
    pub text: String,
}

impl Form for Subtitles {
    const NAME: &'static str = "subtitles";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("start", "the start of a subtitle in seconds"),
        ("end", "its end in seconds"),
        ("text", "its lines, with line feeds between them"),
    ];
    type Reference = Subtitles;
    type Source = Subtitles;
}

struct SubtitlesVisitor;

impl<'de> Visitor<'de> for SubtitlesVisitor {
    type Value = Subtitles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of an SRT or WebVTT file, or a list of subtitles")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Subtitles, E> {
        Subtitles::from_text(text).map_err(|error| {
            let line =
                error.location().line.map_or(String::new(), |line| format!("line {line} of the subtitles: "));
            E::custom(format!("{line}{}", error.kind()))
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Subtitles, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(Subtitles)
    }
}

impl<'de> Deserialize<'de> for Subtitles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SubtitlesVisitor)
    }
}

/// State of the check that subtitles are in order: their start times never decrease, and not too many are
/// shown at the same time.
#[derive(Debug, Default)]
pub(crate) struct TimeOrder {
    start: f64,
    /// End times of the earlier subtitles that are still shown when the next one starts.
    ends: Vec<f64>,
}

impl TimeOrder {
    pub(crate) fn next(&mut self, start: f64, end: f64) -> Result<()> {
        for (what, given) in [("the start", start), ("the end", end)] {
            if !(0.0..=MOST_SECONDS).contains(&given) {
                let limit = format!("from 0 to {MOST_SECONDS:e} s");
                return Err(limited(what, given.to_string(), limit));
            }
        }
        if end < start {
            return Err(InputError::malformed(format!(
                "the subtitle ends at {end} s, before its start at {start} s"
            )));
        }
        if start < self.start {
            let before = self.start;
            return Err(InputError::malformed(format!(
                "the subtitle starts at {start} s, but the previous one at {before} s: subtitles must be in the order of their starts"
            )));
        }
        self.start = start;
        // Ends before the start are over for good, because starts only rise.
        self.ends.retain(|end| *end >= start);
        self.ends.push(end);
        if self.ends.len() > MOST_AT_ONCE {
            let what = format!("the number of subtitles at {start} s");
            return Err(limited(what, self.ends.len().to_string(), format!("at most {MOST_AT_ONCE}")));
        }
        Ok(())
    }
}

/// Rejects a subtitle with text that is shown for no time.
///
/// Such a subtitle overlaps no other, not even an equal one, so a file compared with itself would have edits.
/// The program subtitle-edit-rate rejects such subtitles, too.
pub(crate) fn require_duration(start: f64, end: f64) -> Result<()> {
    if end > start {
        return Ok(());
    }
    Err(InputError::malformed(format!(
        "the subtitle starts and ends at {start} s, so it overlaps no other: give it a duration, or leave it out"
    )))
}

pub(crate) fn limited(what: impl Into<String>, given: String, limit: String) -> InputError {
    InputError::limit(what, given, limit)
}
