//! Character error rate of listed words, for names and unknown words that are often recognized almost right.
//!
//! ```text
//! term CER = Σ edits(word, heard) / Σ characters of words          over the reference words on the list
//! ```
//!
//! `heard` is the aligned hypothesis word, together with a word that is inserted directly before it. A name
//! in two pieces (`zan zibar`) is therefore one edit away, and a surplus word before a right one is an error
//! of that word. A deleted word costs all its characters. With [`AlignmentProgram::Texterrors`] and
//! [`AlignmentProgram::CharDiff`], `heard` of the first reference word also includes a word inserted directly
//! after it, as in texterrors.
//!
//! | singular case | result |
//! |---|---|
//! | no word of the list in the references | no score |
//! | no source, without `words=FILE` | error |
//! | a term of several words, several references, no reference | error |
//!
//! The range is from 0, lower is better. Source: the OOV-CER of texterrors 1.1.9, which
//! [`AlignmentProgram::Texterrors`] and [`AlignmentProgram::CharDiff`] follow. texterrors divides edits of
//! bytes by characters, which is larger for text other than ASCII; here both are characters. The running time
//! is the time to align the words.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{AlignmentProgram, TermCer};
//!
//! let mut rate = Accumulator::<_, [&str]>::new(TermCer::new(AlignmentProgram::Jiwer));
//! let [reference, hypothesis] = [["in", "zanzibar", "today"].as_slice(), &["in", "zan", "zibar", "today"]];
//! rate.push_segment(Segment::with_source(hypothesis, &[reference], Some(&["zanzibar"][..]))).unwrap();
//! assert_eq!(rate.score().unwrap().value(), 1.0 / 8.0);
//! ```

use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{
    Case, ConfigError, Identity, InputError, Metric, Observe, PlainScore, Quotient, Result, Scale, Segment,
    SegmentCounts, Stats as _, columns,
};
use bleuprint_metrics::edit::{EditOperation, require_few_tokens};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

use crate::like::{AlignTables, LIKE};
use crate::list::ListedWords;
use crate::quotients::{numbers, quotient};
use crate::{AlignmentProgram, TermList};

/// Metric: character error rate of the reference words that are on a list.
#[derive(Debug, Clone, Default)]
pub struct TermCer {
    like: AlignmentProgram,
    /// List of words for all segments; `None` if each segment has its own list as its source.
    list: Option<Arc<TermList>>,
}

columns! {
    /// Numbers of reference words on the list, of their characters, and of errors in them.
    pub struct TermChars {
        /// Number of reference words that are on the list of terms.
        words,
        /// Number of listed reference words that are deleted or aligned with a different hypothesis word.
        wrong <= words,
        /// Number of characters of the reference words that are on the list of terms.
        chars,
        /// Number of characters inserted, deleted or substituted in the reference words that are on the list
        /// of terms, compared with the hypothesis words aligned with them.
        edits
    }
}

impl TermCer {
    /// Creates the metric term CER, the character error rate of the reference words on a list of terms. Each
    /// segment gives its list as its source; `like` is the program whose word alignment is used.
    pub fn new(like: AlignmentProgram) -> Self {
        TermCer { like, list: None }
    }

    /// Sets one list of words for all segments, in place of a list for each segment. The metric counts
    /// character errors only in reference words on the list.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if a term has several words.
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

    fn quotient(&self) -> Option<Quotient> {
        Some(Quotient { numerator: &["edits"], denominator: &["chars"], factor: 1.0 })
    }
}

impl<T: AsRef<str> + std::hash::Hash + Eq> Observe<[T]> for TermCer {
    fn observe(
        &self,
        tables: &mut AlignTables,
        stats: &mut TermChars,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let reference = segment.one_reference("term_cer")?;
        require_few_tokens(hypothesis, &[reference])?;
        let listed = ListedWords::from_segment(self.list.as_deref(), segment)?;
        let places = (0..reference.len()).filter(|place| listed.has(reference[*place].as_ref()));
        let places: Vec<usize> = places.collect();
        if places.is_empty() {
            return Ok(());
        }
        // The word after a listed word is needed too: an insertion before it may belong to the listed word.
        let wanted =
            |words: Range<usize>| places.iter().any(|place| (words.start..=words.end).contains(place));
        let chunks = self.like.align_if(tables, reference, hypothesis, wanted)?;
        let inserted = |at: Option<usize>| {
            let chunk = chunks.get(at?).filter(|chunk| chunk.operation == EditOperation::Insertion)?;
            Some(&hypothesis[chunk.hypothesis.clone()])
        };
        let mut one = TermChars::default();
        let mut own = Vec::new();
        let mut other = Vec::new();
        for place in places {
            let word = reference[place].as_ref();
            // Chunks are in the order of the reference, so a binary search finds the chunk of a word.
            let at = chunks.partition_point(|chunk| chunk.reference.end <= place);
            let Some(chunk) = chunks.get(at) else { continue };
            let step = place - chunk.reference.start;
            let heard = hypothesis[chunk.hypothesis.clone()].get(step);
            let before = if step == 0 { inserted(at.checked_sub(1)) } else { None };
            // texterrors attaches an insertion after the first pair to that pair, so its numbers require
            // this case.
            let is_first = (at, step, chunk.reference.len()) == (0, 0, 1);
            let both =
                is_first && matches!(self.like, AlignmentProgram::Texterrors | AlignmentProgram::CharDiff);
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

settings! {
    struct TermCerSettings {
        /// A file with one list of words for the corpus, a word on each line
        words: Option<String> = Opt::path("term-cer-words", "the source of each segment");
        like: AlignmentProgram = LIKE;
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("term_cer", "Character error rate of listed words: names that are nearly right", build)
        .papers(&[crate::paper("levenshtein-1966-binary")])
        .agrees_with("texterrors 1.1.9 (OOV-CER), with like=texterrors or chardiff")
        .options(TermCerSettings::SPECS)
        .example(r#"{"hypothesis": "call an now", "reference": "call ann now", "source": "ann now"}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let TermCerSettings { words, like } = TermCerSettings::from_options(options)?;
    let metric = TermCer::new(like);
    let metric = match words {
        Some(file) => metric.with_list(Arc::new(TermList::parse(&file, &options.read_file(&file)?)?))?,
        None => metric,
    };
    Ok(AnyMetric::for_tokens(metric).with_default_tokens("jiwer", Case::Mixed))
}
