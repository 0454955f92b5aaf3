//! [`TreeReader`]: a deserializer that reads statistics and inputs of metrics from a parsed JSON-like value.
//!
//! Every input format is first parsed to such a value. So the code of each type is compiled for one
//! deserializer only, and most of the deserializer's code is in non-generic functions.

use core::mem::replace;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};

use super::{ReadError, TreeNode, ValueTree, scalar};
use crate::prelude::*;

/// A deserializer that reads a [`ValueTree`] (a parsed JSON-like value) from start to end. It accepts and
/// rejects the same values as `serde_json`.
pub(in super::super) struct TreeReader<'t, 'de> {
    nodes: &'t [TreeNode<'de>],
    human_readable: bool,
    at: usize,
    depth: usize,
    /// Number of unread items of the list or map that contains the next value.
    left: usize,
    /// `true` if the next value to read is a key of a map. JSON keys are strings, even if the Rust map has
    /// numbers as keys.
    key: bool,
    /// `true` once the reader has reached the end of the outermost list or map. A later error belongs to no
    /// field, so it is reported without one.
    over: bool,
    /// Error if a Rust type did not read all items of a list or map, with the name of the field that contains
    /// it. Only the first such error is kept.
    unread: Option<(ReadError, Option<String>)>,
}

impl<'de> ValueTree<'de> {
    pub(in super::super) fn reader(&self) -> TreeReader<'_, 'de> {
        let ValueTree { nodes, human_readable } = self;
        let human_readable = *human_readable;
        TreeReader { nodes, human_readable, at: 0, depth: 0, left: 0, key: false, over: false, unread: None }
    }
}

impl<'t, 'de> TreeReader<'t, 'de> {
    fn next(&mut self) -> &'t TreeNode<'de> {
        let node = self.nodes.get(self.at).unwrap_or(&TreeNode::Null);
        self.at += 1;
        node
    }

