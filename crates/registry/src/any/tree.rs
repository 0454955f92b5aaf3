//! [`ValueTree`]: a JSON-like value that is read before its Rust type is known. A [`TreeReader`] then
//! deserializes types from it, so that each type is compiled for one deserializer only.

mod reader;

use core::fmt::{self, Display};

use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, MapAccess, SeqAccess, StdError, Unexpected, Visitor,
};

use crate::prelude::*;
pub(super) use reader::TreeReader;

/// Maximal depth of nested lists and maps in a stored value, as in `serde_json`.
const MOST_LEVELS: usize = 128;

/// Key under which `serde_json` passes a number if its feature `arbitrary_precision` is on.
const NUMBER: &str = "$serde_json::private::Number";

/// Tag of a value that JSON lacks, such as NaN. Readers of files and interfaces pass such a value as a map
/// with one entry: the key of the tag, and a text.
///
/// ```
/// use bleuprint_registry::ValueTag;
/// assert_eq!(ValueTag::of_key(ValueTag::Cell.key()), Some(ValueTag::Cell));
/// assert_eq!(ValueTag::of_key("loglik"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: readers of values handle each")]
pub enum ValueTag {
    /// `NaN`, `Infinity` or `-Infinity`. A Rust type that accepts any value can read it; for a number type it
    /// is an error that names the value.
    NonFinite,
    /// A cell of a CSV or TSV table, such as `5`, which can be read as text, number or boolean. The Rust type
    /// that is read decides; a type that accepts any value gets the number.
    Cell,
    /// A quoted cell of a table, such as `"5"`. A Rust type that accepts any value gets the text; a number
    /// type gets the number.
    QuotedCell,
}

impl ValueTag {
    const ALL: [ValueTag; 3] = [ValueTag::NonFinite, ValueTag::Cell, ValueTag::QuotedCell];

    /// Returns the key of the one-entry map that represents a value with this tag.
    pub const fn key(self) -> &'static str {
        match self {
            ValueTag::NonFinite => "$bleuprint::non_finite",
            ValueTag::Cell => "$bleuprint::cell",
            ValueTag::QuotedCell => "$bleuprint::quoted",
        }
    }

    /// Returns the tag whose key is `key`; `None` if `key` is not the key of a tag.
    pub fn of_key(key: &str) -> Option<Self> {
        ValueTag::ALL.into_iter().find(|tag| tag.key() == key)
    }
}

/// A JSON-like value as a flat list of nodes in the order of the file. The node of a list or map precedes the
/// nodes of its items.
pub(super) struct ValueTree<'de> {
    // One flat list needs one allocation that grows, and a subtree is skipped by counting.
    nodes: Vec<TreeNode<'de>>,
    human_readable: bool,
}

enum TreeNode<'de> {
    Null,
    Bool(bool),
    U64(u64),
    I64(i64),
    // The wide integers are boxed, because they are rare and would enlarge every node.
    U128(Box<u128>),
    I128(Box<i128>),
    F64(f64),
    Borrowed(&'de str),
    Text(Box<str>),
    /// Text of a cell in a CSV or TSV table, which a Rust type may also read as a number or a boolean.
    Cell(Box<str>),
    /// Text of a quoted cell in a CSV or TSV table, which a number type may still read as a number.
    Quoted(Box<str>),
    Bytes(Box<[u8]>),
    /// A list with this number of items, whose nodes follow this node.
    Seq(usize),
    /// A map with this number of key-value pairs, whose nodes follow this node.
    Map(usize),
}

impl<'de> ValueTree<'de> {
    pub(super) fn read<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // Most statistics have fewer than 64 values.
        let mut tree = ValueTree { nodes: Vec::with_capacity(64), human_readable: from.is_human_readable() };
        Grow { nodes: &mut tree.nodes, levels: MOST_LEVELS }.deserialize(from)?;
        Ok(tree)
    }
}

impl TreeNode<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            TreeNode::Borrowed(text) => Some(text),
            TreeNode::Text(text) | TreeNode::Cell(text) | TreeNode::Quoted(text) => Some(text),
            _ => None,
        }
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            TreeNode::Null => Unexpected::Unit,
            TreeNode::Bool(value) => Unexpected::Bool(*value),
            TreeNode::U64(value) => Unexpected::Unsigned(*value),
            TreeNode::I64(value) => Unexpected::Signed(*value),
            TreeNode::U128(_) | TreeNode::I128(_) => Unexpected::Other("integer of more than 64 bits"),
            TreeNode::F64(value) => Unexpected::Float(*value),
            TreeNode::Borrowed(text) => Unexpected::Str(text),
            TreeNode::Text(text) | TreeNode::Cell(text) | TreeNode::Quoted(text) => Unexpected::Str(text),
            TreeNode::Bytes(bytes) => Unexpected::Bytes(bytes),
            TreeNode::Seq(_) => Unexpected::Seq,
            TreeNode::Map(_) => Unexpected::Map,
        }
    }
}

/// Returns the node for a value with the tag key `key`, such as NaN; `None` if `key` is not the key of a tag.
fn tagged<'de>(key: &TreeNode<'_>, value: &TreeNode<'_>) -> Option<TreeNode<'de>> {
    let text = value.text()?;
    Some(match ValueTag::of_key(key.text()?)? {
        ValueTag::NonFinite => TreeNode::F64(match text {
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            _ => f64::NAN,
        }),
        ValueTag::Cell => TreeNode::Cell(text.into()),
        ValueTag::QuotedCell => TreeNode::Quoted(text.into()),
    })
}

