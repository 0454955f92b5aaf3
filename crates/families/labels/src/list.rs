//! [`TextList`]: a list of texts or ids that records and Python give in place of a single text.

use bleuprint_core::Form;
use serde::{Deserialize, Deserializer};

/// A list of labels, tags or spans. In records it is an array of strings. A whole number is read as the text
/// of its digits.
///
/// ```
/// use bleuprint_labels::TextList;
/// let list: TextList = serde_json::from_str(r#"["B-PER", 17]"#).unwrap();
/// assert_eq!(list.0, ["B-PER", "17"]);
/// assert!(serde_json::from_str::<TextList>("[0.5]").is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "closed: the texts, and nothing else")]
pub struct TextList(#[serde(deserialize_with = "texts")] pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a list of strings or whole numbers")]
enum LabelItem {
    Text(String),
    Id(i64),
}

fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let text = |item| match item {
        LabelItem::Text(text) => text,
        LabelItem::Id(id) => id.to_string(),
    };
    Ok(Vec::<LabelItem>::deserialize(from)?.into_iter().map(text).collect())
}

impl TextList {
    pub(crate) fn strs(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

impl Form for TextList {
    const NAME: &'static str = "texts";
    type Reference = Self;
    type Source = Self;
}
