//! What was asked for, turned once from the arguments into plain data.

use std::io::IsTerminal;

use bleuprint::eval::Panel;
use bleuprint::recipe::Recipe;
use bleuprint::report::{Colour, LineStyle};
use bleuprint::text::read::IdFilter;
use bleuprint::{ConfigError, Registry};
use clap::ArgMatches;

use crate::Failure;
use crate::chosen::{self, TokenRequest};
use crate::recipe;
use crate::warn::WarnRequest;

/// Where the segments of `score` come from.
#[derive(Debug, Clone)]
pub(crate) enum InputRequest {
    /// Parallel files.
    Streams(StreamsRequest),
    /// One file with everything.
    Records { file: String, ids: IdFilter },
}

/// Parallel streams of hypotheses, references and, where it is given, the source.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamsRequest {
    /// One file for each system; standard input where there are none.
    pub(crate) systems: Option<Vec<String>>,
    pub(crate) references: Vec<String>,
    pub(crate) num_refs: usize,
    pub(crate) source: Option<String>,
    /// Whether whitespace at the ends of lines is left to the tokenizer.
    pub(crate) raw_lines: bool,
}

impl StreamsRequest {
    pub(crate) fn new(matches: &ArgMatches, systems: Option<Vec<String>>) -> Self {
        let strings =
            |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        let num_refs = matches.get_one::<u64>("num-refs").copied().unwrap_or(1);
        StreamsRequest {
            systems,
            references: strings("references"),
            num_refs: usize::try_from(num_refs).unwrap_or(usize::MAX),
            source: None,
            raw_lines: false,
        }
    }

    /// Every file that is read; standard input is `-`.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let standard_input = self.systems.is_none().then_some("-");
        let systems = self.systems.iter().flatten().map(String::as_str);
        let others = self.references.iter().chain(&self.source).map(String::as_str);
        standard_input.into_iter().chain(systems).chain(others)
    }
}

/// How the output looks.
#[derive(Debug, Clone, Default)]
pub(crate) struct OutputRequest {
    pub(crate) json: bool,
    /// Tables for LaTeX; a single system is text.
    pub(crate) latex: bool,
    pub(crate) colour: Colour,
    pub(crate) score_only: bool,
    pub(crate) style: LineStyle,
}

/// `bleuprint score`.
pub(crate) struct ScoreRequest {
    pub(crate) panel: Panel,
    /// The signature that the scores must have.
    pub(crate) recipe: Option<Recipe>,
    /// Where to write what the first pass learned.
    pub(crate) save_learned: Option<String>,
    pub(crate) input: InputRequest,
    pub(crate) tokens: TokenRequest,
    pub(crate) sentence_level: bool,
    /// All cores where none is given.
    pub(crate) threads: Option<usize>,
    pub(crate) output: OutputRequest,
    pub(crate) warnings: WarnRequest,
}

impl ScoreRequest {
    /// The request of a command that only counts.
    pub(crate) fn counting(registry: &Registry, matches: &ArgMatches) -> Result<Self, Failure> {
        Self::build(registry, matches, false, Vec::new(), None, false)
    }

    /// The request of a command that shows the source, whether or not a metric looks at it.
    pub(crate) fn showing(registry: &Registry, matches: &ArgMatches) -> Result<Self, Failure> {
        Self::build(registry, matches, false, Vec::new(), None, true)
    }

    /// The request of `score`; these references stand for those of the arguments, where there are any.
    pub(crate) fn with_references(
        registry: &Registry,
        matches: &ArgMatches,
        references: Vec<String>,
    ) -> Result<Self, Failure> {
        let sentence_level = matches.get_flag("sentence-level");
        let output = output(matches, sentence_level);
        Self::build(registry, matches, sentence_level, references, Some(output), false)
    }

