//! What is counted: the segments, the metrics with their options, the tokens.

use bleuprint::eval::Panel;
use bleuprint::recipe::Recipe;
use bleuprint::{MetricSpec, Registry};
use clap::{Arg, ArgMatches, Command};

use crate::shared::args::{self, Values as _, option};
use crate::shared::command::Program;
use crate::shared::failure::{Result, fail};
use crate::shared::metrics::{self, MetricChoice};
use crate::shared::recipe;
use crate::shared::sources::{self, Needs, Sources};
use crate::shared::tokens::{TokenChoice, TokenRequest, text_options};
use crate::shared::warn::{self, WarnRequest};

/// Adds the arguments of counting.
pub(crate) fn counting(command: Command, registry: &Registry) -> Command {
    let command = command
        .args([sources::references(), sources::systems(), sources::source(), sources::segments()])
        .arg(args::threads())
        .arg(metrics::metrics().num_args(1..).help(format!(
            "What to compute: {}; with options of its own as in bleu:max-order=2,tokenize=char",
            metrics::metric_names(registry)
        )))
        .arg(sources::num_refs())
        .args(sources::reading())
        .args(text_options())
        .args([args::quiet(), args::force()]);
    metrics::metric_options(command, registry)
}

/// Files of statistics, in place of text.
pub(crate) fn stats_files() -> Arg {
    option("stats", "FILE")
        .num_args(1..)
        .conflicts_with_all(["references", "input", "segments", "num-refs"])
        .help("Files of statistics, one per system, instead of text; see `bleuprint stats`")
}

/// What is to be counted, and how.
pub(crate) struct Counting {
    pub(crate) sources: Sources,
    pub(crate) metrics: MetricChoice,
    pub(crate) tokens: TokenRequest,
    /// The signature that the scores must have, which then decides the metric and the tokens.
    pub(crate) recipe: Option<Recipe>,
    /// The file with what metrics of two passes learned.
    pub(crate) learned: Option<String>,
    /// Whether the source is shown, whether or not a metric looks at it.
    pub(crate) shows_source: bool,
    pub(crate) quiet: bool,
    pub(crate) force: bool,
}

/// What is counted, checked and ready.
pub(crate) struct Counter {
    pub(crate) panel: Panel,
    /// Each metric as it was asked for.
    pub(crate) specs: Vec<MetricSpec>,
    pub(crate) recipe: Option<Recipe>,
    pub(crate) sources: Sources,
    pub(crate) tokens: TokenChoice,
    pub(crate) warnings: WarnRequest,
}

impl Counting {
    /// What [`counting`] says.
    pub(crate) fn new(matches: &ArgMatches, registry: &Registry) -> Result<Self> {
        Ok(Counting {
            sources: Sources::new(matches),
            metrics: MetricChoice::new(matches, registry),
            tokens: TokenRequest::new(matches)?,
            recipe: None,
            learned: None,
            shows_source: false,
            quiet: matches.get_flag("quiet"),
            force: matches.get_flag("force"),
        })
    }

    /// Every file that is read, as far as it is named.
    pub(crate) fn files(&self, registry: &Registry) -> Vec<String> {
        let Sources { streams, records, .. } = &self.sources;
        let streams =
            streams.files().filter(|_| records.is_none()).filter(|file| *file != "-").map(str::to_owned);
        let mut files: Vec<String> = streams.chain(records.clone()).chain(self.learned.clone()).collect();
        files.extend(self.tokens.files());
        files.extend(self.metrics.files(registry));
        files
    }

    /// Builds the metrics, and checks that what they look at is given.
    pub(crate) fn open(self, program: &Program<'_>) -> Result<Counter> {
        let registry = program.registry;
        if let (Some(recipe), false) = (&self.recipe, self.quiet) {
            recipe.notes().iter().for_each(|note| warn::note(note));
        }
        let (panel, specs, tokens) = match &self.recipe {
            Some(recipe) => recipe::panel(program, recipe, &self.metrics.options, self.tokens)?,
            None => {
                let tokens = self.tokens.choose(None, program.tokenizers)?;
                let specs = self.metrics.specs(registry)?;
                (self.metrics.panel(registry, &specs, &tokens)?, specs, tokens)
            }
        };
        let panel = match self.learned {
            Some(path) => {
                // Without a metric that learns, none of the file's states has one.
                let first = panel.first_pass().unwrap_or_else(|| Panel::join([]));
                let learned = first.read_learned(path)?;
                panel.second_pass(&learned)?
            }
            None => panel,
        };
        let mut sources = self.sources;
        sources.needs = Needs::of(&panel);
        if sources.records.is_none() {
            check_streams(&sources, self.shows_source)?;
            sources.streams.raw_lines = panel.raw_lines();
        }
        let tokenizers = metrics::tokenizers(&panel);
        let emptied = panel.emptied().into_iter();
        let emptied = emptied.map(|(label, metrics, emptied)| (label.to_owned(), metrics, emptied.clone()));
        let emptied = emptied.collect();
        let warnings = WarnRequest { quiet: self.quiet, force: self.force, tokenizers, emptied };
        Ok(Counter { panel, specs, recipe: self.recipe, sources, tokens, warnings })
    }
}

/// Checks that what the metrics look at is given, and nothing that nobody looks at.
fn check_streams(sources: &Sources, shows_source: bool) -> Result<()> {
    let Sources { streams, needs, .. } = sources;
    if let (true, Some(metric)) = (streams.references.is_empty(), &needs.references) {
        fail!("{metric} needs references: give the files REF, or --segments");
    }
    match (&needs.source, &streams.source) {
        (Some(metric), None) => fail!("{metric} needs the source: give --source FILE"),
        (None, Some(file)) if !shows_source => {
            fail!("no metric that was asked for looks at the source `{file}`")
        }
        _ => Ok(()),
    }
}

/// Where counts come from.
pub(crate) enum Source {
    /// Files of statistics.
    Stored(Vec<String>),
    Text(Box<Counting>),
}

impl Source {
    /// Every file that is read, as far as it is named.
    pub(crate) fn files(&self, registry: &Registry) -> Vec<String> {
        match self {
            Source::Stored(files) => files.clone(),
            Source::Text(counting) => counting.files(registry),
        }
    }

    /// What [`counting`] and [`stats_files`] say.
    pub(crate) fn new(matches: &ArgMatches, registry: &Registry) -> Result<Self> {
        let files = matches.texts("stats");
        Ok(match files.is_empty() {
            true => Source::Text(Box::new(Counting::new(matches, registry)?)),
            false => Source::Stored(files),
        })
    }
}
