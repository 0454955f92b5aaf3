//! [`observe_stream`]: a corpus that is read segment by segment, scored in all threads, in bounded memory.
//!
//! ```text
//! read round 1   read round 2   read round 3   ..
//!                score round 1  score round 2  ..        (in all threads, a batch at a time)
//! ```
//!
//! A round is a few batches for every thread, and two rounds are in memory: one that is being read and one that is
//! being scored. Their memory is reused, so its bound is the size of two rounds, about 8 batches of 64 KiB per
//! thread, and where segments are larger the largest of them. Batches are merged as integers, so neither the
//! number of threads nor the cut into batches shows in the result.

use bleuprint_core::{InputError, Location, Observe, Observed, References, Stats};
use bleuprint_text::read::{Segment, SegmentReader};
use smallvec::SmallVec;

/// A batch is full at this many bytes of text. Enough work to share out, little enough to stay in a core's cache.
const BATCH_BYTES: usize = 1 << 16;

/// A batch is full at this many segments, however short they are.
const BATCH_SEGMENTS: usize = 1 << 10;

/// Batches per thread and round: the threads end a round within a fraction of a batch's time of each other.
const BATCHES_PER_THREAD: usize = 4;

/// The merged statistics of a corpus whose segments `read` adds to the batch one at a time, in all threads of the
/// current rayon pool (feature `parallel`; else in one).
///
/// `read` is called in turn, never by two threads at once; it returns `false`, and adds nothing, at the end. It
/// runs while earlier segments are being scored.
///
/// ```
/// use bleuprint_core::{Case, InputError, score_observed};
/// use bleuprint_eval::{Tokenized, observe_stream};
/// use bleuprint_metrics::Bleu;
/// use bleuprint_text::{Lines, TokenizerOptions, tokenizer};
///
/// let mut hypotheses = Lines::new(&b"The cat sat.\nA dog.\n"[..], "hyp.txt");
/// let mut references = Lines::new(&b"The cat sat.\nOne dog.\n"[..], "ref.txt");
/// let (mut hypothesis, mut reference) = (String::new(), String::new());
///
/// let bleu = Tokenized::new(Bleu::default(), tokenizer("13a", &TokenizerOptions::default()).unwrap(), Case::Mixed).unwrap();
/// let observed = observe_stream(&bleu, |batch| {
///     // `bleuprint_text` has readers that also compare the lengths of the two files.
///     let more = hypotheses.next(&mut hypothesis)? & references.next(&mut reference)?;
///     if more {
///         batch.push(&hypothesis, [&reference]);
///     }
///     Ok::<bool, InputError>(more)
/// })
/// .unwrap();
/// assert_eq!(observed.references.segments, 2);
/// assert_eq!(score_observed(&bleu, &observed).unwrap().score.clipped[..], [6, 4, 2, 1]);
/// ```
///
/// # Errors
/// Those of `read`; those of [`Observe::observe`], with the number of the segment where no file and line is
/// known. Of several, that of the earliest segment.
pub fn observe_stream<M: Observe<str>>(
    metric: &M,
    read: impl FnMut(&mut Batch) -> Result<bool, InputError> + Send,
) -> Result<Observed<M::Stats>, InputError> {
    let mut reader = Reader { read, segments: 0, ended: false };
    let mut total = Observed { references: References::default(), stats: metric.zero() };
    let mut scoring: Vec<Worker<M::Scratch>> = Vec::new();
    let mut reading: Vec<Worker<M::Scratch>> = Vec::new();
    let batches = BATCHES_PER_THREAD * threads();
    scoring.resize_with(batches, Worker::default);
    reading.resize_with(batches, Worker::default);
    let mut read = reader.read_round(&mut reading);
    loop {
        core::mem::swap(&mut scoring, &mut reading);
        let done = read;
        let (scored, next) = join(|| score_round(metric, &mut scoring), || reader.read_round(&mut reading));
        // In the order of the segments: what was scored, then what kept the rest of that round from being read.
        total.merge(&scored?);
        done?;
        if scoring.iter().all(|worker| worker.batch.is_empty()) {
            return Ok(total);
        }
        read = next;
    }
}

