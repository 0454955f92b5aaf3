//! Terms of one word or more, such as names, drugs and products: how many of them are recognized correctly.
//!
//! ```text
//! recall = hits / references     precision = hits / hypotheses     F1 = 2 · P · R / (P + R)     error = 1 - recall
//! ```
//!
//! Terms are found from left to right, longest first, without overlap: `new york city` hides `new york`. A
//! term of the reference is a *hit* if all its words are aligned with equal, consecutive words of the
//! hypothesis, and these words are the same term there. With [`Match::Count`] positions are ignored: the
//! hits of a term in a segment are the smaller of its two numbers.
//!
//! Counts are summed for each category, or for each term with `per=term`: occurrences in references,
//! occurrences in hypotheses, and hits. Statistics with counts for each term also give the counts of
//! categories, but they have three numbers for each term of the list. Use categories to compare many
//! segments.
//!
//! | singular case | result |
//! |---|---|
//! | no list: without `words=FILE` | the terms of a segment are the words of its source |
//! | no occurrence in the references | recall, F1 and error: no score |
//! | no occurrence in the hypotheses | precision and F1: no score |
//! | occurrences on both sides, but no hit | F1: 0 |
//! | an insertion within a term | no hit |
//! | an empty term, a term of two categories, an empty list | error |
//! | several references, no reference | error |
//!
//! The range is 0 to 1; higher is better, except for the error. For single words the counts equal agwer's
//! `entity_f1`, which has no F1 where ours is 0. With [`AlignmentProgram::Texterrors`] or
//! [`AlignmentProgram::CharDiff`] they equal the keyword counts of texterrors, whose -1 is no score here; its
//! rate of out-of-vocabulary words equals the error. The running time is the time to align the segments that
//! have a term on both sides.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_recognition::{TermList, Terms};
//!
//! let list = TermList::parse("terms.tsv", "new york\tplace\nann\tperson\n").unwrap();
//! let mut recall = Accumulator::<_, [&str]>::new(Terms::new(list.into()));
//! recall.push(&["ann", "saw", "new", "new", "york"], &[&["ann", "saw", "new", "york"]]).unwrap();
//! recall.push(&["an", "left", "new", "york"], &[&["ann", "left", "new", "york"]]).unwrap();
//! assert_eq!(recall.total().stats().counts(), [[2, 1, 1], [2, 2, 1]]);
//! assert_eq!(recall.score().unwrap().value(), 0.5);
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use bleuprint_core::{
    Case, Choice as _, ConfigError, Direction, Identity, InputError, Linear, Metric, Observe, PartValue,
    PlainScore, Result, Scale, Segment, SegmentCounts, Stats as _,
};
use bleuprint_metrics::edit::require_few_tokens;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};
use serde::{Deserialize, Serialize};

use crate::like::{AlignTables, LIKE, run_of};
use crate::list::TermOccurrence;
use crate::quotients::{hidden, numbers, quotient};
use crate::{AlignmentProgram, TermList};

/// The rate of recognized terms that becomes the score of [`Terms`]: recall, precision, F1 or error rate. The
/// other rates are reported, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rate {
    /// Share of the terms in the references that are recognized.
    #[default]
    Recall,
    /// Share of the terms in the hypotheses that are correct.
    Precision,
    /// Harmonic mean of the recall and the precision of terms.
    F1,
    /// Share of the terms in the references that are not recognized.
    Error,
}

bleuprint_core::choice!(Rate: Recall "recall", Precision "precision", F1 "f1", Error "error");

/// Rule that decides which occurrences of a term count as recognized.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Match {
    /// A term in the reference counts as recognized if all its words are aligned with the words of the same
    /// term in the hypothesis.
    #[default]
    Align,
    /// Positions are ignored: the recognized occurrences of a term in a segment are the smaller of its counts
    /// in the reference and in the hypothesis.
    Count,
}

bleuprint_core::choice!(Match: Align "align", Count "count");

/// Metric of recognized terms, such as names: recall, precision, F1 or error rate.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// List of terms for all segments; `None` if the terms of a segment are the words of its source.
    list: Option<Arc<TermList>>,
    rate: Rate,
    matching: Match,
    like: AlignmentProgram,
    per_term: bool,
    /// Index of the category of terms that the score is restricted to; `None` for all categories.
    category: Option<usize>,
}

/// Three counts of terms: occurrences in references, occurrences in hypotheses, and recognized occurrences.
type Three = [u64; 3];

/// Counts for each category, in the order of [`TermList::categories`], or for each term: occurrences in
/// references, occurrences in hypotheses, and recognized occurrences.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TermCounts {
    cells: Vec<Three>,
}

