//! [`Strict`] and [`StrictObject`]: JSON values that are rejected if an object has a key twice, because one
//! value would hide the other.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// A JSON value in whose objects no key occurs twice.
pub(in crate::read) struct Strict(pub(in crate::read) Value);

/// A JSON object in which no key occurs twice. The objects within its values are not checked.
pub(crate) struct StrictObject<V>(pub(crate) BTreeMap<String, V>);

fn entries<'de, A, V>(mut map: A) -> Result<BTreeMap<String, V>, A::Error>
where
    A: MapAccess<'de>,
    V: Deserialize<'de>,
{
    let mut entries = BTreeMap::new();
    while let Some((key, value)) = map.next_entry()? {
        if entries.contains_key(&key) {
            return Err(A::Error::custom(format!("the key `{key}` twice")));
        }
        entries.insert(key, value);
    }
    Ok(entries)
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for StrictObject<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StrictSeed<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for StrictSeed<V> {
            type Value = BTreeMap<String, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                entries(map)
            }
        }
        deserializer.deserialize_map(StrictSeed(PhantomData)).map(StrictObject)
    }
}

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value of JSON")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
                let mut values = Vec::new();
                while let Some(Strict(value)) = items.next_element()? {
                    values.push(value);
                }
                Ok(values.into())
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
                let entries = entries::<A, Strict>(map)?.into_iter();
                Ok(Value::Object(entries.map(|(key, Strict(value))| (key, value)).collect()))
            }
        }
        deserializer.deserialize_any(Any).map(Strict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_once_at_any_depth() {
        let read = |text| serde_json::from_str::<Strict>(text).map(|Strict(value)| value);
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":[],"\u0061":2}}]"#] {
            assert!(read(text).unwrap_err().to_string().starts_with("the key `a` twice"), "{text}");
        }
        for text in [r#"{"a":[null,true,-1,18446744073709551615,0.1,"x",{}],"b":{"a":1e3}}"#, "7", r#""x""#] {
            assert_eq!(read(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        }
    }
}
