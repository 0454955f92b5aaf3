//! [`LengthError`]: a correct metric over any tokens, with every speed-up, and the bugs that can be planted
//! in it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::ThreadId;

use bleuprint_core::{
    Answer, Ask, Identity, InputError, InputErrorKind, Location, Metric, Observe, PairScorer, Prepared,
    Quotient, Result, Scale, ScorePart, Segment, SegmentCounts, StateKey, Stats, Wanted, columns,
};

/// The distance of the hypothesis's length to the nearest of the references', and the share of hypotheses of
/// equal length. A bug that is planted in it has a name; one that no line asks for is none, and then a test
/// finds that all laws hold.
#[derive(Debug, Clone)]
pub(crate) struct LengthError {
    bug: &'static str,
    memory: Arc<AtomicU64>,
    home: ThreadId,
}

columns! {
    pub(crate) struct Apart {
        /// Tokens.
        apart,
        /// Segments of equal length.
        equal <= segments
    }
}

impl LengthError {
    pub(crate) fn with(bug: &'static str) -> Self {
        LengthError { bug, memory: Arc::default(), home: std::thread::current().id() }
    }

    pub(crate) fn right() -> Self {
        LengthError::with("nothing")
    }

    /// Returns 2 if this bug is planted, else 1.
    fn wrong(&self, bug: &str) -> u64 {
        u64::from(self.bug == bug)
    }

    /// Returns the statistics of a hypothesis with this length, for references with these lengths.
    fn apart(&self, hypothesis: usize, references: &[usize]) -> Apart {
        let considered = if self.bug == "first reference counts" { &references[..1] } else { references };
        let apart =
            considered.iter().map(|reference| reference.abs_diff(hypothesis) as u64).min().unwrap_or(0);
        Apart { apart, equal: u64::from(apart == 0) }
    }
}

impl Metric for LengthError {
    type Stats = Apart;
    type Score = [f64; 2];
    /// Lengths of references; only a planted bug keeps them between segments.
    type Scratch = Vec<usize>;

    fn identity(&self) -> Identity {
        let name = if self.bug == "unreadable name" { "length|error" } else { "length_error" };
        let identity = Identity::new(name, 1, Scale::UNBOUNDED);
        match self.bug {
            "needs unsaid references" => identity.reference_free(),
            "observes several references" => identity.needing(|needs| needs.one_reference = true),
            _ => identity,
        }
    }
    fn state_key(&self) -> Arc<StateKey> {
        let key = self.identity().key().to_string();
        let key = if self.bug == "key of its own" { key.replace("/1", "/2") } else { key };
        Arc::new(key.parse().unwrap_or_else(|_| self.identity().key()))
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        if self.bug == "serves other layouts" { Ok(()) } else { self.state_key().require_serves(key) }
    }
    fn zero(&self) -> Apart {
        Apart { apart: self.wrong("zero goes on") * self.memory.load(Relaxed), equal: 0 }
    }
    fn check(&self, stats: &Apart, counts: &SegmentCounts) -> Result<()> {
        if self.bug == "refuses its own" {
            InputError::require_at_most("apart", stats.apart, "references", counts.references)?;
        }
        stats.check(counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        match self.bug {
            "one name for two" => vec!["apart".into()],
            "one name twice" => vec!["apart".into(), "apart".into()],
            _ => vec!["apart".into(), "equal".into()],
        }
    }
    fn batch(&self) -> usize {
        if self.bug == "loses batches" { 1 } else { 8 }
    }
    fn finalize(&self, stats: &Apart, counts: &SegmentCounts) -> Result<[f64; 2]> {
        let mean = |count: u64| count as f64 / counts.segments.max(1) as f64;
        let means = [mean(stats.apart), mean(stats.equal)];
        match self.bug {
            "score in the configuration" => Ok([self.memory.load(Relaxed) as f64, 0.0]),
            "below the scale" => Ok([-1e6, 0.0]),
            "not a number" => Ok([means[0] / stats.apart as f64, 0.0]),
            "error without reason" => Err(InputErrorKind::NoReferences.into()),
            "panics on hostile rows" => Ok([means[0], (counts.segments - stats.equal) as f64]),
            _ => Ok(means),
        }
    }
    fn quotient(&self) -> Option<Quotient> {
        let numerator: &[&str] = match self.bug {
            "quotient of other counts" => &["equal"],
            "quotient of an unknown column" => &["length"],
            _ => return None,
        };
        Some(Quotient { numerator, denominator: &["segments"], factor: 1.0 })
    }
    fn number(&self, stats: &Apart, counts: &SegmentCounts) -> Result<f64> {
        let means = self.finalize(stats, counts)?;
        match self.bug {
            "number of its own" => Ok(means[0].round()),
            "second headline first" => Ok(means[1]),
            _ => Ok(means[0]),
        }
    }
}

impl<T> Observe<[T]> for LengthError {
    fn observe(&self, scratch: &mut Vec<usize>, stats: &mut Apart, segment: Segment<'_, [T]>) -> Result<()> {
        let length = segment.hypothesis.len();
        self.memory.store(length as u64, Relaxed);
        if self.bug == "counts at home only" && std::thread::current().id() != self.home {
            return Ok(());
        }
        match self.bug {
            "counts before it fails" => stats.merge(&Apart { apart: 1, equal: 0 })?,
            "needs an unsaid source" => drop(segment.source()?),
            "refuses two tokens" if length == 2 => return Err(InputError::malformed("two tokens")),
            "panics on empty hypotheses" => assert_ne!(length, 0, "there is no first token"),
            _ => {}
        }
        let lengths: Vec<usize> = segment.references()?.iter().map(|reference| reference.len()).collect();
        let cached = self.bug == "caches references in scratch" && scratch.len() == lengths.len();
        if !cached {
            *scratch = lengths;
        }
        stats.merge(&self.apart(length, scratch))
    }

