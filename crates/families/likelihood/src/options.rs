//! The options of the metrics that are computed from log-likelihoods.

use bleuprint_registry::Opt;

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

pub(crate) const MISSING: Opt<MissingLikelihood> =
    Opt::choice("missing").counted("missing", "m").unless_default().help(
        "A segment without a log-likelihood, or with NaN or an infinity: an error, or left out and counted",
    );

pub(crate) const PRODUCER: Opt<Option<String>> = Opt::name("producer", "none")
    .counted("producer", "p")
    .help("The signature of the program that computed the log-likelihoods");
