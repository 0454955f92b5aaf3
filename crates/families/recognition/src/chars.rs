//! The character error rate of the words of a list: names and words beyond a vocabulary that are nearly right.
//!
//! ```text
//! term CER = Σ edits(word, heard) / Σ characters of words          over the words of references that are on the list
//! ```
//!
//! `heard` is the word of the hypothesis that is aligned with it, behind the word that is inserted directly before: a name in two pieces
//! (`zan zibar`) is one edit away, and another word in front of a right one is an error of it. A deleted word costs all its characters.
//! With [`Like::Texterrors`] and [`Like::CharDiff`] the first word also has the word that is inserted directly behind it, as there.
//!
//! | singular case | result |
//! |---|---|
//! | no word of the list in the references | no score |
//! | no source, without `words=FILE` | error |
//! | a term of several words, several references, no reference | error |
//!
//! Range from 0, lower is better. Source: texterrors 1.1.9, whose OOV-CER it is with [`Like::Texterrors`] and [`Like::CharDiff`].
//! texterrors divides edits of bytes by characters, which is more beyond ASCII; here both are characters. Time is that of the alignment.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{Like, TermCer};
//!
//! let mut rate = Accumulator::<_, [&str]>::new(TermCer::new(Like::Jiwer));
//! let [reference, hypothesis] = [["in", "zanzibar", "today"].as_slice(), &["in", "zan", "zibar", "today"]];
//! rate.push_segment(Segment::of(hypothesis, &[reference], Some(&["zanzibar"][..]))).unwrap();
//! assert_eq!(rate.score().unwrap().value(), 1.0 / 8.0);
//! ```

use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{
    Case, ConfigError, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats as _, columns,
};
use bleuprint_metrics::edit::{Operation, require_few_tokens};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt};

use crate::like::{AlignTables, LIKE};
use crate::list::Words;
use crate::quotients::{numbers, quotient};
use crate::{Like, TermList};

/// The metric.
#[derive(Debug, Clone, Default)]
pub struct TermCer {
    like: Like,
    /// Without it, each segment has its own.
    list: Option<Arc<TermList>>,
}

columns! {
    /// Words of the list in references, and their characters.
    pub struct TermChars {
        /// Words of the list.
        words,
        /// Those that are deleted or have another in their place.
        wrong <= words,
        /// Characters of the words.
        chars,
        /// Edits between them and what is heard.
        edits
    }
}

impl TermCer {
    /// The rate, with a list for each segment: its source.
    pub fn new(like: Like) -> Self {
        TermCer { like, list: None }
    }

    /// The same with one list for all segments.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] for a term of several words.
    pub fn with_list(self, list: Arc<TermList>) -> Result<Self, ConfigError> {
        list.require_words("term_cer")?;
        Ok(TermCer { list: Some(list), ..self })
    }

    fn value(stats: &TermChars) -> Result<f64> {
        quotient(stats.edits, stats.chars)
            .ok_or_else(|| InputError::no_score("term_cer", "the references have no word of the list"))
    }
}

impl Metric for TermCer {
    type Stats = TermChars;
    type Score = PlainScore;
    type Scratch = AlignTables;

    fn identity(&self) -> Identity {
        let identity = Identity::new("term_cer", 1, Scale::ERROR_RATE).headed("term CER");
        let identity = identity.option(LIKE, self.like).needing(|needs| needs.one_reference = true);
        match &self.list {
            Some(list) => identity.counted("list", "list", "corpus").learned(&**list),
            None => identity.counted("list", "list", "segment").needing(|needs| needs.source = true),
        }
    }

    fn finalize(&self, stats: &TermChars, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(TermCer::value(stats)?);
        Ok(numbers(score, [("word_error", quotient(stats.wrong, stats.words))])
            .with_count("words", stats.words)
            .with_count("wrong", stats.wrong)
            .with_count("chars", stats.chars)
            .with_count("edits", stats.edits))
    }

    fn number(&self, stats: &TermChars, _: &SegmentCounts) -> Result<f64> {
        TermCer::value(stats)
    }
}

impl<T: AsRef<str> + std::hash::Hash + Eq> Observe<[T]> for TermCer {
    fn observe(
        &self,
        tables: &mut AlignTables,
        stats: &mut TermChars,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let (hypothesis, reference) = (segment.hypothesis, segment.one_reference("term_cer")?);
        require_few_tokens(hypothesis, &[reference])?;
        let listed = Words::of(self.list.as_deref(), segment)?;
        let places = (0..reference.len()).filter(|place| listed.has(reference[*place].as_ref()));
        let places: Vec<usize> = places.collect();
        if places.is_empty() {
            return Ok(());
        }
        // A word behind those may have an insertion before it.
        let wanted =
            |words: Range<usize>| places.iter().any(|place| (words.start..=words.end).contains(place));
        let chunks = self.like.align_if(tables, reference, hypothesis, wanted)?;
        let inserted = |at: Option<usize>| {
            let chunk = chunks.get(at?).filter(|chunk| chunk.operation == Operation::Insertion)?;
            Some(&hypothesis[chunk.hypothesis.clone()])
        };
        let (mut one, mut own, mut other) = (TermChars::default(), Vec::new(), Vec::new());
        for place in places {
            let word = reference[place].as_ref();
            let at = chunks.partition_point(|chunk| chunk.reference.end <= place);
            let Some(chunk) = chunks.get(at) else { continue };
            let step = place - chunk.reference.start;
            let heard = hypothesis[chunk.hypothesis.clone()].get(step);
            let before = if step == 0 { inserted(at.checked_sub(1)) } else { None };
            // As there, the first pair has an insertion behind it too.
            let is_first = (at, step, chunk.reference.len()) == (0, 0, 1);
            let both = is_first && matches!(self.like, Like::Texterrors | Like::CharDiff);
            let behind = if both { inserted(Some(1)) } else { None };
            own.clear();
            own.extend(word.chars());
            other.clear();
            let pieces = [before.and_then(<[T]>::last), heard, behind.and_then(<[T]>::first)];
            for (place, piece) in pieces.into_iter().flatten().enumerate() {
                other.extend((place > 0).then_some(' ').into_iter().chain(piece.as_ref().chars()));
            }
            one.words += 1;
            one.wrong += u64::from(heard.map(AsRef::as_ref) != Some(word));
            one.chars += own.len() as u64;
            one.edits += tables.1.edits(&own, &other)?;
        }
        stats.merge(&one)
    }
}

const WORDS: Opt<Option<String>> = Opt::path("term-cer-words", "the source of each segment")
    .help("A file with one list of words for the corpus, a word on each line");

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("term_cer", "Character error rate of listed words: names that are nearly right", build)
        .papers(&[crate::paper("levenshtein-1966-binary")])
        .agrees_with("texterrors 1.1.9 (OOV-CER), with like=texterrors or chardiff")
        .options(&[WORDS.spec, LIKE.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let metric = TermCer::new(LIKE.of(options)?);
    let metric = match WORDS.of(options)? {
        Some(file) => metric.with_list(Arc::new(TermList::parse(&file, &options.read_file(&file)?)?))?,
        None => metric,
    };
    Ok(AnyMetric::over_tokens(metric).with_default_tokens("jiwer", Case::Mixed))
}
