//! B-WER and U-WER: the word error rate of the words on a list, such as names, and of all other words.
//!
//! ```text
//! B-WER = (S + D + I) / words      over reference words on the list; an insertion counts if the inserted word is on the list
//! U-WER = (S + D + I) / words      over all other words
//! ```
//!
//! For each kind of edit, the counts of both classes add up to the counts of WER. The list is either the
//! source of each segment (`list:segment`), as in the test sets of Le et al. 2021, or one list for the corpus
//! (`words=FILE`, `list:corpus`). With a list for each segment, a rare word inserted in a wrong segment is an
//! error in U-WER. Rates with one list are therefore not comparable with rates with many lists.
//!
//! The alignment is jiwer's by default, so the errors of both classes add up to the errors of the metric
//! `wer`. [`AlignmentProgram::Biasing`] is the alignment of the paper's script, whose costs do not always
//! give the fewest errors.
//!
//! | singular case | result |
//! |---|---|
//! | no word of the class in the references | no score; the message has the number of insertions |
//! | both sides empty | nothing is counted |
//! | no source, without `words=FILE` | error |
//! | several references, no reference | error |
//!
//! The range is from 0, lower is better. Source: Le et al. 2021; with [`AlignmentProgram::Biasing`] the
//! counts equal its script `score.py`. The running time is the time to align the words.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{BiasedWer, WordClass, AlignmentProgram};
//!
//! let mut rare = Accumulator::<_, [&str]>::new(BiasedWer::new(WordClass::Listed, AlignmentProgram::Jiwer));
//! let [reference, hypothesis] = [["ann", "went", "to", "zanzibar"].as_slice(), &["ann", "want", "to", "the", "bar"]];
//! rare.push_segment(Segment::with_source(hypothesis, &[reference], Some(&["ann", "zanzibar"]))).unwrap();
//! assert_eq!(rare.score().unwrap().value(), 0.5);
//! assert_eq!((rare.total().stats().others().substitutions, rare.total().stats().others().insertions), (1, 1));
//! ```

use std::sync::Arc;

use bleuprint_core::{
    Case, ConfigError, Identity, InputError, Metric, Observe, PlainScore, Quotient, Result, Scale, Segment,
    SegmentCounts, Stats as _, columns,
};
use bleuprint_metrics::EditCounts;
use bleuprint_metrics::edit::{EditOperation, require_few_tokens};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Preset, settings};

use crate::like::{AlignTables, LIKE};
use crate::list::ListedWords;
use crate::quotients::{numbers, quotient};
use crate::{AlignmentProgram, TermList};

/// Choice of the words whose error rate is the score: words on the list, or all others. The other rate is
/// reported next to the score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WordClass {
    /// The words on the biasing list: words that the recognizer is made to prefer.
    #[default]
    Listed,
    /// All words that are not on the biasing list, which has words that the recognizer is made to prefer.
    Others,
}

bleuprint_core::choice!(WordClass: Listed "listed", Others "others");

/// Metric B-WER or U-WER: the word error rate of the words on a list, or of all other words.
#[derive(Debug, Clone, Default)]
pub struct BiasedWer {
    class: WordClass,
    like: AlignmentProgram,
    /// One list of words for all segments. `None` means that the source of each segment is the list for that
    /// segment.
    list: Option<Arc<TermList>>,
}

columns! {
    /// Numbers of hits, substitutions, deletions and insertions, separately for words on the biasing list and
    /// for all other words.
    pub struct BiasedCounts {
        /// Number of correctly recognized words that are on the biasing list.
        listed_hits,
        /// Number of words of references on the biasing list that are aligned with a different word.
        listed_substitutions,
        /// Number of words of references on the biasing list that the hypothesis lacks.
        listed_deletions,
        /// Number of words of hypotheses on the biasing list that the reference lacks.
        listed_insertions,
        /// Number of correctly recognized words that are not on the biasing list.
        other_hits,
        /// Number of words of references that are not on the biasing list and are aligned with a different
        /// word.
        other_substitutions,
        /// Number of words of references that are not on the biasing list and that the hypothesis lacks.
        other_deletions,
        /// Number of words of hypotheses that are not on the biasing list and that the reference lacks.
        other_insertions
    }
}

impl BiasedCounts {
    /// Returns the hits and errors of the words on the biasing list.
    pub fn listed(&self) -> EditCounts {
        EditCounts {
            hits: self.listed_hits,
            substitutions: self.listed_substitutions,
            deletions: self.listed_deletions,
            insertions: self.listed_insertions,
        }
    }

    /// Returns the hits and errors of the words that are not on the biasing list.
    pub fn others(&self) -> EditCounts {
        EditCounts {
            hits: self.other_hits,
            substitutions: self.other_substitutions,
            deletions: self.other_deletions,
            insertions: self.other_insertions,
        }
    }

    /// Adds word counts for one kind of edit (hit, substitution, deletion or insertion): `listed` for words
    /// on the biasing list, `others` for all other words.
    fn count(&mut self, operation: EditOperation, [listed, others]: [u64; 2]) {
        let (own, other) = match operation {
            EditOperation::Hit => (&mut self.listed_hits, &mut self.other_hits),
            EditOperation::Substitution => (&mut self.listed_substitutions, &mut self.other_substitutions),
            EditOperation::Deletion => (&mut self.listed_deletions, &mut self.other_deletions),
            EditOperation::Insertion => (&mut self.listed_insertions, &mut self.other_insertions),
        };
        *own += listed;
        *other += others;
    }
}

