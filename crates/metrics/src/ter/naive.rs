//! Naive reference implementation of TER's shift search, for tests: it follows the definition step by step
//! and computes the whole distance table for every candidate.

use super::beam::Width;
use super::{MAX_CANDIDATES, MAX_DISTANCE, MAX_LENGTH};

/// Sort key of a shift of words in TER: gain, length, negated start and negated target. The greatest key
/// wins.
type Preference = (i64, usize, i64, i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NaiveStep {
    Pair,
    Delete,
    Insert,
}

/// Rule for a pair of a hypothesis word and a place in the reference: `Some(true)` is a match,
/// `Some(false)` a substitution, `None` a forbidden pair.
type Rule<'r> = &'r dyn Fn(u32, usize) -> Option<bool>;

/// Returns the number of edits, shifts included, between the hypothesis and a reference of `reference`
/// words.
pub(super) fn edits(hypothesis: &[u32], reference: usize, beam: Width, rule: Rule<'_>) -> u64 {
    let mut words = hypothesis.to_vec();
    let mut shifts = 0;
    let mut checked = 0;
    if reference == 0 {
        return words.len() as u64;
    }
    loop {
        let (distance, steps) = table(&words, reference, beam, rule);
        let Some(shifted) = best_shift(&words, (reference, beam), rule, distance, &steps, &mut checked)
        else {
            return shifts + distance;
        };
        words = shifted;
        shifts += 1;
    }
}

fn table(words: &[u32], m: usize, beam: Width, rule: Rule<'_>) -> (u64, Vec<Vec<NaiveStep>>) {
    // More than any distance, and far enough from `u64::MAX` that adding 1 never overflows.
    const OUTSIDE: u64 = 10_000_000_000_000_000;
    let n = words.len();
    let ratio = if n == 0 { 1.0 } else { m as f64 / n as f64 };
    let width = beam.columns(ratio);
    let mut above = m + 1;
    let mut costs: Vec<Vec<u64>> = vec![(0..=m as u64).collect()];
    let mut steps = vec![vec![NaiveStep::Insert; m + 1]];
    for i in 1..=n {
        let diagonal = (i as f64 * ratio).floor() as usize;
        let end = if i == n { m + 1 } else { (m + 1).min(diagonal + width) };
        let mut row = vec![OUTSIDE; m + 1];
        let mut row_steps = vec![NaiveStep::Insert; m + 1];
        let start = beam.start(diagonal.saturating_sub(width), above);
        above = end;
        for j in start..end {
            if j > 0
                && let Some(equal) = rule(words[i - 1], j - 1)
            {
                row[j] = costs[i - 1][j - 1] + u64::from(!equal);
                row_steps[j] = NaiveStep::Pair;
            }
            if costs[i - 1][j] + 1 < row[j] {
                (row[j], row_steps[j]) = (costs[i - 1][j] + 1, NaiveStep::Delete);
            }
            if j > 0 && row[j - 1] + 1 < row[j] {
                (row[j], row_steps[j]) = (row[j - 1] + 1, NaiveStep::Insert);
            }
        }
        costs.push(row);
        steps.push(row_steps);
    }
    (costs[n][m], steps)
}

fn best_shift(
    words: &[u32],
    (m, beam): (usize, Width),
    rule: Rule<'_>,
    distance: u64,
    steps: &[Vec<NaiveStep>],
    checked: &mut usize,
) -> Option<Vec<u32>> {
    let (aligned, hyp_errors, ref_errors) = walk(words, m, rule, steps);
    let mut best: Option<(Preference, Vec<u32>)> = None;
    'search: for start in 0..words.len() {
        for from in 0..m {
            if from.abs_diff(start) > MAX_DISTANCE {
                continue;
            }
            for length in 1..=MAX_LENGTH {
                let end = start + length;
                let to = from + length;
                if end > words.len() || to > m || rule(words[end - 1], to - 1) != Some(true) {
                    break;
                }
                let erroneous =
                    hyp_errors[start..end].contains(&true) && ref_errors[from..to].contains(&true);
                if !erroneous || (start as i64..end as i64).contains(&aligned[from]) {
                    continue;
                }
                let mut previous = None;
                for offset in -1..length as i64 {
                    let at = from as i64 + offset;
                    let target = if at < 0 { 0 } else { (aligned[at as usize] + 1) as usize };
                    if previous == Some(target) {
                        continue;
                    }
                    previous = Some(target);
                    let shifted = shift(words, start, length, target);
                    let gain = distance as i64 - table(&shifted, m, beam, rule).0 as i64;
                    let key = (gain, length, -(start as i64), -(target as i64));
                    if best.as_ref().is_none_or(|(best, _)| key > *best) {
                        best = Some((key, shifted));
                    }
                    *checked += 1;
                }
                if *checked >= MAX_CANDIDATES {
                    break 'search;
                }
            }
        }
    }
    if *checked >= MAX_CANDIDATES {
        return None;
    }
    best.filter(|(key, _)| key.0 > 0).map(|(_, shifted)| shifted)
}

/// Walks back over the distance table and returns three lists. The first has the hypothesis position to which
/// each reference word is aligned; -1 is before all words. The second and third mark the hypothesis words and
/// the reference words that are part of an error.
fn walk(
    words: &[u32],
    m: usize,
    rule: Rule<'_>,
    steps: &[Vec<NaiveStep>],
) -> (Vec<i64>, Vec<bool>, Vec<bool>) {
    let mut i = words.len();
    let mut j = m;
    let mut aligned = vec![0; j];
    let mut hyp_errors = vec![false; i];
    let mut ref_errors = vec![false; j];
    while i > 0 || j > 0 {
        match steps[i][j] {
            NaiveStep::Pair => {
                let error = rule(words[i - 1], j - 1) != Some(true);
                (hyp_errors[i - 1], ref_errors[j - 1]) = (error, error);
                aligned[j - 1] = i as i64 - 1;
                (i, j) = (i - 1, j - 1);
            }
            NaiveStep::Delete => {
                hyp_errors[i - 1] = true;
                i -= 1;
            }
            NaiveStep::Insert => {
                ref_errors[j - 1] = true;
                aligned[j - 1] = i as i64 - 1;
                j -= 1;
            }
        }
    }
    (aligned, hyp_errors, ref_errors)
}

fn shift(words: &[u32], start: usize, length: usize, target: usize) -> Vec<u32> {
    let end = start + length;
    let mut rest = [&words[..start], &words[end..]].concat();
    let at = match target {
        target if target < start => target,
        target if target > end => target - length,
        // The target is inside the moved block. The block moves behind as many following words as the
        // target is words after its start.
        target => target.min(rest.len()),
    };
    rest.splice(at..at, words[start..end].iter().copied());
    rest
}
