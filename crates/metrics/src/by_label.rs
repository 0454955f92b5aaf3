//! [`ByLabel`]: any metric, computed separately for each class label of the segments, and the means over the
//! `L` labels.
//!
//! ```text
//! micro = score(Σ statistics of l)     macro = Σ score(l)/L     weighted = Σ n_l score(l)/Σ n_l
//!                l                              l                            l
//! ```
//!
//! The sums run over the L labels l in the byte order of their names; n_l is the number of segments of l. A
//! segment with several labels counts for each of them, and a segment without a label counts for none.

use std::collections::BTreeMap;

use bleuprint_core::{
    Choice as _, Composition, Identity, InputError, Metric, Observe, PlainScore, Result, ScorePart, Segment,
    SegmentCounts, Stats,
};
use serde::{Deserialize, Serialize};

/// Maximum number of labels in the statistics. Statistics are also read from files, so their size is bounded.
const MOST_LABELS: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 10;

/// Source of the labels of a segment: one of its texts ([`LabelFrom`]) or a function.
pub trait LabelsOf<S: ?Sized, R: ?Sized = S, C: ?Sized = S>: Send + Sync {
    /// Returns the labels of a segment; a label that is listed twice counts once.
    ///
    /// # Errors
    /// Returns an error if the segment lacks the text that holds its label.
    fn labels(&self, segment: Segment<'_, S, R, C>) -> Result<Vec<String>>;
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, F> LabelsOf<S, R, C> for F
where
    F: Fn(Segment<'_, S, R, C>) -> Result<Vec<String>> + Send + Sync,
{
    fn labels(&self, segment: Segment<'_, S, R, C>) -> Result<Vec<String>> {
        self(segment)
    }
}

/// Text of a segment that is used as its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabelFrom {
    /// The class label of a segment is the text of its only reference.
    Reference,
    /// The class label of a segment is the text of its hypothesis.
    Hypothesis,
    /// The class label of a segment is the text of its source. The metric itself does not read the source.
    Source,
}

bleuprint_core::choice!(LabelFrom: Reference "reference", Hypothesis "hypothesis", Source "source");

impl<S, R, C> LabelsOf<S, R, C> for LabelFrom
where
    S: AsRef<str> + ?Sized,
    R: AsRef<str> + ?Sized,
    C: AsRef<str> + ?Sized,
{
    fn labels(&self, segment: Segment<'_, S, R, C>) -> Result<Vec<String>> {
        let label = match self {
            LabelFrom::Reference => segment.one_reference("a score by reference")?.as_ref(),
            LabelFrom::Hypothesis => segment.hypothesis.as_ref(),
            LabelFrom::Source => segment.source()?.as_ref(),
        };
        Ok(vec![label.to_owned()])
    }
}

/// Kind of mean over labels that becomes the score of [`ByLabel`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabelMean {
    /// Score of the merged statistics of all labels (micro average).
    Micro,
    /// Mean of the scores of the labels, with equal weights.
    #[default]
    Macro,
    /// Mean of the scores of the labels, in which each label's weight is its number of segments.
    Weighted,
}
bleuprint_core::choice!(LabelMean: Micro "micro", Macro "macro", Weighted "weighted"; 1);

/// Metric that computes an inner metric separately for each class label of the segments. Its score has three
/// means over labels, and the score of every label as `label.NAME`.
///
/// The range is the range of the inner metric. A label without a score is an error that names the label. The
/// statistics hold at most 65,536 labels of at most 1,024 bytes each.
///
/// ```
/// use bleuprint_core::{Accumulator, Score};
/// use bleuprint_metrics::{ByLabel, ExactMatch, LabelFrom};
///
/// // The mean of the recalls of two classes: of three pets one is found, of one car all.
/// let mut recall = Accumulator::<_, str>::new(ByLabel::from(ExactMatch, LabelFrom::Reference));
/// for (found, class) in [("pet", "pet"), ("car", "pet"), ("car", "pet"), ("car", "car")] {
///     recall.push(found, &[class]).unwrap();
/// }
/// let score = recall.score().unwrap().score;
/// assert!((score.value() - (100.0 / 3.0 + 100.0) / 2.0).abs() < 1e-12);
/// let keys: Vec<String> = score.parts().iter().map(|part| part.key.to_string()).collect();
/// assert_eq!(keys, ["labels", "micro", "macro", "weighted", "label.car", "label.pet"]);
/// ```
#[derive(Debug, Clone)]
pub struct ByLabel<M, L> {
    metric: M,
    by: &'static str,
    labels: L,
    mean: LabelMean,
}

impl<M: Metric> ByLabel<M, LabelFrom> {
    /// Creates a metric that computes `metric` separately for each label; one text of each segment is its
    /// label.
    pub fn from(metric: M, labels: LabelFrom) -> Self {
        ByLabel::new(metric, labels.name(), labels)
    }
}

impl<M: Metric, L> ByLabel<M, L> {
    /// Creates a metric that computes `metric` separately for each label; `labels` yields the labels of a
    /// segment. The statistics key and the signature show `by` as the name of the grouping.
    pub fn new(metric: M, by: &'static str, labels: L) -> Self {
        ByLabel { metric, by, labels, mean: LabelMean::default() }
    }

