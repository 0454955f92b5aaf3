//! Walks through a program's syntax tree and follows values from variable to variable.

use super::items::{FlowItem, Relation, merge};
use super::leaves::{Leaf, Leaves, is_leaf};
use super::rules::{Definition, FOR_CLAUSE, FlowRules, RuleFamily};
use super::states::FlowStates;
use super::{DEPTH, STEPS};
use crate::tree::SyntaxTree;

/// Walk through a program's syntax tree that collects its data flow. Methods return `None` if the walk fails,
/// for example after too many steps.
pub(super) struct FlowWalk<'t> {
    tree: &'t SyntaxTree,
    leaves: &'t Leaves,
    rules: &'t FlowRules,
    items: Vec<FlowItem>,
    steps: u32,
}

impl<'t> FlowWalk<'t> {
    pub(super) fn new(tree: &'t SyntaxTree, leaves: &'t Leaves, rules: &'t FlowRules) -> Self {
        FlowWalk { tree, leaves, rules, items: Vec::new(), steps: STEPS }
    }

    pub(super) fn items(mut self) -> Option<Vec<FlowItem>> {
        if self.tree.depth > DEPTH {
            return None;
        }
        self.node(0, FlowStates::default())?;
        Some(self.items)
    }

    /// Walks a syntax node and collects its data flow. `states` has the positions at which each variable last
    /// got its value before the node; the states after the node are returned. The caller's states stay
    /// unchanged, except in Ruby, for which the original program does not copy them.
    fn node(&mut self, at: usize, states: FlowStates) -> Option<FlowStates> {
        // A budget of steps, because every level of nested loops doubles the walk.
        self.steps = self.steps.checked_sub(1)?;
        if let Some(leaf) = self.leaves.at(at) {
            return Some(self.leaf(at, leaf, states.own()));
        }
        // This node is below a string that counts as one leaf. The program fails if an assignment takes such
        // a string apart.
        if is_leaf(self.tree, at) {
            return None;
        }
        // Ruby's walk in the program forgets to copy the dictionary of states; scores depend on it.
        let states = if self.rules.family == RuleFamily::Ruby { states } else { states.own() };
        let kind = self.tree.nodes[at].kind;
        let rules = self.rules;
        let is = |kinds: &[&str]| kinds.contains(&kind);
        // The order of these tests is the program's: a kind may be in several lists.
        if is(rules.definitions) {
            self.definition(at, states)
        } else if is(rules.assignments) {
            self.assignment(at, states)
        } else if is(rules.increments) {
            Some(self.increment(at, states))
        } else if is(rules.branches) {
            self.branch(at, states)
        } else if is(rules.fors) && rules.family != RuleFamily::Other {
            self.twice(at, states, Self::for_round)
        } else if is(rules.fors) {
            self.counted_for(at, states)
        } else if is(rules.each) {
            self.twice(at, states, Self::each_round)
        } else if is(rules.whiles) {
            self.twice(at, states, Self::children)
        } else {
            self.any(at, states)
        }
    }

    fn leaf(&mut self, at: usize, leaf: Leaf, states: FlowStates) -> FlowStates {
        if !leaf.is_variable {
            return states;
        }
        match states.get(leaf.name) {
            Some(positions) => self.push(leaf, Relation::ComesFrom, vec![leaf.name], positions),
            None => {
                // Only identifiers become known names; literals and types are never the origin of a later
                // value.
                if self.tree.nodes[at].kind == "identifier" {
                    states.set(leaf.name, leaf.position);
                }
                self.push(leaf, Relation::ComesFrom, Vec::new(), Vec::new());
            }
        }
        states
    }

    fn definition(&mut self, at: usize, states: FlowStates) -> Option<FlowStates> {
        let mut children = self.tree.children(at);
        let (name, value) = match self.rules.definition {
            Definition::Fields(value) => (self.tree.field(at, "name")?, self.tree.field(at, value)),
            Definition::SecondAndThird => (children.nth(1)?, Some(children.next()?)),
            Definition::Two => {
                let name = children.next()?;
                let value = children.next();
                (name, value.filter(|_| children.next().is_none()))
            }
        };
        let names = self.variables(name);
        let Some(value) = value else {
            for name in names {
                self.push(name, Relation::ComesFrom, Vec::new(), Vec::new());
                states.set(name.name, name.position);
            }
            return Some(states);
        };
        let values = self.variables(value);
        let states = self.node(value, states)?;
        self.each(&names, &values, Relation::ComesFrom, &states);
        Some(states)
    }

