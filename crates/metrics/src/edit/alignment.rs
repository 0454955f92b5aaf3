//! [`alignment()`]: the steps themselves, as chunks and as lines to look at.

use core::fmt::{self, Display};
use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::{InputErrorKind, Result};
use bleuprint_ngram::Interner;

use super::align::{AlignScratch, align, pairs_first};
use super::ordered::Preference;
use super::strip::WORD;
use super::{EditCounts, require_few_tokens};

/// A step of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "closed: the four operations")]
pub enum EditOperation {
    /// Equal tokens.
    Hit,
    /// A token of the hypothesis in the place of another one of the reference.
    Substitution,
    /// A token of the reference that the hypothesis lacks.
    Deletion,
    /// A token of the hypothesis that the reference has not.
    Insertion,
}

/// Steps of one kind that follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: an operation and its tokens")]
pub struct Chunk {
    /// The operation.
    pub operation: EditOperation,
    /// The tokens of the reference; none for insertions.
    pub reference: Range<usize>,
    /// The tokens of the hypothesis; none for deletions.
    pub hypothesis: Range<usize>,
}

/// An alignment with the fewest edits: [`alignment()`] is the one that WER and its relatives count.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Alignment {
    /// Its steps, in order.
    pub chunks: Vec<Chunk>,
    counts: EditCounts,
}

/// Aligns two sequences as jiwer does.
///
/// ```
/// use bleuprint_metrics::edit::{EditOperation, alignment};
///
/// let (reference, hypothesis) = (["short", "one", "here"], ["shoe", "order", "one"]);
/// let aligned = alignment(&reference, &hypothesis).unwrap();
/// assert_eq!(aligned.chunks.len(), 4);
/// assert_eq!(aligned.chunks[0].operation, EditOperation::Insertion);
/// assert_eq!((aligned.counts().hits, aligned.counts().edits()), (1, 3));
/// let lines = aligned.lines(&reference, &hypothesis, " ").to_string();
/// assert_eq!(lines, "\
/// REF: **** short one here
/// HYP: shoe order one ****
///         I     S        D
/// ");
/// ```
///
/// # Errors
/// Sequences of 2^31 tokens or more.
pub fn alignment<T: Hash + Eq>(reference: &[T], hypothesis: &[T]) -> Result<Alignment> {
    Aligner::default().align(AlignmentRule::Jiwer, reference, hypothesis)
}

/// The choice among several cheapest alignments. It decides hits and confused words; the number of errors is the same under
/// all rules but [`AlignmentRule::Sclite`], whose costs differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AlignmentRule {
    /// As jiwer and rapidfuzz, which WER and its relatives count.
    #[default]
    Jiwer,
    /// As Kaldi's `compute-wer`, kaldialign and icefall: backwards, an insertion first, then a deletion, then a pair.
    Kaldi,
    /// As NIST's sclite: substitutions cost 4 and the others 3; backwards, a pair first, then an insertion, then a deletion.
    /// sclite compares words in lower case (A to Z), which is left to the caller.
    Sclite,
    /// As texterrors without `--use-chardiff`: backwards, a pair first, then a deletion, then an insertion.
    Texterrors,
}

impl AlignmentRule {
    /// Every rule.
    pub const ALL: [AlignmentRule; 4] =
        [AlignmentRule::Jiwer, AlignmentRule::Kaldi, AlignmentRule::Sclite, AlignmentRule::Texterrors];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            AlignmentRule::Jiwer => "jiwer",
            AlignmentRule::Kaldi => "kaldi",
            AlignmentRule::Sclite => "sclite",
            AlignmentRule::Texterrors => "texterrors",
        }
    }
}

/// Aligns one pair after another, with memory that is kept between them.
#[derive(Debug, Clone, Default)]
pub struct Aligner {
    interner: Interner,
    scratch: AlignScratch,
}

impl Aligner {
    /// Aligns two sequences by a rule.
    ///
    /// # Errors
    /// Sequences of 2^31 tokens or more; for rules other than jiwer's, sequences the product of whose lengths is above 2^30.
    pub fn align<T: Hash + Eq>(
        &mut self,
        rule: AlignmentRule,
        reference: &[T],
        hypothesis: &[T],
    ) -> Result<Alignment> {
        require_few_tokens(hypothesis, &[reference])?;
        self.interner.intern_segment(hypothesis, &[reference]);
        self.align_ids(rule)
    }

    fn align_ids(&mut self, rule: AlignmentRule) -> Result<Alignment> {
        let Aligner { interner, scratch } = self;
        let reference = interner.reference(0);
        let hypothesis = interner.hypothesis();
        let steps = match rule {
            AlignmentRule::Jiwer => align(scratch, reference, hypothesis, interner.distinct(), Vec::new())?,
            AlignmentRule::Kaldi => Preference::KALDI.align(reference, hypothesis)?,
            AlignmentRule::Sclite => Preference::SCLITE.align(reference, hypothesis)?,
            AlignmentRule::Texterrors if reference.len() <= WORD => {
                pairs_first(scratch, reference, hypothesis, interner.distinct())?
            }
            AlignmentRule::Texterrors => Preference::TEXTERRORS.align(reference, hypothesis)?,
        };
        Ok(Alignment::from(&steps[..]))
    }

