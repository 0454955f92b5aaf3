//! Registry entry of ROUGE: one metric for all variants, which have the names that rouge_score gives them.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Preset, Spelling};

use super::options::RougeSettings;
use super::{Rouge, SentenceRouge};

macro_rules! presets {
    ($($name:literal $kind:literal $summary:literal $($option:literal $value:literal)*;)*) => {
        &[$(Preset {
            name: $name,
            options: &[("rouge-order", $kind), $(($option, $value)),*],
            summary: $summary,
        }),*]
    };
}

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
    "rougeS" "S" "Pairs of tokens in common, any others between them" "rouge-references" "sum";
    "rougeS4" "S" "Pairs of tokens in common, at most 4 others between them"
        "rouge-skip" "4" "rouge-references" "sum";
    "rougeSU" "SU" "Pairs of tokens and tokens in common, any others between them" "rouge-references" "sum";
    "rougeSU4" "SU" "Pairs of tokens, at most 4 others between them, and tokens in common"
        "rouge-skip" "4" "rouge-references" "sum";
    "rougeW" "W" "Common subsequences of sentences, in which runs of tokens count more"
        "rouge-references" "sum";
};

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "rouge",
    "n-grams or subsequences in common with a reference: F, precision, recall",
    build,
)
.presets(PRESETS)
.spellings(&[
    Spelling::new("rouge-1", "rouge1"),
    Spelling::new("rouge_1", "rouge1"),
    Spelling::new("rouge-2", "rouge2"),
    Spelling::new("rouge_2", "rouge2"),
    Spelling::new("rouge-l", "rougeL"),
    Spelling::new("rouge_l", "rougeL"),
    Spelling::new("rouge-lsum", "rougeLsum"),
    Spelling::new("rouge_lsum", "rougeLsum"),
])
.papers(&[crate::paper("lin-2004-rouge"), crate::paper("lin-och-2004-automatic")])
.agrees_with("rouge_score 0.1.2, ROUGE-1.5.5 (S, SU, W)")
.options(RougeSettings::SPECS)
.example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let RougeSettings { kind, skip, weight, stemmer, references, alpha } =
        RougeSettings::from_options(options)?;
    let tokenizer = match (["S", "SU", "W"].contains(&kind), stemmer) {
        (false, false) => "rouge",
        (false, true) => "rouge-stem",
        (true, false) => "rouge155",
        (true, true) => "rouge155-stem",
    };
    let option = RougeSettings::OPTION;
    for (name, kinds) in [(option.skip.spec.name, ["S", "SU"]), (option.weight.spec.name, ["W", "W"])] {
        if options.given(name).is_some() && !kinds.contains(&kind) {
            let message = format!("{name} has no effect on ROUGE-{kind}");
            return Err(ConfigError::Conflict(message));
        }
    }
    let of_sentences = |rouge: SentenceRouge| {
        let rouge = AnyMetric::for_tokens(rouge.with_references(references).with_alpha(alpha)?);
        Ok(rouge.with_tokenizer(format!("lines:{tokenizer}")).with_case(Case::Mixed))
    };
    let rouge = match kind {
        "Lsum" => return of_sentences(SentenceRouge::lsum()),
        "W" => return of_sentences(SentenceRouge::w(weight)?),
        "L" => Rouge::l(),
        "S" => Rouge::s(skip),
        "SU" => Rouge::su(skip),
        order => Rouge::n(order.parse().unwrap_or(1))?,
    };
    let rouge = rouge.with_references(references).with_alpha(alpha)?;
    // The tokenizers convert the text to lower case themselves.
    Ok(AnyMetric::for_ids(rouge)?.with_tokenizer(tokenizer).with_case(Case::Mixed))
}
