//! B-WER and U-WER: the word error rate of the words of a list, and of all others.
//!
//! ```text
//! B-WER = (S + D + I) / words      of the words of the references that are on the list, and insertions of words that are
//! U-WER = the same of all other words
//! ```
//!
//! So both classes add up to WER in every count. A list is a segment's own, its source (`list:segment`), as in the test sets of Le
//! et al. 2021, or one of the corpus (`words=FILE`, `list:corpus`). With lists of segments, a rare word in a wrong place is an error
//! of the other class: numbers of the two kinds are not comparable.
//!
//! The alignment is jiwer's, so the parts add up to `wer`; [`Like::Biasing`] is the script's, whose costs need not give the fewest
//! errors.
//!
//! | singular case | result |
//! |---|---|
//! | no word of the class in the references | no score; the insertions are in the message |
//! | both sides empty | nothing is counted |
//! | no source, without `words=FILE` | error |
//! | several references, no reference | error |
//!
//! Range from 0, lower is better. Source: Le et al. 2021; counts as its script `score.py` with [`Like::Biasing`]. Time is that of
//! the alignment.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{BiasedWer, Class, Like};
//!
//! let mut rare = Accumulator::<_, [&str]>::new(BiasedWer::new(Class::Listed, Like::Jiwer));
//! let [reference, hypothesis] = [["ann", "went", "to", "zanzibar"].as_slice(), &["ann", "want", "to", "the", "bar"]];
//! rare.push_segment(Segment::of(hypothesis, &[reference], Some(&["ann", "zanzibar"]))).unwrap();
//! assert_eq!(rare.score().unwrap().value(), 0.5);
//! assert_eq!((rare.total().stats().others().substitutions, rare.total().stats().others().insertions), (1, 1));
//! ```

use std::sync::Arc;

use bleuprint_core::{
    Case, ConfigError, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats as _, columns,
};
use bleuprint_metrics::EditCounts;
use bleuprint_metrics::edit::{Operation, require_few_tokens};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Preset};

use crate::like::{AlignTables, LIKE};
use crate::list::Words;
use crate::quotients::{numbers, quotient};
use crate::{Like, TermList};

/// The words whose rate is the score; the other rates are parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// Those of the list.
    #[default]
    Listed,
    /// All others.
    Others,
}

bleuprint_core::choice!(Class: Listed "listed", Others "others");

/// The metric.
#[derive(Debug, Clone, Default)]
pub struct BiasedWer {
    class: Class,
    like: Like,
    /// Without it, each segment has its own.
    list: Option<Arc<TermList>>,
}

columns! {
    /// The steps of alignments for words of the list, and for all others.
    pub struct BiasedCounts {
        /// Words of the list that agree.
        listed_hits,
        /// Words of the list with another in their place.
        listed_substitutions,
        /// Words of the list that the hypothesis lacks.
        listed_deletions,
        /// Words of the list that the reference has not.
        listed_insertions,
        /// Other words that agree.
        other_hits,
        /// Other words with another in their place.
        other_substitutions,
        /// Other words that the hypothesis lacks.
        other_deletions,
        /// Other words that the reference has not.
        other_insertions
    }
}

impl BiasedCounts {
    /// The counts of words of the list.
    pub fn listed(&self) -> EditCounts {
        EditCounts {
            hits: self.listed_hits,
            substitutions: self.listed_substitutions,
            deletions: self.listed_deletions,
            insertions: self.listed_insertions,
        }
    }

    /// The counts of all other words.
    pub fn others(&self) -> EditCounts {
        EditCounts {
            hits: self.other_hits,
            substitutions: self.other_substitutions,
            deletions: self.other_deletions,
            insertions: self.other_insertions,
        }
    }

    /// Adds steps for words of the list, and for others.
    fn count(&mut self, operation: Operation, [listed, others]: [u64; 2]) {
        let (own, other) = match operation {
            Operation::Hit => (&mut self.listed_hits, &mut self.other_hits),
            Operation::Substitution => (&mut self.listed_substitutions, &mut self.other_substitutions),
            Operation::Deletion => (&mut self.listed_deletions, &mut self.other_deletions),
            Operation::Insertion => (&mut self.listed_insertions, &mut self.other_insertions),
        };
        *own += listed;
        *other += others;
    }
}

impl BiasedWer {
    /// The rate of a class, with a list for each segment: its source.
    pub fn new(class: Class, like: Like) -> Self {
        BiasedWer { class, like, list: None }
    }

    /// The same with one list for all segments.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] for a term of several words.
    pub fn with_list(self, list: Arc<TermList>) -> Result<Self, ConfigError> {
        list.require_words("bwer")?;
        Ok(BiasedWer { list: Some(list), ..self })
    }

    fn value(&self, stats: &BiasedCounts) -> Result<f64> {
        let (counts, words) = match self.class {
            Class::Listed => (stats.listed(), "word of the list"),
            Class::Others => (stats.others(), "word beside the list"),
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
                Class::Listed => "B-WER",
                Class::Others => "U-WER",
            })
            .counted("list", "list", list)
            .option(LIKE, self.like)
            .option(CLASS, self.class)
            .needing(|needs| needs.one_reference = true);
        match &self.list {
            Some(list) => identity.learned(&**list),
            None => identity.needing(|needs| needs.source = true),
        }
    }

    fn finalize(&self, stats: &BiasedCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let (listed, others) = (stats.listed(), stats.others());
        let errors = listed.edits().saturating_add(others.edits());
        let wer = quotient(errors, listed.ref_len().saturating_add(others.ref_len()));
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
        let (hypothesis, reference) = (segment.hypothesis, segment.one_reference("bwer")?);
        require_few_tokens(hypothesis, &[reference])?;
        let listed = Words::of(self.list.as_deref(), segment)?;
        let mut one = BiasedCounts::default();
        for chunk in self.like.align(tables, reference, hypothesis)? {
            let words = match chunk.operation {
                Operation::Insertion => &hypothesis[chunk.hypothesis],
                _ => &reference[chunk.reference],
            };
            let count = words.iter().filter(|word| listed.has(word.as_ref())).count();
            one.count(chunk.operation, [count, words.len() - count].map(|count| count as u64));
        }
        stats.merge(&one)
    }
}

const WORDS: Opt<Option<String>> = Opt::path("bwer-words", "the source of each segment")
    .help("A file with one list of words for the corpus, a word on each line");

const CLASS: Opt<Class> = Opt::choice("bwer-class")
    .finished("class", "class")
    .unless_default()
    .help("The words whose rate is the score: those of the list (B-WER), or the others (U-WER)");

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
.options(&[WORDS.spec, LIKE.spec, CLASS.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let metric = BiasedWer::new(CLASS.of(options)?, LIKE.of(options)?);
    let metric = match WORDS.of(options)? {
        Some(file) => metric.with_list(Arc::new(TermList::parse(&file, &options.read_file(&file)?)?))?,
        None => metric,
    };
    Ok(AnyMetric::over_tokens(metric).with_default_tokens("jiwer", Case::Mixed))
}