impl TermCounts {
    /// Returns the three counts of each category or term: occurrences in references, occurrences in
    /// hypotheses, and recognized occurrences.
    pub fn counts(&self) -> &[[u64; 3]] {
        &self.cells
    }
}

impl Linear for TermCounts {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (place, cell) in self.cells.iter_mut().enumerate() {
            for (name, count) in ["references", "hypotheses", "hits"].into_iter().zip(cell) {
                visit(&format_args!("{name}_{place}"), count);
            }
        }
    }

    fn check_bounds(&self, _: &SegmentCounts) -> Result<()> {
        self.cells.iter().try_for_each(|&[references, hypotheses, hits]| {
            let most = references.min(hypotheses);
            InputError::require_at_most("hits", hits, "occurrences of a side", most)
        })
    }
}

fn sum(cells: impl IntoIterator<Item = Three>) -> Three {
    cells.into_iter().fold([0; 3], |sum, cell| [0, 1, 2].map(|at| sum[at].saturating_add(cell[at])))
}

impl Rate {
    fn quotient(self, [references, hypotheses, hits]: Three) -> Option<f64> {
        let recall = quotient(hits, references);
        let precision = quotient(hits, hypotheses);
        match self {
            Rate::Recall => recall,
            Rate::Precision => precision,
            Rate::F1 => {
                let recall = recall?;
                let precision = precision?;
                // Without a hit both are 0, and so is 2 · hits / (references + hypotheses).
                Some(if hits > 0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 })
            }
            Rate::Error => quotient(references.saturating_sub(hits), references),
        }
    }
}

impl Terms {
    /// Creates the metric of recognized terms, for the terms of this list. Its score is recall, the share of
    /// the terms in the references that are recognized. Terms are counted by category.
    pub fn new(list: Arc<TermList>) -> Self {
        Terms { list: Some(list), ..Terms::default() }
    }

    /// Sets the rate of recognized terms that becomes the score, such as recall or F1.
    #[must_use]
    pub fn rate(self, rate: Rate) -> Self {
        Terms { rate, ..self }
    }

    /// Sets the rule that decides which occurrences of terms count as recognized.
    #[must_use]
    pub fn matching(self, matching: Match) -> Self {
        Terms { matching, ..self }
    }

    /// Sets the program whose word alignment is used.
    #[must_use]
    pub fn like(self, like: AlignmentProgram) -> Self {
        Terms { like, ..self }
    }

    /// Makes the metric count every term of the list separately; the default is to count by category.
    #[must_use]
    pub fn per_term(self) -> Self {
        Terms { per_term: self.list.is_some(), ..self }
    }

    /// Restricts the score to the terms of one category.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] if the list does not have the category.
    pub fn category(self, name: &str) -> Result<Self, ConfigError> {
        let place = self.categories().iter().position(|category| category == name);
        let known = self.categories().iter().map(String::as_str);
        let place = place.ok_or_else(|| ConfigError::unknown_name("category", name, known))?;
        Ok(Terms { category: Some(place), ..self })
    }

    fn categories(&self) -> &[String] {
        self.list.as_ref().map_or(&[], |list| list.categories())
    }

    /// Returns the index of the counts for a term: of its category, or of the term itself if terms are
    /// counted separately.
    fn group(&self, term: usize) -> usize {
        match &self.list {
            Some(list) if !self.per_term => list.category_of(term),
            Some(_) => term,
            None => 0,
        }
    }

    fn groups(&self) -> usize {
        let groups = |list: &Arc<TermList>| if self.per_term { list.len() } else { list.categories().len() };
        self.list.as_ref().map_or(1, groups)
    }

    /// Returns the counts of a category, summed over its terms.
    fn of_category(&self, stats: &TermCounts, category: usize) -> Three {
        let of = |group: usize| stats.cells.get(group).copied();
        match &self.list {
            Some(list) if self.per_term => {
                sum((0..list.len()).filter(|&term| list.category_of(term) == category).filter_map(of))
            }
            _ => of(category).unwrap_or_default(),
        }
    }

    /// Returns the name of each category with its three counts: occurrences in references, occurrences in
    /// hypotheses, and recognized occurrences.
    pub fn by_category(&self, stats: &TermCounts) -> Vec<(&str, [u64; 3])> {
        let named = self.categories().iter().enumerate().filter(|(_, category)| !category.is_empty());
        named.map(|(place, category)| (&**category, self.of_category(stats, place))).collect()
    }

