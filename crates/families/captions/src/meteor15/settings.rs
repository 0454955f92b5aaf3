//! Settings of METEOR 1.5: language, text preparation, matching modules and score parameters.

use bleuprint_core::{Choice, ConfigError};
use rust_stemmers::Algorithm;

use super::options::{Meteor15Options, Task, TextForm};

/// METEOR's matching module: a rule by which two words or phrases match. A module's position in this enum is
/// its index in the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Module {
    /// Matches words that are equal.
    Exact,
    /// Matches words with equal stems.
    Stem,
    /// Matches words that have a WordNet synset (set of synonyms) in common.
    Synonym,
    /// Matches phrases that are a pair in the table of paraphrases.
    Paraphrase,
}

bleuprint_core::choice!(Module: Exact "exact", Stem "stem", Synonym "synonym", Paraphrase "paraphrase");

macro_rules! languages {
    ($($name:ident $code:literal $stemmer:expr),+ $(,)?) => {
        /// Language of the texts: one that METEOR supports, or any other.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Language {
            $(#[doc = concat!("`", $code, "`.")] $name,)+
            /// `other`: any language, with exact matches only.
            #[default]
            Other,
        }

        impl Choice for Language {
            const NAMES: &'static [&'static str] = &[$($code,)+ "other"];
            const ALL: &'static [Self] = &[$(Language::$name,)+ Language::Other];
        }

        impl Language {
            pub(super) fn stemmer(self) -> Option<Algorithm> {
                match self {
                    $(Language::$name => $stemmer,)+
                    Language::Other => None,
                }
            }
        }
    };
}

languages! {
    English "en" Some(Algorithm::English),
    Czech "cz" None,
    German "de" Some(Algorithm::German),
    Spanish "es" Some(Algorithm::Spanish),
    French "fr" Some(Algorithm::French),
    Russian "ru" Some(Algorithm::Russian),
    Danish "da" Some(Algorithm::Danish),
    Finnish "fi" Some(Algorithm::Finnish),
    Hungarian "hu" Some(Algorithm::Hungarian),
    Italian "it" Some(Algorithm::Italian),
    Dutch "nl" Some(Algorithm::Dutch),
    Norwegian "no" Some(Algorithm::Norwegian),
    Portuguese "pt" Some(Algorithm::Portuguese),
    Romanian "ro" Some(Algorithm::Romanian),
    Swedish "se" Some(Algorithm::Swedish),
    Turkish "tr" Some(Algorithm::Turkish),
}

impl Language {
    /// Returns the name of the language's abbreviation file in METEOR's jar file, or `None` if METEOR 1.5
    /// does not normalize the language.
    pub(super) fn file_name(self) -> Option<&'static str> {
        Some(match self {
            Language::English => "english",
            Language::Czech => "czech",
            Language::German => "german",
            Language::Spanish => "spanish",
            Language::French => "french",
            Language::Russian => "russian",
            _ => return None,
        })
    }

    pub(super) fn modules(self) -> &'static [Module] {
        match self {
            Language::English => Module::ALL,
            Language::Czech => &[Module::Exact, Module::Paraphrase],
            Language::German | Language::Spanish | Language::French | Language::Russian => {
                &[Module::Exact, Module::Stem, Module::Paraphrase]
            }
            Language::Other => &[Module::Exact],
            _ => &[Module::Exact, Module::Stem],
        }
    }
}

/// Settings of METEOR 1.5; by default those that the COCO caption evaluation uses.
///
/// ```
/// use bleuprint_captions::meteor15::{Language, MeteorSettings, TextForm};
///
/// assert_eq!(MeteorSettings::default().beam, 40);
/// let danish = MeteorSettings { language: Language::Danish, form: TextForm::Lower, ..MeteorSettings::default() };
/// assert_eq!(danish.modules, None);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct MeteorSettings {
    /// Language of the texts; English by default.
    pub language: Language,
    /// Preparation of texts before words are compared; normalized and lowercased by default.
    pub form: TextForm,
    /// Named set of parameters; `None` for the language's default set.
    pub task: Option<Task>,
    /// Parameters alpha, beta, gamma and delta, which replace the values of `task`. As in METEOR 1.5, the
    /// module weights are then the weights of [`Task::Adq`].
    pub parameters: Option<[f64; 4]>,
    /// Weights of the matching modules, in the order of the modules. They replace the weights of `task`.
    /// Modules after the last weight have weight 0.
    pub weights: Option<Vec<f64>>,
    /// Matching modules, in the order in which they run; the weights of `task` are assigned to them in turn.
    /// `None` for the language's modules whose data is available.
    pub modules: Option<Vec<Module>>,
    /// Beam size: the number of partial alignments that the search keeps.
    pub beam: usize,
    /// `true` to count lengths and matches in UTF-16 units instead of words.
    pub chars: bool,
}

