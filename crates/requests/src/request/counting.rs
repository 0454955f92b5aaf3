//! [`CountingRequest`]: the segments, metrics and tokens that a command counts.

use bleuprint::contract::{MetricSpec, TextChoice};
use bleuprint::eval::TokenRequest;
use bleuprint::eval::evaluation::{Metrics, Run};
use bleuprint::recipe::Recipe;
use bleuprint::text::Families;
use bleuprint::{ConfigError, Registry};

use crate::counter::FileCounter;
use crate::data::{CountedInput, Reading};
use crate::failure::Result;
use crate::harness::read_logs;
use crate::request::fit;
use crate::request::logged::choose_numbers;
use crate::request::metrics::MetricChoice;
use crate::request::recipe;
use crate::request::sources::{FieldNeeds, Sources};
use crate::scoring::{Pass, Scoring};
use crate::tokens::{TokenChoice, token_files};
use crate::warn::{self, WarnRequest};

/// Segments to count, and the metrics and tokens with which they are counted.
#[derive(Default)]
pub struct CountingRequest {
    /// Files with the segments.
    pub sources: Sources,
    /// Selected metrics.
    pub metrics: MetricChoice,
    /// Selected tokenizer, case rule and normalizer.
    pub tokens: TokenRequest,
    /// Signature that the scores must have, from `--signature`; it determines the metric and the tokens.
    pub recipe: Option<Recipe>,
    /// File with the weights of metrics that learn from references; `None` to learn from these references.
    pub learned: Option<String>,
    /// `true` if the output shows the source texts, which are then read even if no metric uses them.
    pub shows_source: bool,
    /// `true` to print no warnings.
    pub quiet: bool,
    /// `true` to print no warning about tokenized hypotheses.
    pub force: bool,
}

