//! [`Suber`]: the subtitle edit rate. It divides each file into parts at times when no subtitle is shown.

use std::sync::Arc;

use bleuprint_core::{
    ConfigError, Identity, Metric, Observe, PlainScore, Quotient, Result, Scale, Segment, SegmentCounts,
    Stats as _, columns,
};
use bleuprint_metrics::PairTables;
use bleuprint_text::TokenizerOptions;

use crate::Subtitles;
use crate::entry::SuberSettings;
use crate::given::limited;
use crate::tokens::{SubtitleCutter, SubtitleLanguage, SubtitleSide};

/// Largest number of tokens of the hypothesis or the reference in one part of a file. A file is divided into
/// parts at times when neither of them shows a subtitle.
const MOST_TOKENS: usize = 1 << 17;

/// The metric SubER, the subtitle edit rate. The [crate documentation](crate) has the definition.
#[derive(Clone, Default)]
pub struct Suber {
    cased: bool,
    /// The tokenizer for a language without spaces, or `None` if words are separated by white space.
    language: Option<Arc<SubtitleLanguage>>,
}

impl Suber {
    /// Changes the metric to compare words with their case and punctuation, which are ignored by default.
    #[must_use]
    pub fn cased(self) -> Self {
        Suber { cased: true, ..self }
    }

    /// Sets the language whose tokenizer splits subtitles into words: `zh`, `ja` or `ko`. The last two need
    /// the dictionary in `options`. `none` separates words at white space.
    ///
    /// ```
    /// use bleuprint_core::Accumulator;
    /// use bleuprint_subtitles::{Suber, Subtitles};
    /// use bleuprint_text::TokenizerOptions;
    /// let srt = |text: &str| Subtitles::from_text(&format!("1\n00:00:01,000 --> 00:00:03,000\n{text}\n")).unwrap();
    /// let mut films = Accumulator::<_, Subtitles>::new(Suber::default().language("zh", &TokenizerOptions::default()).unwrap());
    /// films.push(&srt("我很好"), &[&srt("我很好。")]).unwrap();
    /// films.push(&srt("他很好"), &[&srt("我很好")]).unwrap();
    /// // Three words and a break of each, of which one word differs.
    /// assert_eq!(films.score().unwrap().value(), 12.5);
    /// ```
    ///
    /// # Errors
    /// Returns an error if the language is unknown, or if `ja` or `ko` lacks the dictionary that `ja-mecab`
    /// and `ko-mecab` need.
    pub fn language(self, language: &str, options: &TokenizerOptions) -> Result<Self, ConfigError> {
        let language = if language == "none" {
            None
        } else {
            Some(Arc::new(SubtitleLanguage::from_tokenizer(language, options)?))
        };
        Ok(Suber { language, ..self })
    }
}

columns! {
    /// Counts of edits and of reference tokens, from which the subtitle edit rate is computed.
    pub struct SuberCounts {
        /// Number of insertions, deletions, substitutions and shifts that turn the hypotheses into the
        /// references.
        edits,
        /// Number of words and breaks (ends of lines or subtitles) of the references.
        tokens
    }
}

impl Metric for Suber {
    type Stats = SuberCounts;
    type Score = PlainScore;
    type Scratch = PairTables;

    fn identity(&self) -> Identity {
        let language = self.language.as_ref().map_or("none", |language| language.name);
        SuberSettings { cased: self.cased, language }
            .add_to_identity(Identity::new("suber", 1, Scale { percent: true, ..Scale::ERROR_RATE }))
            .named("SubER")
            .for_form::<Subtitles>()
    }

    fn finalize(&self, counts: &SuberCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let score = match *counts {
            // The program's rule for a reference without tokens: 0 without edits, else 100 and not
            // infinite.
            SuberCounts { edits: 0, .. } => 0.0,
            SuberCounts { tokens: 0, .. } => 100.0,
            SuberCounts { edits, tokens } => 100.0 * edits as f64 / tokens as f64,
        };
        Ok(PlainScore::new(score).with_count("edits", counts.edits).with_count("tokens", counts.tokens))
    }

    fn quotient(&self) -> Option<Quotient> {
        Some(Quotient { numerator: &["edits"], denominator: &["tokens"], factor: 100.0 })
    }
}

impl Observe<Subtitles, Subtitles, Subtitles> for Suber {
    fn observe(
        &self,
        tables: &mut PairTables,
        stats: &mut SuberCounts,
        segment: Segment<'_, Subtitles, Subtitles, Subtitles>,
    ) -> Result<()> {
        let mut cutter = SubtitleCutter::new(self.cased, self.language.as_deref());
        let reference = cutter.cut(segment.one_reference("suber")?)?;
        let hypothesis = cutter.cut(segment.hypothesis)?;
        let mut edits = 0;
        for [from, to] in parts(&hypothesis, &reference) {
            let one = &hypothesis.tokens[from.0..to.0];
            let other = &reference.tokens[from.1..to.1];
            for tokens in [one.len(), other.len()] {
                if tokens > MOST_TOKENS {
                    let what = "the number of words and breaks of subtitles that overlap one after another";
                    return Err(limited(what, tokens.to_string(), format!("at most {MOST_TOKENS}")));
                }
            }
            let rule = |own: usize, their: usize| one[own].pair(other[their]);
            edits += tables.edits_and_shifts([one.len(), other.len()], BEAM, rule)?;
        }
        stats.merge(&SuberCounts { edits, tokens: reference.tokens.len() as u64 })
    }
}

/// Largest distance from the diagonal of the edit table, in tokens, at which SubER's original program
/// searches. TER, the translation edit rate, searches only within 25 tokens.
const BEAM: usize = 100;

/// A pair of token positions: one in the hypothesis and one in the reference.
type Places = (usize, usize);

/// Divides a file into parts at times when neither side shows a subtitle. Each part is returned as
/// `[start, end]`, two pairs of token positions. A new part begins at a subtitle that starts when all earlier
/// ones have ended.
fn parts(hypothesis: &SubtitleSide, reference: &SubtitleSide) -> Vec<[Places; 2]> {
    let mut ours = hypothesis.subtitles.iter().peekable();
    let mut theirs = reference.subtitles.iter().peekable();
    let mut parts = Vec::new();
    let mut from = (0, 0);
    let mut to = (0, 0);
    let mut latest = f64::NEG_INFINITY;
    loop {
        // If starts are equal, the reference comes first.
        let first = match (ours.peek(), theirs.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(their)) => own.0 < their.0,
        };
        let Some(&(start, end, place)) = (if first { ours.next() } else { theirs.next() }) else { break };
        // A part must have a token, so subtitles without tokens never end one.
        if start >= latest && to != from {
            parts.push([from, to]);
            from = to;
        }
        latest = end.max(latest);
        *(if first { &mut to.0 } else { &mut to.1 }) = place;
    }
    if to != from {
        parts.push([from, to]);
    }
    parts
}
