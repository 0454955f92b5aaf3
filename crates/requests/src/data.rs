//! [`CountedInput`]: the data of an evaluation, either as text or as per-segment metric counts that were
//! computed earlier.

use bleuprint::contract::counted;
use bleuprint::eval::evaluation::{Evaluation, Metrics, NumberColumn, Run, SystemNumbers, TextCorpus};
use bleuprint::recipe::Recipe;
use bleuprint::{InputError, Location, Metric as _, Stats as _};

use crate::counter::FileCounter;
use crate::failure::{Result, fail};
use crate::input::{RecordFile, Streams};
use crate::progress::ProgressLine;
use crate::request::numbers::NumbersRequest;
use crate::request::readers::ReaderRequest;
use crate::request::sources::Sources;
use crate::warn::{self, Warnings};
use crate::{corpus, numbers, records, resegmented, vectors};

/// Labels, weights and options that are read in addition to the texts of the segments.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Labels of the segments, such as domains, each given as `NAME=FILE`.
    pub labels: Vec<String>,
    /// File with one weight for each segment; `None` for equal weights.
    pub weights: Option<String>,
    /// `true` to add a label `length` with the number of tokens of each segment's first reference.
    pub length: bool,
    /// `true` for a paired test. The first system is then the baseline, which may be given twice.
    pub paired: bool,
    /// Label that groups segments into units, which resampling draws as a whole; `segment` draws single
    /// segments. `None` chooses the unit from the labels.
    pub unit: Option<String>,
}

impl Reading {
    /// Returns a copy of these settings with only the label files of the system at index `place` of `sides`
    /// systems. Returns an error unless each label has one file for each system.
    fn side(&self, place: usize, sides: usize) -> Result<Reading> {
        let name = |label: &str| label.split('=').next().unwrap_or_default().to_owned();
        let mut labels = Vec::new();
        for label in &self.labels {
            // A label may be given once for each system, so files are chosen by their position among those
            // with one name.
            let own: Vec<&String> = self.labels.iter().filter(|other| name(other) == name(label)).collect();
            if own.len() != sides {
                let name = name(label);
                let count = counted(own.len(), "time");
                fail!(
                    "--label {name}= is given {count}, but --unpaired takes it once for each of {sides} systems, in \
                     their order"
                );
            }
            if !labels.contains(own[place]) {
                labels.push(own[place].clone());
            }
        }
        Ok(Reading { labels, ..self.clone() })
    }

    /// Returns the paths of the label files and of the weights file.
    pub fn files(&self) -> Vec<String> {
        let labels = self.labels.iter().filter_map(|label| Some(label.split_once('=')?.1.to_owned()));
        labels.chain(self.weights.clone()).collect()
    }
}

/// Data of an evaluation: texts that still have to be counted by the metrics, or finished counts from files.
pub enum CountedInput {
    /// Texts that still have to be counted, with their labels and the metrics.
    Text {
        /// Texts and labels of all segments.
        corpus: Box<TextCorpus>,
        /// Metrics and tokenizers with which the texts are counted.
        evaluation: Box<Evaluation>,
        /// Signature that every score must have; `None` to accept any signature.
        recipe: Option<Recipe>,
        /// Warnings about likely mistakes in the texts, such as tokenized text.
        warnings: Box<Warnings>,
        /// `true` to print no notes for the user.
        quiet: bool,
        /// File that has all segments, for error messages; `None` if they come from several files.
        file: Option<String>,
    },
    /// Counts of each segment, read from statistics files.
    Counted {
        /// Counts of all segments, for each system and metric.
        run: Box<Run>,
        /// `true` to print no notes.
        quiet: bool,
    },
}

