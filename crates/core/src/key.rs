//! [`StateKey`]: what must agree before two states may merge. [`TokenSpace`]: what the tokens are.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{ConfigError, InputError};

/// Whether the text was lower-cased before it was cut into tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// As written; `case:mixed`.
    #[default]
    Mixed,
    /// Lower-cased; `case:lc`.
    Lower,
    /// The letters A to Z lower-cased and no others, as Perl's scripts over bytes do; `case:lc-ascii`.
    LowerAscii,
}

impl Case {
    /// Every case.
    pub const ALL: [Case; 3] = [Case::Mixed, Case::Lower, Case::LowerAscii];

    /// The value of `case:` in signatures and state keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Case::Mixed => "mixed",
            Case::Lower => "lc",
            Case::LowerAscii => "lc-ascii",
        }
    }

    /// The case that prints as `name`.
    pub fn by_name(name: &str) -> Option<Case> {
        Case::ALL.into_iter().find(|case| case.as_str() == name)
    }
}

/// What the tokens are: a label the caller gives, and the case. Counts of different token spaces never merge.
///
/// The label is a tokenizer's name (`13a`, `char`), that of a vocabulary (`hf:5f2c..`), or the caller's own; the
/// default is `unspecified`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenSpace {
    label: Cow<'static, str>,
    case: Case,
}

impl TokenSpace {
    /// The label of tokens nobody has named.
    pub const UNSPECIFIED: TokenSpace = TokenSpace { label: Cow::Borrowed("unspecified"), case: Case::Mixed };

    /// A token space with this label.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] when the label is empty or has a `|`, a `+` between spaces, or a control
    /// character, which would break the printed form of keys and signatures.
    pub fn new(label: impl Into<String>, case: Case) -> Result<Self, ConfigError> {
        let label = label.into();
        check_value(&label)
            .map_err(|limit| ConfigError::out_of_range("token space", alloc::format!("{label:?}"), limit))?;
        Ok(TokenSpace { label: Cow::Owned(label), case })
    }

    /// The label: `tok:` in signatures and state keys.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The case.
    pub fn case(&self) -> Case {
        self.case
    }
}

impl Default for TokenSpace {
    fn default() -> Self {
        TokenSpace::UNSPECIFIED
    }
}

/// What separates the parts of a composite key or signature.
pub(crate) const PART_SEPARATOR: &str = " + ";
/// What a key or signature without parts (that of an absent metric) prints.
pub(crate) const NO_PARTS: &str = "-";

/// Says which rule a key or value breaks, so that what is printed can be parsed back.
pub(crate) fn check_value(value: &str) -> Result<(), &'static str> {
    if value.is_empty() {
        Err("not empty")
    } else if value.contains('|') || value.contains(PART_SEPARATOR) || value.chars().any(char::is_control) {
        Err("free of `|`, ` + ` and control characters")
    } else {
        Ok(())
    }
}

/// Splits `key:value` at the first colon.
pub(crate) fn split_field(field: &str) -> Option<(&str, &str)> {
    field.split_once(':').filter(|(key, value)| !key.is_empty() && !value.is_empty())
}

/// What must agree before two states may merge: metric, schema version, parameters of counting, token space.
///
/// Prints as `bleu/1|order:4|case:mixed|tok:13a` and parses back what it prints. Keys of composite metrics
/// (tuples) are the keys of their parts, joined by ` + `.
///
/// ```
/// use bleuprint_core::StateKey;
/// let key = StateKey::new("bleu", 1).with("order", 4);
/// assert_eq!(key.to_string(), "bleu/1|order:4|case:mixed|tok:unspecified");
/// assert_eq!(key.to_string().parse::<StateKey>().unwrap(), key);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StateKey {
    parts: Vec<KeyPart>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct KeyPart {
    metric: String,
    schema: u32,
    params: Vec<(String, String)>,
    space: TokenSpace,
}

impl StateKey {
    /// The key of a metric named `metric` (its registry name) whose state has layout version `schema`.
    pub fn new(metric: &str, schema: u32) -> Self {
        let space = TokenSpace::UNSPECIFIED;
        StateKey {
            parts: alloc::vec![KeyPart { metric: metric.to_owned(), schema, params: Vec::new(), space }],
        }
    }

    /// Adds a parameter of counting.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        for part in &mut self.parts {
            part.params.push((name.to_owned(), value.to_string()));
        }
        self
    }

    /// The same key over other tokens.
    #[must_use]
    pub fn over(mut self, space: &TokenSpace) -> Self {
        for part in &mut self.parts {
            part.space = space.clone();
        }
        self
    }

    /// The key of several metrics observed together.
    pub fn join(keys: impl IntoIterator<Item = StateKey>) -> Self {
        StateKey { parts: keys.into_iter().flat_map(|key| key.parts).collect() }
    }
}

impl fmt::Display for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str(NO_PARTS);
        }
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                f.write_str(PART_SEPARATOR)?;
            }
            write!(f, "{}/{}", part.metric, part.schema)?;
            for (name, value) in &part.params {
                write!(f, "|{name}:{value}")?;
            }
            write!(f, "|case:{}|tok:{}", part.space.case.as_str(), part.space.label)?;
        }
        Ok(())
    }
}

impl FromStr for StateKey {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        if text == NO_PARTS {
            return Ok(StateKey { parts: Vec::new() });
        }
        let parts = text.split(PART_SEPARATOR).map(parse_part).collect::<Option<Vec<_>>>();
        parts.map(|parts| StateKey { parts }).ok_or_else(|| {
            InputError::malformed_state(alloc::format!(
                "`{text}` is not a state key of the form `metric/1|name:value|case:mixed|tok:label`"
            ))
        })
    }
}

fn parse_part(text: &str) -> Option<KeyPart> {
    let mut fields = text.split('|');
    let (metric, schema) = fields.next()?.rsplit_once('/')?;
    let schema = schema.parse().ok()?;
    let mut params: Vec<(String, String)> = fields
        .map(|field| split_field(field).map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect::<Option<_>>()?;
    let (tok, label) = params.pop()?;
    let (case_name, case) = params.pop()?;
    let case = Case::by_name(&case)?;
    if tok != "tok" || case_name != "case" || metric.is_empty() {
        return None;
    }
    Some(KeyPart { metric: metric.to_owned(), schema, params, space: TokenSpace::new(label, case).ok()? })
}

impl Serialize for StateKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for StateKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
