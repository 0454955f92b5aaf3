//! [`alignment()`]: the steps of an alignment, as chunks and as printable lines.

use core::fmt::{self, Display};
use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::{InputErrorKind, Result};
use bleuprint_ngram::Interner;

use super::align::{AlignScratch, align, pairs_first};
use super::ordered::Preference;
use super::strip::WORD;
use super::{EditCounts, require_few_tokens};

/// Step of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "closed: the four operations")]
pub enum EditOperation {
    /// Equal tokens of reference and hypothesis.
    Hit,
    /// Token of the hypothesis in place of a different token of the reference.
    Substitution,
    /// Token of the reference that the hypothesis lacks.
    Deletion,
    /// Token of the hypothesis that the reference lacks.
    Insertion,
}

/// Maximal run of steps of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: an operation and its tokens")]
pub struct Chunk {
    /// Operation of all steps of the chunk.
    pub operation: EditOperation,
    /// Range of reference tokens; empty for insertions.
    pub reference: Range<usize>,
    /// Range of hypothesis tokens; empty for deletions.
    pub hypothesis: Range<usize>,
}

/// Alignment of two sequences. [`alignment()`] returns the one with the fewest edits that WER and its
/// relatives count.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Alignment {
    /// Steps of the alignment as runs of equal steps, in order.
    pub chunks: Vec<Chunk>,
    counts: EditCounts,
}

/// Aligns two sequences like jiwer.
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
/// Returns an error for sequences of 2^31 tokens or more.
pub fn alignment<T: Hash + Eq>(reference: &[T], hypothesis: &[T]) -> Result<Alignment> {
    Aligner::default().align(AlignmentRule::Jiwer, reference, hypothesis)
}

/// Rule that chooses among several alignments of least cost. It decides hits and confused words. The number
/// of errors is the same under all rules but [`AlignmentRule::Sclite`], whose costs differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AlignmentRule {
    /// Rule of jiwer and rapidfuzz for choosing among alignments with equally few edits; WER and its
    /// relatives count this one.
    #[default]
    Jiwer,
    /// Rule of Kaldi's `compute-wer`, kaldialign and icefall. From the end, it prefers an insertion, then a
    /// deletion, then a pair.
    Kaldi,
    /// Rule of NIST's sclite: substitutions cost 4, insertions and deletions 3. From the end, it prefers a
    /// pair, then an insertion, then a deletion. sclite compares words in lower case (A to Z); the caller
    /// must convert them.
    Sclite,
    /// Rule of texterrors without `--use-chardiff`. From the end, it prefers a pair, then a deletion, then an
    /// insertion.
    Texterrors,
}

impl AlignmentRule {
    /// All rules for choosing among alignments with equally few edits.
    pub const ALL: [AlignmentRule; 4] =
        [AlignmentRule::Jiwer, AlignmentRule::Kaldi, AlignmentRule::Sclite, AlignmentRule::Texterrors];

    /// Returns the name of the rule.
    pub fn as_str(self) -> &'static str {
        match self {
            AlignmentRule::Jiwer => "jiwer",
            AlignmentRule::Kaldi => "kaldi",
            AlignmentRule::Sclite => "sclite",
            AlignmentRule::Texterrors => "texterrors",
        }
    }
}

/// Aligner of pairs of sequences that reuses its memory.
#[derive(Debug, Clone, Default)]
pub struct Aligner {
    interner: Interner,
    scratch: AlignScratch,
}

impl Aligner {
    /// Aligns two sequences by the given rule.
    ///
    /// # Errors
    /// Returns an error for sequences of 2^31 tokens or more. Rules other than jiwer's also reject sequences
    /// whose product of lengths exceeds 2^30.
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
            // References of one machine word need no table of bytes; both branches give the same steps.
            AlignmentRule::Texterrors if reference.len() <= WORD => {
                pairs_first(scratch, reference, hypothesis, interner.distinct())?
            }
            AlignmentRule::Texterrors => Preference::TEXTERRORS.align(reference, hypothesis)?,
        };
        Ok(Alignment::from(&steps[..]))
    }

    /// Returns the index of the reference that WER counts, and the alignment with it.
    ///
    /// # Errors
    /// Returns an error if there is no reference, and the errors of [`Aligner::align`].
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
    /// Returns the number of steps of each kind (hits, substitutions, deletions, insertions).
    pub fn counts(&self) -> EditCounts {
        self.counts
    }

    /// Returns three lines to print: the reference, the hypothesis below it token by token, and a letter for
    /// every edit: `S`, `D` or `I`.
    ///
    /// Asterisks mark missing tokens. `between` joins tokens: a space for words, nothing for characters. Pass
    /// the sequences that were aligned; tokens that a shorter sequence lacks are left out.
    pub fn lines<'a, T>(
        &'a self,
        reference: &'a [T],
        hypothesis: &'a [T],
        between: &'a str,
    ) -> AlignedLines<'a, T> {
        AlignedLines { alignment: self, reference, hypothesis, between, width: usize::MAX }
    }
}

/// Printable alignment in three lines; see [`Alignment::lines`].
#[derive(Debug, Clone, Copy)]
pub struct AlignedLines<'a, T> {
    alignment: &'a Alignment,
    reference: &'a [T],
    hypothesis: &'a [T],
    between: &'a str,
    /// Maximum line width in code points; a line has at least one column. An empty line separates the groups
    /// of lines.
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
    /// Returns the number of words (columns) that fit a printed line, at least one. The width of a column
    /// includes the separator after the column before.
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
