//! Fertility: tokens of a tokenizer per word, byte or character of the text.
//!
//! ```text
//! fertility = Σ tokens / Σ words        or / Σ bytes, / Σ characters; or Σ bytes / Σ tokens
//! ```
//!
//! All sums are over the corpus. Words are separated by white space, bytes are UTF-8, characters are code
//! points; all are counted in the text as given.
//!
//! | singular case | result |
//! |---|---|
//! | text without words (bytes, characters, tokens) | no score: the divisor is 0 |
//! | references | not used |
//!
//! With the option `tokens=given`, records of [`TokenizedText`] give the number of tokens from another
//! program.
//!
//! The range is at least 0; lower is better, except for bytes per token. Source: Rust et al. 2021, How Good
//! is Your Tokenizer? The numbers follow the definition. The running time is the tokenizer's.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_sources::{Fertility, FertilityStats, FertilityUnit};
//!
//! let mut fertility = Accumulator::<_, str>::new(Fertility::new("char", FertilityUnit::Word).unwrap());
//! fertility.push("a cat sat", &[]).unwrap();
//! assert_eq!(fertility.score().unwrap().value(), 7.0 / 3.0);
//! // Tokens that another program counted.
//! assert_eq!(FertilityStats::from_text("a cat sat", 5).bytes, 9);
//! ```

use std::sync::Arc;

use bleuprint_core::{
    Case, Choice, ConfigError, Direction, Identity, InputError, Metric, Observe, PlainScore, Result, Scale,
    ScorePart, Segment, SegmentCounts, Stats, columns,
};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer, whitespace};

use crate::TokenizedText;

/// The quotient that the metric fertility reports, such as tokens per word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FertilityUnit {
    /// Number of tokens divided by the number of words.
    Word,
    /// Number of tokens divided by the number of bytes.
    Byte,
    /// Number of tokens divided by the number of characters.
    Char,
    /// Number of bytes divided by the number of tokens.
    Token,
}

bleuprint_core::choice!(FertilityUnit: Word "word", Byte "byte", Char "char", Token "token");

/// The metric fertility: number of tokens per word, from a tokenizer or [given in the data](TokenizedText).
/// The [module documentation](self) has the definition.
#[derive(Clone)]
pub struct Fertility {
    /// The tokenizer whose tokens are counted, or `None` if the data contains the number of tokens.
    tokenizer: Option<Arc<dyn Tokenizer>>,
    per: FertilityUnit,
}

columns! {
    /// Counts of the tokens, words, bytes and characters in texts, from which the fertility of a tokenizer is
    /// computed.
    pub struct FertilityStats {
        /// Number of tokens into which the tokenizer splits the texts.
        tokens,
        /// Number of words in the texts; words are separated by white space.
        words <= chars,
        /// Number of bytes of the texts in UTF-8.
        bytes,
        /// Number of code points in the texts.
        chars <= bytes
    }
}

impl FertilityStats {
    /// Counts the words, bytes and characters of a text; `tokens` is its number of tokens.
    pub fn from_text(text: &str, tokens: u64) -> Self {
        let words = whitespace::count(text);
        FertilityStats { tokens, words, bytes: text.len() as u64, chars: text.chars().count() as u64 }
    }

    /// Returns the quotient that `per` selects, such as tokens per word, or `None` if the divisor is 0.
    pub fn quotient(&self, per: FertilityUnit) -> Option<f64> {
        let (count, divisor) = match per {
            FertilityUnit::Word => (self.tokens, self.words),
            FertilityUnit::Byte => (self.tokens, self.bytes),
            FertilityUnit::Char => (self.tokens, self.chars),
            FertilityUnit::Token => (self.bytes, self.tokens),
        };
        (divisor > 0).then(|| count as f64 / divisor as f64)
    }
}

impl Fertility {
    /// Creates the metric fertility for the tokenizer with this name, for example `13a` or `hf:PATH`. The
    /// name `given` means that the data contains the number of tokens; see [given tokens](TokenizedText).
    ///
    /// # Errors
    /// Returns an error if the tokenizer is unknown, or if its model cannot be read.
    pub fn new(name: &str, per: FertilityUnit) -> Result<Self, ConfigError> {
        if name == GIVEN {
            return Ok(Fertility { tokenizer: None, per });
        }
        Ok(Fertility::with_unit(tokenizer(name, &TokenizerOptions::default())?.into(), per))
    }

    /// Creates the metric fertility for this tokenizer and this quotient, such as tokens per word.
    pub fn with_unit(tokenizer: Arc<dyn Tokenizer>, per: FertilityUnit) -> Self {
        Fertility { tokenizer: Some(tokenizer), per }
    }
}

impl Metric for Fertility {
    type Stats = FertilityStats;
    type Score = PlainScore;
    type Scratch = TokenBuffer;

