//! A program's syntax tree as a list of nodes in text order: built from the parser's tree once, and walked
//! without recursion.

use bleuprint_core::Result;
use tree_sitter::{Node as Parsed, Point};

use crate::Language;
use crate::parser::parse;

const MAX_PRINTED: usize = 1000;

#[derive(Debug)]
pub(crate) struct SyntaxNode {
    pub(crate) kind: &'static str,
    pub(crate) kind_id: u16,
    pub(crate) named: bool,
    pub(crate) missing: bool,
    pub(crate) field: Option<&'static str>,
    /// Text that the parser prints for this node, if the node has an error that its kind and children do not
    /// show; otherwise `None`. Such an error is an unexpected character, or a missing token without a node.
    pub(crate) printed: Option<String>,
    pub(crate) start: Point,
    pub(crate) end: Point,
    pub(crate) bytes: (usize, usize),
    /// Index after this node's last descendant, in the list of the syntax tree's nodes.
    pub(crate) after: usize,
}

/// A program's syntax tree as a list of nodes: the root first, every node before its children.
#[derive(Debug)]
pub(crate) struct SyntaxTree {
    pub(crate) nodes: Vec<SyntaxNode>,
    pub(crate) depth: usize,
    pub(crate) broken: bool,
    /// `true` if the parser reached its limit of steps or length. The tree is then only a root, and no
    /// sub-tree matches.
    pub(crate) given_up: bool,
}

impl SyntaxTree {
    /// Parses a program and returns its syntax tree.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`]: a text beyond the maximum length, an interrupted run, or no memory.
    pub(crate) fn parse(language: Language, text: &str) -> Result<SyntaxTree> {
        Ok(parse(language, text, SyntaxTree::from_parsed)?.unwrap_or_else(SyntaxTree::given_up))
    }

    fn from_parsed(parsed: &tree_sitter::Tree) -> SyntaxTree {
        let broken = parsed.root_node().has_error();
        let mut tree = SyntaxTree { nodes: Vec::new(), depth: 0, broken, given_up: false };
        let mut cursor = parsed.walk();
        let mut open = Vec::new();
        loop {
            open.push(tree.nodes.len());
            tree.depth = tree.depth.max(open.len());
            tree.nodes.push(SyntaxNode::from_parsed(cursor.node(), cursor.field_name()));
            if cursor.goto_first_child() {
                continue;
            }
            loop {
                let after = tree.nodes.len();
                open.pop().into_iter().for_each(|closed| tree.nodes[closed].after = after);
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return tree;
                }
            }
        }
    }

    /// Returns a tree with only a root, for a program whose parse exceeded a limit of steps or length. The
    /// tree's depth is set to the maximum, so that the search for data flow fails, too.
    fn given_up() -> SyntaxTree {
        let kind = "";
        let start = Point::default();
        let bytes = (0, 0);
        let root = SyntaxNode {
            kind,
            kind_id: u16::MAX,
            named: true,
            missing: false,
            field: None,
            printed: None,
            start,
            end: start,
            bytes,
            after: 1,
        };
        SyntaxTree { nodes: vec![root], depth: usize::MAX, broken: true, given_up: true }
    }

    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = at + 1;
        let end = self.nodes[at].after;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child].after;
            Some(child)
        })
    }

    pub(crate) fn field(&self, at: usize, field: &str) -> Option<usize> {
        self.children(at).find(|&child| self.nodes[child].field == Some(field))
    }

    pub(crate) fn has_children(&self, at: usize) -> bool {
        self.nodes[at].after > at + 1
    }
}

impl SyntaxNode {
    fn from_parsed(node: Parsed<'_>, field: Option<&'static str>) -> SyntaxNode {
        let says_more = is_unexpected(node) || node.has_error() && has_hidden_gap(node);
        SyntaxNode {
            kind: node.kind(),
            kind_id: node.kind_id(),
            named: node.is_named(),
            missing: node.is_missing(),
            field,
            // An error node whose tokens the grammar hides has no children. It prints like an error node
            // whose children are not printed.
            printed: says_more.then(|| node.to_sexp()).filter(|text| text != "(ERROR)"),
            start: node.start_position(),
            end: node.end_position(),
            bytes: (node.start_byte(), node.end_byte()),
            after: 0,
        }
    }
}

fn is_unexpected(node: Parsed<'_>) -> bool {
    node.is_error() && node.child_count() == 0 && !node.byte_range().is_empty()
}

/// Returns `true` if the parser inserted a missing token here for which the tree has no node. Returns `false`
/// for nodes with many descendants, because the parser prints recursively.
fn has_hidden_gap(node: Parsed<'_>) -> bool {
    !node.is_error()
        && !node.is_missing()
        && node.descendant_count() <= MAX_PRINTED
        && !node.children(&mut node.walk()).any(|child| child.has_error() || child.is_error())
}