    /// Sets which mean over the labels becomes the score. The statistics do not depend on it.
    #[must_use]
    pub fn mean(self, mean: LabelMean) -> Self {
        ByLabel { mean, ..self }
    }

    fn score_of(&self, label: &str, OfLabel { counts, stats }: &OfLabel<M::Stats>) -> Result<f64> {
        self.metric.number(stats, counts).map_err(|error| {
            InputError::no_score(
                self.metric.identity().name(),
                format!("the label `{label}` has none: {error}"),
            )
        })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfLabel<S> {
    counts: SegmentCounts,
    stats: S,
}

/// Statistics of a metric and the number of its segments, stored separately for each label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LabelStats<S>(BTreeMap<String, OfLabel<S>>);

impl<S> Default for LabelStats<S> {
    fn default() -> Self {
        LabelStats(BTreeMap::new())
    }
}

impl<S: Stats> LabelStats<S> {
    /// Iterates over the labels, each with the counts of its segments and its statistics.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &SegmentCounts, &S)> {
        self.0.iter().map(|(label, of)| (label.as_str(), &of.counts, &of.stats))
    }

    fn require_room(&self, other: &Self) -> Result<()> {
        let new = other.0.keys().filter(|label| !self.0.contains_key(*label)).count();
        limited("the number of labels", self.0.len() + new, MOST_LABELS)
    }
}

fn limited(what: &str, given: usize, most: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    Err(InputError::limit(what, given, format!("at most {most}")))
}

/// Merges the statistics label by label. If the statistics of one label cannot be added, no label changes.
impl<S: Stats> Stats for LabelStats<S> {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge_times(other, 1)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        if times == 0 {
            return self.check_merge(other);
        }
        self.require_room(other)?;
        // All sums are made before the first one is stored: an error leaves every label unchanged.
        let mut merged = Vec::with_capacity(other.0.len());
        for (label, of) in &other.0 {
            // A new label begins with the first copy of its statistics: the zero of the metric is not known
            // here.
            let (base, left) = self.0.get(label).map_or((of, times - 1), |own| (own, times));
            let mut sum = base.clone();
            sum.counts.merge_times(&of.counts, left)?;
            sum.stats.merge_times(&of.stats, left)?;
            merged.push((label.clone(), sum));
        }
        self.0.extend(merged);
        Ok(())
    }

    // The labels are merged in `merge_times` as checked here, so that both report the same errors.
    fn check_merge(&self, other: &Self) -> Result<()> {
        self.require_room(other)?;
        other.0.iter().try_for_each(|(label, of)| match self.0.get(label) {
            Some(own) => {
                own.counts.check_merge(&of.counts)?;
                own.stats.check_merge(&of.stats)
            }
            None => Ok(()),
        })
    }