    fn identity(&self) -> Identity {
        // More bytes per token mean fewer tokens, so only this quotient is better if it is higher.
        let scale = match self.per {
            FertilityUnit::Token => Scale::UNBOUNDED,
            _ => Scale { direction: Direction::LowerIsBetter, ..Scale::UNBOUNDED },
        };
        let tokens = self.tokenizer.as_ref().map_or(GIVEN, |tokenizer| tokenizer.token_space());
        let settings = FertilitySettings { tokens: Some(tokens.to_owned()), per: self.per };
        let identity = settings.add_to_identity(Identity::new("fertility", 1, scale)).reference_free();
        if self.tokenizer.is_some() { identity } else { identity.for_form::<TokenizedText>() }
    }

    fn finalize(&self, stats: &FertilityStats, _: &SegmentCounts) -> Result<PlainScore> {
        let Some(score) = stats.quotient(self.per) else {
            let what = format!("there is no {} in the texts", self.per.name());
            return Err(InputError::no_score("fertility", what));
        };
        let names = [
            ("per_word", FertilityUnit::Word),
            ("per_byte", FertilityUnit::Byte),
            ("per_char", FertilityUnit::Char),
            ("bytes_per_token", FertilityUnit::Token),
        ];
        // All four quotients are reported if they exist, so that tokenizers of languages without spaces
        // can be compared too.
        let parts = names.into_iter().filter_map(|(name, per)| Some((name, stats.quotient(per)?)));
        Ok(parts.fold(PlainScore::new(score), |score, (name, number)| {
            score.with(ScorePart::number(name, number, 3))
        }))
    }
}

impl Observe<str> for Fertility {
    fn observe(
        &self,
        buffer: &mut TokenBuffer,
        stats: &mut FertilityStats,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let text = segment.hypothesis;
        let Some(tokenizer) = &self.tokenizer else {
            return Err(InputError::malformed("fertility:tokens=given takes texts with their tokens"));
        };
        stats.merge(&FertilityStats::from_text(text, tokenizer.tokenize(text, buffer)?.len() as u64))
    }
}

/// Scores texts whose number of tokens is given in the data, without a tokenizer.
impl<R: ?Sized, C: ?Sized> Observe<TokenizedText, R, C> for Fertility {
    fn observe(
        &self,
        _: &mut TokenBuffer,
        stats: &mut FertilityStats,
        segment: Segment<'_, TokenizedText, R, C>,
    ) -> Result<()> {
        let TokenizedText { text, tokens } = segment.hypothesis;
        stats.merge(&FertilityStats::from_text(text, *tokens))
    }
}

/// The name that users give in place of a tokenizer if the data contains the number of tokens.
const GIVEN: &str = "given";

settings! {
    struct FertilitySettings {
        /// The tokenizer whose tokens are counted: a name from `list tokenizers`, for example hf:PATH; or given, for records of
        /// text and tokens
        tokens: Option<String> = Opt::name("fertility-tokens", "13a").counted("tokens", "tk");
        /// The quotient: tokens per word, byte or character, or bytes per token
        per: FertilityUnit = Opt::choice("fertility-per").finished("per", "per");
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("fertility", "Tokens of a tokenizer to a word, a byte or a character", build)
        .papers(&[crate::paper("rust-etal-2021-good")])
        .options(FertilitySettings::SPECS)
        .example(r#"{"hypothesis": "the cat sat on the mat."}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let FertilitySettings { tokens, per } = FertilitySettings::from_options(options)?;
    let fertility = Fertility::new(tokens.as_deref().unwrap_or("13a"), per)?;
    Ok(match fertility.tokenizer {
        Some(_) => AnyMetric::for_text(fertility).with_case(Case::Mixed),
        None => AnyMetric::for_own::<TokenizedText, _>(fertility),
    })
}

#[cfg(test)]
#[test]
fn given_tokens_have_the_quotients_of_their_counts() {
    use bleuprint_core::Accumulator;
    let given = |text: &str, tokens| TokenizedText { text: text.to_owned(), tokens };
    let mut all = Accumulator::<_, TokenizedText>::new(Fertility::new(GIVEN, FertilityUnit::Word).unwrap());
    all.push(&given("a cat sat", 5), &[]).unwrap();
    all.push(&given("", 0), &[]).unwrap();
    assert_eq!(all.score().unwrap().value(), 5.0 / 3.0);
    let mut text = Accumulator::<_, str>::new(Fertility::new(GIVEN, FertilityUnit::Word).unwrap());
    assert!(text.push("a", &[]).unwrap_err().to_string().contains("with their tokens"));
}

#[cfg(test)]
#[test]
fn obeys_the_laws() {
    use bleuprint_registry::laws;
    laws::check_any(&AnyMetric::for_text(Fertility::new("char", FertilityUnit::Byte).unwrap()));
    let text = |raw: &[u8]| {
        raw.iter().map(|byte| if byte % 3 == 0 { ' ' } else { char::from(b'a' + byte % 20) }).collect()
    };
    let make = |raw: &[u8]| TokenizedText { text: text(raw), tokens: raw.len() as u64 / 2 };
    laws::check_sequences::<TokenizedText>(&Fertility::new(GIVEN, FertilityUnit::Token).unwrap(), make);
}
