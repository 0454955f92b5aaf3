//! Shifts of words in the metric CharacTER, and their cost.

use std::cmp::Ordering;

use bleuprint_core::{Result, check_interrupt};
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
    let mut score = rate(tables.edits(&present, &reference)?);
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

/// Returns the shift of words with the largest gain, and the words after it; ties are resolved to the
/// greatest list of words.
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
