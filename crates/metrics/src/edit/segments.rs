//! [`resegment`]: cuts a hypothesis into pieces that match the segments of its references, with the fewest
//! edits.
//!
//! ```text
//! edits(p1, .., pS) = sum over segments s of min over references r of s of distance(ps, r)        over all cuts p1 .. pS
//! ```
//!
//! Among cuts with equally few edits, an alignment of the whole hypothesis with all references decides.
//! Walking back from the end, it prefers deletions to insertions, and insertions to pairs of words. Inserted
//! words between two segments join the earlier segment. Inserted words at the beginning join the first
//! segment. A segment without words in the alignment is empty.
//!
//! With one reference per segment the cut follows from that one alignment. Time is then `O(J · I / 64)` for J
//! hypothesis tokens and I reference tokens. For long similar texts it is `O(J · E / 64)` for E edits, because
//! only a band of the table is computed. Memory is up to 64 MB for up to about 100,000 tokens.
//!
//! With several references the table is filled cell by cell for each reference. Time is then `O(J · I)`, and
//! memory is J times the square root of the number of segments.
//!
//! Source: Matusov et al. 2005, Evaluating machine translation output with automatic sentence segmentation.
//! If the hypothesis lacks the first segments, the programs mwerSegmenter and mweralign count an additional
//! edit for each of them. Their cut therefore does not always have the fewest edits;
//! [`Borders::AsMweralign`] follows them.
//!
//! ```
//! use bleuprint_metrics::edit::{Borders, resegment};
//! let references = [vec![&["good", "morning"][..]], vec![&["see", "you", "soon"][..]]];
//! let cut = resegment(&references, &["good", "day", "to", "you", "see", "you"], Borders::Words).unwrap();
//! assert_eq!(cut.pieces().collect::<Vec<_>>(), [0..4, 4..6]);
//! assert_eq!(cut.edits, [3, 1]);
//! ```

use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::{InputError, InputErrorKind, Location, Result, check_interrupt};
use bleuprint_ngram::Interner;

use super::distance::{DistanceScratch, distance};
use super::path::{PathScratch, Prefer, path};
use super::{EditOperation, require_few_tokens};

/// Number of edits that [`resegment`] counts for the first reference segments if the hypothesis has no words
/// for them. Each such segment gets an empty piece of the hypothesis. The cost affects where the hypothesis
/// is cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Borders {
    /// A segment without hypothesis words costs the number of words of its shortest reference, because all
    /// these words are deleted. The hypothesis is then always cut with the fewest edits.
    #[default]
    Words,
    /// A segment without hypothesis words costs one edit more than its longest reference has words. The
    /// program mweralign counts in this way.
    AsMweralign,
}

/// Hypothesis that [`resegment`] cut into one piece for each reference segment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resegmented {
    /// End of each piece of the hypothesis, as a token index. Each piece begins at the end of the piece
    /// before; the first begins at 0.
    pub ends: Vec<usize>,
    /// For each piece of the hypothesis, the fewest edits between the piece and a reference of its segment.
    pub edits: Vec<u64>,
    /// For each piece of the hypothesis, the number of tokens of the reference with the fewest edits to the
    /// piece. Among equals it is the first reference.
    pub ref_lens: Vec<usize>,
}

impl Resegmented {
    /// Iterates over the pieces of the hypothesis, as ranges of tokens.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| start..*end)
    }
}

/// Cuts a hypothesis into one piece for each reference segment, with the fewest edits; a segment has one or
/// more references.
///
/// # Errors
/// Returns an error if there is no segment, a segment has no reference, or there are 2^31 tokens or more.
pub fn resegment<T: Hash + Eq>(
    references: &[Vec<&[T]>],
    hypothesis: &[T],
    borders: Borders,
) -> Result<Resegmented> {
    if references.is_empty() {
        return Err(InputErrorKind::EmptyCorpus.into());
    }
    if let Some(bare) = references.iter().position(Vec::is_empty) {
        return Err(InputError::from(InputErrorKind::NoReferences).at(Location::segment(bare as u64 + 1)));
    }
    let flat: Vec<&[T]> = references.iter().flatten().copied().collect();
    require_few_tokens(hypothesis, &flat)?;
    let mut interner = Interner::default();
    interner.intern_segment(hypothesis, &flat);
    let mut ids = interner.references();
    let references: Vec<Vec<&[u32]>> =
        references.iter().map(|segment| ids.by_ref().take(segment.len()).collect()).collect();
    let hypothesis = interner.hypothesis();
    let one_each = references.iter().all(|segment| segment.len() == 1);
    // With several references the choice of reference interacts with the cut, so one alignment is not enough.
    let ends = match borders {
        Borders::Words if one_each => ends_of_path(&references, hypothesis, interner.distinct())?,
        _ => SegmentTable { references: &references, hypothesis, borders }.ends()?,
    };
    let mut edits = Vec::new();
    let mut ref_lens = Vec::new();
    let mut scratch = DistanceScratch::default();
    let mut start = 0;
    for (segment, &end) in references.iter().zip(&ends) {
        let piece = &hypothesis[start..end];
        let each = segment.iter().map(|reference| {
            Ok((distance(&mut scratch, reference, piece, interner.distinct())?, reference.len()))
        });
        let each = each.collect::<Result<Vec<_>>>()?;
        let (fewest, ref_len) = each.into_iter().min_by_key(|(edits, _)| *edits).unwrap_or_default();
        edits.push(fewest);
        ref_lens.push(ref_len);
        start = end;
    }
    Ok(Resegmented { ends, edits, ref_lens })
}