impl CountingRequest {
    /// Returns the paths of all files that the request names.
    pub fn files(&self, registry: &Registry) -> Vec<String> {
        let mut files: Vec<String> = self.sources.files().chain(self.learned.clone()).collect();
        files.extend(token_files(&self.tokens));
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
    ///
    /// # Errors
    /// Returns the errors of [`Self::open`] and of the readers.
    pub fn read(self, reading: &Reading, families: &Families) -> Result<CountedInput> {
        CountedInput::read(self.for_lengths(reading).open(families)?, reading)
    }

    /// Builds the metrics and checks that they and the files fit.
    ///
    /// # Errors
    /// Returns an error for an unknown metric, option or tokenizer, and if the request has a file or an option that
    /// has no effect, or lacks a file that a metric needs.
    pub fn open(mut self, families: &Families) -> Result<FileCounter> {
        let registry = families.registry();
        read_logs(&mut self.sources.numbers)?;
        choose_numbers(&mut self.metrics, &self.sources.numbers, registry)?;
        let (metrics, specs, tokens) = self.metrics(families)?;
        let metrics = match self.learned {
            Some(path) => metrics.read_learned(path)?,
            None => metrics,
        };
        let mut sources = self.sources;
        sources.needs = FieldNeeds::from_panel(&metrics.panel);
        fit::check_reader(&mut sources, &metrics)?;
        if !self.quiet {
            advise(registry, &specs)?;
        }
        fit::check_files(&sources, &metrics, families, self.shows_source)?;
        if sources.records.is_none() && !sources.is_without_text() {
            // Tokenizers that trim lines as sacreBLEU does need the ends of lines as they are.
            sources.streams.raw_lines = metrics.panel.raw_lines();
        }
        let warnings = WarnRequest {
            quiet: self.quiet,
            force: self.force,
            tokenizers: fit::tokenizers(&metrics.panel),
            rate: fit::error_rate(&metrics.panel).filter(|_| sources.is_of_texts()),
            // A clone shares the counters, which the tokenizers fill while they count.
            panel: Some(metrics.panel.clone()),
            observing: fit::observing(&metrics).cloned().collect(),
        };
        let Metrics { panel, numbers, vectors, own } = metrics;
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

    /// Builds the metrics. A signature decides metrics and tokens together; without one they are selected
    /// separately.
    fn metrics(&mut self, families: &Families) -> Result<(Metrics, Vec<MetricSpec>, TokenChoice)> {
        let tokens = std::mem::take(&mut self.tokens);
        if let Some(recipe) = &self.recipe {
            if !self.quiet {
                recipe.notes().iter().for_each(|note| warn::note(note));
            }
            return recipe::panel(families, recipe, &self.metrics, tokens);
        }
        let registry = families.registry();
        let tokens = TokenChoice::new(tokens, families.tokenizers())?;
        let specs = self.metrics.specs(registry)?;
        Ok((self.metrics.metrics(registry, &specs, &tokens)?, specs, tokens))
    }
}

/// Prints advice about metrics with valid but unusual options, such as those that make scores incomparable.
fn advise(registry: &Registry, specs: &[MetricSpec]) -> Result<(), ConfigError> {
    for spec in specs {
        if let Some(advice) = (registry.get(&spec.metric)?.advice)(&spec.options) {
            warn::note(&format!("warning: {}: {advice}", spec.name()));
        }
    }
    Ok(())
}

/// Segments to count, or files in which they are counted already.
pub enum CountingSource {
    /// Files of statistics, one for each system.
    Stored {
        /// Paths of the files.
        files: Vec<String>,
        /// Metrics and metric options with which scores are computed from the statistics.
        metrics: Box<MetricChoice>,
        /// `true` to print no notes.
        quiet: bool,
    },
    /// Segments that still have to be counted.
    Text(Box<CountingRequest>),
}

impl CountingSource {
    /// Returns the paths of all files that the request names.
    pub fn files(&self, registry: &Registry) -> Vec<String> {
        match self {
            CountingSource::Stored { files, .. } => files.clone(),
            CountingSource::Text(counting) => counting.files(registry),
        }
    }

    /// Reads the segments or the files of statistics.
    ///
    /// # Errors
    /// Returns the errors of [`CountingRequest::read`], and of files of statistics.
    pub fn open(self, reading: &Reading, families: &Families) -> Result<CountedInput> {
        match self {
            CountingSource::Stored { files, metrics, quiet } => {
                let registry = families.registry();
                let options = metrics.of_stored(registry)?;
                let run = Run::read(registry, &files)?.refinished(registry, &options)?;
                CountedInput::from_run(run, reading, quiet)
            }
            CountingSource::Text(counting) => counting.read(reading, families),
        }
    }

    /// Opens the segments for scores, of systems, of sentences or of groups.
    ///
    /// # Errors
    /// Returns the errors of [`CountingRequest::open`], and of files of statistics.
    pub fn scoring(self, reading: Reading, pass: Pass, families: &Families) -> Result<Scoring> {
        match self {
            CountingSource::Text(counting) => {
                let counter = counting.for_lengths(&reading).open(families)?;
                Ok(Scoring::of_files(counter, reading, pass))
            }
            stored @ CountingSource::Stored { .. } => {
                Ok(Scoring::of_input(stored.open(&reading, families)?, reading, pass))
            }
        }
    }

    /// Reads a separate list of segments for each system, for systems that were run on different segments.
    ///
    /// # Errors
    /// Returns the errors of [`Self::open`].
    pub fn open_sides(self, reading: &Reading, families: &Families) -> Result<Vec<CountedInput>> {
        match self {
            CountingSource::Stored { files, metrics, quiet } => {
                let registry = families.registry();
                let options = metrics.of_stored(registry)?;
                let runs = Run::read_each(registry, &files)?.into_iter();
                let runs = runs.map(|run| run.refinished(registry, &options));
                runs.map(|run| CountedInput::from_run(run?, reading, quiet)).collect()
            }
            CountingSource::Text(counting) => {
                CountedInput::sides(&counting.for_lengths(reading).open(families)?, reading)
            }
        }
    }
}
