//! [`BlockReader`]: a deserializer of the bytes that `BlockWriter` writes, and their way into
//! other formats.

use core::cell::RefCell;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::ser::{Error as _, SerializeMap as _, SerializeSeq as _, Serializer};
use serde::{Deserialize as _, Serialize, forward_to_deserialize_any};

use crate::block_writer::{BlockError, tag};

/// Maximal depth of nested lists and maps, as in `serde_json`.
const MOST_LEVELS: usize = 128;

/// Reader of the values of a block, one after another. Bytes that no `BlockWriter` wrote give an error.
#[derive(Debug)]
pub(crate) struct BlockReader<'b> {
    bytes: &'b [u8],
    levels: usize,
}

impl<'b> BlockReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        BlockReader { bytes, levels: MOST_LEVELS }
    }

    /// Checks that no bytes follow the values that were read.
    pub(crate) fn end(&self) -> Result<(), BlockError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(damaged("bytes follow its last value")) }
    }

    /// Returns the bytes that were not read yet.
    pub(crate) fn rest(&self) -> &'b [u8] {
        self.bytes
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.first().copied()
    }

    fn byte(&mut self) -> Result<u8, BlockError> {
        let (first, rest) = self.bytes.split_first().ok_or_else(|| damaged("its end is missing"))?;
        self.bytes = rest;
        Ok(*first)
    }

    fn groups(&mut self) -> Result<u128, BlockError> {
        let mut number = 0_u128;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            let group = u128::from(byte & 0x7f);
            if group << shift >> shift != group {
                break;
            }
            number |= group << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged("a number has more than 128 bits"))
    }

    fn counted(&mut self) -> Result<&'b [u8], BlockError> {
        let length = usize::try_from(self.groups()?).unwrap_or(usize::MAX);
        let split = self.bytes.split_at_checked(length);
        let (own, rest) = split.ok_or_else(|| damaged("its end is missing"))?;
        self.bytes = rest;
        Ok(own)
    }

    fn text(&mut self) -> Result<&'b str, BlockError> {
        core::str::from_utf8(self.counted()?).map_err(|_| damaged("a text is not UTF-8"))
    }

    fn node(&mut self) -> Result<BlockNode<'b>, BlockError> {
        Ok(match self.byte()? {
            tag::NULL => BlockNode::Null,
            tag::FALSE => BlockNode::Bool(false),
            tag::TRUE => BlockNode::Bool(true),
            tag::UNSIGNED => BlockNode::Unsigned(self.groups()?),
            tag::NEGATIVE => {
                let beyond = |_| damaged("a number is below the least of 128 bits");
                BlockNode::Negative(!i128::try_from(self.groups()?).map_err(beyond)?)
            }
            tag::FLOAT => {
                let split = self.bytes.split_first_chunk::<8>();
                let (number, rest) = split.ok_or_else(|| damaged("its end is missing"))?;
                self.bytes = rest;
                BlockNode::Float(f64::from_le_bytes(*number))
            }
            tag::TEXT => BlockNode::Text(self.text()?),
            tag::BYTES => BlockNode::Bytes(self.counted()?),
            tag::LIST => BlockNode::List,
            tag::MAP => BlockNode::Map,
            other => return Err(damaged(&format!("there is no kind of value {other}"))),
        })
    }

    /// Writes the next value to another format.
    fn write<S: Serializer>(&mut self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.node().map_err(S::Error::custom)? {
            BlockNode::Null => serializer.serialize_unit(),
            BlockNode::Bool(value) => serializer.serialize_bool(value),
            BlockNode::Unsigned(number) => match u64::try_from(number) {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.serialize_u128(number),
            },
            BlockNode::Negative(number) => match i64::try_from(number) {
                Ok(number) => serializer.serialize_i64(number),
                Err(_) => serializer.serialize_i128(number),
            },
            BlockNode::Float(number) => serializer.serialize_f64(number),
            BlockNode::Text(text) => serializer.serialize_str(text),
            BlockNode::Bytes(bytes) => serializer.serialize_bytes(bytes),
            BlockNode::List => {
                let mut list = serializer.serialize_seq(None)?;
                while !self.ends() {
                    list.serialize_element(&NextValue(RefCell::new(&mut *self)))?;
                }
                list.end()
            }
            BlockNode::Map => {
                let mut map = serializer.serialize_map(None)?;
                while !self.ends() {
                    map.serialize_key(&NextValue(RefCell::new(&mut *self)))?;
                    map.serialize_value(&NextValue(RefCell::new(&mut *self)))?;
                }
                map.end()
            }
        }
    }

    /// Skips the end mark if it is next.
    fn ends(&mut self) -> bool {
        let ends = self.peek() == Some(tag::END);
        self.bytes = self.bytes.get(usize::from(ends)..).unwrap_or_default();
        ends
    }

    /// Reads a list or map with `read`, which must leave its end mark for this function.
    fn within<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, BlockError>) -> Result<T, BlockError> {
        let deeper = || BlockError(format!("values within values are deeper than {MOST_LEVELS}"));
        self.levels = self.levels.checked_sub(1).ok_or_else(deeper)?;
        let value = read(self)?;
        self.levels += 1;
        if self.ends() { Ok(value) } else { Err(BlockError("a list has more values than expected".into())) }
    }
}

