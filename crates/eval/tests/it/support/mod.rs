//! Checks one form: through every interface a metric gives the results of observing segments one by one.

use bleuprint_core::{
    Accumulator, Answer, Ask, Case, InputErrorKind, Metric, Observe, Result, Segment, SegmentCounts, Stats,
    Wanted,
};
use bleuprint_eval::{
    Rewards, SystemsSegment, leave_one_out, mbr, observe_systems, pairwise, stream_scores, stream_systems,
};
use bleuprint_inference::in_threads;
use bleuprint_registry::{AnyMetric, AnyScratch, AnyStats, ViewKind};
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, tokenizer};

/// Hypotheses of three systems, two references and a source.
pub(crate) type Texts<'c, S> = ([&'c S; 3], [&'c S; 2], &'c S);

/// Matches, misses, empty texts and texts that repeat.
pub(crate) const TEXTS: [Texts<'static, str>; 6] = [
    (
        ["The dog bit the man.", "the DOG bit a man", "A man, bitten."],
        ["The dog bit the man.", "The dog had bitten the man."],
        "Man bit dog.",
    ),
    (["", "It was not.", "It"], ["It was not unexpected.", "No one was surprised."], "It was expected."),
    (["a a a b, a a", "a b a b a b", "b"], ["a b a b c", "a a b b"], "a b"),
    (["1,000 men!", "1,000 men!", "1,000 men!"], ["1,000 men!", ""], "1,000 women"),
    (
        ["Running dogs run", "dogs run races", "the cat ran in the house of the dog"],
        ["the dogs ran in the house", "running cats"],
        "cats run in a house",
    ),
    (["x", "y z", "x y z x y z"], ["x y z", "x"], "z y x"),
];

/// Number of times that a stream repeats the texts: more than one batch.
const STREAMED: usize = 120;

/// Ids in place of the texts.
pub(crate) const IDS: [Texts<'static, [u32]>; 4] = [
    ([&[1, 2, 3, 4, 5], &[1, 2, 9, 4], &[7]], [&[1, 2, 3, 4, 5], &[2, 3, 4, 4_000_000_000]], &[1, 2]),
    ([&[], &[4_000_000_000, 3], &[3, 3, 3]], [&[3, 3, 4_000_000_000], &[3]], &[3, 3]),
    ([&[1, 2, 1, 2, 1, 2], &[2, 1], &[1, 2, 1]], [&[1, 2, 1, 2], &[2, 2]], &[5]),
    ([&[6, 7, 8, 9], &[6, 7, 8, 9], &[9, 8, 7, 6]], [&[6, 7, 8, 9], &[6, 8]], &[6, 7]),
];

/// Statistics of a metric for one segment, without any interface.
type Alone<'m, S> = dyn Fn(Segment<'_, S>) -> Result<AnyStats> + 'm;

/// Metric as an interface takes it, together with the metric observed alone.
pub(crate) struct Form<'f, S: ?Sized, M: Metric> {
    pub(crate) name: String,
    pub(crate) metric: &'f M,
    /// Returns the statistics of the inner metric within those of `metric`.
    pub(crate) held: fn(&M::Stats) -> &AnyStats,
    pub(crate) behind: &'f AnyMetric,
    pub(crate) alone: &'f Alone<'f, S>,
    pub(crate) corpus: &'f [Texts<'f, S>],
}

/// Result whose error has no place, so that errors can be compared.
type Outcome<T> = core::result::Result<T, InputErrorKind>;

fn outcome<T>(result: Result<T>) -> Outcome<T> {
    result.map_err(|error| error.kind().clone())
}

