//! [`StateKey`]: the metric's name and the settings that must agree before two stored counts (states) merge.

use core::fmt::{self, Write as _};
use core::str::FromStr;

use crate::prelude::*;
use crate::token_space::PART_SEPARATOR;
use crate::{Choice as _, InputError, InputErrorKind, Result, TokenSpace};

/// Printed text of a state key or signature of an empty tuple, which has no metric.
pub(crate) const NO_PARTS: &str = "-";
/// Field name `data` in printed state keys (a metric's name and settings), such as `data:ranking`. It names
/// the type of structured input. For text or tokens, the field `tok` names the tokenizer instead.
const DATA: &str = "data";

pub(crate) fn split_field(field: &str) -> Option<(&str, &str)> {
    field.split_once(':').filter(|(key, value)| !key.is_empty() && !value.is_empty())
}

/// Returns the printed form of a value in a key or signature. Characters that would break the format become
/// `%` and two hexadecimal digits per byte.
pub(crate) fn escape(value: &str) -> Cow<'_, str> {
    let plain = |c: char| !(c == '|' || c == '%' || c.is_control());
    if !value.is_empty() && value.chars().all(plain) && !value.contains(PART_SEPARATOR) {
        return Cow::Borrowed(value);
    }
    let mut escaped = String::with_capacity(value.len() + 8);
    for c in value.chars() {
        // The value may contain ` + `, which separates metrics. Escaping every `+` breaks each separator
        // without a search for it.
        if plain(c) && c != '+' {
            escaped.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a string does not fail.
                let _ = write!(escaped, "%{byte:02X}");
            }
        }
    }
    // An empty value is printed as a lone `%`, because parsers reject a field `key:` without a value.
    if escaped.is_empty() { Cow::Borrowed("%") } else { Cow::Owned(escaped) }
}

/// Decodes a text that [`escape`] wrote; returns `None` for any other text.
pub(crate) fn unescape(text: &str) -> Option<String> {
    if text == "%" {
        return Some(String::new());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    let value = String::from_utf8(bytes).ok()?;
    // Only the canonical form is accepted, so that two different texts never name the same key.
    (escape(&value) == text).then_some(value)
}

/// The settings that must agree before two metric states (stored counts) merge: metric, version of the
/// layout, parameters that change counts, name of the tokenization.
///
/// A key prints as `bleu/1|order:4|case:mixed|tok:13a`, and parses from this form. The key of a tuple of
/// metrics joins the keys of its members by ` + `. [`Identity`](crate::Identity) makes keys.
///
/// ```
/// use bleuprint_core::{Identity, Scale, StateKey};
/// let key = Identity::new("bleu", 1, Scale::PERCENT).counted("order", "order", 4).key();
/// assert_eq!(key.to_string(), "bleu/1|order:4|case:mixed|tok:unspecified");
/// assert_eq!(key.to_string().parse::<StateKey>().unwrap(), key);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "closed: the parts, and nothing else")]
pub struct StateKey {
    /// Settings of each metric: one entry, or several for a tuple of metrics.
    pub parts: Vec<KeyPart>,
}

/// The settings of one metric in a [`StateKey`]. Stored counts of the metric can merge only if these settings
/// are equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KeyPart {
    /// Name of the metric in the registry, such as `bleu`.
    pub metric: String,
    /// Version of the layout in which the metric's statistics are stored.
    pub schema: u32,
    /// Names and values of the metric's parameters that change its counts.
    pub params: Vec<(String, String)>,
    /// Name of the tokenization that the counts depend on: the tokenizer, lower-casing and normalizer.
    pub space: TokenSpace,
}

impl StateKey {
    /// Returns the value of a setting that changes the counts, such as the n-gram order. With several
    /// metrics, the first metric with the setting decides.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut params = self.parts.iter().flat_map(|part| &part.params);
        params.find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    #[must_use]
    pub(crate) fn over(mut self, space: &TokenSpace) -> Self {
        self.parts.iter_mut().for_each(|part| part.space = space.around(&part.space));
        self
    }

    /// Splits the state key of a tuple of metrics into two keys: of the first `parts` metrics and of all
    /// others.
    pub(crate) fn split(&self, parts: usize) -> (StateKey, StateKey) {
        let (left, right) = self.parts.split_at(parts.min(self.parts.len()));
        (StateKey { parts: left.to_vec() }, StateKey { parts: right.to_vec() })
    }

