//! A validation loop with candle: from logits to ids to the BLEU of the corpus, over batches and over two
//! workers.
//!
//! No type of candle is wrapped: `ids` converts tensors, and the rest is the library's `Accumulator`. Each
//! worker has its own accumulator. At the end the states merge, and the score is that of all segments at
//! once, whatever the batches.
#![allow(clippy::print_stdout, reason = "an example shows its scores")]

use bleuprint_core::Accumulator;
use bleuprint_metrics::Bleu;
use candle_core::{D, DType, Device, Error, Result, Tensor};

const VOCABULARY: u32 = 40;
const PAD: u32 = 0;

/// Model whose logits are tables made of the references, with some mistakes.
struct Model {
    device: Device,
}

impl Model {
    /// Returns logits of shape segments × positions × vocabulary.
    fn forward(&self, references: &Tensor) -> Result<Tensor> {
        let [segments, width] = references.dims2()?.into();
        let ids = references.to_vec2::<u32>()?.concat();
        let guess = |&id: &u32| match id {
            id if id % 7 == 3 => 1 + (id + 5) % (VOCABULARY - 1),
            id => id,
        };
        let guesses: Vec<u32> = ids.iter().map(guess).collect();
        let guesses = Tensor::from_vec(guesses, (segments, width, 1), &self.device)?;
        let each = Tensor::arange(0, VOCABULARY, &self.device)?.reshape((1, 1, VOCABULARY as usize))?;
        guesses.broadcast_eq(&each)?.to_dtype(DType::F32)
    }
}

fn ids(tensor: &Tensor) -> Result<Vec<Vec<u32>>> {
    let mut rows = tensor.to_dtype(DType::U32)?.to_vec2::<u32>()?;
    for row in &mut rows {
        row.truncate(row.iter().position(|&id| id == PAD).unwrap_or(row.len()));
    }
    Ok(rows)
}

fn validate(model: &Model, segments: &[Vec<u32>], batch_size: usize) -> Result<Accumulator<Bleu, [u32]>> {
    let mut corpus = Accumulator::new(Bleu::default());
    for batch in segments.chunks(batch_size) {
        let references = padded(batch, &model.device)?;
        let hypotheses = model.forward(&references)?.argmax(D::Minus1)?;
        for (hypothesis, reference) in ids(&hypotheses)?.iter().zip(ids(&references)?) {
            corpus.push(hypothesis, &[&reference]).map_err(Error::wrap)?;
        }
    }
    Ok(corpus)
}

fn padded(rows: &[Vec<u32>], device: &Device) -> Result<Tensor> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let row = |row: &Vec<u32>| [row.as_slice(), &vec![PAD; width - row.len()]].concat();
    Tensor::from_vec(rows.iter().flat_map(row).collect(), (rows.len(), width), device)
}

fn main() -> Result<()> {
    let model = Model { device: Device::Cpu };
    let segment = |at: u32| (0..5 + at % 17).map(|id| 1 + (at * 7 + id * id) % (VOCABULARY - 1)).collect();
    let segments: Vec<Vec<u32>> = (0..50).map(segment).collect();

    // Two workers have different parts and batch sizes. The second sends its state to the first.
    let mut corpus = validate(&model, &segments[..31], 8)?;
    let other = validate(&model, &segments[31..], 5)?;
    corpus.merge(&other).map_err(Error::wrap)?;
    let scored = corpus.score().map_err(Error::wrap)?;
    println!("BLEU {:.2} of {} segments", scored.score.score, corpus.total().counts().segments);
    println!("{}", scored.signature);

    // One batch of all segments gives the same score bit for bit.
    let whole = validate(&model, &segments, segments.len())?.score().map_err(Error::wrap)?;
    assert_eq!(scored.score.score.to_bits(), whole.score.score.to_bits());
    assert_eq!(format!("{:.2}", scored.score.score), "65.26");
    Ok(())
}
