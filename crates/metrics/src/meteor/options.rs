//! The options of METEOR, each declared once.

use bleuprint_registry::Opt;

pub(super) const WORDNET: Opt<Option<String>> = Opt::path("meteor-wordnet", "")
    .counted("synonyms", "syn")
    .help("The folder of a WordNet 3 database, for synonyms; without it only words and stems match");

pub(super) const ALPHA: Opt<f64> = Opt::number("meteor-alpha", 0.9)
    .limits(0, 1)
    .counted("alpha", "alpha")
    .unless_default()
    .help("The weight of precision against recall: 0 is precision alone, 1 recall alone");

pub(super) const BETA: Opt<f64> = Opt::number("meteor-beta", 3.0)
    .limits(0, u64::MAX)
    .counted("beta", "beta")
    .unless_default()
    .help("The exponent of the penalty for scattered matches");

pub(super) const GAMMA: Opt<f64> = Opt::number("meteor-gamma", 0.5)
    .limits(0, 1)
    .counted("gamma", "gamma")
    .unless_default()
    .help("The greatest penalty");
