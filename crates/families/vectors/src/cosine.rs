//! Cosine of text vectors: one vector of each text, or the mean of the vectors of its pieces.
//!
//! ```text
//! cosine = x · y / ( |x| · |y| )             x: vector of the hypothesis, y: of a reference
//! pooled: x = Σ_i w_i · x_i / Σ_i w_i        if a text has several vectors
//! ```
//!
//! `w_i` is the weight of the vector `x_i`. No model runs here: you supply the vectors. The score of a corpus
//! is the mean of its segments, as an exact sum. With several references, the option `references` chooses the
//! greatest cosine or the mean.
//!
//! | singular case | result |
//! |---|---|
//! | a vector of zeros, also as a mean; NaN, infinity, a different width; a negative weight | error |
//! | a text without vectors, weights that sum to 0 | error |
//! | no reference | error |
//!
//! Range -1 to 1, higher is better. Source: Salton and McGill 1983, Introduction to Modern Information
//! Retrieval; pooling as in sentence-transformers by default. Products are summed in `f64` in a fixed order,
//! so that results are bit-identical on all machines. Time is linear in the number of coordinates.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_vectors::{Cosine, mean_pool};
//!
//! let mut cosine = Accumulator::<_, [&[f32]]>::new(Cosine::new());
//! cosine.push(&[&[3.0, 4.0]], &[&[&[4.0, 3.0]]]).unwrap();
//! assert_eq!(cosine.score().unwrap().value(), 0.96);
//! assert_eq!(mean_pool::<&[f32]>(&[&[1.0, 0.0], &[0.0, 3.0]]).unwrap(), [0.5, 1.5]);
//! ```

use bleuprint_core::{
    Composition, ConfigError, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, TokenSpace, Vector, VectorValues,
};
use bleuprint_metrics::Means;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

use crate::AsVector;
use crate::rows::{
    NormedRows, VectorText, check_producer, cosine_of_singles, fit, product, require_one_width,
};

const SCALE: Scale = Scale { min: -1.0, ..Scale::UNIT };

bleuprint_core::choice! {
    /// How the cosines of a hypothesis with several references become one number.
    pub enum CosineReferences {
        /// The greatest cosine of the hypothesis with a reference.
        Max = "max",
        /// The mean of the cosines of the hypothesis with each reference.
        Mean = "mean",
    }
}

settings! {
    /// Metric that is the cosine of the vectors of hypothesis and reference; [the module](self) has the
    /// definition.
    #[derive(Eq)]
    pub struct Cosine {
        /// The score of several references: the greatest cosine, or the mean
        references: CosineReferences = Opt::choice("cosine-references").counted("references", "rf");
        /// The model of the vectors, as in all-MiniLM-L6-v2
        producer: Option<String> = Opt::name("cosine-producer", "none").counted("producer", "p");
    }
}

impl Cosine {
    /// Creates the cosine metric, which takes the greatest cosine if there are several references.
    pub fn new() -> Self {
        Cosine::default()
    }

    /// Sets how the cosines of a hypothesis with several references become one number.
    #[must_use]
    pub fn with_references(self, references: CosineReferences) -> Self {
        Cosine { references, ..self }
    }
}

/// Returns the weighted mean of the vectors. Each vector contains its weight, which is 1 by default.
///
/// # Errors
/// Returns an error if a vector is invalid, or if the weights sum to 0.
pub fn mean_pool<V: AsVector>(vectors: &[V]) -> Result<Vec<f64>> {
    let mut rows = NormedRows::default();
    pooled(&mut rows, VectorText::Hypothesis, vectors)
}

fn pooled<V: AsVector>(rows: &mut NormedRows, text: VectorText, vectors: &[V]) -> Result<Vec<f64>> {
    rows.fill(text, vectors, |vector| Ok(vector.weight))?;
    let nothing = || match vectors.len() {
        0 => InputError::malformed(format!("{text} has no vector, so no direction")),
        count => InputError::malformed(format!("the weights of the {count} vectors of {text} sum to 0")),
    };
    rows.pooled().ok_or_else(nothing)
}

fn norm(text: VectorText, vector: &mut [f64]) -> Result<f64> {
    // The mean of vectors may be tiny or giant even if none of them is; scaling keeps its direction.
    fit(vector);
    let norm = product(vector, vector).sqrt();
    let zero = || {
        InputError::malformed(format!("the mean of the vectors of {text} is zero, which has no direction"))
    };
    (norm > 0.0).then_some(norm).ok_or_else(zero)
}

impl Metric for Cosine {
    type Stats = Means<1>;
    type Score = PlainScore;
    type Scratch = CosineScratch;

    fn identity(&self) -> Identity {
        self.add_to_identity(Identity::new("cosine", 1, SCALE))
            .composed(Composition::Mean)
            .wider_sums()
            .over(&TokenSpace::VECTORS)
    }

    fn finalize(&self, stats: &Means<1>, counts: &SegmentCounts) -> Result<PlainScore> {
        let [mean] = stats.means();
        Ok(PlainScore::new(mean).with_count("segments", counts.segments))
    }

    fn check(&self, stats: &Means<1>, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, [SCALE])
    }
}

/// Working memory of the cosine metric, one per thread: the vectors of a segment.
#[derive(Debug, Default)]
pub struct CosineScratch {
    hypothesis: NormedRows,
    reference: NormedRows,
}

/// Returns the coordinates of a text's only vector if it is in single precision; otherwise `None`. The mean
/// of a single vector is the vector itself.
fn single<V: AsVector>(vectors: &[V]) -> Option<&[f32]> {
    let [vector] = vectors else { return None };
    let vector: Vector<'_> = vector.as_vector();
    match vector.values {
        VectorValues::F32(values) if vector.weight.is_finite() && vector.weight > 0.0 => Some(values),
        _ => None,
    }
}

