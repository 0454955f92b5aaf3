//! [`SegmentColumns`]: the columns or keys that have the parts of a segment, where a file names them otherwise.

use std::borrow::Cow;

use bleuprint_core::{ConfigError, InputError};

/// The names of the parts that a user may assign to a column, and further names of each part in a file.
pub(super) const PARTS: [(&str, &[&str]); 11] = [
    ("hypothesis", &["hyp"]),
    ("reference", &["ref"]),
    ("references", &["refs"]),
    ("source", &["src"]),
    ("id", &[]),
    ("system", &[]),
    ("document", &[]),
    ("domain", &[]),
    ("speaker", &[]),
    ("hypothesis_ids", &[]),
    ("reference_ids", &[]),
];

/// Columns of a table, or keys of JSON Lines, that have the parts of a segment, such as `pred_text` for the
/// hypothesis. Parts that the user does not assign keep their usual names.
///
/// ```
/// use bleuprint_text::read::SegmentColumns;
/// assert!(SegmentColumns::parse(["hypothesis=pred_text", "reference=text"]).is_ok());
/// let error = SegmentColumns::parse(["hypotheses=pred_text"]).unwrap_err().to_string();
/// assert!(error.contains("unknown part of a segment `hypotheses`"), "{error}");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SegmentColumns {
    /// Pairs of a part and its column.
    pairs: Vec<(&'static str, String)>,
}

impl SegmentColumns {
    /// Parses texts such as `hypothesis=pred_text`. The part `reference` may have several columns of a table.
    ///
    /// # Errors
    /// Returns an error if a text is not `PART=COLUMN`, if a part is unknown or has two columns, or if a column
    /// has two parts.
    pub fn parse<T: AsRef<str>>(given: impl IntoIterator<Item = T>) -> Result<Self, ConfigError> {
        let mut pairs: Vec<(&'static str, String)> = Vec::new();
        for text in given {
            let text = text.as_ref();
            let Some((name, column)) = text.split_once('=').filter(|(_, column)| !column.is_empty()) else {
                let message =
                    format!("`{text}` assigns no column: write PART=COLUMN, as in hypothesis=pred_text");
                return Err(ConfigError::Conflict(message));
            };
            let of = |(part, others): &&(&str, &[&str])| *part == name || others.contains(&name);
            let Some((part, _)) = PARTS.iter().find(of) else {
                let names = PARTS.iter().map(|(part, _)| *part);
                return Err(ConfigError::unknown_name("part of a segment", name, names));
            };
            let twice =
                pairs.iter().find(|(known, other)| *known == *part && !is_reference(part) || other == column);
            if let Some((known, other)) = twice {
                let message = format!("{known}={other} and {text} contradict each other");
                return Err(ConfigError::Conflict(message));
            }
            pairs.push((part, column.to_owned()));
        }
        Ok(SegmentColumns { pairs })
    }

    /// Returns `true` if all parts have their usual names.
    #[cfg(feature = "jsonl")]
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns the usual name of the part that a column has. A column with the usual name of a part that another
    /// column has gets a name that no part has.
    pub(super) fn usual<'n>(&'n self, column: &'n str) -> Cow<'n, str> {
        let own = self.pairs.iter().position(|(_, own)| own == column);
        let is_part = |(part, others): &&(&str, &[&str])| {
            *part == column
                || others.contains(&column)
                || *part == "reference" && is_numbered_reference(column)
        };
        let is_same = |one: &str, other: &str| one == other || is_reference(one) && is_reference(other);
        let replaced = |part: &str| self.pairs.iter().any(|(own, _)| is_same(own, part));
        match (own, PARTS.iter().find(is_part)) {
            (Some(at), _) => {
                let part = self.pairs[at].0;
                // Tables number several references; the first one has the plain name.
                let before = self.pairs[..at].iter().filter(|(other, _)| is_same(other, part)).count();
                if before == 0 { part.into() } else { format!("reference_{}", before + 1).into() }
            }
            (None, Some((part, _))) if replaced(part) => format!("{DISPLACED}{column}").into(),
            _ => column.into(),
        }
    }

    /// Returns an error if a column that the user named is not among these names.
    pub(super) fn require<'n>(&self, names: impl Iterator<Item = &'n str> + Clone) -> Result<(), InputError> {
        match self.pairs.iter().find(|(_, column)| !names.clone().any(|name| name == column)) {
            None => Ok(()),
            Some((part, column)) => Err(InputError::malformed(format!(
                "--columns {part}={column}: there is no column `{column}`; there are: {}",
                names.collect::<Vec<_>>().join(", ")
            ))),
        }
    }

    /// Returns an error if the user named a key for this part, which a record lacks. `others` are keys of the
    /// record that have no part.
    #[cfg(feature = "jsonl")]
    pub(super) fn require_part<'n>(
        &self,
        part: &str,
        others: impl Iterator<Item = &'n str>,
    ) -> Result<(), InputError> {
        let Some((part, column)) = self.pairs.iter().find(|(own, _)| *own == part) else { return Ok(()) };
        let others: Vec<&str> = others.filter(|name| !is_displaced(name)).collect();
        let hint = if others.is_empty() { String::new() } else { format!("; it has: {}", others.join(", ")) };
        Err(InputError::malformed(format!(
            "--columns {part}={column}: the record has no key `{column}`{hint}"
        )))
    }

    /// Returns an error if the references are in several columns, which only tables have.
    #[cfg(feature = "jsonl")]
    pub(super) fn require_one_reference(&self) -> Result<(), InputError> {
        if self.pairs.iter().filter(|(part, _)| is_reference(part)).count() < 2 {
            return Ok(());
        }
        Err(InputError::malformed(
            "JSON Lines have all references of a segment under one key; --columns names several, as for a table",
        ))
    }
}

/// Returns `true` if `part` is `reference` or `references`, the two names for the references of a segment.
fn is_reference(part: &str) -> bool {
    part == "reference" || part == "references"
}

/// Prefix of the name of a displaced column: the user named another column for the part that this column
/// usually has.
const DISPLACED: char = '\u{0}';

/// Returns `true` for a name that [`SegmentColumns::usual`] gave to a displaced column.
pub(super) fn is_displaced(name: &str) -> bool {
    name.starts_with(DISPLACED)
}

pub(super) fn is_numbered_reference(name: &str) -> bool {
    name != "reference_ids" && (name.starts_with("reference_") || name.starts_with("ref_"))
}

#[cfg(test)]
#[test]
fn columns_have_their_usual_names() {
    let columns = SegmentColumns::parse(["hypothesis=pred", "reference=a", "ref=b"]).unwrap();
    let usual = ["pred", "a", "b", "id", "x"].map(|name| columns.usual(name).into_owned());
    assert_eq!(usual, ["hypothesis", "reference", "reference_2", "id", "x"]);
    let lists = SegmentColumns::parse(["references=answers"]).unwrap();
    assert_eq!(lists.usual("answers"), "references");
    assert!(is_displaced(&lists.usual("reference")));
    for name in ["hyp", "hypothesis", "refs", "reference_4"] {
        assert!(is_displaced(&columns.usual(name)), "{name}");
    }
    for wrong in [&["id=a", "id=b"][..], &["id=a", "system=a"], &["id"], &["id="], &["=a"]] {
        assert!(SegmentColumns::parse(wrong).is_err(), "{wrong:?}");
    }
    let error = columns.require(["pred", "a", "c"].into_iter()).unwrap_err().to_string();
    assert_eq!(error, "--columns reference=b: there is no column `b`; there are: pred, a, c");
}
