//! Defines the options of the metric SPICE.

use bleuprint_registry::Opt;

bleuprint_core::choice! {
    /// Rule that decides when two names of objects, attributes or relations match.
    pub enum TupleSimilarity {
        /// Names match if they have a word or a synset in common; similar graph nodes are merged.
        Similar = "similar",
        /// Names match if all words and synsets are equal; no nodes are merged.
        Equal = "equal",
    }
}

pub(super) const SYNONYMS: Opt<Option<String>> = Opt::path("spice-wordnet", "")
    .counted("synonyms", "syn")
    .help("The folder of a WordNet 3 database, for synonyms of tuples");

pub(super) const SYNSETS: Opt<Option<String>> = Opt::path("spice-synsets", "").help(
    "A file of synonyms by given ids, instead of WordNet: a word, spaces as `_`, and its ids on each line",
);

pub(super) const MATCH: Opt<TupleSimilarity> =
    Opt::choice("spice-match").counted("match", "match").unless_default().help(
        "Texts of tuples match if they are similar, and similar nodes are merged; or only if they are equal",
    );

pub(super) const CAP: Opt<bool> = Opt::flag("spice-cap").counted("cap", "cap").words("yes", "").help(
    "Count matches up to the number of reference tuples; without it a score can be above 1, as the program's",
);
