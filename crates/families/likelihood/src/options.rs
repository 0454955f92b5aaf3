//! The options of the metrics that are computed from log-likelihoods.

bleuprint_core::choice! {
    /// The score that is computed from the sum of log-likelihoods and the number of units, such as tokens or
    /// words.
    pub enum LikelihoodScore {
        /// Negative log-likelihood per token or other unit, in the base of the given logarithms.
        Nll = "nll",
        /// Perplexity: the base of the logarithms to the power of the negative log-likelihood per token or
        /// other unit.
        Perplexity = "perplexity",
        /// Bits per token or other unit: the negative log-likelihood in binary logarithms.
        Bits = "bits",
    }

    /// The unit, such as the token or the byte, for which the average log-likelihood is computed: the sum is
    /// divided by the number of units.
    pub enum LikelihoodUnit {
        /// The sum of log-likelihoods is divided by the number of tokens: the number of log-likelihoods in
        /// the list, or the field `tokens`.
        Token = "token",
        /// The sum of log-likelihoods is divided by the number of bytes of the text in UTF-8.
        Byte = "byte",
        /// The sum of log-likelihoods is divided by the number of characters (code points) of the text.
        Char = "char",
        /// The sum of log-likelihoods is divided by the number of words of the text.
        Word = "word",
        /// The sum of log-likelihoods is divided by the number of segments.
        Segment = "segment",
        /// The sum of log-likelihoods is divided by the sum of the field `weight`, a number of units that the
        /// data gives for each segment.
        Weight = "weight",
    }

    /// How the words of a text are counted.
    pub enum TextWords {
        /// Counts the runs of white space plus one, as lm-evaluation-harness does: empty pieces at the ends
        /// of the text count as words.
        LmEval = "lm-eval",
        /// Counts the words between runs of white space; empty pieces are not counted.
        Split = "split",
    }

    /// The base of the logarithms in the data.
    pub enum Base {
        /// Natural logarithms, to the base e.
        E = "e",
        /// Binary logarithms, to the base 2.
        Two = "2",
        /// Decimal logarithms, to the base 10.
        Ten = "10",
    }

    /// How a segment without a log-likelihood, or with one that is not finite, is treated.
    pub enum MissingLikelihood {
        /// A segment without a log-likelihood is an error.
        Error = "error",
        /// A segment without a log-likelihood is left out of the score, and such segments are counted.
        Skip = "skip",
    }
}
