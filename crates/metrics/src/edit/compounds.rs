//! [`CompoundWer`]: the word error rate in which words written together or apart are no error, for example
//! `wi fi` for `wifi`.
//!
//! The edit-distance table is WER's, but with one more kind of step. If the last k > 1 words of one text,
//! joined, equal the last word of the other text, the step matches them without an error.
//!
//! The step is taken only if it costs less than an insertion, a deletion and a pair. Among these three, equal
//! costs are resolved in this order. Among several joins, fewer words are preferred, and then words of the
//! reference. Reference words are counted as they are written, so each word of a compound is a hit.
//!
//! The singular cases are the same as for WER. The counts match kaldialign 0.12.0 with merged compounds,
//! which public leaderboards of speech recognition use. Without words in the reference, kaldialign returns no
//! number, or infinity. Time is the product of the lengths; memory is the length of the hypothesis times the
//! most words of a compound.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::CompoundWer;
//!
//! let mut wer = Accumulator::<_, [&str]>::new(CompoundWer);
//! wer.push(&["the", "wifi", "is", "on"], &[&["the", "wi", "fi", "is", "off"]]).unwrap();
//! assert_eq!(wer.score().unwrap().score.score, 0.2);
//! ```

use std::collections::HashMap;

use bleuprint_core::{
    Identity, Metric, Observe, PlainScore, Result, Segment, SegmentCounts, Stats as _, check_interrupt,
};
use bleuprint_ngram::Interner;

use super::entry::WerSettings;
use super::{EditCounts, EditRate, require_few_tokens};

/// Word error rate in which words written together or apart are no error, for example `wi fi` for `wifi`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct CompoundWer;

impl Metric for CompoundWer {
    type Stats = EditCounts;
    type Score = PlainScore;
    type Scratch = Interner;

    fn identity(&self) -> Identity {
        WerSettings { merges_compounds: true }.add_to_identity(EditRate::WER.identity())
    }

    fn finalize(&self, counts: &EditCounts, segments: &SegmentCounts) -> Result<PlainScore> {
        EditRate::WER.finalize(counts, segments)
    }

    fn check(&self, stats: &EditCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)
    }
}

impl<'t> Observe<[&'t str]> for CompoundWer {
    fn observe(
        &self,
        interner: &mut Interner,
        counts: &mut EditCounts,
        segment: Segment<'_, [&'t str]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        require_few_tokens(hypothesis, references)?;
        interner.intern_segment(hypothesis, references);
        let counted = references.iter().zip(interner.references()).map(|(reference, ids)| {
            let ref_joins = joins(reference, hypothesis);
            let hyp_joins = joins(hypothesis, reference);
            CompoundTable { reference: ids, hypothesis: interner.hypothesis(), ref_joins, hyp_joins }.counts()
        });
        counts.merge(&EditCounts::preferred(counted)?)
    }
}

/// Places at which several consecutive words of one text, joined without spaces, equal a single word of the
/// other text. The key is the index of the last joined word. Each value lists, for every such join, the
/// number of joined words and the indices of the equal words.
type Joins = HashMap<usize, Vec<(usize, Vec<usize>)>>;

fn joins(words: &[&str], others: &[&str]) -> Joins {
    let longest = others.iter().map(|other| other.len()).max().unwrap_or(0);
    // Filter by first byte and length modulo 64: it rejects most joined words without building them.
    let mut lengths = [0u64; 256];
    let first = |word: &str| usize::from(word.bytes().next().unwrap_or(0));
    others.iter().for_each(|other| lengths[first(other)] |= 1 << (other.len() % 64));
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut joins = Joins::new();
    let mut joined = String::new();
    for last in 1..words.len() {
        let mut len = words[last].len();
        for count in 2..=last + 1 {
            let from = words[last + 1 - count];
            len += from.len();
            // Longer joins only grow, so no word of the other side can equal them.
            if len > longest {
                break;
            }
            // An empty first word says nothing about the first byte of the join, so it passes the filter.
            if lengths[first(from)] >> (len % 64) & 1 == 0 && !from.is_empty() {
                continue;
            }
            if places.is_empty() {
                others
                    .iter()
                    .enumerate()
                    .for_each(|(place, word)| places.entry(word).or_default().push(place));
            }
            joined.clear();
            words[last + 1 - count..=last].iter().for_each(|word| joined.push_str(word));
            if let Some(places) = places.get(&*joined) {
                joins.entry(last).or_default().push((count, places.clone()));
            }
        }
    }
    joins
}