    fn needs_block(&self) -> bool {
        self.0.values().any(|of| of.stats.needs_block())
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        limited("the number of labels", self.0.len(), MOST_LABELS)?;
        for (label, of) in &self.0 {
            limited("the bytes of a label", label.len(), MOST_BYTES)?;
            if of.counts.segments == 0 {
                return Err(InputError::malformed_state(format!("the label `{label}` has no segments")));
            }
            Stats::check(&of.counts, counts)?;
            of.stats.check(&of.counts)?;
        }
        Ok(())
    }
}

impl<M, L> Metric for ByLabel<M, L>
where
    M: Metric,
    L: Send + Sync,
{
    type Stats = LabelStats<M::Stats>;
    type Score = PlainScore;
    type Scratch = M::Scratch;

    fn identity(&self) -> Identity {
        let mean = self.mean.name();
        let identity = self
            .metric
            .identity()
            .counted("by", "by", self.by)
            .finished("labels", "labels", mean)
            .composed(Composition::Other);
        match self.by {
            "reference" => identity.needing(|needs| needs.one_reference = true),
            "source" => identity.needing(|needs| needs.source = true),
            _ => identity,
        }
    }

    fn finalize(&self, stats: &Self::Stats, _: &SegmentCounts) -> Result<PlainScore> {
        let Some(first) = stats.0.values().next() else {
            return Err(InputError::no_score(self.identity().name(), "no segment has a label"));
        };
        let scores: Vec<(&String, u64, f64)> = stats
            .0
            .iter()
            .map(|(label, of)| Ok((label, of.counts.segments, self.score_of(label, of)?)))
            .collect::<Result<_>>()?;
        // Micro merges the first label's statistics with the others, because no zero of the right shape is
        // needed then.
        let mut all = first.clone();
        for of in stats.0.values().skip(1) {
            all.counts.merge(&of.counts)?;
            all.stats.merge(&of.stats)?;
        }
        let labels = scores.len() as f64;
        let micro = self.metric.number(&all.stats, &all.counts)?;
        let simple = scores.iter().map(|(.., score)| score).sum::<f64>() / labels;
        let weighted = scores.iter().map(|(_, segments, score)| *segments as f64 * score).sum::<f64>()
            / all.counts.segments as f64;
        let score = match self.mean {
            LabelMean::Micro => micro,
            LabelMean::Macro => simple,
            LabelMean::Weighted => weighted,
        };
        let mut shown = PlainScore::new(score).with_count("labels", scores.len() as u64);
        for (key, mean) in [("micro", micro), ("macro", simple), ("weighted", weighted)] {
            shown = shown.with(ScorePart::number(key, mean, 4));
        }
        let label = |shown: PlainScore, (label, _, score): (&String, u64, f64)| {
            shown.with(ScorePart::number(format!("label.{label}"), score, 4))
        };
        Ok(scores.into_iter().fold(shown, label))
    }

    fn check(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        stats.0.values().try_for_each(|of| self.metric.check(&of.stats, &of.counts))
    }

    fn batch(&self) -> usize {
        self.metric.batch()
    }
}

impl<S, R, C, M, L> Observe<S, R, C> for ByLabel<M, L>
where
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    M: Observe<S, R, C>,
    L: LabelsOf<S, R, C>,
{
    fn observe(
        &self,
        scratch: &mut M::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<()> {
        self.observe_each(scratch, core::slice::from_mut(stats), &[segment])
    }

    fn observe_each(
        &self,
        scratch: &mut M::Scratch,
        stats: &mut [Self::Stats],
        segments: &[Segment<'_, S, R, C>],
    ) -> Result<()> {
        let mut observed: Vec<M::Stats> = segments.iter().map(|_| self.metric.zero()).collect();
        self.metric.observe_each(scratch, &mut observed, segments)?;
        for (number, ((stats, own), segment)) in (1..).zip(stats.iter_mut().zip(observed).zip(segments)) {
            let merged = self.one(own, *segment).and_then(|one| stats.merge(&one));
            merged.map_err(|error| error.at(bleuprint_core::Location::segment(number)))?;
        }
        Ok(())
    }
}

impl<M: Metric, L> ByLabel<M, L> {
    fn one<S: ?Sized, R: ?Sized, C: ?Sized>(
        &self,
        stats: M::Stats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<LabelStats<M::Stats>>
    where
        L: LabelsOf<S, R, C>,
    {
        let of = OfLabel { counts: SegmentCounts::of_segment(segment.references.len()), stats };
        let labels = self.labels.labels(segment)?;
        labels.iter().try_for_each(|label| limited("the bytes of a label", label.len(), MOST_BYTES))?;
        limited("the number of labels", labels.len(), MOST_LABELS)?;
        Ok(LabelStats(labels.into_iter().map(|label| (label, of.clone())).collect()))
    }
}

#[cfg(test)]
mod tests {
    use bleuprint_registry::{AnyMetric, laws};

    use super::*;
    use crate::{EditRate, ExactMatch};

    #[test]
    fn means_over_labels_obey_the_laws() {
        for mean in [LabelMean::Micro, LabelMean::Macro, LabelMean::Weighted] {
            laws::check_any(&AnyMetric::for_text(
                ByLabel::from(ExactMatch, LabelFrom::Hypothesis).mean(mean),
            ));
        }
        laws::check_any(&AnyMetric::for_text(ByLabel::from(ExactMatch, LabelFrom::Reference)));
        laws::check_any(&AnyMetric::for_text(ByLabel::from(ExactMatch, LabelFrom::Source)));
        let lengths = |segment: Segment<'_, [u8]>| {
            let length = segment.hypothesis.len();
            Ok((0..length % 3).map(|label| label.to_string()).collect())
        };
        let by_length = ByLabel::new(EditRate::WER, "length", lengths);
        laws::check_sequences::<[u8]>(&by_length, |tokens| tokens.to_vec());
    }

    #[test]
    fn forged_counts_of_a_label_are_refused() {
        let of_segments = |segments: u64, references: u64| SegmentCounts {
            segments,
            references: segments * references,
            references_squared: segments * references * references,
        };
        let all = of_segments(2, 2);
        let checked = |counts| {
            let of = OfLabel { counts, stats: ExactMatch.zero() };
            LabelStats(BTreeMap::from([("a".to_owned(), of)])).check(&all)
        };
        assert_eq!(checked(of_segments(2, 2)), Ok(()));
        for forged in [
            SegmentCounts::default(),
            of_segments(3, 1),
            of_segments(1, 5),
            SegmentCounts { segments: 1, references: 3, references_squared: 3 },
            SegmentCounts { segments: 2, references: 2, references_squared: 9 },
        ] {
            assert!(checked(forged).is_err(), "{forged:?}");
        }
    }

    #[test]
    fn limits_and_labels_are_named() {
        let by_hypothesis = ByLabel::from(ExactMatch, LabelFrom::Hypothesis);
        let long = "x".repeat(MOST_BYTES + 1);
        let mut all = bleuprint_core::Accumulator::<_, str>::new(&by_hypothesis);
        let refused = all.push(&long, &[""]).unwrap_err().to_string();
        assert!(refused.contains("the bytes of a label is 1025, but must be at most 1024"), "{refused}");
        let many: LabelStats<_> = LabelStats(
            (0..=MOST_LABELS)
                .map(|at| {
                    (
                        at.to_string(),
                        OfLabel { counts: SegmentCounts::of_segment(1), stats: ExactMatch.zero() },
                    )
                })
                .collect(),
        );
        assert!(LabelStats::default().merge(&many).is_err());
    }
}