impl<'f, S: ?Sized + Sync, M: Observe<S>> Form<'f, S, M> {
    /// Returns every segment of every system; segments of all systems follow each other.
    fn flat(&self, source: bool) -> Vec<Segment<'_, S>> {
        let of_segment = |(hypotheses, references, from): &'f Texts<'f, S>| {
            hypotheses
                .iter()
                .map(move |hypothesis| Segment::with_source(*hypothesis, references, source.then_some(*from)))
        };
        self.corpus.iter().flat_map(of_segment).collect()
    }

    fn number(&self, stats: &AnyStats, references: usize) -> Outcome<f64> {
        outcome(self.behind.number(stats, &SegmentCounts::of_segment(references)))
    }

    fn of_system(&self, system: usize, source: bool) -> Outcome<AnyStats> {
        let mut total = self.behind.zero();
        for segment in self.flat(source).into_iter().skip(system).step_by(3) {
            outcome((self.alone)(segment).and_then(|stats| total.merge(&stats)))?;
        }
        Ok(total)
    }

    fn same(&self, door: &str, stats: &M::Stats, expected: &AnyStats) {
        assert_eq!((self.held)(stats), expected, "{}: {door}", self.name);
    }

    /// Checks every interface except streams, which only take text.
    pub(crate) fn holds(&self) {
        self.accumulators();
        self.batches();
        self.rewards();
        self.pairs();
        self.leave_one_out();
        self.aggregates();
    }

    fn accumulators(&self) {
        for system in 0..3 {
            let mut total = Accumulator::<&M, S>::new(self.metric);
            for segment in self.flat(true).into_iter().skip(system).step_by(3) {
                let state = total.push_segment(segment).unwrap();
                self.same("a segment", state.stats(), &(self.alone)(segment).unwrap());
            }
            self.same("an accumulator", total.total().stats(), &self.of_system(system, true).unwrap());
        }
    }

    fn batches(&self) {
        let flat = self.flat(true);
        let expected: Vec<AnyStats> = flat.iter().map(|segment| (self.alone)(*segment).unwrap()).collect();
        let mut stats: Vec<M::Stats> = flat.iter().map(|_| self.metric.zero()).collect();
        self.metric.observe_each(&mut M::Scratch::default(), &mut stats, &flat).unwrap();
        let pairs = stats.iter().zip(&expected);
        pairs.for_each(|(stats, expected)| self.same("a batch", stats, expected));

        let pushed = Accumulator::<&M, S>::new(self.metric).push_each(&flat).unwrap();
        let pairs = pushed.iter().zip(&expected);
        pairs.for_each(|(state, expected)| self.same("push_each", state.stats(), expected));

        let segments: Vec<SystemsSegment<'_, S>> = self.corpus.iter().map(systems).collect();
        for threads in [1, 2, 7] {
            let states =
                in_threads(Some(threads), || observe_systems(self.metric, &segments)).unwrap().unwrap();
            let pairs = states.iter().flatten().zip(&expected);
            pairs.for_each(|(state, expected)| self.same("observe_systems", state.stats(), expected));
            assert_eq!(states.iter().flatten().count(), expected.len(), "{}", self.name);
        }
    }

    fn rewards(&self) {
        let flat = self.flat(false);
        let expected: Outcome<Vec<u32>> = flat
            .iter()
            .map(|segment| {
                let stats = outcome((self.alone)(*segment))?;
                Ok((self.number(&stats, 2)? as f32).to_bits())
            })
            .collect();
        let hypotheses: Vec<&S> = flat.iter().map(|segment| segment.hypothesis).collect();
        let groups: Vec<[&S; 2]> = self.corpus.iter().map(|texts| texts.1).collect();
        let own: Vec<[&S; 2]> = groups.iter().flat_map(|references| [*references; 3]).collect();
        for mut rewards in [Rewards::<&M, S>::new(self.metric), Rewards::new(self.metric).parallel()] {
            let mut out = vec![0.0; flat.len()];
            let done = outcome(rewards.per_group(&hypotheses, 3, &groups, &mut out));
            assert_eq!(done.map(|()| bits(&out)), expected, "{}: rewards of groups", self.name);
            let done = outcome(rewards.per_group(&hypotheses, 1, &own, &mut out));
            assert_eq!(done.map(|()| bits(&out)), expected, "{}: rewards of items", self.name);
        }
    }

    fn pairs(&self) {
        let hypotheses: Vec<&S> = self.corpus.iter().flat_map(|texts| texts.0).collect();
        let references: Vec<&S> = self.corpus.iter().flat_map(|texts| texts.1).collect();
        let pairs = hypotheses.iter().flat_map(|h| references.iter().map(move |r| (*h, *r)));
        let scores = pairs.map(|(hypothesis, reference)| {
            let stats = outcome((self.alone)(Segment::new(hypothesis, &[reference]))).ok()?;
            self.number(&stats, 1).ok().filter(|score| score.is_finite()).map(f64::to_bits)
        });
        // A pair without a score makes the whole an error.
        let expected: Option<Vec<u64>> = scores.collect();
        let matrix = pairwise::matrix(self.metric, &hypotheses, &references);
        let matrix = matrix.ok().map(|scores| scores.into_iter().map(f64::to_bits).collect::<Vec<_>>());
        assert_eq!(matrix, expected, "{}: pairs", self.name);
    }

    fn leave_one_out(&self) {
        let pool: Vec<&S> = self.corpus.iter().flat_map(|texts| [texts.0[0], texts.1[0]]).collect();
        let alone = (0..pool.len()).map(|own| {
            let mut others = pool.clone();
            let hypothesis = others.remove(own);
            outcome((self.alone)(Segment::new(hypothesis, &others)))
        });
        let expected: Outcome<Vec<AnyStats>> = alone.collect();
        let states = outcome(leave_one_out(self.metric, &pool));
        let stats = states
            .map(|states| states.iter().map(|state| (self.held)(state.stats()).clone()).collect::<Vec<_>>());
        assert_eq!(stats, expected, "{}: leave one out", self.name);
    }

    fn aggregates(&self) {
        let hypotheses: Vec<&S> = self.corpus.iter().flat_map(|texts| texts.0).collect();
        for reference in self.corpus.iter().map(|texts| texts.1[0]) {
            let all = laid_together(self.metric, &hypotheses, &[reference]);
            assert_eq!(all.is_some(), aggregates(self.behind), "{}: aggregate references", self.name);
            for (stats, hypothesis) in all.iter().flatten().zip(&hypotheses) {
                let expected = (self.alone)(Segment::new(hypothesis, &[reference])).unwrap();
                self.same("aggregate references", stats, &expected);
            }
            let utilities = mbr::aggregated_utilities(self.metric, &hypotheses, &[reference]);
            assert!(utilities.is_ok() || !aggregates(self.behind), "{}: aggregated utilities", self.name);
        }
    }
}

