//! [`Grouping`]: which scores are correlated together, for example all systems' scores of one item.

use bleuprint_core::{InputError, Result};
use serde::Serialize;

use super::ratings::Ratings;

/// Grouping of scores for a correlation with human scores: the statistic is computed within each group, then
/// averaged over the groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Grouping {
    /// One single group with the scores of all items of all systems.
    None,
    /// One group for each item: the scores of all systems for this item.
    #[default]
    Item,
    /// One group for each system: the system's scores for all items.
    System,
}

bleuprint_core::choice!(Grouping: None "none", Item "item", System "system"; 1);

/// Human scores in the order of their groups, with the system and the item of each score. Missing scores are
/// left out.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// Start index of each group of scores in `places` and `human`, followed by the end of the last group.
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

    /// Returns the index range of the scores of every group, including empty groups.
    pub(super) fn groups(&self) -> impl ExactSizeIterator<Item = core::ops::Range<usize>> + '_ {
        self.bounds.windows(2).map(|bounds| bounds[0]..bounds[1])
    }
}