impl CountedInput {
    /// Reads a separate list of segments for each system, for systems that were run on different segments.
    pub(crate) fn sides(counter: &FileCounter, reading: &Reading) -> Result<Vec<Self>> {
        let of_corpus = |corpus| CountedInput::of_corpus(corpus, counter.clone(), reading);
        let given = &counter.sources.numbers;
        if given.reading.system.is_some() {
            let sides = records::sides(given, &counter.numbers, &counter.own, &reading.labels)?;
            return sides.into_iter().map(of_corpus).collect();
        }
        let Some(file) = &counter.sources.records else {
            let sides = counter.sources.sides()?;
            let count = sides.len();
            let side = |(place, sources): (usize, Sources)| {
                // The labels of numbers are columns, which every file has; other labels have a file for each
                // system.
                let columns = sources.is_without_text() && !sources.numbers.is_empty();
                let own = if columns { reading.clone() } else { reading.side(place, count)? };
                CountedInput::read(FileCounter { sources, ..counter.clone() }, &own)
            };
            return sides.into_iter().enumerate().map(side).collect();
        };
        if let Some((_, metric)) = counter.vectors.first() {
            let name = metric.identity().name();
            fail!("--unpaired with --segments takes no {name}");
        }
        let ids = counter.tokens.is_ids();
        let mut sides = if counter.is_beside_text() {
            records::of_segments(file, &counter.sources, &counter.numbers, &counter.own, true)?
        } else {
            let records = RecordFile::open(file, &counter.sources, ids.then(|| counter.tokens.ids()))?;
            corpus::sides_of_records(file, records, ids)?
        };
        let count = sides.len();
        let given = given.sides()?;
        if !given.is_empty() && given.len() != count {
            let files = given.len();
            fail!(
                "--unpaired takes a file of --given for each system of {file}, but {files} were given for {count}"
            );
        }
        for (corpus, given) in sides.iter_mut().zip(&given) {
            numbers::add_given(corpus, given, &counter.numbers)?;
        }
        if counter.sources.reader.is_none() {
            records::add_of_segments(&mut sides, file, &counter.numbers, &counter.own, &counter.sources)?;
        }
        let side = |(place, corpus)| {
            // The numbers were added above, so they must not be read again.
            let sources = Sources { numbers: NumbersRequest::default(), ..counter.sources.clone() };
            CountedInput::of_corpus(
                corpus,
                FileCounter { sources, ..counter.clone() },
                &reading.side(place, count)?,
            )
        };
        sides.into_iter().enumerate().map(side).collect()
    }

    /// Reads the segments and the outputs of all systems for them.
    ///
    /// # Errors
    /// Returns the errors of the readers, and an error if the numbers of segments differ.
    pub fn read(counter: FileCounter, reading: &Reading) -> Result<Self> {
        // The order of the cases matters: data without text has no streams to open.
        let FileCounter { numbers, own, sources, tokens, warnings, .. } = &counter;
        let corpus = match &sources.records {
            _ if sources.is_without_text() && sources.numbers.is_empty() => vectors::alone(&sources.vectors)?,
            _ if sources.is_without_text() => {
                numbers::alone(&sources.numbers, numbers, own, &reading.labels)?
            }
            None => match sources.resegment {
                Some(unlike) => resegmented::read(&sources.streams, tokens, unlike, warnings.quiet)?,
                None => corpus::of_streams(Streams::open(&sources.streams)?)?,
            },
            Some(file) if counter.is_beside_text() => {
                records::of_segments(file, sources, numbers, own, false)?.swap_remove(0)
            }
            Some(file) => {
                let ids = tokens.is_ids();
                let records = RecordFile::open(file, sources, ids.then(|| tokens.ids()))?;
                corpus::of_records(file, records, ids)?
            }
        };
        CountedInput::of_corpus(corpus, counter, reading)
    }

    fn of_corpus(mut corpus: TextCorpus, counter: FileCounter, reading: &Reading) -> Result<Self> {
        let FileCounter { panel, numbers, vectors, own, specs, recipe, sources, tokens, warnings } = counter;
        if !sources.is_without_text() {
            numbers::add_given(&mut corpus, &sources.numbers, &numbers)?;
            if let (Some(file), None) = (&sources.records, &sources.reader) {
                let corpora = std::slice::from_mut(&mut corpus);
                records::add_of_segments(corpora, file, &numbers, &own, &sources)?;
            }
        } else if !sources.numbers.is_empty()
            && sources.numbers.reading.id.is_empty()
            // Logs contain ids, so only other records without ids are aligned by order.
            && sources.numbers.harness.is_none()
            && corpus.systems.len() > 1
            && !warnings.quiet
        {
            warn::note(
                "without ids, segments are aligned by their order alone, and only their number is checked (--id)",
            );
        }
        self::vectors::add(&mut corpus, &sources.vectors)?;
        corpus::require_distinct_systems(&mut corpus, reading.paired)?;
        // Labels of records are columns, which were read together with the records.
        if sources.numbers.records.is_empty() {
            reading.labels.iter().try_for_each(|label| corpus::add_label(&mut corpus, label))?;
        }
        if let Some(file) = &reading.weights {
            corpus::add_weights(&mut corpus, file)?;
        }
        let tokenizer = tokens.tokenizer()?;
        let is_text = corpus.segments.iter().any(|segment| !segment.hypotheses.is_empty());
        if reading.length && is_text && sources.is_of_texts() {
            corpus.add_lengths(&tokenizer)?;
        }
        let quiet = warnings.quiet;
        let mut warnings = Warnings::new(&warnings);
        for segment in corpus.segments.iter().filter(|_| is_text) {
            warnings.look_at(&segment.hypotheses, &segment.references);
        }
        let evaluation =
            Box::new(Evaluation::new(specs, Metrics { panel, numbers, vectors, own }, tokenizer));
        let own_file = |reader: &ReaderRequest| !reader.is_of_segments() && corpus.systems.len() == 1;
        let file = if sources.reader.as_ref().is_some_and(own_file) {
            corpus.systems.first().cloned()
        } else {
            sources.records.clone()
        };
        corpus.facts.unit.clone_from(&reading.unit);
        Ok(CountedInput::Text {
            corpus: Box::new(corpus),
            evaluation,
            recipe,
            warnings: Box::new(warnings),
            quiet,
            file,
        })
    }

