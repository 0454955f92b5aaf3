//! A parser of one line of JSON Lines. It splits the line into the values of the known keys and reports
//! errors in terms of JSON.
//!
//! The line is scanned once for the positions of the values, and every value is then parsed as its expected
//! type. An error can therefore name the value itself.

use super::column_names::{SegmentColumns, is_displaced, is_numbered_reference};
use super::keys::{check_unknown, meant};
use super::lines::column;
use bleuprint_core::{InputError, Result};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The values of a JSON Lines object, as unparsed text, by their keys. `null` counts as an absent value.
#[derive(Default)]
pub(super) struct JsonRow<'l> {
    pub(super) hypothesis: Option<Value<'l>>,
    pub(super) references: Option<Value<'l>>,
    pub(super) reference: Option<Value<'l>>,
    pub(super) hypothesis_ids: Option<Value<'l>>,
    pub(super) reference_ids: Option<Value<'l>>,
    pub(super) source: Option<Value<'l>>,
    /// The values of the keys `id`, `system`, `document`, `domain` and `speaker`, in this order.
    pub(super) labels: [Option<Value<'l>>; 5],
    /// The unknown keys of the JSON object, which are ignored.
    pub(super) others: Vec<Cow<'l, str>>,
    /// `true` if the line has the key of the hypothesis with the value null.
    pub(super) is_null: bool,
}

/// Advice in error messages if a file is one JSON array instead of one object per line.
pub(super) const ARRAY: &str = "; `jq -c '.[]'` makes a line of each object of an array";

/// Index of the key `references` in [`KEYS`].
const REFERENCES: usize = 1;

/// The known keys of a JSON Lines object, each with a shorter alternative or an empty string.
pub(super) const KEYS: [(&str, &str); 11] = [
    ("hypothesis", "hyp"),
    ("references", "refs"),
    ("reference", "ref"),
    ("hypothesis_ids", ""),
    ("reference_ids", ""),
    ("source", "src"),
    ("id", ""),
    ("system", ""),
    ("document", ""),
    ("domain", ""),
    ("speaker", ""),
];

impl<'l> JsonRow<'l> {
    /// Splits a JSON object into the unparsed values of its known keys. `bare` has the words of the original
    /// line that JSON does not have, such as `NaN`, with their byte offsets. In `line`, a number of the same
    /// length has replaced each of these words.
    /// `columns` has the keys of parts that the file names otherwise.
    ///
    /// # Errors
    /// Returns an error with the column if the line is not a JSON object, if a key occurs twice, or if an
    /// unknown key is likely a typing error.
    pub(super) fn parse(line: &'l str, bare: BareWords<'l>, columns: &SegmentColumns) -> Result<Self> {
        let start = line.trim_start_matches([' ', '\t', '\r']);
        if !start.starts_with('{') {
            let column = column(line, line.len() - start.len());
            let kind = kind(start);
            let hint = if start.starts_with('[') { ARRAY } else { "" };
            let message = format!("column {column}: a row is an object, but this is {kind}{hint}");
            return Err(InputError::malformed(message));
        }
        let mut parser = serde_json::Deserializer::from_str(line);
        let read = ValuesSeed(columns).deserialize(&mut parser);
        let read = read.and_then(|values| parser.end().map(|()| values));
        let JsonValues { values, others } = read.map_err(|error| syntax_error(line, line, &error))?;
        others.iter().filter(|key| !is_displaced(key)).try_for_each(|key| check_key(key))?;
        let keys = || others.iter().map(|key| &**key);
        for (at, (key, _)) in KEYS.iter().enumerate().filter(|_| !columns.is_empty()) {
            // Both keys of references are one part.
            let is_there = values[at].is_some() || *key == "reference" && values[REFERENCES].is_some();
            if !is_there {
                columns.require_part(key, keys())?;
            }
        }
        let is_null = values[0].is_some_and(|raw| raw.get() == "null");
        let mut values = values.into_iter().zip(KEYS).map(|(raw, (key, _))| {
            let written = raw.map(RawValue::get).filter(|written| *written != "null");
            written.map(|written| Value { line, bare, key, written })
        });
        let mut next = || values.next().flatten();
        Ok(JsonRow {
            hypothesis: next(),
            references: next(),
            reference: next(),
            hypothesis_ids: next(),
            reference_ids: next(),
            source: next(),
            labels: std::array::from_fn(|_| next()),
            others,
            is_null,
        })
    }
}

