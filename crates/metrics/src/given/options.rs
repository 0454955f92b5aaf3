//! Options of the metric `given`, which averages numbers that another program computed for the segments. Each
//! option is declared once for the builder, the registry and the signature.

use bleuprint_core::Direction;
use bleuprint_registry::Opt;

bleuprint_core::choice! {
    /// Treatment of a segment for which no number is given.
    pub enum MissingNumber {
        /// A segment without a number is an error.
        Error = "error",
        /// The segment without a number is left out of the score, and counted as missing.
        Skip = "skip",
        /// A segment without a number gets the worst number of the scale. It is for systems that gave no
        /// answer.
        Worst = "worst",
    }
}

pub(super) const NAME: Opt<Option<String>> =
    Opt::name("name", "required").counted("name", "n").help("Name of the number, for example comet");

pub(super) const COLUMN: Opt<Option<String>> = Opt::name("column", "the name")
    .help("Field of a record that holds the number: a column, or JSON keys joined by dots");

pub(super) const OVER: Opt<Option<String>> = Opt::name("over", "none: the mean")
    .counted("over", "over")
    .help("The column of the denominator, for the quotient of two sums");

pub(super) const BETTER: Opt<&str> = Opt::word("better", &["higher", "lower"], "higher")
    .counted("better", "b")
    .help("Whether higher or lower numbers are better");

pub(super) const SCALE: Opt<Option<String>> = Opt::name("scale", "open")
    .counted("scale", "sc")
    .help("Range of the number, for example 0..1; a number outside is an error");

pub(super) const PRODUCER: Opt<Option<String>> = Opt::name("producer", "none")
    .counted("producer", "p")
    .help("The signature of the program that computed the number");

pub(super) const MISSING: Opt<MissingNumber> = Opt::choice("missing")
    .counted("missing", "m")
    .unless_default()
    .help("A segment without a number: an error, left out, or the bad end of the scale");

pub(super) const MAP: Opt<Option<String>> = Opt::name("map", "none")
    .counted("map", "map")
    .help("Number of each word that the column may hold, for example C=1/P=0.5/I=0");

pub(super) const SPREAD: Opt<bool> = Opt::flag("spread")
    .counted("spread", "sp")
    .words("yes", "")
    .help("Squares are summed too, so that a total has a standard error");

pub(super) fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::HigherIsBetter => "higher",
        Direction::LowerIsBetter => "lower",
    }
}