    fn assignment(&mut self, at: usize, states: FlowStates) -> Option<FlowStates> {
        let left = self.tree.field(at, "left");
        let right = self.tree.field(at, "right");
        let ends = || Some((self.tree.children(at).next()?, self.tree.children(at).last()?));
        match (self.rules.family, self.tree.nodes[at].kind) {
            (RuleFamily::Python, "for_in_clause") => self.paired(&[(left?, ends()?.1)], states),
            (RuleFamily::Ruby, "operator_assignment") => self.paired(&[ends()?], states),
            // An annotation without a value assigns nothing.
            (RuleFamily::Python, _) if right.is_none() => Some(states),
            (RuleFamily::Python | RuleFamily::Ruby, _) => {
                let pairs = self.pairs(left?, right?);
                self.paired(&pairs, states)
            }
            _ => {
                let left = left?;
                let right = right?;
                let names = self.variables(left);
                let values = self.variables(right);
                let states = self.node(right, states)?;
                self.each(&names, &values, Relation::ComputedFrom, &states);
                Some(states)
            }
        }
    }

    /// Returns the pairs of targets and values of a multiple assignment such as `a, b = 1, 2`. If the numbers
    /// of targets and values differ, returns one pair: the whole left and right sides.
    fn pairs(&self, left: usize, right: usize) -> Vec<(usize, usize)> {
        let parts = |side: usize| -> Vec<usize> {
            self.tree.children(side).filter(|&child| self.tree.nodes[child].kind != ",").collect()
        };
        let lefts = parts(left);
        let rights = parts(right);
        if lefts.is_empty() || lefts.len() != rights.len() {
            return vec![(left, right)];
        }
        lefts.into_iter().zip(rights).collect()
    }

    fn paired(&mut self, pairs: &[(usize, usize)], mut states: FlowStates) -> Option<FlowStates> {
        // All right sides are walked before a name is bound, so that `a, b = b, a` sees the old values.
        for &(_, right) in pairs {
            states = self.node(right, states)?;
        }
        for &(left, right) in pairs {
            self.bind(left, right, &states);
        }
        Some(states)
    }

    fn bind(&mut self, left: usize, right: usize, states: &FlowStates) {
        let values = self.variables(right);
        for name in self.variables(left) {
            let names = values.iter().map(|value| value.name).collect();
            let positions = values.iter().map(|value| value.position).collect();
            self.push(name, Relation::ComputedFrom, names, positions);
            states.set(name.name, name.position);
        }
    }

    fn each(&mut self, names: &[Leaf], values: &[Leaf], relation: Relation, states: &FlowStates) {
        for &name in names {
            for value in values {
                self.push(name, relation, vec![value.name], vec![value.position]);
            }
            states.set(name.name, name.position);
        }
    }

    fn increment(&mut self, at: usize, states: FlowStates) -> FlowStates {
        let variables = self.variables(at);
        self.each(&variables, &variables, Relation::ComputedFrom, &states);
        states
    }

    fn branch(&mut self, at: usize, before: FlowStates) -> Option<FlowStates> {
        let tree = self.tree;
        let rules = self.rules;
        let has_else = |at: usize| tree.nodes[at].kind.contains("else");
        // The condition and the first way change `current`; all other ways start from the state before the
        // branch.
        let mut current = before.copy();
        let mut ways = Vec::new();
        let mut covered = has_else(at);
        let mut inside = false;
        for child in tree.children(at) {
            covered |= has_else(child);
            let kind = tree.nodes[child].kind;
            inside = match rules.family {
                RuleFamily::Python => matches!(kind, "elif_clause" | "else_clause"),
                RuleFamily::Ruby => rules.branches.contains(&kind),
                RuleFamily::Other => inside || rules.branches.contains(&kind),
            };
            if inside {
                ways.push(self.node(child, before.clone())?);
            } else {
                current = self.node(child, current)?;
            }
        }
        ways.push(current);
        // Without an `else` the branch may be skipped, so that earlier values may still hold.
        if rules.keeps_before || !covered {
            ways.push(before);
        }
        Some(FlowStates::union(&ways))
    }

