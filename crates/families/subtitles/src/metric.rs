//! [`Suber`]: the metric, and the parts of a file.

use std::sync::Arc;

use bleuprint_core::{
    ConfigError, Identity, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts, Stats as _,
    columns,
};
use bleuprint_metrics::PairTables;
use bleuprint_text::TokenizerOptions;

use crate::Subtitles;
use crate::entry::{LANGUAGE, WORDS};
use crate::given::limited;
use crate::tokens::{Cutter, Language, Side};

/// The most tokens of a side in one part.
const MOST_TOKENS: usize = 1 << 17;

/// The subtitle edit rate; [the package](crate) has the definition.
#[derive(Clone, Default)]
pub struct Suber {
    cased: bool,
    /// None for words between white space.
    language: Option<Arc<Language>>,
}

impl Suber {
    /// With case and punctuation.
    #[must_use]
    pub fn cased(self) -> Self {
        Suber { cased: true, ..self }
    }

    /// With words that are cut by the tokenizer of a language: `zh`, `ja` or `ko`, the last two with the dictionary of `options`; `none` for
    /// white space.
    ///
    /// ```
    /// use bleuprint_core::Accumulator;
    /// use bleuprint_subtitles::{Suber, Subtitles};
    /// use bleuprint_text::TokenizerOptions;
    /// let srt = |text: &str| Subtitles::from_srt(&format!("1\n00:00:01,000 --> 00:00:03,000\n{text}\n")).unwrap();
    /// let mut films = Accumulator::<_, Subtitles>::new(Suber::default().language("zh", &TokenizerOptions::default()).unwrap());
    /// films.push(&srt("我很好"), &[&srt("我很好。")]).unwrap();
    /// films.push(&srt("他很好"), &[&srt("我很好")]).unwrap();
    /// // Three words and a break of each, of which one word differs.
    /// assert_eq!(films.score().unwrap().value(), 12.5);
    /// ```
    ///
    /// # Errors
    /// Another language; `ja` and `ko` without the dictionary that `ja-mecab` and `ko-mecab` need.
    pub fn language(self, language: &str, options: &TokenizerOptions) -> Result<Self, ConfigError> {
        let language =
            if language == "none" { None } else { Some(Arc::new(Language::of(language, options)?)) };
        Ok(Suber { language, ..self })
    }
}

columns! {
    /// The counts of files.
    pub struct SuberCounts {
        /// Insertions, deletions, substitutions and shifts.
        edits,
        /// Words and breaks of the reference.
        tokens
    }
}

impl Metric for Suber {
    type Stats = SuberCounts;
    type Score = PlainScore;
    type Scratch = PairTables;

    fn identity(&self) -> Identity {
        Identity::new("suber", 1, Scale { percent: true, ..Scale::ERROR_RATE })
            .named("SubER")
            .option(WORDS, if self.cased { "cased" } else { "plain" })
            .option(LANGUAGE, self.language.as_ref().map_or("none", |language| language.name))
            .over_form::<Subtitles>()
    }

    fn finalize(&self, counts: &SuberCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let score = match *counts {
            SuberCounts { edits: 0, .. } => 0.0,
            SuberCounts { tokens: 0, .. } => 100.0,
            SuberCounts { edits, tokens } => 100.0 * edits as f64 / tokens as f64,
        };
        Ok(PlainScore::new(score).with_count("edits", counts.edits).with_count("tokens", counts.tokens))
    }
}

impl Observe<Subtitles, Subtitles, Subtitles> for Suber {
    fn observe(
        &self,
        tables: &mut PairTables,
        stats: &mut SuberCounts,
        segment: Segment<'_, Subtitles, Subtitles, Subtitles>,
    ) -> Result<()> {
        let mut cutter = Cutter::new(self.cased, self.language.as_deref());
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

/// The beam of the program, four times that of TER.
const BEAM: usize = 100;

/// Places in the tokens of the hypothesis and of the reference.
type Places = (usize, usize);

/// The parts of a file, from places to places: a part ends where the next subtitle of either side starts after the end of all before.
fn parts(hypothesis: &Side, reference: &Side) -> Vec<[Places; 2]> {
    let (mut ours, mut theirs) =
        (hypothesis.subtitles.iter().peekable(), reference.subtitles.iter().peekable());
    let (mut parts, mut from, mut to, mut latest) = (Vec::new(), (0, 0), (0, 0), f64::NEG_INFINITY);
    loop {
        // Of equal starts the reference comes first.
        let first = match (ours.peek(), theirs.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(their)) => own.0 < their.0,
        };
        let Some(&(start, end, place)) = (if first { ours.next() } else { theirs.next() }) else { break };
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
