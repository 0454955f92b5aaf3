//! [`TokenizedText`]: a text with its number of tokens, as another program split it.

use core::fmt;

use bleuprint_core::Form;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A text with its number of tokens. In JSON, the tokens are the number, or a list of token ids or token
/// texts.
///
/// ```
/// use bleuprint_sources::TokenizedText;
/// let read = |text| serde_json::from_str::<TokenizedText>(text);
/// let text = read(r#"{"text": "a cat", "tokens": [64, 2368]}"#).unwrap();
/// assert_eq!(text, read(r#"{"text": "a cat", "tokens": 2}"#).unwrap());
/// assert!(read(r#"{"text": "a cat", "ids": [64]}"#).unwrap_err().to_string().contains("unknown field `ids`"));
/// assert!(read(r#"{"text": "a cat", "tokens": [64, null]}"#).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: a text and its number of tokens")]
pub struct TokenizedText {
    /// The text whose words, bytes and characters are counted.
    pub text: String,
    /// Number of tokens into which another program split the text.
    #[serde(deserialize_with = "count")]
    pub tokens: u64,
}

impl Form for TokenizedText {
    const NAME: &'static str = "tokens";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        ("text", "the text, whose words, bytes and characters are counted"),
        ("tokens", "the number of its tokens, or the list of their ids or texts"),
    ];
    type Reference = Self;
    type Source = Self;
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_any(CountVisitor)
}

struct CountVisitor;

impl<'de> Visitor<'de> for CountVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of tokens, or a list of ids or of texts")
    }
    fn visit_u64<E>(self, count: u64) -> Result<u64, E> {
        Ok(count)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<u64, A::Error> {
        let mut count = 0;
        // The ids are not kept: only their number is needed, and lists may be long.
        while list.next_element::<IdOrText>()?.is_some() {
            count += 1;
        }
        Ok(count)
    }
}

/// An element of a JSON list of tokens: an id or a text. Its value is ignored, because only the number of
/// tokens matters.
struct IdOrText;

impl<'de> Deserialize<'de> for IdOrText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdOrText)
    }
}

impl Visitor<'_> for IdOrText {
    type Value = IdOrText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the id or the text of a token")
    }
    fn visit_u64<E>(self, _: u64) -> Result<IdOrText, E> {
        Ok(IdOrText)
    }
    fn visit_str<E>(self, _: &str) -> Result<IdOrText, E> {
        Ok(IdOrText)
    }
}