    fn next_scalar(&mut self, truth: bool) -> Unexpected<'t> {
        // `serde_json` reads numbers and booleans from keys, which are strings in JSON. `truth` says which of
        // the two the type wants.
        let node = self.next();
        // A cell of a table is a number if the type wants one, and so is a quoted cell.
        let is_cell = matches!(node, TreeNode::Cell(_) | TreeNode::Quoted(_));
        let of_key = node.text().filter(|_| self.key || is_cell).and_then(scalar);
        of_key.filter(|own| matches!(own, Unexpected::Bool(_)) == truth).unwrap_or(node.unexpected())
    }

    /// Enters a list or map with `items` items. Returns the number of unread items of the enclosing list or
    /// map.
    fn enter(&mut self, items: usize) -> usize {
        self.key = false;
        self.depth += 1;
        replace(&mut self.left, items)
    }

    fn next_item(&mut self) -> bool {
        let more = self.left > 0;
        // Depth 1 is the outermost value. Its end is noted, because an error after it concerns no single
        // field.
        self.over |= !more && self.depth == 1;
        self.left -= usize::from(more);
        more
    }

    /// Leaves a list or map of `items` items. If it was `read` without an error but items are left, records
    /// an error. `around` is the number of unread items of the enclosing list or map.
    fn leave(&mut self, items: usize, expected: &'static str, around: usize, read: bool) {
        // `serde_json` reports the same error. It is kept and not returned here, because the value was
        // already built by the visitor.
        if read && self.left > 0 && self.unread.is_none() {
            self.over |= self.depth == 1;
            self.unread = Some((ReadError::invalid_length(items, &expected), self.field()));
        }
        self.depth -= 1;
        self.left = around;
    }

    /// Returns the value that was read. An error is returned with the outermost field that contains it: a
    /// name in a map, or an index in a list.
    pub(in super::super) fn end<T>(
        self,
        read: Result<T, ReadError>,
    ) -> Result<T, (ReadError, Option<String>)> {
        match (self.unread, read) {
            (Some(unread), _) => Err(unread),
            (None, Err(error)) => Err((error, TreeReader { unread: None, ..self }.field())),
            (None, Ok(value)) => Ok(value),
        }
    }

    /// Returns the index of the node after the value (with its nested values) that begins at node `at`.
    fn behind(&self, mut at: usize) -> usize {
        // `open` counts the values that are still to skip; a list or map adds its items.
        let mut open = 1;
        while open > 0 && at < self.nodes.len() {
            open -= 1;
            open += match self.nodes[at] {
                TreeNode::Seq(items) => items,
                TreeNode::Map(pairs) => 2 * pairs,
                _ => 0,
            };
            at += 1;
        }
        at
    }

    fn field(&self) -> Option<String> {
        let (items, named) = match self.nodes.first()? {
            TreeNode::Map(pairs) => (*pairs, true),
            TreeNode::Seq(items) => (*items, false),
            _ => return None,
        };
        // Walks over the items of the outermost value until one ends at or behind the current position: that
        // item has the error.
        let mut behind = 1;
        for item in 0..items {
            let name = self.nodes.get(behind).filter(|_| named);
            behind = self.behind(if named { behind + 1 } else { behind });
            if self.at <= behind && !self.over {
                return name.map_or(Some(item.to_string()), |name| Some(name.text()?.to_owned()));
            }
        }
        None
    }

    fn read_any<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next() {
            TreeNode::Null => visitor.visit_unit(),
            TreeNode::Bool(value) => visitor.visit_bool(*value),
            TreeNode::U64(value) => visitor.visit_u64(*value),
            TreeNode::I64(value) => visitor.visit_i64(*value),
            TreeNode::U128(value) => visitor.visit_u128(**value),
            TreeNode::I128(value) => visitor.visit_i128(**value),
            TreeNode::F64(value) => visitor.visit_f64(*value),
            TreeNode::Borrowed(text) => visitor.visit_str(text),
            TreeNode::Text(text) | TreeNode::Quoted(text) => visitor.visit_str(text),
            TreeNode::Cell(text) => match scalar(text) {
                Some(Unexpected::Unsigned(value)) => visitor.visit_u64(value),
                Some(Unexpected::Signed(value)) => visitor.visit_i64(value),
                Some(Unexpected::Float(value)) => visitor.visit_f64(value),
                Some(Unexpected::Bool(value)) => visitor.visit_bool(value),
                _ => visitor.visit_str(text),
            },
            TreeNode::Bytes(bytes) => visitor.visit_bytes(bytes),
            TreeNode::Seq(items) => self.items(*items, visitor),
            TreeNode::Map(pairs) => self.pairs(*pairs, visitor),
        }
    }

    fn unit<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next() {
            TreeNode::Null => visitor.visit_unit(),
            other => Err(ReadError::unlike(other, &visitor)),
        }
    }

    fn truth<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next_scalar(true) {
            Unexpected::Bool(value) => visitor.visit_bool(value),
            other => Err(ReadError::invalid_type(other, &visitor)),
        }
    }

    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next_scalar(false) {
            Unexpected::Unsigned(value) => visitor.visit_u64(value),
            Unexpected::Signed(value) => visitor.visit_i64(value),
            // JSON has no such numbers, so a type that asks for a number need not check for them.
            Unexpected::Float(value) if self.human_readable && !value.is_finite() => {
                Err(ReadError::invalid_type(Unexpected::Float(value), &visitor))
            }
            Unexpected::Float(value) => visitor.visit_f64(value),
            other => Err(ReadError::invalid_type(other, &visitor)),
        }
    }

    fn wide<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.nodes.get(self.at) {
            Some(TreeNode::U128(_) | TreeNode::I128(_)) => self.read_any(visitor),
            _ => self.number(visitor),
        }
    }

    fn text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        let node = self.next();
        match node.text() {
            Some(text) => visitor.visit_str(text),
            None => Err(ReadError::unlike(node, &visitor)),
        }
    }

    fn bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next() {
            TreeNode::Borrowed(text) => visitor.visit_bytes(text.as_bytes()),
            TreeNode::Text(text) | TreeNode::Cell(text) | TreeNode::Quoted(text) => {
                visitor.visit_bytes(text.as_bytes())
            }
            TreeNode::Bytes(bytes) => visitor.visit_bytes(bytes),
            TreeNode::Seq(items) => self.items(*items, visitor),
            other => Err(ReadError::unlike(other, &visitor)),
        }
    }

    fn name<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next() {
            TreeNode::Borrowed(name) => visitor.visit_str(name),
            TreeNode::Text(name) | TreeNode::Cell(name) | TreeNode::Quoted(name) => visitor.visit_str(name),
            TreeNode::U64(place) => visitor.visit_u64(*place),
            TreeNode::Bytes(name) => visitor.visit_bytes(name),
            other => Err(ReadError::unlike(other, &visitor)),
        }
    }

    fn option<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        if let Some(TreeNode::Null) = self.nodes.get(self.at) {
            self.at += 1;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next() {
            TreeNode::Seq(items) => self.items(*items, visitor),
            other => Err(ReadError::unlike(other, &visitor)),
        }
    }

    fn map<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next() {
            TreeNode::Map(pairs) => self.pairs(*pairs, visitor),
            other => Err(ReadError::unlike(other, &visitor)),
        }
    }

    fn record<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        match self.next() {
            TreeNode::Map(pairs) => self.pairs(*pairs, visitor),
            TreeNode::Seq(items) => self.items(*items, visitor),
            other => Err(ReadError::unlike(other, &visitor)),
        }
    }

    fn variant<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        let node = self.next();
        match (node.text(), node) {
            // A variant without data is a string; a variant with data is a map with one pair. Everything else
            // is an error, as in `serde_json`.
            (Some(name), _) => visitor.visit_enum(StrDeserializer::new(name)),
            (_, TreeNode::Map(1)) => {
                let around = self.enter(1);
                let value = visitor.visit_enum(&mut *self);
                self.leave(1, "map with a single key", around, value.is_ok());
                value
            }
            (_, TreeNode::Map(_)) => Err(ReadError::invalid_value(Unexpected::Map, &"map with a single key")),
            _ => Err(ReadError::unlike(node, &"string or map")),
        }
    }

    fn ignored<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, ReadError> {
        // Skipped values need no visitor: their end follows from the nodes.
        self.at = self.behind(self.at);
        visitor.visit_unit()
    }

    fn items<V: Visitor<'de>>(&mut self, items: usize, visitor: V) -> Result<V::Value, ReadError> {
        let around = self.enter(items);
        let value = visitor.visit_seq(&mut *self);
        self.leave(items, "fewer elements in array", around, value.is_ok());
        value
    }

    fn pairs<V: Visitor<'de>>(&mut self, pairs: usize, visitor: V) -> Result<V::Value, ReadError> {
        let around = self.enter(pairs);
        let value = visitor.visit_map(&mut *self);
        self.leave(pairs, "fewer elements in map", around, value.is_ok());
        value
    }
}

