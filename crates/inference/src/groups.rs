//! Groups of segments that have the same label, such as a domain.

/// Returns each label with the indices of its segments, in the order of the first occurrence of labels.
/// Segments are numbered in the order of `labels`, from 0.
pub fn groups<L: AsRef<str>>(labels: impl IntoIterator<Item = L>) -> Vec<(String, Vec<usize>)> {
    let mut groups = SegmentGroups::default();
    labels.into_iter().enumerate().for_each(|(segment, label)| groups.add(segment, label.as_ref()));
    groups.all
}

#[derive(Default)]
struct SegmentGroups {
    all: Vec<(String, Vec<usize>)>,
    places: std::collections::HashMap<String, usize>,
}

impl SegmentGroups {
    fn add(&mut self, segment: usize, label: &str) {
        let place = match self.places.get(label) {
            Some(&place) => place,
            None => {
                self.places.insert(label.to_owned(), self.all.len());
                self.all.push((label.to_owned(), Vec::new()));
                self.all.len() - 1
            }
        };
        self.all[place].1.push(segment);
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;
    use crate::CountRows;

    quickcheck! {
        fn groups_add_up_to_the_total(segments: Vec<(u8, u16, u16)>) -> bool {
            let rows = CountRows::new(2, segments.iter().flat_map(|s| [u64::from(s.1), u64::from(s.2)]).collect());
            let rows = rows.unwrap();
            let mut sum = vec![0, 0];
            for (_, members) in groups(segments.iter().map(|segment| (segment.0 % 5).to_string())) {
                crate::add_row(&mut sum, &rows.sum_of(members).unwrap()).unwrap();
            }
            sum == rows.total().unwrap()
        }
    }

    #[test]
    fn groups_are_in_the_order_of_their_first_segments() {
        let expected = [("news".to_owned(), vec![0, 2]), ("chat".to_owned(), vec![1])];
        assert_eq!(groups(["news", "chat", "news"]), expected);
    }
}
