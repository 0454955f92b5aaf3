//! The options of ROUGE, each declared once.

use bleuprint_core::{Choice, Opt};

/// What several references of a segment make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverReferences {
    /// Precision, recall and F of the reference with the best F, as rouge_score.
    Best,
    /// The means over the references of precision, of recall and of F.
    Average,
}

impl Choice for OverReferences {
    const NAMES: &'static [&'static str] = &["best", "average"];
    const ALL: &'static [Self] = &[OverReferences::Best, OverReferences::Average];
}

const KINDS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum"];

pub(super) const ORDER: Opt<&str> = Opt::word("rouge-order", KINDS, "1")
    .counted("kind", "kind")
    .in_name()
    .help("The order of n-grams, L for the longest common subsequence, Lsum for that of sentences (lines)");

pub(super) const STEMMER: Opt<bool> =
    Opt::flag("rouge-stemmer").help("Compare Porter stems of words of more than three letters");

pub(super) const REFERENCES: Opt<OverReferences> = Opt::choice("rouge-references")
    .counted("references", "references")
    .unless_default()
    .help("Whether the best of several references counts, or the average over them");
