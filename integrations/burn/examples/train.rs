//! A training with burn that has BLEU as a validation metric: the value that burn logs for an epoch is the
//! corpus score.
//!
//! The model is a table of logits for each token, and learns to copy tokens. Run it by `cargo run --example
//! train`.
#![allow(clippy::print_stdout, reason = "an example speaks to the terminal")]

use bleuprint_burn::CorpusScore;
use bleuprint_core::Accumulator;
use bleuprint_metrics::Bleu;
use bleuprint_testkit::Folder;
use burn_core as burn;
use burn_core::data::dataloader::batcher::Batcher;
use burn_core::data::dataloader::{DataLoader, DataLoaderBuilder};
use burn_core::data::dataset::InMemDataset;
use burn_core::module::{Module, Param};
use burn_core::tensor::activation::log_softmax;
use burn_core::tensor::{Device, Distribution, Int, Tensor, TensorData};
use burn_optim::lr_scheduler::constant::ConstantLr;
use burn_optim::{ModuleOptimizer, SgdConfig};
use burn_std::ExecutionError;
use burn_train::metric::{Adaptor, BleuInput};
use burn_train::{InferenceStep, ItemLazy, Learner, SupervisedTraining, TrainOutput, TrainStep};
use std::sync::Arc;

const VOCABULARY: usize = 24;
const LENGTH: usize = 8;
const EPOCHS: usize = 3;

#[derive(Module, Debug)]
struct Copier {
    logits: Param<Tensor<2>>,
}

impl Copier {
    /// Returns the ids of the most likely tokens, and the mean negative log-likelihood of the right tokens.
    fn forward(&self, ids: Tensor<2, Int>) -> Output {
        let [segments, length] = ids.dims();
        let flat = ids.clone().reshape([segments * length]);
        let logits = self.logits.val().select(0, flat.clone());
        let outputs = logits.clone().argmax(1).reshape([segments, length]);
        let right = log_softmax(logits, 1).gather(1, flat.reshape([segments * length, 1]));
        Output { loss: right.mean().neg(), outputs, targets: ids }
    }
}

struct Output {
    loss: Tensor<1>,
    outputs: Tensor<2, Int>,
    targets: Tensor<2, Int>,
}

impl ItemLazy for Output {
    fn sync(self) -> Result<Self, ExecutionError> {
        Ok(self)
    }
}

/// Conversion of the output to the metric's input; this is all that a user writes for the metric.
impl Adaptor<BleuInput> for Output {
    fn adapt(&self) -> BleuInput {
        BleuInput::new(self.outputs.clone(), self.targets.clone())
    }
}

impl TrainStep for Copier {
    type Input = Tensor<2, Int>;
    type Output = Output;

    fn step(&self, ids: Tensor<2, Int>) -> TrainOutput<Output> {
        let output = self.forward(ids);
        TrainOutput::new(self, output.loss.backward(), output)
    }
}

impl InferenceStep for Copier {
    type Input = Tensor<2, Int>;
    type Output = Output;

    fn step(&self, ids: Tensor<2, Int>) -> Output {
        self.forward(ids)
    }
}

struct Rows;

impl Batcher<Vec<i32>, Tensor<2, Int>> for Rows {
    fn batch(&self, rows: Vec<Vec<i32>>, device: &Device) -> Tensor<2, Int> {
        let shape = [rows.len(), LENGTH];
        Tensor::from_data(TensorData::new(rows.concat(), shape), device)
    }
}

fn loader(rows: &[Vec<i32>], batch: usize) -> Arc<dyn DataLoader<Tensor<2, Int>>> {
    DataLoaderBuilder::new(Rows).batch_size(batch).build(InMemDataset::new(rows.to_vec()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = |at: usize, place: usize| ((at * 7 + place * place) % VOCABULARY) as i32;
    let rows: Vec<Vec<i32>> = (0..60).map(|at| (0..LENGTH).map(|place| id(at, place)).collect()).collect();
    let (train, valid) = rows.split_at(40);

    let device = Device::flex().autodiff();
    let logits = Tensor::random([VOCABULARY, VOCABULARY], Distribution::Default, &device);
    let optimizer: ModuleOptimizer = SgdConfig::new().init();
    let learner =
        Learner::new(Copier { logits: Param::from_tensor(logits) }, optimizer, ConstantLr::new(4.0));
    let folder = Folder::new();
    let result = SupervisedTraining::new(folder.path("."), loader(train, 8), loader(valid, 3))
        .metric_valid_numeric(CorpusScore::<_>::new("BLEU", Bleu::default()))
        .num_epochs(EPOCHS)
        .with_application_logger(None)
        .launch(learner);
    assert!(result.error.is_none() && result.interrupted.is_none());

    // burn validates the last epoch with the model that it returns.
    let mut corpus = Accumulator::<_, [u32]>::new(Bleu::default());
    for row in valid {
        let output = result.model.forward(Rows.batch(vec![row.clone()], &Device::flex()));
        let ids = output.outputs.try_to_vec_as::<i32>()?;
        let [hypothesis, reference] =
            [&ids, row].map(|ids| ids.iter().map(|&id| id as u32).collect::<Vec<_>>());
        corpus.push(&hypothesis, &[&reference])?;
    }
    let expected = corpus.score()?.score.score;
    for epoch in 1..=EPOCHS {
        let log = std::fs::read_to_string(folder.path(format!("valid/epoch-{epoch}/BLEU.log")))?;
        let last = log.lines().last().unwrap_or_default();
        println!("epoch {epoch}: {last}");
        assert!(epoch < EPOCHS || last == format!("{expected},final"), "{last} {expected}");
    }
    Ok(())
}
