//! Drawn numbers of five digits, made from a seed: data of the kind of MNIST without a download.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

use bleuprint_core::StateBytes;
use serde::{Deserialize, Serialize};

/// Number of pixels of an image of one digit.
pub const PIXELS: usize = 35;
/// Number of different digits.
pub const CLASSES: usize = 10;
/// Number of images in a segment.
pub const LENGTH: usize = 5;
/// Metrics that the loops choose by their names and options.
pub const METRICS: [&str; 4] = ["gleu", "wer", "mer", "bleu:max-order=2"];

/// A segment: the images of the digits of a number, and the digits.
pub struct DrawnNumber {
    pub pixels: Vec<f32>,
    pub digits: Vec<u32>,
}

/// Checkpoint of the metrics of a loop, which a binary format stores beside the model.
#[derive(Serialize, Deserialize)]
pub struct MetricCheckpoint {
    pub step: usize,
    pub metrics: Vec<StateBytes>,
}

/// Linear congruential generator, so that all machines draw the same numbers.
pub struct SeededDraws(u64);

impl SeededDraws {
    pub fn new(seed: u64) -> Self {
        SeededDraws(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 40
    }

    /// Returns a number from -1 to 1.
    pub fn float(&mut self) -> f32 {
        self.next() as f32 / (1 << 23) as f32 - 1.0
    }

    fn digit(&mut self) -> u32 {
        u32::try_from(self.next() % CLASSES as u64).unwrap()
    }
}

/// Returns this number of segments. Every digit has a shape, and every image has noise as large as the
/// shape.
pub fn numbers(count: usize) -> Vec<DrawnNumber> {
    let mut draws = SeededDraws::new(7);
    let shapes: Vec<Vec<f32>> = (0..CLASSES).map(|_| (0..PIXELS).map(|_| draws.float()).collect()).collect();
    let mut drawn = || {
        let digits: Vec<u32> = (0..LENGTH).map(|_| draws.digit()).collect();
        let shape = digits.iter().flat_map(|&digit| shapes[digit as usize].iter());
        let pixels = shape.map(|pixel| pixel + 1.2 * draws.float()).collect();
        DrawnNumber { pixels, digits }
    };
    (0..count).map(|_| drawn()).collect()
}

/// Returns the weights of a model before its training.
pub fn weights(count: usize) -> Vec<f32> {
    let mut draws = SeededDraws::new(11);
    (0..count).map(|_| 0.1 * draws.float()).collect()
}