    fn build(
        registry: &Registry,
        matches: &ArgMatches,
        sentence_level: bool,
        references: Vec<String>,
        output: Option<OutputRequest>,
        shows_source: bool,
    ) -> Result<Self, Failure> {
        let recipe = recipe::given(matches)?;
        let (panel, tokens) = match &recipe {
            Some(recipe) => recipe::panel(registry, matches, recipe)?,
            None => {
                let tokens = TokenRequest::new(matches)?;
                (chosen::panel(registry, matches, &tokens, sentence_level)?, tokens)
            }
        };
        let path = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
        let panel = match path("learned") {
            Some(path) => {
                let learned = panel.read_learned(path)?;
                panel.second_pass(&learned)?
            }
            None => panel,
        };
        let input = match matches.get_one::<String>("segments") {
            Some(file) => InputRequest::Records { file: file.clone(), ids: tokens.options.ids.clone() },
            None => InputRequest::Streams(streams(matches, &panel, references, shows_source)?),
        };
        Ok(ScoreRequest {
            warnings: WarnRequest {
                quiet: matches.get_flag("quiet"),
                force: matches.get_flag("force"),
                tokenizers: chosen::tokenizers(&panel),
            },
            panel,
            recipe,
            save_learned: path("save-learned"),
            input,
            tokens,
            sentence_level,
            threads: matches.get_one::<u64>("threads").map(|threads| *threads as usize),
            output: output.unwrap_or_default(),
        })
    }
}

/// The files of `score`, after checking that what the metrics look at is given.
fn streams(
    matches: &ArgMatches,
    panel: &Panel,
    references: Vec<String>,
    shows_source: bool,
) -> Result<StreamsRequest, ConfigError> {
    let systems = matches.get_many::<String>("input").map(|files| files.cloned().collect());
    let mut streams = StreamsRequest::new(matches, systems);
    if !references.is_empty() {
        streams.references = references;
    }
    streams.source = matches.get_one::<String>("source").cloned();
    streams.raw_lines = panel.raw_lines();
    let name = |needs: fn(&bleuprint::Identity) -> bool| {
        panel.metrics().map(|metric| metric.identity()).find(needs).map(|identity| identity.name())
    };
    if let (Some(metric), true) =
        (name(|identity| !identity.is_reference_free()), streams.references.is_empty())
    {
        return Err(ConfigError::Conflict(format!(
            "{metric} needs references: give the files REF, or --segments"
        )));
    }
    match (name(bleuprint::Identity::is_source_needed), &streams.source) {
        (Some(metric), None) => {
            Err(ConfigError::Conflict(format!("{metric} needs the source: give --source FILE")))
        }
        (None, Some(file)) if !shows_source => {
            let message = format!("no metric that was asked for looks at the source `{file}`");
            Err(ConfigError::Conflict(message))
        }
        _ => Ok(streams),
    }
}

pub(crate) fn output(matches: &ArgMatches, sentence_level: bool) -> OutputRequest {
    let from_environment = || std::env::var("SACREBLEU_FORMAT").ok().map(|format| format.to_lowercase());
    let known = |format: &String| ["json", "text", "latex"].contains(&format.as_str());
    let given = || matches.get_one::<String>("format").cloned();
    // The environment overrides the option, as in sacreBLEU.
    let format = from_environment().filter(known).or_else(given);
    let width = matches.get_one::<u64>("width").copied().unwrap_or(1) as usize;
    OutputRequest {
        json: format.as_ref().map_or(!sentence_level, |format| format == "json"),
        latex: format.is_some_and(|format| format == "latex"),
        colour: colour(matches),
        score_only: matches.get_flag("score-only"),
        style: LineStyle { width, short: matches.get_flag("short") },
    }
}

/// Colours on a terminal, unless they are not wanted.
fn colour(matches: &ArgMatches) -> Colour {
    let refused =
        matches.get_flag("no-color") || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if refused || !std::io::stdout().is_terminal() { Colour::Off } else { Colour::On }
}

/// `bleuprint tokenize`.
pub(crate) struct TokenizeRequest {
    pub(crate) tokens: TokenRequest,
    pub(crate) file: String,
    pub(crate) ids: bool,
}

impl TokenizeRequest {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Self, Failure> {
        Ok(TokenizeRequest {
            tokens: TokenRequest::new(matches)?,
            file: matches.get_one::<String>("file").cloned().unwrap_or_else(|| "-".to_owned()),
            ids: matches.get_flag("ids"),
        })
    }
}
