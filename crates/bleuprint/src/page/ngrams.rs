//! N-grams on the report page that one of two systems matches more often than the other.

use std::collections::BTreeSet;

use bleuprint_core::Result;
use bleuprint_eval::NgramTable;
use bleuprint_eval::evaluation::RunTexts;
use bleuprint_report::page::PageNgrams;

/// Counts the n-grams of all systems and keeps the n-grams that the report page lists for some pair of
/// systems. Returns `None` if there are fewer than two systems.
pub(super) fn listed(texts: &RunTexts, systems: usize) -> Result<Option<PageNgrams>> {
    if systems < 2 {
        return Ok(None);
    }
    // The page joins tokens with spaces, so a space within a token becomes a no-break space.
    let written = |token: &str| token.replace(' ', "\u{a0}");
    Ok(Some(of_all_pairs(&texts.ngrams(written, systems)?, systems)))
}

fn of_all_pairs(table: &NgramTable, systems: usize) -> PageNgrams {
    // Ordered pairs: the list of n-grams that the first system has more often is not the reverse of the other
    // list.
    let pairs = (0..systems).flat_map(|first| (0..systems).map(move |second| (first, second)));
    let kept: BTreeSet<usize> = pairs
        .filter(|(first, second)| first != second)
        .flat_map(|(first, second)| table.surest(first, second, PageNgrams::MOST))
        .collect();
    PageNgrams {
        texts: kept.iter().map(|&ngram| table.tokens(ngram).join(" ")).collect(),
        references: kept.iter().map(|&ngram| table.counts(ngram)[0]).collect(),
        matches: (0..systems)
            .map(|system| kept.iter().map(|&ngram| table.counts(ngram)[1 + system]).collect())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use bleuprint_eval::NgramMatches;

    use super::*;

    /// Checks that the n-grams which the report page lists are enough for the page. For every pair of
    /// systems, their list must equal the list that all n-grams give.
    #[test]
    fn the_page_lists_what_the_whole_table_gives() {
        let mut matches = NgramMatches::new(6);
        let mut state = 7_u32;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..80 {
            let mut text = || -> Vec<String> { (0..draw(14)).map(|_| format!("w{}", draw(9))).collect() };
            let texts: Vec<Vec<String>> = (0..8).map(|_| text()).collect();
            let strs: Vec<Vec<&str>> =
                texts.iter().map(|text| text.iter().map(String::as_str).collect()).collect();
            let slices: Vec<&[&str]> = strs.iter().map(Vec::as_slice).collect();
            matches.add(&slices[2..], &slices[..2]);
        }
        let table = matches.finish();
        let page = of_all_pairs(&table, 6);
        assert!(!table.tokens(page.texts.len()).is_empty(), "the page lists a part");
        for (first, second) in (0..6).flat_map(|first| (0..6).map(move |second| (first, second))) {
            if first == second {
                continue;
            }
            let whole: Vec<String> = table
                .surest(first, second, PageNgrams::MOST)
                .into_iter()
                .map(|ngram| table.tokens(ngram).join(" "))
                .collect();
            let listed: Vec<String> =
                page.won(first, second).into_iter().map(|ngram| page.texts[ngram].clone()).collect();
            assert_eq!(whole, listed);
            assert!(!listed.is_empty());
        }
    }
}
