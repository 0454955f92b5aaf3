//! A training loop with burn's optimizer and burn's records, whose metrics are chosen by name. A run that
//! stops at any step and resumes from its files ends with the scores and weights of a run without a stop.

mod common {
    pub(crate) mod digits;
}

use std::path::Path;

use bleuprint_burn::CorpusScore;
use bleuprint_core::StateBytes;
use bleuprint_metrics::registry;
use bleuprint_registry::AnyMetric;
use bleuprint_testkit::Folder;
use burn_core as burn;
use burn_core::data::dataloader::Progress;
use burn_core::module::{Module, Param};
use burn_core::tensor::activation::log_softmax;
use burn_core::tensor::{Device, Int, Tensor, TensorData};
use burn_optim::momentum::MomentumConfig;
use burn_optim::{GradientsParams, ModuleOptimizer, SgdConfig};
use burn_train::metric::{BleuInput, Metric, MetricMetadata, Numeric};
use common::digits::{CLASSES, DrawnNumber, LENGTH, METRICS, MetricCheckpoint, PIXELS, numbers, weights};

/// Number of segments of a step, and of steps of an epoch.
const BATCH: usize = 6;
const STEPS: usize = 12;
const EPOCHS: usize = 3;

#[derive(Module, Debug)]
struct Classifier {
    weights: Param<Tensor<2>>,
    bias: Param<Tensor<2>>,
}

impl Classifier {
    fn new() -> Self {
        let device = Device::flex().autodiff();
        let parameter = |values: Vec<f32>, rows: usize| {
            Param::from_tensor(Tensor::from_data(TensorData::new(values, [rows, CLASSES]), &device))
        };
        Classifier {
            weights: parameter(weights(PIXELS * CLASSES), PIXELS),
            bias: parameter(vec![0.0; CLASSES], 1),
        }
    }

    /// Returns the bits of all parameters.
    fn bits(&self) -> Vec<u32> {
        let values = [&self.weights, &self.bias].map(|parameter| parameter.val().try_to_vec_as().unwrap());
        values.concat().into_iter().map(f32::to_bits).collect()
    }
}

/// A run of the loop: what its checkpoint holds.
struct BurnTraining {
    model: Classifier,
    optimizer: ModuleOptimizer,
    metrics: Vec<CorpusScore<AnyMetric>>,
    step: usize,
}

impl BurnTraining {
    fn new() -> Self {
        let metric = |name: &&str| CorpusScore::new(name, registry().build(name).unwrap());
        BurnTraining {
            model: Classifier::new(),
            optimizer: SgdConfig::new().with_momentum(Some(MomentumConfig::new())).init(),
            metrics: METRICS.iter().map(metric).collect(),
            step: 0,
        }
    }

    fn train(&mut self, batch: &[DrawnNumber]) {
        let device = self.model.weights.val().device();
        let pixels: Vec<f32> = batch.iter().flat_map(|number| number.pixels.clone()).collect();
        let digits: Vec<i32> = batch.iter().flat_map(|number| &number.digits).map(|&id| id as i32).collect();
        let images: Tensor<2> =
            Tensor::from_data(TensorData::new(pixels, [batch.len() * LENGTH, PIXELS]), &device);
        let targets: Tensor<2, Int> =
            Tensor::from_data(TensorData::new(digits, [batch.len() * LENGTH, 1]), &device);
        let logits = images.matmul(self.model.weights.val()) + self.model.bias.val();
        let outputs = logits.clone().argmax(1).reshape([batch.len(), LENGTH]);
        let loss = log_softmax(logits, 1).gather(1, targets.clone()).mean().neg();
        self.score(&BleuInput::new(outputs, targets.reshape([batch.len(), LENGTH])));
        let gradients = GradientsParams::from_grads(loss.backward(), &self.model);
        self.model = self.optimizer.step(0.2, self.model.clone(), gradients);
        self.step += 1;
    }

