//! Random segments of ids, as tensors and with the score of the library.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

use bleuprint_core::{Accumulator, Observe, Score};
use burn_core::tensor::{Device, Int, Tensor, TensorData};

pub const PAD: i32 = 0;

/// Hypothesis with its reference.
pub type Pair = (Vec<i32>, Vec<i32>);

/// Returns this number of pairs, of 3 to 27 ids; some pairs have no n-gram in common.
pub fn pairs(number: usize) -> Vec<Pair> {
    let mut state = 3u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut id = move |below: u64| i32::try_from(next(below)).unwrap();
    let mut pair = || {
        let reference: Vec<i32> = (0..3 + id(25)).map(|_| 1 + id(30)).collect();
        let (kept, often) = (reference.len() - usize::try_from(id(3)).unwrap(), 1 + id(4));
        let changed = |&token: &i32| if id(often as u64 + 1) == 0 { 1 + id(30) } else { token };
        (reference[..kept].iter().map(changed).collect(), reference)
    };
    (0..number).map(|_| pair()).collect()
}

/// Returns the rows as a tensor, padded on the right to this width.
pub fn tensor(rows: &[Vec<i32>], width: usize) -> Tensor<2, Int> {
    let padded = |row: &Vec<i32>| {
        let mut row = row.clone();
        row.resize(width, PAD);
        row
    };
    let flat: Vec<i32> = rows.iter().flat_map(padded).collect();
    Tensor::from_data(TensorData::new(flat, [rows.len(), width]), &Device::default())
}

/// Returns a batch of equally wide tensors, which burn's own metrics require.
pub fn batch(pairs: &[Pair]) -> (Tensor<2, Int>, Tensor<2, Int>) {
    let width = pairs.iter().map(|(h, r)| h.len().max(r.len())).max().unwrap_or(0) + 1;
    let (hypotheses, references): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
    (tensor(&hypotheses, width), tensor(&references, width))
}

/// Returns the corpus score of the library alone.
pub fn library<M: Observe<[u32], Score: Score>>(metric: M, pairs: &[Pair]) -> f64 {
    let ids = |row: &[i32]| -> Vec<u32> { row.iter().map(|&id| u32::try_from(id).unwrap()).collect() };
    let mut corpus = Accumulator::<_, [u32]>::new(metric);
    for (hypothesis, reference) in pairs {
        corpus.push(&ids(hypothesis), &[&ids(reference)]).unwrap();
    }
    corpus.score().unwrap().score.value()
}
