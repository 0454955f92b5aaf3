//! Document frequencies of word pieces, counted in BERTScore's first pass: the number of references that
//! contain a piece, and the number of references.

use std::collections::{BTreeMap, BTreeSet};

use bleuprint_core::{
    Identity, InputError, InputErrorKind, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
    Stats, TokenSpace,
};
use bleuprint_math::ln;
use bleuprint_metrics::mixed;
use serde::{Deserialize, Serialize};

use crate::AsVector;

/// Statistics of BERTScore's first pass: the number of references that contain each word piece. Every
/// reference of every segment counts, including repeated references.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredWeights", into = "StoredWeights")]
pub struct PieceFrequencies {
    references: u64,
    pieces: BTreeMap<i64, u64>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredWeights {
    references: u64,
    pieces: Vec<i64>,
    counts: Vec<u64>,
}

impl From<PieceFrequencies> for StoredWeights {
    fn from(PieceFrequencies { references, pieces }: PieceFrequencies) -> Self {
        let (pieces, counts) = pieces.into_iter().unzip();
        StoredWeights { references, pieces, counts }
    }
}

impl TryFrom<StoredWeights> for PieceFrequencies {
    type Error = InputError;

    fn try_from(StoredWeights { references, pieces, counts }: StoredWeights) -> Result<Self> {
        let wrong = |message: String| Err(InputError::malformed_state(message));
        if pieces.len() != counts.len() {
            return wrong(format!("{} counts of {} pieces", counts.len(), pieces.len()));
        }
        if let Some(pair) = pieces.windows(2).find(|pair| pair[0] >= pair[1]) {
            return wrong(format!("the piece {} behind {}", pair[1], pair[0]));
        }
        if let Some(count) = counts.iter().find(|count| !(1..=references).contains(count)) {
            return wrong(format!("a piece in {count} references, where there are {references}"));
        }
        Ok(PieceFrequencies { references, pieces: pieces.into_iter().zip(counts).collect() })
    }
}

impl PieceFrequencies {
    /// Counts one more reference: the number of references grows by one, and so does the document frequency
    /// of each word piece that it contains. `pieces` are the ids of its word pieces.
    ///
    /// # Errors
    /// Returns [`InputErrorKind::CountRange`] if a count exceeds 64 bits.
    pub fn add(&mut self, pieces: impl IntoIterator<Item = i64>) -> Result<()> {
        let pieces: BTreeSet<i64> = pieces.into_iter().collect();
        let pieces = pieces.into_iter().map(|piece| (piece, 1)).collect();
        self.merge(&PieceFrequencies { references: 1, pieces })
    }

    /// Returns the number of references that contain the word piece with this id.
    pub fn get(&self, piece: i64) -> u64 {
        self.pieces.get(&piece).copied().unwrap_or_default()
    }

    /// Returns the weight of a word piece, `ln((M + 1) / (df + 1))`, where `df` of `M` references contain it.
    pub(super) fn weight(&self, piece: i64) -> f64 {
        ln((self.references as f64 + 1.0) / (self.get(piece) as f64 + 1.0))
    }

    pub(super) fn fingerprint(&self) -> String {
        let of = |sum: u64, (&piece, &count): (&i64, &u64)| mixed(mixed(sum ^ piece as u64) ^ count);
        format!("{:016x}-{}", self.pieces.iter().fold(0, of), self.references)
    }
}

impl Stats for PieceFrequencies {
    fn merge(&mut self, other: &Self) -> Result<()> {
        // A piece occurs in at most as many references as there are. If the number of references fits into 64
        // bits, so do all other counts.
        self.check_merge(other)?;
        self.references += other.references;
        for (&piece, &count) in &other.pieces {
            *self.pieces.entry(piece).or_default() += count;
        }
        Ok(())
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        let left = self.references;
        let right = other.references;
        let overflow =
            || InputErrorKind::CountRange { column: "references".into(), left, operation: '+', right };
        left.checked_add(right).map(|_| ()).ok_or_else(|| overflow().into())
    }
}

/// First pass of BERTScore as a metric: counts in how many references each word piece occurs. Its score is
/// the number of distinct pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReferencePieces;

impl Metric for ReferencePieces {
    type Stats = PieceFrequencies;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("piece_frequencies", 1, Scale::UNBOUNDED).over(&TokenSpace::VECTORS)
    }

    fn finalize(&self, stats: &PieceFrequencies, _: &SegmentCounts) -> Result<PlainScore> {
        Ok(PlainScore::new(stats.pieces.len() as f64).with_count("references", stats.references))
    }

    fn check(&self, stats: &PieceFrequencies, counts: &SegmentCounts) -> Result<()> {
        if stats.references != counts.references {
            let given = stats.references;
            let of = counts.references;
            return Err(InputError::malformed_state(format!("pieces of {given} references, of {of}")));
        }
        Ok(())
    }
}

impl<V: AsVector> Observe<[V]> for ReferencePieces {
    fn observe(&self, (): &mut (), stats: &mut PieceFrequencies, segment: Segment<'_, [V]>) -> Result<()> {
        let mut own = PieceFrequencies::default();
        for (number, reference) in (1..).zip(segment.references()?) {
            let piece = |(row, vector): (usize, &V)| {
                // Without an id a piece has no frequency. The first pass must fail like the second, or idf
                // would silently ignore the piece.
                let unknown = || {
                    let message =
                        format!("vector {row} of reference {number} has no piece (ids), which idf needs");
                    InputError::malformed(message)
                };
                vector.as_vector().piece.ok_or_else(unknown)
            };
            own.add((1..).zip(*reference).map(piece).collect::<Result<Vec<_>>>()?)?;
        }
        stats.merge(&own)
    }
}
