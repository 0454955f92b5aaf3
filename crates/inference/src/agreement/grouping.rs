//! [`Grouping`]: the cells (scores of one item of one system) that a statistic compares with each other.

use bleuprint_core::{InputError, Result};
use serde::Serialize;

use super::ratings::Ratings;

/// Groups of cells, each of which a statistic compares as one vector. A cell is the score of one item of one
/// system. A statistic over several groups is the mean of its values in the groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Grouping {
    /// All cells (scores of one item of one system) in one group, system by system.
    None,
    /// One group for each item: the scores of all systems for it.
    #[default]
    Item,
    /// One group for each system: its scores for all items.
    System,
}

bleuprint_core::choice!(Grouping: None "none", Item "item", System "system"; 1);

/// Cells (one item of one system) that people rated, group by group. Cells without a rating are left out.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// Index in `places` and `human` at which each group of cells starts, followed by the end of the last
    /// group.
    bounds: Vec<usize>,
    pub(super) places: Vec<(usize, usize)>,
    pub(super) human: Vec<f64>,
}

impl Cells {
    pub(super) fn new(human: &Ratings, grouping: Grouping) -> Self {
        let systems = human.systems().len();
        let items = human.items();
        let mut cells = Cells { bounds: vec![0], places: Vec::new(), human: Vec::new() };
        let (outer, inner) = match grouping {
            Grouping::Item => (items, systems),
            Grouping::None | Grouping::System => (systems, items),
        };
        for first in 0..outer {
            for second in 0..inner {
                let (system, item) = match grouping {
                    Grouping::Item => (second, first),
                    Grouping::None | Grouping::System => (first, second),
                };
                if let Some(rating) = human.get(system, item) {
                    cells.places.push((system, item));
                    cells.human.push(rating);
                }
            }
            if grouping != Grouping::None {
                cells.bounds.push(cells.human.len());
            }
        }
        if grouping == Grouping::None {
            cells.bounds.push(cells.human.len());
        }
        cells
    }

    pub(super) fn len(&self) -> usize {
        self.human.len()
    }

    pub(super) fn values(&self, name: &str, metric: &Ratings) -> Result<Vec<f64>> {
        let value = |&(system, item): &(usize, usize)| {
            metric.get(system, item).ok_or_else(|| {
                let system = metric.systems().get(system).map_or("?", String::as_str);
                let message = format!(
                    "{name} has no score for item {} of system `{system}`, which people rated",
                    item + 1
                );
                InputError::malformed(message)
            })
        };
        self.places.iter().map(value).collect()
    }

    /// Returns the index range of the cells of every group, including empty groups.
    pub(super) fn groups(&self) -> impl ExactSizeIterator<Item = core::ops::Range<usize>> + '_ {
        self.bounds.windows(2).map(|bounds| bounds[0]..bounds[1])
    }
}
