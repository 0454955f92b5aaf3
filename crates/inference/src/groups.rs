//! Groups of segments that share a label, and their counts.

use bleuprint_core::Result;

use crate::Rows;
use crate::rows::require_equal;

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
/// use bleuprint_inference::{Rows, slices};
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
    require_equal("the segments", rows.len(), "the labels", labelled)?;
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
    fn every_segment_has_a_label() {
        assert!(slices(&Rows::new(1, vec![1, 2]).unwrap(), ["a"]).is_err());
    }
}