/// The kind of a value, with its content unless it has parts.
enum BlockNode<'b> {
    Null,
    Bool(bool),
    Unsigned(u128),
    Negative(i128),
    Float(f64),
    Text(&'b str),
    Bytes(&'b [u8]),
    List,
    Map,
}

/// The first value in the bytes of a block, which can be written to any format.
pub(crate) struct BlockValue<'b>(pub(crate) &'b [u8]);

impl Serialize for BlockValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BlockReader::new(self.0).write(serializer)
    }
}

/// The next value of a reader. Serializers borrow what they write, but reading moves the reader.
struct NextValue<'r, 'b>(RefCell<&'r mut BlockReader<'b>>);

impl Serialize for NextValue<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.try_borrow_mut().map_err(S::Error::custom)?.write(serializer)
    }
}

fn damaged(how: &str) -> BlockError {
    BlockError(format!("the block of the state is damaged: {how}"))
}

impl<'b> Deserializer<'b> for &mut BlockReader<'b> {
    type Error = BlockError;

    fn deserialize_any<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value, BlockError> {
        match self.node()? {
            BlockNode::Null => visitor.visit_unit(),
            BlockNode::Bool(value) => visitor.visit_bool(value),
            BlockNode::Unsigned(number) => match u64::try_from(number) {
                Ok(number) => visitor.visit_u64(number),
                Err(_) => visitor.visit_u128(number),
            },
            BlockNode::Negative(number) => match i64::try_from(number) {
                Ok(number) => visitor.visit_i64(number),
                Err(_) => visitor.visit_i128(number),
            },
            BlockNode::Float(number) => visitor.visit_f64(number),
            BlockNode::Text(text) => visitor.visit_borrowed_str(text),
            BlockNode::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            BlockNode::List => self.within(|block| visitor.visit_seq(block)),
            BlockNode::Map => self.within(|block| visitor.visit_map(block)),
        }
    }

    fn deserialize_option<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value, BlockError> {
        if self.peek() == Some(tag::NULL) {
            self.byte()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'b>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, BlockError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'b>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BlockError> {
        match self.node()? {
            BlockNode::Text(text) => visitor.visit_enum(StrDeserializer::new(text)),
            BlockNode::Map => self.within(|block| visitor.visit_enum(block)),
            _ => Err(BlockError("a variant must be a text or a map of one pair".into())),
        }
    }

    forward_to_deserialize_any! {
        <W: Visitor<'b>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}

impl<'b> SeqAccess<'b> for &mut BlockReader<'b> {
    type Error = BlockError;

    fn next_element_seed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<Option<T::Value>, BlockError> {
        if self.peek() == Some(tag::END) {
            return Ok(None);
        }
        seed.deserialize(&mut **self).map(Some)
    }
}

impl<'b> MapAccess<'b> for &mut BlockReader<'b> {
    type Error = BlockError;

    fn next_key_seed<K: DeserializeSeed<'b>>(&mut self, seed: K) -> Result<Option<K::Value>, BlockError> {
        if self.peek() == Some(tag::END) {
            return Ok(None);
        }
        seed.deserialize(BlockKey(self)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<T::Value, BlockError> {
        seed.deserialize(&mut **self)
    }
}

/// Reader of a key of a map. A state that was captured from JSON has texts as keys, also where the type has
/// numbers.
struct BlockKey<'r, 'b>(&'r mut BlockReader<'b>);

/// Implements methods of [`Deserializer`] for keys that are numbers or booleans.
macro_rules! keys {
    ($($method:ident $visit:ident;)+) => {$(
        fn $method<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value, BlockError> {
            if self.0.peek() == Some(tag::TEXT) {
                self.0.byte()?;
                let text = self.0.text()?;
                return match text.parse() {
                    Ok(key) => visitor.$visit(key),
                    Err(_) => visitor.visit_borrowed_str(text),
                };
            }
            self.0.deserialize_any(visitor)
        }
    )+};
}

impl<'b> Deserializer<'b> for BlockKey<'_, 'b> {
    type Error = BlockError;

    keys! {
        deserialize_bool visit_bool;
        deserialize_u8 visit_u8; deserialize_u16 visit_u16; deserialize_u32 visit_u32;
        deserialize_u64 visit_u64; deserialize_u128 visit_u128;
        deserialize_i8 visit_i8; deserialize_i16 visit_i16; deserialize_i32 visit_i32;
        deserialize_i64 visit_i64; deserialize_i128 visit_i128;
    }

    fn deserialize_any<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value, BlockError> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'b>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, BlockError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'b>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BlockError> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        <W: Visitor<'b>>
        f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}

/// Reads a variant with data, which is a map of one pair.
impl<'b> EnumAccess<'b> for &mut BlockReader<'b> {
    type Error = BlockError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'b>>(self, seed: T) -> Result<(T::Value, Self), BlockError> {
        let variant = seed.deserialize(&mut *self)?;
        Ok((variant, self))
    }
}

impl<'b> VariantAccess<'b> for &mut BlockReader<'b> {
    type Error = BlockError;

    fn unit_variant(self) -> Result<(), BlockError> {
        <()>::deserialize(self)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'b>>(self, seed: T) -> Result<T::Value, BlockError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'b>>(self, _: usize, visitor: V) -> Result<V::Value, BlockError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'b>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BlockError> {
        self.deserialize_any(visitor)
    }
}
