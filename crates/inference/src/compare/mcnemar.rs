//! [`McNemar`]: the exact test of two systems on the same segments where a segment is right or wrong, with its interval.

use bleuprint_core::Result;

use crate::rows::add_row;
use crate::{CountRows, Finish, Interval, Proportion};

/// The segments that one system alone gets right.
///
/// A randomization test swaps the outputs of the two systems at random. Of segments that are right or wrong it moves only
/// those where the systems differ, each with probability ½ to either side: so its p-value over all swaps is a binomial
/// probability, and no swap is needed. Source: McNemar 1947, in its exact form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct McNemar {
    /// Segments that the first system alone gets right.
    pub only_first: u64,
    /// Segments that the second alone gets right.
    pub only_second: u64,
}

/// The test of two systems, with the scores that its interval needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Exact {
    pub(crate) counts: McNemar,
    /// The score of a system that gets 0, 1, .. of the segments right where the two differ.
    scores: Vec<f64>,
}

impl Exact {
    /// The counts of two systems, where the randomization test of their score is this test: every segment has one of two
    /// scores, all segments where the systems differ differ by the same counts, and the score of all follows their number
    /// strictly. Else none.
    ///
    /// # Errors
    /// Sums that do not fit 64 bits.
    pub(crate) fn of_rows(
        first: &CountRows,
        second: &CountRows,
        finish: &Finish<'_>,
    ) -> Result<Option<Self>> {
        let step = |row: &[u64], other: &[u64]| -> Vec<u64> {
            row.iter().zip(other).map(|(one, other)| one.wrapping_sub(*other)).collect()
        };
        let pairs = || first.iter().zip(second.iter());
        let Some((up, down)) = pairs().find(|(one, other)| one != other) else {
            let alike = is_two_valued(first, finish);
            return Ok(
                alike.then(|| Exact { counts: McNemar { only_first: 0, only_second: 0 }, scores: vec![0.0] })
            );
        };
        let better = finish(up) > finish(down);
        let step_up = step(up, down);
        let step_down = step(down, up);
        // In the pair found first, the first system is the one that `up` belongs to.
        let mut ups = 0;
        let mut downs = 0;
        let mut rest = vec![0; first.columns()];
        for (one, other) in pairs() {
            let low = match step(one, other) {
                none if none.iter().all(|&count| count == 0) => one,
                step if step == step_up => {
                    ups += 1;
                    other
                }
                step if step == step_down => {
                    downs += 1;
                    one
                }
                _ => return Ok(None),
            };
            add_row(&mut rest, low)?;
        }
        if !is_two_valued(first, finish) || !is_two_valued(second, finish) {
            return Ok(None);
        }
        let mut scores = vec![finish(&rest)];
        for _ in 0..ups + downs {
            rest.iter_mut().zip(&step_up).for_each(|(count, step)| *count = count.wrapping_add(*step));
            scores.push(finish(&rest));
        }
        if !scores.is_sorted_by(|one, next| if better { one < next } else { one > next }) {
            return Ok(None);
        }
        let (only_first, only_second) = if better { (ups, downs) } else { (downs, ups) };
        if !better {
            scores.reverse();
        }
        Ok(Some(Exact { counts: McNemar { only_first, only_second }, scores }))
    }

    /// The difference of the scores if the first system alone is right in this share of the segments where the two differ.
    fn difference(&self, share: f64) -> f64 {
        let last = self.scores.len() - 1;
        // Between whole numbers of segments a score is on a line, as a mean is.
        let score = |share: f64| {
            let place = share * last as f64;
            let below = (place as usize).min(last);
            let above = (below + 1).min(last);
            self.scores[below] + (self.scores[above] - self.scores[below]) * (place - below as f64)
        };
        score(share) - score(1.0 - share)
    }

    /// The differences that the test does not reject at this level: Clopper and Pearson's interval of the share that the first
    /// system alone gets right of the segments where the two differ, as differences of scores. Source: Clopper and Pearson 1934.
    pub(crate) fn interval(&self, level: f64) -> Interval {
        let McNemar { only_first, only_second } = self.counts;
        let differ = only_first + only_second;
        let share = |most: u64| Proportion::new(most, differ).map_or(0.5, |part| part.most(0.5 * level));
        let seen = only_first as f64 / differ.max(1) as f64;
        let [mean, lower, upper] =
            [seen, 1.0 - share(only_second), share(only_first)].map(|share| self.difference(share));
        Interval::between(mean, lower, upper)
    }
}

impl McNemar {
    /// The segments where the systems differ, and the smaller part of them, as a proportion; none without such segments.
    fn smaller(&self) -> Option<Proportion> {
        let smaller = self.only_first.min(self.only_second);
        Proportion::new(smaller, self.only_first.saturating_add(self.only_second)).ok()
    }

    pub(crate) fn p_value(&self) -> f64 {
        self.smaller().map_or(1.0, |smaller| (2.0 * smaller.p_at_most(0.5)).min(1.0))
    }
}

/// True if the segments have at most two scores.
fn is_two_valued(rows: &CountRows, finish: &Finish<'_>) -> bool {
    let mut known: Vec<f64> = Vec::new();
    rows.iter().all(|row| {
        let score = finish(row);
        if !known.contains(&score) {
            known.push(score);
        }
        score.is_finite() && known.len() <= 2
    })
}