/// Rejects an unknown JSON key that is likely a typing error, or that is valid only as a column name of a
/// table.
pub(super) fn check_key(key: &str) -> Result<()> {
    if is_numbered_reference(key) {
        return Err(meant("key", key, "references` with an array, or `reference"));
    }
    // Records of speech often have a key such as `speakers`, which is no typing error.
    let known = KEYS.iter().filter(|(key, _)| *key != "speaker").flat_map(|(key, other)| [*key, *other]);
    check_unknown("key", key, known)
}

/// The unparsed values of a JSON object: one entry for each known key, and the list of unknown keys.
struct JsonValues<'l> {
    values: [Option<&'l RawValue>; KEYS.len()],
    others: Vec<Cow<'l, str>>,
}

/// Reads the values of a JSON object, whose keys the file may name otherwise.
struct ValuesSeed<'c>(&'c SegmentColumns);

impl<'l> DeserializeSeed<'l> for ValuesSeed<'_> {
    type Value = JsonValues<'l>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<JsonValues<'l>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for ValuesSeed<'_> {
    type Value = JsonValues<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<JsonValues<'l>, A::Error> {
        let mut all = JsonValues { values: [None; KEYS.len()], others: Vec::new() };
        while let Some(key) = map.next_key_seed(KeySeed(self.0))? {
            let index = match key {
                Key::Known(index) => index,
                Key::Other(name) => {
                    map.next_value::<IgnoredAny>()?;
                    all.others.push(name);
                    continue;
                }
            };
            let value = map.next_value()?;
            // The alternative name fills the same slot, so `hyp` after `hypothesis` is found as well.
            if all.values[index].replace(value).is_some() {
                return Err(A::Error::custom(twice(index)));
            }
        }
        Ok(all)
    }
}

enum Key<'l> {
    Known(usize),
    Other(Cow<'l, str>),
}

/// Reads a key of a JSON object, which may be a name that the user gave to a part.
struct KeySeed<'c>(&'c SegmentColumns);

impl<'l> DeserializeSeed<'l> for KeySeed<'_> {
    type Value = Key<'l>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<Key<'l>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl KeySeed<'_> {
    /// Returns the key by its usual name, or `None` for a key that keeps its name and has no meaning.
    fn meant<'k>(&self, name: &str) -> Option<Key<'k>> {
        if self.0.is_empty() {
            return known(name).map(Key::Known);
        }
        // The key of references takes one text or an array, whatever its name says.
        let usual = self.0.usual(name);
        let place = known(if &*usual == "reference" && usual != name { "references" } else { &usual });
        place.map(Key::Known).or_else(|| is_displaced(&usual).then(|| Key::Other(usual.into_owned().into())))
    }
}

impl<'l> Visitor<'l> for KeySeed<'_> {
    type Value = Key<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, name: &'l str) -> Result<Key<'l>, E> {
        Ok(self.meant(name).unwrap_or(Key::Other(Cow::Borrowed(name))))
    }

    // A key with an escape, such as `"hyp\u006fthesis"`, cannot be borrowed from the line.
    fn visit_str<E>(self, name: &str) -> Result<Key<'l>, E> {
        Ok(self.meant(name).unwrap_or_else(|| Key::Other(Cow::Owned(name.to_owned()))))
    }
}

/// Returns the error message for a key that occurs twice in a line, under one name or under both of its
/// names. `index` is the index of the key in `KEYS`.
pub(super) fn twice(index: usize) -> String {
    match KEYS[index] {
        (key, "") => format!("the key `{key}` twice"),
        (key, other) => format!("the key `{key}` (or `{other}`) twice"),
    }
}

/// Returns the index in `KEYS` of a known JSON key or of its alternative name.
pub(super) fn known(name: &str) -> Option<usize> {
    KEYS.iter().position(|(key, other)| *key == name || !other.is_empty() && *other == name)
}

