//! [`BlockWriter`]: a serializer that writes any value as bytes that describe themselves, for states in
//! formats that do not.

use core::fmt::{self, Display};

use serde::Serialize;
use serde::ser::{self, Serializer};

use crate::prelude::*;

/// First byte of each value in a block.
pub(crate) mod tag {
    pub(crate) const NULL: u8 = 0;
    pub(crate) const FALSE: u8 = 1;
    pub(crate) const TRUE: u8 = 2;
    /// A whole number from 0, in groups of seven bits.
    pub(crate) const UNSIGNED: u8 = 3;
    /// A whole number below 0: its distance from -1, in groups of seven bits.
    pub(crate) const NEGATIVE: u8 = 4;
    /// A float, as 8 bytes from the lowest.
    pub(crate) const FLOAT: u8 = 5;
    /// The number of bytes of a text in UTF-8, and these bytes.
    pub(crate) const TEXT: u8 = 6;
    pub(crate) const BYTES: u8 = 7;
    /// Values up to [`END`].
    pub(crate) const LIST: u8 = 8;
    /// Keys, each followed by its value, up to [`END`].
    pub(crate) const MAP: u8 = 9;
    pub(crate) const END: u8 = 10;
}

/// A value that cannot be written to a block, or a block that cannot be read; the text says why.
#[derive(Debug)]
pub(crate) struct BlockError(pub(crate) String);

impl Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for BlockError {}

impl ser::Error for BlockError {
    fn custom<T: Display>(message: T) -> Self {
        BlockError(message.to_string())
    }
}

impl serde::de::Error for BlockError {
    fn custom<T: Display>(message: T) -> Self {
        BlockError(message.to_string())
    }
}

/// A block of bytes that grows by one value at a time.
#[derive(Debug, Default)]
pub(crate) struct BlockWriter {
    pub(crate) bytes: Vec<u8>,
}

impl BlockWriter {
    pub(crate) fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn groups(&mut self, mut number: u128) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub(crate) fn unsigned(&mut self, number: u128) {
        self.tag(tag::UNSIGNED);
        self.groups(number);
    }

    pub(crate) fn signed(&mut self, number: i128) {
        match u128::try_from(number) {
            Ok(number) => self.unsigned(number),
            Err(_) => {
                self.tag(tag::NEGATIVE);
                self.groups(!number as u128);
            }
        }
    }

    pub(crate) fn float(&mut self, number: f64) -> Result<(), BlockError> {
        // JSON has no such numbers. A state that one format keeps and another loses would surprise at the
        // restart, hours later.
        if !number.is_finite() {
            return Err(BlockError(format!("the number {number} cannot be stored: it is not finite")));
        }
        self.tag(tag::FLOAT);
        self.bytes.extend_from_slice(&number.to_le_bytes());
        Ok(())
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.tag(tag::TEXT);
        self.groups(text.len() as u128);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.tag(tag::BYTES);
        self.groups(bytes.len() as u128);
        self.bytes.extend_from_slice(bytes);
    }
}

/// A list or map that is being written. A variant with data is a map of one pair around it.
pub(crate) struct OpenBlock<'w> {
    writer: &'w mut BlockWriter,
    in_variant: bool,
}

impl<'w> OpenBlock<'w> {
    fn new(writer: &'w mut BlockWriter, tag: u8, variant: Option<&'static str>) -> Self {
        if let Some(variant) = variant {
            writer.tag(tag::MAP);
            writer.text(variant);
        }
        writer.tag(tag);
        OpenBlock { writer, in_variant: variant.is_some() }
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), BlockError> {
        value.serialize(&mut *self.writer)
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), BlockError> {
        self.writer.text(name);
        self.value(value)
    }

    fn close(self) -> Result<(), BlockError> {
        self.writer.tag(tag::END);
        if self.in_variant {
            self.writer.tag(tag::END);
        }
        Ok(())
    }
}

/// Implements methods of [`Serializer`] for values without parts.
macro_rules! scalars {
    ($($method:ident($value:ident: $Type:ty) $self:ident => $written:expr;)+) => {$(
        fn $method($self, $value: $Type) -> Result<(), BlockError> {
            $written
        }
    )+};
}

