//! The data of an evaluation: text that is to be counted, or counts from files.

use bleuprint::eval::evaluation::{Evaluation, Run, TextCorpus};
use bleuprint::recipe::Recipe;

use crate::evaluation::corpus;
use crate::shared::command::Program;
use crate::shared::counting::{Counter, Source};
use crate::shared::failure::Result;
use crate::shared::input::{Records, Streams};
use crate::shared::progress::Progress;
use crate::shared::warn::Warnings;

/// What is wanted of text beyond its segments.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    /// Labels in files, each `NAME=FILE`.
    pub(crate) labels: Vec<String>,
    /// Whether the length of the first reference in tokens is a label.
    pub(crate) length: bool,
    /// Whether the first system is a baseline, which may come again.
    pub(crate) paired: bool,
}

impl Reading {
    /// The files of labels.
    pub(crate) fn files(&self) -> Vec<String> {
        self.labels.iter().filter_map(|label| Some(label.split_once('=')?.1.to_owned())).collect()
    }
}

/// Segments of several systems.
pub(crate) enum Data {
    /// Text with what it is to be counted under.
    Text {
        corpus: TextCorpus,
        evaluation: Box<Evaluation>,
        recipe: Option<Recipe>,
        warnings: Box<Warnings>,
    },
    Counted(Run),
}

impl Data {
    /// Reads all there is.
    pub(crate) fn open(source: Source, reading: &Reading, program: &Program<'_>) -> Result<Self> {
        match source {
            Source::Stored(files) => Ok(Data::Counted(Run::read(program.registry, &files)?)),
            Source::Text(counting) => Data::read(counting.open(program)?, reading),
        }
    }

    /// Reads all text, and looks for what seems wrong.
    pub(crate) fn read(counter: Counter, reading: &Reading) -> Result<Self> {
        let Counter { panel, specs, recipe, sources, tokens, warnings } = counter;
        let mut corpus = match &sources.records {
            None => corpus::of_streams(Streams::open(&sources.streams)?)?,
            Some(file) => {
                let ids = tokens.is_ids();
                let records = Records::open(file, &sources, ids.then(|| tokens.ids()))?;
                corpus::of_records(file, records, ids)?
            }
        };
        corpus::require_distinct_systems(&mut corpus, reading.paired)?;
        reading.labels.iter().try_for_each(|label| corpus::add_label(&mut corpus, label))?;
        let tokenizer = tokens.tokenizer()?;
        if reading.length {
            corpus.add_lengths(&tokenizer)?;
        }
        let mut warnings = Warnings::new(&warnings);
        for segment in &corpus.segments {
            warnings.look_at(&segment.hypotheses, &segment.references);
        }
        let evaluation = Box::new(Evaluation::new(specs, panel, tokenizer));
        Ok(Data::Text { corpus, evaluation, recipe, warnings: Box::new(warnings) })
    }

    /// The names of the systems.
    pub(crate) fn systems(&self) -> &[String] {
        match self {
            Data::Text { corpus, .. } => &corpus.systems,
            Data::Counted(run) => run.systems(),
        }
    }

    /// Counts what is not counted yet, in all threads, and warns of what seems wrong.
    ///
    /// # Errors
    /// Those of the metrics; scores without the signature that they must have.
    pub(crate) fn counted(self) -> Result<Run> {
        match self {
            Data::Counted(run) => Ok(run),
            Data::Text { corpus, evaluation, recipe, warnings } => {
                let mut progress = Progress::new("segments counted");
                let run = evaluation.run_with(corpus, |done, of| progress.add(|| Some((done, of))))?;
                if let Some(recipe) = recipe {
                    let scores = run.scores()?;
                    scores.iter().flatten().try_for_each(|scored| recipe.check(&scored.signature))?;
                }
                drop(progress);
                warnings.say();
                Ok(run)
            }
        }
    }
}
