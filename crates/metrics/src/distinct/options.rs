//! Options of distinct-n, each declared once for the builder, the registry and the signature.

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
