//! Settings of METEOR 1.5: language, form of the text, modules, parameters.

use bleuprint_core::{Choice, ConfigError};
use rust_stemmers::Algorithm;

use super::options::{BEAM, MODULES, PARAMETERS, WEIGHTS};

/// A source of matches; its slot in the statistics is its place here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Module {
    /// Equal words.
    Exact,
    /// Words with equal stems.
    Stem,
    /// Words with a synset in common.
    Synonym,
    /// Phrases that a table has as paraphrases.
    Paraphrase,
}

bleuprint_core::choice!(Module: Exact "exact", Stem "stem", Synonym "synonym", Paraphrase "paraphrase");

bleuprint_core::choice! {
    /// The form in which words are compared.
    pub enum TextForm {
        /// Normalized, then in lower case.
        Norm = "norm",
        /// Normalized, without punctuation, in lower case.
        NoPunct = "nopunct",
        /// In lower case, cut at white space.
        Lower = "lower",
        /// As it is, cut at white space.
        Given = "none",
    }
}

/// A set of parameters, named after the judgments that it was tuned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// Rankings: the default of English, Czech, German, Spanish, French and Russian.
    Rank,
    /// Adequacy.
    Adq,
    /// Edits by people.
    Hter,
    /// Rankings by length in characters.
    Util,
    /// Language independent: the default of all other languages.
    Li,
    /// Even weights.
    Tune,
    /// For a language with its own table and function words; without `modules`, exact and paraphrase.
    Universal,
}

bleuprint_core::choice!(Task:
    Rank "rank", Adq "adq", Hter "hter", Util "util", Li "li", Tune "tune", Universal "universal");

macro_rules! languages {
    ($($name:ident $code:literal $stemmer:expr),+ $(,)?) => {
        /// A language of the program, or any other one.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Language {
            $(#[doc = concat!("`", $code, "`.")] $name,)+
            /// `other`: any language, by equal words.
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
    /// The name of the list of abbreviations in the jar; languages without one are not normalized.
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

/// The settings; those of the COCO evaluation by default.
///
/// ```
/// use bleuprint_captions::meteor15::{Language, Settings, TextForm};
///
/// assert_eq!(Settings::default().beam, 40);
/// let danish = Settings { language: Language::Danish, form: TextForm::Lower, ..Settings::default() };
/// assert_eq!(danish.modules, None);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct MeteorSettings {
    /// English by default.
    pub language: Language,
    /// Normalized by default.
    pub form: TextForm,
    /// The parameters by name; those of the language by default.
    pub task: Option<Task>,
    /// Alpha, beta, gamma and delta instead of the task's. As in the program, weights are then those of [`Task::Adq`].
    pub parameters: Option<[f64; 4]>,
    /// The weights of the modules, in their order, instead of the task's; 0 for those without one.
    pub weights: Option<Vec<f64>>,
    /// The modules in their order, the task's weights in theirs. By default those of the language that have their data.
    pub modules: Option<Vec<Module>>,
    /// The number of partial alignments that the search keeps.
    pub beam: usize,
    /// Whether lengths and matches are counted in UTF-16 units instead of words.
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
            beam: BEAM.default(),
            chars: false,
        }
    }
}

/// Parameters that a score is made with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameters {
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) gamma: f64,
    pub(super) delta: f64,
    /// The modules in the order in which they run, and their weights.
    pub(super) modules: Vec<(Module, f64)>,
}

impl MeteorSettings {
    /// The parameters with the modules, of which `has` says that their data are there.
    pub(super) fn parameters(&self, has: impl Fn(Module) -> bool) -> Result<Parameters, ConfigError> {
        BEAM.check(self.beam)?;
        let (numbers, weights) = self.numbers();
        let [alpha, beta, gamma, delta] = numbers;
        for (name, value) in [("alpha", alpha), ("gamma", gamma), ("delta", delta)] {
            within(PARAMETERS.spec.name, name, value, 1.0)?;
        }
        within(PARAMETERS.spec.name, "beta", beta, f64::MAX)?;
        let weights = self.weights.clone().unwrap_or(weights);
        for weight in &weights {
            within(WEIGHTS.spec.name, "a weight", *weight, 1.0)?;
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
                MODULES.spec.name,
                format!("`{given}`"),
                "modules, each once",
            ));
        }
        let weights = weights.into_iter().chain(core::iter::repeat(0.0));
        let mut modules: Vec<_> = wanted.iter().copied().zip(weights).collect();
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