/// [`observe_stream`] from one of `bleuprint_text`'s readers: parallel files, tables, JSON Lines.
///
/// ```
/// use bleuprint_core::Case;
/// use bleuprint_eval::{Tokenized, observe_reader};
/// use bleuprint_metrics::Bleu;
/// use bleuprint_text::{Lines, TokenizerOptions, read::Parallel, tokenizer};
///
/// let stream = |text: &'static str, name: &str| Lines::new(text.as_bytes(), name);
/// let bleu = Tokenized::new(Bleu::default(), tokenizer("13a", &TokenizerOptions::default()).unwrap(), Case::Mixed).unwrap();
/// let mut reader = Parallel::new(stream("a b\nc\n", "hyp"), vec![stream("a\nc\n", "ref")]).unwrap();
/// assert_eq!(observe_reader(&bleu, &mut reader).unwrap().stats.orders[0].clipped, 2);
///
/// let mut reader = Parallel::new(stream("a b\nc\n", "hyp"), vec![stream("a\n", "ref")]).unwrap();
/// let error = observe_reader(&bleu, &mut reader).unwrap_err();
/// assert_eq!(error.to_string(), "hyp has 2 segments, but ref has 1");
/// ```
///
/// # Errors
/// Those of [`observe_stream`]; a segment whose hypothesis is given as ids alone, with its place.
pub fn observe_reader<M: Observe<str>>(
    metric: &M,
    reader: &mut (impl SegmentReader + Send),
) -> Result<Observed<M::Stats>, InputError> {
    let mut segment = Segment::default();
    observe_stream(metric, move |batch| {
        let more = reader.next(&mut segment)?;
        if more {
            let hypothesis = segment.hypothesis.as_deref().ok_or_else(|| {
                let message = "the hypothesis is not given as text".to_owned();
                InputError::malformed(message).at(reader.location())
            })?;
            batch.push(hypothesis, segment.present_references());
        }
        Ok(more)
    })
}

/// Segments whose text lies in one piece of memory, which is reused.
#[derive(Debug, Default)]
pub struct Batch {
    text: String,
    /// Where each text ends: hypothesis, reference, reference, .., hypothesis, ..
    ends: Vec<usize>,
    /// Where the texts of each segment end, in `ends`.
    segments: Vec<usize>,
    /// The number of the first segment, from 1.
    first: u64,
}

impl Batch {
    /// Adds a segment. One without references is an error when it is scored.
    pub fn push<T: AsRef<str>>(&mut self, hypothesis: &str, references: impl IntoIterator<Item = T>) {
        self.append(hypothesis);
        references.into_iter().for_each(|reference| self.append(reference.as_ref()));
        self.segments.push(self.ends.len());
    }

    fn append(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    fn is_full(&self) -> bool {
        self.text.len() >= BATCH_BYTES || self.segments.len() >= BATCH_SEGMENTS
    }

    /// Empties it; the next segment is number `first`.
    fn restart(&mut self, first: u64) {
        self.text.clear();
        self.ends.clear();
        self.segments.clear();
        self.first = first;
    }

    /// The texts of each segment: the hypothesis, then the references.
    fn segments(&self) -> impl Iterator<Item = SmallVec<[&str; 4]>> {
        let mut start = 0;
        let mut texts = self.ends.iter().map(move |&end| {
            let text = self.text.get(start..end).unwrap_or_default();
            start = end;
            text
        });
        let mut taken = 0;
        self.segments.iter().map(move |&end| {
            let segment = texts.by_ref().take(end - taken).collect();
            taken = end;
            segment
        })
    }
}

/// A batch and the tables it is scored with.
#[derive(Default)]
struct Worker<T> {
    batch: Batch,
    scratch: T,
}

struct Reader<F> {
    read: F,
    segments: u64,
    ended: bool,
}

impl<F: FnMut(&mut Batch) -> Result<bool, InputError>> Reader<F> {
    /// Fills the batches one after the other; what could be read before an error stays in them.
    fn read_round<T>(&mut self, round: &mut [Worker<T>]) -> Result<(), InputError> {
        for Worker { batch, .. } in &mut *round {
            batch.restart(self.segments + 1);
        }
        for Worker { batch, .. } in round {
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

fn score_round<M: Observe<str>>(
    metric: &M,
    round: &mut [Worker<M::Scratch>],
) -> Result<Observed<M::Stats>, InputError> {
    let mut total = Observed { references: References::default(), stats: metric.zero() };
    for scored in map_in_order(round, |worker| score_batch(metric, worker)) {
        total.merge(&scored?);
    }
    Ok(total)
}

fn score_batch<M: Observe<str>>(
    metric: &M,
    Worker { batch, scratch }: &mut Worker<M::Scratch>,
) -> Result<Observed<M::Stats>, InputError> {
    let mut observed = Observed { references: References::default(), stats: metric.zero() };
    for (number, texts) in (batch.first..).zip(batch.segments()) {
        let Some((hypothesis, references)) = texts.split_first() else { continue };
        metric
            .observe(scratch, &mut observed.stats, hypothesis, references)
            .map_err(|error| error.at(Location::segment(number)))?;
        observed.references.merge(&References::of_segment(references.len()));
    }
    Ok(observed)
}

#[cfg(feature = "parallel")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "parallel"))]
fn threads() -> usize {
    1
}

#[cfg(feature = "parallel")]
fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    rayon::join(one, other)
}

#[cfg(not(feature = "parallel"))]
fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

#[cfg(feature = "parallel")]
fn map_in_order<T: Send, A: Send>(items: &mut [T], map: impl Fn(&mut T) -> A + Sync + Send) -> Vec<A> {
    use rayon::prelude::*;
    items.par_iter_mut().map(map).collect()
}

#[cfg(not(feature = "parallel"))]
fn map_in_order<T, A>(items: &mut [T], map: impl Fn(&mut T) -> A) -> Vec<A> {
    items.iter_mut().map(map).collect()
}
