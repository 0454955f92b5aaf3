//! Shifts of words in the metric CharacTER, and their cost.

use std::cmp::Ordering;
use std::collections::HashMap;

use bleuprint_core::{InputError, Result, check_interrupt, counted};
use bleuprint_metrics::PairTables;

/// Returns the hypothesis after all shifts of words that lower its word error rate.
pub(super) fn shifted<'t>(
    tables: &mut PairTables,
    hypothesis: &[&'t str],
    reference: &[&str],
) -> Result<Vec<&'t str>> {
    // Words are numbered in sorted order, so lists of numbers compare as the lists of words do. Ties depend
    // on this order.
    let mut all: Vec<&str> = hypothesis.iter().chain(reference).copied().collect();
    all.sort_unstable();
    all.dedup();
    let number = |word: &&str| all.partition_point(|other| other < word) as u32;
    let reference: Vec<u32> = reference.iter().map(number).collect();
    let mut present: Vec<u32> = hypothesis.iter().map(number).collect();
    let rate = |edits: u64| edits as f64 / reference.len() as f64;
    let edits = tables.edits(&present, &reference)?;
    check_work(&present, &reference, edits)?;
    let mut score = rate(edits);
    while let Some((gain, best)) = best_shift(tables, &present, &reference, |edits| score - rate(edits))? {
        // The program stops at the first round without a gain, even if a later shift could help.
        if gain <= 0.0 {
            break;
        }
        (score, present) = (score - gain, best);
    }
    // The result has the same words in another order.
    let mut of_number = vec![""; all.len()];
    hypothesis.iter().for_each(|word| of_number[number(word) as usize] = word);
    Ok(present.into_iter().map(|number| of_number[number as usize]).collect())
}

/// Maximum number of cells in all edit tables of one segment, which a computer fills in a few seconds.
const MOST_CELLS: u128 = 1 << 38;

/// Returns an error if the search for shifts may need too much work. One round of the search computes a table
/// of edits for every pair of equal words at different places. There are at most `edits` rounds.
fn check_work(present: &[u32], reference: &[u32], edits: u64) -> Result<()> {
    let mut counts: HashMap<u32, u128> = HashMap::new();
    reference.iter().for_each(|word| *counts.entry(*word).or_default() += 1);
    let pairs: u128 = present.iter().map(|word| counts.get(word).copied().unwrap_or_default()).sum();
    let same = present.iter().zip(reference).filter(|(one, other)| one == other).count() as u128;
    let pairs = pairs.saturating_sub(same);
    let lengths = [present.len() as u128, reference.len() as u128];
    let cells =
        [pairs, lengths[0], lengths[1]].iter().fold(u128::from(edits), |all, one| all.saturating_mul(*one));
    if cells <= MOST_CELLS {
        return Ok(());
    }
    Err(InputError::malformed(format!(
        "CharacTER may need {cells} steps for {} of hypothesis and {} of reference, with {pairs} pairs of equal words; \
         at most {MOST_CELLS} are allowed in one segment: score sentences, not whole documents",
        counted(lengths[0], "word"),
        counted(lengths[1], "word"),
    )))
}

/// Returns the largest gain of any shift of words, and the list of words after this shift. If several shifts
/// have the largest gain, the lexicographically greatest list is returned.
fn best_shift(
    tables: &mut PairTables,
    present: &[u32],
    reference: &[u32],
    gain: impl Fn(u64) -> f64,
) -> Result<Option<(f64, Vec<u32>)>> {
    let mut best: Option<(f64, Vec<u32>)> = None;
    let mut list = Vec::with_capacity(present.len());
    for (from, word) in present.iter().enumerate() {
        check_interrupt()?;
        for (to, _) in reference.iter().enumerate().filter(|(to, other)| *to != from && *other == word) {
            let run =
                present[from..].iter().zip(&reference[to..]).take_while(|(one, other)| one == other).count();
            list.clear();
            list.extend_from_slice(&present[..from]);
            list.extend_from_slice(&present[from + run..]);
            let at = to.min(list.len());
            list.splice(at..at, present[from..from + run].iter().copied());
            let gain = gain(tables.edits(&list, reference)?);
            let greater = best.as_ref().is_none_or(|(most, of)| match gain.total_cmp(most) {
                Ordering::Equal => list > *of,
                order => order == Ordering::Greater,
            });
            if greater {
                best = Some((gain, list.clone()));
            }
        }
    }
    Ok(best)
}

/// Returns CharacTER's cost of the shifts between two orders of the same words: the sum over shifted runs of
/// the mean length of their words.
pub(super) fn cost(original: &[&str], shifted: &[&str]) -> f64 {
    let mut cost = 0.0;
    let mut at = 0;
    while at < original.len() {
        let later = (original[at] != shifted[at])
            .then(|| (at + 1..shifted.len()).find(|&place| shifted[place] == original[at]));
        if let Some(Some(place)) = later {
            let run =
                original[at..].iter().zip(&shifted[place..]).take_while(|(one, other)| one == other).count();
            let letters: usize = original[at..at + run].iter().map(|word| word.chars().count()).sum();
            cost += letters as f64 / run as f64;
            at = (at + run - 1).min(original.len() - 1);
        }
        at += 1;
    }
    cost
}

#[cfg(test)]
#[test]
fn repeated_words_have_a_limit_that_is_checked_before_the_work() {
    let words = |count: usize, kinds: usize, step: usize| {
        (0..count).map(|at| (at * step % kinds) as u32).collect::<Vec<u32>>()
    };
    assert!(check_work(&words(200, 50, 7), &words(200, 50, 11), 190).is_ok());
    let error = check_work(&words(500, 50, 7), &words(500, 50, 11), 480).unwrap_err().to_string();
    assert!(error.contains("500 words of hypothesis") && error.contains("at most 274877906944"), "{error}");
    // Equal places are no pairs, and distinct words need little work.
    let distinct: Vec<u32> = (0..5_000).collect();
    assert!(check_work(&distinct, &distinct, 5_000).is_ok());
}
