//! [`Rows`]: token ids of a batch in one buffer with padded rows, as training frameworks store them; and
//! rewards for such rows.

use bleuprint_core::{InputError, Observe, Result, Segment, SegmentCounts};
use bleuprint_inference::require_equal;
use smallvec::SmallVec;

use super::{RewardItems, Rewards, WORTH_PREPARING, item_location, reward_of};
use crate::batches::{ThreadTables, batch_of, observe_apart};

/// Integer type of token ids in a buffer: `u32`, or `i32` and `i64` as in tensors.
pub trait RowId: Copy + PartialEq + Sync + core::fmt::Display {
    /// Returns the token ids of a row as `u32`: the row itself, or a converted copy appended to `buffer`.
    ///
    /// # Errors
    /// Returns the first id that does not fit in `u32`.
    fn ids<'r>(row: &'r [Self], buffer: &'r mut Vec<u32>) -> Result<&'r [u32], Self>;
}

impl RowId for u32 {
    fn ids<'r>(row: &'r [u32], _: &'r mut Vec<u32>) -> Result<&'r [u32], u32> {
        Ok(row)
    }
}

/// Implements [`RowId`] for an integer type whose ids are copied.
macro_rules! copied_ids {
    ($($Id:ty)+) => {$(
        impl RowId for $Id {
            fn ids<'r>(row: &'r [$Id], buffer: &'r mut Vec<u32>) -> Result<&'r [u32], $Id> {
                let start = buffer.len();
                for &id in row {
                    buffer.push(u32::try_from(id).map_err(|_| id)?);
                }
                Ok(&buffer[start..])
            }
        }
    )+};
}

copied_ids! { i32 i64 }

/// Batch of token id sequences in one buffer: rows of `stride` ids each, with optional padding at either end
/// of a row.
///
/// ```
/// use bleuprint_eval::Rows;
/// assert!(Rows::padded(&[7i64, 8, 0, 0, 9, 0], 3, 0).is_ok());
/// assert!(Rows::padded(&[7u32, 8], 3, 0).is_err());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Rows<'b, T> {
    ids: &'b [T],
    stride: usize,
    padding: T,
}

impl<'b, T: RowId> Rows<'b, T> {
    /// Creates rows of `stride` token ids over a buffer. `padding` is the id that fills short rows at either
    /// end or at both; within a row this id counts like any other.
    ///
    /// # Errors
    /// Returns an error if the length of the buffer is not a multiple of `stride`.
    pub fn padded(ids: &'b [T], stride: usize, padding: T) -> Result<Self> {
        whole_rows(ids.len(), stride)?;
        Ok(Rows { ids, stride, padding })
    }

    /// Passes the rows to `each` as segments, one after another. Each row of hypotheses has the references of
    /// its group. An accumulator adds them: `|segment| all.add(segment)`.
    ///
    /// ```
    /// use bleuprint_core::Accumulator;
    /// use bleuprint_eval::{Groups, Rows};
    /// use bleuprint_metrics::EditRate;
    ///
    /// let hypotheses = Rows::padded(&[5i32, 6, -100, 1, 2, 3], 3, -100).unwrap();
    /// let references = Rows::padded(&[5i64, 6, 1, 2], 2, -100).unwrap();
    /// let pairs = Groups { hypotheses: 1, references: 1 };
    /// let mut all = Accumulator::<_, [u32]>::new(EditRate::WER);
    /// hypotheses.each_segment(&references, pairs, |segment| all.add(segment)).unwrap();
    /// assert_eq!(all.score().unwrap().value(), 0.25);
    /// ```
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) unless the groups hold all
    /// rows, an error with the row's number if an id is invalid, and the errors of `each`.
    pub fn each_segment<R: RowId>(
        &self,
        references: &Rows<'_, R>,
        groups: Groups,
        mut each: impl FnMut(Segment<'_, [u32]>) -> Result<()>,
    ) -> Result<()> {
        groups.check(self.len(), references.len())?;
        let mut owned = OwnedRows::default();
        let mut buffer = Vec::new();
        let mut read = None;
        for row in 0..self.len() {
            let group = row / groups.hypotheses;
            if read != Some(group) {
                owned.read(references, group, groups.references)?;
                read = Some(group);
            }
            buffer.clear();
            each(Segment::new(self.ids(row, "hypotheses", &mut buffer)?, &owned.rows()))?;
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len().checked_div(self.stride).unwrap_or(0)
    }

    /// Returns the token ids of a row without padding, or an empty slice beyond the last row.
    fn get(&self, row: usize) -> &'b [T] {
        let (start, end) = self.range(row);
        self.ids.get(start..end).unwrap_or(&[])
    }

    fn range(&self, row: usize) -> (usize, usize) {
        let start = row.saturating_mul(self.stride);
        let all = self.ids.get(start..).and_then(|rest| rest.get(..self.stride)).unwrap_or(&[]);
        let before = all.iter().take_while(|id| **id == self.padding).count();
        // The search starts behind the front padding, so a row of only padding becomes empty and not
        // negative.
        let behind = all[before..].iter().rev().take_while(|id| **id == self.padding).count();
        (start + before, start + all.len() - behind)
    }

    /// Returns the ids of every row as a list, without padding.
    ///
    /// # Errors
    /// Returns an error with the number of the row for an id below 0 or above 4,294,967,295.
    pub fn lists(&self) -> Result<Vec<Vec<u32>>> {
        let mut buffer = Vec::new();
        (0..self.len()).map(|row| self.copied(row, "the rows", &mut buffer)).collect()
    }

    fn copied(&self, row: usize, what: &str, buffer: &mut Vec<u32>) -> Result<Vec<u32>> {
        buffer.clear();
        Ok(self.ids(row, what, buffer)?.to_vec())
    }

    fn ids<'r>(&'r self, row: usize, what: &str, buffer: &'r mut Vec<u32>) -> Result<&'r [u32]> {
        T::ids(self.get(row), buffer).map_err(|id| {
            let error = limit("an id", id, format!("from 0 to {}, of {what}", u32::MAX));
            error.at(item_location(row))
        })
    }
}

