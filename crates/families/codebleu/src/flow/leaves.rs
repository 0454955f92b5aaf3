//! Leaves of a program's syntax tree: the tokens of its text, numbered from left to right.

use ahash::{HashMap, HashMapExt as _};

use crate::NameColumns;
use crate::tree::{SyntaxNode, SyntaxTree};

/// Kinds of syntax nodes that count as one token, together with all nodes below them.
const WHOLE: [&str; 3] = ["string_literal", "string", "character_literal"];

#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    pub(super) node: usize,
    pub(super) position: u32,
    pub(super) name: u32,
    /// `true` for names, literals and types: leaves of the syntax tree whose text differs from their kind.
    /// Keywords and operators have their text as kind.
    pub(super) is_variable: bool,
}

#[derive(Debug)]
pub(super) struct Leaves {
    leaves: Vec<Leaf>,
    #[cfg_attr(not(test), expect(dead_code, reason = "the numbers say which are equal"))]
    pub(super) names: Vec<String>,
}

impl Leaves {
    pub(super) fn from_tree(tree: &SyntaxTree, text: &str, columns: NameColumns) -> Leaves {
        let lines = TextLines::from_text(text, columns);
        let (mut numbers, mut names) = (HashMap::<String, u32>::new(), Vec::new());
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut at = 0;
        while at < tree.nodes.len() {
            let node = &tree.nodes[at];
            let leaf = is_leaf(tree, at);
            if leaf {
                let word = lines.cut(text, node);
                let is_variable = word != node.kind;
                let name = *numbers.entry(word).or_insert_with_key(|word| {
                    names.push(word.clone());
                    names.len() as u32 - 1
                });
                leaves.push(Leaf { node: at, position: leaves.len() as u32, name, is_variable });
            }
            at = if leaf { node.after } else { at + 1 };
        }
        // The program finds leaves by their place in the text. If several empty leaves are at one place, it
        // finds the last.
        let mut last = HashMap::new();
        for leaf in leaves.iter_mut().rev() {
            let node = &tree.nodes[leaf.node];
            leaf.position = *last.entry((node.start, node.end)).or_insert(leaf.position);
        }
        Leaves { leaves, names }
    }

    pub(super) fn at(&self, node: usize) -> Option<Leaf> {
        self.leaves.binary_search_by_key(&node, |leaf| leaf.node).ok().map(|found| self.leaves[found])
    }

    pub(super) fn variables(&self, tree: &SyntaxTree, node: usize) -> Vec<Leaf> {
        let from = self.leaves.partition_point(|leaf| leaf.node < node);
        let below = self.leaves[from..].iter().take_while(|leaf| leaf.node < tree.nodes[node].after);
        below.filter(|leaf| leaf.is_variable).copied().collect()
    }
}

pub(super) fn is_leaf(tree: &SyntaxTree, at: usize) -> bool {
    let kind = tree.nodes[at].kind;
    (!tree.has_children(at) || WHOLE.contains(&kind)) && kind != "comment"
}

/// Characters of each line of a program, if columns are counted in characters and the text is not ASCII;
/// otherwise `None`.
struct TextLines(Option<Vec<Vec<char>>>);

impl TextLines {
    fn from_text(text: &str, columns: NameColumns) -> TextLines {
        let wrong = columns == NameColumns::Characters && !text.is_ascii();
        TextLines(wrong.then(|| text.split('\n').map(|line| line.chars().collect()).collect()))
    }

    fn cut(&self, text: &str, node: &SyntaxNode) -> String {
        let Some(lines) = &self.0 else {
            // The parser never cuts inside of a character.
            let cut = text.get(node.bytes.0..node.bytes.1).unwrap_or_default();
            return cut.replace('\n', "");
        };
        let first = node.start.row;
        let last = node.end.row;
        let mut cut = String::new();
        for (row, line) in lines.iter().enumerate().take(last + 1).skip(first) {
            let start = if row == first { node.start.column } else { 0 };
            let end = if row == last { node.end.column } else { line.len() };
            cut.extend(line.iter().take(end).skip(start));
        }
        cut
    }
}
