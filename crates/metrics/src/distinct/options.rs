//! Options of distinct-n, each declared once for the builder, the registry and the signature.

use bleuprint_registry::Opt;

use crate::shared::ngrams::MAX_ORDER;

/// Number by which distinct-n divides the number of distinct n-grams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DistinctDivisor {
    /// The number of distinct n-grams is divided by the number of all n-grams of the hypotheses.
    Ngrams,
    /// The number of distinct n-grams is divided by the number of all tokens of the hypotheses.
    Tokens,
}

bleuprint_core::choice!(DistinctDivisor: Ngrams "ngrams", Tokens "tokens");

pub(super) const ORDER: Opt<usize> = Opt::integer("distinct-order", 2)
    .limits(1, MAX_ORDER as u64)
    .counted("order", "n")
    .help("The order of the n-grams");

pub(super) const MEAN: Opt<bool> = Opt::flag("distinct-mean")
    .counted("mean", "mean")
    .words("segments", "")
    .help("Score the mean of the values of single segments, as rewards for diversity do, instead of the corpus value");

/// Option for the vocabulary size `V`. If it is set, the number of distinct n-grams is divided by the number
/// expected by chance, not by the number of all n-grams. The limit is `2^32`, because `(V - 1)/V` has too few
/// digits above it.
pub(super) const VOCABULARY: Opt<Option<u64>> =
    Opt::optional_integer("distinct-vocabulary", "none: not adjusted")
        .limits(1, 1 << 32)
        .finished("vocabulary", "vocabulary")
        .help("Adjust to what is expected with a vocabulary of this size (EAD)");

pub(super) const PER: Opt<DistinctDivisor> = Opt::choice("distinct-per")
    .finished("per", "per")
    .unless_default()
    .help("Divide the number of distinct n-grams by all n-grams or by all tokens");