    /// Returns the terms that occur, each with its category and its three counts. Terms that are missed most
    /// often come first; ties are in the order of terms. The list is empty if terms are not counted
    /// separately.
    pub fn by_term(&self, stats: &TermCounts) -> Vec<(String, &str, [u64; 3])> {
        let Some(list) = self.list.as_ref().filter(|_| self.per_term) else { return Vec::new() };
        let mut terms: Vec<(usize, Three)> = stats.cells.iter().copied().enumerate().collect();
        terms.retain(|(_, cell)| *cell != [0; 3]);
        terms.sort_by_key(|(_, [references, _, hits])| Reverse(references.saturating_sub(*hits)));
        let row = |(term, cell)| (list.term(term), &*list.categories()[list.category_of(term)], cell);
        terms.into_iter().map(row).collect()
    }

    /// Returns the counts of terms from which the score is computed: of one category, or of all.
    fn chosen(&self, stats: &TermCounts) -> Three {
        match self.category {
            Some(category) => self.of_category(stats, category),
            None => sum(stats.cells.iter().copied()),
        }
    }

    fn value(&self, chosen: Three) -> Result<f64> {
        self.rate.quotient(chosen).ok_or_else(|| {
            let [references, hypotheses, hits] = chosen;
            let reason = format!(
                "the terms of the list are {references} times in the references, {hypotheses} times in the hypotheses, and hit \
                 {hits} times; terms must be written in the case and normalization of the texts"
            );
            InputError::no_score("terms", reason)
        })
    }

    /// Adds the counts and the error rate of a category or term as details of a score, for JSON output only.
    fn with_group(score: PlainScore, what: &str, cell: Three) -> PlainScore {
        let names = ["references", "hypotheses", "hits"].into_iter().zip(cell);
        let score = names.fold(score, |score, (name, count)| {
            hidden(score, format!("{what}.{name}"), PartValue::Count(count))
        });
        match Rate::Error.quotient(cell) {
            Some(error) => hidden(score, format!("{what}.error"), PartValue::Number(error)),
            None => score,
        }
    }

    /// Returns the terms of the reference that the hypothesis recognizes, one entry per recognized
    /// occurrence.
    fn hits<T: AsRef<str> + Hash + Eq>(
        &self,
        tables: &mut AlignTables,
        [reference, hypothesis]: [&[T]; 2],
        [expected, found]: [&[TermOccurrence]; 2],
    ) -> Result<Vec<usize>> {
        if self.matching == Match::Count {
            return Ok(in_common(expected, found));
        }
        // Without an occurrence on both sides there is no hit, so the alignment is skipped.
        if expected.is_empty() || found.is_empty() {
            return Ok(Vec::new());
        }
        // The middle part of the alignment matters only if a term overlaps it.
        let within = |words: Range<usize>| {
            expected.iter().any(|one| one.start < words.end && words.start < one.start + one.len)
        };
        let chunks = self.like.align_if(tables, reference, hypothesis, within)?;
        let is_hit = |one: &&TermOccurrence| {
            let Some(start) = run_of(&chunks, one.start..one.start + one.len) else { return false };
            // Occurrences are sorted by position, so a binary search finds one that starts here.
            let same = found.binary_search_by_key(&start, |other| other.start);
            same.is_ok_and(|place| found[place].term == one.term)
        };
        Ok(expected.iter().filter(is_hit).map(|one| one.term).collect())
    }
}

/// Returns the terms that two lists of occurrences have in common. Each term is repeated by the smaller of
/// its two counts.
fn in_common(one: &[TermOccurrence], other: &[TermOccurrence]) -> Vec<usize> {
    let mut left = HashMap::<usize, usize>::new();
    other.iter().for_each(|one| *left.entry(one.term).or_default() += 1);
    let mut take = |one: &&TermOccurrence| {
        let count = left.get_mut(&one.term).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    };
    one.iter().filter(|one| take(one)).map(|one| one.term).collect()
}

impl Metric for Terms {
    type Stats = TermCounts;
    type Score = PlainScore;
    type Scratch = AlignTables;

    fn identity(&self) -> Identity {
        // Counting hits needs no alignment, so the program must not be part of the identity.
        let direction =
            if self.rate == Rate::Error { Direction::LowerIsBetter } else { Direction::HigherIsBetter };
        let settings = TermSettings {
            words: None,
            matching: self.matching,
            like: if self.matching == Match::Count { AlignmentProgram::default() } else { self.like },
            per_term: self.per_term,
            rate: self.rate,
            category: self.category.and_then(|place| self.categories().get(place)).cloned(),
        };
        let identity = settings
            .add_to_identity(Identity::new("terms", 1, Scale { direction, ..Scale::UNIT }))
            .headed(format!("terms {}", self.rate.name()))
            .needing(|needs| needs.one_reference = true);
        match &self.list {
            Some(list) => identity.counted("list", "list", "corpus").learned(&**list),
            None => identity.counted("list", "list", "segment").needing(|needs| needs.source = true),
        }
    }

