//! [`Rewards`]: scores each hypothesis of a batch, as a reward in reinforcement learning.

mod rows;

use core::borrow::Borrow;
use core::marker::PhantomData;

use bleuprint_core::{AsSegment, InputError, Location, Metric, Observe, Result, Segment, SegmentCounts};
use bleuprint_inference::{map_mut, require_equal, threads};
use smallvec::SmallVec;

use crate::batches::{ThreadTables, batch_of, observe_apart};

pub use rows::{Groups, RowId, Rows};

/// Smallest number of hypotheses with the same references for which preparing these once saves time.
const WORTH_PREPARING: usize = 3;

/// Scorer of hypotheses in batches, with reusable memory, for rewards in reinforcement learning. Each
/// hypothesis gets its own score.
///
/// Rewards are on the metric's own scale: BLEU is 0 to 100, not 0 to 1. Use a metric for single segments,
/// such as `bleu.sentence()`. Corpus BLEU is 0 for every hypothesis with fewer tokens than the highest n-gram
/// order.
///
/// ```
/// use bleuprint_eval::Rewards;
/// use bleuprint_metrics::Bleu;
///
/// let mut rewards = Rewards::<_, [u32]>::new(Bleu::default().sentence());
/// let mut out = [0.0; 4];
///
/// // Two prompts with two rollouts each; the rollouts of a prompt share its references.
/// let rollouts: [&[u32]; 4] = [&[5, 6, 7, 8], &[5, 6], &[1, 2, 3, 4], &[9, 9]];
/// let references: [&[&[u32]]; 2] = [&[&[5, 6, 7, 8], &[5, 6, 7]], &[&[1, 2, 3, 5]]];
/// rewards.per_group(&rollouts, 2, &references, &mut out).unwrap();
/// assert_eq!((out[0], out[3]), (100.0, 0.0));
///
/// // The same, with a separate list of references for every item.
/// let own = [references[0], references[0], references[1], references[1]];
/// let mut again = [0.0; 4];
/// rewards.per_group(&rollouts, 1, &own, &mut again).unwrap();
/// assert_eq!(out, again);
///
/// let error = rewards.per_group(&rollouts, 1, &own, &mut again[..3]).unwrap_err();
/// assert_eq!(error.to_string(), "hypotheses has 4 segments, but rewards has 3");
/// ```
///
/// Buffers of a training framework, with padding or row lengths, are [`Rows`]; see [`Rewards::per_row`].
/// [`Rewards::credits`] returns the contribution of each token.
///
/// A metric that wants batches, such as a model, gets the items of several groups at once and prepares no
/// references.
///
/// After an error all rewards are NaN, so rewards of an earlier step cannot be mistaken for new ones. Keep
/// one [`Rewards`] for all steps: once its tables have grown, scoring an item allocates no memory (BLEU up to
/// order 4).
pub struct Rewards<M: Metric, S: ?Sized> {
    metric: M,
    /// Working memory for each part of the hypotheses, because threads work on different parts at the same
    /// time. Without threads there is one part for all hypotheses, otherwise several parts for each thread.
    parts: Vec<ThreadTables<M>>,
    parallel: bool,
    sequence: PhantomData<fn(&S)>,
}

