//! [`Capture`]: reads a value of any format that describes itself into the bytes of a block.

use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::block_writer::{BlockWriter, tag};

/// Serde seed that appends the value of any format that describes itself to a block.
pub(crate) struct Capture<'w>(pub(crate) &'w mut BlockWriter);

impl<'de> DeserializeSeed<'de> for Capture<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

/// Implements methods of [`Visitor`] for values without parts.
macro_rules! visits {
    ($($visit:ident($value:ident: $Type:ty) $own:ident($given:expr);)+) => {$(
        fn $visit<E: Error>(self, $value: $Type) -> Result<(), E> {
            self.0.$own($given);
            Ok(())
        }
    )+};
}

impl<'de> Visitor<'de> for Capture<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    visits! {
        visit_bool(value: bool) tag(if value { tag::TRUE } else { tag::FALSE });
        visit_u64(value: u64) unsigned(value.into());
        visit_i64(value: i64) signed(value.into());
        visit_u128(value: u128) unsigned(value);
        visit_i128(value: i128) signed(value);
        visit_str(value: &str) text(value);
        visit_bytes(value: &[u8]) bytes(value);
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.0.float(number).map_err(E::custom)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.tag(tag::NULL);
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.deserialize(from)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.tag(tag::LIST);
        while seq.next_element_seed(Capture(self.0))?.is_some() {}
        self.0.tag(tag::END);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.tag(tag::MAP);
        while map.next_key_seed(Capture(self.0))?.is_some() {
            map.next_value_seed(Capture(self.0))?;
        }
        self.0.tag(tag::END);
        Ok(())
    }
}