#[derive(Debug, Clone, Copy, Default)]
struct CompoundCell {
    insertions: u32,
    deletions: u32,
    substitutions: u32,
}

impl CompoundCell {
    fn cost(self) -> u32 {
        self.insertions + self.deletions + self.substitutions
    }
}

struct CompoundTable<'a> {
    reference: &'a [u32],
    hypothesis: &'a [u32],
    ref_joins: Joins,
    hyp_joins: Joins,
}

impl CompoundTable<'_> {
    fn counts(&self) -> Result<EditCounts> {
        let most = self.ref_joins.values().flatten().map(|(count, _)| *count).max().unwrap_or(1);
        let width = self.hypothesis.len() + 1;
        // A ring of rows: a join looks back at most `most` rows.
        let mut rows = vec![vec![CompoundCell::default(); width]; most + 1];
        for (insertions, cell) in (0..).zip(&mut rows[0]) {
            cell.insertions = insertions;
        }
        for i in 1..=self.reference.len() {
            check_interrupt()?;
            let mut row = std::mem::take(&mut rows[i % (most + 1)]);
            row[0] = CompoundCell { deletions: i as u32, ..CompoundCell::default() };
            for j in 1..width {
                row[j] = self.ordinary(i, j, &row, &rows[(i - 1) % (most + 1)]);
                self.join(i, j, &mut row, &rows);
            }
            rows[i % (most + 1)] = row;
        }
        let CompoundCell { insertions, deletions, substitutions } =
            rows[self.reference.len() % (most + 1)][width - 1];
        let [insertions, deletions, substitutions] = [insertions, deletions, substitutions].map(u64::from);
        let hits = self.reference.len() as u64 - deletions - substitutions;
        Ok(EditCounts { hits, substitutions, deletions, insertions })
    }

    /// Returns the cheapest alignment up to a cell of the distance table if the last step does not join
    /// words. Among equal costs it prefers the insertion, then the deletion, then the pair.
    fn ordinary(&self, i: usize, j: usize, row: &[CompoundCell], above: &[CompoundCell]) -> CompoundCell {
        let mut best = row[j - 1];
        best.insertions += 1;
        let mut deletion = above[j];
        deletion.deletions += 1;
        let mut pair = above[j - 1];
        pair.substitutions += u32::from(self.reference[i - 1] != self.hypothesis[j - 1]);
        for other in [deletion, pair] {
            if other.cost() < best.cost() {
                best = other;
            }
        }
        best
    }

    fn join(&self, i: usize, j: usize, row: &mut [CompoundCell], rows: &[Vec<CompoundCell>]) {
        let of_reference = self.ref_joins.get(&(i - 1)).into_iter().flatten();
        let of_hypothesis = self.hyp_joins.get(&(j - 1)).into_iter().flatten();
        let of_reference = of_reference.filter(|(_, places)| places.binary_search(&(j - 1)).is_ok());
        let of_hypothesis = of_hypothesis.filter(|(_, places)| places.binary_search(&(i - 1)).is_ok());
        let from_reference = of_reference.map(|(count, _)| (i - count, j - 1));
        for (i, j_before) in from_reference.chain(of_hypothesis.map(|(count, _)| (i - 1, j - count))) {
            let joined = rows[i % rows.len()][j_before];
            // Strictly better: an ordinary step wins a tie, as in kaldialign.
            if joined.cost() < row[j].cost() {
                row[j] = joined;
            }
        }
    }
}
