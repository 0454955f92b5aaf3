//! The data-flow part of CodeBLEU: the share of the reference's flows between variables that the hypothesis
//! also has.
//!
//! A flow is a triple (variable, relation, variables): the variable's value comes from, or is computed from,
//! the listed variables. Variables are numbered in the order in which they occur, so that names do not
//! matter. The rules for walking a language's tree are the original program's, without rules that never
//! apply. The program's sets of names have no order. Here they keep the order of first occurrence, which is
//! one of the program's possible results.

mod items;
mod leaves;
mod rules;
mod states;
mod walk;

use ahash::{HashMap, HashMapExt as _};

use crate::tree::SyntaxTree;
use crate::{Language, NameColumns};
pub(crate) use items::{FlowItem, Relation};
use leaves::Leaves;
use rules::FlowRules;
use walk::FlowWalk;

/// Maximum depth of a syntax tree in which data flow is searched. The original program fails at about this
/// depth, at Python's recursion limit.
pub(crate) const DEPTH: usize = 900;

/// Maximum number of visits to syntax nodes in the search for data flow. Loops are visited twice, and nested
/// loops 2, 4, 8, .. times.
pub(crate) const STEPS: u32 = 1 << 21;
type Flow = (u32, Relation, Vec<u32>);

#[derive(Debug, Default)]
pub(crate) struct Flows {
    flows: Vec<Flow>,
    /// `true` if the search for data flow failed, so that `flows` is empty. The search fails if the syntax
    /// tree is too deep, takes too many steps, or lacks a child that a rule needs. The original program fails
    /// in these cases.
    pub(crate) given_up: bool,
}

impl Flows {
    pub(crate) fn from_tree(
        language: Language,
        columns: NameColumns,
        text: &str,
        tree: &SyntaxTree,
    ) -> Flows {
        let leaves = Leaves::from_tree(tree, text, columns);
        match items(language, tree, &leaves) {
            Some(items) => Flows { flows: numbered(&items), given_up: false },
            None => Flows { flows: Vec::new(), given_up: true },
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.flows.len() as u64
    }

    /// Returns the number of data flows of a reference program (`self`) that the program `hypothesis` also
    /// has. A flow that occurs several times counts up to the smaller of its two numbers of occurrences.
    pub(crate) fn matched(&self, hypothesis: &Flows) -> u64 {
        let mut left: HashMap<&Flow, u64> = HashMap::new();
        hypothesis.flows.iter().for_each(|flow| *left.entry(flow).or_default() += 1);
        let take =
            |flow: &&Flow| left.get_mut(*flow).filter(|count| **count > 0).map(|count| *count -= 1).is_some();
        self.flows.iter().filter(take).count() as u64
    }
}

fn items(language: Language, tree: &SyntaxTree, leaves: &Leaves) -> Option<Vec<FlowItem>> {
    let rules = FlowRules::for_language(language);
    let items = FlowWalk::new(tree, leaves, &rules).items()?;
    Some(items::join(items::used(items)))
}

fn numbered(items: &[FlowItem]) -> Vec<Flow> {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut number = |name: u32| {
        let fresh = numbers.len() as u32;
        *numbers.entry(name).or_insert(fresh)
    };
    let mut flow = |item: &FlowItem| {
        // The program numbers the parents before the variable itself.
        let parents = item.names.iter().map(|name| number(*name)).collect();
        (number(item.name), item.relation, parents)
    };
    items.iter().map(&mut flow).collect()
}

#[cfg(test)]
pub(crate) type NamedItem = (String, u32, &'static str, Vec<String>, Vec<u32>);

#[cfg(test)]
pub(crate) fn named_items(
    language: Language,
    columns: NameColumns,
    text: &str,
    tree: &SyntaxTree,
) -> Vec<NamedItem> {
    let leaves = Leaves::from_tree(tree, text, columns);
    let name = |number: u32| leaves.names[number as usize].clone();
    let named = |item: FlowItem| {
        let relation = match item.relation {
            Relation::ComesFrom => "comesFrom",
            Relation::ComputedFrom => "computedFrom",
        };
        let parents = item.names.iter().map(|number| name(*number)).collect();
        (name(item.name), item.position, relation, parents, item.positions)
    };
    items(language, tree, &leaves).unwrap_or_default().into_iter().map(named).collect()
}
