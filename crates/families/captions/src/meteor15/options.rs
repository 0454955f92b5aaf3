//! Defines the options of METEOR 1.5.

use bleuprint_registry::{Opt, settings};

bleuprint_core::choice! {
    /// Preparation of texts before METEOR compares their words.
    pub enum TextForm {
        /// The text is normalized, then lowercased.
        Norm = "norm",
        /// The text is normalized, punctuation is removed, and the rest is lowercased.
        NoPunct = "nopunct",
        /// The text is lowercased and split at white space, but not normalized.
        Lower = "lower",
        /// The text is unchanged, and split at white space.
        Given = "none",
    }
}

/// Named set of METEOR's parameters, tuned on one kind of human judgment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// METEOR's parameters tuned on rankings of translations by people; the default for English, Czech,
    /// German, Spanish, French and Russian.
    Rank,
    /// METEOR's parameters tuned on people's ratings of adequacy, how much of the meaning a translation
    /// keeps.
    Adq,
    /// METEOR's parameters tuned on the number of edits that human post-editors made.
    Hter,
    /// METEOR's parameters tuned on rankings by people, with lengths counted in characters instead of words.
    Util,
    /// METEOR's parameters that suit any language; the default for languages without tuned parameters.
    Li,
    /// METEOR's parameters before tuning: all matching modules, such as exact and stem, have equal weights.
    Tune,
    /// METEOR's parameters for a language with a separate paraphrase table and list of function words. The
    /// default matching modules are exact and paraphrase.
    Universal,
}

bleuprint_core::choice!(Task:
    Rank "rank", Adq "adq", Hter "hter", Util "util", Li "li", Tune "tune", Universal "universal");

settings! {
    /// The options as users give them, from which [`MeteorSettings`](super::MeteorSettings) and the data follow.
    pub(super) struct Meteor15Options {
        /// en, cz, de, es, fr, ru, da, fi, hu, it, nl, no, pt, ro, se, tr or other
        pub(super) language: Option<String> = Opt::name("meteor15-lang", "en").counted("lang", "l");
        /// Normalize words, also without punctuation; or put them in lower case alone; or take them as they are
        pub(super) form: TextForm = Opt::choice("meteor15-norm").counted("norm", "n");
        /// The parameters by name; without it `rank`, or `li` for languages without a normalization
        pub(super) task: Option<Task> = Opt::optional_choice("meteor15-task", "by language");
        /// Modules in their order, as in exact+stem+synonym+paraphrase
        pub(super) modules: Option<String> =
            Opt::name("meteor15-modules", "by language and data").counted("modules", "m");
        /// Alpha, beta, gamma and delta; the weights are then those of the task `adq`, unless given too
        pub(super) parameters: Option<Vec<f64>> = Opt::numbers("meteor15-params", "by task").counted("params", "p");
        /// The weights of the modules, in their order, from 0 to 1; 0 for those without one
        pub(super) weights: Option<Vec<f64>> = Opt::numbers("meteor15-weights", "by task").counted("weights", "w");
        /// The folder of meteor-1.5.jar, in which data/paraphrase-en.gz is, too: pycocoevalcap/meteor of the Python package
        pub(super) data: Option<String> = Opt::path("meteor15-data", "");
        /// The folder of a WordNet 3 database, for synonyms
        pub(super) wordnet: Option<String> = Opt::path("meteor15-wordnet", "").counted("synonyms", "syn");
        /// A table of paraphrases: three lines a pair, also as .gz
        pub(super) table: Option<String> = Opt::path("meteor15-paraphrases", "").counted("paraphrases", "par");
        /// A file of function words
        pub(super) function_words: Option<String> =
            Opt::path("meteor15-function-words", "English").counted("function_words", "fw");
        /// The number of partial alignments that are kept
        pub(super) beam: usize =
            Opt::integer("meteor15-beam", 40).limits(1, 100_000).counted("beam", "b").unless_default();
        /// Count UTF-16 units instead of words
        pub(super) chars: bool = Opt::flag("meteor15-chars").counted("chars", "ch").words("yes", "");
    }
    in help: data, wordnet, table, function_words, language, form, task, parameters, weights, modules, beam, chars;
}
