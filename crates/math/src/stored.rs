//! Deserialization of [`ExactSum`] from its nine columns, or from the eight columns that earlier versions
//! wrote.

use core::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use crate::ExactSum;

const COLUMNS: usize = ExactSum::COLUMNS.len();

/// Reads an exact sum from its nine columns, or from the eight columns that earlier versions wrote.
impl<'de> Deserialize<'de> for ExactSum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(COLUMNS, StoredColumns)
    }
}

struct StoredColumns;

impl<'de> Visitor<'de> for StoredColumns {
    type Value = ExactSum;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sum of {COLUMNS} columns, or of {}", COLUMNS - 1)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ExactSum, A::Error> {
        let mut columns = [0; COLUMNS];
        for place in 0..COLUMNS {
            columns[place] = match seq.next_element()? {
                Some(column) => column,
                None if place == COLUMNS - 1 => {
                    ExactSum::ninth_column(columns[0]).map_err(de::Error::custom)?
                }
                None => return Err(de::Error::invalid_length(place, &self)),
            };
        }
        ExactSum::try_from(columns).map_err(de::Error::custom)
    }
}