fn whole_rows(ids: usize, stride: usize) -> Result<usize> {
    match ids.checked_rem(stride) {
        Some(0) => Ok(ids / stride),
        // An empty buffer has no rows, even with a stride of 0.
        None if ids == 0 => Ok(0),
        _ => Err(limit("the length of a buffer", ids, format!("a multiple of the stride, {stride}"))),
    }
}

fn limit(what: &str, given: impl core::fmt::Display, limit: String) -> InputError {
    InputError::limit(what, given, limit)
}

/// Numbers of hypotheses and of references in each group. The hypotheses of a group, such as the rollouts of
/// one prompt, share its references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: two numbers")]
pub struct Groups {
    /// Number of hypotheses in each group, such as the rollouts of one prompt.
    pub hypotheses: usize,
    /// Number of references in each group; all hypotheses of the group share them.
    pub references: usize,
}

impl Groups {
    /// Returns an error unless hypotheses and references form the same number of groups and each group has
    /// references.
    fn check(self, hypotheses: usize, references: usize) -> Result<()> {
        let groups =
            references.checked_div(self.references).filter(|_| references.is_multiple_of(self.references));
        let Some(groups) = groups else {
            let whole = format!("a multiple of the {} references of a group", self.references);
            return Err(limit("the number of references", references, whole));
        };
        let Groups { hypotheses: group_size, .. } = self;
        require_equal(
            "hypotheses",
            hypotheses,
            &format!("{groups} groups of {group_size}"),
            groups.saturating_mul(group_size),
        )
    }
}

#[derive(Default)]
struct OwnedRows {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl OwnedRows {
    fn read<B: RowId>(&mut self, references: &Rows<'_, B>, group: usize, size: usize) -> Result<()> {
        self.ids.clear();
        self.ends.clear();
        let mut buffer = Vec::new();
        for row in group * size..(group + 1) * size {
            buffer.clear();
            let ids = references.ids(row, "references", &mut buffer)?;
            self.ids.extend_from_slice(ids);
            self.ends.push(self.ids.len());
        }
        Ok(())
    }

    fn rows(&self) -> SmallVec<[&[u32]; 8]> {
        let starts = core::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.ids[start..end]).collect()
    }
}

