//! [`Resegment`]: cuts a text into the segments of its references with the fewest edits, so that any metric
//! can score it.
//!
//! Speech translation systems cut their output into other segments than the reference. This module cuts the
//! output again, like [`metrics::edit::resegment`](crate::metrics::edit::resegment). Words are compared after
//! normalization, in the chosen case, as tokens of the chosen tokenizer; the pieces contain the original
//! text.
//!
//! Cuts are between words, or between characters of scripts without spaces
//! ([`text::units`](crate::text::units)), never within a word.
//!
//! ```
//! use bleuprint::resegment::Resegment;
//! let references = [vec!["Good morning."], vec!["See you soon."]];
//! let cut = Resegment::default().cut(&references, "Good day. See you\nsoon. Bye.").unwrap();
//! assert_eq!(cut.pieces, ["Good day.", "See you\nsoon. Bye."]);
//! assert_eq!((cut.edits, cut.ref_lens), (vec![1, 1], vec![2, 3]));
//! ```

use std::ops::Range;

use bleuprint_core::{Case, InputError, Result, counted};
use bleuprint_eval::SharedTokenizer;
use bleuprint_metrics::edit::{Borders, alignment, resegment};
use bleuprint_text::{
    Chain, Normalizer as _, TokenBuffer, Tokenizer as _, lowercase, lowercase_ascii, units, whitespace,
};

/// Largest accepted factor between the length of the text and the total length of its references.
const FAR_APART: usize = 2;

/// Settings for cutting a text into pieces that correspond to its reference segments: how words are compared.
#[derive(Clone, Default)]
pub struct Resegment {
    normalizer: Option<Chain>,
    tokenizer: Option<SharedTokenizer>,
    case: Case,
    borders: Borders,
    unlike: bool,
}

/// Pieces of a text, one for each reference segment, with the number of edits in each piece.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextCut<'t> {
    /// Pieces of the text, one for each reference segment, without whitespace at their ends.
    pub pieces: Vec<&'t str>,
    /// Number of token edits (insertions, deletions, substitutions) between each piece of the text and the
    /// reference of its segment that needs the fewest edits.
    pub edits: Vec<u64>,
    /// Length, in tokens, of the reference that needs the fewest edits, for each piece of the text.
    pub ref_lens: Vec<usize>,
}

impl Resegment {
    /// Sets a text normalizer that is applied before words are compared and before lower-casing.
    #[must_use]
    pub fn with_normalizer(self, chain: Chain) -> Self {
        Resegment { normalizer: Some(chain), ..self }
    }

    /// Sets a tokenizer; words are compared by the tokens that it splits them into.
    #[must_use]
    pub fn with_tokenizer(self, tokenizer: impl Into<SharedTokenizer>) -> Self {
        Resegment { tokenizer: Some(tokenizer.into()), ..self }
    }

    /// Sets the letter case in which words are compared.
    #[must_use]
    pub fn with_case(self, case: Case) -> Self {
        Resegment { case, ..self }
    }

    /// Sets the number of edits that count for the first reference segments if the hypothesis has no words
    /// for them. This cost affects where the text is cut.
    #[must_use]
    pub fn with_borders(self, borders: Borders) -> Self {
        Resegment { borders, ..self }
    }

    /// Accepts texts whose length differs from the references by more than a factor of 2.
    #[must_use]
    pub fn with_unlike_lengths(self) -> Self {
        Resegment { unlike: true, ..self }
    }

