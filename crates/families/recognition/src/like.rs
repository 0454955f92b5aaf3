//! [`AlignmentProgram`]: the program whose alignment of reference and hypothesis words is reproduced.

use std::hash::Hash;
use std::ops::Range;

use bleuprint_core::Result;
use bleuprint_metrics::PairTables;
use bleuprint_metrics::edit::{Aligner, AlignmentRule, Chunk, EditOperation};
use bleuprint_registry::Opt;

use crate::similar;

/// Program whose alignment of words is reproduced. If several alignments have equal cost, the choice among
/// them decides which words count as right.
///
/// | name | costs of insertion, deletion, substitution | choice among equals |
/// |---|---|---|
/// | `jiwer` | 1, 1, 1 | jiwer 4.0.0, and agwer 0.4.11 |
/// | `biasing` | 3, 3, 4 | a pair, then an insertion, then a deletion: the script of Le et al. 2021, and sclite |
/// | `texterrors` | 1, 1, 1 | a pair, then a deletion, then an insertion: texterrors 1.1.9 |
/// | `chardiff` | 1, 1, 1.5 times the edits of bytes over the longer length | the same with `--use-chardiff` |
///
/// The last three fill a table whose size is the product of the lengths, at most 2^30 cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AlignmentProgram {
    /// Word alignment of jiwer and agwer, which the metric WER also uses.
    #[default]
    Jiwer,
    /// Word alignment of the script of Le et al. 2021 for biased recognition.
    Biasing,
    /// Word alignment of texterrors with its default costs.
    Texterrors,
    /// Word alignment of texterrors with `--use-chardiff`, which pairs similar words.
    CharDiff,
}

bleuprint_core::choice!(AlignmentProgram: Jiwer "jiwer", Biasing "biasing", Texterrors "texterrors", CharDiff "chardiff");

pub(crate) const LIKE: Opt<AlignmentProgram> = Opt::choice("like")
    .counted("like", "like")
    .unless_default()
    .help("The program whose alignment of words is used");

/// Working tables of the aligners that are kept from segment to segment.
pub(crate) type AlignTables = (Aligner, PairTables);

impl AlignmentProgram {
    /// Returns the edits that align hypothesis and reference, in order.
    pub(crate) fn align<T: AsRef<str> + Hash + Eq>(
        self,
        tables: &mut AlignTables,
        reference: &[T],
        hypothesis: &[T],
    ) -> Result<Vec<Chunk>> {
        self.align_if(tables, reference, hypothesis, |_| true)
    }

    /// Returns the edits that align hypothesis and reference, in order, but may leave out the edits of the
    /// middle. The middle is the range of reference words between the equal words at the start and the end of
    /// both texts. If `wanted` returns `false` for this range, its edits are missing in the result.
    ///
    /// Equal words at the start and the end are paired directly if the program's alignment always pairs them.
    pub(crate) fn align_if<T: AsRef<str> + Hash + Eq>(
        self,
        (aligner, pairs): &mut AlignTables,
        reference: &[T],
        hypothesis: &[T],
        wanted: impl FnOnce(Range<usize>) -> bool,
    ) -> Result<Vec<Chunk>> {
        let (rule, front) = match self {
            // Only jiwer's rule always pairs equal words at the front. The other rules trace from the end,
            // so a front pair may be exchanged for a later equal word of the same cost.
            AlignmentProgram::Jiwer => (AlignmentRule::Jiwer, front(reference, hypothesis)),
            AlignmentProgram::Biasing => (AlignmentRule::Sclite, 0),
            AlignmentProgram::Texterrors => (AlignmentRule::Texterrors, 0),
            AlignmentProgram::CharDiff => return similar::align(pairs, reference, hypothesis),
        };
        // All three rules pair equal words at the end; the test below compares this with the whole table.
        let back = back(&reference[front..], &hypothesis[front..]);
        let rows = front..reference.len() - back;
        let columns = front..hypothesis.len() - back;
        let hits = |reference, hypothesis| Chunk { operation: EditOperation::Hit, reference, hypothesis };
        let mut chunks = Vec::with_capacity(8);
        chunks.extend((front > 0).then(|| hits(0..front, 0..front)));
        // Positions are relative to the middle part, so the front is added again.
        if !(rows.is_empty() && columns.is_empty()) && wanted(rows.clone()) {
            let aligned = aligner.align(rule, &reference[rows.clone()], &hypothesis[columns.clone()])?;
            let behind = |range: Range<usize>| range.start + front..range.end + front;
            chunks.extend(aligned.chunks.into_iter().map(|chunk| Chunk {
                reference: behind(chunk.reference),
                hypothesis: behind(chunk.hypothesis),
                ..chunk
            }));
        }
        chunks.extend((back > 0).then(|| hits(rows.end..reference.len(), columns.end..hypothesis.len())));
        Ok(chunks)
    }
}

/// Returns the number of equal words at the beginning of two lists.
pub(crate) fn front<T: Eq>(one: &[T], other: &[T]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns the number of equal words at the end of two lists.
pub(crate) fn back<T: Eq>(one: &[T], other: &[T]) -> usize {
    one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}

/// Returns the hypothesis position that is aligned with the first reference word in the range `words`.
/// Returns `None` unless all words of the range are aligned with equal, consecutive words.
pub(crate) fn run_of(chunks: &[Chunk], words: Range<usize>) -> Option<usize> {
    // Consecutive hits form one chunk, so a run of hits cannot span two chunks.
    let chunk = chunks.get(chunks.partition_point(|chunk| chunk.reference.end <= words.start))?;
    let is_within = chunk.operation == EditOperation::Hit
        && chunk.reference.start <= words.start
        && words.end <= chunk.reference.end;
    is_within.then(|| chunk.hypothesis.start + (words.start - chunk.reference.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        fn equal_ends_are_aligned_as_in_the_whole_table(one: Vec<u8>, other: Vec<u8>) -> bool {
            let words = |bytes: Vec<u8>| bytes.into_iter().map(|byte| ["a", "b", "c"][usize::from(byte % 3)]).collect();
            let (one, other): (Vec<&str>, Vec<&str>) = (words(one), words(other));
            let rules = [
                (AlignmentProgram::Jiwer, AlignmentRule::Jiwer),
                (AlignmentProgram::Biasing, AlignmentRule::Sclite),
                (AlignmentProgram::Texterrors, AlignmentRule::Texterrors),
            ];
            rules.into_iter().all(|(like, rule)| {
                let whole = Aligner::default().align(rule, &one, &other).unwrap().chunks;
                let hits = whole.iter().filter(|chunk| chunk.operation == EditOperation::Hit);
                let chunks = like.align(&mut AlignTables::default(), &one, &other).unwrap();
                let runs = hits.flat_map(|chunk| {
                    let places = chunk.reference.clone().zip(chunk.hypothesis.clone());
                    places.map(|(own, heard)| (own..chunk.reference.end, heard))
                });
                let mut runs = runs.map(|(words, heard)| run_of(&chunks, words) == Some(heard));
                chunks == whole && runs.all(|same| same)
            })
        }
    }
}
