//! [`Likelihood`]: the log-likelihood that a model gave to a segment, as read from a file or passed by a
//! program.

use core::fmt;

use bleuprint_core::Form;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The log-likelihood that a model gave to a segment of text, and the counts (of tokens, bytes ..) by which
/// it may be divided.
///
/// ```
/// use bleuprint_likelihood::{Likelihood, Loglik};
/// let read = |text| serde_json::from_str::<Likelihood>(text);
/// let one = read(r#"{"loglik": [null, -2.5, -0.5], "text": "a b"}"#).unwrap();
/// assert_eq!(one.loglik, Loglik::Tokens(vec![None, Some(-2.5), Some(-0.5)]));
/// assert_eq!(read(r#"{"loglik": null}"#).unwrap().loglik, Loglik::Missing);
/// assert!(read(r#"{"logprob": -1}"#).unwrap_err().to_string().contains("unknown field `logprob`"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Likelihood {
    /// The log-likelihood of the segment: one number, or one number for each token.
    pub loglik: Loglik,
    /// The text of the segment, whose bytes, characters or words are the units of the score.
    #[serde(default)]
    pub text: Option<String>,
    /// Number of tokens of the segment, for scores per token if `loglik` is one number.
    #[serde(default)]
    pub tokens: Option<u64>,
    /// A number of units by which the log-likelihood is divided if the option `per` is `weight`.
    #[serde(default)]
    pub weight: Option<u64>,
}

impl Form for Likelihood {
    const NAME: &'static str = "likelihood";
    const FIELDS: &'static [(&'static str, &'static str)] = &[
        (
            "loglik",
            "the log-likelihood: a number, or a list of those of the tokens, in which null is left out",
        ),
        ("text", "the text, for per=byte, char and word"),
        ("tokens", "the number of tokens, where loglik is one number"),
        ("weight", "the denominator, for per=weight"),
    ];
    type Reference = Self;
    type Source = Self;
}

/// The log-likelihood of a segment, or of its tokens.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum Loglik {
    /// The log-likelihood of the whole segment.
    Sum(f64),
    /// The log-likelihood of each token. Many programs give `None` for the first token.
    Tokens(Vec<Option<f64>>),
    /// The segment has no log-likelihood.
    #[default]
    Missing,
}

struct LoglikVisitor;

impl<'de> Visitor<'de> for LoglikVisitor {
    type Value = Loglik;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a log-likelihood, a list of those of tokens, or null")
    }
    fn visit_f64<E>(self, number: f64) -> Result<Loglik, E> {
        Ok(Loglik::Sum(number))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Loglik, E> {
        Ok(Loglik::Sum(number as f64))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Loglik, E> {
        Ok(Loglik::Sum(number as f64))
    }
    fn visit_unit<E>(self) -> Result<Loglik, E> {
        Ok(Loglik::Missing)
    }
    fn visit_none<E>(self) -> Result<Loglik, E> {
        Ok(Loglik::Missing)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Loglik, A::Error> {
        let mut tokens = Vec::new();
        while let Some(LoglikToken(token)) = list.next_element()? {
            tokens.push(token);
        }
        Ok(Loglik::Tokens(tokens))
    }
}

/// The log-likelihood of a token, which may be null. NaN and infinities are accepted here, because the
/// metric's options decide how they are treated.
struct LoglikToken(Option<f64>);

struct LoglikTokenVisitor;

impl Visitor<'_> for LoglikTokenVisitor {
    type Value = LoglikToken;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the log-likelihood of a token, or null")
    }
    fn visit_f64<E>(self, number: f64) -> Result<LoglikToken, E> {
        Ok(LoglikToken(Some(number)))
    }
    fn visit_i64<E>(self, number: i64) -> Result<LoglikToken, E> {
        Ok(LoglikToken(Some(number as f64)))
    }
    fn visit_u64<E>(self, number: u64) -> Result<LoglikToken, E> {
        Ok(LoglikToken(Some(number as f64)))
    }
    fn visit_unit<E>(self) -> Result<LoglikToken, E> {
        Ok(LoglikToken(None))
    }
    fn visit_none<E>(self) -> Result<LoglikToken, E> {
        Ok(LoglikToken(None))
    }
}

impl<'de> Deserialize<'de> for LoglikToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LoglikTokenVisitor)
    }
}

impl<'de> Deserialize<'de> for Loglik {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LoglikVisitor)
    }
}
