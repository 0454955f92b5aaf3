//! [`Like`]: the alignment of the words of both sides.

use std::hash::Hash;
use std::ops::Range;

use bleuprint_core::Result;
use bleuprint_metrics::PairTables;
use bleuprint_metrics::edit::{Aligner, AlignmentRule, Chunk, Operation};
use bleuprint_registry::Opt;

use crate::similar;

/// The program whose alignment it is. Among alignments of the same cost, the choice decides which words are right.
///
/// | name | costs of insertion, deletion, substitution | choice among equals |
/// |---|---|---|
/// | `jiwer` | 1, 1, 1 | jiwer 4.0.0, and agwer 0.4.11 |
/// | `biasing` | 3, 3, 4 | a pair, then an insertion, then a deletion: the script of Le et al. 2021, and sclite |
/// | `texterrors` | 1, 1, 1 | a pair, then a deletion, then an insertion: texterrors 1.1.9 |
/// | `chardiff` | 1, 1, 1.5 times the edits of bytes over the longer length | the same with `--use-chardiff` |
///
/// The last three fill a table of the product of the lengths, of at most 2^30 cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Like {
    /// jiwer's and agwer's, which WER counts.
    #[default]
    Jiwer,
    /// That of the script for biased recognition.
    Biasing,
    /// That of texterrors.
    Texterrors,
    /// That of texterrors with `--use-chardiff`.
    CharDiff,
}

bleuprint_core::choice!(Like: Jiwer "jiwer", Biasing "biasing", Texterrors "texterrors", CharDiff "chardiff");

pub(crate) const LIKE: Opt<Like> = Opt::choice("like")
    .counted("like", "like")
    .unless_default()
    .help("The program whose alignment of words is counted");

/// Tables that are kept from segment to segment.
pub(crate) type AlignTables = (Aligner, PairTables);

impl Like {
    /// The steps of the alignment, in order.
    pub(crate) fn align<T: AsRef<str> + Hash + Eq>(
        self,
        tables: &mut AlignTables,
        reference: &[T],
        hypothesis: &[T],
    ) -> Result<Vec<Chunk>> {
        self.align_if(tables, reference, hypothesis, |_| true)
    }

    /// The same, without steps between the equal ends if these places of the reference are not wanted.
    ///
    /// Equal ends that the rule always pairs are found by comparison; only the words between are numbered.
    pub(crate) fn align_if<T: AsRef<str> + Hash + Eq>(
        self,
        (aligner, pairs): &mut AlignTables,
        reference: &[T],
        hypothesis: &[T],
        wanted: impl FnOnce(Range<usize>) -> bool,
    ) -> Result<Vec<Chunk>> {
        let (rule, front) = match self {
            Like::Jiwer => (AlignmentRule::Jiwer, front(reference, hypothesis)),
            Like::Biasing => (AlignmentRule::Sclite, 0),
            Like::Texterrors => (AlignmentRule::Texterrors, 0),
            Like::CharDiff => return similar::align(pairs, reference, hypothesis),
        };
        let back = back(&reference[front..], &hypothesis[front..]);
        let (rows, columns) = (front..reference.len() - back, front..hypothesis.len() - back);
        let hits = |reference, hypothesis| Chunk { operation: Operation::Hit, reference, hypothesis };
        let mut chunks = Vec::with_capacity(8);
        chunks.extend((front > 0).then(|| hits(0..front, 0..front)));
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

/// The number of equal words at the beginning.
pub(crate) fn front<T: Eq>(one: &[T], other: &[T]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// The number of equal words at the end.
pub(crate) fn back<T: Eq>(one: &[T], other: &[T]) -> usize {
    one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}

/// The place of the first of these words in the hypothesis, if all are aligned with equal words in a row.
pub(crate) fn run_of(chunks: &[Chunk], words: Range<usize>) -> Option<usize> {
    // Hits that follow each other are one chunk.
    let chunk = chunks.get(chunks.partition_point(|chunk| chunk.reference.end <= words.start))?;
    let is_within = chunk.operation == Operation::Hit
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
                (Like::Jiwer, AlignmentRule::Jiwer),
                (Like::Biasing, AlignmentRule::Sclite),
                (Like::Texterrors, AlignmentRule::Texterrors),
            ];
            rules.into_iter().all(|(like, rule)| {
                let whole = Aligner::default().align(rule, &one, &other).unwrap().chunks;
                let hits = whole.iter().filter(|chunk| chunk.operation == Operation::Hit);
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
