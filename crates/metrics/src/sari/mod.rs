//! SARI: were the right words of the source kept, deleted and added? For text simplification; it needs the source.
//!
//! For each segment and each order n = 1 .. 4, let `R` be the number of references. For an n-gram, `s` is `R`
//! times its count in the source, `c` is `R` times its count in the hypothesis, and `r` is its count in all
//! references together:
//!
//! ```text
//! kept     K = min(s, c)        right: min(K, r)         to keep: min(s, r)
//! deleted  D = max(0, s - c)    right: max(0, D - r)
//! added    A = in c, not in s   right: those in r        to add: in r, not in s      (each n-gram once)
//! keep   = F of (mean over n-grams of right/K) and (Σ right / Σ to keep)
//! delete = mean over n-grams of right/D
//! add    = F of (right / A) and (right / to add)
//! SARI   = 100 · mean over segments of ( keep + delete + add ) / 3,   each a mean over orders
//! ```
//!
//! [`Sari`] gives the numbers of HF evaluate. The program EASSE (the dialect `easse`) sums counts over the
//! corpus, and computes precision and recall from the sums. On short or equal texts the two scores differ
//! much.
//!
//! | singular case | HF evaluate | EASSE |
//! |---|---|---|
//! | a ratio is 0/0: no n-gram was, or should be, kept, deleted or added | ratio 1 | ratio 0 |
//! | empty text | one token, unlike all others | no token |
//! | source, hypothesis and references empty throughout | 100 | 0 |
//! | no reference, no source | error | error |
//!
//! Range 0 to 100, higher is better. Source: Xu et al. 2016, Optimizing Statistical Machine Translation for
//! Text Simplification; numbers as `sari` of HF evaluate 0.4.6 (to the last bit for one segment; the mean
//! is exact and rounded once) and `corpus_sari` of EASSE, both over lower-cased 13a tokens. Time is linear
//! in the tokens.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_metrics::Sari;
//!
//! // keep = 1: no word should be kept, and none is. delete = 1: all deletions are right.
//! // add = 1/4: orders 1 to 3 have only wrong additions; order 4 has no n-gram and counts 1.
//! let references = [&["g", "h", "i"][..]];
//! let segment = Segment::with_source(&["d", "e", "f"][..], &references, Some(&["a", "b", "c"][..]));
//! let mut sari = Accumulator::<_, [&str]>::new(Sari);
//! sari.push_segment(segment).unwrap();
//! assert_eq!(sari.score().unwrap().score.score, 75.0);
//! ```

mod easse;
mod entry;
mod segment;
#[cfg(test)]
mod tests;

use core::fmt::Display;
use core::hash::Hash;

use bleuprint_core::{
    Composition, ExactSum, Identity, Linear, Metric, Observe, PlainScore, Result, Scale, ScorePart, Segment,
    SegmentCounts, Stats,
};
use serde::{Deserialize, Serialize};

pub(crate) use easse::EasseSari;
pub(crate) use entry::ENTRY;
use entry::SariSettings;
pub use segment::{SariOperation, SariScratch};

/// Metric SARI for text simplification, as HF evaluate computes it: the mean of segment scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct Sari;

/// Statistics of SARI: exact sums of the segment scores, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: columns, which the layout numbers")]
pub struct SariStats {
    /// Sum over segments of the SARI scores.
    pub sari: ExactSum,
    /// Sum over segments of the F-score of the n-grams kept from the source.
    pub keep: ExactSum,
    /// Sum over segments of the precision of the n-grams deleted from the source.
    pub delete: ExactSum,
    /// Sum over segments of the F-score of the n-grams added to the source.
    pub add: ExactSum,
}

impl SariStats {
    fn sums(&mut self) -> [(&'static str, &mut ExactSum); 4] {
        let SariStats { sari, keep, delete, add } = self;
        [("sari", sari), ("keep", keep), ("delete", delete), ("add", add)]
    }
}

impl Linear for SariStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (name, sum) in self.sums() {
            Linear::columns(sum, &mut |column, count| visit(&format_args!("{name}.{column}"), count));
        }
    }
}

impl Metric for Sari {
    type Stats = SariStats;
    type Score = PlainScore;
    type Scratch = SariScratch;

    fn identity(&self) -> Identity {
        SariSettings::default()
            .add_to_identity(Identity::new("sari", 1, Scale::PERCENT))
            .wider_sums()
            .named("SARI")
            .composed(Composition::Mean)
            .needing(|needs| needs.source = true)
    }
    fn finalize(&self, stats: &SariStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let percent = |sum: &ExactSum| 100.0 * sum.mean(counts.segments.max(1));
        Ok(score_of(percent(&stats.sari), [&stats.add, &stats.keep, &stats.delete].map(percent)))
    }

    fn check(&self, stats: &SariStats, counts: &SegmentCounts) -> Result<()> {
        stats.clone().sums().iter().try_for_each(|(_, sum)| Scale::UNIT.check_mean(sum, counts.segments))
    }
}

impl<T: Hash + Eq> Observe<[T]> for Sari {
    fn observe(
        &self,
        scratch: &mut SariScratch,
        stats: &mut SariStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let scores = segment::score(&segment::count(scratch, segment, true)?);
        stats.merge(&SariStats {
            sari: ExactSum::from_value(scores.sari)?,
            keep: ExactSum::from_value(scores.keep)?,
            delete: ExactSum::from_value(scores.delete)?,
            add: ExactSum::from_value(scores.add)?,
        })
    }
}

fn score_of(sari: f64, [add, keep, delete]: [f64; 3]) -> PlainScore {
    PlainScore::new(sari)
        .with(ScorePart::number("add", add, 2))
        .with(ScorePart::number("keep", keep, 2))
        .with(ScorePart::number("delete", delete, 2))
}
