//! Reads policies in TOML strictly. A [`Section`] is a table that is read key by key. A key that is left over
//! is an error, which suggests the nearest known key.

use std::cell::RefCell;
use std::ops::{Bound, RangeBounds};

use bleuprint_core::{InputError, Location, Result, changed_letters};
use bleuprint_registry::MetricOptions;
use serde_json::{Value, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Name and text of a policy file, which error messages need to give line numbers.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a text and its name")]
pub struct PolicyText<'t> {
    /// Path of the policy file, for error messages.
    pub file: &'t str,
    /// Text of the policy file.
    pub text: &'t str,
    /// Record, filled while the policy is read, of every key that the reader looks for, with its allowed
    /// values. [`schema`] makes a JSON Schema from it. `None` if no schema is made.
    pub asked: Option<&'t RefCell<Value>>,
}

impl<'t> PolicyText<'t> {
    /// Parses the TOML text, which must declare this `format`, and returns its top-level table.
    ///
    /// # Errors
    /// Returns an error with the line for invalid TOML, JSON instead of TOML, or a missing or different
    /// format.
    pub fn tables(self, format: &str) -> Result<DeTable<'t>> {
        if self.text.trim_start().starts_with('{') {
            let message =
                format!("this is JSON, but a policy is TOML, which begins with `format = \"{format}\"`");
            return Err(self.error(1, message));
        }
        let table = DeTable::parse(self.text).map_err(|error| {
            let line = error.span().map_or(1, |span| self.line(span.start));
            self.error(line, error.message().replace('\n', ", "))
        })?;
        let table = table.into_inner();
        match Section::new(self, "the policy", Some(&table), 1).text("format")? {
            Some(At { value, .. }) if value == format => Ok(table),
            Some(At { value, line }) => {
                let message = format!("the format is `{value}`, but this program reads {format}");
                Err(self.error(line, message))
            }
            None => Err(self.error(1, format!("`format = \"{format}\"` is missing"))),
        }
    }

    /// Returns the tables of a list such as `[[rule]]`, each with its line number; empty if the file has no
    /// such list.
    ///
    /// # Errors
    /// Returns an error with the line if the key is not a list of tables.
    pub fn list<'s>(self, table: &'s DeTable<'t>, name: &str) -> Result<Vec<(u64, &'s DeTable<'t>)>> {
        let Some(list) = table.get(name) else { return Ok(Vec::new()) };
        let wrong = |line| self.error(line, format!("`{name}` must be a list of tables, as in [[{name}]]"));
        let DeValue::Array(items) = list.get_ref() else { return Err(wrong(self.line(list.span().start))) };
        let item = |item: &'s Spanned<DeValue<'t>>| {
            let line = self.line(item.span().start);
            match item.get_ref() {
                DeValue::Table(table) => Ok((line, table)),
                _ => Err(wrong(line)),
            }
        };
        items.iter().map(item).collect()
    }

    /// Returns the number of the line, counted from 1, that contains a byte offset of the text.
    pub fn line(&self, byte: usize) -> u64 {
        self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count() as u64 + 1
    }

    /// Creates an error that names this file and a line.
    pub fn error(&self, line: u64, message: impl Into<String>) -> InputError {
        InputError::malformed(message).at(Location::line(self.file, line))
    }
}

/// Value in a policy file, with its line number for error messages.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: a value and its line")]
pub struct At<T> {
    /// Value that was read from the policy file.
    pub value: T,
    /// Number of the value's line in the policy file, counted from 1.
    pub line: u64,
}

/// Table of a policy file in TOML, from which values are taken key by key; keys that are left over are
/// errors.
pub struct Section<'s, 't> {
    text: PolicyText<'s>,
    /// Name of the table in error messages, such as `[test]`.
    name: String,
    /// Original name of the table, under which its keys are recorded for the schema even after
    /// [`Section::rename`].
    own: String,
    table: Option<&'s DeTable<'t>>,
    known: Vec<&'static str>,
    /// Line of the policy file at which the table begins.
    pub line: u64,
}

impl<'s, 't> Section<'s, 't> {
    /// Creates a reader for a table's keys. A missing table is read like an empty one.
    pub fn new(text: PolicyText<'s>, name: &str, table: Option<&'s DeTable<'t>>, line: u64) -> Self {
        Section { text, name: name.to_owned(), own: name.to_owned(), table, known: Vec::new(), line }
    }

