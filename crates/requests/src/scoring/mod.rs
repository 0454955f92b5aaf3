//! [`Scoring`]: the segments of a request, ready to be scored. The question decides what is kept in memory: scores
//! of systems and of sentences keep no text, if the metrics allow it; groups and tests keep a [`Run`].

mod stream;

use bleuprint::eval::evaluation::Run;
use bleuprint::inference::in_threads;
use bleuprint::text::read::ReadSegment;
use bleuprint::{AnyScore, InputError, Scored, contract::Pairing};

use crate::counter::FileCounter;
use crate::data::{CountedInput, Reading};
use crate::failure::Result;

/// Name of a system, with its scores under all metrics.
pub type SystemScores = (String, Vec<Scored<AnyScore>>);

/// Labels of a segment, such as its id, that are printed with its scores.
#[derive(Debug, Clone, Default)]
pub struct PrintedLabels {
    /// Labels of the segment, such as its id, as pairs of name and value.
    pub own: Vec<(&'static str, String)>,
    /// Pairs of a reference speaker (or other part of the segment) and the hypothesis speaker that a metric
    /// matched with it, for each metric. `None` for metrics that match no speakers.
    pub pairings: Vec<Option<Pairing>>,
}

impl PrintedLabels {
    pub(crate) fn from_record(record: &ReadSegment) -> Self {
        let labels = [
            ("id", &record.id),
            ("system", &record.system),
            ("document", &record.document),
            ("domain", &record.domain),
            ("speaker", &record.speaker),
        ];
        let own = labels.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect();
        PrintedLabels { own, pairings: Vec::new() }
    }
}

/// Options for scoring the segments of a request.
#[derive(Debug, Default)]
pub struct Pass {
    /// Number of threads; `None` to use all cores.
    pub threads: Option<usize>,
    /// File in which to save the weights that metrics learn from references; `None` to save nothing.
    pub save_learned: Option<String>,
    /// `true` to find the pairs of speakers, or of other parts, of every segment of structured data.
    pub pairs_of_data: bool,
}

/// Function that receives each segment's scores, its number and its labels.
pub type TakeSegment<'t> =
    dyn FnMut(&[Result<Scored<AnyScore>, InputError>], u64, &PrintedLabels) -> Result<()> + Send + 't;

/// Segments of a request, ready to be scored.
pub struct Scoring {
    source: ScoringSource,
    reading: Reading,
    pass: Pass,
}

enum ScoringSource {
    /// Texts that can be scored while they are read.
    Stream(Box<FileCounter>),
    /// Files that are read as a whole: texts with weights or cuts, and data besides texts.
    Whole(Box<FileCounter>),
    /// Segments that are in memory.
    Kept(CountedInput),
}

impl Scoring {
    /// Creates the scoring of files. `reading` requests labels, weights and units for a [`Run`].
    pub fn of_files(counter: FileCounter, reading: Reading, pass: Pass) -> Self {
        let is_stream =
            counter.is_of_text() && reading.weights.is_none() && counter.sources.resegment.is_none();
        let source = if is_stream { ScoringSource::Stream } else { ScoringSource::Whole };
        Scoring { source: source(Box::new(counter)), reading, pass }
    }

    /// Creates the scoring of segments that are in memory, such as counts from files of statistics.
    pub(crate) fn of_input(input: CountedInput, reading: Reading, pass: Pass) -> Self {
        Scoring { source: ScoringSource::Kept(input), reading, pass }
    }

    /// Returns the scores of every system on all segments.
    ///
    /// # Errors
    /// Returns the errors of the readers and the metrics, and an error if a score's signature differs from the
    /// one that the user required.
    pub fn systems(self) -> Result<Vec<SystemScores>> {
        match self.source {
            ScoringSource::Stream(counter) => stream::systems(*counter, &self.pass),
            source => Scoring { source, ..self }
                .with_run(|run| Ok(run.systems().iter().cloned().zip(run.scores()?).collect())),
        }
    }

    /// Scores every segment and passes its scores to `take`, in the order of the segments.
    ///
    /// # Errors
    /// Returns the errors of the readers, the metrics and `take`, and an error if texts have several systems.
    pub fn sentences(self, take: &mut TakeSegment<'_>) -> Result<()> {
        let pairs = self.pass.pairs_of_data;
        match self.source {
            ScoringSource::Stream(counter) => stream::sentences(*counter, &self.pass, take),
            source => Scoring { source, ..self }.with_run(|run| sentences_of_run(run, pairs, take)),
        }
    }

    /// Reads and counts all segments, and passes them to `work` in the requested number of threads.
    ///
    /// # Errors
    /// Returns the errors of the readers, the metrics and `work`, and an error if a score's signature differs
    /// from the one that the user required.
    pub fn with_run<R: Send>(self, work: impl FnOnce(&Run) -> Result<R> + Send) -> Result<R> {
        let Scoring { source, reading, pass } = self;
        let input = match source {
            ScoringSource::Kept(input) => input,
            ScoringSource::Stream(counter) | ScoringSource::Whole(counter) => {
                CountedInput::read(*counter, &reading)?
            }
        };
        in_threads(pass.threads, || {
            let run = input.counted()?;
            pass.save_learned.as_ref().map(|path| run.write_learned(path)).transpose()?;
            work(&run)
        })?
    }
}

fn sentences_of_run(run: &Run, pairs_of_data: bool, take: &mut TakeSegment<'_>) -> Result<()> {
    let named = run.systems().len() > 1;
    // Files of lines have no ids, so a missing label is not an error.
    let ids = run.labels.values_of("id").unwrap_or_default();
    for (system, name) in run.systems().iter().enumerate() {
        let scores: Vec<_> =
            (0..run.metrics().len()).map(|metric| run.sentence_scores(metric, system)).collect();
        for segment in 0..run.len() {
            let of_segment: Vec<_> = scores.iter().map(|scores| scores[segment].clone()).collect();
            let id = ids.get(segment).map(|id| ("id", (*id).to_owned()));
            let own = id.into_iter().chain(named.then(|| ("system", name.clone()))).collect();
            // A segment without a score has no pairs either, and `take` gets its error.
            let pairings = pairs_of_data.then(|| run.pairings(system, segment).unwrap_or_default());
            let labels = PrintedLabels { own, pairings: pairings.unwrap_or_default() };
            take(&of_segment, segment as u64 + 1, &labels)?;
        }
    }
    Ok(())
}
