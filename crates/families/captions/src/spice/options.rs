//! Defines the options of the metric SPICE.

use bleuprint_registry::{Opt, settings};

bleuprint_core::choice! {
    /// Rule that decides when two names of objects, attributes or relations match.
    pub enum TupleSimilarity {
        /// Two names of objects, attributes or relations match if they have a word or a synset in common.
        /// Similar nodes of a scene graph are merged first.
        Similar = "similar",
        /// Two names of objects, attributes or relations match only if they are equal. Similar nodes of a
        /// scene graph are not merged.
        Equal = "equal",
    }
}

settings! {
    /// The options as users give them.
    pub(super) struct SpiceSettings {
        /// The folder of a WordNet 3 database, for synonyms of tuples
        pub(super) synonyms: Option<String> = Opt::path("spice-wordnet", "").counted("synonyms", "syn");
        /// A file of synonyms by given ids, instead of WordNet: a word, spaces as `_`, and its ids on each line
        pub(super) synsets: Option<String> = Opt::path("spice-synsets", "");
        /// Texts of tuples match if they are similar, and similar nodes are merged; or only if they are equal
        pub(super) similarity: TupleSimilarity = Opt::choice("spice-match").counted("match", "match").unless_default();
        /// Count matches up to the number of reference tuples; without it a score can be above 1, as the program's
        pub(super) capped: bool = Opt::flag("spice-cap").counted("cap", "cap").words("yes", "");
    }
}