    /// Changes the table's name in error messages, for example when the name of a rule is known.
    pub fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Adds a key to the known keys of this table. Unknown keys are errors; this key is known because other
    /// code reads it.
    pub fn expect(&mut self, key: &'static str) {
        self.known.push(key);
    }

    fn take(&mut self, key: &'static str, values: Value) -> Option<&'s Spanned<DeValue<'t>>> {
        self.known.push(key);
        if let Some(asked) = self.text.asked {
            // Sections are renamed while they are read, but the schema needs one entry for all of a kind.
            asked.borrow_mut()[&self.own]["properties"][key] = values;
        }
        self.table?.get(key)
    }

    fn wrong(&self, line: u64, key: &str, value: &DeValue<'_>, limit: &str) -> InputError {
        self.text.error(line, format!("{} `{key}` is {}, but must be {limit}", self.name, shown(value)))
    }

    /// Takes the text value of a key; `None` if the table lacks the key.
    ///
    /// # Errors
    /// Returns an error with the line if the value is not a text or is empty.
    pub fn text(&mut self, key: &'static str) -> Result<Option<At<String>>> {
        self.text_of(key, json!({ "type": "string", "minLength": 1 }))
    }

    fn text_of(&mut self, key: &'static str, values: Value) -> Result<Option<At<String>>> {
        let Some(spanned) = self.take(key, values) else { return Ok(None) };
        let line = self.text.line(spanned.span().start);
        match spanned.get_ref().as_str() {
            Some(text) if !text.is_empty() => Ok(Some(At { value: text.to_owned(), line })),
            _ => Err(self.wrong(line, key, spanned.get_ref(), "a text that is not empty")),
        }
    }

    /// Takes the value of a key that must be one of several words, and returns the value paired with this
    /// word; `None` if the table lacks the key.
    ///
    /// # Errors
    /// Returns an error with the line if the value is not one of the words.
    pub fn word<T: Copy>(&mut self, key: &'static str, words: &[(&str, T)]) -> Result<Option<T>> {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let Some(At { value, line }) = self.text_of(key, json!({ "enum": known }))? else { return Ok(None) };
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == value) {
            return Ok(Some(*meaning));
        }
        let message = format!("{} `{key}` is `{value}`; expected one of: {}", self.name, known.join(", "));
        Err(self.text.error(line, message))
    }

    /// Takes the number value of a key; `None` if the table lacks the key. `limit` describes the allowed
    /// range in error messages.
    ///
    /// # Errors
    /// Returns an error with the line if the value is not a number or exceeds the limits.
    pub fn number(
        &mut self,
        key: &'static str,
        within: impl RangeBounds<f64>,
        limit: &str,
    ) -> Result<Option<At<f64>>> {
        let mut values = json!({ "type": "number", "description": limit });
        match within.start_bound() {
            Bound::Included(least) => values["minimum"] = json!(least),
            Bound::Excluded(least) => values["exclusiveMinimum"] = json!(least),
            Bound::Unbounded => {}
        }
        match within.end_bound() {
            Bound::Included(most) => values["maximum"] = json!(most),
            Bound::Excluded(most) => values["exclusiveMaximum"] = json!(most),
            Bound::Unbounded => {}
        }
        let Some(spanned) = self.take(key, values) else { return Ok(None) };
        let line = self.text.line(spanned.span().start);
        let number = match spanned.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) => {
                i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|whole| whole as f64)
            }
            _ => None,
        };
        match number.filter(|number: &f64| number.is_finite() && within.contains(number)) {
            Some(value) => Ok(Some(At { value, line })),
            None => Err(self.wrong(line, key, spanned.get_ref(), limit)),
        }
    }

    /// Takes the integer value of a key, from `least` to `most`; `None` if the table lacks the key.
    ///
    /// # Errors
    /// Returns an error with the line if the value is not a whole number or exceeds the limits.
    pub fn whole(&mut self, key: &'static str, least: u64, most: u64) -> Result<Option<u64>> {
        let values = json!({ "type": "integer", "minimum": least, "maximum": most });
        let Some(spanned) = self.take(key, values) else { return Ok(None) };
        let line = self.text.line(spanned.span().start);
        let number = match spanned.get_ref() {
            DeValue::Integer(integer) => u64::from_str_radix(integer.as_str(), integer.radix()).ok(),
            _ => None,
        };
        match number.filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                let limit = format!("a whole number from {least} to {most}");
                Err(self.wrong(line, key, spanned.get_ref(), &limit))
            }
        }
    }

    /// Returns all keys that were not taken yet, with their values written as metric options, and their line
    /// numbers.
    ///
    /// # Errors
    /// Returns an error with the line if a value cannot be written as a metric option.
    pub fn others(&self) -> Result<Vec<(String, At<String>)>> {
        if let Some(asked) = self.text.asked {
            asked.borrow_mut()[&self.own]["others"] = true.into();
        }
        let mut others = Vec::new();
        for (key, value) in self.table.into_iter().flatten() {
            if self.known.contains(&key.get_ref().as_ref()) {
                continue;
            }
            let line = self.text.line(key.span().start);
            let text = option_text(value.get_ref()).ok_or_else(|| {
                self.wrong(line, key.get_ref(), value.get_ref(), "a text, a number, true or false, or a list")
            })?;
            others.push((key.get_ref().to_string(), At { value: text, line }));
        }
        Ok(others)
    }

    /// Checks that all keys of the table have been taken.
    ///
    /// # Errors
    /// Returns an error that names the first key that was not taken.
    pub fn end(&self) -> Result<()> {
        let left = self.table.into_iter().flatten().find(|(key, _)| {
            let key: &str = key.get_ref();
            !self.known.contains(&key)
        });
        match left {
            Some((key, _)) => {
                Err(self.unknown(self.text.line(key.span().start), key.get_ref(), self.known.iter().copied()))
            }
            None => Ok(()),
        }
    }

    /// Creates the error for an unknown key, which suggests the nearest known key.
    pub fn unknown<'k>(&self, line: u64, key: &str, known: impl Iterator<Item = &'k str>) -> InputError {
        let known: Vec<&str> = known.collect();
        let nearest =
            nearest(key, &known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let message = format!("{} has no `{key}`{nearest} It knows: {}", self.name, known.join(", "));
        self.text.error(line, message.replace("` It", "`. It"))
    }

    /// Returns the keys that the policy reader has looked for in this table so far.
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }
}

