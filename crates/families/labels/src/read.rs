//! The labels of a text: one, a set, or one for each place.

use std::collections::BTreeMap;

use bleuprint_core::{ConfigError, InputError, Result};
use bleuprint_text::whitespace;

use crate::seen::Pair;
use crate::tally::Tally;

/// The labels of a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Items {
    /// One: the whole text.
    #[default]
    One,
    /// One for each place: the words between white space.
    Tokens,
    /// A set.
    Set(Separator),
}

/// The form of a set of labels in a text. A label that stands there twice counts once.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Separator {
    /// A JSON array of strings.
    Json,
    /// No text but a [`TextList`](crate::TextList).
    List,
    /// Labels with white space between.
    Space,
    /// Labels with these characters between. A text without any is the empty set.
    Text(String),
}

impl Separator {
    /// The separator of an option: `json`, `list`, `space`, or its characters.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] for an empty one.
    pub fn named(text: &str) -> Result<Self, ConfigError> {
        match text {
            "json" => Ok(Separator::Json),
            "list" => Ok(Separator::List),
            "space" => Ok(Separator::Space),
            "" => {
                Err(ConfigError::out_of_range("labels-multilabel", "``", "json, list, space or a separator"))
            }
            separator => Ok(Separator::Text(separator.to_owned())),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Separator::Json => "json",
            Separator::List => "list",
            Separator::Space => "space",
            Separator::Text(separator) => separator,
        }
    }

    /// The labels of a text.
    fn labels(&self, text: &str) -> Result<Vec<String>> {
        let labels: Vec<String> = match self {
            Separator::List => return Err(InputError::malformed("labels are lists, but a text is given")),
            Separator::Json => serde_json::from_str(text).map_err(|error| {
                InputError::malformed(format!(
                    "labels are no JSON array of strings: {error}; give the separator of labels by multilabel=.."
                ))
            })?,
            Separator::Space => whitespace::split(text).map(str::to_owned).collect(),
            Separator::Text(_) if text.is_empty() => Vec::new(),
            Separator::Text(separator) => text.split(&**separator).map(str::to_owned).collect(),
        };
        if matches!(self, Separator::Text(_)) && labels.iter().any(String::is_empty) {
            let message = format!("an empty label in `{text}`, where `{}` separates labels", self.name());
            return Err(InputError::malformed(message));
        }
        Ok(labels)
    }
}

fn each_once(mut labels: Vec<String>) -> Vec<String> {
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// The two labels of a segment with one.
///
/// # Errors
/// Texts that are sequences of tags.
pub(crate) fn one<'t>(gold: &'t str, predicted: &'t str) -> Result<Pair<'t>> {
    for text in [gold, predicted] {
        if is_tags(text) {
            return Err(InputError::malformed(format!(
                "`{text}` is a sequence of tags: `spans` has the precision and recall of its spans, and tokens=yes those of single \
                 tags"
            )));
        }
    }
    Ok((gold, predicted))
}

/// Whether a text is several tags of spans, as in `B-PER O`.
fn is_tags(text: &str) -> bool {
    // Most labels start like no tag, and need no split.
    if text.bytes().next().is_some_and(|first| matches!(first, b'!'..=b'~') && !b"BIESLUO".contains(&first)) {
        return false;
    }
    let tag = |word: &str| {
        word == "O"
            || word.split_once('-').is_some_and(|(prefix, _)| "BIESLU".contains(prefix) && prefix.len() == 1)
    };
    whitespace::split(text).all(tag) && whitespace::split(text).nth(1).is_some()
}

/// The pairs of labels at each place, each pair once, with their numbers.
///
/// # Errors
/// Unlike numbers of labels.
pub(crate) fn places<'t>(gold: &[&'t str], predicted: &[&'t str]) -> Result<Vec<(Pair<'t>, u64)>> {
    require_equal(gold.len(), predicted.len())?;
    let mut pairs = BTreeMap::new();
    for pair in gold.iter().copied().zip(predicted.iter().copied()) {
        *pairs.entry(pair).or_default() += 1;
    }
    Ok(pairs.into_iter().collect())
}

pub(crate) fn require_equal(gold: usize, predicted: usize) -> Result<()> {
    if gold == predicted {
        return Ok(());
    }
    Err(InputError::malformed(format!(
        "the hypothesis has {}, but the reference has {gold}: both need one for each place",
        bleuprint_core::counted(predicted, "tag")
    )))
}

/// The sets of a segment.
pub(crate) struct Sets {
    gold: Vec<String>,
    predicted: Vec<String>,
}

impl Sets {
    pub(crate) fn new(gold: Vec<String>, predicted: Vec<String>) -> Self {
        Sets { gold: each_once(gold), predicted: each_once(predicted) }
    }

    pub(crate) fn of_texts(separator: &Separator, gold: &str, predicted: &str) -> Result<Self> {
        Ok(Sets::new(separator.labels(gold)?, separator.labels(predicted)?))
    }

    /// The counts of every label.
    pub(crate) fn labels(&self) -> Vec<(&str, Tally)> {
        let mut labels = BTreeMap::<&str, Tally>::new();
        for label in &self.gold {
            labels.insert(label, Tally::GOLD);
        }
        for label in &self.predicted {
            labels.entry(label).and_modify(|tally| *tally = Tally::RIGHT).or_insert(Tally::PREDICTED);
        }
        labels.into_iter().collect()
    }

    /// The sizes of both sets, and of what they share.
    pub(crate) fn sizes(&self) -> Tally {
        let right =
            self.gold.iter().filter(|label| self.predicted.binary_search(label).is_ok()).count() as u64;
        Tally { right, predicted: self.predicted.len() as u64, gold: self.gold.len() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_of_tags_are_told_from_labels() {
        for tags in ["B-PER O", "O O", "I-A  S-B", "U-X\tL-X"] {
            assert!(is_tags(tags) && one("a", tags).is_err(), "{tags}");
        }
        for labels in ["O", "B-PER", "x y", "B-PER cat", "New York", "b-per o", "", "BI-X O", "-X O"] {
            assert!(!is_tags(labels), "{labels}");
        }
    }

    #[test]
    fn sets_are_read_by_their_separator() {
        let read =
            |separator: &str, text: &str| Separator::named(separator).unwrap().labels(text).map(each_once);
        assert_eq!(read(";", "b;a;b").unwrap(), ["a", "b"]);
        assert_eq!(read(";", "a; b").unwrap(), [" b", "a"], "labels are exact");
        assert_eq!(read("space", " b\ta ").unwrap(), ["a", "b"]);
        assert_eq!(read("json", r#"["a;b", ""]"#).unwrap(), ["", "a;b"]);
        assert!(read(";", "").unwrap().is_empty() && read("json", "[]").unwrap().is_empty());
        for (separator, refused) in [(";", "a;;b"), (";", ";"), ("json", "a"), ("json", "[1]"), ("json", "")]
        {
            assert!(read(separator, refused).is_err(), "{refused}");
        }
        assert!(Separator::named("").is_err());
    }
}
