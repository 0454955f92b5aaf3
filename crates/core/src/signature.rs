//! [`Signature`]: the printed list of settings that must agree before two scores are compared.

use core::fmt;
use core::str::FromStr;

use crate::key::{NO_PARTS, as_text, escape, split_field, unescape};
use crate::prelude::*;
use crate::token_space::PART_SEPARATOR;
use crate::{Choice as _, InputError, Result, SegmentCounts, TokenSpace};

/// Signature keys that always come first, in sacreBLEU's order. All other keys follow in the order in which
/// they were added.
const FIRST: [&str; 7] = ["nrefs", "bs", "ar", "seed", "case", "eff", "tok"];

/// Keys for the name of the text normalizer in signatures. The second is used if the metric has a setting
/// named like the first.
const NORMALIZER: [&str; 2] = ["norm", "normalizer"];

/// Text for the key `version` in every signature made by this crate.
pub const VERSION: &str = concat!("bleuprint-", env!("CARGO_PKG_VERSION"));

/// The settings that a score depends on besides the data: the metric's name, then `key:value` entries.
///
/// The keys, their order and their short forms are those that sacreBLEU 2.6.0 prints
/// (`nrefs, bs, ar, seed, case, eff, tok, smooth, version`). Options that sacreBLEU lacks are appended,
/// before the version, if they differ from their default. A signature prints as
/// `BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:..`, and parses from this form. The signature
/// of a tuple of metrics joins the signatures of its members by ` + `.
///
/// ```
/// use bleuprint_core::Signature;
/// let signature = Signature::new("BLEU").with("case", "c", "mixed").with("tok", "tok", "13a");
/// let printed = signature.to_string();
/// assert!(printed.starts_with("BLEU|case:mixed|tok:13a|version:bleuprint-"));
/// assert_eq!(printed.parse::<Signature>().unwrap(), signature);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Settings of each metric, shared because a signature is copied for every scored segment.
    parts: Arc<Vec<SignaturePart>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct SignaturePart {
    metric: String,
    /// Settings of the metric as key and value, without the version, which is separate so that it is always
    /// printed last.
    entries: Vec<SignatureEntry>,
    version: String,
}

#[derive(Debug, Clone)]
struct SignatureEntry {
    key: Cow<'static, str>,
    short: Cow<'static, str>,
    value: String,
}

impl SignatureEntry {
    fn new(key: impl Into<Cow<'static, str>>, short: impl Into<Cow<'static, str>>, value: String) -> Self {
        SignatureEntry { key: key.into(), short: short.into(), value }
    }
}

/// Compares the keys and values of two settings. The short form of a key changes only how it is printed.
impl PartialEq for SignatureEntry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

impl Eq for SignatureEntry {}

impl SignaturePart {
    /// Adds the text normalizer as the setting `norm` after `case`. The key is `normalizer` if the metric has
    /// a setting `norm` already, as TER does.
    fn normalize(&mut self, name: &str) {
        let taken = self.entries.iter().any(|entry| entry.key == NORMALIZER[0]);
        let key = NORMALIZER[usize::from(taken)];
        let case = self.entries.iter().position(|entry| entry.key == "case");
        self.entries.insert(case.map_or(0, |case| case + 1), SignatureEntry::new(key, key, name.to_owned()));
    }
}

impl Signature {
    /// Creates a signature (printed settings of a score) that has only the version, for a score printed as
    /// `metric` (`BLEU`, `chrF2`, ..).
    pub fn new(metric: &str) -> Self {
        let part =
            SignaturePart { metric: metric.to_owned(), entries: Vec::new(), version: VERSION.to_owned() };
        Signature { parts: Arc::new(vec![part]) }
    }

    /// Adds a `key:value` setting, or replaces the setting with this key; `short` is the key in the short
    /// signature.
    ///
    /// sacreBLEU's keys (`nrefs`, `bs`, `ar`, `seed`, `case`, `eff`, `tok`) keep sacreBLEU's order; all other
    /// keys are appended.
    #[must_use]
    pub fn with(
        self,
        key: impl Into<Cow<'static, str>>,
        short: impl Into<Cow<'static, str>>,
        value: impl ToString,
    ) -> Self {
        self.with_entry(&SignatureEntry::new(key, short, value.to_string()))
    }