    /// Creates the input from counts that were read from statistics files. Resampling will draw the units
    /// that `reading` names.
    ///
    /// # Errors
    /// Returns an error if the segments lack the label of the unit.
    pub(crate) fn from_run(run: Run, reading: &Reading, quiet: bool) -> Result<Self> {
        let run = match reading.unit.as_deref() {
            None => run,
            unit => run.by_unit(unit)?,
        };
        Ok(CountedInput::Counted { run: Box::new(run), quiet })
    }

    /// Returns the names of the systems.
    pub fn systems(&self) -> &[String] {
        match self {
            CountedInput::Text { corpus, .. } => &corpus.systems,
            CountedInput::Counted { run, .. } => run.systems(),
        }
    }

    /// Computes the statistics of all segments under all metrics, in several threads, and prints warnings.
    /// Statistics that were read from files are returned as they are.
    ///
    /// Returns an error if a score's signature differs from the required one.
    pub fn counted(self) -> Result<Run> {
        match self {
            CountedInput::Counted { run, quiet } => {
                if !quiet {
                    run.notes().iter().for_each(|note| warn::note(note));
                    run.facts().left_out.iter().for_each(|left_out| warn::note(&left_out.to_string()));
                }
                Ok(*run)
            }
            CountedInput::Text { corpus, evaluation, recipe, warnings, quiet, file } => {
                let located = |error: InputError| match file {
                    Some(file) => error.at(Location::file(file)),
                    None => error,
                };
                let absent = AbsentNumbers::from_corpus(&corpus);
                let mut progress = ProgressLine::new("segments counted");
                let run = evaluation.run_with(*corpus, |done, of| progress.add(|| Some((done, of))));
                let run = run.map_err(located)?;
                if let Some(recipe) = recipe {
                    let scores = run.scores()?;
                    scores.iter().flatten().try_for_each(|scored| recipe.check(&scored.signature))?;
                }
                // The progress line is removed before anything else is printed.
                drop(progress);
                warnings.say();
                warnings.say_also(&run.likely_mistakes(warn::wording()));
                if !quiet {
                    note_missing(&run, &absent);
                }
                Ok(run)
            }
        }
    }
}

/// Flags for each column, system and segment: `true` if the input lacks the number. They are recorded before
/// counting, which may replace a missing number by the worst one.
struct AbsentNumbers(Vec<(String, Vec<Vec<bool>>)>);

impl AbsentNumbers {
    fn from_corpus(corpus: &TextCorpus) -> Self {
        let column = |column: &NumberColumn| {
            let is_item = |at: usize| column.outside.get(at) != Some(&true);
            let absent = |numbers: &SystemNumbers| {
                let values = numbers.values.iter().enumerate();
                values.map(|(at, value)| value.is_none_or(f64::is_nan) && is_item(at)).collect()
            };
            (column.name.clone(), column.systems.iter().map(absent).collect())
        };
        AbsentNumbers(corpus.numbers.iter().map(column).collect())
    }

    /// Returns how many segments of a system lack a number in at least one of the `columns`.
    fn count(&self, columns: &[String], system: usize) -> u64 {
        let read = self.0.iter().filter(|(name, _)| columns.contains(name));
        let absent: Vec<&Vec<bool>> = read.filter_map(|(_, systems)| systems.get(system)).collect();
        let segments = absent.first().map_or(0, |absent| absent.len());
        (0..segments).filter(|&at| absent.iter().any(|absent| absent[at])).count() as u64
    }
}

/// Prints how many segments have no number, for each system and metric, and whether these segments are left
/// out or count as the worst.
fn note_missing(run: &Run, absent: &AbsentNumbers) {
    for (metric, finisher) in run.metrics().iter().enumerate() {
        for (system, name) in run.systems().iter().enumerate() {
            // A metric whose statistics cannot be merged has no count of missing values to report.
            let Ok(total) = run.merged(metric, system, 0..run.len()) else { continue };
            let missing = total.stats().missing(total.counts());
            let of = total.counts().segments;
            let number = finisher.identity().heading();
            if missing > 0 {
                warn::note(&format!(
                    "{number}: {missing} of {of} segments of {name} have no number, and are left out"
                ));
            }
            // Segments that lack a number and still count have the worst number of the scale.
            let worst = absent.count(&finisher.view.numbers.columns, system).saturating_sub(missing);
            if worst > 0 {
                warn::note(&format!(
                    "{number}: {worst} of {of} segments of {name} have no number, and count as the worst"
                ));
            }
        }
    }
}
