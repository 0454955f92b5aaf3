//! Coverage, density and compression: how much of a summary is copied from its source, and in what pieces.
//!
//! ```text
//! coverage = Σ n / |summary|        density = Σ n² / |summary|        compression = |source| / |summary|
//! ```
//!
//! The sums are over the fragments, each of `n` tokens. From the first token of the summary that is not yet in one, the source is
//! scanned: at a place with the same token the common run is taken, kept if it is longer than the best so far, and the scan goes on
//! **behind** it. The best run is a fragment; without one the token is in none. Runs inside a run are not looked at: `a a b` is not
//! found in `a a a b`, where the scan takes `a a` and goes on at the third token. So the program has it.
//!
//! [`Extractive`] is of the whole corpus, sums over sums; [`Mean`]`::new(Extractive::default())` is the mean of
//! summaries, which the name `extractive` stands for.
//!
//! | singular case | result |
//! |---|---|
//! | empty summary | 0 each |
//! | empty source | 0 each |
//! | no source | error |
//! | references | not used |
//! | nothing observed | 0 |
//!
//! Ranges: coverage 0 to 1, density 0 to the length of the summary, compression from 0 without limit; none is better as such, and
//! comparisons take more for better. Source: Grusky et al. 2018, Newsroom: A Dataset of 1.3 Million Summaries with Diverse Extractive
//! Strategies; numbers as lighteval 0.13.0 over the same tokens, to the last bit. By name tokens are in lower case, as there. Time is
//! the product of the lengths where tokens repeat.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_sources::Extractive;
//!
//! let mut extractive = Accumulator::<_, [&str]>::new(Extractive::default());
//! let segment = Segment::of(&["a", "a", "b"][..], &[], Some(&["a", "a", "a", "b"][..]));
//! extractive.push_segment(segment).unwrap();
//! let score = extractive.score().unwrap().score;
//! assert_eq!((score.coverage, score.density, score.compression), (1.0, 5.0 / 3.0, 4.0 / 3.0));
//! ```

use core::hash::Hash;
use std::borrow::Cow;

use bleuprint_core::{
    Case, ConfigError, Identity, InputError, Mean, Metric, Observe, Result, Scale, Score, Segment,
    SegmentCounts, Stats, check_interrupt, columns,
};
use bleuprint_ngram::Interner;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt};

/// Coverage, density and compression of a corpus, without options; [the module](self) has the definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extractive {
    micro: bool,
}

impl Extractive {
    /// The same, named in key and signature: the score of a corpus by a name, next to the mean of summaries.
    #[must_use]
    pub fn micro() -> Self {
        Extractive { micro: true }
    }
}

columns! {
    /// Its statistics.
    pub struct ExtractiveStats {
        /// Tokens of summaries in fragments.
        covered <= summary,
        /// The squares of the lengths of fragments.
        squares,
        /// Tokens of summaries.
        summary,
        /// Tokens of sources.
        source
    }
}

/// Coverage, density and compression.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ExtractiveScore {
    /// The share of summaries in fragments.
    pub coverage: f64,
    /// The length of the fragment that a token of a summary is in, on average.
    pub density: f64,
    /// Tokens of sources to a token of summaries.
    pub compression: f64,
}

impl Score for ExtractiveScore {
    fn value(&self) -> f64 {
        self.coverage
    }
    fn headlines(&self) -> Vec<f64> {
        vec![self.coverage, self.density, self.compression]
    }
}

/// Tables reused from segment to segment.
#[derive(Debug, Default)]
pub struct ExtractiveScratch {
    interner: Interner,
    /// By token, its first place in the source plus one.
    first: Vec<u32>,
    /// By place in the source, the next place of the same token plus one.
    next: Vec<u32>,
}

impl Metric for Extractive {
    type Stats = ExtractiveStats;
    type Score = ExtractiveScore;
    type Scratch = ExtractiveScratch;

    fn identity(&self) -> Identity {
        let scale = Scale::higher_is_better(0.0, f64::INFINITY);
        Identity::new("extractive", 1, scale)
            .option(MICRO, self.micro)
            .needing(|needs| needs.source = true)
            .reference_free()
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        ["coverage", "density", "compression"].map(Cow::Borrowed).to_vec()
    }
    fn finalize(&self, stats: &ExtractiveStats, _: &SegmentCounts) -> Result<ExtractiveScore> {
        let per_token =
            |count: u64| if stats.summary == 0 { 0.0 } else { count as f64 / stats.summary as f64 };
        Ok(ExtractiveScore {
            coverage: per_token(stats.covered),
            density: per_token(stats.squares),
            compression: per_token(stats.source),
        })
    }
}

