//! Registry entry of CodeBLEU, by which the command line and Python create the metric.

use bleuprint_core::{Choice as _, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper};
use bleuprint_text::{Family, FamilyPage};

use crate::builder::UNIFORM;
use crate::options::CodeBleuSettings;
use crate::{CodeBleu, Language};

/// Registry entry of CodeBLEU: its name, options and constructor.
pub const ENTRY: MetricEntry = MetricEntry::new(
    "codebleu",
    "Programs against references: n-grams, keywords, syntax and data flow",
    build,
)
.papers(&[Paper::from_key(include_str!("papers.bib"), "ren-etal-2020-codebleu")])
.agrees_with("codebleu 0.7.0, with tree-sitter 0.26 and the grammars of the signature")
.options(CodeBleuSettings::SPECS)
.needed_options(NEEDED)
.example(r#"{"hypothesis": "int x = 1;", "references": ["int y = 1;"]}"#);

static METRICS: &[MetricEntry] = &[ENTRY];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "codebleu", text: include_str!("../docs/codebleu.md") }];

/// Returns the family of metrics in this crate, which has only CodeBLEU, for a registry.
pub fn family() -> Family {
    Family::new("code", "Generated programs against references").metrics(METRICS).pages(PAGES)
}

const NEEDED: &[(&str, &str)] = &[("codebleu-lang", Language::NAMES[0])];

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let settings = CodeBleuSettings::from_options(options)?;
    let Some(language) = settings.language else {
        let message = format!(
            "codebleu needs the language of the programs, as in codebleu:lang={}; this build has {}",
            Language::NAMES[0],
            Language::NAMES.join(", ")
        );
        return Err(ConfigError::Conflict(message));
    };
    let weights = settings.weights.unwrap_or_else(|| UNIFORM.to_vec());
    let weights = weights.try_into().map_err(|given: Vec<f64>| {
        ConfigError::out_of_range(
            CodeBleuSettings::OPTION.weights.spec.name,
            format!("{} numbers", given.len()),
            "4 numbers",
        )
    })?;
    let codebleu =
        CodeBleu::builder(language).weights(weights).flow_zero(settings.flow_zero).columns(settings.columns);
    Ok(AnyMetric::for_text(codebleu.build()?))
}
