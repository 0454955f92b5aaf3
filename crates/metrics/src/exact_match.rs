//! Exact match: the share of hypotheses that equal a reference. The smallest metric, and the one to copy.
//!
//! ```text
//! EM = 100 · matched / segments
//! ```
//!
//! | singular case | result |
//! |---|---|
//! | empty hypothesis, empty reference | a match |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! Range 0 to 100, the more the better. Source: the exact match of question answering (Rajpurkar et al. 2016,
//! SQuAD), here over any tokens and without its text normalization. Time is linear in the tokens.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::ExactMatch;
//!
//! let mut em = Accumulator::<_, [&str]>::new(ExactMatch);
//! em.push(&["in", "1869"], &[&["1869"], &["in", "1869"]]).unwrap();
//! em.push(&["Paris"], &[&["Lyon"]]).unwrap();
//! assert_eq!(em.score().unwrap().score.score, 50.0);
//! ```

use bleuprint_core::{
    ConfigError, Entry, ErasedMetric, InputError, InputErrorKind, Linear, Metric, Observe, Options, Part,
    PartValue, Scale, Score, Show, Signature, StateKey, Stats, row_length,
};
use serde::{Deserialize, Serialize};

/// The metric; it has no options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExactMatch;

/// What it counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactMatchStats {
    /// Segments whose hypothesis equals one of its references.
    pub matched: u64,
    /// All segments.
    pub segments: u64,
}

/// The score and its parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactMatchScore {
    /// The share of matches, 0 to 100.
    pub score: f64,
    /// Segments whose hypothesis equals one of its references.
    pub matched: u64,
    /// All segments.
    pub segments: u64,
}

impl Stats for ExactMatchStats {
    fn merge(&mut self, other: &Self) {
        self.matched = self.matched.saturating_add(other.matched);
        self.segments = self.segments.saturating_add(other.segments);
    }
}

impl Linear for ExactMatchStats {
    fn columns(&self) -> Vec<String> {
        vec!["matched".to_owned(), "segments".to_owned()]
    }

    fn write_row(&self, row: &mut Vec<u64>) {
        row.extend([self.matched, self.segments]);
    }

    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
        let &[matched, segments] = row else {
            return Err(row_length(2, row.len()));
        };
        *self = ExactMatchStats { matched, segments };
        Ok(())
    }
}

impl Score for ExactMatchScore {
    fn value(&self) -> f64 {
        self.score
    }

    fn scale(&self) -> Scale {
        Scale::PERCENT
    }

    fn parts(&self) -> Vec<Part> {
        vec![
            Part {
                key: "matched",
                show: Show::Labelled("matched", 0),
                value: PartValue::Count(self.matched),
            },
            Part {
                key: "segments",
                show: Show::Labelled("segments", 0),
                value: PartValue::Count(self.segments),
            },
        ]
    }
}

impl Metric for ExactMatch {
    type Stats = ExactMatchStats;
    type Score = ExactMatchScore;

    fn zero(&self) -> ExactMatchStats {
        ExactMatchStats::default()
    }

    fn finalize(&self, stats: &ExactMatchStats) -> ExactMatchScore {
        let &ExactMatchStats { matched, segments } = stats;
        let score = if segments == 0 { 0.0 } else { 100.0 * matched as f64 / segments as f64 };
        ExactMatchScore { score, matched, segments }
    }

    fn state_key(&self) -> StateKey {
        StateKey::new("exact_match", 1)
    }

    fn signature(&self) -> Signature {
        Signature::new("EM").with("case", "c", "mixed").with("tok", "tok", "unspecified")
    }

    fn check(&self, stats: &ExactMatchStats) -> Result<(), InputError> {
        if stats.matched > stats.segments {
            let message = format!("matched {} > segments {}", stats.matched, stats.segments);
            return Err(InputError::malformed_state(message));
        }
        Ok(())
    }
}

impl<S: PartialEq + ?Sized> Observe<S> for ExactMatch {
    type Scratch = ();

    fn observe(
        &self,
        (): &mut (),
        stats: &mut ExactMatchStats,
        hypothesis: &S,
        references: &[&S],
    ) -> Result<(), InputError> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        let matched = u64::from(references.contains(&hypothesis));
        stats.merge(&ExactMatchStats { matched, segments: 1 });
        Ok(())
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "exact_match",
    aliases: &["em"],
    summary: "The share of hypotheses that equal a reference",
    paper: "Rajpurkar et al. 2016, SQuAD",
    agrees_with: "its definition",
    scale: Scale::PERCENT,
    options: &[],
    build,
};

fn build(_: &Options) -> Result<Box<dyn ErasedMetric>, ConfigError> {
    Ok(Box::new(ExactMatch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obeys_the_laws() {
        bleuprint_core::laws::check(&ExactMatch);
    }

    #[test]
    fn more_matches_than_segments_are_refused() {
        assert!(ExactMatch.check(&ExactMatchStats { matched: 2, segments: 1 }).is_err());
    }
}