    /// Cuts a text into one piece for each segment of the references. Each segment has one or more
    /// references.
    ///
    /// # Errors
    /// Returns an error if the lengths differ by more than a factor of 2, because a cut would hide missing or
    /// additional text; [`Resegment::with_unlike_lengths`] accepts such texts. Returns the errors of the
    /// tokenizer and of [`metrics::edit::resegment`](resegment).
    pub fn cut<'t>(&self, references: &[Vec<&str>], text: &'t str) -> Result<TextCut<'t>> {
        let mut buffer = TokenBuffer::default();
        let hypothesis = self.tokens(text, &mut buffer)?;
        let references: Vec<Vec<ResegmentTokens>> = references
            .iter()
            .map(|segment| segment.iter().map(|reference| self.tokens(reference, &mut buffer)).collect())
            .collect::<Result<_>>()?;
        if !self.unlike {
            require_like_lengths(&references, hypothesis.keys.len())?;
        }
        let keys: Vec<Vec<&[String]>> = references
            .iter()
            .map(|segment| segment.iter().map(|reference| &reference.keys[..]).collect())
            .collect();
        let mut cut = resegment(&keys, &hypothesis.keys, self.borders)?;
        // The tokenizer may split a word into several tokens. A cut inside a word moves to its end, and the
        // edits of all pieces are counted again.
        let whole = cut.ends.iter().map(|&end| hypothesis.word_end(end)).collect();
        if whole != cut.ends {
            cut.ends = whole;
            let pieces: Vec<Range<usize>> = cut.pieces().collect();
            for (segment, piece) in pieces.into_iter().enumerate() {
                let piece = &hypothesis.keys[piece];
                let each = keys[segment].iter().map(|reference| -> Result<(u64, usize)> {
                    Ok((alignment(reference, piece)?.counts().edits(), reference.len()))
                });
                let each: Vec<(u64, usize)> = each.collect::<Result<_>>()?;
                (cut.edits[segment], cut.ref_lens[segment]) =
                    each.into_iter().min_by_key(|(edits, _)| *edits).unwrap_or_default();
            }
        }
        let mut start = 0;
        let pieces = cut.ends.iter().map(|&end| {
            let end = hypothesis.unit_end(end).max(start);
            let range = start..end;
            start = end;
            match (hypothesis.units.get(range.start), hypothesis.units[range.clone()].last()) {
                (Some(first), Some(last)) => &text[first.start..last.end],
                _ => "",
            }
        });
        Ok(TextCut { pieces: pieces.collect(), edits: cut.edits, ref_lens: cut.ref_lens })
    }

    fn tokens(&self, text: &str, buffer: &mut TokenBuffer) -> Result<ResegmentTokens> {
        let mut tokens = ResegmentTokens { units: units(text).collect(), ..ResegmentTokens::default() };
        let mut normalized = String::new();
        let mut lowered = String::new();
        for (unit, range) in tokens.units.iter().enumerate() {
            let mut word = &text[range.clone()];
            if let Some(chain) = &self.normalizer {
                normalized.clear();
                normalized.push_str(word);
                chain.normalize(&mut normalized, &mut lowered);
                word = &normalized;
            }
            // A tokenizer with a case of its own lower-cases itself; doing so before would change its rules.
            let case = match &self.tokenizer {
                Some(tokenizer) if tokenizer.case().is_some() => Case::Mixed,
                _ => self.case,
            };
            let word = match case {
                Case::Mixed => word,
                Case::Lower => {
                    lowercase(word, &mut lowered);
                    &lowered
                }
                Case::LowerAscii => {
                    lowercase_ascii(word, &mut lowered);
                    &lowered
                }
            };
            match &self.tokenizer {
                None => tokens.keys.extend(whitespace::split(word).map(str::to_owned)),
                Some(tokenizer) => {
                    tokens.keys.extend(tokenizer.tokenize(word, buffer)?.iter().map(str::to_owned));
                }
            }
            tokens.owners.resize(tokens.keys.len(), unit);
        }
        Ok(tokens)
    }
}

#[derive(Default)]
struct ResegmentTokens {
    units: Vec<Range<usize>>,
    keys: Vec<String>,
    /// Index of the unit (word or character) that each token belongs to.
    owners: Vec<usize>,
}

impl ResegmentTokens {
    /// Moves a cut that splits a word to the end of the word. The cut is after `end` tokens.
    fn word_end(&self, mut end: usize) -> usize {
        while end > 0 && end < self.owners.len() && self.owners[end] == self.owners[end - 1] {
            end += 1;
        }
        end
    }

    /// Converts the end of a piece from tokens to units (words or characters). Units without tokens belong to
    /// the piece before them.
    fn unit_end(&self, end: usize) -> usize {
        match (end, self.owners.get(end)) {
            (_, None) => self.units.len(),
            (0, _) => 0,
            (_, Some(&unit)) => unit,
        }
    }
}

/// Rejects a text whose length differs too much from the references.
///
/// # Errors
/// Returns an error with both lengths.
fn require_like_lengths(references: &[Vec<ResegmentTokens>], len: usize) -> Result<()> {
    let lens = |segment: &Vec<ResegmentTokens>| {
        segment.iter().map(|reference| reference.keys.len()).collect::<Vec<_>>()
    };
    let shortest: usize = references.iter().filter_map(|segment| lens(segment).into_iter().min()).sum();
    let longest: usize = references.iter().filter_map(|segment| lens(segment).into_iter().max()).sum();
    if FAR_APART * len >= shortest && len <= FAR_APART * longest {
        return Ok(());
    }
    let of = if shortest == longest { shortest.to_string() } else { format!("{shortest} to {longest}") };
    Err(InputError::malformed(format!(
        "the hypothesis has {}, and the references have {of}: the lengths differ too much, so that a cut would hide missing \
         or additional text; cut it anyway with --unlike-lengths",
        counted(len, "token")
    )))
}
