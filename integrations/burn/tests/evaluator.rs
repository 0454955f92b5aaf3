//! Test with burn's own evaluator, its events, store and files: each test must end with the score of its
//! corpus.

mod common;

use bleuprint_burn::CorpusScore;
use bleuprint_metrics::Bleu;
use bleuprint_testkit::Folder;
use burn_core as burn;
use burn_core::data::dataloader::DataLoaderBuilder;
use burn_core::data::dataloader::batcher::Batcher;
use burn_core::data::dataset::InMemDataset;
use burn_core::module::{Module, Param};
use burn_core::tensor::{Device, Int, Tensor};
use burn_std::ExecutionError;
use burn_train::metric::{Adaptor, BleuInput};
use burn_train::{EvaluatorBuilder, InferenceStep, ItemLazy};
use common::{Pair, batch, library, pairs};

#[derive(Module, Debug)]
struct Echo {
    unused: Param<Tensor<1>>,
}

struct Output(Tensor<2, Int>, Tensor<2, Int>);

impl ItemLazy for Output {
    fn sync(self) -> Result<Self, ExecutionError> {
        Ok(self)
    }
}

impl Adaptor<BleuInput> for Output {
    fn adapt(&self) -> BleuInput {
        BleuInput::new(self.0.clone(), self.1.clone())
    }
}

impl InferenceStep for Echo {
    type Input = (Tensor<2, Int>, Tensor<2, Int>);
    type Output = Output;

    fn step(&self, (outputs, targets): Self::Input) -> Output {
        Output(outputs, targets)
    }
}

struct Padded;

impl Batcher<Pair, (Tensor<2, Int>, Tensor<2, Int>)> for Padded {
    fn batch(&self, items: Vec<Pair>, _: &Device) -> (Tensor<2, Int>, Tensor<2, Int>) {
        batch(&items)
    }
}

#[test]
fn each_test_of_the_evaluator_ends_with_the_score_of_its_corpus() {
    let pairs = pairs(50);
    let folder = Folder::new();
    let loader = |pairs: &[Pair]| {
        DataLoaderBuilder::new(Padded).batch_size(7).build(InMemDataset::new(pairs.to_vec()))
    };
    let metric: CorpusScore<_> = CorpusScore::new("BLEU", Bleu::default()).with_pad_token(0).for_evaluator();
    let result = EvaluatorBuilder::new(folder.path("."))
        .metric_numeric(metric)
        .with_application_logger(None)
        .build(Echo { unused: Param::from_tensor(Tensor::zeros([1], &Device::default())) })
        .eval_all([("part", loader(&pairs[..20])), ("whole", loader(&pairs))]);
    assert!(result.error.is_none() && result.interrupted.is_none());
    drop(result);
    for (name, pairs) in [("part", &pairs[..20]), ("whole", &pairs[..])] {
        let log = folder.path(format!("test/{name}/BLEU.log"));
        let text = std::fs::read_to_string(&log).unwrap_or_else(|error| panic!("{log:?}: {error}"));
        assert_eq!(text.lines().count(), pairs.len().div_ceil(7));
        assert_eq!(text.lines().last().unwrap(), format!("{},final", library(Bleu::default(), pairs)));
    }
}