    fn with_entry(mut self, new: &SignatureEntry) -> Self {
        let place = |key: &str| FIRST.iter().position(|first| *first == key);
        for part in Arc::make_mut(&mut self.parts) {
            if let Some(old) = part.entries.iter_mut().find(|entry| entry.key == new.key) {
                old.clone_from(new);
                continue;
            }
            // The entry is inserted behind the last one that precedes its key in sacreBLEU's order, or in
            // front if there is none.
            let at = place(&new.key).map_or(part.entries.len(), |own| {
                let before = |entry: &SignatureEntry| place(&entry.key).is_some_and(|place| place < own);
                part.entries.iter().rposition(before).map_or(0, |last| last + 1)
            });
            part.entries.insert(at, new.clone());
        }
        self
    }

    /// Adds the settings of a tokenization: `case` and, unless the input is text without tokens, `tok`.
    /// Numbers and vectors add neither.
    #[must_use]
    pub(crate) fn over(self, space: &TokenSpace) -> Self {
        if space.is_beside_text() {
            return self;
        }
        let mut signature = self.with("case", "c", space.case().name());
        if !space.is_text() {
            signature = signature.with("tok", "tok", space.label());
        }
        if let Some(name) = space.normalizer() {
            Arc::make_mut(&mut signature.parts).iter_mut().for_each(|part| part.normalize(name));
        }
        signature
    }

    #[must_use]
    pub(crate) fn with_counts(self, counts: &SegmentCounts) -> Self {
        match counts.per_segment() {
            Some(number) => self.with("nrefs", "#", number),
            None if counts.segments == 0 => self,
            None => self.with("nrefs", "#", "var"),
        }
    }

    pub(crate) fn join(signatures: impl IntoIterator<Item = Signature>) -> Self {
        let parts = signatures.into_iter().flat_map(|signature| Arc::unwrap_or_clone(signature.parts));
        Signature { parts: Arc::new(parts.collect()) }
    }

    /// Returns the name at the start of the signature, under which the score is printed, such as `BLEU`.
    pub fn metric(&self) -> String {
        self.parts.iter().map(|part| part.metric.as_str()).collect::<Vec<_>>().join(PART_SEPARATOR)
    }

    /// Returns all `(key, value)` settings of the first metric, with the version last.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.first().into_iter().flat_map(|part| {
            let entries = part.entries.iter().map(|entry| (&*entry.key, &*entry.value));
            entries.chain(core::iter::once(("version", part.version.as_str())))
        })
    }

    /// Returns the value of the setting with this key, such as `13a` for `tok`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// Returns the signature without the metric's name, in the form of sacreBLEU's JSON field `signature`.
    pub fn body(&self) -> String {
        self.print(|_| "", |entry| &entry.key, "version")
    }

    /// Returns the signature with short keys and without the metric's name:
    /// `#:1|c:mixed|e:no|tok:13a|s:exp|v:..`.
    pub fn short(&self) -> String {
        self.print(|_| "", |entry| &entry.short, "v")
    }

    fn print(
        &self,
        name: fn(&SignaturePart) -> &str,
        key: fn(&SignatureEntry) -> &str,
        version: &str,
    ) -> String {
        if self.parts.is_empty() {
            return NO_PARTS.to_owned();
        }
        let print_part = |part: &SignaturePart| {
            let mut fields = Vec::with_capacity(part.entries.len() + 2);
            if !name(part).is_empty() {
                fields.push(name(part).to_owned());
            }
            fields
                .extend(part.entries.iter().map(|entry| format!("{}:{}", key(entry), escape(&entry.value))));
            fields.push(format!("{version}:{}", escape(&part.version)));
            fields.join("|")
        };
        self.parts.iter().map(print_part).collect::<Vec<_>>().join(PART_SEPARATOR)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print(|part| &part.metric, |entry| &entry.key, "version"))
    }
}

impl FromStr for Signature {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self> {
        if text == NO_PARTS {
            return Ok(Signature { parts: Arc::default() });
        }
        let parts = text.split(PART_SEPARATOR).map(parse_part).collect::<Option<Vec<_>>>();
        parts.map(|parts| Signature { parts: Arc::new(parts) }).ok_or_else(|| {
            InputError::malformed(format!(
                "`{text}` is not a signature of the form `METRIC|key:value|..|version:..`"
            ))
        })
    }
}

fn parse_part(text: &str) -> Option<SignaturePart> {
    let mut fields = text.split('|');
    let metric = fields.next().filter(|name| !name.is_empty() && !name.contains(':'))?;
    let mut entries = fields
        .map(|field| {
            let (key, value) = split_field(field)?;
            Some(SignatureEntry::new(key.to_owned(), key.to_owned(), unescape(value)?))
        })
        .collect::<Option<Vec<_>>>()?;
    // The version is always printed last; a text without it was not printed by a signature.
    let version = entries.pop().filter(|entry| entry.key == "version")?.value;
    Some(SignaturePart { metric: metric.to_owned(), entries, version })
}

as_text!(Signature);