/// The words `NaN`, `Infinity` and `-Infinity` that a line of JSON contains outside of strings, each with its
/// byte offset in the line.
type BareWords<'l> = &'l [(usize, &'static str)];

/// Returns a JSON number with the same length in bytes as `word`: `0e1` for `NaN`. Such a number replaces the
/// words `NaN`, `Infinity` and `-Infinity` before a line is parsed, so that byte offsets in the line do not
/// change.
pub(super) fn number_like(word: &str) -> String {
    let sign = if word.starts_with('-') { "-" } else { "" };
    format!("{sign}0e{}", "1".repeat(word.len() - sign.len() - 2))
}

/// An unparsed value in a JSON line: the whole line, the key, and the text of the value.
#[derive(Clone, Copy)]
pub(super) struct Value<'l> {
    line: &'l str,
    bare: BareWords<'l>,
    key: &'static str,
    written: &'l str,
}

impl<'l> Value<'l> {
    pub(super) fn text(self) -> Result<String> {
        match self.written.as_bytes() {
            [b'"', ..] => self.parse(),
            _ => Err(self.wrong("a text")),
        }
    }

    /// Parses the value as a text or, with `labels`, as a label: a text, a whole number or a truth value.
    pub(super) fn text_or_label(self, labels: bool) -> Result<String> {
        match self.written.as_bytes() {
            [b'"', ..] => self.parse(),
            _ if labels => {
                self.number_label().ok_or_else(|| self.wrong("a text, a whole number, true or false"))
            }
            _ => self.text(),
        }
    }

    /// Returns the text of a whole number or a truth value. The number 1.0 has the text `1`.
    fn number_label(self) -> Option<String> {
        /// The number 2^53. Every whole number up to it is exactly representable as an `f64`.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.bare_word().is_some() {
            return None;
        }
        match self.written {
            "true" | "false" => Some(self.written.to_owned()),
            written => written.parse::<i128>().map(|number| number.to_string()).ok().or_else(|| {
                let number: f64 = written.parse().ok().filter(|number: &f64| number.abs() < EXACT)?;
                (number.fract() == 0.0).then(|| format!("{}", number as i64))
            }),
        }
    }

    /// Parses the value as a JSON array of strings, in which `null` becomes `None`. A single string is read
    /// as an array of one. With `labels`, whole numbers and truth values are texts too.
    pub(super) fn texts(self, labels: bool) -> Result<Vec<Option<String>>> {
        let is_scalar = labels && !self.written.starts_with('[');
        if self.written.starts_with('"') || is_scalar {
            return Ok(vec![Some(self.text_or_label(labels)?)]);
        }
        let items = self.items("a text or an array of texts")?;
        let text = |item: Value<'_>| match item.written.as_bytes() {
            [b'"', ..] => item.parse().map(Some),
            [b'n', ..] => Ok(None),
            _ if labels => match item.number_label() {
                Some(label) => Ok(Some(label)),
                None => {
                    Err(item.wrong_item("texts, whole numbers, true or false, and null for a missing one"))
                }
            },
            _ => Err(item.wrong_item("texts, and null for a missing one")),
        };
        items.into_iter().map(text).collect()
    }

    pub(super) fn ids(self) -> Result<Vec<i64>> {
        if let Ok(ids) = serde_json::from_str(self.written) {
            return Ok(ids);
        }
        // Rare, so only now are the items parsed one by one, to name the wrong one.
        let items = self.items("an array of ids, which are integers")?;
        let id = |item: Value<'_>| {
            item.written.parse().map_err(|_| item.wrong_item("ids, which are integers of 64 bits"))
        };
        items.into_iter().map(id).collect()
    }

    /// Parses the value as a JSON array of arrays of integers, in which `null` becomes `None`.
    pub(super) fn id_lists(self) -> Result<Vec<Option<Vec<i64>>>> {
        let items = self.items("an array of arrays of ids")?;
        let list = |item: Value<'_>| match item.written.as_bytes() {
            [b'[', ..] => item.ids().map(Some),
            [b'n', ..] => Ok(None),
            _ => Err(item.wrong_item("arrays of ids, and null for a missing one")),
        };
        items.into_iter().map(list).collect()
    }

    pub(super) fn label(self) -> Result<String> {
        match self.written.as_bytes() {
            [b'"', ..] => {
                let label: String = self.parse()?;
                super::segment::label(self.key, &label)?;
                Ok(label)
            }
            _ if self.bare_word().is_some() => Err(self.wrong("a text, a number, true, false or null")),
            [b'[' | b'{', ..] => Err(self.wrong("a text, a number, true, false or null")),
            [b'-' | b'0'..=b'9', ..] => Ok(super::number_label(self.written)),
            _ => Ok(self.written.to_owned()),
        }
    }

    /// Splits the value, which must be a JSON array, into its items. `expected` names the required type in
    /// the error.
    fn items(self, expected: &str) -> Result<Vec<Value<'l>>> {
        if !self.written.starts_with('[') {
            return Err(self.wrong(expected));
        }
        let items: Vec<&RawValue> = self.parse()?;
        Ok(items.into_iter().map(|item| Value { written: item.get(), ..self }).collect())
    }

    fn parse<T: Deserialize<'l>>(self) -> Result<T> {
        serde_json::from_str(self.written).map_err(|error| syntax_error(self.line, self.written, &error))
    }

    /// Returns the word, such as `NaN`, that the line originally had at the position of this value. Returns
    /// `None` if the value is ordinary JSON.
    fn bare_word(self) -> Option<&'static str> {
        let place = place(self.line, self.written);
        self.bare.iter().find_map(|(at, word)| (*at == place).then_some(*word))
    }

    fn wrong(self, expected: &str) -> InputError {
        let column = column(self.line, place(self.line, self.written));
        let kind = self.bare_word().unwrap_or(kind(self.written));
        InputError::malformed(format!("column {column}: `{}` is {kind}, but must be {expected}", self.key))
    }

    fn wrong_item(self, expected: &str) -> InputError {
        let column = column(self.line, place(self.line, self.written));
        let written = self.bare_word().unwrap_or(self.written);
        let shown: String = written.chars().take(20).collect();
        let dots = if shown.len() < written.len() { ".." } else { "" };
        // Metrics over lists say by an option that their data are lists.
        let hint = match written.as_bytes() {
            [b'[', ..] => {
                "; some metrics take lists if an option has the value `list`, which `bleuprint help METRIC` shows"
            }
            _ => "",
        };
        InputError::malformed(format!(
            "column {column}: `{}` holds {shown}{dots}, but may hold {expected}{hint}",
            self.key
        ))
    }
}

