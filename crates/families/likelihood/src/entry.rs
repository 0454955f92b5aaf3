//! The registry entries of the metrics that are computed from log-likelihoods, with their options.

use bleuprint_registry::{AnyMetric, MetricEntry, Paper, Preset, Spelling};

use crate::{Likelihood, Likelihoods};

const PAPERS: &[Paper] = &[Paper::from_key(include_str!("papers.bib"), "jelinek-etal-1977-perplexity")];

const PRESETS: &[Preset] = &[
    Preset { name: "nll", options: &[("of", "nll")], summary: "The negative log-likelihood of a unit" },
    Preset { name: "perplexity", options: &[("of", "perplexity")], summary: "The perplexity of a unit" },
    Preset {
        name: "bits",
        options: &[("of", "bits")],
        summary: "The bits of a unit; per=byte gives bits per byte",
    },
];

/// The registry entry of the metric `likelihood`. Its presets are `nll` (negative log-likelihood),
/// `perplexity` and `bits`.
pub(crate) const LIKELIHOOD: MetricEntry = MetricEntry::new(
    "likelihood",
    "Given log-likelihoods: nll, perplexity or bits per token, byte, character, word",
    |options| Ok(AnyMetric::for_own::<Likelihood, _>(Likelihoods::from_options(options)?)),
)
.presets(PRESETS)
.spellings(&[Spelling::new("ppl", "perplexity")])
.papers(PAPERS)
.agrees_with("lm_eval 0.4.13")
.options(Likelihoods::SPECS)
.example(r#"{"hypothesis": {"loglik": [-1.5, -0.5], "text": "a b"}}"#);

/// The registry entry of the metric `mean_perplexity`: the mean of the perplexities of single texts.
pub(crate) const MEAN_PERPLEXITY: MetricEntry = MetricEntry::new(
    "mean_perplexity",
    "The mean of the perplexities of single texts, which is no perplexity of the corpus",
    |options| {
        Ok(AnyMetric::for_own::<Likelihood, _>(Likelihoods::from_options(options)?.mean_of_perplexities()))
    },
)
.papers(PAPERS)
.agrees_with("the definition of evaluate's perplexity")
.options(&[
    Likelihoods::OPTION.per.spec,
    Likelihoods::OPTION.words.spec,
    Likelihoods::OPTION.base.spec,
    Likelihoods::OPTION.positive.spec,
    Likelihoods::OPTION.producer.spec,
])
.example(r#"{"hypothesis": {"loglik": [-1.5, -0.5], "text": "a b"}}"#);
