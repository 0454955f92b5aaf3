//! Scores texts in one pass while they are read, and keeps none of them: the scores of systems, or of segments.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use bleuprint::text::read::{ReadSegment, Systems};
use bleuprint::{Accumulator, InputError, InputErrorKind};
use bleuprint::{
    eval::{
        LikelyMistake, Panel, PanelScratch, PanelState, SegmentBatch, stream_scores, stream_systems,
        unreached_order, zero_weights,
    },
    inference::in_threads,
};

use super::{Pass, PrintedLabels, SystemScores, TakeSegment};
use crate::blame::blamed;
use crate::counter::FileCounter;
use crate::failure::{Failure, Result, fail};
use crate::input::{RecordFile, Streams, record_texts};
use crate::keyed::check_keys;
use crate::lengths::check_lengths;
use crate::progress::ProgressLine;
use crate::request::sources::{Sources, StreamsRequest};
use crate::tokens::TokenChoice;
use crate::warn::{Warnings, wording};

/// Number of references that are scored against themselves, to find weights that are all 0.
const SELF_SCORED: usize = 8;

/// Scores every segment and passes its scores to `take`.
pub(super) fn sentences(counter: FileCounter, pass: &Pass, take: &mut TakeSegment<'_>) -> Result<()> {
    let mut warnings = Warnings::new(&counter.warnings);
    if counter.sources.records.is_none() {
        // Scores are printed as they are computed, so different lengths must be found before the first line.
        check_lengths(&counter.sources.streams)?;
        check_keys(&counter.sources.streams)?;
    }
    let (panel, mut feed) = open(counter, pass, &mut warnings)?;
    feed.progress = ProgressLine::beside_output("segments scored");
    in_threads(pass.threads, || take_segments(&panel, &mut feed, &mut warnings, take))??;
    warnings.say();
    warnings.say_of_segments();
    Ok(())
}

/// Returns the scores of every system.
pub(super) fn systems(counter: FileCounter, pass: &Pass) -> Result<Vec<SystemScores>> {
    let mut warnings = Warnings::new(&counter.warnings);
    let recipe = counter.recipe.clone();
    let (panel, mut feed) = open(counter, pass, &mut warnings)?;
    let systems = in_threads(pass.threads, || score_systems(&panel, &mut feed, &mut warnings))??;
    if let Some(recipe) = recipe {
        for scored in systems.iter().flat_map(|(_, scores)| scores) {
            recipe.check(&scored.signature)?;
        }
    }
    warnings.say();
    let scores = systems.iter().flat_map(|(_, scores)| scores);
    let short = scores.filter_map(|scored| unreached_order(&scored.score, wording()));
    warnings.say_also(&short.take(1).collect::<Vec<_>>());
    Ok(systems)
}

fn open(counter: FileCounter, pass: &Pass, warnings: &mut Warnings) -> Result<(Panel, Feed)> {
    let mut feed =
        Feed::new(ScoringInput::open(&counter.sources, &counter.tokens, &counter.warnings.tokenizers)?);
    let panel = counter.panel;
    let save_learned = &pass.save_learned;
    let Some(first) = panel.first_pass() else {
        return match save_learned {
            Some(_) => {
                Err(Failure::Message("--save-learned has no effect: no metric has a first pass".into()))
            }
            None => Ok((panel, feed)),
        };
    };
    let learned = feed.learn(&panel, &first, warnings)?;
    save_learned.as_ref().map(|path| first.write_learned(&learned, path)).transpose()?;
    let panel = panel.second_pass(&learned)?;
    let zero = feed.zero_weights(&panel);
    warnings.say_also(&zero);
    Ok((panel, feed))
}

/// Source of the segments: parallel text files or a file of records.
enum ScoringInput {
    Streams {
        streams: Streams,
        /// Input files, token settings and tokenizer names, to find the file and line of a rejected text.
        blame: Box<(StreamsRequest, TokenChoice, Vec<String>)>,
    },
    Records {
        records: Box<RecordFile>,
        segment: Box<ReadSegment>,
        ids: bool,
        systems: Systems,
    },
}

impl ScoringInput {
    fn open(sources: &Sources, tokens: &TokenChoice, labels: &[String]) -> Result<Self> {
        let ids = tokens.is_ids();
        Ok(match &sources.records {
            None => {
                let streams = &sources.streams;
                let blame = Box::new((streams.clone(), tokens.clone(), labels.to_vec()));
                ScoringInput::Streams { streams: Streams::open(streams)?, blame }
            }
            Some(file) => ScoringInput::Records {
                records: Box::new(RecordFile::open(file, sources, ids.then(|| tokens.ids()))?),
                segment: Box::default(),
                ids,
                systems: Systems::new(file),
            },
        })
    }

