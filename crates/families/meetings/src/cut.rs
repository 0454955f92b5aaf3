//! Tokenizes meeting transcripts (sessions of utterances): applies any tokenizer to the words of each
//! utterance.

use std::sync::Arc;

use bleuprint_core::{Case, Result};
use bleuprint_text::{
    Chain, Normalizer as _, NormalizerFindings, PartedText, TokenBuffer, Tokenizer, Tokens, lowercase,
    lowercase_ascii,
};

use crate::spoken::parse_named_session;
use crate::{Spoken, Utterance};

/// Name of the input kind "sessions of speakers" (meeting transcripts). Metrics use it to request tokens of
/// such input.
pub(crate) const SESSIONS: &str = "sessions";

pub(crate) static PARTED: &[PartedText] = &[PartedText {
    name: SESSIONS,
    cut: |words, case, normalizer| Arc::new(SessionTokenizer { words, case, normalizer }),
}];

/// Tokenizer of meeting transcripts. It replaces the words of every utterance with their tokens. Before these
/// it puts a header token with the speaker and the times, which [`Utterance`] reads. The normalizer and the
/// case rule change only the words.
#[derive(Clone)]
struct SessionTokenizer {
    words: Arc<dyn Tokenizer>,
    case: Case,
    normalizer: Option<(Chain, NormalizerFindings)>,
}

#[derive(Default)]
struct CutMemory {
    normalized: String,
    spare: String,
    words: TokenBuffer,
    /// All tokens of a meeting transcript, without separators; `ends` has the byte offset at which each token
    /// ends.
    text: String,
    ends: Vec<usize>,
    tokens: TokenBuffer,
}

impl SessionTokenizer {
    fn session<'a>(&self, text: &str, buffer: &'a mut TokenBuffer, is_reference: bool) -> Result<Tokens<'a>> {
        let (id, session) = parse_named_session(text)?;
        let memory = buffer.scratch::<CutMemory>();
        memory.text.clear();
        memory.ends.clear();
        session.iter().try_for_each(|spoken| self.utterance(id.as_deref(), spoken, memory, is_reference))?;
        let CutMemory { text, ends, tokens, .. } = memory;
        let mut start = 0;
        tokens.collect(ends.iter().map(|&end| &text[std::mem::replace(&mut start, end)..end]))
    }

    fn utterance(
        &self,
        session: Option<&str>,
        spoken: &Spoken,
        memory: &mut CutMemory,
        is_reference: bool,
    ) -> Result<()> {
        let CutMemory { normalized, spare, words, text, ends, .. } = memory;
        let mut line = &spoken.words;
        if let Some((chain, findings)) = &self.normalizer {
            normalized.clear();
            normalized.push_str(line);
            chain.normalize(normalized, spare);
            findings.look_at(line, normalized, is_reference);
            line = normalized;
        }
        // A tokenizer that sets the case itself gets the text unchanged, so the case is not folded twice.
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
        // Some tokenizers treat references differently, for example alternatives in braces.
        let tokens = if is_reference {
            self.words.tokenize_reference(line, words)?
        } else {
            self.words.tokenize(line, words)?
        };
        let head = Utterance::head_in(session, &spoken.speaker, spoken.times, tokens.len());
        for token in std::iter::once(&*head).chain(tokens.iter()) {
            text.push_str(token);
            ends.push(text.len());
        }
        Ok(())
    }
}

impl Tokenizer for SessionTokenizer {
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

#[cfg(test)]
mod tests {
    use super::*;
    use bleuprint_text::{TokenizerOptions, tokenizer};

    #[test]
    fn words_are_cut_and_heads_are_not() {
        let words: Arc<dyn Tokenizer> = tokenizer("13a", &TokenizerOptions::default()).unwrap().into();
        let sessions = (PARTED[0].cut)(words, Case::Lower, None);
        let text = r#"[{"speaker": "A", "words": "Good morning."}, {"speaker": "B", "words": ""}]"#;
        let mut buffer = TokenBuffer::default();
        let tokens: Vec<&str> = sessions.tokenize(text, &mut buffer).unwrap().iter().collect();
        let heads = [Utterance::head("A", None, 3), Utterance::head("B", None, 0)];
        assert_eq!(tokens, [&heads[0], "good", "morning", ".", &heads[1]]);
        let named = r#"[{"session_id": "s 1", "speaker": "A", "words": "b"}]"#;
        let tokens: Vec<&str> = sessions.tokenize(named, &mut buffer).unwrap().iter().collect();
        let utterances = Utterance::all(&tokens).unwrap();
        assert_eq!((utterances[0].session, utterances[0].speaker), (Some("s 1"), "A"));
    }
}
