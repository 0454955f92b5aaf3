//! Sessions of several speakers: their text form, and their tokens.
//!
//! The text of a session is a list in JSON, as SegLST has it: an object for each utterance with `speaker`, `words` and, if
//! they are known, `start_time` and `end_time` in seconds, as numbers or strings. `session_id` may be there, other keys are
//! ignored. [`read::Sessions`](crate::read::Sessions) makes it of STM, CTM and SegLST files.
//!
//! ```
//! use bleuprint_text::session::{SessionTokenizer, Spoken, parse_session};
//! use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer};
//!
//! let text = r#"[{"speaker": "A", "start_time": 0, "end_time": "1.5", "words": "Good morning."}]"#;
//! let session = parse_session(text)?;
//! assert_eq!((&*session[0].speaker, session[0].times), ("A", Some([0.0, 1.5])));
//! assert_eq!(parse_session(&Spoken::text_of(&session))?, session);
//!
//! let words = SessionTokenizer::new(tokenizer("13a", &TokenizerOptions::default())?, Default::default());
//! let mut buffer = TokenBuffer::default();
//! let tokens: Vec<&str> = words.tokenize(text, &mut buffer)?.iter().skip(1).collect();
//! assert_eq!(tokens, ["Good", "morning", "."]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "jsonl")]
mod seglst;

#[cfg(feature = "jsonl")]
pub(crate) use seglst::items;

use bleuprint_core::{Case, InputError, Result, Utterance};

use crate::tokenize::{TokenBuffer, Tokenizer, Tokens};
use crate::{Chain, Normalizer as _, NormalizerFindings, lowercase, lowercase_ascii};

/// An utterance of a session.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Spoken {
    /// The speaker.
    pub speaker: String,
    /// The start and the end in seconds, if they are known.
    pub times: Option<[f64; 2]>,
    /// The words, as text.
    pub words: String,
}

impl Spoken {
    /// The text form of a session.
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
            Some([start, end]) if !(start.is_finite() && end.is_finite()) => {
                Err(InputError::malformed(format!("the times {start} and {end} are not both finite")))
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

/// The utterances of a session in its text form.
///
/// # Errors
/// Anything but such a list; utterances without a speaker or words, or of several sessions; times that are no interval, or
/// of some utterances only; always without the feature `jsonl`.
pub fn parse_session(text: &str) -> Result<Vec<Spoken>> {
    parse(text)
}

#[cfg(not(feature = "jsonl"))]
fn parse(_: &str) -> Result<Vec<Spoken>> {
    Err(InputError::malformed("this program was built without the feature `jsonl` of bleuprint-text"))
}

#[cfg(feature = "jsonl")]
fn parse(text: &str) -> Result<Vec<Spoken>> {
    if !text.trim_start().starts_with('[') {
        return Err(InputError::malformed(
            "this is no session of speakers, which is a list in JSON (SegLST); files of sessions are given with --speakers",
        ));
    }
    let items = items(text)?;
    let sessions = || items.iter().filter_map(|item| item.session.as_deref());
    if let (Some(first), Some(other)) =
        (sessions().next(), sessions().find(|id| Some(*id) != sessions().next()))
    {
        let message = format!("utterances of two sessions, `{first}` and `{other}`, in one");
        return Err(InputError::malformed(message));
    }
    Ok(items.into_iter().map(|item| item.spoken).collect())
}

/// A tokenizer of sessions: the tokens of every utterance behind its head, as [`Utterance`] reads them. Speakers and times are
/// not touched by the normalizer and the case.
#[derive(Debug, Clone)]
pub struct SessionTokenizer<K> {
    words: K,
    case: Case,
    normalizer: Option<(Chain, NormalizerFindings)>,
}

impl<K: Tokenizer> SessionTokenizer<K> {
    /// The tokens that `words` makes of the words in this case.
    pub fn new(words: K, case: Case) -> Self {
        SessionTokenizer { words, case, normalizer: None }
    }

    /// Normalizes the words of each utterance first, and counts its findings.
    #[must_use]
    pub fn with_normalizer(self, chain: Chain, findings: NormalizerFindings) -> Self {
        SessionTokenizer { normalizer: Some((chain, findings)), ..self }
    }

    fn session<'a>(&self, text: &str, buffer: &'a mut TokenBuffer, is_reference: bool) -> Result<Tokens<'a>> {
        let session = parse_session(text)?;
        let mut own = std::mem::take(buffer.scratch::<Words>());
        buffer.text.clear();
        buffer.spans.clear();
        let done =
            session.iter().try_for_each(|spoken| self.utterance(spoken, &mut own, buffer, is_reference));
        *buffer.scratch::<Words>() = own;
        done?;
        crate::tokenize::check_len(&buffer.text)?;
        buffer.own_tokens()
    }

    fn utterance(
        &self,
        spoken: &Spoken,
        own: &mut Words,
        out: &mut TokenBuffer,
        is_reference: bool,
    ) -> Result<()> {
        let Words { normalized, spare, buffer } = own;
        let mut line = &spoken.words;
        if let Some((chain, findings)) = &self.normalizer {
            normalized.clear();
            normalized.push_str(line);
            chain.normalize(normalized, spare);
            findings.look_at(line, normalized, is_reference);
            line = normalized;
        }
        match self.words.case().map_or(self.case, |_| Case::Mixed) {
            Case::Mixed => {}
            Case::Lower => {
                lowercase(line, spare);
                line = spare;
            }
            Case::LowerAscii => {
                lowercase_ascii(line, spare);
                line = spare;
            }
        }
        let tokens = match is_reference {
            true => self.words.tokenize_reference(line, buffer)?,
            false => self.words.tokenize(line, buffer)?,
        };
        let head = Utterance::head(&spoken.speaker, spoken.times, tokens.len());
        for token in std::iter::once(&*head).chain(tokens.iter()) {
            let start = out.text.len();
            out.text.push_str(token);
            out.spans.push(start, out.text.len());
        }
        Ok(())
    }
}

#[derive(Default)]
struct Words {
    normalized: String,
    spare: String,
    buffer: TokenBuffer,
}

impl<K: Tokenizer> Tokenizer for SessionTokenizer<K> {
    fn token_space(&self) -> &str {
        self.words.token_space()
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        self.session(line, buffer, false)
    }

    fn tokenize_reference<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        self.session(line, buffer, true)
    }

    fn case(&self) -> Option<Case> {
        Some(self.case)
    }
}