impl<T: Hash + Eq> Observe<[T]> for Extractive {
    fn observe(
        &self,
        scratch: &mut ExtractiveScratch,
        stats: &mut ExtractiveStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let (summary, source) = (segment.hypothesis, segment.source()?);
        require_few(summary.len().saturating_add(source.len()))?;
        let ExtractiveScratch { interner, first, next } = scratch;
        interner.intern_segment(summary, &[source]);
        first.clear();
        first.resize(interner.distinct(), 0);
        let mut own = ExtractiveStats {
            summary: summary.len() as u64,
            source: source.len() as u64,
            ..Default::default()
        };
        let (summary, source) = (interner.hypothesis(), interner.reference(0));
        next.clear();
        next.resize(source.len(), 0);
        for (place, &token) in source.iter().enumerate().rev() {
            next[place] = std::mem::replace(&mut first[token as usize], place as u32 + 1);
        }
        let mut at = 0;
        while at < summary.len() {
            check_interrupt()?;
            let run = longest(&summary[at..], source, first[summary[at] as usize], next);
            own.covered += run as u64;
            own.squares += (run * run) as u64;
            at += run.max(1);
        }
        stats.merge(&own)
    }
}

/// The longest run of the scan, over the places of the first token.
fn longest(summary: &[u32], source: &[u32], first: u32, next: &[u32]) -> usize {
    let (mut longest, mut place, mut behind) = (0, first as usize, 0);
    while place > 0 {
        if place > behind {
            let run =
                summary.iter().zip(&source[place - 1..]).take_while(|(one, other)| one == other).count();
            longest = longest.max(run);
            behind = place - 1 + run;
        }
        place = next[place - 1] as usize;
    }
    longest
}

fn require_few(tokens: usize) -> Result<()> {
    const LIMIT: usize = (1 << 31) - 1;
    if tokens <= LIMIT {
        return Ok(());
    }
    Err(InputError::limit("the number of tokens of a segment", tokens, "below 2^31"))
}

const MICRO: Opt<bool> = Opt::flag("extractive-micro")
    .counted("micro", "micro")
    .words("corpus", "")
    .help("Quotients of sums over the corpus, in place of the mean of summaries");

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "extractive",
    "Coverage, density and compression of summaries against their sources",
    build,
)
.papers(&[crate::paper("grusky-etal-2018-newsroom")])
.agrees_with("lighteval 0.13.0, over the same tokens")
.options(&[MICRO.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let metric = match MICRO.of(options)? {
        true => AnyMetric::over_ids(Extractive::micro())?,
        false => AnyMetric::over_ids(Mean::new(Extractive::default()))?,
    };
    Ok(metric.with_case(Case::Lower))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn obeys_the_laws() {
        bleuprint_registry::laws::check(&Extractive::micro());
        bleuprint_registry::laws::check(&Mean::new(Extractive::default()));
    }

    /// The scan of the definition, place by place.
    fn naive(summary: &[u8], source: &[u8]) -> Vec<usize> {
        let (mut at, mut fragments) = (0, Vec::new());
        while at < summary.len() {
            let (mut best, mut place) = (0, 0);
            while place < source.len() {
                let run = summary[at..].iter().zip(&source[place..]).take_while(|(a, b)| a == b).count();
                best = best.max(run);
                place += run.max(1);
            }
            fragments.extend((best > 0).then_some(best));
            at += best.max(1);
        }
        fragments
    }

    quickcheck! {
        fn fragments_are_those_of_the_scan(summary: Vec<u8>, source: Vec<u8>, alphabet: u8) -> bool {
            let few = |tokens: Vec<u8>| tokens.iter().map(|token| token % (alphabet % 9 + 1)).collect::<Vec<u8>>();
            let (summary, source) = (few(summary), few(source));
            let mut stats = ExtractiveStats::default();
            let segment = Segment::<[u8]>::of(&summary, &[], Some(&source));
            Extractive::default().observe(&mut ExtractiveScratch::default(), &mut stats, segment).unwrap();
            let fragments = naive(&summary, &source);
            stats.covered as usize == fragments.iter().sum::<usize>()
                && stats.squares as usize == fragments.iter().map(|n| n * n).sum::<usize>()
        }
    }
}