impl<M, S> Rewards<M, S>
where
    M: Metric,
    S: ?Sized,
{
    /// Creates a reward scorer for `metric`, which uses one thread.
    pub fn new(metric: M) -> Self {
        Rewards { metric, parts: Vec::new(), parallel: false, sequence: PhantomData }
    }

    /// Lets the scorer use all threads of the current rayon pool. The rewards do not change.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn parallel(mut self) -> Self {
        self.parallel = true;
        self
    }

    /// Writes the score of every hypothesis to `rewards`. Each `group_size` consecutive hypotheses share the
    /// references of their group: `hypotheses[i]` is scored against `references[i / group_size]`.
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) unless every group has
    /// `group_size` hypotheses and every hypothesis has a reward. Returns the errors of [`Observe::observe`]
    /// with the number of the hypothesis.
    pub fn per_group<H, L, Q, R, C>(
        &mut self,
        hypotheses: &[H],
        group_size: usize,
        references: &[L],
        rewards: &mut [f32],
    ) -> Result<()>
    where
        M: Observe<S, R, C>,
        R: ?Sized,
        C: ?Sized,
        H: Borrow<S> + Sync,
        L: AsRef<[Q]> + Sync,
        Q: Borrow<R>,
    {
        let expected = references.len().saturating_mul(group_size);
        // The message is built only for an error, so that a later step allocates nothing.
        let checked = if hypotheses.len() == expected {
            Ok(())
        } else {
            let groups = format!("{} groups of {group_size}", references.len());
            require_equal("hypotheses", hypotheses.len(), &groups, expected)
        };
        self.fill(hypotheses.len(), 1, rewards, checked, |metric, tables, first, rewards| {
            if batch_of(metric) > 1 {
                let end = first + rewards.len();
                let groups = &references[first / group_size..end.div_ceil(group_size)];
                let items = RewardItems { first, group_size, hypotheses: &hypotheses[first..end], groups };
                return items.score::<M, S, R, C, Q>(metric, tables, rewards);
            }
            let mut rest = rewards;
            let mut item = first;
            while !rest.is_empty() {
                let group = item / group_size;
                // A part may begin or end within a group, so only the rest of the group is scored here.
                let in_group = ((group + 1) * group_size - item).min(rest.len());
                let (own, others) = rest.split_at_mut(in_group);
                let references = borrowed::<R, Q>(references[group].as_ref());
                score_group::<M, S, R, C, H>(
                    metric,
                    tables,
                    item,
                    &hypotheses[item..item + in_group],
                    &references,
                    own,
                )?;
                (item, rest) = (item + in_group, others);
            }
            Ok(())
        })
    }

    /// Writes the score of every segment to `rewards`. Segments may have sources, and hypotheses, references
    /// and sources of different types.
    ///
    /// ```
    /// use bleuprint_core::{Identity, PerSegment, Scale, Segment};
    /// use bleuprint_eval::Rewards;
    ///
    /// // The share of an answer's words that its source has.
    /// let identity = Identity::new("copied", 1, Scale::UNIT);
    /// let copied = PerSegment::new(identity, |segment: Segment<'_, str>| {
    ///     let words: Vec<&str> = segment.hypothesis.split(' ').collect();
    ///     let source: Vec<&str> = segment.source()?.split(' ').collect();
    ///     Ok(words.iter().filter(|word| source.contains(word)).count() as f64 / words.len() as f64)
    /// });
    /// let mut rewards = [0.0; 2];
    /// let none: [&str; 0] = [];
    /// let segments = [("a cat", none, Some("one cat")), ("a dog", none, Some("a dog"))];
    /// Rewards::<_, str>::new(copied).per_segment(&segments, &mut rewards).unwrap();
    /// assert_eq!(rewards, [0.5, 1.0]);
    /// ```
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) unless every segment has a
    /// reward, and the errors of [`Observe::observe`] with the number of the segment.
    pub fn per_segment<I, R, C>(&mut self, segments: &[I], rewards: &mut [f32]) -> Result<()>
    where
        M: Observe<S, R, C>,
        R: ?Sized,
        C: ?Sized,
        I: AsSegment<S, R, C> + Sync,
    {
        self.fill(segments.len(), 1, rewards, Ok(()), |metric, tables, first, rewards| {
            let own = &segments[first..first + rewards.len()];
            let segment = |&at: &usize| own[at].as_segment();
            observe_apart(metric, tables, 0..own.len(), segment, |&at, observed| {
                let references = own[at].as_segment().references.len();
                rewards[at] = reward_of(metric, first + at, references, observed)?;
                Ok(())
            })
        })
    }

    /// Checks the lengths, then calls `work` to fill `rewards` part by part; each of `items` hypotheses has
    /// `width` rewards. `work` gets the index of the part's first hypothesis. After an error all rewards are
    /// NaN.
    fn fill<W>(
        &mut self,
        items: usize,
        width: usize,
        rewards: &mut [f32],
        checked: Result<()>,
        work: W,
    ) -> Result<()>
    where
        W: Fn(&M, &mut ThreadTables<M>, usize, &mut [f32]) -> Result<()> + Sync,
    {
        let done = checked.and_then(|()| {
            require_equal("hypotheses", items.saturating_mul(width), "rewards", rewards.len())?;
            // Several parts for every thread, so that one slow part does not keep other threads waiting.
            let parts = if self.parallel { 4 * threads() } else { 1 };
            let metric = &self.metric;
            self.parts.resize_with(parts.max(1), || ThreadTables::new(metric));
            run_parts(metric, &mut self.parts, width.max(1), rewards, &work)
        });
        if done.is_err() {
            rewards.fill(f32::NAN);
        }
        done
    }
}

