//! Options of the metric `given`, which averages numbers that another program computed for the segments. Each
//! option is declared once for the builder, the registry and the signature.

use bleuprint_registry::{Opt, settings};

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

settings! {
    /// The options as users give them, from which [`GivenOptions`](super::GivenOptions) follow.
    pub(super) struct GivenSettings {
        /// Name of the number, for example comet
        pub(super) name: Option<String> = Opt::name("name", "required").counted("name", "n");
        /// Field of a record that holds the number: a column, or JSON keys joined by dots
        pub(super) column: Option<String> = Opt::name("column", "the name");
        /// The column of the denominator, for the quotient of two sums
        pub(super) over: Option<String> = Opt::name("over", "none: the mean").counted("over", "over");
        /// Whether higher or lower numbers are better
        pub(super) lower: bool = Opt::either("better", &["higher", "lower"]).counted("better", "b");
        /// Range of the number, for example 0..1; a number outside is an error
        pub(super) scale: Option<String> = Opt::name("scale", "open").counted("scale", "sc");
        /// The signature of the program that computed the number
        pub(super) producer: Option<String> = Opt::name("producer", "none").counted("producer", "p");
        /// A segment without a number: an error, left out, or the bad end of the scale
        pub(super) missing: MissingNumber = Opt::choice("missing").counted("missing", "m").unless_default();
        /// Number of each word that the column may hold, for example C=1/P=0.5/I=0
        pub(super) map: Option<String> = Opt::name("map", "none").counted("map", "map");
        /// Squares are summed too, so that a total has a standard error
        pub(super) spread: bool = Opt::flag("spread").counted("spread", "sp").words("yes", "");
    }
}
