//! Coverage, density and compression: how much of a summary is copied from its source, and how long the
//! copied pieces are.
//!
//! ```text
//! coverage = Σ n / |summary|        density = Σ n² / |summary|        compression = |source| / |summary|
//! ```
//!
//! The sums are over fragments, each of `n` tokens. They are found as in the original program. From the first
//! token of the summary that is not in a fragment yet, the source is scanned. At each place with the same
//! token, the common run of tokens is measured, and the scan continues **after** it. The longest run is a
//! fragment; if there is no run, the token is in no fragment. Runs that start inside another run are missed:
//! `a a b` is not found in `a a a b`, because the scan takes `a a` and continues at the third token.
//!
//! [`Extractive`] scores the whole corpus, as quotients of sums. [`Mean`]`::new(Extractive::default())` is
//! the mean over summaries, which the name `extractive` builds.
//!
//! | singular case | result |
//! |---|---|
//! | empty summary | 0 each |
//! | empty source | 0 each |
//! | no source | error |
//! | references | not used |
//! | nothing observed | 0 |
//!
//! Ranges: coverage 0 to 1, density 0 to the length of the summary, compression at least 0. No direction is
//! better as such; comparisons treat higher values as better. Source: Grusky et al. 2018, Newsroom: A Dataset
//! of 1.3 Million Summaries with Diverse Extractive Strategies. The numbers match lighteval 0.13.0 over the
//! same tokens bit for bit. The metric chosen by name uses tokens in lower case, as lighteval does. In the
//! worst case, time is proportional to the product of the lengths.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_sources::Extractive;
//!
//! let mut extractive = Accumulator::<_, [&str]>::new(Extractive::default());
//! let segment = Segment::with_source(&["a", "a", "b"][..], &[], Some(&["a", "a", "a", "b"][..]));
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
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

settings! {
    /// The metric of a summary's coverage, density and compression: how much is copied from the source. The
    /// [module documentation](self) has the definition.
    #[derive(Copy, Eq)]
    pub struct Extractive {
        /// Quotients of sums over the corpus, in place of the mean of summaries
        micro: bool = Opt::flag("extractive-micro").counted("micro", "micro").words("corpus", "");
    }
}

impl Extractive {
    /// Creates the metric of coverage, density and compression that divides sums over all summaries. Its key
    /// and signature distinguish it from the mean over summaries.
    #[must_use]
    pub fn micro() -> Self {
        Extractive { micro: true }
    }
}

columns! {
    /// Counts of tokens in summaries, in sources, and in fragments that summaries copy from their source.
    pub struct ExtractiveStats {
        /// Number of summary tokens in fragments that are copied from the source.
        covered <= summary,
        /// Sum of the squared lengths, in tokens, of all fragments that summaries copy from their source.
        squares,
        /// Number of tokens in all summaries.
        summary,
        /// Number of tokens in all source documents.
        source
    }
}

/// How much of a summary is copied from its source: coverage, density and compression.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ExtractiveScore {
    /// Share of summary tokens that are in fragments copied from the source.
    pub coverage: f64,
    /// Mean, over summary tokens, of the length of the copied fragment that contains the token, or 0 for a
    /// token outside fragments.
    pub density: f64,
    /// Number of source tokens divided by the number of summary tokens.
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

/// Working memory for finding the fragments that a summary copies, reused from segment to segment.
#[derive(Debug, Default)]
pub struct ExtractiveScratch {
    interner: Interner,
    /// First position of each token in the source, plus one, indexed by token id; 0 if the source does not
    /// contain the token.
    first: Vec<u32>,
    /// Next position of the same token, plus one, for each position in the source; 0 if there is none.
    next: Vec<u32>,
}

impl Metric for Extractive {
    type Stats = ExtractiveStats;
    type Score = ExtractiveScore;
    type Scratch = ExtractiveScratch;

    fn identity(&self) -> Identity {
        let scale = Scale::higher_is_better(0.0, f64::INFINITY);
        self.add_to_identity(Identity::new("extractive", 1, scale))
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
        let summary = segment.hypothesis;
        let source = segment.source()?;
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
        let summary = interner.hypothesis();
        let source = interner.reference(0);
        next.clear();
        next.resize(source.len(), 0);
        // Places are linked in descending order, so that each list ends up ascending.
        for (place, &token) in source.iter().enumerate().rev() {
            next[place] = std::mem::replace(&mut first[token as usize], place as u32 + 1);
        }
        let mut at = 0;
        while at < summary.len() {
            check_interrupt()?;
            let run = longest(&summary[at..], source, first[summary[at] as usize], next);
            own.covered += run as u64;
            // Lengths are below 2^31, so a 64-bit `usize` holds the square.
            own.squares += (run * run) as u64;
            // A token without a run is skipped alone.
            at += run.max(1);
        }
        stats.merge(&own)
    }
}

/// Returns the length of the longest run of tokens that starts `summary` and occurs in `source`. `first` is
/// the first source position of `summary[0]`, plus one. `next` maps a source position to the next one of the
/// same token, plus one; 0 means none.
fn longest(summary: &[u32], source: &[u32], first: u32, next: &[u32]) -> usize {
    let mut longest = 0;
    let mut place = first as usize;
    let mut behind = 0;
    while place > 0 {
        // The scan continues after a run, so places within it are not starts. This is the program's rule.
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

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "extractive",
    "Coverage, density and compression of summaries against their sources",
    build,
)
.papers(&[crate::paper("grusky-etal-2018-newsroom")])
.agrees_with("lighteval 0.13.0, over the same tokens")
.options(Extractive::SPECS)
.example(r#"{"hypothesis": "a cat sat", "source": "the cat sat on a mat"}"#);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let extractive = Extractive::from_options(options)?;
    let metric = if extractive.micro {
        AnyMetric::for_ids(extractive)?
    } else {
        AnyMetric::for_ids(Mean::new(extractive))?
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

    /// Returns the lengths of the copied fragments, computed position by position from the definition. This
    /// is a reference implementation for tests.
    fn naive(summary: &[u8], source: &[u8]) -> Vec<usize> {
        let mut at = 0;
        let mut fragments = Vec::new();
        while at < summary.len() {
            let mut best = 0;
            let mut place = 0;
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
            let summary = few(summary);
            let source = few(source);
            let mut stats = ExtractiveStats::default();
            let segment = Segment::<[u8]>::with_source(&summary, &[], Some(&source));
            Extractive::default().observe(&mut ExtractiveScratch::default(), &mut stats, segment).unwrap();
            let fragments = naive(&summary, &source);
            stats.covered as usize == fragments.iter().sum::<usize>()
                && stats.squares as usize == fragments.iter().map(|n| n * n).sum::<usize>()
        }
    }
}
