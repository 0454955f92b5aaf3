//! [`EditCounts`]: the counts of hits, substitutions, deletions and insertions, which all error rates share.

use core::cmp::Reverse;
use core::hash::Hash;

use bleuprint_core::{InputError, InputErrorKind, Result, SegmentCounts, columns};

use super::EditOperation;

columns! {
    /// Counts of the steps in alignments of hypotheses with references: hits, substitutions, deletions and
    /// insertions.
    pub struct EditCounts {
        /// Number of hits: reference tokens that are aligned with an equal hypothesis token.
        hits,
        /// Number of reference tokens that are aligned with a different hypothesis token.
        substitutions,
        /// Number of reference tokens that are aligned with no hypothesis token.
        deletions,
        /// Number of hypothesis tokens that are aligned with no reference token.
        insertions
    }
}

impl EditCounts {
    /// Counts the hits, substitutions, deletions and insertions among the steps of an alignment.
    pub fn from_operations(operations: &[EditOperation]) -> Self {
        // One pass for each kind uses vector instructions. A single pass for all kinds would need branches
        // that cannot be predicted.
        let count = |kind| operations.iter().filter(|&&operation| operation == kind).count() as u64;
        let [hits, substitutions, deletions] =
            [EditOperation::Hit, EditOperation::Substitution, EditOperation::Deletion].map(count);
        let insertions = operations.len() as u64 - hits - substitutions - deletions;
        EditCounts { hits, substitutions, deletions, insertions }
    }

    pub(super) fn check(&self, counts: &SegmentCounts) -> Result<()> {
        let EditCounts { hits, substitutions, deletions, insertions } = *self;
        let all = [hits, substitutions, deletions, insertions].into_iter().try_fold(0u64, u64::checked_add);
        let fault = match all {
            None => "more tokens than can be counted",
            Some(1..) if counts.segments == 0 => "tokens of no segments",
            Some(_) => return Ok(()),
        };
        Err(InputError::malformed_state(format!("{fault}: {self:?}")))
    }

    /// Returns the number of edits: substitutions, deletions and insertions.
    pub fn edits(&self) -> u64 {
        self.substitutions.saturating_add(self.deletions).saturating_add(self.insertions)
    }

    /// Returns the number of tokens of the references.
    pub fn ref_len(&self) -> u64 {
        self.hits.saturating_add(self.substitutions).saturating_add(self.deletions)
    }

    /// Returns the number of tokens of the hypotheses.
    pub fn hyp_len(&self) -> u64 {
        self.hits.saturating_add(self.substitutions).saturating_add(self.insertions)
    }

    /// Returns `true` if these counts are better than `other`: fewer edits for each reference token, then
    /// fewer edits, then more hits.
    ///
    /// The order is exact and total, so the order of the references cannot matter. An empty reference counts
    /// as one token.
    pub(crate) fn is_preferred(&self, other: &Self) -> bool {
        // Products in `u128` compare the two fractions without rounding.
        let crosswise =
            |own: &Self, other: &Self| u128::from(own.edits()) * u128::from(other.ref_len().max(1));
        let rest = |own: &Self| (own.edits(), Reverse(own.hits), own.substitutions, own.deletions);
        (crosswise(self, other), rest(self)) < (crosswise(other, self), rest(other))
    }

    pub(crate) fn preferred(mut all: impl Iterator<Item = Result<Self>>) -> Result<Self> {
        let first = all.next().unwrap_or_else(|| Err(InputErrorKind::NoReferences.into()))?;
        all.try_fold(first, |best, next| next.map(|next| if next.is_preferred(&best) { next } else { best }))
    }
}

pub(crate) trait EditPath {
    fn push(&mut self, operation: EditOperation, times: usize);

    fn push_pair(&mut self, equal: bool) {
        self.push(if equal { EditOperation::Hit } else { EditOperation::Substitution }, 1);
    }

    fn len(&self) -> usize;

    fn turn(&mut self, from: usize);
}

impl EditPath for Vec<EditOperation> {
    fn push(&mut self, operation: EditOperation, times: usize) {
        self.extend(core::iter::repeat_n(operation, times));
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn turn(&mut self, from: usize) {
        self[from..].reverse();
    }
}

impl EditPath for EditCounts {
    #[inline(always)]
    fn push(&mut self, operation: EditOperation, times: usize) {
        let count = match operation {
            EditOperation::Hit => &mut self.hits,
            EditOperation::Substitution => &mut self.substitutions,
            EditOperation::Deletion => &mut self.deletions,
            EditOperation::Insertion => &mut self.insertions,
        };
        *count += times as u64;
    }

    /// Counts a hit or a substitution without a branch, which the processor could not predict.
    #[inline(always)]
    fn push_pair(&mut self, equal: bool) {
        self.hits += u64::from(equal);
        self.substitutions += u64::from(!equal);
    }

    fn len(&self) -> usize {
        0
    }

    fn turn(&mut self, _: usize) {}
}

/// Rejects a segment of 2^31 tokens or more, whose ids and positions would not fit 32 bits.
///
/// # Errors
/// Returns [`Limit`](bleuprint_core::InputErrorKind::Limit) with the number of tokens if there are too many.
pub fn require_few_tokens<T: Hash + Eq>(hypothesis: &[T], references: &[&[T]]) -> Result<()> {
    let lengths = references.iter().map(|reference| reference.len());
    require_few(lengths.fold(hypothesis.len(), usize::saturating_add))
}

pub(crate) fn require_few(total: usize) -> Result<()> {
    const LIMIT: usize = (1 << 31) - 1;
    if total <= LIMIT {
        return Ok(());
    }
    Err(InputError::limit("the number of tokens of a segment", total, "below 2^31"))
}
