//! [`Spoken`] and [`parse_session`]: transcripts of meetings with several speakers, in a JSON text form.

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::read::parse_value;
use serde_json::Value;

use crate::seglst::{SeglstItem, require_times_of_all};
use crate::timing::{LIMIT, within_limit};

/// Utterance of a meeting session: its speaker, times and words.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Spoken {
    /// Label of the speaker.
    pub speaker: String,
    /// Start and end of the utterance in seconds, if they are known.
    pub times: Option<[f64; 2]>,
    /// Words of the utterance, separated by spaces.
    pub words: String,
}

impl Spoken {
    /// Writes a meeting transcript as the JSON text that [`parse_session`] reads.
    pub fn text_of(session: &[Spoken]) -> String {
        let mut text = String::from("[");
        for (index, spoken) in session.iter().enumerate() {
            text.push_str(if index > 0 { ", {\"speaker\": " } else { "{\"speaker\": " });
            push_string(&mut text, &spoken.speaker);
            if let Some([start, end]) = spoken.times {
                text.push_str(&format!(", \"start_time\": {start}, \"end_time\": {end}"));
            }
            text.push_str(", \"words\": ");
            push_string(&mut text, &spoken.words);
            text.push('}');
        }
        text.push(']');
        text
    }

    pub(crate) fn check(&self) -> Result<()> {
        match self.times {
            Some([start, end]) if !(within_limit(start) && within_limit(end)) => {
                // The error names the time that is out of range, and the start if both are.
                let far = if within_limit(start) { end } else { start };
                Err(InputError::limit("a time of the utterance", format!("{far:?}"), LIMIT))
            }
            Some([start, end]) if end < start => Err(InputError::malformed(format!(
                "the utterance ends at {end} s, before its start at {start} s"
            ))),
            _ => Ok(()),
        }
    }
}

fn push_string(text: &mut String, string: &str) {
    text.push('"');
    for char in string.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            char if char < ' ' => text.push_str(&format!("\\u{:04x}", u32::from(char))),
            char => text.push(char),
        }
    }
    text.push('"');
}

/// Parses the transcript of a meeting from JSON text: a list as in the SegLST format, with an object for each
/// utterance. The keys are `speaker`, `words` and, if known, `start_time` and `end_time` in seconds, as
/// numbers or strings. `session_id` is optional; other keys are ignored. [`Sessions`](crate::Sessions)
/// creates this form from STM, CTM and SegLST files.
///
/// ```
/// use bleuprint_meetings::{Spoken, parse_session};
/// let text = r#"[{"speaker": "A", "start_time": 0, "end_time": "1.5", "words": "Good morning."}]"#;
/// let session = parse_session(text)?;
/// assert_eq!((&*session[0].speaker, session[0].times), ("A", Some([0.0, 1.5])));
/// assert_eq!(parse_session(&Spoken::text_of(&session))?, session);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
///
/// # Errors
/// Returns an error in these cases:
///
/// - the text is not such a list;
/// - an utterance lacks a speaker or words;
/// - utterances belong to several sessions;
/// - times are not an interval, or only some utterances have times.
pub fn parse_session(text: &str) -> Result<Vec<Spoken>> {
    parse_named_session(text).map(|(_, session)| session)
}

/// Parses a session like [`parse_session`], with its `session_id` if an utterance has one.
pub(crate) fn parse_named_session(text: &str) -> Result<(Option<String>, Vec<Spoken>)> {
    if !text.trim_start().starts_with('[') {
        return Err(InputError::malformed(
            "this is not a session of speakers, which is a list in JSON (SegLST); use --speakers to read files of sessions",
        ));
    }
    let Value::Array(list) = parse_value(text)? else { return Ok((None, Vec::new())) };
    let item = |value: &Value| match value {
        Value::Object(fields) => SeglstItem::from_fields(fields, Location::default()),
        other => Err(InputError::malformed(format!("an utterance must be an object, but this is {other}"))),
    };
    let items = list.iter().map(item).collect::<Result<Vec<_>>>()?;
    require_times_of_all(&items)?;
    let sessions = || items.iter().filter_map(|item| item.session.as_deref());
    if let (Some(first), Some(other)) =
        (sessions().next(), sessions().find(|id| Some(*id) != sessions().next()))
    {
        let message = format!("utterances of two sessions, `{first}` and `{other}`, are in one list");
        return Err(InputError::malformed(message));
    }
    let id = sessions().next().map(str::to_owned);
    Ok((id, items.into_iter().map(|item| item.spoken).collect()))
}