    /// Reads the next segment and adds it to the batch. Returns `false` at the end of the input.
    fn next(&mut self, batch: &mut SegmentBatch, warnings: &mut Warnings) -> Result<bool, InputError> {
        match self {
            ScoringInput::Streams { streams, .. } => {
                let more = streams.advance()?;
                if more {
                    let row = streams.row();
                    warnings.look_at(&row.hypotheses, &row.references);
                    let pushed = batch.push(&row.hypotheses, &row.references, row.source);
                    pushed.map_err(|error| error.at(streams.location()))?;
                }
                Ok(more)
            }
            ScoringInput::Records { records, segment, ids, systems } => {
                if !records.next(segment)? {
                    systems.check().map_err(|error| records.located(error))?;
                    return Ok(false);
                }
                let system = systems.add(segment).map_err(|error| error.at(records.location()))?;
                let (hypothesis, references) =
                    record_texts(segment, *ids).map_err(|error| error.at(records.location()))?;
                warnings.look_at(&[&hypothesis], &references);
                let pushed = batch.push([&hypothesis], &references, segment.source.as_deref());
                pushed.map_err(|error| error.at(records.location()))?;
                batch.set_origin(system, records.line());
                Ok(true)
            }
        }
    }

    fn position(&self) -> Option<(u64, u64)> {
        match self {
            ScoringInput::Streams { streams, .. } => streams.position(),
            ScoringInput::Records { records, .. } => records.position(),
        }
    }

    fn names(&self, count: usize) -> Vec<String> {
        match self {
            ScoringInput::Streams { streams, .. } => streams.system_names(count),
            ScoringInput::Records { systems, .. } => systems.names().to_vec(),
        }
    }

    /// Returns the labels, such as the id, of the segment that was read last. Also returns the pairs of
    /// reference and hypothesis speakers that a metric matched. A segment without a score has no pairs.
    fn labels(&self, panel: &Panel) -> PrintedLabels {
        let ScoringInput::Records { segment, ids, .. } = self else { return PrintedLabels::default() };
        if *ids || !has_pairings(panel) {
            return PrintedLabels::from_record(segment);
        }
        let references: Vec<&str> = segment.present_references().collect();
        let hypothesis = segment.hypothesis.as_deref().unwrap_or_default();
        let session = bleuprint::Segment::new(hypothesis, &references);
        let pairings = panel.pairings(&mut PanelScratch::default(), session).unwrap_or_default();
        PrintedLabels { pairings, ..PrintedLabels::from_record(segment) }
    }

    /// Returns the segment that was read last, to keep its labels for printing after all segments are read.
    /// Its texts are kept only if a metric prints which speakers it matched, because the pairs are computed
    /// from the texts.
    fn take(&mut self, panel: &Panel) -> Option<Box<ReadSegment>> {
        let ScoringInput::Records { segment, .. } = self else { return None };
        // Only sessions print pairs; for all others, keeping the texts a second time would waste memory.
        if has_pairings(panel) {
            return Some(std::mem::take(segment));
        }
        let ReadSegment { id, system, document, domain, speaker, .. } = &mut **segment;
        let [id, system, document, domain, speaker] =
            [id, system, document, domain, speaker].map(Option::take);
        Some(Box::new(ReadSegment { id, system, document, domain, speaker, ..ReadSegment::default() }))
    }

    fn located(&self, error: InputError) -> InputError {
        match self {
            ScoringInput::Streams { blame, .. } => {
                let (streams, tokens, labels) = &**blame;
                blamed(error, streams, &tokens.of_labels(labels))
            }
            ScoringInput::Records { records, .. } => records.located(error),
        }
    }
}

fn has_pairings(panel: &Panel) -> bool {
    panel.metrics().any(|metric| metric.view.parted.is_some())
}

/// Sequence of segments for one pass: read from the input files, or kept in memory from a first pass.
struct Feed {
    input: ScoringInput,
    stored: Option<std::vec::IntoIter<ScoredSegment>>,
    progress: ProgressLine,
}

/// Segment that is kept in memory for a second pass: its texts and its record.
struct ScoredSegment {
    texts: SegmentBatch,
    record: Option<Box<ReadSegment>>,
}