    /// The alignment with the reference that WER counts, and the place of that.
    ///
    /// # Errors
    /// No reference; those of [`Aligner::align`].
    pub fn preferred<T: Hash + Eq>(
        &mut self,
        rule: AlignmentRule,
        references: &[&[T]],
        hypothesis: &[T],
    ) -> Result<(usize, Alignment)> {
        let mut best: Option<(usize, Alignment)> = None;
        for (place, reference) in references.iter().enumerate() {
            let next = self.align(rule, reference, hypothesis)?;
            if best.as_ref().is_none_or(|(_, best)| next.counts.is_preferred(&best.counts)) {
                best = Some((place, next));
            }
        }
        best.ok_or_else(|| InputErrorKind::NoReferences.into())
    }
}

impl From<&[EditOperation]> for Alignment {
    fn from(steps: &[EditOperation]) -> Self {
        let mut chunks = Vec::new();
        let mut at = (0, 0);
        for run in steps.chunk_by(|a, b| a == b) {
            let operation = run[0];
            let from = at;
            at.0 += if operation == EditOperation::Insertion { 0 } else { run.len() };
            at.1 += if operation == EditOperation::Deletion { 0 } else { run.len() };
            chunks.push(Chunk { operation, reference: from.0..at.0, hypothesis: from.1..at.1 });
        }
        Alignment { chunks, counts: EditCounts::from_operations(steps) }
    }
}

impl Alignment {
    /// The number of steps of each kind.
    pub fn counts(&self) -> EditCounts {
        self.counts
    }

    /// The reference above the hypothesis, token below token, and below that a letter for every edit: `S`, `D` or
    /// `I`. Stars mark missing tokens. Tokens are joined by `between`: a space for words, nothing for
    /// characters. The sequences are those that were aligned; of others, tokens that they lack are left out.
    pub fn lines<'a, T>(
        &'a self,
        reference: &'a [T],
        hypothesis: &'a [T],
        between: &'a str,
    ) -> AlignedLines<'a, T> {
        AlignedLines { alignment: self, reference, hypothesis, between, width: usize::MAX }
    }
}

/// Three lines that show an alignment; see [`Alignment::lines`].
#[derive(Debug, Clone, Copy)]
pub struct AlignedLines<'a, T> {
    alignment: &'a Alignment,
    reference: &'a [T],
    hypothesis: &'a [T],
    between: &'a str,
    /// Lines break at this number of code points, after one column at least; groups have an empty line between them.
    pub width: usize,
}

impl<T: Display> Display for AlignedLines<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<[String; 3]> =
            self.alignment.chunks.iter().flat_map(|chunk| self.columns(chunk)).collect();
        let mut rest = &columns[..];
        loop {
            let (group, others) = rest.split_at(self.fitting(rest));
            for (line, label) in LABELS.iter().enumerate() {
                f.write_str(label)?;
                for (index, column) in group.iter().enumerate() {
                    f.write_str(if index > 0 { self.between } else { "" })?;
                    f.write_str(&column[line])?;
                }
                f.write_str("\n")?;
            }
            if others.is_empty() {
                return Ok(());
            }
            f.write_str("\n")?;
            rest = others;
        }
    }
}

const LABELS: [&str; 3] = ["REF: ", "HYP: ", "     "];

impl<T: Display> AlignedLines<'_, T> {
    /// The number of columns, at least one, that fit a line. A column counts with the separator after the one before.
    fn fitting(&self, columns: &[[String; 3]]) -> usize {
        let mut line = LABELS[0].len();
        for (index, [reference, ..]) in columns.iter().enumerate() {
            let width = reference.chars().count();
            if index > 0 && line.saturating_add(width) > self.width {
                return index;
            }
            line += width + self.between.chars().count();
        }
        columns.len()
    }

    fn columns(&self, chunk: &Chunk) -> impl Iterator<Item = [String; 3]> {
        let steps = chunk.reference.len().max(chunk.hypothesis.len());
        let mark = match chunk.operation {
            EditOperation::Hit => " ",
            EditOperation::Substitution => "S",
            EditOperation::Deletion => "D",
            EditOperation::Insertion => "I",
        };
        let token = |tokens: &[T], range: &Range<usize>, step: usize| {
            range.clone().nth(step).and_then(|at| tokens.get(at)).map(T::to_string)
        };
        (0..steps).map(move |step| {
            let reference = token(self.reference, &chunk.reference, step);
            let hypothesis = token(self.hypothesis, &chunk.hypothesis, step);
            let len = |token: &Option<String>| token.as_ref().map_or(0, |token| token.chars().count());
            let width = len(&reference).max(len(&hypothesis));
            let field = |token: Option<String>| match token {
                Some(token) => format!("{token:>width$}"),
                None => "*".repeat(width),
            };
            [field(reference), field(hypothesis), format!("{mark:>width$}")]
        })
    }
}
