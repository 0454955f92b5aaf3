//! A metric over vectors: the mean cosine of embeddings, with a model loaded once and run in batches.
//!
//! Vectors are not tokens: they are neither compared for equality nor relabelled. The typed door takes them like any
//! other sequence, and the mean of floats still merges to the last bit.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::{
    Accumulator, Identity, InputError, Location, Metric, Observe, Result, Scale, Segment, SegmentCounts,
    contract::{ExactSum, Linear, laws},
};

/// The configuration: the model that encodes the vectors. A real one would name a file of weights.
#[derive(Debug, Clone, Copy, PartialEq)]
struct MeanCosine {
    dimensions: usize,
    model: u32,
}

/// The loaded model, and its last output.
#[derive(Default)]
struct Model {
    of: Option<MeanCosine>,
    weights: Vec<f32>,
    encoded: Vec<f32>,
    runs: usize,
}

impl Model {
    /// Loads the model of this configuration, unless loaded. The scratch may have served another configuration.
    fn load(&mut self, metric: &MeanCosine) {
        if self.of.as_ref() != Some(metric) {
            let weight = |i: usize| (i as u32).wrapping_mul(metric.model) % 17;
            let weights = (0..metric.dimensions * metric.dimensions).map(|i| weight(i) as f32 / 17.0 - 0.4);
            *self = Model { of: Some(*metric), weights: weights.collect(), ..Model::default() };
        }
    }

    /// Encodes all vectors in one run; this model is a matrix.
    fn run(&mut self, vectors: &[&[f32]], dimensions: usize) {
        self.runs += 1;
        self.encoded.clear();
        for vector in vectors {
            let rows = self.weights.chunks(dimensions);
            self.encoded.extend(rows.map(|row| row.iter().zip(*vector).map(|(w, x)| w * x).sum::<f32>()));
        }
    }
}

impl Metric for MeanCosine {
    /// A sum of floats, independent of their order, that subtracts.
    type Stats = ExactSum;
    type Score = f64;
    type Scratch = Model;

    fn identity(&self) -> Identity {
        Identity::new("mean_cosine", 1, Scale { min: -1.0, ..Scale::UNIT })
            .counted("dimensions", "d", self.dimensions)
            .counted("model", "m", self.model)
    }
    fn finalize(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<f64> {
        Ok(sum.mean(counts.segments.max(1)))
    }
    fn check(&self, sum: &ExactSum, counts: &SegmentCounts) -> Result<()> {
        self.scale().check_mean(sum, counts.segments)
    }
}

impl Observe<[f32]> for MeanCosine {
    fn observe(&self, model: &mut Model, sum: &mut ExactSum, segment: Segment<'_, [f32]>) -> Result<()> {
        let mut one = [self.zero()];
        self.observe_each(model, &mut one, &[segment])?;
        Linear::add(sum, &one[0])
    }

    /// One run of the model for the vectors of all segments.
    fn observe_each(
        &self,
        model: &mut Model,
        sums: &mut [ExactSum],
        segments: &[Segment<'_, [f32]>],
    ) -> Result<()> {
        let mut vectors = Vec::new();
        for (number, segment) in (1..).zip(segments) {
            let references = segment.references().map_err(|error| error.at(Location::segment(number)))?;
            let of_segment = || std::iter::once(segment.hypothesis).chain(references.iter().copied());
            if let Some(other) = of_segment().find(|vector| vector.len() != self.dimensions) {
                let message = format!("a vector of {}, where {} is expected", other.len(), self.dimensions);
                return Err(InputError::malformed(message).at(Location::segment(number)));
            }
            vectors.extend(of_segment());
        }
        model.load(self);
        model.run(&vectors, self.dimensions);
        let mut encoded = model.encoded.chunks(self.dimensions);
        for (number, (sum, segment)) in (1..).zip(sums.iter_mut().zip(segments)) {
            let hypothesis = encoded.next().unwrap_or_default();
            let references = encoded.by_ref().take(segment.references.len());
            // The nearest reference counts, so the order of references does not matter.
            let best = references.map(|reference| cosine(hypothesis, reference)).fold(-1.0, f64::max);
            let added = sum.add(ExactSum::nearest(best));
            added.map_err(|error| InputError::from(error).at(Location::segment(number)))?;
        }
        Ok(())
    }
}

/// The cosine of two vectors; 0 if one of them is 0.
fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    let norms = (dot(a, a) * dot(b, b)).sqrt();
    if norms > 0.0 { dot(a, b) / norms } else { 0.0 }
}

pub(crate) fn main() {
    let metric = MeanCosine { dimensions: 3, model: 7 };
    let (north, east, up): (&[f32], &[f32], &[f32]) = (&[0.0, 1.0, 0.0], &[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0]);
    let references: [&[&[f32]]; 3] = [&[east, north], &[up], &[north, east]];
    let of = |index: usize, hypothesis| Segment::new(hypothesis, references[index]);
    let segments = [of(0, north), of(1, east), of(2, up)];

    // The segments of a batch are encoded in one run of the model.
    let (mut model, mut sums) = (Model::default(), [metric.zero(); 3]);
    metric.observe_each(&mut model, &mut sums, &segments).unwrap();
    assert_eq!((model.runs, sums[0].to_f64()), (1, 1.0));

    let mut whole = Accumulator::<_, [f32]>::new(metric);
    let states = whole.push_each(&segments).unwrap();
    let score = whole.score().unwrap();
    println!("{score:.4}");
    assert_eq!(score.signature.get("dimensions"), Some("3"));

    // Merged in another order, it has the same bits.
    let mut merged = Accumulator::<_, [f32]>::new(metric);
    states.iter().rev().for_each(|state| merged.merge(state).unwrap());
    assert_eq!(merged.score().unwrap(), score);

    // A vector of another length is an error with that length, and the whole batch is left out.
    let error = whole.push_each(&[segments[0], Segment::new(&[1.0], &[north])]).unwrap_err();
    assert_eq!(error.to_string(), "segment 5: a vector of 1, where 3 is expected");
    assert_eq!(whole.score().unwrap(), score);

    // The proof: vectors of small numbers, made from the tokens of the laws.
    let vector =
        |tokens: &[u8]| tokens.iter().map(|&token| f32::from(token)).chain([1.0; 3]).take(3).collect();
    laws::check_sequences::<[f32]>(&metric, vector);
}