/// Implements methods of [`Deserializer`] by calling a method of [`TreeReader`].
macro_rules! by {
    ($($own:ident: $($method:ident $(($($argument:ty),+))?),+;)+) => {$($(
        fn $method<V: Visitor<'de>>(self $($(, _: $argument)+)?, visitor: V) -> Result<V::Value, ReadError> {
            self.$own(visitor)
        }
    )+)+};
}

impl<'de> Deserializer<'de> for &mut TreeReader<'_, 'de> {
    type Error = ReadError;

    by! {
        read_any: deserialize_any;
        unit: deserialize_unit, deserialize_unit_struct(&'static str);
        truth: deserialize_bool;
        number: deserialize_i8, deserialize_i16, deserialize_i32, deserialize_i64;
        number: deserialize_u8, deserialize_u16, deserialize_u32, deserialize_u64;
        number: deserialize_f32, deserialize_f64;
        wide: deserialize_i128, deserialize_u128;
        text: deserialize_char, deserialize_str, deserialize_string;
        bytes: deserialize_bytes, deserialize_byte_buf;
        name: deserialize_identifier;
        option: deserialize_option;
        list: deserialize_seq, deserialize_tuple(usize), deserialize_tuple_struct(&'static str, usize);
        map: deserialize_map;
        record: deserialize_struct(&'static str, &'static [&'static str]);
        variant: deserialize_enum(&'static str, &'static [&'static str]);
        ignored: deserialize_ignored_any;
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        self.human_readable
    }
}

impl<'de> SeqAccess<'de> for &mut TreeReader<'_, 'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        if !self.next_item() {
            return Ok(None);
        }
        Ok(Some(seed.deserialize(&mut **self)?))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for &mut TreeReader<'_, 'de> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        if !self.next_item() {
            return Ok(None);
        }
        // Formats that are not human-readable have typed keys, so only keys of text formats are parsed as
        // numbers.
        self.key = self.human_readable;
        let key = seed.deserialize(&mut **self);
        self.key = false;
        Ok(Some(key?))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, ReadError> {
        seed.deserialize(&mut **self)
    }
}

/// Reads an enum variant with data, which is stored as a map with one pair.
impl<'de> EnumAccess<'de> for &mut TreeReader<'_, 'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), ReadError> {
        let variant = seed.deserialize(&mut *self)?;
        // The variant reads the only value itself, hence no item is left.
        self.left = 0;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for &mut TreeReader<'_, 'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        <()>::deserialize(self)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.list(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.record(visitor)
    }
}
