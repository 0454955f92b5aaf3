//! The syntax part of CodeBLEU: the share of the sub-trees of the reference's syntax tree that the hypothesis
//! also has.
//!
//! A sub-tree is the root, or a node with children, and is compared by the text that the parser prints for
//! it. The text has the kinds and fields of named nodes, missing tokens and unexpected tokens. Names,
//! literals and operators are not printed, so they do not count.
//!
//! This code does not print sub-trees. Instead, equal sub-trees get the same number, determined by the kind
//! of the root and the numbers of the printed nodes below it. A text then takes linear time; printing every
//! sub-tree would take quadratic time.

use ahash::{HashMap, HashMapExt as _};

use crate::tree::{SyntaxNode, SyntaxTree};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Head {
    Named(u16),
    Missing(u16),
    Printed(String),
    /// A syntax node that the parser does not print, but that counts as a sub-tree if it has children.
    Anonymous(u16),
}

type Below = (Option<&'static str>, u32);

#[derive(Debug, Default)]
pub(crate) struct Shapes {
    numbers: HashMap<(Head, Vec<Below>), u32>,
    /// Number of occurrences of each shape (structure without names) as a sub-tree of the reference's syntax
    /// tree; leaves are not sub-trees.
    counts: Vec<u64>,
    pub(crate) total: u64,
}

impl Shapes {
    pub(crate) fn from_tree(tree: &SyntaxTree) -> Shapes {
        let mut shapes = Shapes { numbers: HashMap::new(), ..Shapes::default() };
        let mut numbers = std::mem::take(&mut shapes.numbers);
        let mut counts = Vec::new();
        for_each(tree, |at, key| {
            let fresh = numbers.len() as u32;
            let number = *numbers.entry(key).or_insert(fresh);
            counts.resize(numbers.len(), 0);
            counts[number as usize] += u64::from(is_subtree(tree, at));
            Some(number)
        });
        let total = counts.iter().sum();
        Shapes { numbers, counts, total }
    }

    pub(crate) fn matched(&self, hypothesis: &SyntaxTree) -> u64 {
        // Presence is enough: a sub-tree of the hypothesis may match any number of equal ones of the
        // reference, as in the program.
        let mut found = vec![false; self.counts.len()];
        for_each(hypothesis, |at, key| {
            let number = self.numbers.get(&key).copied()?;
            found[number as usize] |= is_subtree(hypothesis, at);
            Some(number)
        });
        self.counts.iter().zip(found).filter(|(_, found)| *found).map(|(count, _)| count).sum()
    }
}

fn is_subtree(tree: &SyntaxTree, at: usize) -> bool {
    // The root counts even without children, so that every reference has a sub-tree.
    at == 0 || tree.has_children(at)
}

/// Calls `number` for every syntax node, children before parents, with the node's index and its shape. The
/// shape is the node's kind and the numbers of the shapes below it. `number` returns the number of the shape,
/// or `None` if the shape is unknown; the node's ancestors are then skipped.
fn for_each(tree: &SyntaxTree, mut number: impl FnMut(usize, (Head, Vec<Below>)) -> Option<u32>) {
    let mut numbers: Vec<Option<u32>> = vec![None; tree.nodes.len()];
    // The printed nodes below nodes that are not printed, until the parent of these takes them.
    let mut spliced: HashMap<usize, Option<Vec<Below>>> = HashMap::new();
    // Nodes are in text order with parents first, so that the reverse order has children first and needs no
    // recursion.
    for at in (0..tree.nodes.len()).rev() {
        let node = &tree.nodes[at];
        let mut below = Some(Vec::new());
        for child in tree.children(at) {
            let inner = &tree.nodes[child];
            let field = tree.nodes[child].field;
            let more = match (is_printed(inner), spliced.remove(&child)) {
                (true, _) => numbers[child].map(|number| vec![(field, number)]),
                (false, None) => Some(Vec::new()),
                (false, Some(list)) => {
                    list.map(|list| list.into_iter().map(|(own, number)| (own.or(field), number)).collect())
                }
            };
            match (&mut below, more) {
                (Some(list), Some(more)) => list.extend(more),
                _ => below = None,
            }
        }
        if !is_printed(node) && tree.has_children(at) {
            spliced.insert(at, below.clone());
        }
        numbers[at] = below.and_then(|below| number(at, (head(node), below)));
    }
}

fn is_printed(node: &SyntaxNode) -> bool {
    node.named || node.missing
}

fn head(node: &SyntaxNode) -> Head {
    match &node.printed {
        Some(text) => Head::Printed(text.clone()),
        None if node.missing => Head::Missing(node.kind_id),
        None if node.named => Head::Named(node.kind_id),
        None => Head::Anonymous(node.kind_id),
    }
}