/// Parses a text as a number or boolean in JSON syntax; returns `None` for any other text.
fn scalar(text: &str) -> Option<Unexpected<'static>> {
    match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        // JSON has no leading zeros, so such a key is a plain string.
        [b'0', b'0'..=b'9', ..] => return None,
        [b'0'..=b'9', ..] => {}
        _ => return text.parse().ok().map(Unexpected::Bool),
    }
    // `serde_json` reads -0 as a float, to keep its sign.
    let negative = || text.parse().ok().filter(|value| *value != 0).map(Unexpected::Signed);
    let float = || text.parse().ok().filter(|value: &f64| value.is_finite()).map(Unexpected::Float);
    text.parse().ok().map(Unexpected::Unsigned).or_else(negative).or_else(float)
}

/// A deserialization visitor that appends the value it reads to a list of nodes.
struct Grow<'n, 'de> {
    nodes: &'n mut Vec<TreeNode<'de>>,
    levels: usize,
}

impl<'de> Grow<'_, 'de> {
    fn within<E: Error>(&mut self) -> Result<Grow<'_, 'de>, E> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(Grow { nodes: self.nodes, levels }),
            None => Err(E::custom(format!("values within values are deeper than {MOST_LEVELS}"))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Grow<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

/// Implements those methods of [`Visitor`] that append a single node to the list.
macro_rules! push {
    ($($visit:ident($($value:ident: $Type:ty)?) $node:expr;)+) => {$(
        fn $visit<E>(self $(, $value: $Type)?) -> Result<(), E> {
            self.nodes.push($node);
            Ok(())
        }
    )+};
}

impl<'de> Visitor<'de> for Grow<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    push! {
        visit_unit() TreeNode::Null;
        visit_none() TreeNode::Null;
        visit_bool(value: bool) TreeNode::Bool(value);
        visit_u64(value: u64) TreeNode::U64(value);
        visit_i64(value: i64) TreeNode::I64(value);
        visit_u128(value: u128) TreeNode::U128(value.into());
        visit_i128(value: i128) TreeNode::I128(value.into());
        visit_f64(value: f64) TreeNode::F64(value);
        visit_str(text: &str) TreeNode::Text(text.into());
        visit_string(text: String) TreeNode::Text(text.into());
        visit_borrowed_str(text: &'de str) TreeNode::Borrowed(text);
        visit_bytes(bytes: &[u8]) TreeNode::Bytes(bytes.into());
    }

    fn visit_some<D: Deserializer<'de>>(mut self, from: D) -> Result<(), D::Error> {
        self.within()?.deserialize(from)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(mut self, from: D) -> Result<(), D::Error> {
        self.within()?.deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        // The number of items is known only at the end. A placeholder is pushed first and replaced then.
        let at = self.nodes.len();
        let mut items = 0;
        self.nodes.push(TreeNode::Null);
        while seq.next_element_seed(self.within()?)?.is_some() {
            items += 1;
        }
        self.nodes[at] = TreeNode::Seq(items);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let at = self.nodes.len();
        let mut pairs = 0;
        self.nodes.push(TreeNode::Null);
        while map.next_key_seed(self.within()?)?.is_some() {
            map.next_value_seed(self.within()?)?;
            pairs += 1;
        }
        // With `arbitrary_precision`, which any crate in the build may switch on, every number arrives as a
        // map with this key.
        self.nodes[at] = match &self.nodes[at + 1..] {
            [key, value] if key.text() == Some(NUMBER) => {
                let number = match value.text().and_then(scalar) {
                    Some(Unexpected::Unsigned(value)) => TreeNode::U64(value),
                    Some(Unexpected::Signed(value)) => TreeNode::I64(value),
                    Some(Unexpected::Float(value)) => TreeNode::F64(value),
                    _ => return Err(A::Error::custom("number out of range")),
                };
                self.nodes.truncate(at + 1);
                number
            }
            [key, value] => match tagged(key, value) {
                Some(node) => {
                    self.nodes.truncate(at + 1);
                    node
                }
                None => TreeNode::Map(pairs),
            },
            _ => TreeNode::Map(pairs),
        };
        Ok(())
    }
}

/// Deserialization error with the wording of `serde_json`.
#[derive(Debug)]
pub(super) struct ReadError(Box<str>);

impl ReadError {
    #[cold]
    fn unlike(node: &TreeNode<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(node.unexpected(), expected)
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl StdError for ReadError {}

impl Error for ReadError {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        ReadError(message.to_string().into())
    }

    #[cold]
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format!("invalid type: {}, expected {expected}", in_words(unexpected)))
    }

    #[cold]
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format!("invalid value: {}, expected {expected}", in_words(unexpected)))
    }
}

fn in_words(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Unit => "null".to_owned(),
        Unexpected::Float(value) if !value.is_finite() => format!("the number `{}`", non_finite(value)),
        Unexpected::Float(value) => {
            // `serde_json` prints exponents with a sign: `1e+30`.
            format!("floating point `{}`", format!("{value:?}").replace('e', "e+").replace("e+-", "e-"))
        }
        other => other.to_string(),
    }
}

/// Returns the word that programs write for a number that is not finite.
fn non_finite(value: f64) -> &'static str {
    match value {
        _ if value.is_nan() => "NaN",
        _ if value > 0.0 => "Infinity",
        _ => "-Infinity",
    }
}
