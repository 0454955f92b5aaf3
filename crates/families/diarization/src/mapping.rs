//! Computes the one-to-one mapping of reference speakers to hypothesis speakers.

use crate::choices::MappingSearch;
use crate::file::ScoredFile;

/// Largest cost of a pair of speakers, low enough that a sum over all speakers fits into 64 bits.
const GREATEST: i64 = i64::MAX >> 10;

/// Returns the hypothesis speaker mapped to each reference speaker of a recording.
pub(crate) fn mapping(file: &ScoredFile<'_>, search: MappingSearch) -> Vec<Option<usize>> {
    match search {
        MappingSearch::Best => by_common_time(&file.mappable(), best),
        MappingSearch::Greedy => by_common_time(&file.mappable(), greedy),
        MappingSearch::Names => by_name(&file.speakers),
    }
}

fn by_name([references, hypotheses]: &[Vec<&str>; 2]) -> Vec<Option<usize>> {
    references.iter().map(|name| hypotheses.iter().position(|other| other == name)).collect()
}

/// Returns the hypothesis speaker that `choose` maps to each reference speaker, or `None` if they never speak
/// together. `common[r][h]` is the time in which reference speaker `r` and hypothesis speaker `h` speak
/// together.
fn by_common_time(
    common: &[Vec<u64>],
    choose: impl Fn(&[Vec<u64>], usize) -> Vec<Option<usize>>,
) -> Vec<Option<usize>> {
    let mapped = choose(common, common.first().map_or(0, Vec::len)).into_iter().enumerate();
    mapped.map(|(row, column)| column.filter(|&column| common[row][column] > 0)).collect()
}

/// Returns the mapping with the largest sum of common time. Ties are decided like in SciPy's
/// `linear_sum_assignment` for the costs "greatest common time minus common time".
fn best(common: &[Vec<u64>], columns: usize) -> Vec<Option<usize>> {
    // Speakers without common time pad the matrix to a square. They take part in the choice between equal
    // mappings.
    let size = common.len().max(columns);
    let most = common.iter().flatten().copied().max().unwrap_or_default();
    let of = |row: usize, column: usize| {
        let time = common.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default();
        // Only hostile files, with many overlapping turns of one speaker, exceed this cost. Their mapping has
        // no meaning.
        i64::try_from(most - time).unwrap_or(i64::MAX).min(GREATEST)
    };
    let cost: Vec<Vec<i64>> =
        (0..size).map(|row| (0..size).map(|column| of(row, column)).collect()).collect();
    let assigned = bleuprint_metrics::assign(&cost).into_iter().take(common.len());
    assigned.map(|column| column.filter(|&column| column < columns)).collect()
}

fn greedy(common: &[Vec<u64>], columns: usize) -> Vec<Option<usize>> {
    let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
    for (row, times) in common.iter().enumerate() {
        pairs.extend(times.iter().enumerate().map(|(column, &time)| (time, row, column)));
    }
    // Ties go to the first reference speaker, then to the first hypothesis speaker.
    pairs.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| (left.1, left.2).cmp(&(right.1, right.2))));
    let mut mapped = vec![None; common.len()];
    let mut taken = vec![false; columns];
    for (_, row, column) in pairs {
        if mapped[row].is_none() && !taken[column] {
            (mapped[row], taken[column]) = (Some(column), true);
        }
    }
    mapped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the largest sum of common time that a one-to-one mapping can have, by trying every mapping.
    fn naive(common: &[Vec<u64>], row: usize, taken: &mut Vec<bool>) -> u64 {
        let Some(times) = common.get(row) else { return 0 };
        let mut most = naive(common, row + 1, taken);
        for (column, time) in times.iter().enumerate() {
            if !taken[column] {
                taken[column] = true;
                most = most.max(time + naive(common, row + 1, taken));
                taken[column] = false;
            }
        }
        most
    }

    quickcheck::quickcheck! {
        fn no_mapping_has_more_time_in_common(rows: Vec<(u8, u8, u8, u8, u8)>) -> bool {
            let common: Vec<Vec<u64>> = rows.iter().take(5)
                .map(|&(a, b, c, d, e)| [a, b, c, d, e].map(|time| u64::from(time % 6)).to_vec()).collect();
            let sum = |mapped: Vec<Option<usize>>| -> u64 {
                mapped.iter().enumerate().filter_map(|(row, column)| Some(common[row][(*column)?])).sum()
            };
            let most = naive(&common, 0, &mut vec![false; 5]);
            sum(by_common_time(&common, best)) == most && sum(by_common_time(&common, greedy)) <= most
        }
    }
}
