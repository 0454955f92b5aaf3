//! Items of a program's data flow: a variable at one position, and the variables from which its value comes.
//! If several rounds through a loop find the same variable at the same position, these items are merged into
//! one.

use std::collections::BTreeSet;

use ahash::{HashMap, HashMapExt as _};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    ComesFrom,
    ComputedFrom,
}

#[derive(Debug, Clone)]
pub(crate) struct FlowItem {
    pub(crate) name: u32,
    pub(crate) position: u32,
    pub(crate) relation: Relation,
    pub(crate) names: Vec<u32>,
    pub(crate) positions: Vec<u32>,
}

impl FlowItem {
    /// Adds the parents of `other`, the variables its value comes from, to this item. Names keep the order of
    /// first occurrence, and positions ascend.
    fn unite(&mut self, other: FlowItem) {
        self.names.extend(other.names);
        let mut seen = BTreeSet::new();
        self.names.retain(|name| seen.insert(*name));
        self.positions.extend(other.positions);
        self.positions.sort_unstable();
        self.positions.dedup();
    }
}

/// Merges the data-flow items of two rounds through a loop into one item for each variable, position and
/// relation, sorted by position.
pub(super) fn merge(items: &mut Vec<FlowItem>, from: usize) {
    let mut known: HashMap<(u32, u32, Relation), usize> = HashMap::new();
    let mut merged: Vec<FlowItem> = Vec::new();
    for item in items.drain(from..) {
        match known.get(&(item.name, item.position, item.relation)) {
            Some(&at) => merged[at].unite(item),
            None => {
                known.insert((item.name, item.position, item.relation), merged.len());
                merged.push(item);
            }
        }
    }
    // The sort is stable, so that items of one place keep the order in which the walk found them.
    merged.sort_by_key(|item| item.position);
    items.append(&mut merged);
}

/// Returns the data-flow items that have parents (variables their value comes from) or are parents, sorted by
/// position.
pub(super) fn used(mut items: Vec<FlowItem>) -> Vec<FlowItem> {
    items.sort_by_key(|item| item.position);
    let parents: BTreeSet<u32> = items.iter().flat_map(|item| &item.positions).copied().collect();
    items.retain(|item| !item.positions.is_empty() || parents.contains(&item.position));
    items
}

pub(super) fn join(items: Vec<FlowItem>) -> Vec<FlowItem> {
    let mut joined: Vec<FlowItem> = Vec::new();
    for item in items {
        match joined.last_mut() {
            Some(last) if last.position == item.position => last.unite(item),
            _ => joined.push(item),
        }
    }
    joined
}
