//! Options of ROUGE, each declared once for the builder, the registry and the signature.

use bleuprint_registry::{Opt, settings};

/// Rule by which ROUGE combines the several references of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReferencesRule {
    /// Takes ROUGE's precision, recall and F of the reference with the best F, as in Google's rouge_score.
    Best,
    /// Takes the means over the references of ROUGE's precision, recall and F.
    Average,
    /// Sums the numbers of matches and of n-grams (or other units of ROUGE) over the references, then divides
    /// the sums, as in ROUGE-1.5.5 (`-f A`).
    Sum,
    /// Takes ROUGE's best precision and best recall, which may be of different references, as in
    /// pycocoevalcap's ROUGE-L.
    Each,
    /// Takes ROUGE's precision, recall and F of the reference with the best recall, as in ROUGE-1.5.5 with
    /// `-f B`. Ties go to the better F; ROUGE-1.5.5 takes the first reference.
    BestRecall,
}

bleuprint_core::choice!(ReferencesRule:
    Best "best", Average "average", Sum "sum", Each "each", BestRecall "best-recall");

const KINDS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum", "S", "SU", "W"];

settings! {
    pub(super) struct RougeSettings {
        /// The order of n-grams; L for the longest common subsequence, Lsum for that of sentences (lines), W for one in which
        /// runs count more; S for pairs of tokens with others between them, SU for these and tokens
        pub(super) kind: &'static str = {
            let mut option = Opt::word("rouge-order", KINDS, "1").counted("kind", "kind");
            option.spec.field.in_name = true;
            option
        };
        /// For S and SU: the greatest number of tokens between the two of a pair
        pub(super) skip: Option<u64> = Opt::optional_integer("rouge-skip", "unlimited").counted("skip", "skip");
        /// For W: the exponent of the length of a run
        pub(super) weight: f64 = Opt::number("rouge-weight", 1.2).limits(1, u64::MAX).counted("weight", "weight");
        /// Compare Porter stems of words of more than three letters
        pub(super) stemmer: bool = Opt::flag("rouge-stemmer");
        /// Of several references: the best by F, the average over them, sums over them before dividing, the best precision and
        /// the best recall each, or the best by recall
        pub(super) references: ReferencesRule =
            Opt::choice("rouge-references").counted("references", "references").unless_default();
        /// The weight of precision in F: 1 makes F the precision, 0 the recall
        pub(super) alpha: f64 =
            Opt::number("rouge-alpha", 0.5).limits(0, 1).counted("alpha", "alpha").unless_default();
    }
}