fn kind(written: &str) -> &'static str {
    let starts = |literal: &str| written.starts_with(literal);
    match written.as_bytes() {
        [b'"', ..] => "a text",
        [b'[', ..] => "an array",
        [b'{', ..] => "an object",
        [b'-' | b'0'..=b'9', ..] => "a number",
        _ if starts("null") => "null",
        _ if starts("true") || starts("false") => "true or false",
        _ => "no value of JSON",
    }
}

/// Returns the byte offset at which `piece`, which must be a slice of `line`, starts in `line`.
fn place(line: &str, piece: &str) -> usize {
    (piece.as_ptr() as usize).saturating_sub(line.as_ptr() as usize).min(line.len())
}

/// Rewords an error of the JSON parser in terms of JSON instead of Rust. The column in the message refers to
/// the whole line, although the parser saw only `piece`.
fn syntax_error(line: &str, piece: &str, error: &serde_json::Error) -> InputError {
    // The parser counts bytes from 1, and gives 0 before the first byte.
    let column = column(line, place(line, piece) + error.column().saturating_sub(1));
    let whole = error.to_string();
    let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message);
    // The messages of the parser use terms of Rust and of its code; the replacements use those of JSON.
    let message = match message {
        "EOF while parsing a list" => "the line ends within an array",
        "EOF while parsing an object" => "the line ends within an object",
        "EOF while parsing a string" => "the line ends within a text",
        "EOF while parsing a value" => "the line ends where a value is expected",
        "expected ident" => "expected `true`, `false` or `null`",
        "expected value" => "a value is expected",
        "key must be a string" => "a key in quotes is expected",
        "trailing characters" => "text after the end of the object",
        "recursion limit exceeded" => "arrays or objects too deep within each other",
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "a lone surrogate, half of a character in UTF-16, such as \\ud800; --bad-lines skip leaves out such lines"
        }
        message => message,
    };
    InputError::malformed(format!("column {column}: {message}"))
}