    /// Walks a `for` loop with an initialization, a condition and an update. It walks all children, and then
    /// again the children after the initialization, because a second round of the loop sees the values of the
    /// first.
    fn counted_for(&mut self, at: usize, states: FlowStates) -> Option<FlowStates> {
        let from = self.items.len();
        let states = self.children(at, states)?;
        let states = self.behind_trigger(at, states)?;
        merge(&mut self.items, from);
        Some(states)
    }

    fn behind_trigger(&mut self, at: usize, mut states: FlowStates) -> Option<FlowStates> {
        let mut behind = false;
        for child in self.tree.children(at) {
            if behind {
                states = self.node(child, states)?;
            } else if self.tree.nodes[child].kind == self.rules.trigger {
                behind = true;
                let update = || self.tree.field(child, "update");
                if let Some(update) = (self.rules.trigger == FOR_CLAUSE).then(update).flatten() {
                    states = self.node(update, states)?;
                }
            }
        }
        Some(states)
    }

    /// Walks a loop twice, because the second round sees the values that variables got in the first round.
    fn twice(
        &mut self,
        at: usize,
        mut states: FlowStates,
        round: fn(&mut Self, usize, FlowStates) -> Option<FlowStates>,
    ) -> Option<FlowStates> {
        let from = self.items.len();
        for _ in 0..2 {
            states = round(self, at, states)?;
        }
        merge(&mut self.items, from);
        Some(states)
    }

    fn for_round(&mut self, at: usize, states: FlowStates) -> Option<FlowStates> {
        let field = |name| self.tree.field(at, name);
        if self.rules.family == RuleFamily::Ruby {
            let pattern = field("pattern")?;
            let value = field("value")?;
            let body = field("body")?;
            let states = self.paired(&[(pattern, value)], states)?;
            return self.node(body, states);
        }
        let pairs = self.pairs(field("left")?, field("right")?);
        let states = self.paired(&pairs, states)?;
        let last = self.tree.children(at).last().filter(|&last| self.tree.nodes[last].kind == "block");
        match last {
            Some(block) => self.node(block, states),
            None => Some(states),
        }
    }

    fn each_round(&mut self, at: usize, states: FlowStates) -> Option<FlowStates> {
        let field = |name| self.tree.field(at, name);
        let (name, value) = match (field("name"), field("value")) {
            (Some(name), Some(value)) => (name, value),
            // PHP: the value comes first, and both are plain variables.
            _ => {
                let is_variable = |&child: &usize| self.tree.nodes[child].kind == "variable_name";
                let mut variables = self.tree.children(at).filter(is_variable);
                let value = variables.next()?;
                (variables.next()?, value)
            }
        };
        let body = field("body")?;
        let names = self.variables(name);
        let values = self.variables(value);
        let states = self.node(value, states)?;
        self.each(&names, &values, Relation::ComputedFrom, &states);
        self.node(body, states)
    }

    fn children(&mut self, at: usize, mut states: FlowStates) -> Option<FlowStates> {
        for child in self.tree.children(at) {
            states = self.node(child, states)?;
        }
        Some(states)
    }

    /// Walks the children of a syntax node for whose kind there is no data-flow rule. In a Python
    /// comprehension, the `for` clauses are walked before the other children.
    fn any(&mut self, at: usize, mut states: FlowStates) -> Option<FlowStates> {
        if self.rules.family != RuleFamily::Python {
            return self.children(at, states);
        }
        let tree = self.tree;
        for first in [true, false] {
            let clauses =
                tree.children(at).filter(|&child| (tree.nodes[child].kind == "for_in_clause") == first);
            for child in clauses {
                states = self.node(child, states)?;
            }
        }
        Some(states)
    }

    fn variables(&self, at: usize) -> Vec<Leaf> {
        self.leaves.variables(self.tree, at)
    }

    fn push(&mut self, leaf: Leaf, relation: Relation, names: Vec<u32>, positions: Vec<u32>) {
        self.items.push(FlowItem { name: leaf.name, position: leaf.position, relation, names, positions });
    }
}
