//! [`stream_systems`]: reads a corpus segment by segment and computes its metric statistics in all threads,
//! in bounded memory.
//!
//! ```text
//! read round 1   read round 2   read round 3   ..
//!                score round 1  score round 2  ..        (in all threads, a batch at a time)
//! ```
//!
//! In the first milliseconds one thread works alone, a batch at a time: a small corpus is done before other
//! threads could help. After that a round is a few batches for every thread. Two rounds are in memory: one
//! being read and one being scored. Their memory is reused, so it is bounded by two rounds: about 8 batches
//! of 64 KiB for each thread, or more if single segments are larger. Batches merge as integers, so the result
//! does not depend on the number of threads or on how the corpus is split into batches.

use std::time::{Duration, Instant};

use bleuprint_core::{InputError, Location, Observe, Result, Segment, SegmentCounts, State};
use bleuprint_inference::{join, map_mut, threads};
use smallvec::SmallVec;

use crate::SystemsSegment;
use crate::batches::{batch_of, observe_up_to_error};
use crate::systems::SystemStates;

/// Number of bytes of text at which a batch is full: enough work for a thread, and small enough for a core's
/// cache.
const BATCH_BYTES: usize = 1 << 16;

/// Greatest number of segments in a batch, however short they are.
const BATCH_SEGMENTS: usize = 1 << 10;

/// Number of batches of segments for each thread that are read at once, while the batches before them are
/// scored. A small number saves memory; a larger number lets all threads finish at about the same time.
const BATCHES_PER_THREAD: usize = 4;

/// Time for which one thread scores the corpus alone: several times the cost of starting other threads.
const ALONE: Duration = Duration::from_millis(8);

/// Computes the merged statistics of each system of a corpus that is read as a stream. `read` adds one
/// segment at a time to the batch. With the feature `parallel`, all threads of the current rayon pool take
/// part.
///
/// `read` is never called by two threads at once. At the end of the corpus it returns `false` and adds
/// nothing. It runs while earlier segments are scored.
///
/// ```
/// use bleuprint_core::{Case, InputError};
/// use bleuprint_eval::{Tokenized, stream_systems};
/// use bleuprint_metrics::Bleu;
/// use bleuprint_text::{LineReader, TokenizerOptions, tokenizer};
///
/// let mut hypotheses = LineReader::new(&b"The cat sat.\nA dog.\n"[..], "hyp.txt");
/// let mut references = LineReader::new(&b"The cat sat.\nOne dog.\n"[..], "ref.txt");
/// let (mut hypothesis, mut reference) = (String::new(), String::new());
///
/// let bleu = Tokenized::new(Bleu::default(), tokenizer("13a", &TokenizerOptions::default()).unwrap(), Case::Mixed).unwrap();
/// let observed = stream_systems(&bleu, |batch| {
///     // `bleuprint_text` has readers that also compare the lengths of the two files.
///     let more = hypotheses.next(&mut hypothesis)? & references.next(&mut reference)?;
///     if more {
///         batch.push([&hypothesis], [&reference], None)?;
///     }
///     Ok::<bool, InputError>(more)
/// })
/// .unwrap();
/// assert_eq!(observed[0].counts().segments, 2);
/// assert_eq!(observed[0].score(&bleu).unwrap().score.clipped[..], [6, 4, 2, 1]);
/// ```
///
/// # Errors
/// Returns the errors of `read` and of [`Observe::observe`], with the number of the segment if its file and
/// line are unknown. If several segments fail, returns the error of the first one.
pub fn stream_systems<M: Observe<str>>(
    metric: &M,
    mut read: impl FnMut(&mut SegmentBatch) -> Result<bool> + Send,
) -> Result<Vec<State<M::Stats>>> {
    let workers = stream(
        || SystemStates::new(metric),
        |systems, batch| ((), add_batch(metric, systems, batch)),
        &mut read,
        |()| Ok::<(), InputError>(()),
    )?;
    let mut totals: Vec<State<M::Stats>> = Vec::new();
    for worker in workers {
        let states = worker.states()?;
        totals.resize_with(totals.len().max(states.len()), || State::zero(metric));
        totals.iter_mut().zip(&states).try_for_each(|(total, state)| total.merge(state))?;
    }
    Ok(totals)
}