/// Creates a JSON Schema of policy files, for editors. `asked` lists the keys that a policy reader looks for
/// in each table, recorded while it read a policy. `list` names the list of tables, such as `rule`, and
/// `required` the keys that each of its tables must have.
pub fn schema(asked: &Value, format: &str, list: &str, required: &[&str]) -> Value {
    let table = |name: &str| {
        let others = asked[name]["others"] == true;
        json!({ "type": "object", "additionalProperties": others, "properties": asked[name]["properties"] })
    };
    let mut top = table("the policy");
    top["properties"]["format"] = json!({ "const": format });
    for name in asked.as_object().into_iter().flat_map(serde_json::Map::keys) {
        if name == &format!("a {list}") {
            let mut items = table(name);
            items["required"] = json!(required);
            top["properties"][list] = json!({ "type": "array", "minItems": 1, "items": items });
        } else if name != "the policy" {
            top["properties"][name.trim_matches(['[', ']'])] = table(name);
        }
    }
    top["required"] = json!(["format", list]);
    top["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    top["title"] = format.into();
    top
}

fn nearest<'k>(given: &str, known: &[&'k str]) -> Option<&'k str> {
    let distance = |name: &&&str| changed_letters(given, name);
    // A third of the letters, plus one, may differ: more would suggest unrelated keys.
    known.iter().min_by_key(distance).filter(|name| distance(name) <= 1 + name.len() / 3).copied()
}

fn shown(value: &DeValue<'_>) -> String {
    option_text(value).map_or_else(|| format!("a {}", value.type_str()), |text| format!("`{text}`"))
}

/// Writes a TOML value as it is written in metric options on the command line; list items are joined by `/`.
/// Returns `None` for values that cannot be written so.
fn option_text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(MetricOptions::written(text)),
        DeValue::Integer(integer) if integer.radix() == 10 => Some(integer.as_str().to_owned()),
        DeValue::Float(float) => Some(float.as_str().to_owned()),
        DeValue::Boolean(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        DeValue::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| option_text(item.get_ref())).collect();
            items.map(|items| items.join("/"))
        }
        _ => None,
    }
}
