//! [`alignment()`]: aligns two sequences by edit distance; the result has runs of equal steps and prints as
//! lines.

use core::fmt::{self, Display};
use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::{InputErrorKind, Result};
use bleuprint_ngram::Interner;

use super::align::{AlignScratch, align, pairs_first};
use super::ordered::Preference;
use super::strip::WORD;
use super::{EditCounts, require_few_tokens};

/// Kind of a step in an edit-distance alignment of a reference with a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "closed: the four operations")]
pub enum EditOperation {
    /// Reference token that is aligned with an equal hypothesis token.
    Hit,
    /// Reference token that is aligned with a different hypothesis token.
    Substitution,
    /// Reference token without a hypothesis token.
    Deletion,
    /// Hypothesis token without a reference token.
    Insertion,
}

/// Longest run of consecutive alignment steps of one kind, such as three deletions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: an operation and its tokens")]
pub struct Chunk {
    /// Kind of the alignment steps in this run: hit, substitution, deletion or insertion. All steps of a run
    /// have the same kind.
    pub operation: EditOperation,
    /// Range of reference tokens that this run of alignment steps covers; empty for insertions.
    pub reference: Range<usize>,
    /// Range of hypothesis tokens that this run of alignment steps covers; empty for deletions.
    pub hypothesis: Range<usize>,
}

/// Edit-distance alignment of a reference with a hypothesis. [`alignment()`] returns the alignment with the
/// fewest edits that WER counts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Alignment {
    /// Steps of the alignment in order, as runs of consecutive steps of one kind.
    pub chunks: Vec<Chunk>,
    counts: EditCounts,
}

/// Aligns two token sequences with the fewest edits; it chooses among equally good alignments like jiwer.
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

/// Rule that chooses among several edit-distance alignments of least cost. The choice decides which words
/// count as hits or confusions; the number of errors is the same under all rules but
/// [`AlignmentRule::Sclite`], whose costs differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AlignmentRule {
    /// Rule of jiwer and rapidfuzz for choosing among alignments with equally few edits. WER and the other
    /// error rates of bleuprint count by this rule.
    #[default]
    Jiwer,
    /// Rule of Kaldi's `compute-wer`, kaldialign and icefall. From the end of the sequences, it prefers an
    /// insertion, then a deletion, then a pair of tokens.
    Kaldi,
    /// Rule of NIST's sclite: substitutions cost 4, insertions and deletions 3. From the end of the
    /// sequences, it prefers a pair of tokens, then an insertion, then a deletion. sclite compares words in
    /// lower case (A to Z); the caller must convert them.
    Sclite,
    /// Rule of texterrors without `--use-chardiff`. From the end of the sequences, it prefers a pair of
    /// tokens, then a deletion, then an insertion.
    Texterrors,
}

impl AlignmentRule {
    /// All rules for choosing among alignments of equal cost.
    pub const ALL: [AlignmentRule; 4] =
        [AlignmentRule::Jiwer, AlignmentRule::Kaldi, AlignmentRule::Sclite, AlignmentRule::Texterrors];

    /// Returns the name of the alignment rule.
    pub fn as_str(self) -> &'static str {
        match self {
            AlignmentRule::Jiwer => "jiwer",
            AlignmentRule::Kaldi => "kaldi",
            AlignmentRule::Sclite => "sclite",
            AlignmentRule::Texterrors => "texterrors",
        }
    }
}

/// Aligner of pairs of token sequences that reuses its working memory from call to call.
#[derive(Debug, Clone, Default)]
pub struct Aligner {
    interner: Interner,
    scratch: AlignScratch,
}

impl Aligner {
    /// Aligns a reference with a hypothesis; `rule` chooses among the alignments of least cost.
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

    /// Aligns a hypothesis with each reference. Returns the index and alignment of the reference with the
    /// lowest error rate, which WER counts.
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

    /// Returns three lines to print. They are the reference, the hypothesis below it token by token, and a
    /// letter for every edit: `S`, `D` or `I`.
    ///
    /// Asterisks mark missing tokens. `between` is printed between tokens: a space for words, nothing for
    /// characters. Pass the same sequences that were aligned; if a sequence is shorter, its missing tokens
    /// are not printed.
    pub fn lines<'a, T>(
        &'a self,
        reference: &'a [T],
        hypothesis: &'a [T],
        between: &'a str,
    ) -> AlignedLines<'a, T> {
        AlignedLines { alignment: self, reference, hypothesis, between, width: usize::MAX }
    }
}

/// Alignment as three printable lines for reference, hypothesis and edits; see [`Alignment::lines`].
#[derive(Debug, Clone, Copy)]
pub struct AlignedLines<'a, T> {
    alignment: &'a Alignment,
    reference: &'a [T],
    hypothesis: &'a [T],
    between: &'a str,
    /// Maximum line width in code points; a line has at least one column. Longer alignments continue in a new
    /// group of three lines after an empty line.
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
    /// Returns the number of words (columns) that fit into a printed line, at least one. The separator before
    /// a word counts in its width.
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
