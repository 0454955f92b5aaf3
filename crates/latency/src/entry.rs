//! The entries of the registry, with their options as data.

use bleuprint_core::{Choice, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Paper, PaperKind};

use crate::{Delays, Latency, Measure};

/// The form of the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Length {
    #[default]
    Short,
    Long,
}

impl Choice for Length {
    const NAMES: &'static [&'static str] = &["short", "long"];
    const ALL: &'static [Self] = &[Length::Short, Length::Long];
}

/// The pieces of a reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    #[default]
    Word,
    Char,
}

impl Choice for Unit {
    const NAMES: &'static [&'static str] = &["word", "char"];
    const ALL: &'static [Self] = &[Unit::Word, Unit::Char];
}

/// The times of a segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Times {
    #[default]
    Delays,
    Elapsed,
}

impl Choice for Times {
    const NAMES: &'static [&'static str] = &["delays", "elapsed"];
    const ALL: &'static [Self] = &[Times::Delays, Times::Elapsed];
}

pub(crate) const FORM: Opt<Length> = Opt::choice("form")
    .counted("form", "f")
    .help("Segments that end with their source, or pieces of a longer recording");

pub(crate) const UNIT: Opt<Unit> = Opt::choice("unit")
    .counted("unit", "u")
    .help("The pieces of a reference: words between single spaces, or characters");

pub(crate) const TIMES: Opt<Times> = Opt::choice("times")
    .counted("times", "times")
    .unless_default()
    .help("The delays in the source, or the times with computation");

const MA: Paper = Paper::new(
    "ma-etal-2019-stacl",
    "Ma, Mingbo and Huang, Liang and Xiong, Hao and Zheng, Renjie and Liu, Kaibo and Zheng, Baigong and Zhang, Chuanqiang and He, Zhongjun and Liu, Hairong and Li, Xing and Wu, Hua and Wang, Haifeng",
    "STACL: Simultaneous Translation with Implicit Anticipation and Controllable Latency using Prefix-to-Prefix Framework",
    2019,
)
.at("Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics")
.link("https://aclanthology.org/P19-1289/");

const PAPI: Paper = Paper::new(
    "papi-etal-2022-generation",
    "Papi, Sara and Gaido, Marco and Negri, Matteo and Turchi, Marco",
    "Over-Generation Cannot Be Rewarded: Length-Adaptive Average Lagging for Simultaneous Speech Translation",
    2022,
)
.at("Proceedings of the Third Workshop on Automatic Simultaneous Translation")
.link("https://aclanthology.org/2022.autosimtrans-1.2/");

const CHO: Paper = Paper::new(
    "cho-esipova-2016-simultaneous",
    "Cho, Kyunghyun and Esipova, Masha",
    "Can neural machine translation do simultaneous translation?",
    2016,
)
.at("arXiv:1606.02012")
.kind(PaperKind::Preprint)
.link("https://arxiv.org/abs/1606.02012");

const CHERRY: Paper = Paper::new(
    "cherry-foster-2019-thinking",
    "Cherry, Colin and Foster, George",
    "Thinking Slow about Latency Evaluation for Simultaneous Machine Translation",
    2019,
)
.at("arXiv:1906.00048")
.kind(PaperKind::Preprint)
.link("https://arxiv.org/abs/1906.00048");

const POLAK: Paper = Paper::new(
    "polak-etal-2025-better",
    "Polák, Peter and Papi, Sara and Bentivogli, Luisa and Bojar, Ondřej",
    "Better Late Than Never: Evaluation of Latency Metrics for Simultaneous Speech-to-Text Translation",
    2025,
)
.at("arXiv:2509.17349")
.kind(PaperKind::Preprint)
.link("https://arxiv.org/abs/2509.17349");

pub(crate) const AL: MetricEntry = described(
    MetricEntry::new("al", "Average lagging of simultaneous output behind its source", |options| {
        built(Measure::Al, options)
    })
    .papers(&[MA]),
);

pub(crate) const LAAL: MetricEntry = described(
    MetricEntry::new(
        "laal",
        "Average lagging without a reward for output longer than the reference",
        |options| built(Measure::Laal, options),
    )
    .papers(&[PAPI]),
);

pub(crate) const AP: MetricEntry = described(
    MetricEntry::new(
        "ap",
        "Average proportion of the source that is read before a piece of output",
        |options| built(Measure::Ap, options),
    )
    .papers(&[CHO]),
);

pub(crate) const DAL: MetricEntry = described(
    MetricEntry::new("dal", "Differentiable average lagging, in which no piece is for free", |options| {
        built(Measure::Dal, options)
    })
    .papers(&[CHERRY]),
);

pub(crate) const YAAL: MetricEntry = described(
    MetricEntry::new("yaal", "Average lagging of the pieces that are written before the end", |options| {
        built(Measure::Yaal, options)
    })
    .papers(&[POLAK]),
)
.agrees_with("OmniSTEval 0.1.10");

const fn described(entry: MetricEntry) -> MetricEntry {
    entry.agrees_with("OmniSTEval 0.1.10, SimulEval 1.1.4").options(&[FORM.spec, UNIT.spec, TIMES.spec])
}

fn built(measure: Measure, options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let latency = Latency::of(measure, FORM.of(options)?, UNIT.of(options)?, TIMES.of(options)?);
    Ok(AnyMetric::over_own::<Delays, _>(latency))
}