impl<M: Observe<str>> Form<'_, str, M> {
    /// Checks a corpus that is read from a stream, in one thread and in several.
    pub(crate) fn streams(&self) {
        let expected: Vec<AnyStats> = (0..3)
            .map(|system| {
                let (mut total, once) = (self.behind.zero(), self.of_system(system, true).unwrap());
                (0..STREAMED).for_each(|_| total.merge(&once).unwrap());
                total
            })
            .collect();
        let scores: Vec<Outcome<u64>> = self
            .flat(true)
            .iter()
            .map(|segment| self.number(&(self.alone)(*segment).unwrap(), 2).map(f64::to_bits))
            .collect();
        for threads in [1, 2, 7] {
            let mut read = 0;
            let read_on = |batch: &mut bleuprint_eval::SegmentBatch| {
                let (hypotheses, references, source) = self.corpus[read % self.corpus.len()];
                read += 1;
                let more = read <= STREAMED * self.corpus.len();
                if more {
                    batch.push(hypotheses, references, Some(source))?;
                }
                Ok(more)
            };
            let states = in_threads(Some(threads), || stream_systems(self.metric, read_on)).unwrap().unwrap();
            assert_eq!(states.len(), 3);
            let pairs = states.iter().zip(&expected);
            pairs.for_each(|(state, expected)| self.same("a stream", state.stats(), expected));
        }
        let (mut read, mut scored) = (0, 0);
        let read_on = |batch: &mut bleuprint_eval::SegmentBatch| {
            let Some((hypotheses, references, source)) = self.corpus.get(read) else { return Ok(false) };
            read += 1;
            batch.push(hypotheses, references, Some(source)).map(|()| true)
        };
        let score = |state: &bleuprint_core::State<M::Stats>| {
            outcome(self.metric.number(state.stats(), state.counts())).map(f64::to_bits)
        };
        stream_scores(self.metric, read_on, score, |number, own| {
            assert_eq!(own, scores[scored..scored + 3], "{}: segment {number} of a stream", self.name);
            scored += 3;
            Ok::<(), bleuprint_core::InputError>(())
        })
        .unwrap();
        assert_eq!(scored, scores.len());
    }
}

fn bits(rewards: &[f32]) -> Vec<u32> {
    rewards.iter().map(|reward| reward.to_bits()).collect()
}

pub(crate) fn systems<'c, S: ?Sized>(
    (hypotheses, references, source): &'c Texts<'c, S>,
) -> SystemsSegment<'c, S> {
    SystemsSegment { hypotheses, references, source: Some(source) }
}

