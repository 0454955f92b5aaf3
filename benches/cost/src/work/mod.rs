//! The workloads, with the answers that they must give.

mod corpora;
mod families;
mod statistics;

use crate::Result;

/// Work whose inputs are ready; it returns a number that depends on all of it.
pub(crate) type Prepared = Box<dyn FnMut() -> Result<f64>>;

/// Workload: a name, its preparation and its expected answer.
pub(crate) struct Workload {
    /// The name, which is a row of the baseline.
    pub(crate) name: &'static str,
    pub(crate) prepare: fn() -> Result<Prepared>,
    /// The answer, to the last bit.
    pub(crate) answer: f64,
}

const fn workload(name: &'static str, prepare: fn() -> Result<Prepared>, answer: f64) -> Workload {
    Workload { name, prepare, answer }
}

/// All workloads: from some 5 to 60 million instructions each.
pub(crate) const WORKLOADS: &[Workload] = &[
    workload("bleu-ids", corpora::bleu_of_ids, 45.41849367657867),
    workload("bleu-13a", || corpora::named("bleu", 600), 46.86121292705263),
    workload("tokenize-13a", corpora::tokens_13a, 45959.0),
    workload("chrf", || corpora::named("chrf", 200), 72.69669945499794),
    workload("ter", || corpora::named("ter", 60), 38.290879211175024),
    workload("wer", || corpora::named("wer", 800), 0.4061300347328012),
    workload("cer", || corpora::named("cer", 300), 0.3174134692782399),
    workload("rouge2", || corpora::named("rouge2", 400), 0.5610741353934517),
    workload("rougeL", || corpora::named("rougeL", 400), 0.7567338558715325),
    workload("meteor", || corpora::named("meteor", 150), 0.7868528776518904),
    workload("levenshtein", || corpora::named("levenshtein_similarity", 300), 0.6924312718763879),
    workload("difflib", || corpora::named("difflib_ratio", 60), 0.7986316168814074),
    workload("eed", || corpora::named("eed", 12), 0.22537385319492886),
    workload("labels", families::labels, 0.7639764697633339),
    workload("spans", families::spans, 0.6604912745016954),
    workload("pass", families::pass, 0.510315),
    workload("der", families::der, 0.8402738035123155),
    workload("cpwer", families::cpwer, 0.389301941346551),
    workload("jsonl-plain", || corpora::json_lines(false), 338545.0),
    workload("jsonl-escaped", || corpora::json_lines(true), 338545.0),
    workload("bootstrap", statistics::bootstrap, 0.11627906976744186),
    workload("compare", statistics::compare, 239.39896222039152),
    workload("merge-256", statistics::merge, 0.6762497747300151),
    workload("segment-typed", statistics::segment_typed, 43539.58749148675),
    workload("segment-erased", statistics::segment_erased, 43539.58749148675),
    workload("segment-accumulator", statistics::segment_accumulator, 43539.58749148675),
    workload("build-metrics", statistics::build_metrics, 78.0),
];