    fn observe_each(
        &self,
        scratch: &mut Vec<usize>,
        stats: &mut [Apart],
        segments: &[Segment<'_, [T]>],
    ) -> Result<()> {
        for (index, segment) in segments.iter().enumerate() {
            let place = if self.bug == "batches" { 0 } else { index };
            let observed = self.observe(scratch, &mut stats[place], *segment);
            let number = index as u64 + 1 - self.wrong("batch errors");
            observed.map_err(|error| error.at(Location::segment(number)))?;
        }
        Ok(())
    }

    fn prepare(&self, _: &mut Vec<usize>, references: &[&[T]]) -> Result<Prepared> {
        if self.bug == "loses prepared references" {
            return Ok(Prepared::default());
        }
        if references.is_empty() && self.bug != "prepare without references" {
            return Err(InputErrorKind::NoReferences.into());
        }
        let lengths: Vec<usize> = references.iter().map(|reference| reference.len()).collect();
        Ok(Prepared::new(references.len(), lengths))
    }

    fn observe_prepared(
        &self,
        scratch: &mut Vec<usize>,
        stats: &mut Apart,
        segment: Segment<'_, [T]>,
        prepared: &Prepared,
    ) -> Result<()> {
        let Some(lengths) = prepared.get::<Vec<usize>>() else {
            return self.observe(scratch, stats, segment);
        };
        let mut own = self.apart(segment.hypothesis.len(), lengths);
        own.apart += self.wrong("prepare") * (lengths.len() as u64 / 2);
        stats.merge(&own)
    }

    fn observe_prefixes(
        &self,
        _: &mut Vec<usize>,
        segment: Segment<'_, [T]>,
        each: &mut dyn FnMut(&Apart) -> Result<()>,
    ) -> Result<bool> {
        if self.bug == "loses prefixes" {
            return Ok(false);
        }
        let lengths: Vec<usize> = segment.references()?.iter().map(|reference| reference.len()).collect();
        let last =
            segment.hypothesis.len() - self.wrong("last prefix") as usize * segment.hypothesis.len() / 3;
        for end in 1..=last {
            let mut own = self.apart(end, &lengths);
            own.apart += self.wrong("prefixes") * u64::from(end == 2);
            each(&own)?;
        }
        Ok(true)
    }

    fn ask(&self, _: &mut Vec<usize>, ask: Ask<'_, [T]>) -> Result<Option<Answer<'_, Apart>>> {
        Ok(match ask.wanted {
            Wanted::Pairs if self.bug == "loses pair scores" => None,
            Wanted::LeaveOneOut if self.bug == "loses leave-one-out statistics" => None,
            Wanted::Aggregate if self.bug == "loses aggregate references" => None,
            Wanted::Pairing if self.bug == "loses pairings" => None,
            Wanted::Picture if self.bug == "loses pictures" => None,
            Wanted::Pairing if self.bug == "other pairings" => Some(Answer::Pairing(Vec::new())),
            Wanted::Pairs if self.bug == "answers in another form" => Some(Answer::Stats(Vec::new())),
            Wanted::Pairs => Some(Answer::Scores(scores_of_lengths(&ask, self.wrong("pairs")))),
            Wanted::LeaveOneOut => self.left_out(&ask).map(Answer::Stats),
            Wanted::Aggregate => Some(Answer::Stats(self.aggregate(&ask))),
            Wanted::Pairing => ask.segment().map(|segment| {
                let pair = |reference: &&[T]| [reference.len(), segment.hypothesis.len()];
                let named = |pair: [usize; 2]| pair.map(|length| Some(length.to_string()));
                Answer::Pairing(segment.references.iter().map(pair).map(named).collect())
            }),
            Wanted::Picture => ask.segment().map(|segment| {
                let length = segment.hypothesis.len() as u64;
                Answer::Picture(vec![ScorePart::count("length", length)])
            }),
            _ => None,
        })
    }
}

impl LengthError {
    /// Returns the statistics of leaving one out; `None` if the references differ from the hypotheses.
    fn left_out<T>(&self, ask: &Ask<'_, [T]>) -> Option<Vec<Apart>> {
        let lengths = |sequences: &[&[T]]| sequences.iter().map(|own| own.len()).collect::<Vec<_>>();
        let mut sorted = lengths(ask.hypotheses);
        if sorted != lengths(ask.references) && self.bug != "left out of others" {
            return None;
        }
        sorted.sort_unstable();
        let nearest = |sequence: &&[T]| {
            let place = sorted.partition_point(|&length| length < sequence.len());
            let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
            let beside: Vec<usize> = beside.filter_map(|place| sorted.get(place)).copied().collect();
            let taken = beside.len() - self.wrong("left out") as usize * (beside.len() / 2);
            self.apart(sequence.len(), &beside[..taken])
        };
        Some(ask.hypotheses.iter().map(nearest).collect())
    }

    fn aggregate<T>(&self, Ask { hypotheses, references, .. }: &Ask<'_, [T]>) -> Vec<Apart> {
        let sum: usize = references.iter().map(|reference| reference.len()).sum();
        let apart = |hypothesis: &&[T]| {
            let apart = (hypothesis.len() * references.len()).abs_diff(sum) as u64;
            let segments = references.len() as u64
                + self.wrong("aggregate of no segments") * (references.len() as u64 / 2);
            let equal = if apart == 0 { segments } else { 0 };
            Apart { apart: apart + self.wrong("aggregate"), equal }
        };
        hypotheses.iter().map(apart).collect()
    }
}

/// Computes the scores of pairs from the lengths alone, so that a pair costs a subtraction.
fn scores_of_lengths<T>(ask: &Ask<'_, [T]>, wrong: u64) -> Box<dyn PairScorer> {
    let lengths = |sequences: &[&[T]]| sequences.iter().map(|own| own.len()).collect::<Vec<_>>();
    let (own, others) = (lengths(ask.hypotheses), lengths(ask.references));
    Box::new(move |hypotheses: Range<usize>, scores: &mut [f64]| {
        let pairs = own[hypotheses].iter().flat_map(|own| others.iter().map(|other| own.abs_diff(*other)));
        for (apart, score) in pairs.zip(scores) {
            // Equal lengths are left to be observed.
            *score = if apart == 0 { f64::NAN } else { (apart as u64 + wrong) as f64 };
        }
    })
}
