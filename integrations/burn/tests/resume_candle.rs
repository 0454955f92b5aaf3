//! A training loop with candle and its safetensors, whose metrics are chosen by name and found again by the
//! keys of their states. A run that stops and resumes ends as a run without a stop.

mod common {
    pub(crate) mod digits;
}

use std::collections::HashMap;
use std::path::Path;

use bleuprint_core::{Accumulator, StateBytes};
use bleuprint_metrics::registry;
use bleuprint_registry::AnyMetric;
use bleuprint_testkit::Folder;
use candle_core::{D, DType, Device, Result, Tensor, Var, safetensors};
use common::digits::{CLASSES, DrawnNumber, LENGTH, METRICS, MetricCheckpoint, PIXELS, numbers, weights};

/// Number of segments of a step, and of steps of an epoch.
const BATCH: usize = 6;
const STEPS: usize = 12;
const EPOCHS: usize = 3;
const RATE: f64 = 0.2;

/// A run of the loop: what its checkpoint holds.
struct CandleTraining {
    weights: Var,
    bias: Var,
    metrics: Vec<Accumulator<AnyMetric, [u32]>>,
    step: usize,
}

impl CandleTraining {
    fn new() -> Result<Self> {
        let device = &Device::Cpu;
        Ok(CandleTraining {
            weights: Var::from_vec(weights(PIXELS * CLASSES), (PIXELS, CLASSES), device)?,
            bias: Var::zeros((1, CLASSES), DType::F32, device)?,
            metrics: METRICS.iter().map(|name| Accumulator::new(registry().build(name).unwrap())).collect(),
            step: 0,
        })
    }

    fn train(&mut self, batch: &[DrawnNumber]) -> Result<()> {
        let images = batch.len() * LENGTH;
        let pixels: Vec<f32> = batch.iter().flat_map(|number| number.pixels.clone()).collect();
        let digits: Vec<u32> = batch.iter().flat_map(|number| number.digits.clone()).collect();
        let targets = Tensor::from_vec(digits, (images, 1), &Device::Cpu)?;
        let images = Tensor::from_vec(pixels, (images, PIXELS), &Device::Cpu)?;
        let logits = images.matmul(&self.weights)?.broadcast_add(&self.bias)?;
        let outputs = logits.argmax(D::Minus1)?.reshape((batch.len(), LENGTH))?.to_vec2::<u32>()?;
        self.score(&outputs, batch);
        let shifted = logits.broadcast_sub(&logits.max_keepdim(1)?.detach())?;
        let log_likelihoods = shifted.broadcast_sub(&shifted.exp()?.sum_keepdim(1)?.log()?)?;
        let gradients = log_likelihoods.gather(&targets, 1)?.mean_all()?.neg()?.backward()?;
        for variable in [&self.weights, &self.bias] {
            let gradient = gradients.get(variable).unwrap();
            variable.set(&(variable.as_tensor() - (gradient * RATE)?)?)?;
        }
        self.step += 1;
        Ok(())
    }

    /// Scores the output of a step. An epoch starts without segments.
    fn score(&mut self, outputs: &[Vec<u32>], batch: &[DrawnNumber]) {
        for metric in &mut self.metrics {
            if self.step.is_multiple_of(STEPS) {
                metric.reset();
            }
            for (output, number) in outputs.iter().zip(batch) {
                metric.push(output, &[&number.digits]).unwrap();
            }
        }
    }

    /// Returns the bits and the signature of each score of the epoch so far.
    fn scores(&self) -> Vec<(u64, String)> {
        let scored = self.metrics.iter().map(|metric| metric.score().unwrap());
        scored.map(|scored| (scored.value().to_bits(), scored.signature.to_string())).collect()
    }

    /// Returns the bits of all parameters.
    fn bits(&self) -> Result<Vec<u32>> {
        let values = [self.weights.flatten_all()?.to_vec1()?, self.bias.flatten_all()?.to_vec1()?];
        Ok(values.concat().into_iter().map(f32::to_bits).collect())
    }

    fn save(&self, folder: &Path) -> Result<()> {
        let tensors = HashMap::from([
            ("weights", self.weights.as_tensor().clone()),
            ("bias", self.bias.as_tensor().clone()),
        ]);
        safetensors::save(&tensors, folder.join("model.safetensors"))?;
        let metrics = self.metrics.iter().map(|metric| StateBytes::new(metric.total()).unwrap()).collect();
        let metrics = MetricCheckpoint { step: self.step, metrics };
        let bytes = bincode::serde::encode_to_vec(&metrics, bincode::config::standard()).unwrap();
        Ok(std::fs::write(folder.join("metrics.bin"), bytes)?)
    }

    fn resume(folder: &Path) -> Result<Self> {
        let tensors = safetensors::load(folder.join("model.safetensors"), &Device::Cpu)?;
        let bytes = std::fs::read(folder.join("metrics.bin"))?;
        let (saved, read): (MetricCheckpoint, usize) =
            bincode::serde::decode_from_slice(&bytes, bincode::config::standard()).unwrap();
        assert_eq!(read, bytes.len());
        // The file names the metrics, so the loop does not.
        let metric = |bytes: &StateBytes| {
            let (metric, state) = registry().open(bytes).unwrap();
            let mut total = Accumulator::new(metric);
            total.merge(&state).unwrap();
            total
        };
        Ok(CandleTraining {
            weights: Var::from_tensor(&tensors["weights"])?,
            bias: Var::from_tensor(&tensors["bias"])?,
            metrics: saved.metrics.iter().map(metric).collect(),
            step: saved.step,
        })
    }
}

/// Scores with their signatures after each epoch, and the bits of the weights.
type Outcome = (Vec<Vec<(u64, String)>>, Vec<u32>);

/// Trains all epochs, with a stop and a resume after each step that is named.
fn trained(stops: &[usize]) -> Result<Outcome> {
    let data = numbers(BATCH * STEPS);
    let folder = Folder::new();
    let mut run = CandleTraining::new()?;
    let mut scores = Vec::new();
    for step in 0..STEPS * EPOCHS {
        let first = step % STEPS * BATCH;
        run.train(&data[first..first + BATCH])?;
        if stops.contains(&run.step) {
            run.save(&folder.path("."))?;
            run = CandleTraining::resume(&folder.path("."))?;
            assert_eq!(run.step, step + 1);
        }
        if run.step.is_multiple_of(STEPS) {
            scores.push(run.scores());
        }
    }
    Ok((scores, run.bits()?))
}

#[test]
fn a_run_that_stops_and_resumes_ends_as_a_run_without_a_stop() -> Result<()> {
    let whole = trained(&[])?;
    let value = |epoch: usize, metric: usize| f64::from_bits(whole.0[epoch][metric].0);
    // The model learns, so equal scores are not those of a model that stands still.
    assert!(value(2, 0) > value(0, 0) + 0.2, "{:?}", whole.0);
    assert!(value(2, 1) < value(0, 1) / 2.0, "{:?}", whole.0);
    assert_eq!(whole.1.len(), PIXELS * CLASSES + CLASSES);
    for stops in [&[1][..], &[STEPS], &[STEPS + 5], &[3, 4, STEPS + 1, 2 * STEPS + 11]] {
        assert!(trained(stops)? == whole, "stops after {stops:?}");
    }
    Ok(())
}
