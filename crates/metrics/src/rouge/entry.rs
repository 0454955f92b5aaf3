//! ROUGE in the registry: one metric, whose kinds have the names that rouge_score gives them.

use bleuprint_core::{AnyMetric, Case, ConfigError, MetricEntry, MetricOptions, Preset};

use super::options::{ORDER, REFERENCES, STEMMER};
use super::{Rouge, RougeLsum};

macro_rules! presets {
    ($($name:literal $kind:literal $summary:literal;)*) => {
        &[$(Preset { name: $name, options: &[("rouge-order", $kind)], summary: $summary }),*]
    };
}

/// The names of rouge_score.
const PRESETS: &[Preset] = presets! {
    "rouge1" "1" "Unigrams in common";
    "rouge2" "2" "Bigrams in common";
    "rouge3" "3" "n-grams of order 3 in common";
    "rouge4" "4" "n-grams of order 4 in common";
    "rouge5" "5" "n-grams of order 5 in common";
    "rouge6" "6" "n-grams of order 6 in common";
    "rouge7" "7" "n-grams of order 7 in common";
    "rouge8" "8" "n-grams of order 8 in common";
    "rouge9" "9" "n-grams of order 9 in common";
    "rougeL" "L" "The longest common subsequence";
    "rougeLsum" "Lsum" "Longest common subsequences of sentences";
};

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "rouge",
    "n-grams or subsequences in common with a reference: F, precision, recall",
    build,
)
.presets(PRESETS)
.paper("Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries")
.agrees_with("rouge_score 0.1.2")
.options(&[ORDER.spec, STEMMER.spec, REFERENCES.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let over = REFERENCES.of(options)?;
    let tokenizer = if STEMMER.of(options)? { "rouge-stem" } else { "rouge" };
    let rouge = match ORDER.of(options)? {
        "Lsum" => {
            let lsum =
                AnyMetric::over_tokens(RougeLsum::new(over)).with_tokenizer(format!("lines:{tokenizer}"));
            return Ok(lsum.with_case(Case::Mixed));
        }
        "L" => Rouge::l(),
        order => Rouge::n(order.parse().unwrap_or(1))?,
    };
    // The tokenizers lower the text themselves.
    Ok(AnyMetric::over_ids(rouge.with_references(over))?.with_tokenizer(tokenizer).with_case(Case::Mixed))
}