    fn zero(&self) -> TermCounts {
        TermCounts { cells: vec![[0; 3]; self.groups()] }
    }

    fn finalize(&self, stats: &TermCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let chosen = self.chosen(stats);
        let rates = [Rate::Recall, Rate::Precision, Rate::F1, Rate::Error];
        let rates = rates.map(|rate| (rate.name(), rate.quotient(chosen)));
        let score = numbers(PlainScore::new(self.value(chosen)?), rates);
        let [references, hypotheses, hits] = chosen;
        let mut score = score
            .with_count("references", references)
            .with_count("hypotheses", hypotheses)
            .with_count("hits", hits);
        for (category, cell) in self.by_category(stats) {
            score = Terms::with_group(score, &format!("category.{category}"), cell);
        }
        for (term, _, cell) in self.by_term(stats) {
            score = Terms::with_group(score, &format!("term.{term}"), cell);
        }
        Ok(score)
    }

    fn number(&self, stats: &TermCounts, _: &SegmentCounts) -> Result<f64> {
        self.value(self.chosen(stats))
    }

    fn check(&self, stats: &TermCounts, counts: &SegmentCounts) -> Result<()> {
        if stats.cells.len() != self.groups() {
            return Err(InputError::row_length(3 * self.groups(), 3 * stats.cells.len()));
        }
        stats.check_bounds(counts)
    }
}

impl<T: AsRef<str> + Hash + Eq> Observe<[T]> for Terms {
    fn observe(
        &self,
        tables: &mut AlignTables,
        stats: &mut TermCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let reference = segment.one_reference("terms")?;
        require_few_tokens(hypothesis, &[reference])?;
        let own;
        let list = match &self.list {
            Some(list) => list,
            None => {
                own = TermList::of_words(segment.source()?);
                &own
            }
        };
        let expected = list.occurrences(reference);
        let found = list.occurrences_like(hypothesis, reference, &expected);
        let hits = self.hits(tables, [reference, hypothesis], [&expected, &found])?;
        let all = [(0, expected.iter()), (1, found.iter())].into_iter();
        let cells = all.flat_map(|(at, some)| some.map(move |one| (one.term, at)));
        let cells =
            cells.chain(hits.into_iter().map(|term| (term, 2))).map(|(term, at)| (self.group(term), at));
        // Rows may be as wide as the list. Counts are therefore added in place, unless one of them could
        // overflow.
        let most = u64::MAX - (reference.len() + hypothesis.len()) as u64;
        let fits = stats.cells.len() == self.groups();
        if fits && cells.clone().all(|(group, at)| stats.cells[group][at] <= most) {
            cells.for_each(|(group, at)| stats.cells[group][at] += 1);
            return Ok(());
        }
        let mut one = self.zero();
        cells.for_each(|(group, at)| one.cells[group][at] += 1);
        stats.merge(&one)
    }
}

settings! {
    struct TermSettings {
        /// The file of terms: a term on each line, or a term, a tab and its category
        words: Option<String> = Opt::path("terms-words", "the words of the source of each segment");
        /// Which occurrences are hits: those aligned with the same term, or the smaller number of the two sides
        matching: Match = Opt::choice("terms-match").counted("match", "match").unless_default();
        like: AlignmentProgram = LIKE;
        /// Whether counts are kept for every category, or for every term
        per_term: bool = Opt::either("terms-per", &["category", "term"]).counted("per", "per").unless_default();
        /// The number that becomes the score
        rate: Rate = Opt::choice("terms-of").finished("of", "of");
        /// The category whose terms give the score
        category: Option<String> = Opt::name("terms-category", "all").finished("category", "cat");
    }
    in help: words, rate, matching, like, per_term, category;
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("terms", "Recall, precision, F and error of terms of one word or several", build)
        .agrees_with("texterrors 1.1.9 (like=texterrors, chardiff) and agwer 0.4.11, for single words")
        .papers(&[crate::paper("makhoul-etal-1999-performance")])
        .options(TermSettings::SPECS)
        .example(r#"{"hypothesis": "call an now", "reference": "call ann now", "source": "ann now"}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = TermSettings::from_options(options)?;
    let terms = match settings.words {
        Some(file) => Terms::new(Arc::new(TermList::parse(&file, &options.read_file(&file)?)?)),
        None => Terms::default(),
    };
    let terms = terms.rate(settings.rate).matching(settings.matching).like(settings.like);
    let terms = if settings.per_term { terms.per_term() } else { terms };
    let terms = match settings.category {
        Some(name) => terms.category(&name)?,
        None => terms,
    };
    Ok(AnyMetric::for_tokens(terms).with_default_tokens("jiwer", Case::Mixed))
}
