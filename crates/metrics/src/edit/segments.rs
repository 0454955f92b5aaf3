//! [`resegment`]: a hypothesis cut into the segments of its references, with the fewest edits.
//!
//! ```text
//! edits(p1, .., pS) = sum over segments s of min over references r of s of distance(ps, r)        over all cuts p1 .. pS
//! ```
//!
//! Of cuts with equally few edits the choice is that of the alignment of the whole sequences that takes deletions before
//! insertions before pairs from the end; insertions between two segments belong to the first of them, and those before all
//! words to the first segment. Other segments without words get nothing.
//!
//! With one reference per segment the cut follows from that one alignment: time `O(J · I / 64)` for J tokens of the
//! hypothesis and I of the references, and little memory. With several references the table is filled cell by cell, for
//! each reference: time `O(J · I)`, memory J times the root of the number of segments.
//!
//! Source: Matusov et al. 2005, Evaluating machine translation output with automatic sentence segmentation. The usual
//! programs, mwerSegmenter and mweralign, count the ends of segments as edits where the beginning of the hypothesis is
//! missing, so that their cut is not always one with the fewest edits: [`Borders::AsMweralign`] does so too.
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

/// The cost of segments that the hypothesis lacks at its beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Borders {
    /// Their words: the cut always has the fewest edits.
    #[default]
    Words,
    /// As many as their longest reference has words, and one for each segment: mweralign's table.
    AsMweralign,
}

/// A hypothesis cut into segments.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resegmented {
    /// The end of each piece in tokens; each begins where the one before it ends, the first at 0.
    pub ends: Vec<usize>,
    /// The edits of each piece to its nearest reference.
    pub edits: Vec<u64>,
    /// The length of that reference; of equally near ones the first.
    pub ref_lens: Vec<usize>,
}

impl Resegmented {
    /// The pieces, as ranges of tokens.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| start..*end)
    }
}

/// Cuts a hypothesis into pieces for these segments, each with one reference or several.
///
/// # Errors
/// No segment, a segment without references, 2^31 tokens or more.
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
    for segment in 1..ends.len() {
        ends[segment] = ends[segment].max(ends[segment - 1]);
    }
    Ok(ends)
}

/// The table of segments: a row for each token of each reference, a column for each token of the hypothesis.
struct SegmentTable<'a> {
    references: &'a [Vec<&'a [u32]>],
    hypothesis: &'a [u32],
    borders: Borders,
}

/// The row after a segment: the fewest edits up to each column, and where the piece of the segment begins.
struct SegmentRow {
    costs: Vec<u32>,
    begins: Vec<u32>,
}

impl SegmentTable<'_> {
    fn ends(&self) -> Result<Vec<usize>> {
        let segments = self.references.len();
        let group = segments.isqrt().max(1);
        // The costs before each group of segments; the rows of one group at a time are made again on the way back.
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

    /// Of equally good references the first.
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
            // The row that ends the segment counts too.
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