impl Default for MeteorSettings {
    fn default() -> Self {
        MeteorSettings {
            language: Language::English,
            form: TextForm::Norm,
            task: None,
            parameters: None,
            weights: None,
            modules: None,
            beam: Meteor15Options::OPTION.beam.default(),
            chars: false,
        }
    }
}

/// Parameters of METEOR's score formula, with the weights of the matching modules (exact, stem, synonym,
/// paraphrase).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameters {
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) gamma: f64,
    pub(super) delta: f64,
    /// Matching modules with their weights, in the order in which they run.
    pub(super) modules: Vec<(Module, f64)>,
}

impl MeteorSettings {
    /// Returns the parameters of METEOR's score formula that result from these settings, and the weighted
    /// matching modules (exact, stem, synonym, paraphrase). `has` returns `true` for a module whose data is
    /// available.
    pub(super) fn parameters(&self, has: impl Fn(Module) -> bool) -> Result<Parameters, ConfigError> {
        Meteor15Options::OPTION.beam.check(self.beam)?;
        let (numbers, weights) = self.numbers();
        let [alpha, beta, gamma, delta] = numbers;
        for (name, value) in [("alpha", alpha), ("gamma", gamma), ("delta", delta)] {
            within(Meteor15Options::OPTION.parameters.spec.name, name, value, 1.0)?;
        }
        within(Meteor15Options::OPTION.parameters.spec.name, "beta", beta, f64::MAX)?;
        let weights = self.weights.clone().unwrap_or(weights);
        for weight in &weights {
            within(Meteor15Options::OPTION.weights.spec.name, "a weight", *weight, 1.0)?;
        }
        let own = if self.task == Some(Task::Universal) && self.parameters.is_none() {
            &[Module::Exact, Module::Paraphrase]
        } else {
            self.language.modules()
        };
        let wanted = self.modules.as_deref().unwrap_or(own);
        let twice = wanted.iter().enumerate().any(|(at, module)| wanted[..at].contains(module));
        if wanted.is_empty() || twice {
            let given = wanted.iter().map(|module| module.name()).collect::<Vec<_>>().join("+");
            return Err(ConfigError::out_of_range(
                Meteor15Options::OPTION.modules.spec.name,
                format!("`{given}`"),
                "modules, each once",
            ));
        }
        // Modules without a weight count 0, as in the program.
        let weights = weights.into_iter().chain(core::iter::repeat(0.0));
        let mut modules: Vec<_> = wanted.iter().copied().zip(weights).collect();
        // Default modules without data are dropped, but a module that the user named must have its data.
        if self.modules.is_none() {
            modules.retain(|(module, _)| has(*module));
        } else if let Some(lacking) = wanted.iter().find(|module| !has(**module)) {
            let message = format!(
                "meteor15-modules has `{}`, but its data are not given: see meteor15-data",
                lacking.name()
            );
            return Err(ConfigError::Conflict(message));
        }
        Ok(Parameters { alpha, beta, gamma, delta, modules })
    }

    fn numbers(&self) -> ([f64; 4], Vec<f64>) {
        if let Some(numbers) = self.parameters {
            // As in the program, given parameters replace the task, and the weights are then `adq`'s.
            return (numbers, super::tasks::parameters(Task::Adq, self.language).1);
        }
        let default = if self.language.file_name().is_some() { Task::Rank } else { Task::Li };
        super::tasks::parameters(self.task.unwrap_or(default), self.language)
    }
}

fn within(option: &str, name: &str, value: f64, greatest: f64) -> Result<(), ConfigError> {
    if (0.0..=greatest).contains(&value) {
        return Ok(());
    }
    let limit = if greatest == 1.0 { "from 0 to 1" } else { "finite and at least 0" };
    Err(ConfigError::out_of_range(option, format!("{value} for {name}"), limit))
}