/// Splits `rewards` into one part for each working memory in `scratches`, and calls `work` on the parts. If
/// several parts fail, returns the error of the first part.
fn run_parts<M, T, W>(
    metric: &M,
    scratches: &mut [T],
    width: usize,
    rewards: &mut [f32],
    work: &W,
) -> Result<()>
where
    M: Metric,
    T: Send,
    W: Fn(&M, &mut T, usize, &mut [f32]) -> Result<()> + Sync,
{
    if let [scratch] = scratches {
        return work(metric, scratch, 0, rewards);
    }
    // Parts hold whole batches, so that threads do not change the batches that a metric sees.
    let items = (rewards.len() / width).div_ceil(scratches.len()).max(1).next_multiple_of(batch_of(metric));
    let mut parts: Vec<_> = rewards.chunks_mut(items * width).zip(scratches).collect();
    let done = map_mut(&mut parts, |part, (rewards, scratch)| work(metric, scratch, part * items, rewards));
    done.into_iter().collect()
}

/// Scores hypotheses that share references. `first` is the index of the first hypothesis in the batch, for
/// errors.
fn score_group<M, S, R, C, H>(
    metric: &M,
    tables: &mut ThreadTables<M>,
    first: usize,
    hypotheses: &[H],
    references: &[&R],
    rewards: &mut [f32],
) -> Result<()>
where
    M: Observe<S, R, C>,
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    H: Borrow<S>,
{
    let prepared = if hypotheses.len() < WORTH_PREPARING {
        None
    } else {
        let prepared = metric.prepare(&mut tables.scratch, references);
        Some(prepared.map_err(|error| error.renumbered(item_location(first)))?)
    };
    for ((item, hypothesis), reward) in (first..).zip(hypotheses).zip(rewards) {
        let segment = Segment::with_source(hypothesis.borrow(), references, None);
        let observed = tables.alone(|scratch, stats| match &prepared {
            Some(prepared) => metric.observe_prepared(scratch, stats, segment, prepared),
            None => metric.observe(scratch, stats, segment),
        });
        *reward = reward_of(metric, item, references.len(), observed)?;
    }
    Ok(())
}

/// Consecutive hypotheses of a batch with the references of their groups, for a metric that takes many
/// segments in one call.
struct RewardItems<'i, H, L> {
    first: usize,
    group_size: usize,
    hypotheses: &'i [H],
    /// References of each group; the first entry is the group of the first hypothesis.
    groups: &'i [L],
}

impl<H, L> RewardItems<'_, H, L> {
    fn score<M, S, R, C, Q>(
        &self,
        metric: &M,
        tables: &mut ThreadTables<M>,
        rewards: &mut [f32],
    ) -> Result<()>
    where
        M: Observe<S, R, C>,
        S: ?Sized,
        R: ?Sized,
        C: ?Sized,
        H: Borrow<S>,
        L: AsRef<[Q]>,
        Q: Borrow<R>,
    {
        let groups: Vec<SmallVec<[&R; 8]>> = self.groups.iter().map(|own| borrowed(own.as_ref())).collect();
        // The list of groups begins with the group of the first item, so the index is relative to it.
        let group = |at: usize| (self.first + at) / self.group_size - self.first / self.group_size;
        let segment =
            |&at: &usize| Segment::with_source(self.hypotheses[at].borrow(), &groups[group(at)], None);
        observe_apart(metric, tables, 0..self.hypotheses.len(), segment, |&at, observed| {
            rewards[at] = reward_of(metric, self.first + at, groups[group(at)].len(), observed)?;
            Ok(())
        })
    }
}

fn reward_of<M: Metric>(
    metric: &M,
    item: usize,
    references: usize,
    observed: Result<&M::Stats>,
) -> Result<f32> {
    let score = observed.and_then(|stats| metric.number(stats, &SegmentCounts::of_segment(references)));
    Ok(score.map_err(|error: InputError| error.at(item_location(item)))? as f32)
}

fn item_location(item: usize) -> Location {
    Location::segment(item as u64 + 1)
}

fn borrowed<S: ?Sized, Q: Borrow<S>>(references: &[Q]) -> SmallVec<[&S; 8]> {
    references.iter().map(Borrow::borrow).collect()
}
