//! RIBES: the order of the words that a hypothesis has in common with its reference.
//!
//! ```text
//! RIBES = NKT · P^0.25 · BP^0.10        P = m / |h|        BP = min(1, exp(1 - |r| / |h|))
//! NKT   = ((2 u / C(m, 2) - 1) + 1) / 2        0 for m < 2
//! ```
//!
//! `h` and `r` are the hypothesis and the reference. `NKT` is the normalized Kendall's tau of the word order,
//! and `BP` the brevity penalty. `m` words of the hypothesis have a place in the reference: words that occur
//! exactly once in each text, and words that do so together with their neighbours. `u` is the number of pairs
//! of these words in ascending order.
//!
//! | singular case | result |
//! |---|---|
//! | empty hypothesis | 0 |
//! | fewer than two words with a place | 0 |
//! | several references | the best |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! The range is 0 to 1, higher is better; the score is the exact mean over segments. Source: Isozaki et al.
//! 2010, Automatic Evaluation of Translation Quality for Distant Language Pairs. The numbers match
//! `sentence_ribes` of NLTK 3.10.4 bit for bit; the authors' script gives other numbers. Time is the square
//! of the length.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_similarity::Ribes;
//!
//! let mut ribes = Accumulator::<_, [&str]>::new(Ribes);
//! ribes.push(&["a", "b", "c", "d"], &[&["a", "b", "c", "d"]]).unwrap();
//! ribes.push(&["d", "c", "b", "a"], &[&["a", "b", "c", "d"]]).unwrap();
//! assert_eq!(ribes.score().unwrap().value(), 0.5);
//! ```

mod ranks;

use core::hash::Hash;

use bleuprint_core::{ExactSum, Identity, Observe, Result, Scale, Segment};
use bleuprint_math::{exp, pow};
use bleuprint_metrics::edit::require_few_tokens;
use bleuprint_ngram::Interner;
use bleuprint_registry::{AnyMetric, MetricEntry};

use crate::mean::{highest, mean_of_segments};

const ALPHA: f64 = 0.25;
const BETA: f64 = 0.10;

/// Metric RIBES, which compares word order and has no options. The [module documentation](self) has the
/// definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct Ribes;

mean_of_segments!(Ribes, Interner, self => Identity::new("ribes", 1, Scale::UNIT).named("RIBES"));

impl<T: Hash + Eq> Observe<[T]> for Ribes {
    fn observe(&self, interner: &mut Interner, sum: &mut ExactSum, segment: Segment<'_, [T]>) -> Result<()> {
        let references = segment.references()?;
        require_few_tokens(segment.hypothesis, references)?;
        interner.intern_segment(segment.hypothesis, references);
        let hypothesis = interner.hypothesis();
        Ok(sum.add(highest(interner.references().map(|reference| score(hypothesis, reference)))?)?)
    }
}

fn score(hypothesis: &[u32], reference: &[u32]) -> Result<f64> {
    if hypothesis.is_empty() {
        return Ok(0.0);
    }
    let h = hypothesis.len() as f64;
    let r = reference.len() as f64;
    let ranks = ranks::ranks(hypothesis, reference)?;
    let brevity = exp(1.0 - r / h).min(1.0);
    Ok(tau(&ranks) * pow(ranks.len() as f64 / h, ALPHA) * pow(brevity, BETA))
}

fn tau(ranks: &[usize]) -> f64 {
    let words = ranks.len() as u64;
    if words < 2 {
        return 0.0;
    }
    let behind = |(place, rank)| ranks[place + 1..].iter().filter(|&other| other > rank).count() as u64;
    let rising: u64 = ranks.iter().enumerate().map(behind).sum();
    let tau = 2.0 * rising as f64 / (words * (words - 1) / 2) as f64 - 1.0;
    (tau + 1.0) / 2.0
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("ribes", "The order of the words in common with a reference", |_| {
        AnyMetric::for_ids(Ribes)
    })
    .papers(&[crate::paper("isozaki-etal-2010-automatic")])
    .agrees_with("NLTK 3.10.4")
    .example(r#"{"hypothesis": "the cat sat on the mat", "references": ["the cat sat on a mat"]}"#);

#[cfg(test)]
#[test]
fn obeys_the_laws() {
    bleuprint_registry::laws::check(&Ribes);
}
