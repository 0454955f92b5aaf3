//! [`Like`]: the alignment of the words of both sides.

use std::hash::Hash;

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
        (aligner, pairs): &mut AlignTables,
        reference: &[T],
        hypothesis: &[T],
    ) -> Result<Vec<Chunk>> {
        let rule = match self {
            Like::Jiwer => AlignmentRule::Jiwer,
            Like::Biasing => AlignmentRule::Sclite,
            Like::Texterrors => AlignmentRule::Texterrors,
            Like::CharDiff => return similar::align(pairs, reference, hypothesis),
        };
        Ok(aligner.align(rule, reference, hypothesis)?.chunks)
    }
}

/// For each word of the reference the place of the equal word that it is aligned with.
pub(crate) fn partners(chunks: &[Chunk], words: usize) -> Vec<Option<usize>> {
    let mut partners = vec![None; words];
    for chunk in chunks.iter().filter(|chunk| chunk.operation == Operation::Hit) {
        let pairs = chunk.reference.clone().zip(chunk.hypothesis.clone());
        pairs.for_each(|(own, other)| partners[own] = Some(other));
    }
    partners
}

/// The place of the first word, if the partners of all are consecutive words.
pub(crate) fn run_of(partners: &[Option<usize>], start: usize, len: usize) -> Option<usize> {
    let first = partners[start]?;
    (0..len).all(|place| partners[start + place] == Some(first + place)).then_some(first)
}