impl BiasedWer {
    /// Creates the metric of the word error rate of words on a list, or of all other words (`class`). Each
    /// segment gives its list as its source; `like` is the program whose word alignment is used.
    pub fn new(class: WordClass, like: AlignmentProgram) -> Self {
        BiasedWer { class, like, list: None }
    }

    /// Sets one list of words for all segments, in place of a list for each segment. The errors in words on
    /// the list are counted separately from the errors in all other words.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if a term has several words.
    pub fn with_list(self, list: Arc<TermList>) -> Result<Self, ConfigError> {
        list.require_words("bwer")?;
        Ok(BiasedWer { list: Some(list), ..self })
    }

    fn value(&self, stats: &BiasedCounts) -> Result<f64> {
        let (counts, words) = match self.class {
            WordClass::Listed => (stats.listed(), "word of the list"),
            WordClass::Others => (stats.others(), "word outside the list"),
        };
        rate(&counts).ok_or_else(|| {
            let insertions = bleuprint_core::counted(counts.insertions, "insertion");
            InputError::no_score("bwer", format!("the references have no {words}; there are {insertions}"))
        })
    }
}

fn rate(counts: &EditCounts) -> Option<f64> {
    quotient(counts.edits(), counts.ref_len())
}

impl Metric for BiasedWer {
    type Stats = BiasedCounts;
    type Score = PlainScore;
    type Scratch = AlignTables;

    fn identity(&self) -> Identity {
        let list = if self.list.is_some() { "corpus" } else { "segment" };
        let identity = Identity::new("bwer", 1, Scale::ERROR_RATE)
            .headed(match self.class {
                WordClass::Listed => "B-WER",
                WordClass::Others => "U-WER",
            })
            .counted("list", "list", list)
            .option(LIKE, self.like)
            .option(BiasedSettings::OPTION.class, self.class)
            .needing(|needs| needs.one_reference = true);
        match &self.list {
            Some(list) => identity.learned(&**list),
            None => identity.needing(|needs| needs.source = true),
        }
    }

    fn finalize(&self, stats: &BiasedCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let listed = stats.listed();
        let others = stats.others();
        let errors = listed.edits().saturating_add(others.edits());
        let wer = quotient(errors, listed.ref_len().saturating_add(others.ref_len()));
        // All three rates are reported, because each follows from the same counts.
        let rates = [("b_wer", rate(&listed)), ("u_wer", rate(&others)), ("wer", wer)];
        let score = numbers(PlainScore::new(self.value(stats)?), rates);
        Ok([("b", listed), ("u", others)].into_iter().fold(score, |score, (class, counts)| {
            score
                .with_count(format!("{class}_words"), counts.ref_len())
                .with_count(format!("{class}_substitutions"), counts.substitutions)
                .with_count(format!("{class}_deletions"), counts.deletions)
                .with_count(format!("{class}_insertions"), counts.insertions)
        }))
    }

    fn quotient(&self) -> Option<Quotient> {
        let (numerator, denominator): (&[&str], &[&str]) = match self.class {
            WordClass::Listed => (
                &["listed_substitutions", "listed_deletions", "listed_insertions"],
                &["listed_hits", "listed_substitutions", "listed_deletions"],
            ),
            WordClass::Others => (
                &["other_substitutions", "other_deletions", "other_insertions"],
                &["other_hits", "other_substitutions", "other_deletions"],
            ),
        };
        Some(Quotient { numerator, denominator, factor: 1.0 })
    }

    fn number(&self, stats: &BiasedCounts, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }
}

impl<T: AsRef<str> + std::hash::Hash + Eq> Observe<[T]> for BiasedWer {
    fn observe(
        &self,
        tables: &mut AlignTables,
        stats: &mut BiasedCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let reference = segment.one_reference("bwer")?;
        require_few_tokens(hypothesis, &[reference])?;
        let listed = ListedWords::from_segment(self.list.as_deref(), segment)?;
        let mut one = BiasedCounts::default();
        for chunk in self.like.align(tables, reference, hypothesis)? {
            // An inserted word is the hypothesis's, so its own class counts. All other steps count for the
            // reference word.
            let words = match chunk.operation {
                EditOperation::Insertion => &hypothesis[chunk.hypothesis],
                _ => &reference[chunk.reference],
            };
            let count = words.iter().filter(|word| listed.has(word.as_ref())).count();
            one.count(chunk.operation, [count, words.len() - count].map(|count| count as u64));
        }
        stats.merge(&one)
    }
}

settings! {
    struct BiasedSettings {
        /// A file with one list of words for the corpus, a word on each line
        words: Option<String> = Opt::path("bwer-words", "the source of each segment");
        like: AlignmentProgram = LIKE;
        /// Which words give the score: listed words (B-WER), or all others (U-WER)
        class: WordClass = Opt::choice("bwer-class").finished("class", "class").unless_default();
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "bwer",
    "B-WER and U-WER: the word error rate of listed words, and of all others",
    build,
)
.presets(&[Preset {
    name: "uwer",
    options: &[("bwer-class", "others")],
    summary: "U-WER: the word error rate of words that are not listed",
}])
.papers(&[crate::paper("le-etal-2021-contextualized")])
.agrees_with("score.py of fbai-speech (is21_deep_bias), with like=biasing")
.options(BiasedSettings::SPECS)
.example(r#"{"hypothesis": "call an now", "reference": "call ann now", "source": "ann now"}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let BiasedSettings { words, like, class } = BiasedSettings::from_options(options)?;
    let metric = BiasedWer::new(class, like);
    let metric = match words {
        Some(file) => metric.with_list(Arc::new(TermList::parse(&file, &options.read_file(&file)?)?))?,
        None => metric,
    };
    Ok(AnyMetric::for_tokens(metric).with_default_tokens("jiwer", Case::Mixed))
}
