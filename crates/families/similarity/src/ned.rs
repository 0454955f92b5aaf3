//! Normalized edit distance (NED): edits over the greater length, as reported in benchmarks of text
//! recognition.
//!
//! ```text
//! NED = d / max(|a|, |b|)         d: insertions, deletions, substitutions
//! ```
//!
//! The corpus score is the exact mean over segments of the lowest distance over references. ICDAR's "1-NED"
//! is [`EditSimilarity`](crate::EditSimilarity) of kind Levenshtein.
//!
//! | singular case | result |
//! |---|---|
//! | both empty | 0 |
//! | one empty | 1 |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! The range is 0 to 1, lower is better. Source: Zhang et al. 2019, ICDAR 2019 Robust Reading Challenge on
//! Reading Chinese Text on Signboard. The numbers match `Levenshtein.normalized_distance` of rapidfuzz
//! 3.14.6 bit for bit. Time is the product of the lengths over 64.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_similarity::Ned;
//!
//! let mut ned = Accumulator::<_, [char]>::new(Ned);
//! ned.push(&['h', 'a', 't'], &[&['h', 'a', 't', 's'], &['c', 'a', 'p']]).unwrap();
//! assert_eq!(ned.score().unwrap().value(), 0.25);
//! ```

use core::hash::Hash;

use bleuprint_core::{Case, Direction, ExactSum, Identity, Observe, Result, Scale, Segment};
use bleuprint_metrics::PairTables;
use bleuprint_registry::{AnyMetric, MetricEntry};

use crate::edit_similarity::LEVENSHTEIN_1966;
use crate::mean::{lowest, mean_of_segments};

/// Metric NED (normalized edit distance), which has no options. The [module documentation](self) has the
/// definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct Ned;

mean_of_segments!(Ned, PairTables, self => {
    Identity::new("ned", 1, Scale { direction: Direction::LowerIsBetter, ..Scale::UNIT }).named("NED")
});

impl<T: Hash + Eq> Observe<[T]> for Ned {
    fn observe(&self, tables: &mut PairTables, sum: &mut ExactSum, segment: Segment<'_, [T]>) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let distance = |reference: &&[T]| {
            let length = hypothesis.len().max(reference.len()).max(1);
            Ok(tables.edits(hypothesis, reference)? as f64 / length as f64)
        };
        Ok(sum.add(lowest(segment.references()?.iter().map(distance))?)?)
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("ned", "Normalized edit distance: edits over the greater length", |_| {
        Ok(AnyMetric::for_ids(Ned)?.with_tokenizer("codepoint").with_case(Case::Mixed))
    })
    .papers(&[crate::paper("zhang-etal-2019-icdar"), LEVENSHTEIN_1966])
    .agrees_with("rapidfuzz 3.14.6")
    .example(r#"{"hypothesis": "the cat sat on the mat", "references": ["the cat sat on a mat"]}"#);

#[cfg(test)]
#[test]
fn obeys_the_laws() {
    bleuprint_registry::laws::check(&Ned);
}
