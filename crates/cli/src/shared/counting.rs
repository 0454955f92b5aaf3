//! Options that select the segments, metrics and tokens to count, for all commands that count.

use bleuprint::contract::TextChoice;
use bleuprint::eval::evaluation::{ITEM, Metrics, Run, SEGMENT};
use bleuprint::eval::{Panel, TokenRequest};
use bleuprint::recipe::Recipe;
use bleuprint::text::Families;
use bleuprint::{Metric as _, Registry, Scale};
use bleuprint_inputs::counter::FileCounter;
use bleuprint_inputs::data::{CountedInput, Reading};
use bleuprint_inputs::failure::{Result, fail};
use bleuprint_inputs::read_logs;
use bleuprint_inputs::warn::{self, WarnRequest};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::shared::args::{self, ArgumentValues as _, option};
use crate::shared::command::CommandContext;
use crate::shared::logged::choose_numbers;
use crate::shared::metrics::{self, MetricChoice};
use crate::shared::numbers;
use crate::shared::readers;
use crate::shared::recipe;
use crate::shared::sources::{self, FieldNeeds, Sources};
use crate::shared::tokens::{self, TokenChoice, text_options};
use crate::shared::vectors;

pub(crate) fn counting(command: Command, families: &Families) -> Command {
    let command = command
        .arg(sources::references())
        .args([args::threads(), args::quiet(), args::force()])
        .next_help_heading(args::INPUT)
        .args([sources::systems(), sources::source(), sources::segments()])
        .args(sources::records())
        .args(readers::options(families))
        .arg(sources::num_refs())
        .args(sources::reading())
        .next_help_heading(args::METRICS)
        .arg(metrics::metrics().num_args(1..))
        .arg(args::references_as())
        .next_help_heading(args::TOKENS)
        .args(text_options())
        .args(numbers::options())
        .args(vectors::options());
    metrics::metric_options(command, families.registry()).next_help_heading(args::OUTPUT)
}

/// Returns the options about the texts that are counted. They have no effect with `--stats`, because
/// statistics are already counted.
fn about_texts(families: &Families) -> Vec<Arg> {
    let mut all = vec![sources::references(), sources::systems(), sources::source(), sources::segments()];
    all.extend(sources::records());
    all.extend(readers::options(families));
    all.push(sources::num_refs());
    all.extend(sources::reading());
    all.push(args::references_as());
    all.extend(text_options());
    all.extend(numbers::options());
    all.extend(vectors::options());
    all.extend([args::label(), args::learned()]);
    all
}