/// Adds the segments of a batch to the statistics of the systems. A metric may take many segments in one
/// call.
fn add_batch<M: Observe<str>>(
    metric: &M,
    systems: &mut SystemStates<'_, M>,
    batch: &SegmentBatch,
) -> Result<()> {
    if batch_of(metric) == 1 {
        return batch.segments().try_for_each(|(number, texts)| {
            let segment = texts.as_segment();
            let first = texts.systems().start;
            let added = match segment.of_only() {
                Some(only) => systems.add(first, &[only]),
                None => systems.add(first, &segment.of_each()),
            };
            added.map_err(|error| texts.locate(number, error))
        });
    }
    observe_batch(metric, &mut M::Scratch::default(), batch, |_, texts, states| {
        systems.merge(texts.systems().start, &states)
    })
}

/// Scores each segment of each system while later segments are read. `score` computes a result from a
/// segment's statistics, and `each` gets the segment's number and one result for each system, in the order of
/// the segments. All threads take part.
///
/// # Errors
/// Returns the errors of `read`, of `each` and of [`Observe::observe`].
pub fn stream_scores<M, R, E>(
    metric: &M,
    mut read: impl FnMut(&mut SegmentBatch) -> Result<bool> + Send,
    score: impl Fn(&State<M::Stats>) -> R + Sync,
    mut each: impl FnMut(u64, Vec<R>) -> Result<(), E>,
) -> Result<(), E>
where
    M: Observe<str>,
    R: Send,
    E: From<InputError> + Send,
{
    let observe = |scratch: &mut M::Scratch, batch: &SegmentBatch| {
        let mut scored = Vec::new();
        let done = observe_batch(metric, scratch, batch, |number, _, states| {
            scored.push((number, states.iter().map(&score).collect::<Vec<R>>()));
            Ok(())
        });
        (scored, done)
    };
    let hand_over =
        |scored: Vec<(u64, Vec<R>)>| scored.into_iter().try_for_each(|(number, scores)| each(number, scores));
    stream(M::Scratch::default, observe, &mut read, hand_over).map(|_| ())
}