    /// Scores the output of a step. An epoch starts without segments.
    fn score(&mut self, input: &BleuInput) {
        let iteration = self.step % STEPS;
        let progress =
            Progress { items_processed: iteration * BATCH, items_total: STEPS * BATCH, unit: None };
        let metadata = MetricMetadata { progress, iteration: Some(iteration + 1), lr: None };
        for metric in &mut self.metrics {
            if iteration == 0 {
                metric.clear();
            }
            metric.update(input, &metadata).unwrap();
        }
    }

    /// Returns the bits of the scores of the epoch so far.
    fn scores(&self) -> Vec<u64> {
        self.metrics.iter().map(|metric| metric.final_value().current().to_bits()).collect()
    }

    fn save(self, folder: &Path) {
        let metrics = self.metrics.iter().map(|metric| StateBytes::new(metric.total()).unwrap()).collect();
        let metrics = MetricCheckpoint { step: self.step, metrics };
        std::fs::write(folder.join("metrics.bin"), postcard::to_allocvec(&metrics).unwrap()).unwrap();
        self.optimizer.save(folder.join("optimizer.bpk")).unwrap();
        self.model.save_file(folder.join("model.bpk")).unwrap();
    }

    fn resume(folder: &Path) -> Self {
        let mut run = BurnTraining::new();
        run.model = run.model.load_file(folder.join("model.bpk"));
        run.optimizer = run.optimizer.load(folder.join("optimizer.bpk")).unwrap();
        let file = std::fs::read(folder.join("metrics.bin")).unwrap();
        let saved: MetricCheckpoint = postcard::from_bytes(&file).unwrap();
        run.step = saved.step;
        for (metric, bytes) in run.metrics.iter_mut().zip(&saved.metrics) {
            let state = bytes.open(metric.metric()).unwrap();
            metric.merge(&state).unwrap();
        }
        run
    }
}

/// Trains all epochs, with a stop and a resume after each step that is named. Returns the bits of the scores
/// of each epoch and of the weights.
fn trained(stops: &[usize]) -> (Vec<Vec<u64>>, Vec<u32>) {
    let data = numbers(BATCH * STEPS);
    let folder = Folder::new();
    let mut run = BurnTraining::new();
    let mut scores = Vec::new();
    for step in 0..STEPS * EPOCHS {
        let first = step % STEPS * BATCH;
        run.train(&data[first..first + BATCH]);
        if stops.contains(&run.step) {
            run.save(&folder.path("."));
            run = BurnTraining::resume(&folder.path("."));
            assert_eq!(run.step, step + 1);
        }
        if run.step % STEPS == 0 {
            scores.push(run.scores());
        }
    }
    (scores, run.model.bits())
}

#[test]
fn a_run_that_stops_and_resumes_ends_as_a_run_without_a_stop() {
    let whole = trained(&[]);
    let values: Vec<Vec<f64>> =
        whole.0.iter().map(|epoch| epoch.iter().copied().map(f64::from_bits).collect()).collect();
    // The model learns, so equal scores are not those of a model that stands still.
    assert!(values[2][0] > values[0][0] + 0.2, "{values:?}");
    assert!(values[2][1] < values[0][1] / 2.0, "{values:?}");
    assert_eq!(whole.1.len(), PIXELS * CLASSES + CLASSES);
    for stops in [&[1][..], &[STEPS], &[STEPS + 5], &[3, 4, STEPS + 1, 2 * STEPS + 11]] {
        assert!(trained(stops) == whole, "stops after {stops:?}");
    }
}

#[test]
fn a_state_of_another_metric_is_refused_by_name() {
    let mut run = BurnTraining::new();
    run.train(&numbers(BATCH));
    let wer = StateBytes::new(run.metrics[1].total()).unwrap();
    let error = wer.open(run.metrics[0].metric()).unwrap_err().to_string();
    assert!(error.contains("the state is of `wer`, but `gleu` is asked for"), "{error}");
    let total = run.metrics[1].total().clone();
    let error = run.metrics[0].merge(&total).unwrap_err().to_string();
    assert!(error.contains("wer") && error.contains("gleu"), "{error}");
}