/// Rejects options about texts next to `--stats`, since they would have no effect.
fn refuse_beside_statistics(matches: &ArgMatches, families: &Families) -> Result<()> {
    let given = |arg: &Arg| {
        let id = arg.get_id().as_str();
        matches.ids().any(|known| known.as_str() == id)
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    match about_texts(families).iter().find(|arg| given(arg)) {
        None => Ok(()),
        Some(arg) => fail!(
            "--{} is about the texts, but --stats gives statistics that are counted already",
            arg.get_long().unwrap_or_default()
        ),
    }
}

pub(crate) fn stats_files() -> Arg {
    option("stats", "FILE")
        .help_heading(args::INPUT)
        .num_args(1..)
        .conflicts_with_all(["references", "input", "segments", "num-refs", "given", "numbers", "vectors"])
        .help("Files of statistics, one per system, in place of text; see `bleuprint stats`")
}

/// Adds the unit of `--unit` to `reading`. In records of numbers, the unit's label is the column of the same
/// name, unless `--label` or `--id` already names it.
pub(crate) fn with_unit(matches: &ArgMatches, mut reading: Reading) -> Reading {
    let unit = matches.text("unit");
    let id = matches.texts("id");
    let column = unit.iter().find(|unit| {
        let named = |label: &String| label.split('=').next() == Some(unit);
        // The columns before the number of a sample make the label of items.
        let is_known = *unit == SEGMENT || *unit == ITEM && id.len() > 1 || id.contains(unit);
        !is_known && !reading.labels.iter().any(named) && !matches.texts("numbers").is_empty()
    });
    reading.labels.extend(column.map(|unit| format!("{unit}={unit}")));
    Reading { unit, ..reading }
}

#[derive(Default)]
pub(crate) struct CountingOptions {
    pub(crate) sources: Sources,
    pub(crate) metrics: MetricChoice,
    pub(crate) tokens: TokenRequest,
    /// Signature that the scores must have, from `--signature`; it determines the metric and the tokens.
    pub(crate) recipe: Option<Recipe>,
    pub(crate) learned: Option<String>,
    /// `true` if the output shows the source texts, which are then read even if no metric uses them.
    pub(crate) shows_source: bool,
    pub(crate) quiet: bool,
    pub(crate) force: bool,
}

impl CountingOptions {
    pub(crate) fn new(matches: &ArgMatches, families: &Families) -> Result<Self> {
        Ok(CountingOptions {
            sources: sources::request(matches, families)?,
            metrics: MetricChoice {
                alternatives: matches.text("references-as").as_deref() == Some("alternatives"),
                ..MetricChoice::new(matches, families.registry())
            },
            tokens: tokens::request(matches)?,
            quiet: matches.get_flag("quiet"),
            force: matches.get_flag("force"),
            ..CountingOptions::default()
        })
    }

    pub(crate) fn files(&self, registry: &Registry) -> Vec<String> {
        let mut files: Vec<String> = self.sources.files().chain(self.learned.clone()).collect();
        files.extend(tokens::files(&self.tokens));
        files.extend(self.metrics.files(registry));
        files
    }

    /// Declares that the tokenizer is also used to count the lengths of references, if `reading` requests
    /// lengths.
    fn for_lengths(mut self, reading: &Reading) -> Self {
        if reading.length {
            self.tokens.elsewhere.push(TextChoice::Tokenizer);
        }
        self
    }

    /// Reads the segments, with the labels, weights and options that `reading` requests.
    pub(crate) fn read(self, reading: &Reading, program: &CommandContext<'_>) -> Result<CountedInput> {
        CountedInput::read(self.for_lengths(reading).open(program)?, reading)
    }

    pub(crate) fn open(mut self, program: &CommandContext<'_>) -> Result<FileCounter> {
        let registry = program.registry;
        read_logs(&mut self.sources.numbers)?;
        choose_numbers(&mut self.metrics, &self.sources.numbers, registry)?;
        if let (Some(recipe), false) = (&self.recipe, self.quiet) {
            recipe.notes().iter().for_each(|note| warn::note(note));
        }
        // A signature decides metrics and tokens together; without one they come from the options.
        let (metrics, specs, tokens) = match &self.recipe {
            Some(recipe) => recipe::panel(program, recipe, &self.metrics, self.tokens)?,
            None => {
                let tokens = TokenChoice::new(self.tokens, program.tokenizers)?;
                let specs = self.metrics.specs(registry)?;
                (self.metrics.metrics(registry, &specs, &tokens)?, specs, tokens)
            }
        };
        let Metrics { panel, numbers, vectors, own } = match self.learned {
            Some(path) => metrics.read_learned(path)?,
            None => metrics,
        };
        let mut sources = self.sources;
        sources.needs = FieldNeeds::from_panel(&panel);
        if let Some(reader) = &mut sources.reader {
            let metrics = panel.metrics().chain(own.iter().map(|(_, metric)| metric));
            reader.metrics = metrics.map(|metric| metric.identity().name().to_owned()).collect();
            if sources.resegment.is_some() {
                fail!("--resegment cuts files of lines, so it cannot be combined with --{}", reader.name());
            }
            reader.check(&sources.streams, panel.metrics().chain(own.iter().map(|(_, metric)| metric)))?;
        }
        // Advice warns of valid but unusual options, such as those that make scores incomparable.
        for spec in specs.iter().filter(|_| !self.quiet) {
            if let Some(advice) = (registry.get(&spec.metric)?.advice)(&spec.options) {
                warn::note(&format!("warning: {}: {advice}", spec.name()));
            }
        }
        if let (Some((_, metric)), true) =
            (own.first(), sources.records.is_none() && sources.numbers.records.is_empty())
        {
            let name = metric.identity().name();
            let data = &metric.view;
            let readers = metric
                .view
                .form
                .map_or_else(String::new, |form| readers::of_form(program.families, form.name));
            fail!(
                "{name} takes {data}: give {readers}--segments FILE, or --numbers SYS=FILE .. with one file per system"
            );
        }
        // The checks follow the kinds of input: no text at all, then files of lines; records check
        // themselves.
        if sources.is_without_text() {
            if let Some(metric) = panel.metrics().next() {
                let name = metric.identity().name();
                fail!(
                    "{name} reads text, but the input has only numbers or vectors; use --segments for records with both, or --given for numbers next to files of text"
                );
            }
        } else if sources.records.is_none() {
            if let (Some((_, metric)), true) = (numbers.first(), sources.numbers.is_empty()) {
                let name = metric.identity().name();
                let columns = metric.view.numbers.columns.join(" and ");
                fail!(
                    "{name} reads numbers: give {columns} by --given NAME=FILE,.. or --numbers SYS=FILE .."
                );
            }
            check_streams(&sources, self.shows_source)?;
            // Tokenizers that trim lines as sacreBLEU does need the ends of lines as they are.
            sources.streams.raw_lines = panel.raw_lines();
        }
        let observing = panel.metrics().chain(own.iter().map(|(_, metric)| metric));
        let warnings = WarnRequest {
            quiet: self.quiet,
            force: self.force,
            tokenizers: metrics::tokenizers(&panel),
            rate: error_rate(&panel).filter(|_| sources.is_of_texts()),
            // A clone shares the counters, which the tokenizers fill while they count.
            panel: Some(panel.clone()),
            observing: observing.cloned().collect(),
        };
        sources.numbers.check_looked_at(&numbers, !own.is_empty())?;
        sources.vectors.check_looked_at(&vectors)?;
        if !self.quiet {
            let notes = numbers.iter().filter_map(|(_, metric)| metric.view.numbers.note.as_ref());
            notes.for_each(|note| warn::note(note));
        }
        Ok(FileCounter {
            panel,
            numbers,
            vectors,
            own,
            specs,
            recipe: self.recipe,
            sources,
            tokens,
            warnings,
        })
    }
}

/// Returns the name of the first error rate with a scale from 0 to 1, such as WER, among the metrics of a
/// panel.
fn error_rate(panel: &Panel) -> Option<String> {
    let rate = panel.metrics().find(|metric| metric.scale() == Scale::ERROR_RATE)?;
    Some(rate.identity().heading())
}

/// Returns an error if a metric needs references or sources that are missing, or if a source is given that no
/// metric uses.
fn check_streams(sources: &Sources, shows_source: bool) -> Result<()> {
    let Sources { streams, needs, .. } = sources;
    if let (true, Some(metric)) = (streams.references.is_empty(), &needs.references) {
        fail!("{metric} needs references: give the files REF, or --segments");
    }
    match (&needs.source, &streams.source) {
        (Some(metric), None) => fail!("{metric} needs the source: give --source FILE"),
        // An unused source is most likely a mistake in the choice of metrics.
        (None, Some(file)) if !shows_source => {
            fail!("no selected metric uses the source `{file}`")
        }
        _ => Ok(()),
    }
}

/// Options for computing scores from statistics files, which contain the counts.
pub(crate) struct StoredChoice {
    /// Metrics and metric options with which scores are computed from the statistics.
    metrics: MetricChoice,
    /// `true` to print no notes.
    quiet: bool,
}

pub(crate) enum CountingSource {
    /// Files of statistics, with the metrics and options for computing scores from them.
    Stored(Vec<String>, Box<StoredChoice>),
    Text(Box<CountingOptions>),
}

impl CountingSource {
    pub(crate) fn files(&self, registry: &Registry) -> Vec<String> {
        match self {
            CountingSource::Stored(files, _) => files.clone(),
            CountingSource::Text(counting) => counting.files(registry),
        }
    }

    pub(crate) fn new(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let files = matches.texts("stats");
        if files.is_empty() {
            return Ok(CountingSource::Text(Box::new(CountingOptions::new(matches, families)?)));
        }
        refuse_beside_statistics(matches, families)?;
        let (metrics, quiet) = (MetricChoice::new(matches, families.registry()), matches.get_flag("quiet"));
        Ok(CountingSource::Stored(files, Box::new(StoredChoice { metrics, quiet })))
    }

    pub(crate) fn open(self, reading: &Reading, program: &CommandContext<'_>) -> Result<CountedInput> {
        match self {
            CountingSource::Stored(files, choice) => {
                let options = choice.metrics.of_stored(program.registry)?;
                let run = Run::read(program.registry, &files)?.refinished(program.registry, &options)?;
                CountedInput::from_run(run, reading, choice.quiet)
            }
            CountingSource::Text(counting) => counting.read(reading, program),
        }
    }

    /// Reads a separate list of segments for each system, for systems that were run on different segments.
    pub(crate) fn open_sides(
        self,
        reading: &Reading,
        program: &CommandContext<'_>,
    ) -> Result<Vec<CountedInput>> {
        match self {
            CountingSource::Stored(files, choice) => {
                let options = choice.metrics.of_stored(program.registry)?;
                let runs = Run::read_each(program.registry, &files)?.into_iter();
                let runs = runs.map(|run| run.refinished(program.registry, &options));
                runs.map(|run| CountedInput::from_run(run?, reading, choice.quiet)).collect()
            }
            CountingSource::Text(counting) => {
                CountedInput::sides(&counting.for_lengths(reading).open(program)?, reading)
            }
        }
    }
}