/// Returns the statistics against all references together, if the metric has them.
pub(crate) fn laid_together<M: Observe<S>, S: ?Sized>(
    metric: &M,
    hypotheses: &[&S],
    references: &[&S],
) -> Option<Vec<M::Stats>> {
    let ask = Ask::new(Wanted::Aggregate, hypotheses, references);
    match metric.ask(&mut M::Scratch::default(), ask).unwrap() {
        Some(Answer::Stats(all)) => Some(all),
        _ => None,
    }
}

fn aggregates(metric: &AnyMetric) -> bool {
    match metric.view.kind {
        ViewKind::Ids => laid_together(metric, &[&[1u32][..]], &[&[1][..]]).is_some(),
        ViewKind::Tokens => laid_together(metric, &[&["a"][..]], &[&["a"][..]]).is_some(),
        ViewKind::Text => laid_together(metric, &["a"], &["a"]).is_some(),
        ViewKind::Numbers => laid_together(metric, &[&[1.0][..]], &[&[1.0][..]]).is_some(),
        ViewKind::Vectors | ViewKind::Own => false,
    }
}

pub(crate) fn thirteen_a() -> Box<dyn Tokenizer> {
    tokenizer("13a", &TokenizerOptions::default()).unwrap()
}

/// Observes a segment of text as the metric sees it: in this case, through 13a, with tokens numbered in
/// order.
pub(crate) fn alone_over_text(metric: &AnyMetric, case: Case, segment: Segment<'_, str>) -> Result<AnyStats> {
    let all = core::iter::once(segment.hypothesis).chain(segment.references.iter().copied());
    let all = all.chain(segment.source);
    let texts: Vec<String> =
        all.map(|text| if case == Case::Mixed { text.to_owned() } else { text.to_lowercase() }).collect();
    let source = segment.source.is_some();
    let tokens = |text: &String| {
        let mut buffer = TokenBuffer::default();
        let tokens = thirteen_a();
        let cut = tokens.tokenize(text, &mut buffer).unwrap();
        cut.iter().map(str::to_owned).collect::<Vec<String>>()
    };
    match metric.view.kind {
        ViewKind::Numbers | ViewKind::Vectors | ViewKind::Own => panic!("the segment is text"),
        ViewKind::Text => observed(metric, &texts.iter().map(String::as_str).collect::<Vec<_>>(), source),
        ViewKind::Tokens => alone_over_tokens(metric, &texts.iter().map(tokens).collect::<Vec<_>>(), source),
        ViewKind::Ids => {
            let mut seen: Vec<String> = Vec::new();
            let mut id = |token: String| {
                let place = seen.iter().position(|known| *known == token).unwrap_or(seen.len());
                if place == seen.len() {
                    seen.push(token);
                }
                place as u32
            };
            let ids: Vec<Vec<u32>> =
                texts.iter().map(|text| tokens(text).into_iter().map(&mut id).collect()).collect();
            observed(metric, &ids.iter().map(Vec::as_slice).collect::<Vec<_>>(), source)
        }
    }
}

/// Observes a segment of ids as the metric sees it: the ids themselves, or their decimal digits.
pub(crate) fn alone_over_ids(metric: &AnyMetric, segment: Segment<'_, [u32]>) -> Result<AnyStats> {
    let all = core::iter::once(segment.hypothesis).chain(segment.references.iter().copied());
    let texts: Vec<&[u32]> = all.chain(segment.source).collect();
    let source = segment.source.is_some();
    if metric.view.kind == ViewKind::Ids {
        return observed(metric, &texts, source);
    }
    let digits = |ids: &&[u32]| ids.iter().map(u32::to_string).collect::<Vec<_>>();
    alone_over_tokens(metric, &texts.iter().map(digits).collect::<Vec<_>>(), source)
}

fn alone_over_tokens(metric: &AnyMetric, texts: &[Vec<String>], source: bool) -> Result<AnyStats> {
    let texts: Vec<Vec<&str>> =
        texts.iter().map(|tokens| tokens.iter().map(String::as_str).collect()).collect();
    observed(metric, &texts.iter().map(Vec::as_slice).collect::<Vec<_>>(), source)
}

/// Observes a hypothesis with its references, and with the source after them if `source` is set.
fn observed<S: ?Sized>(metric: &AnyMetric, texts: &[&S], source: bool) -> Result<AnyStats>
where
    AnyMetric: Observe<S>,
{
    let end = texts.len() - usize::from(source);
    let segment = Segment::with_source(texts[0], &texts[1..end], texts.get(end).copied());
    let mut stats = metric.zero();
    metric.observe(&mut AnyScratch::default(), &mut stats, segment)?;
    Ok(stats)
}
