//! Scores of groups of segments, and the contributions of segments and groups to a difference.

use bleuprint_core::{InputError, Result};

use crate::resample::{Finish, Rows, leave_one_out};

/// The segments that share a label, and the sum of their counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The label.
    pub label: String,
    /// The segments, by index.
    pub segments: Vec<usize>,
    /// Their counts, summed.
    pub sum: Vec<u64>,
}

/// The slices of a corpus, in the order of the first occurrence of their labels. Their sums add up to the total.
///
/// ```
/// use bleuprint_eval::{resample::Rows, slices};
/// let rows = Rows::new(1, vec![1, 2, 4]).unwrap();
/// let groups = slices(&rows, ["news", "chat", "news"]).unwrap();
/// assert_eq!((groups[0].label.as_str(), &groups[0].sum[..]), ("news", &[5][..]));
/// assert_eq!(groups[1].segments, [1]);
/// ```
///
/// # Errors
/// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) unless there is a label for every segment.
pub fn slices<L: AsRef<str>>(rows: &Rows, labels: impl IntoIterator<Item = L>) -> Result<Vec<Slice>> {
    let groups = groups(labels);
    let labelled = groups.iter().map(|(_, segments)| segments.len()).sum::<usize>();
    crate::require_equal("the segments", rows.len(), "the labels", labelled)?;
    let slice = |(label, segments): (String, Vec<usize>)| {
        let sum = rows.sum_of(segments.iter().copied())?;
        Ok(Slice { label, segments, sum })
    };
    groups.into_iter().map(slice).collect()
}

/// The segments of each label, in the order of the first occurrence of labels.
pub fn groups<L: AsRef<str>>(labels: impl IntoIterator<Item = L>) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    let mut places: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for (segment, label) in labels.into_iter().enumerate() {
        let label = label.as_ref();
        let place = match places.get(label) {
            Some(&place) => place,
            None => {
                places.insert(label.to_owned(), groups.len());
                groups.push((label.to_owned(), Vec::new()));
                groups.len() - 1
            }
        };
        groups[place].1.push(segment);
    }
    groups
}

/// The contribution of each segment to `score(first) − score(second)`, in points: the difference on all segments minus the
/// difference without it. Exact, by subtraction; the contributions do not add up to the difference, because scores are not
/// sums.
///
/// # Errors
/// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) when the systems have different numbers of
/// segments; counts that do not fit 64 bits.
///
/// ```
/// use bleuprint_eval::{contributions, resample::Rows};
/// let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1] as f64;
/// let first = Rows::new(2, vec![2, 2, 1, 2]).unwrap();
/// let second = Rows::new(2, vec![1, 2, 1, 2]).unwrap();
/// // 75 − 50 points; without segment 1 there is no difference, without segment 2 it is 100 − 50.
/// assert_eq!(contributions(&first, &second, &percent).unwrap(), [25.0, -25.0]);
/// ```
pub fn contributions(first: &Rows, second: &Rows, finish: &Finish<'_>) -> Result<Vec<f64>> {
    crate::require_equal("the first system", first.len(), "the second", second.len())?;
    let all = finish(&first.total()?) - finish(&second.total()?);
    let (without_first, without_second) = (leave_one_out(first, finish)?, leave_one_out(second, finish)?);
    Ok(without_first.iter().zip(&without_second).map(|(first, second)| all - (first - second)).collect())
}

/// The contribution of a group of segments to `score(first) − score(second)`: the difference on all segments minus the
/// difference without the group.
///
/// # Errors
/// An index beyond the last segment; counts that do not fit 64 bits.
pub fn contribution_of_group(
    first: &Rows,
    second: &Rows,
    group: &[usize],
    finish: &Finish<'_>,
) -> Result<f64> {
    let without = |rows: &Rows| {
        let mut rest = rows.total()?;
        crate::resample::subtract_row(&mut rest, &rows.sum_of(group.iter().copied())?)?;
        Ok::<f64, InputError>(finish(&rest))
    };
    let all = finish(&first.total()?) - finish(&second.total()?);
    Ok(all - (without(first)? - without(second)?))
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn slices_add_up_to_the_total(segments: Vec<(u8, u16, u16)>) -> bool {
            let rows = Rows::new(2, segments.iter().flat_map(|s| [u64::from(s.1), u64::from(s.2)]).collect());
            let rows = rows.unwrap();
            let slices = slices(&rows, segments.iter().map(|segment| (segment.0 % 5).to_string())).unwrap();
            let mut sum = vec![0, 0];
            slices.iter().for_each(|slice| (0..2).for_each(|column| sum[column] += slice.sum[column]));
            sum == rows.total().unwrap()
        }
    }

    #[test]
    fn a_group_of_one_contributes_what_its_segment_does() {
        let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1].max(1) as f64;
        let first = Rows::new(2, vec![2, 2, 1, 2, 5, 9]).unwrap();
        let second = Rows::new(2, vec![1, 2, 1, 2, 7, 8]).unwrap();
        let single = contributions(&first, &second, &percent).unwrap();
        for (segment, &points) in single.iter().enumerate() {
            assert_eq!(contribution_of_group(&first, &second, &[segment], &percent).unwrap(), points);
        }
        assert!(contribution_of_group(&first, &second, &[3], &percent).is_err());
        assert!(slices(&first, ["a"]).is_err());
    }
}
