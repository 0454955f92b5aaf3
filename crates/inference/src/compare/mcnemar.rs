//! [`McNemar`]: the exact test of two systems on the same segments where a segment is right or wrong.

use bleuprint_core::Result;

use crate::rows::add_row;
use crate::{Finish, Proportion, Rows};

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

impl McNemar {
    /// The counts of two systems, where the randomization test of their score is this test: every segment has one of two
    /// scores, all segments where the systems differ differ by the same counts, and the score of all follows their number
    /// strictly. Else none.
    ///
    /// # Errors
    /// Sums that do not fit 64 bits.
    pub(crate) fn of_rows(first: &Rows, second: &Rows, finish: &Finish<'_>) -> Result<Option<Self>> {
        let step = |row: &[u64], other: &[u64]| -> Vec<u64> {
            row.iter().zip(other).map(|(one, other)| one.wrapping_sub(*other)).collect()
        };
        let pairs = || first.iter().zip(second.iter());
        let Some((up, down)) = pairs().find(|(one, other)| one != other) else {
            let alike = is_two_valued(first, finish);
            return Ok(alike.then_some(McNemar { only_first: 0, only_second: 0 }));
        };
        let (better, step_up, step_down) = (finish(up) > finish(down), step(up, down), step(down, up));
        // In the pair found first, the first system is the one that `up` belongs to.
        let (mut ups, mut downs) = (0, 0);
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
        let mut score = finish(&rest);
        for _ in 0..ups + downs {
            rest.iter_mut().zip(&step_up).for_each(|(count, step)| *count = count.wrapping_add(*step));
            let next = finish(&rest);
            if !(if better { next > score } else { next < score }) {
                return Ok(None);
            }
            score = next;
        }
        let (only_first, only_second) = if better { (ups, downs) } else { (downs, ups) };
        Ok(Some(McNemar { only_first, only_second }))
    }

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
fn is_two_valued(rows: &Rows, finish: &Finish<'_>) -> bool {
    let mut known: Vec<f64> = Vec::new();
    rows.iter().all(|row| {
        let score = finish(row);
        if !known.contains(&score) {
            known.push(score);
        }
        score.is_finite() && known.len() <= 2
    })
}