fn pooled_cosines<V: AsVector>(
    CosineScratch { hypothesis, reference }: &mut CosineScratch,
    own: &[V],
    references: &[&[V]],
) -> Result<Vec<f64>> {
    let mut own = pooled(hypothesis, VectorText::Hypothesis, own)?;
    let own_norm = norm(VectorText::Hypothesis, &mut own)?;
    let mut cosines = Vec::with_capacity(references.len());
    for (number, vectors) in (1..).zip(references) {
        let text = VectorText::Reference(number);
        let mut other = pooled(reference, text, vectors)?;
        require_one_width(hypothesis, text, reference)?;
        let cosine = product(&own, &other) / (own_norm * norm(text, &mut other)?);
        cosines.push(cosine.clamp(-1.0, 1.0));
    }
    Ok(cosines)
}

impl<V: AsVector> Observe<[V]> for Cosine {
    fn observe(
        &self,
        scratch: &mut CosineScratch,
        stats: &mut Means<1>,
        segment: Segment<'_, [V]>,
    ) -> Result<()> {
        let references = segment.references()?;
        let own = single(segment.hypothesis);
        let of_singles = |reference: &&[V]| cosine_of_singles(own?, single(reference)?);
        let mut cosines = match references.iter().map(of_singles).collect::<Option<Vec<f64>>>() {
            Some(cosines) => cosines,
            None => pooled_cosines(scratch, segment.hypothesis, references)?,
        };
        stats.push([match self.references {
            CosineReferences::Max => cosines.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            CosineReferences::Mean => {
                // Sorted, so that the order of references cannot change the sum.
                cosines.sort_unstable_by(f64::total_cmp);
                (cosines.iter().sum::<f64>() / cosines.len() as f64).clamp(-1.0, 1.0)
            }
        }])
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "cosine",
    "Cosine of text vectors of the user, or of the means of its vectors; no model runs here",
    build,
)
.papers(&[crate::paper("salton-mcgill-1983-introduction")])
.options(Cosine::SPECS)
.example(r#"{"hypothesis": [[0.6, 0.8]], "references": [[[1.0, 0.0]]]}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let cosine = Cosine::from_options(options)?;
    check_producer(Cosine::OPTION.producer.spec.name, cosine.producer.as_ref())?;
    Ok(AnyMetric::for_vectors(cosine))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bleuprint_testkit::random::Rng;

    /// Checks that cosines computed directly from single vectors have the same bits and errors as the general
    /// computation. The general computation first averages the vectors of each text.
    #[test]
    fn single_vectors_have_the_cosine_of_their_means() {
        let numbers =
            [1.0, -0.25, 3.5e-7, 0.0, 1e30, -7.0, 1e-40, f32::MAX, 2.0 / 3.0, f32::NAN, f32::INFINITY];
        let mut random = Rng::new(7);
        let mut scratch = CosineScratch::default();
        let mut fast = 0;
        let mut refused = 0;
        let mut below = |limit: usize| random.below(limit);
        for _ in 0..20_000 {
            let width = [0, 1, 2, 7, 8, 9, 20][below(7)];
            let kinds = if below(4) == 0 { numbers.len() } else { 9 };
            let mut row = |width: usize| -> Vec<f32> { (0..width).map(|_| numbers[below(kinds)]).collect() };
            let one = row(width);
            let other = row(width);
            let of_means = pooled_cosines(&mut scratch, &[&one[..]], &[&[&other[..]]]);
            match (cosine_of_singles(&one, &other), of_means) {
                (Some(fast_one), Ok(slow)) => {
                    fast += 1;
                    assert_eq!(fast_one.to_bits(), slow[0].to_bits(), "{one:?} {other:?}");
                }
                (Some(fast), Err(error)) => panic!("{one:?} {other:?}: {fast}, but {error}"),
                (None, Err(_)) => refused += 1,
                (None, Ok(_)) => {}
            }
        }
        assert!(fast > 5_000 && refused > 500, "{fast} {refused}");
        assert_eq!(cosine_of_singles(&[1.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn rows_of_any_size_have_a_mean() {
        let cosine = |own: &[[f64; 2]], weights: &[f64], other: [f64; 2]| {
            let own: Vec<Vector<'_>> = own
                .iter()
                .zip(weights)
                .map(|(row, &weight)| Vector { weight, ..Vector::from(&row[..]) })
                .collect();
            pooled_cosines(&mut CosineScratch::default(), &own, &[&[Vector::from(&other[..])]]).unwrap()[0]
        };
        let giant = f64::MAX;
        for (own, weights, other) in [
            ([[1e160, 0.0], [0.0, 1e140]], [1.0, 1.0], [1.0, 0.0]),
            ([[1e-160, 0.0], [0.0, 1e-300]], [1.0, 1.0], [1.0, 0.0]),
            ([[1e300, 0.0], [-1e300, 1e-300]], [1.0, 1.0], [0.0, 1.0]),
            ([[giant, 0.0], [giant, giant]], [1.0, 1.0], [2.0, 1.0]),
            ([[3.0, 0.0], [0.0, 4.0]], [1e308, 1e308], [3.0, 4.0]),
            ([[3e-200, 0.0], [0.0, 4e-200]], [1e-200, 1e-200], [3.0, 4.0]),
        ] {
            assert!((cosine(&own, &weights, other) - 1.0).abs() < 1e-15, "{own:?}");
        }
        assert_eq!(mean_pool::<&[f64]>(&[&[1e160, 0.0]]).unwrap(), [1e160, 0.0]);
        assert_eq!(mean_pool::<&[f64]>(&[&[giant, 0.0], &[giant, 2.0]]).unwrap(), [giant, 1.0]);
    }
}