/// Implements methods of [`Serializer`] for whole numbers.
macro_rules! whole {
    ($($method:ident $own:ident $Type:ty;)+) => {$(
        fn $method(self, number: $Type) -> Result<(), BlockError> {
            self.$own(number.into());
            Ok(())
        }
    )+};
}

impl<'w> Serializer for &'w mut BlockWriter {
    type Ok = ();
    type Error = BlockError;
    type SerializeSeq = OpenBlock<'w>;
    type SerializeTuple = OpenBlock<'w>;
    type SerializeTupleStruct = OpenBlock<'w>;
    type SerializeTupleVariant = OpenBlock<'w>;
    type SerializeMap = OpenBlock<'w>;
    type SerializeStruct = OpenBlock<'w>;
    type SerializeStructVariant = OpenBlock<'w>;

    whole! {
        serialize_i8 signed i8; serialize_i16 signed i16; serialize_i32 signed i32; serialize_i64 signed i64;
        serialize_u8 unsigned u8; serialize_u16 unsigned u16; serialize_u32 unsigned u32;
        serialize_u64 unsigned u64; serialize_i128 signed i128; serialize_u128 unsigned u128;
    }
    scalars! {
        serialize_bool(value: bool) self => { self.tag(if value { tag::TRUE } else { tag::FALSE }); Ok(()) };
        serialize_f32(value: f32) self => self.float(value.into());
        serialize_f64(value: f64) self => self.float(value);
        serialize_char(value: char) self => { self.text(value.encode_utf8(&mut [0; 4])); Ok(()) };
        serialize_str(value: &str) self => { self.text(value); Ok(()) };
        serialize_bytes(value: &[u8]) self => { self.bytes(value); Ok(()) };
        serialize_unit_struct(_name: &'static str) self => self.serialize_none();
    }

    fn serialize_none(self) -> Result<(), BlockError> {
        self.tag(tag::NULL);
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), BlockError> {
        self.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), BlockError> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), BlockError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), BlockError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), BlockError> {
        let mut pair = OpenBlock::new(self, tag::MAP, None);
        pair.field(variant, value)?;
        pair.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<OpenBlock<'w>, BlockError> {
        Ok(OpenBlock::new(self, tag::LIST, None))
    }

    fn serialize_tuple(self, _: usize) -> Result<OpenBlock<'w>, BlockError> {
        Ok(OpenBlock::new(self, tag::LIST, None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<OpenBlock<'w>, BlockError> {
        Ok(OpenBlock::new(self, tag::LIST, None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<OpenBlock<'w>, BlockError> {
        Ok(OpenBlock::new(self, tag::LIST, Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<OpenBlock<'w>, BlockError> {
        Ok(OpenBlock::new(self, tag::MAP, None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<OpenBlock<'w>, BlockError> {
        Ok(OpenBlock::new(self, tag::MAP, None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<OpenBlock<'w>, BlockError> {
        Ok(OpenBlock::new(self, tag::MAP, Some(variant)))
    }

    fn is_human_readable(&self) -> bool {
        // A block keeps the values that JSON keeps, so that a state can go from one to the other.
        true
    }
}

/// Implements the traits of lists, whose values have no names.
macro_rules! lists {
    ($($Trait:ident $method:ident;)+) => {$(
        impl ser::$Trait for OpenBlock<'_> {
            type Ok = ();
            type Error = BlockError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), BlockError> {
                self.value(value)
            }

            fn end(self) -> Result<(), BlockError> {
                self.close()
            }
        }
    )+};
}

lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// Implements the traits of structs, whose values have names.
macro_rules! structs {
    ($($Trait:ident;)+) => {$(
        impl ser::$Trait for OpenBlock<'_> {
            type Ok = ();
            type Error = BlockError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), BlockError> {
                self.field(name, value)
            }

            fn end(self) -> Result<(), BlockError> {
                self.close()
            }
        }
    )+};
}

structs! { SerializeStruct; SerializeStructVariant; }

impl ser::SerializeMap for OpenBlock<'_> {
    type Ok = ();
    type Error = BlockError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), BlockError> {
        self.value(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), BlockError> {
        self.value(value)
    }

    fn end(self) -> Result<(), BlockError> {
        self.close()
    }
}
