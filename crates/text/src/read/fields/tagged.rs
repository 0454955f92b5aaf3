//! Tagged values: JSON objects with one entry, which represent values that JSON lacks. These are non-finite
//! numbers, and cells of tables, which may be texts or numbers. [`ValueTag`] has the keys.

use std::borrow::Cow;

use bleuprint_registry::ValueTag;
use serde_json::{Map, Value};

/// Returns a tagged value: a JSON object with one entry, whose key is the key of `tag` and whose value is
/// `text`.
///
/// ```
/// use bleuprint_registry::ValueTag;
/// use bleuprint_text::read::{plain_value, tagged_value};
/// let value = serde_json::json!([1, tagged_value(ValueTag::NonFinite, "NaN"), tagged_value(ValueTag::Cell, "12")]);
/// assert_eq!(*plain_value(&value), serde_json::json!([1, null, 12]));
/// ```
pub fn tagged_value(tag: ValueTag, text: &str) -> Value {
    let mut entry = Map::new();
    entry.insert(tag.key().to_owned(), text.into());
    Value::Object(entry)
}

/// Returns the tag and the text of a tagged value, or `None` for any other value.
pub(super) fn tag_of(value: &Value) -> Option<(ValueTag, &str)> {
    let entries = value.as_object().filter(|entries| entries.len() == 1)?;
    let (key, text) = entries.iter().next()?;
    Some((ValueTag::of_key(key)?, text.as_str()?))
}

/// Returns the value as standard JSON, without tags ([`ValueTag`]). NaN becomes null, and an infinity becomes
/// a text. An unquoted table cell becomes the JSON number or truth value that it contains, and a quoted cell
/// becomes a text.
pub fn plain_value(value: &Value) -> Cow<'_, Value> {
    if has_tags(value) { Cow::Owned(untagged(value)) } else { Cow::Borrowed(value) }
}

fn has_tags(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_tags),
        Value::Object(entries) => tag_of(value).is_some() || entries.values().any(has_tags),
        _ => false,
    }
}

fn untagged(value: &Value) -> Value {
    match (tag_of(value), value) {
        (Some((ValueTag::NonFinite, "NaN")), _) => Value::Null,
        (Some((ValueTag::Cell, text)), _) => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        (Some((_, text)), _) => text.into(),
        (None, Value::Array(items)) => items.iter().map(untagged).collect(),
        (None, Value::Object(entries)) => {
            let entries = entries.iter().map(|(key, value)| (key.clone(), untagged(value)));
            Value::Object(entries.collect())
        }
        (None, value) => value.clone(),
    }
}
