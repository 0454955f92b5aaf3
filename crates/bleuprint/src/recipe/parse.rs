//! Parses the text of a score's signature into keys and values, for all formats of sacreBLEU and Bleuprint.

use std::str::FromStr;

use bleuprint_core::{ConfigError, Signature};

use super::Recipe;
use super::versions::Version;

impl FromStr for Recipe {
    type Err = ConfigError;

    /// Parses the signature of a score.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the text has none of the known formats or its version is
    /// unknown.
    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let text = text.trim();
        // Joined signatures of several metrics would otherwise parse as one with odd values.
        if text.contains(" + ") {
            let limit = "the signature of one metric, not several signatures joined";
            return Err(ConfigError::out_of_range("the signature", format!("`{text}`"), limit));
        }
        let fields = if text.contains('|') { of_fields(text) } else { of_version_1(text) };
        let forms = "METRIC|key:value|..|version:.., or sacreBLEU's METRIC+key.value+..+version...";
        let (name, mut fields) =
            fields.ok_or_else(|| ConfigError::out_of_range("the signature", format!("`{text}`"), forms))?;
        let at = fields.iter().position(|(key, _)| key == "version" || key == "v");
        let version = match at {
            Some(at) => Version::parse(&fields.remove(at).1)?,
            None => {
                return Err(ConfigError::out_of_range(
                    "the signature",
                    format!("`{text}`"),
                    "one with its `version`",
                ));
            }
        };
        let name = match name.or_else(|| name_of(&fields)) {
            Some(name) => name,
            None => {
                let limit = "one that begins with the name of its metric, as in `BLEU|`";
                return Err(ConfigError::out_of_range("the signature", format!("`{text}`"), limit));
            }
        };
        let mut recipe = Recipe { text: text.to_owned(), name, fields, version, notes: Vec::new() };
        recipe.note();
        Ok(recipe)
    }
}

type Fields = Vec<(String, String)>;

/// Splits a signature `METRIC|key:value|..` into the name, which may be missing, and the keys with their
/// values.
fn of_fields(text: &str) -> Option<(Option<String>, Fields)> {
    let (name, rest) = match text.split_once('|') {
        Some((name, rest)) if !name.contains(':') => (Some(name.to_owned()), rest),
        _ => (None, text),
    };
    let fields = rest.split('|').map(|field| {
        let (key, value) = field.split_once(':').filter(|(key, _)| !key.is_empty())?;
        Some((key.to_owned(), unescape(value)?))
    });
    Some((name, fields.collect::<Option<_>>()?))
}

/// Decodes a value of a signature, in which some characters are escaped, for example `|` as `%7C`.
fn unescape(value: &str) -> Option<String> {
    let alone: Signature = format!("_|value:{value}|version:_").parse().ok()?;
    alone.get("value").map(str::to_owned)
}

/// Splits a signature `METRIC+key.value+..`, the format of sacreBLEU 1, into the name and the keys with their
/// values.
fn of_version_1(text: &str) -> Option<(Option<String>, Fields)> {
    let (name, rest) = text.split_once('+').filter(|(name, _)| !name.is_empty() && !name.contains('.'))?;
    let mut fields = Fields::new();
    for field in rest.split('+') {
        let (key, value) = field.split_once('.').filter(|(key, _)| !key.is_empty())?;
        let mut add = |key: &str, value: &str| fields.push((key.to_owned(), value.to_owned()));
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" };
        match (key, value) {
            ("numrefs", number) => add("nrefs", number),
            ("numchars", number) => add("nc", number),
            ("space", space) => add("space", yes_or_no(space == "true")),
            // Version 1 printed no smoothing value; the default is assumed.
            ("smooth" | "s", "floor") => add("smooth", "floor[0.10]"),
            ("smooth" | "s", "add-k") => add("smooth", "add-k[1.00]"),
            ("tok" | "t", options) if options.starts_with("tercom-") => {
                let has = |option: &str| options.split('-').any(|one| one == option);
                add("case", if has("cased") { "mixed" } else { "lc" });
                add("tok", "tercom");
                add("norm", yes_or_no(has("norm")));
                add("punct", yes_or_no(has("punct")));
                add("asian", yes_or_no(has("asian")));
            }
            _ => add(key, value),
        }
    }
    Some((Some(name.to_owned()), fields))
}

/// Returns the name of the metric in a signature without a name, from keys that only one of sacreBLEU's
/// metrics prints.
fn name_of(fields: &Fields) -> Option<String> {
    let get = |keys: [&str; 2]| fields.iter().find(|(key, _)| keys.contains(&key.as_str()));
    let words = || get(["nw", "nw"]).and_then(|(_, number)| number.parse().ok()).unwrap_or(0_usize);
    match () {
        () if get(["nc", "nc"]).is_some() => Some(format!("chrF2{}", "+".repeat(words().min(99)))),
        // With any other value, `norm` is the normalizer of the text, which is not a field of TER.
        () if get(["norm", "nr"]).is_some_and(|(_, value)| ["yes", "no"].contains(&value.as_str())) => {
            Some("TER".to_owned())
        }
        () if get(["smooth", "s"]).is_some() => Some("BLEU".to_owned()),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_one_signature_are_alike() {
        let forms = [
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1",
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1",
            "BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:2.3.1",
            "#:1|c:mixed|e:no|tok:13a|s:exp|v:2.3.1",
            "BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14",
            "BLEU+c.mixed+#.1+s.exp+tok.13a+v.1.5.1",
        ];
        for form in forms {
            let recipe: Recipe = form.parse().unwrap();
            assert_eq!(recipe.name(), "BLEU", "{form}");
            assert_eq!(recipe.get(&["nrefs", "#"]), Some("1"), "{form}");
            assert_eq!(recipe.get(&["smooth", "s"]), Some("exp"), "{form}");
        }
        let ter: Recipe = "TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1".parse().unwrap();
        let fields: Vec<_> = ter.settled_fields().collect();
        assert_eq!(
            fields,
            [("case", "lc"), ("tok", "tercom"), ("norm", "no"), ("punct", "yes"), ("asian", "no")]
        );
    }

    #[test]
    fn what_is_no_signature_is_refused() {
        for text in [
            "",
            "BLEU",
            "BLEU|",
            "BLEU|a",
            "BLEU|nrefs:1",
            "foo:1|version:2.0.0",
            "+a.b",
            "BLEU|:1|version:2",
        ] {
            assert!(text.parse::<Recipe>().is_err(), "{text}");
        }
    }
}