impl Feed {
    fn new(input: ScoringInput) -> Self {
        Feed { input, stored: None, progress: ProgressLine::new("segments scored") }
    }

    /// Returns messages about metrics that learned weights of 0 alone from the segments in memory.
    fn zero_weights(&self, panel: &Panel) -> Vec<LikelyMistake> {
        let segments = self.stored.as_ref().map_or(&[][..], |stored| stored.as_slice());
        let reference = |segment: &ScoredSegment| {
            let first =
                segment.texts.first(|_, segment| segment.references.first().map(|&text| text.to_owned()));
            first.flatten()
        };
        let references: Vec<String> = segments.iter().take(SELF_SCORED).filter_map(reference).collect();
        let names = zero_weights(panel, references.iter().map(String::as_str));
        let message = |name: &String| LikelyMistake::of_zero_weights(name, segments.len(), wording());
        names.iter().map(message).collect()
    }

    /// Adds the next segment, from the files or from memory, to the batch. Returns `false` at the end.
    fn next(&mut self, batch: &mut SegmentBatch, warnings: &mut Warnings) -> Result<bool, InputError> {
        let Some(stored) = &mut self.stored else {
            let more = self.input.next(batch, warnings)?;
            if more {
                self.progress.add(|| self.input.position());
            }
            return Ok(more);
        };
        let Some(ScoredSegment { texts, record }) = stored.next() else { return Ok(false) };
        batch.append(&texts);
        self.progress.add(|| None);
        if let (ScoringInput::Records { segment, .. }, Some(record)) = (&mut self.input, record) {
            *segment = record;
        }
        Ok(true)
    }

    /// Runs the first pass of metrics that learn weights from references, and returns the learned weights.
    fn learn(
        &mut self,
        panel: &Panel,
        first: &Panel,
        warnings: &mut Warnings,
    ) -> Result<PanelState, InputError> {
        self.progress = ProgressLine::new("segments read");
        let mut texts = SegmentBatch::default();
        let mut segments = Vec::new();
        let mut learner = Accumulator::<&Panel, str>::new(first);
        while self.next(&mut texts, warnings)? {
            // Systems share their references, so the first system is enough.
            let learned = texts.first(|system, segment| match segment.of_each().first() {
                Some(one) if system == 0 => learner.add(*one),
                _ => Ok(()),
            });
            learned.unwrap_or(Ok(())).map_err(|error| self.input.located(error))?;
            let record = self.input.take(panel);
            segments.push(ScoredSegment { texts: std::mem::take(&mut texts), record });
        }
        self.stored = Some(segments.into_iter());
        self.progress = ProgressLine::new("segments scored");
        Ok(learner.into())
    }
}

fn score_systems(panel: &Panel, feed: &mut Feed, warnings: &mut Warnings) -> Result<Vec<SystemScores>> {
    let observed = stream_systems(panel, |batch| feed.next(batch, warnings));
    let states = observed.map_err(|error| feed.input.located(error))?;
    if states.is_empty() {
        return Err(feed.input.located(InputErrorKind::EmptyCorpus.into()).into());
    }
    let names = feed.input.names(states.len());
    names.into_iter().zip(&states).map(|(name, state)| Ok((name, panel.scores(state)?))).collect()
}

fn take_segments(
    panel: &Panel,
    feed: &mut Feed,
    warnings: &mut Warnings,
    take: &mut TakeSegment<'_>,
) -> Result<()> {
    // The reader is ahead of the scores, so the labels of each segment wait in this queue.
    let waiting = Mutex::new(VecDeque::new());
    let lock = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let mut segments = 0;
    let read = |batch: &mut SegmentBatch| {
        let more = feed.next(batch, warnings)?;
        if more {
            lock().push_back(feed.input.labels(panel));
        }
        Ok(more)
    };
    let score = |state: &PanelState| panel.segment_scores(state);
    let scored = stream_scores(panel, read, score, |number, systems| {
        let [scores] = &systems[..] else {
            fail!("--sentence-level takes one system, but {} were given", systems.len());
        };
        let labels = lock().pop_front().unwrap_or_default();
        segments += 1;
        take(scores.as_ref().map_err(Clone::clone)?, number, &labels)
    });
    scored.map_err(|failure| failure.located(|error| feed.input.located(error)))?;
    if segments == 0 { Err(feed.input.located(InputErrorKind::EmptyCorpus.into()).into()) } else { Ok(()) }
}
