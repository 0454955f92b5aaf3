//! [`Ratings`]: a table of scores of systems by item (such as a segment), in which scores may be missing.

use bleuprint_core::{InputError, InputErrorKind, Result, counted};

/// Table of scores with one row for each system and one column for each item; a cell may be missing. Items
/// are segments, documents or domains.
///
/// Systems are sorted by name, so that no result depends on their order in the input.
///
/// ```
/// use bleuprint_inference::agreement::Ratings;
/// let ratings = Ratings::new([("b", vec![Some(1.0), None]), ("a", vec![Some(3.0), Some(2.0)])])?;
/// assert_eq!((ratings.systems(), ratings.items()), (&["a".to_owned(), "b".to_owned()][..], 2));
/// assert_eq!((ratings.get(1, 0), ratings.get(1, 1)), (Some(1.0), None));
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratings {
    systems: Vec<String>,
    items: usize,
    cells: Vec<Option<f64>>,
}

impl Ratings {
    /// Creates a table from the name and the scores of each system. The scores of all systems are in the same
    /// order of items.
    ///
    /// # Errors
    /// Returns an error if there is no system, if a name occurs twice, if the systems have different numbers
    /// of items, or if a score is not finite.
    pub fn new<N: Into<String>>(systems: impl IntoIterator<Item = (N, Vec<Option<f64>>)>) -> Result<Self> {
        let mut systems: Vec<(String, Vec<Option<f64>>)> =
            systems.into_iter().map(|(name, scores)| (name.into(), scores)).collect();
        let Some((first, scores)) = systems.first() else { return Err(InputErrorKind::EmptyCorpus.into()) };
        let items = scores.len();
        for (name, scores) in &systems {
            if scores.len() != items {
                let items = counted(items, "score");
                let other = scores.len();
                let message = format!("system `{first}` has {items}, but system `{name}` has {other}");
                return Err(InputError::malformed(message));
            }
            if let Some(item) = scores.iter().position(|score| score.is_some_and(|score| !score.is_finite()))
            {
                let message = format!(
                    "the score of system `{name}` for item {} is {}, but must be finite, or missing",
                    item + 1,
                    scores[item].unwrap_or(f64::NAN)
                );
                return Err(InputError::malformed(message));
            }
        }
        systems.sort_by(|one, other| one.0.cmp(&other.0));
        if let Some(pair) = systems.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(InputError::malformed(format!("system `{}` comes twice", pair[0].0)));
        }
        let (names, cells): (Vec<String>, Vec<_>) = systems.into_iter().unzip();
        Ok(Ratings { systems: names, items, cells: cells.into_iter().flatten().collect() })
    }

    /// Returns the names of the systems, sorted: the rows of the table.
    pub fn systems(&self) -> &[String] {
        &self.systems
    }

    /// Returns the number of items, such as segments: the columns of the table.
    pub fn items(&self) -> usize {
        self.items
    }

    /// Returns the score of an item of a system. Returns `None` if the score is missing or an index is out of
    /// range.
    pub fn get(&self, system: usize, item: usize) -> Option<f64> {
        // An item beyond the last would address a cell of the next system, hence the filter.
        self.cells.get(system * self.items + item).copied().flatten().filter(|_| item < self.items)
    }

    pub(super) fn row(&self, system: usize) -> &[Option<f64>] {
        self.cells.get(system * self.items..(system + 1) * self.items).unwrap_or_default()
    }

    /// Returns the number of ratings that are present: combinations of an item and a system with a score.
    pub(crate) fn rated(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    pub(super) fn complete(&self) -> Vec<usize> {
        let all = |item: &usize| (0..self.systems.len()).all(|system| self.get(system, *item).is_some());
        (0..self.items).filter(all).collect()
    }

    pub(super) fn system(&self, name: &str) -> Option<usize> {
        self.systems.binary_search_by(|known| known.as_str().cmp(name)).ok()
    }

    /// Returns a copy of the table with only the systems whose name satisfies `keep`.
    #[must_use]
    pub(super) fn of_systems(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.systems.len()).filter(|&at| keep(&self.systems[at])).collect();
        Ratings {
            systems: kept.iter().map(|&at| self.systems[at].clone()).collect(),
            items: self.items,
            cells: kept.iter().flat_map(|&at| self.row(at)).copied().collect(),
        }
    }

    #[must_use]
    pub(super) fn of_items(&self, items: &[usize]) -> Self {
        let row = |system: usize| items.iter().map(move |&item| self.get(system, item));
        Ratings {
            systems: self.systems.clone(),
            items: items.len(),
            cells: (0..self.systems.len()).flat_map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_table_is_refused() {
        let refused = |systems: &[(&str, &[f64])]| {
            let systems =
                systems.iter().map(|(name, scores)| (*name, scores.iter().copied().map(Some).collect()));
            Ratings::new(systems).unwrap_err().to_string()
        };
        assert_eq!(refused(&[("a", &[1.0]), ("b", &[])]), "system `a` has 1 score, but system `b` has 0");
        assert_eq!(refused(&[("a", &[1.0]), ("a", &[2.0])]), "system `a` comes twice");
        let message = "the score of system `a` for item 2 is NaN, but must be finite, or missing";
        assert_eq!(refused(&[("a", &[1.0, f64::NAN])]), message);
    }

    #[test]
    fn parts_keep_their_cells() {
        let ratings =
            Ratings::new([("a", vec![Some(1.0), None, Some(3.0)]), ("b", vec![None, None, Some(6.0)])]);
        let ratings = ratings.unwrap();
        assert_eq!((ratings.rated(), ratings.complete()), (3, vec![2]));
        let part = ratings.of_systems(|name| name == "b").of_items(&[2, 0]);
        assert_eq!((part.row(0), part.get(0, 2)), (&[Some(6.0), None][..], None));
    }
}