    /// Checks that stored counts with this key and with the key `other` may merge.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](InputErrorKind::UnlikeStates) with the first field that differs and both
    /// keys.
    pub fn require_equal(&self, other: &StateKey) -> Result<()> {
        if self == other { Ok(()) } else { self.require(other, false) }
    }

    /// Checks that a metric with this key can score stored counts with the key `state`. The keys must be
    /// equal, except that a metric without a named tokenization accepts counts of any tokenization.
    ///
    /// # Errors
    /// Returns the errors of [`StateKey::require_equal`].
    pub fn require_serves(&self, state: &StateKey) -> Result<()> {
        self.require(state, true)
    }

    fn require(&self, other: &StateKey, adopts_space: bool) -> Result<()> {
        let Some(field) = self.difference(other, adopts_space) else { return Ok(()) };
        Err(InputErrorKind::UnlikeStates { field, left: self.to_string(), right: other.to_string() }.into())
    }

    fn difference(&self, other: &StateKey, adopts_space: bool) -> Option<String> {
        if self.parts.len() != other.parts.len() {
            return Some("the number of metrics".to_owned());
        }
        self.parts.iter().zip(&other.parts).find_map(|(own, other)| own.difference(other, adopts_space))
    }
}

impl KeyPart {
    fn difference(&self, other: &KeyPart, adopts_space: bool) -> Option<String> {
        if self.metric != other.metric {
            return Some("metric".to_owned());
        }
        if self.schema != other.schema {
            return Some("the version of the layout".to_owned());
        }
        let names = self.params.iter().chain(&other.params).map(|(name, _)| name);
        let value = |part: &KeyPart, name: &str| {
            part.params.iter().find_map(|(known, value)| (known == name).then(|| value.clone()))
        };
        if let Some(name) = { names }.find(|name| value(self, name) != value(other, name)) {
            return Some(name.clone());
        }
        // All values agree by name, so only their order can differ. Keys are compared as lists, hence this is
        // a difference.
        if self.params != other.params {
            return Some("the order of the parameters".to_owned());
        }
        if adopts_space && self.space.is_unspecified() || self.space == other.space {
            return None;
        }
        let own = &self.space;
        let other = &other.space;
        let field = match () {
            () if own.own || other.own => DATA,
            () if own.label() != other.label() => "tok",
            () if own.case() != other.case() => "case",
            () => "norm",
        };
        Some(field.to_owned())
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
                write!(f, "|{name}:{}", escape(value))?;
            }
            if part.space.own {
                write!(f, "|{DATA}:{}", escape(part.space.label()))?;
                continue;
            }
            write!(f, "|case:{}", part.space.case().name())?;
            if let Some(normalizer) = part.space.normalizer() {
                write!(f, "|norm:{normalizer}")?;
            }
            write!(f, "|tok:{}", part.space.label())?;
        }
        Ok(())
    }
}

impl FromStr for StateKey {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self> {
        if text == NO_PARTS {
            return Ok(StateKey { parts: Vec::new() });
        }
        let parts = text.split(PART_SEPARATOR).map(parse_part).collect::<Option<Vec<_>>>();
        parts.map(|parts| StateKey { parts }).ok_or_else(|| {
            InputError::malformed_state(format!(
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
    let space = parse_space(&mut params)?;
    if metric.is_empty() {
        return None;
    }
    for (_, value) in &mut params {
        *value = unescape(value)?;
    }
    Some(KeyPart { metric: metric.to_owned(), schema, params, space })
}

/// Removes and parses the last fields of a state key, which name the tokenization or the type of structured
/// data.
fn parse_space(fields: &mut Vec<(String, String)>) -> Option<TokenSpace> {
    let (last, label) = fields.pop()?;
    if last == DATA {
        return Some(TokenSpace::data(unescape(&label)?));
    }
    // Some metrics have a parameter `norm` too, but parameters precede `case` and the normalizer follows it.
    let normalizer = fields.pop_if(|(name, _)| name == "norm");
    let (case_name, case) = fields.pop()?;
    if last != "tok" || case_name != "case" {
        return None;
    }
    let space = TokenSpace::of_key(&label, case.parse().ok()?).ok()?;
    match normalizer {
        Some((_, name)) => space.with_normalizer(name).ok(),
        None => Some(space),
    }
}

/// Implements serde for a type through text: serializes its printed form, and parses this form on
/// deserialization.
macro_rules! as_text {
    ($Type:ty) => {
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <String as serde::Deserialize>::deserialize(deserializer)?
                    .parse()
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use as_text;

as_text!(StateKey);