/// Computes the statistics of each segment of a batch and passes them to `each`, in order, with one state for
/// each system. The metric gets as many segments in one call as it asks for.
fn observe_batch<'b, M: Observe<str>>(
    metric: &M,
    scratch: &mut M::Scratch,
    batch: &'b SegmentBatch,
    mut each: impl FnMut(u64, &BatchTexts<'b>, Vec<State<M::Stats>>) -> Result<()>,
) -> Result<()> {
    let all: Vec<(u64, BatchTexts<'b>)> = batch.segments().collect();
    for some in all.chunks(batch_of(metric)) {
        let segments: Vec<SystemsSegment<'_, str>> =
            some.iter().map(|(_, texts)| texts.as_segment()).collect();
        let flat: Vec<Segment<'_, str>> = segments.iter().flat_map(SystemsSegment::of_each).collect();
        let (stats, failed) = observe_up_to_error(metric, scratch, &flat);
        let observed = stats.len();
        let mut stats = stats.into_iter();
        let mut end = 0;
        for ((number, texts), segment) in some.iter().zip(&segments) {
            end += segment.hypotheses.len();
            // The error belongs to a system of this segment, so the segment has no complete list of states.
            if end > observed {
                return failed.map_or(Ok(()), |error| Err(texts.locate(*number, error)));
            }
            let counts = SegmentCounts::of_segment(segment.references.len());
            let own = stats.by_ref().take(segment.hypotheses.len());
            each(
                *number,
                texts,
                own.map(|stats| State::from_stats(metric, counts, stats)).collect::<Result<_>>()?,
            )?;
        }
    }
    Ok(())
}

/// Reads segments in batches and scores them in all threads. `worker` creates a thread's working memory, with
/// which `observe` scores a batch. If a segment fails, the output of its batch covers the segments before it.
/// `each` gets the output of every batch, in order.
fn stream<W: Send, A: Send, E: From<InputError> + Send>(
    worker: impl Fn() -> W,
    observe: impl Fn(&mut W, &SegmentBatch) -> (A, Result<()>) + Sync,
    read: &mut Read<'_>,
    mut each: impl FnMut(A) -> Result<(), E>,
) -> Result<Vec<W>, E> {
    let mut reader = StreamReader { read, segments: 0, ended: false };
    let mut workers = vec![worker()];
    let started = Instant::now();
    let mut alone = [SegmentBatch::default()];
    loop {
        let read = reader.read_round(&mut alone);
        let [batch] = &alone;
        let (output, scored) = observe(&mut workers[0], batch);
        each(output)?;
        // Segments that were read before a reading error are scored first: an error among them is the earlier
        // one.
        scored?;
        read?;
        if batch.is_empty() {
            return Ok(workers);
        }
        // The order of the two conditions matters: asking for the number of threads starts them.
        if started.elapsed() > ALONE && threads() > 1 {
            break;
        }
    }
    let batches = BATCHES_PER_THREAD * threads();
    workers.resize_with(batches, worker);
    // Two sets of batches take turns, so that reading and scoring never share one.
    let mut scoring: Vec<SegmentBatch> = (0..batches).map(|_| SegmentBatch::default()).collect();
    let mut reading: Vec<SegmentBatch> = (0..batches).map(|_| SegmentBatch::default()).collect();
    let mut read = reader.read_round(&mut reading);
    loop {
        core::mem::swap(&mut scoring, &mut reading);
        let done = read;
        let mut round: Vec<(&mut W, &SegmentBatch)> = workers.iter_mut().zip(&scoring).collect();
        let score = || map_mut(&mut round, |_, (worker, batch)| observe(worker, batch));
        let (scored, next) = join(score, || reader.read_round(&mut reading));
        // The order of errors follows the segments: first those that were scored, then the reading error
        // behind them.
        for (output, scored) in scored {
            each(output)?;
            scored?;
        }
        done?;
        if scoring.iter().all(SegmentBatch::is_empty) {
            return Ok(workers);
        }
        read = next;
    }
}

/// Batch of segments whose texts are stored one after another in one reused buffer.
#[derive(Debug, Default)]
pub struct SegmentBatch {
    text: String,
    /// End of each text in the buffer: hypotheses, references and source of one segment, then of the next
    /// segment.
    ends: Vec<usize>,
    segments: Vec<BatchSegment>,
    /// Number of the batch's first segment within the corpus, from 1.
    first: u64,
}

#[derive(Debug, Clone, Copy)]
struct BatchSegment {
    system: usize,
    hypotheses: usize,
    references: usize,
    source: bool,
    /// Line of the segment in its input file, if the reader has set it.
    line: Option<u64>,
}

impl SegmentBatch {
    /// Adds a segment to the batch: a hypothesis of each system, and references and source if the metric
    /// needs them.
    ///
    /// # Errors
    /// Returns an error with the number of bytes if memory for a text cannot be allocated.
    pub fn push<H: AsRef<str>, T: AsRef<str>>(
        &mut self,
        hypotheses: impl IntoIterator<Item = H>,
        references: impl IntoIterator<Item = T>,
        source: Option<&str>,
    ) -> Result<()> {
        let start = self.ends.len();
        hypotheses.into_iter().try_for_each(|hypothesis| self.write(hypothesis.as_ref()))?;
        let hypotheses = self.ends.len() - start;
        references.into_iter().try_for_each(|reference| self.write(reference.as_ref()))?;
        let references = self.ends.len() - start - hypotheses;
        source.map_or(Ok(()), |source| self.write(source))?;
        let source = source.is_some();
        self.segments.push(BatchSegment { system: 0, hypotheses, references, source, line: None });
        Ok(())
    }

    /// Sets the system and the input line of the segment that was added last, for input with one system in
    /// each record. Errors then name the line in place of the segment's number.
    pub fn set_origin(&mut self, system: usize, line: Option<u64>) {
        if let Some(last) = self.segments.last_mut() {
            (last.system, last.line) = (system, line);
        }
    }

    /// Copies the segments of another batch to the end of this batch, without their line numbers.
    pub fn append(&mut self, other: &SegmentBatch) {
        let start = self.text.len();
        let segments = other.segments.iter();
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| start + end));
        self.segments.extend(segments.map(|segment| BatchSegment { line: None, ..*segment }));
    }

    /// Calls `look` with the first segment of the batch and the index of its first system. Returns `None` for
    /// an empty batch.
    pub fn first<R>(&self, look: impl FnOnce(usize, SystemsSegment<'_, str>) -> R) -> Option<R> {
        let (_, texts) = self.segments().next()?;
        Some(look(texts.systems().start, texts.as_segment()))
    }

    fn write(&mut self, text: &str) -> Result<()> {
        let bytes = text.len();
        let none = |_| InputError::malformed(format!("there is no memory for a text of {bytes} bytes"));
        // A reservation that fails is an error; growing the string without it would abort the program.
        self.text.try_reserve(bytes).map_err(none)?;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    fn is_full(&self) -> bool {
        self.text.len() >= BATCH_BYTES || self.segments.len() >= BATCH_SEGMENTS
    }

    /// Empties the batch. The segment that is added next gets the number `first`.
    fn restart(&mut self, first: u64) {
        self.text.clear();
        self.ends.clear();
        self.segments.clear();
        self.first = first;
    }

    pub(crate) fn segments(&self) -> impl Iterator<Item = (u64, BatchTexts<'_>)> {
        let mut start = 0;
        let mut ends = self.ends.iter();
        (self.first..).zip(&self.segments).map(move |(number, &shape)| {
            let count = shape.hypotheses + shape.references + usize::from(shape.source);
            let mut texts = SmallVec::new();
            for &end in ends.by_ref().take(count) {
                texts.push(self.text.get(start..end).unwrap_or_default());
                start = end;
            }
            (number, BatchTexts { texts, shape })
        })
    }
}

pub(crate) struct BatchTexts<'b> {
    texts: SmallVec<[&'b str; 4]>,
    shape: BatchSegment,
}

impl<'b> BatchTexts<'b> {
    /// Adds the location of this segment to an error: its line in the input if known, otherwise its number.
    pub(crate) fn locate(&self, number: u64, error: InputError) -> InputError {
        match self.shape.line {
            Some(line) => error.renumbered(Location { line: Some(line), ..Location::default() }),
            None => error.renumbered(Location::segment(number)),
        }
    }

    pub(crate) fn systems(&self) -> core::ops::Range<usize> {
        self.shape.system..self.shape.system + self.shape.hypotheses
    }

    pub(crate) fn as_segment(&self) -> SystemsSegment<'_, str> {
        let (hypotheses, rest) = self.texts.split_at(self.shape.hypotheses);
        let (references, source) = rest.split_at(self.shape.references);
        SystemsSegment { hypotheses, references, source: source.first().copied() }
    }
}

type Read<'r> = dyn FnMut(&mut SegmentBatch) -> Result<bool> + Send + 'r;

struct StreamReader<'r, 'f> {
    read: &'r mut Read<'f>,
    segments: u64,
    ended: bool,
}

impl StreamReader<'_, '_> {
    /// Reads segments into the batches, one batch after another. After an error, the batches hold the
    /// segments that were read before.
    fn read_round(&mut self, round: &mut [SegmentBatch]) -> Result<()> {
        // Every batch of the round is emptied first, so that none keeps segments of an earlier round after an
        // error.
        round.iter_mut().for_each(|batch| batch.restart(self.segments + 1));
        for batch in round {
            batch.restart(self.segments + 1);
            while !self.ended && !batch.is_full() {
                let more = (self.read)(batch);
                self.ended = !matches!(more, Ok(true));
                more?;
            }
            self.segments += batch.segments.len() as u64;
        }
        Ok(())
    }
}