impl<M: Observe<[u32]>> Rewards<M, [u32]> {
    /// Writes the score of every row of hypotheses to `rewards`, like [`Rewards::per_group`], but reads token
    /// ids from buffers with padding. All hypotheses of a group share the references of the group.
    ///
    /// ```
    /// use bleuprint_eval::{Groups, Rewards, Rows};
    /// use bleuprint_metrics::Bleu;
    ///
    /// // Two prompts with two rollouts and one reference each, padded with 0.
    /// let rollouts = [5i64, 6, 7, 8, 5, 6, 0, 0, 1, 2, 3, 4, 9, 9, 0, 0];
    /// let references = [5u32, 6, 7, 8, 1, 2, 3, 0];
    /// let rollouts = Rows::padded(&rollouts, 4, 0).unwrap();
    /// let references = Rows::padded(&references, 4, 0).unwrap();
    /// let mut rewards = [0.0; 4];
    /// let mut bleu = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    /// bleu.per_row(&rollouts, &references, Groups { hypotheses: 2, references: 1 }, &mut rewards).unwrap();
    /// assert_eq!((rewards[0], rewards[3]), (100.0, 0.0));
    /// ```
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) unless the groups hold all
    /// rows and `rewards` has one place for each hypothesis. Returns an error with the row's number if an id
    /// is invalid or [`Observe::observe`](bleuprint_core::Observe::observe) fails; all rewards are then NaN.
    pub fn per_row<A: RowId, B: RowId>(
        &mut self,
        hypotheses: &Rows<'_, A>,
        references: &Rows<'_, B>,
        groups: Groups,
        rewards: &mut [f32],
    ) -> Result<()> {
        let checked = groups.check(hypotheses.len(), references.len());
        self.fill(hypotheses.len(), 1, rewards, checked, |metric, tables, first, rewards| {
            if batch_of(metric) > 1 {
                return score_copies(metric, tables, hypotheses, references, groups, first, rewards);
            }
            let mut owned = OwnedRows::default();
            let mut buffer = Vec::new();
            let mut item = first;
            let mut rest = rewards;
            while !rest.is_empty() {
                let group = item / groups.hypotheses;
                let in_group = ((group + 1) * groups.hypotheses - item).min(rest.len());
                let (own, others) = rest.split_at_mut(in_group);
                owned.read(references, group, groups.references)?;
                let references = owned.rows();
                // As in `score_group`: a small group does not repay the preparation of its references.
                let prepared = if in_group < WORTH_PREPARING {
                    None
                } else {
                    let prepared = metric.prepare(&mut tables.scratch, &references);
                    Some(prepared.map_err(|error| error.renumbered(item_location(item)))?)
                };
                for (item, reward) in (item..).zip(own) {
                    buffer.clear();
                    let hypothesis = hypotheses.ids(item, "hypotheses", &mut buffer)?;
                    let segment = Segment::new(hypothesis, &references);
                    let observed = tables.alone(|scratch, stats| match &prepared {
                        Some(prepared) => metric.observe_prepared(scratch, stats, segment, prepared),
                        None => metric.observe(scratch, stats, segment),
                    });
                    *reward = reward_of(metric, item, references.len(), observed)?;
                }
                (item, rest) = (item + in_group, others);
            }
            Ok(())
        })
    }

    /// Writes the contribution of each token to the score of its hypothesis. `credits` has the layout of the
    /// buffer of hypotheses. A token's credit is the score of the row up to this token, minus the score of
    /// the row up to the token before. Padding gets 0. The credits of a row add up to its score, up to
    /// rounding, minus the score of an empty row.
    ///
    /// ```
    /// use bleuprint_eval::{Groups, Rewards, Rows};
    /// use bleuprint_metrics::Bleu;
    ///
    /// let hypotheses = Rows::padded(&[1u32, 2, 9, 4, 0], 5, 0).unwrap();
    /// let references = Rows::padded(&[1u32, 2, 3, 4], 4, 0).unwrap();
    /// let mut credits = [7.0; 5];
    /// let bleu = Bleu::builder().max_order(1).effective_order(true).build().unwrap();
    /// let mut bleu = Rewards::<_, [u32]>::new(bleu);
    /// let pairs = Groups { hypotheses: 1, references: 1 };
    /// bleu.credits(&hypotheses, &references, pairs, &mut credits).unwrap();
    /// assert!(credits[1] > 0.0 && credits[3] > credits[2]);
    /// assert_eq!((credits.iter().sum::<f32>().round(), credits[4]), (75.0, 0.0));
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Rewards::per_row`], and an error if `credits` and the buffer differ in length.
    pub fn credits<A: RowId, B: RowId>(
        &mut self,
        hypotheses: &Rows<'_, A>,
        references: &Rows<'_, B>,
        groups: Groups,
        credits: &mut [f32],
    ) -> Result<()> {
        let checked = groups.check(hypotheses.len(), references.len());
        let stride = hypotheses.stride;
        self.fill(hypotheses.len(), stride, credits, checked, |metric, tables, first, credits| {
            let mut owned = OwnedRows::default();
            let mut buffer = Vec::new();
            let mut read = None;
            for (row, credits) in (first..).zip(credits.chunks_mut(stride.max(1))) {
                let group = row / groups.hypotheses;
                if read != Some(group) {
                    owned.read(references, group, groups.references)?;
                    read = Some(group);
                }
                buffer.clear();
                let hypothesis = hypotheses.ids(row, "hypotheses", &mut buffer)?;
                let (start, end) = hypotheses.range(row);
                credits.fill(0.0);
                let own = &mut credits[start - row * stride..end - row * stride];
                let references = owned.rows();
                let segment = Segment::new(hypothesis, &references);
                credit_row(metric, tables, segment, own)
                    .map_err(|error| error.renumbered(item_location(row)))?;
            }
            Ok(())
        })
    }
}

/// Writes the reward (score) of each hypothesis to `rewards`, for a metric that scores many segments in one
/// call. Token ids are copied to `u32` one batch at a time. At an invalid token id, the rows before it are
/// still scored.
fn score_copies<M: Observe<[u32]>, A: RowId, B: RowId>(
    metric: &M,
    tables: &mut ThreadTables<M>,
    hypotheses: &Rows<'_, A>,
    references: &Rows<'_, B>,
    groups: Groups,
    first: usize,
    rewards: &mut [f32],
) -> Result<()> {
    let mut buffer = Vec::new();
    let batch = batch_of(metric);
    for (part, rewards) in rewards.chunks_mut(batch).enumerate() {
        let first = first + part * batch;
        let mut copied = Vec::new();
        let mut of_groups = Vec::new();
        let mut copy = |item: usize| -> Result<()> {
            let group = item / groups.hypotheses;
            if of_groups.len() <= group - first / groups.hypotheses {
                let rows = group * groups.references..(group + 1) * groups.references;
                let own: Result<Vec<Vec<u32>>> =
                    rows.map(|row| references.copied(row, "references", &mut buffer)).collect();
                of_groups.push(own?);
            }
            copied.push(hypotheses.copied(item, "hypotheses", &mut buffer)?);
            Ok(())
        };
        let done = (first..first + rewards.len()).try_for_each(&mut copy);
        let items =
            RewardItems { first, group_size: groups.hypotheses, hypotheses: &copied, groups: &of_groups };
        // The rows before an invalid id are scored first: an error of theirs comes earlier in the batch.
        items.score(metric, tables, &mut rewards[..copied.len()])?;
        done?;
    }
    Ok(())
}

/// Writes the credit of each token of one hypothesis: the score of the prefix that ends with the token, minus
/// the score of the prefix before it.
fn credit_row<M>(
    metric: &M,
    tables: &mut ThreadTables<M>,
    segment: Segment<'_, [u32]>,
    credits: &mut [f32],
) -> Result<()>
where
    M: Observe<[u32]>,
{
    let counts = SegmentCounts::of_segment(segment.references.len());
    let hypothesis = segment.hypothesis;
    let score = |stats: &M::Stats| metric.number(stats, &counts);
    let prefix = |&end: &usize| Segment::with_source(&hypothesis[..end], segment.references, segment.source);
    // The first difference needs the score of an empty hypothesis, which is not 0 for every metric.
    let nothing = tables.alone(|scratch, stats| metric.observe(scratch, stats, prefix(&0)));
    let mut before = score(nothing?)?;
    let mut credits = credits.iter_mut();
    let mut credit = |stats: &M::Stats| {
        let now = score(stats)?;
        if let Some(credit) = credits.next() {
            *credit = (now - before) as f32;
        }
        before = now;
        Ok(())
    };
    // Metrics such as BLEU extend their counts token by token; the others observe every prefix from the
    // start.
    if metric.observe_prefixes(&mut tables.scratch, segment, &mut credit)? {
        return Ok(());
    }
    observe_apart(metric, tables, 1..=hypothesis.len(), prefix, |_, observed| credit(observed?))
}

#[cfg(test)]
#[test]
fn rows_are_without_their_padding() {
    let padded = Rows::padded(&[7i64, 8, 0, 0, 9, 0], 3, 0).unwrap();
    assert_eq!([0, 1, 2].map(|row| padded.get(row)), [&[7, 8][..], &[9], &[]]);
}
