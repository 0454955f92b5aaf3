//! Statistics of SPICE: exact sums of segment scores, and counts of scene-graph tuples.

use core::fmt::Display;

use bleuprint_core::{ExactSum, InputError, Linear, Result, Scale, SegmentCounts};
use serde::{Deserialize, Serialize};

use super::graph::{Tuple, matches};
use super::options::TupleSimilarity;
use super::places::TuplePlaces;

/// Range of SPICE's F-score. It is below 2, because recall can be above 1 but precision cannot.
pub(super) const SCALE: Scale = Scale { max: 2.0, ..Scale::UNIT };

/// Exact sums of SPICE scores over segments, and numbers of scene-graph tuples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SpiceStats {
    /// Sum over segments of SPICE's F-score.
    pub f: ExactSum,
    /// Sum over segments of SPICE's precision.
    pub precision: ExactSum,
    /// Sum over segments of SPICE's recall.
    pub recall: ExactSum,
    /// Sum of SPICE's F-scores that count only objects of the scene graphs, such as (car). Segments whose
    /// references have no object are left out.
    pub objects: ExactSum,
    /// Sum of SPICE's F-scores that count only attributes of objects, such as (car, red). Segments whose
    /// references have no attribute are left out.
    pub attributes: ExactSum,
    /// Sum of SPICE's F-scores that count only relations between objects, such as (car, on, road). Segments
    /// whose references have no relation are left out.
    pub relations: ExactSum,
    /// Number of scene-graph tuples of the hypotheses that match a tuple of the references.
    pub matched: u64,
    /// Number of scene-graph tuples of the hypotheses.
    pub hypothesis: u64,
    /// Number of scene-graph tuples of the references.
    pub reference: u64,
}

#[derive(Clone, Copy)]
struct TupleCounts {
    matched: u64,
    hypothesis: u64,
    reference: u64,
}

impl TupleCounts {
    /// Returns precision, recall and F-score, computed in the order of operations of the original program
    /// SPICE.
    fn scores(self) -> [f64; 3] {
        let of = |whole: u64| if whole == 0 { 0.0 } else { self.matched as f64 / whole as f64 };
        let [precision, recall] = [of(self.hypothesis), of(self.reference)];
        let both = precision > 0.0 && recall > 0.0;
        let f = if both { 2.0 * (precision * recall) / (precision + recall) } else { 0.0 };
        [precision, recall, f]
    }
}

impl SpiceStats {
    pub(super) fn of_segment(
        hypothesis: &[Tuple<'_, '_>],
        reference: &[Tuple<'_, '_>],
        similarity: TupleSimilarity,
        capped: bool,
    ) -> Result<Self> {
        let mut places = TuplePlaces::default();
        for (place, tuple) in reference.iter().enumerate() {
            (0..tuple.len()).for_each(|part| places.add((tuple.len(), part), tuple[part], place));
        }
        let is_found = |tuple: &Tuple<'_, '_>| {
            let near = |part: &usize| places.at_most((tuple.len(), *part), tuple[*part]);
            // All parts of a tuple must match, so the part with the fewest candidates bounds the search.
            let rarest = (0..tuple.len()).min_by_key(near).unwrap_or(0);
            let near = places.near((tuple.len(), rarest), tuple[rarest]);
            near.into_iter().any(|place| matches(tuple, &reference[place], similarity))
        };
        let found: Vec<bool> = hypothesis.iter().map(is_found).collect();
        let count = |size: Option<usize>| {
            let of_size = |len: usize| size.is_none_or(|size| len == size);
            let all = reference.iter().filter(|tuple| of_size(tuple.len())).count() as u64;
            let own = || hypothesis.iter().zip(&found).filter(|(tuple, _)| of_size(tuple.len()));
            let given = own().count() as u64;
            let matched = own().filter(|(_, found)| **found).count() as u64;
            let matched = if capped { matched.min(all) } else { matched };
            TupleCounts { matched, hypothesis: given, reference: all }
        };
        let part = |size| {
            let counts = count(Some(size));
            // An empty sum has a count of 0, which leaves the segment out of the mean of this size.
            if counts.reference == 0 {
                Ok(ExactSum::default())
            } else {
                ExactSum::from_value(counts.scores()[2])
            }
        };
        let all = count(None);
        let [precision, recall, f] = all.scores();
        Ok(SpiceStats {
            f: ExactSum::from_value(f)?,
            precision: ExactSum::from_value(precision)?,
            recall: ExactSum::from_value(recall)?,
            objects: part(1)?,
            attributes: part(2)?,
            relations: part(3)?,
            matched: all.matched,
            hypothesis: all.hypothesis,
            reference: all.reference,
        })
    }

    pub(super) fn check_against(&self, counts: &SegmentCounts) -> Result<()> {
        let open = Scale { max: f64::INFINITY, ..SCALE };
        SCALE.check_mean(&self.f, counts.segments)?;
        Scale::UNIT.check_mean(&self.precision, counts.segments)?;
        // Recall has no upper bound: any number of tuples may match the same reference tuple.
        open.check_mean(&self.recall, counts.segments)?;
        for part in [&self.objects, &self.attributes, &self.relations] {
            SCALE.check_mean(part, part.count().min(counts.segments))?;
        }
        if self.matched > self.hypothesis {
            let message = format!("{} matched tuples of {}", self.matched, self.hypothesis);
            return Err(InputError::malformed_state(message));
        }
        Ok(())
    }
}

impl Linear for SpiceStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        let sums = [
            ("f", &mut self.f),
            ("precision", &mut self.precision),
            ("recall", &mut self.recall),
            ("objects", &mut self.objects),
            ("attributes", &mut self.attributes),
            ("relations", &mut self.relations),
        ];
        for (name, sum) in sums {
            Linear::columns(sum, &mut |column, count| visit(&format_args!("{name}.{column}"), count));
        }
        visit(&"matched", &mut self.matched);
        visit(&"hypothesis", &mut self.hypothesis);
        visit(&"reference", &mut self.reference);
    }
}
