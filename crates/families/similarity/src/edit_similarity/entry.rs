//! Registry entry of the metric edit similarity, and its options.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper, Preset, Spelling};

use super::EditSimilarity;

/// Formula of edit similarity; programs use the one word "similarity" for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EditKind {
    /// Levenshtein similarity: `1 - d / L`, where `d` is the number of insertions, deletions and
    /// substitutions, and `L` the greater length.
    Levenshtein,
    /// Indel similarity: `1 - d / L`, where `d` is the number of insertions and deletions, and `L` the sum of
    /// the lengths.
    Indel,
    /// Python difflib's ratio: twice the total length of the equal blocks that it finds, divided by the sum
    /// of the lengths.
    Difflib,
    /// Jaro similarity: counts equal items of both sequences at nearby positions, and how many are in a
    /// different order.
    Jaro,
    /// Jaro-Winkler similarity: Jaro similarity, raised if the sequences have a common prefix.
    JaroWinkler,
}

bleuprint_core::choice!(EditKind:
    Levenshtein "levenshtein", Indel "indel", Difflib "difflib", Jaro "jaro", JaroWinkler "jaro_winkler");

pub(crate) const LEVENSHTEIN_1966: Paper = crate::paper("levenshtein-1966-binary");

const LEVENSHTEIN_QUESTION: &str =
    "choose levenshtein_similarity, from 0 to 1, or the rate of edits of characters, cer, or of words, wer";

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "edit_similarity",
    "The share of two texts that edits leave unchanged, by one of five functions",
    build,
)
.aliases(&["edit_sim"])
.presets(&[
    preset(
        "levenshtein_similarity",
        "levenshtein",
        "1 less the Levenshtein distance over the greater length",
    ),
    preset("fuzz_ratio", "indel", "1 less the insertions and deletions over both lengths: fuzz.ratio / 100"),
    preset("difflib_ratio", "difflib", "The ratio of Python's difflib.SequenceMatcher, with autojunk"),
    preset("jaro", "jaro", "Items in common within a window, with transpositions"),
    preset("jaro_winkler", "jaro_winkler", "Jaro, raised by a common prefix of at most 4"),
])
.spellings(&[
    Spelling::ambiguous("levenshtein", LEVENSHTEIN_QUESTION),
    Spelling::ambiguous("edit_distance", LEVENSHTEIN_QUESTION),
    Spelling::ambiguous("edit-distance", LEVENSHTEIN_QUESTION),
])
.papers(&[LEVENSHTEIN_1966, crate::paper("jaro-1989-advances"), crate::paper("winkler-1990-string")])
.agrees_with("rapidfuzz 3.14.6, difflib of CPython 3.11.7")
.options(EditSimilarity::SPECS)
.advice(|options| {
    let difflib = matches!(EditSimilarity::OPTION.kind.value_in(options), Ok(EditKind::Difflib));
    let given = matches!(EditSimilarity::OPTION.without_autojunk.get(options), Ok(Some(_)));
    (given && !difflib).then_some("autojunk is a rule of kind=difflib only, so it has no effect here")
})
.example(r#"{"hypothesis": "the cat sat on the mat", "references": ["the cat sat on a mat"]}"#);

const fn preset(name: &'static str, kind: &'static str, summary: &'static str) -> Preset {
    // Presets borrow their options for the whole program, so each kind needs its own constant.
    let options: &'static [(&'static str, &'static str)] = match kind.as_bytes() {
        b"levenshtein" => &[("edit-similarity-kind", "levenshtein")],
        b"indel" => &[("edit-similarity-kind", "indel")],
        b"difflib" => &[("edit-similarity-kind", "difflib")],
        b"jaro" => &[("edit-similarity-kind", "jaro")],
        _ => &[("edit-similarity-kind", "jaro_winkler")],
    };
    Preset { name, options, summary }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let metric = EditSimilarity::from_options(options)?;
    Ok(AnyMetric::for_ids(metric)?.with_tokenizer("codepoint").with_case(Case::Mixed))
}
