//! The options of likelihoods, each declared once.

use bleuprint_registry::Opt;

bleuprint_core::choice! {
    /// The number that is computed from the quotient of the two sums.
    pub enum LikelihoodScore {
        /// Negative log-likelihood of a unit, in the base of the given logarithms.
        Nll = "nll",
        /// Perplexity of a unit: the exponential of its negative log-likelihood.
        Perplexity = "perplexity",
        /// Bits of a unit: its negative log-likelihood in binary logarithms.
        Bits = "bits",
    }

    /// The unit of the denominator.
    pub enum LikelihoodUnit {
        /// Tokens: the number of values in the list, or the field `tokens`.
        Token = "token",
        /// Bytes of the text in UTF-8.
        Byte = "byte",
        /// Code points of the text.
        Char = "char",
        /// Words of the text.
        Word = "word",
        /// Segments.
        Segment = "segment",
        /// The field `weight` of the record.
        Weight = "weight",
    }

    /// How the words of a text are counted.
    pub enum TextWords {
        /// Pieces of a split at every run of white space, including empty pieces, as in lm-eval.
        LmEval = "lm-eval",
        /// Pieces that are not empty.
        Split = "split",
    }

    /// The base of the given logarithms.
    pub enum Base {
        /// Natural logarithms.
        E = "e",
        /// Binary logarithms.
        Two = "2",
        /// Decimal logarithms.
        Ten = "10",
    }

    /// How a segment without a log-likelihood is treated.
    pub enum MissingLikelihood {
        /// Report an error.
        Error = "error",
        /// Leave the segment out, and count it.
        Skip = "skip",
    }
}

pub(crate) const OF: Opt<LikelihoodScore> = Opt::choice("of")
    .finished("of", "of")
    .help("The number: the negative log-likelihood, the perplexity or the bits of a unit");

pub(crate) const PER: Opt<LikelihoodUnit> = Opt::choice("per")
    .counted("per", "per")
    .help("The unit: tokens, or bytes, characters or words of the text, or the field weight");

pub(crate) const WORDS: Opt<TextWords> = Opt::choice("words")
    .counted("words", "w")
    .unless_default()
    .help("The words of a text: all pieces between runs of white space, as lm-eval counts, or those that are not empty");

pub(crate) const BASE: Opt<Base> =
    Opt::choice("base").counted("base", "b").help("The base of the given logarithms");

pub(crate) const POSITIVE: Opt<&str> = Opt::word("positive", &["error", "allow"], "error")
    .counted("positive", "pos")
    .unless_default()
    .help("A log-likelihood above 0, as densities have: an error, or allowed");

pub(crate) const MISSING: Opt<MissingLikelihood> = Opt::choice("missing")
    .counted("missing", "m")
    .unless_default()
    .help("A segment without a log-likelihood: an error, or left out");

pub(crate) const PRODUCER: Opt<Option<String>> = Opt::name("producer", "none")
    .counted("producer", "p")
    .help("The signature of the program that computed the log-likelihoods");
