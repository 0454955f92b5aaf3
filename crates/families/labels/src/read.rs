//! Reads the labels of a text: one label, a set of labels, or a label for each word.

use std::collections::BTreeMap;

use bleuprint_core::{ConfigError, InputError, Result};
use bleuprint_text::whitespace;

use crate::seen::Pair;
use crate::tally::LabelTally;

/// How the labels of a segment are written in its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SegmentLabels {
    /// One label for the segment: the whole text.
    #[default]
    One,
    /// One label for each position of the segment: white space in the text separates the labels.
    Tokens,
    /// A set of labels for the segment, written with this separator.
    Set(Separator),
}

/// Format of a set of labels in a text. A label that occurs twice counts once.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Separator {
    /// The text is a JSON array of strings, one for each label.
    Json,
    /// The labels are given as a [`TextList`](crate::TextList) instead of a text.
    List,
    /// The text has the labels separated by white space.
    Space,
    /// The text has the labels separated by these characters, with or without white space next to them. The
    /// empty text is the empty set.
    Text(String),
}

impl Separator {
    /// Returns the separator for the value of an option: `json`, `list`, `space`, or the characters that
    /// separate labels.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if `text` is empty.
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

    /// Splits a text that is a set of labels into its labels.
    fn labels(&self, text: &str) -> Result<Vec<String>> {
        let labels: Vec<String> = match self {
            Separator::List => return Err(InputError::malformed("the labels must be a list (multilabel=list), but a text is given")),
            Separator::Json => serde_json::from_str(text).map_err(|error| {
                InputError::malformed(format!(
                    "the labels are not a JSON array of strings: {error}; set the separator of labels with multilabel=.."
                ))
            })?,
            Separator::Space => whitespace::split(text).map(str::to_owned).collect(),
            Separator::Text(_) if whitespace::strip(text).is_empty() => Vec::new(),
            // White space next to a separator, as in `a; b`, is no part of a label.
            Separator::Text(separator) => {
                text.split(&**separator).map(|label| whitespace::strip(label).to_owned()).collect()
            }
        };
        // Two separators in a row are more often a mistake in the data than an empty label; labels separated
        // by white space cannot be empty.
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

/// Returns the reference label and the predicted label of a segment whose texts are one label each.
///
/// # Errors
/// Returns an error if a text is a sequence of tags, one for each token, instead of a label.
pub(crate) fn one<'t>(gold: &'t str, predicted: &'t str) -> Result<Pair<'t>> {
    for text in [gold, predicted] {
        // A corpus of tag sequences would otherwise be scored as a corpus of long labels, with a plausible
        // but meaningless number.
        if is_tags(text) {
            return Err(InputError::malformed(format!(
                "`{text}` is a sequence of tags: `spans` has the precision and recall of its spans, and tokens=yes those of single \
                 tags"
            )));
        }
    }
    Ok((gold, predicted))
}

/// Returns `true` if a text is a sequence of several IOB tags such as `B-PER O`, which mark spans of tokens,
/// instead of a label.
fn is_tags(text: &str) -> bool {
    // Most labels do not begin like a tag, so that the split is rarely needed. Bytes outside of visible ASCII
    // may be white space and take the slow path.
    if text.bytes().next().is_some_and(|first| matches!(first, b'!'..=b'~') && !b"BIESLUO".contains(&first)) {
        return false;
    }
    let tag = |word: &str| {
        word == "O"
            || word.split_once('-').is_some_and(|(prefix, _)| "BIESLU".contains(prefix) && prefix.len() == 1)
    };
    whitespace::split(text).all(tag) && whitespace::split(text).nth(1).is_some()
}

/// Counts the pairs of reference label and predicted label at the same position. Returns every distinct pair
/// with its number of positions.
///
/// # Errors
/// Returns an error if the numbers of labels differ.
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

/// The reference set and the predicted set of labels of a segment, both sorted.
pub(crate) struct SegmentSets {
    gold: Vec<String>,
    predicted: Vec<String>,
}

impl SegmentSets {
    pub(crate) fn new(gold: Vec<String>, predicted: Vec<String>) -> Self {
        SegmentSets { gold: each_once(gold), predicted: each_once(predicted) }
    }

    pub(crate) fn of_texts(separator: &Separator, gold: &str, predicted: &str) -> Result<Self> {
        Ok(SegmentSets::new(separator.labels(gold)?, separator.labels(predicted)?))
    }

    /// Returns the counts of every label in the reference set or the predicted set.
    pub(crate) fn labels(&self) -> Vec<(&str, LabelTally)> {
        let mut labels = BTreeMap::<&str, LabelTally>::new();
        for label in &self.gold {
            labels.insert(label, LabelTally::GOLD);
        }
        for label in &self.predicted {
            labels
                .entry(label)
                .and_modify(|tally| *tally = LabelTally::RIGHT)
                .or_insert(LabelTally::PREDICTED);
        }
        labels.into_iter().collect()
    }

    /// Returns the sizes of the predicted set (`predicted`), the reference set (`gold`), and their
    /// intersection (`right`).
    pub(crate) fn sizes(&self) -> LabelTally {
        let right =
            self.gold.iter().filter(|label| self.predicted.binary_search(label).is_ok()).count() as u64;
        LabelTally { right, predicted: self.predicted.len() as u64, gold: self.gold.len() as u64 }
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
        assert_eq!(read(";", "a; b c ").unwrap(), ["a", "b c"]);
        assert_eq!(read(";", "dark blue; b ;a").unwrap(), ["a", "b", "dark blue"]);
        assert_eq!(read("json", r#"["a", " b"]"#).unwrap(), [" b", "a"], "labels in arrays are exact");
        assert_eq!(read("space", " b\ta ").unwrap(), ["a", "b"]);
        assert_eq!(read("json", r#"["a;b", ""]"#).unwrap(), ["", "a;b"]);
        assert!(read(";", "").unwrap().is_empty() && read("json", "[]").unwrap().is_empty());
        for (separator, refused) in
            [(";", "a;;b"), (";", ";"), (";", "a; ;b"), ("json", "a"), ("json", "[1]"), ("json", "")]
        {
            assert!(read(separator, refused).is_err(), "{refused}");
        }
        assert!(Separator::named("").is_err());
    }
}
