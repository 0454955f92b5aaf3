//! [`Tree`]: a value of a format that describes itself, read before its type is known. Types are read from its [`Reader`]
//! alone, so that each is compiled for one deserializer.

mod reader;

use core::fmt::{self, Display};

use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, MapAccess, SeqAccess, StdError, Unexpected, Visitor,
};

use crate::prelude::*;
pub(super) use reader::Reader;

/// The greatest depth of values within values: that of `serde_json`.
const MOST_LEVELS: usize = 128;

/// The key of a number as `serde_json` gives it with its feature `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

/// A value, with its nodes in the order of the file: each before those within it.
pub(super) struct Tree<'de> {
    nodes: Vec<Node<'de>>,
    human_readable: bool,
}

enum Node<'de> {
    Null,
    Bool(bool),
    U64(u64),
    I64(i64),
    U128(Box<u128>),
    I128(Box<i128>),
    F64(f64),
    Borrowed(&'de str),
    Text(Box<str>),
    Bytes(Box<[u8]>),
    /// Of this number of values.
    Seq(usize),
    /// Of this number of pairs.
    Map(usize),
}

impl<'de> Tree<'de> {
    pub(super) fn read<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut tree = Tree { nodes: Vec::with_capacity(64), human_readable: from.is_human_readable() };
        Grow { nodes: &mut tree.nodes, levels: MOST_LEVELS }.deserialize(from)?;
        Ok(tree)
    }
}

impl Node<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Node::Borrowed(text) => Some(text),
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Node::Null => Unexpected::Unit,
            Node::Bool(value) => Unexpected::Bool(*value),
            Node::U64(value) => Unexpected::Unsigned(*value),
            Node::I64(value) => Unexpected::Signed(*value),
            Node::U128(_) | Node::I128(_) => Unexpected::Other("integer of more than 64 bits"),
            Node::F64(value) => Unexpected::Float(*value),
            Node::Borrowed(text) => Unexpected::Str(text),
            Node::Text(text) => Unexpected::Str(text),
            Node::Bytes(bytes) => Unexpected::Bytes(bytes),
            Node::Seq(_) => Unexpected::Seq,
            Node::Map(_) => Unexpected::Map,
        }
    }
}

/// A number or truth value as JSON writes it.
fn scalar(text: &str) -> Option<Unexpected<'static>> {
    match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        [b'0', b'0'..=b'9', ..] => return None,
        [b'0'..=b'9', ..] => {}
        _ => return text.parse().ok().map(Unexpected::Bool),
    }
    // The integer -0 is a float.
    let negative = || text.parse().ok().filter(|value| *value != 0).map(Unexpected::Signed);
    let float = || text.parse().ok().filter(|value: &f64| value.is_finite()).map(Unexpected::Float);
    text.parse().ok().map(Unexpected::Unsigned).or_else(negative).or_else(float)
}

/// Puts a value behind the nodes.
struct Grow<'n, 'de> {
    nodes: &'n mut Vec<Node<'de>>,
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

/// Methods of [`Visitor`] that push one node.
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
        visit_unit() Node::Null;
        visit_none() Node::Null;
        visit_bool(value: bool) Node::Bool(value);
        visit_u64(value: u64) Node::U64(value);
        visit_i64(value: i64) Node::I64(value);
        visit_u128(value: u128) Node::U128(value.into());
        visit_i128(value: i128) Node::I128(value.into());
        visit_f64(value: f64) Node::F64(value);
        visit_str(text: &str) Node::Text(text.into());
        visit_string(text: String) Node::Text(text.into());
        visit_borrowed_str(text: &'de str) Node::Borrowed(text);
        visit_bytes(bytes: &[u8]) Node::Bytes(bytes.into());
    }

    fn visit_some<D: Deserializer<'de>>(mut self, from: D) -> Result<(), D::Error> {
        self.within()?.deserialize(from)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(mut self, from: D) -> Result<(), D::Error> {
        self.within()?.deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        let (at, mut items) = (self.nodes.len(), 0);
        self.nodes.push(Node::Null);
        while seq.next_element_seed(self.within()?)?.is_some() {
            items += 1;
        }
        self.nodes[at] = Node::Seq(items);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let (at, mut pairs) = (self.nodes.len(), 0);
        self.nodes.push(Node::Null);
        while map.next_key_seed(self.within()?)?.is_some() {
            map.next_value_seed(self.within()?)?;
            pairs += 1;
        }
        self.nodes[at] = match &self.nodes[at + 1..] {
            [key, value] if key.text() == Some(NUMBER) => {
                let number = match value.text().and_then(scalar) {
                    Some(Unexpected::Unsigned(value)) => Node::U64(value),
                    Some(Unexpected::Signed(value)) => Node::I64(value),
                    Some(Unexpected::Float(value)) => Node::F64(value),
                    _ => return Err(A::Error::custom("number out of range")),
                };
                self.nodes.truncate(at + 1);
                number
            }
            _ => Node::Map(pairs),
        };
        Ok(())
    }
}

/// An error of a type that is read, in the words of `serde_json`.
#[derive(Debug)]
pub(super) struct ReadError(Box<str>);

impl ReadError {
    #[cold]
    fn unlike(node: &Node<'_>, expected: &dyn Expected) -> Self {
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
        Unexpected::Float(value) => {
            format!("floating point `{}`", format!("{value:?}").replace('e', "e+").replace("e+-", "e-"))
        }
        other => other.to_string(),
    }
}
