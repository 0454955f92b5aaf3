//! The options of likelihoods, each declared once.

use bleuprint_registry::Opt;

/// The number that comes of the quotient of the two sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finish {
    /// The negative log-likelihood of a unit, in the given logarithm.
    #[default]
    Nll,
    /// Its exponential.
    Perplexity,
    /// Its binary logarithm.
    Bits,
}

bleuprint_core::choice!(Finish: Nll "nll", Perplexity "perplexity", Bits "bits");

/// The unit of the denominator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Per {
    /// Tokens: the values of the list, or the field `tokens`.
    #[default]
    Token,
    /// Bytes of the text in UTF-8.
    Byte,
    /// Code points of the text.
    Char,
    /// Words of the text.
    Word,
    /// Segments.
    Segment,
    /// The field `weight`.
    Weight,
}

bleuprint_core::choice!(Per:
    Token "token", Byte "byte", Char "char", Word "word", Segment "segment", Weight "weight");

/// The words of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Words {
    /// The pieces of a split at every run of white space, empty ones among them, as lm-eval counts.
    #[default]
    LmEval,
    /// The pieces that are not empty.
    Split,
}

bleuprint_core::choice!(Words: LmEval "lm-eval", Split "split");

/// The base of the given logarithms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Base {
    /// Natural logarithms.
    #[default]
    E,
    /// Binary logarithms.
    Two,
    /// Decimal logarithms.
    Ten,
}

bleuprint_core::choice!(Base: E "e", Two "2", Ten "10");

/// The treatment of a segment without a log-likelihood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// An error.
    #[default]
    Error,
    /// The segment is left out and counted.
    Skip,
}

bleuprint_core::choice!(Missing: Error "error", Skip "skip");

pub(crate) const OF: Opt<Finish> = Opt::choice("of")
    .finished("of", "of")
    .help("The number: the negative log-likelihood, the perplexity or the bits of a unit");

pub(crate) const PER: Opt<Per> = Opt::choice("per")
    .counted("per", "per")
    .help("The unit: tokens, or bytes, characters or words of the text, or the field weight");

pub(crate) const WORDS: Opt<Words> = Opt::choice("words")
    .counted("words", "w")
    .unless_default()
    .help("The words of a text: all pieces between runs of white space, as lm-eval counts, or those that are not empty");

pub(crate) const BASE: Opt<Base> =
    Opt::choice("base").counted("base", "b").help("The base of the given logarithms");

pub(crate) const POSITIVE: Opt<&str> = Opt::word("positive", &["error", "allow"], "error")
    .counted("positive", "pos")
    .unless_default()
    .help("A log-likelihood above 0, as densities have: an error, or allowed");

pub(crate) const MISSING: Opt<Missing> = Opt::choice("missing")
    .counted("missing", "m")
    .unless_default()
    .help("A segment without a log-likelihood: an error, or left out");

pub(crate) const PRODUCER: Opt<Option<String>> = Opt::name("producer", "none")
    .counted("producer", "p")
    .help("The signature of the program that computed the log-likelihoods");