fn ends_of_path(references: &[Vec<&[u32]>], hypothesis: &[u32], distinct: usize) -> Result<Vec<usize>> {
    let whole: Vec<u32> = references.iter().flatten().copied().flatten().copied().collect();
    let mut owners = (0..).zip(references).flat_map(|(segment, own)| {
        core::iter::repeat_n(segment, own.iter().map(|reference| reference.len()).sum())
    });
    let mut ends = vec![0; references.len()];
    let mut segment = 0;
    let mut at = 0;
    for step in path(&mut PathScratch::default(), &whole, hypothesis, distinct, Prefer::Deletion)? {
        if *step != EditOperation::Insertion {
            segment = owners.next().unwrap_or(segment);
        }
        if *step != EditOperation::Deletion {
            at += 1;
            ends[segment] = at;
        }
    }
    // A segment without tokens of the hypothesis ends where the one before ends.
    for segment in 1..ends.len() {
        ends[segment] = ends[segment].max(ends[segment - 1]);
    }
    Ok(ends)
}

/// Distance table for cutting a hypothesis into segments, with a row for each token of each reference and a
/// column for each token of the hypothesis.
struct SegmentTable<'a> {
    references: &'a [Vec<&'a [u32]>],
    hypothesis: &'a [u32],
    borders: Borders,
}

/// Row of the distance table after the last word of a reference segment. For each hypothesis position it has
/// the fewest edits up to there, and the position at which the segment's piece of the hypothesis begins.
struct SegmentRow {
    costs: Vec<u32>,
    begins: Vec<u32>,
}

impl SegmentTable<'_> {
    fn ends(&self) -> Result<Vec<usize>> {
        let segments = self.references.len();
        let group = segments.isqrt().max(1);
        // Only the costs before each group of segments are kept. The rows of one group at a time are computed
        // again on the way back.
        let mut costs: Vec<u32> = (0..=self.hypothesis.len() as u32).collect();
        let mut before = Vec::new();
        for segment in 0..segments {
            if segment % group == 0 {
                before.push(costs.clone());
            }
            costs = self.segment(segment, &costs)?.costs;
        }
        let mut ends = vec![0; segments];
        let mut end = self.hypothesis.len();
        for (number, mut costs) in before.into_iter().enumerate().rev() {
            let range = number * group..segments.min((number + 1) * group);
            let mut begins = Vec::with_capacity(range.len());
            for segment in range.clone() {
                let row = self.segment(segment, &costs)?;
                costs = row.costs;
                begins.push(row.begins);
            }
            for (segment, begins) in range.zip(begins).rev() {
                ends[segment] = end;
                end = begins[end] as usize;
            }
        }
        Ok(ends)
    }

    /// Returns the row of the distance table after the last word of a reference segment; `before` is the row
    /// before its first word. If several references have equally few edits up to a position, the first of
    /// them is chosen.
    fn segment(&self, segment: usize, before: &[u32]) -> Result<SegmentRow> {
        let longest = self.references[segment].iter().map(|reference| reference.len()).max().unwrap_or(0);
        let mut best: Option<SegmentRow> = None;
        for reference in &self.references[segment] {
            let row = self.reference(segment, reference, before, longest)?;
            let Some(best) = &mut best else {
                best = Some(row);
                continue;
            };
            let cells = best.costs.iter_mut().zip(&mut best.begins);
            for ((cost, begin), (other, from)) in cells.zip(row.costs.iter().zip(&row.begins)) {
                if other < cost {
                    (*cost, *begin) = (*other, *from);
                }
            }
        }
        let mut row = best.unwrap_or(SegmentRow { costs: Vec::new(), begins: Vec::new() });
        if let (Borders::AsMweralign, Some(first)) = (self.borders, row.costs.first_mut()) {
            // The row that ends the segment counts as an edit too.
            *first = before[0] + longest as u32 + 1;
        }
        Ok(row)
    }

    fn reference(
        &self,
        segment: usize,
        reference: &[u32],
        before: &[u32],
        longest: usize,
    ) -> Result<SegmentRow> {
        let mut costs = before.to_vec();
        // Insertions before all words belong to the first segment.
        let mut begins: Vec<u32> =
            (0..before.len() as u32).map(|at| if segment == 0 { 0 } else { at }).collect();
        for &token in reference {
            check_interrupt()?;
            let mut diagonal = costs[0];
            let mut from_diagonal = begins[0];
            costs[0] += 1;
            for (at, &other) in (1..).zip(self.hypothesis) {
                let above = costs[at];
                let from_above = begins[at];
                let deletion = above + 1;
                let insertion = costs[at - 1] + 1;
                let pair = diagonal + u32::from(token != other);
                // Ties go to the deletion, then to the insertion: the same choice as the path with one
                // reference.
                (costs[at], begins[at]) = if pair < deletion && pair < insertion {
                    (pair, from_diagonal)
                } else if insertion < deletion {
                    (insertion, begins[at - 1])
                } else {
                    (deletion, from_above)
                };
                (diagonal, from_diagonal) = (above, from_above);
            }
        }
        if self.borders == Borders::AsMweralign {
            costs[0] = before[0] + longest as u32;
        }
        Ok(SegmentRow { costs, begins })
    }
}
