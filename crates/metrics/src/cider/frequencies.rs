//! Document frequencies of CIDEr: for each n-gram, the number of segments whose references contain it, and
//! the number of all segments.

use std::sync::Arc;

use bleuprint_core::{
    ConfigError, Identity, InputError, InputErrorKind, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats,
};
use bleuprint_math::ln;
use bleuprint_ngram::{NgramSet, Word};
use serde::{Deserialize, Serialize};

use super::options::CiderSettings;
use crate::shared::ngrams::NgramCounts;

/// Number of segments whose references contain each n-gram, counted in CIDEr's first pass. A document is a
/// segment, with all its references.
///
/// The statistics merge in any order and are stored sorted, so one table can serve many runs. They include
/// the number of segments, without which frequencies have no meaning.
///
/// ```
/// use bleuprint_metrics::cider::DocumentFrequencies;
///
/// let mut frequencies = DocumentFrequencies::new(4);
/// frequencies.add(&[&["a", "cat"], &["a", "dog"]]).unwrap();
/// frequencies.add(&[&["the", "dog"]]).unwrap();
/// assert_eq!((frequencies.get(&["a"]), frequencies.get(&["dog"]), frequencies.segments()), (1, 2, 2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, try_from = "StoredFrequencies")]
pub struct DocumentFrequencies {
    segments: u64,
    frequencies: NgramCounts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredFrequencies {
    segments: u64,
    frequencies: NgramCounts,
}

/// Creates empty statistics without any n-gram order, which do not merge with the statistics of a metric.
impl Default for DocumentFrequencies {
    fn default() -> Self {
        DocumentFrequencies::new(0)
    }
}

impl DocumentFrequencies {
    /// Creates an empty table of document frequencies for n-grams of orders 1 to `max_order`.
    pub fn new(max_order: usize) -> Self {
        DocumentFrequencies { segments: 0, frequencies: NgramCounts::new(max_order) }
    }

    /// Adds one segment, whose references' n-grams are counted.
    ///
    /// # Errors
    /// Returns [`InputErrorKind::NoReferences`] without references, and [`InputErrorKind::Limit`] if there
    /// are too many n-grams.
    pub fn add<W: Word>(&mut self, references: &[&[W]]) -> Result<()> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        // Computed before anything changes, so that an error leaves the table as it was.
        let segments = self.segments_with(1)?;
        self.frequencies.add_document(references)?;
        self.segments = segments;
        Ok(())
    }

    fn segments_with(&self, right: u64) -> Result<u64> {
        let left = self.segments;
        let overflow =
            || InputErrorKind::CountRange { column: "segments".into(), left, operation: '+', right };
        left.checked_add(right).ok_or_else(|| overflow().into())
    }

    /// Returns the number of segments that were added to the table.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// Returns the number of segments whose references contain the n-gram.
    pub fn get<W: Word>(&self, ngram: &[W]) -> u64 {
        self.frequencies.get(ngram)
    }

    pub(super) fn fingerprint(&self) -> String {
        format!("{:016x}-{}", self.frequencies.fingerprint(), self.segments)
    }
}

impl TryFrom<StoredFrequencies> for DocumentFrequencies {
    type Error = InputError;

    fn try_from(StoredFrequencies { segments, frequencies }: StoredFrequencies) -> Result<Self> {
        for order in 1..=frequencies.ngrams().max_order() {
            if let Some(count) = frequencies.counts(order).iter().find(|&&count| count > segments) {
                return Err(InputError::malformed_state(format!(
                    "an n-gram of order {order} in {count} segments, where there are {segments}"
                )));
            }
        }
        Ok(DocumentFrequencies { segments, frequencies })
    }
}

impl Stats for DocumentFrequencies {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let segments = self.segments_with(other.segments)?;
        self.frequencies.merge(&other.frequencies)?;
        self.segments = segments;
        Ok(())
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        self.segments_with(other.segments)?;
        self.frequencies.require_mergeable(&other.frequencies)
    }
}

/// First pass of CIDEr as a metric. Its statistics are the document frequencies of n-grams; its score is the
/// number of distinct n-grams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceDocuments {
    max_order: usize,
}

impl Default for ReferenceDocuments {
    fn default() -> Self {
        ReferenceDocuments { max_order: CiderSettings::OPTION.max_order.default() }
    }
}

impl ReferenceDocuments {
    /// Creates the first pass of CIDEr, which counts document frequencies of n-grams up to this order.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] unless the order is in 1 to 100.
    pub fn new(max_order: usize) -> Result<Self, ConfigError> {
        Ok(ReferenceDocuments { max_order: CiderSettings::OPTION.max_order.check(max_order)? })
    }
}

impl Metric for ReferenceDocuments {
    type Stats = DocumentFrequencies;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("document_frequencies", 1, Scale::UNBOUNDED)
            .needing(|needs| needs.tokens = true)
            .counted("order", "n", self.max_order)
    }
    fn zero(&self) -> DocumentFrequencies {
        DocumentFrequencies::new(self.max_order)
    }

    fn finalize(&self, stats: &DocumentFrequencies, _: &SegmentCounts) -> Result<PlainScore> {
        let distinct: usize = (1..=self.max_order).map(|order| stats.frequencies.distinct(order)).sum();
        Ok(PlainScore::new(distinct as f64).with_count("segments", stats.segments))
    }

    fn check(&self, stats: &DocumentFrequencies, counts: &SegmentCounts) -> Result<()> {
        let order = stats.frequencies.ngrams().max_order();
        let segments = stats.segments;
        if order != self.max_order || segments != counts.segments {
            return Err(InputError::malformed_state(format!(
                "n-grams up to order {order} of {segments} segments, where order {} and {} segments were expected",
                self.max_order, counts.segments
            )));
        }
        Ok(())
    }
}

impl<T: Word> Observe<[T]> for ReferenceDocuments {
    fn observe(&self, (): &mut (), stats: &mut DocumentFrequencies, segment: Segment<'_, [T]>) -> Result<()> {
        stats.add(segment.references()?)
    }
}

#[derive(Debug, Clone)]
pub(super) struct CiderWeights {
    pub(super) ngrams: Arc<NgramSet>,
    /// Weights of the n-grams, by order and n-gram id: `ln(N) - ln(max(1, df))`. `N` is the number of
    /// documents, and `df` is the number of documents that contain the n-gram.
    weights: Vec<Vec<f64>>,
    /// Weight of n-grams that no reference in the table of document frequencies contains.
    unseen: f64,
}

impl CiderWeights {
    pub(super) fn new(frequencies: &DocumentFrequencies) -> Self {
        let counts = &frequencies.frequencies;
        // A table without segments has no n-grams either. Every weight is then that of an unseen n-gram, and
        // 0.
        let unseen = ln(frequencies.segments.max(1) as f64);
        let weight = |&count: &u64| unseen - ln(count.max(1) as f64);
        let orders = 1..=counts.ngrams().max_order();
        let weights = orders.map(|order| counts.counts(order).iter().map(weight).collect());
        CiderWeights { weights: weights.collect(), ngrams: counts.ngrams().clone(), unseen }
    }

    pub(super) fn weight(&self, order: usize, number: Option<u32>) -> f64 {
        number.map_or(self.unseen, |number| self.weights[order - 1][number as usize])
    }
}
