//! `tuples`: reads the scene-graph tuples of a caption for SPICE; each tuple becomes a token.
//!
//! Rule: a line has one of two forms:
//! * JSON: `[["girl"], ["girl", "young"], ["girl", "on", "court"]]`, an array of objects, objects with an attribute, and
//!   relations; a tuple may also be `{"tuple": [..]}`, as SPICE's detailed output has it;
//! * FACTUAL's text: `( girl , is , young ) , ( girl , on , court )`. `( a , is , b )` and `( a , b )` are
//!   attributes, other tuples are relations. All parts between the first and the last are the relation, joined
//!   with blanks. A repeated tuple is dropped.
//!
//! A token joins the texts of a tuple with the unit separator of ASCII (U+001F). Texts are not changed.
//!
//! Singular cases: an empty or blank line has no tuple, and neither has `[]`. An empty text is a text, as in
//! both programs: `[[""]]` and `( )` are one object, which matches itself.
//!
//! Errors: a line that begins differently, such as a caption; JSON of another form, reported with its column;
//! a tuple of no text or of more than three; a text with U+001F. Also a FACTUAL tuple that is not closed,
//! contains parentheses, or has no attribute after `is`; and a line of 4 GiB or more. Errors of a tuple have
//! its number.
//!
//! Source: the formats of SPICE 1.0 and of FactualSceneGraph 0.7.3, whose parser writes such lines for
//! captions.

use bleuprint_core::{ConfigError, InputError, Result};
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerEntry, TokenizerRequest, Tokens};
use serde_json::Value;

const ENTRY: TokenizerEntry =
    TokenizerEntry::new("tuples", "tuples of a scene graph, as JSON or FACTUAL's text, for SPICE", build)
        .agrees_with("SPICE 1.0 and FactualSceneGraph 0.7.3");

pub(crate) static TOKENIZERS: &[TokenizerEntry] = &[ENTRY];

const SEPARATOR: &str = "\u{1F}";

#[allow(clippy::unnecessary_wraps, reason = "the form of constructors")]
fn build(_: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
    Ok(Box::new(Tuples))
}

struct Tuples;

impl Tokenizer for Tuples {
    fn token_space(&self) -> &str {
        ENTRY.name
    }

    fn refuses_lines(&self) -> bool {
        true
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        let tuples = match line.trim_start().chars().next() {
            None => Vec::new(),
            Some('[') => of_json(line)?,
            Some('(') => of_factual(line)?,
            Some(_) => {
                let first = line.split_whitespace().next().unwrap_or_default();
                let message = format!(
                    "tuples are `[[\"girl\", \"young\"]]` or `( girl , is , young )`, but this begins with `{first}`"
                );
                return Err(InputError::malformed(message));
            }
        };
        buffer.collect(tuples.iter().map(String::as_str))
    }
}

fn of_json(line: &str) -> Result<Vec<String>> {
    let malformed = |error: &serde_json::Error| {
        InputError::malformed(format!("tuples in JSON, column {}: {error}", error.column()))
    };
    let tuples: Vec<Value> = serde_json::from_str(line).map_err(|error| malformed(&error))?;
    (1..).zip(&tuples).map(|(number, tuple)| of_value(number, tuple)).collect()
}

fn of_value(number: usize, tuple: &Value) -> Result<String> {
    let other = || {
        let message = format!("tuple {number} is `{tuple}`, but a tuple is an array of one to three texts");
        InputError::malformed(message)
    };
    let texts = tuple.get("tuple").unwrap_or(tuple).as_array().ok_or_else(other)?;
    let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
    let texts = texts.filter(|texts| (1..=3).contains(&texts.len())).ok_or_else(other)?;
    written(number, &texts)
}

fn of_factual(line: &str) -> Result<Vec<String>> {
    let mut spaced = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        match c {
            '(' | ')' | ',' => spaced.extend([' ', c, ' ']),
            _ => spaced.push(c),
        }
    }
    // Splitting and joining makes one blank of all white space, so that the separator ` ) , ( ` below is
    // unique.
    let spaced = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = spaced.strip_prefix('(').and_then(|spaced| spaced.strip_suffix(')'));
    let bare = bare.ok_or_else(|| {
        InputError::malformed(format!("tuples stand between `(` and `)`, but these are `{spaced}`"))
    })?;
    let mut tuples: Vec<String> = Vec::new();
    for (number, tuple) in (1..).zip(bare.split(" ) , ( ").map(str::trim)) {
        let wrong =
            |reason: &str| Err(InputError::malformed(format!("tuple {number} is `{tuple}`, {reason}")));
        if tuple.contains(['(', ')']) {
            return wrong("but a tuple stands between one `(` and one `)`, with a comma between tuples");
        }
        let parts: Vec<&str> = tuple.split(',').map(str::trim).collect();
        let tuple = match &parts[..] {
            [_, "is"] => return wrong("which has no attribute behind `is`"),
            [object, "is", attribute] => written(number, &[object, attribute])?,
            [subject, relation @ .., object] if relation.len() > 1 => {
                written(number, &[subject, &relation.join(" "), object])?
            }
            _ => written(number, &parts)?,
        };
        // FactualSceneGraph drops repeated tuples. JSON keeps them.
        if !tuples.contains(&tuple) {
            tuples.push(tuple);
        }
    }
    Ok(tuples)
}

fn written(number: usize, texts: &[&str]) -> Result<String> {
    if let Some(text) = texts.iter().find(|text| text.contains(SEPARATOR)) {
        let message = format!("tuple {number} has the text {text:?}, but texts are free of U+001F");
        return Err(InputError::malformed(message));
    }
    Ok(texts.join(SEPARATOR))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuples(line: &str) -> Result<Vec<String>, String> {
        let mut buffer = TokenBuffer::default();
        let tokens = Tuples.tokenize(line, &mut buffer).map_err(|error| error.to_string())?;
        Ok(tokens.iter().map(|token| token.replace('\u{1F}', "/")).collect())
    }

    #[test]
    fn both_formats_give_tuples() {
        let rows: [(&str, &[&str]); 11] = [
            ("", &[]),
            (r#"[[""], ["", ""], ["", "", ""]]"#, &["", "/", "//"]),
            ("( )", &[""]),
            (" [] ", &[]),
            (r#"[["a b"], ["a", ""], ["a", "on", "b"]]"#, &["a b", "a/", "a/on/b"]),
            (r#"[{"tuple": ["a", "b"], "truth_value": true}]"#, &["a/b"]),
            ("( cat )", &["cat"]),
            ("(dog,brown),(dog,on,mat)", &["dog/brown", "dog/on/mat"]),
            ("( man , hold , in , hand , ball )", &["man/hold in hand/ball"]),
            ("( man , is , tall ) , ( man , is , tall ) , ( man , old )", &["man/tall", "man/old"]),
            ("( x , , y ) , ( red  hat )", &["x//y", "red hat"]),
        ];
        for (line, expected) in rows {
            assert_eq!(tuples(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn malformed_tuples_are_refused_with_their_number() {
        let rows = [
            ("[[\"a\"], []]", "tuple 2 is `[]`, but a tuple is an array of one to three texts"),
            (r#"[["a", "b", "c", "d"]]"#, "tuple 1 is `[\"a\",\"b\",\"c\",\"d\"]`"),
            (r#"[["a", 1]]"#, "tuple 1 is `[\"a\",1]`"),
            (r#"["a"]"#, "tuple 1 is `\"a\"`"),
            (r#"[["a"]"#, "tuples in JSON, column 6: EOF while parsing a list"),
            ("[[\"a\\u001fb\"]]", "tuple 1 has the text \"a\\u{1f}b\", but texts are free of U+001F"),
            ("( cat", "tuples stand between `(` and `)`, but these are `( cat`"),
            ("( cat ) , ( dog , is )", "tuple 2 is `dog , is`, which has no attribute behind `is`"),
            ("((((cat))))", "tuple 1 is `( ( ( cat ) ) )`, but a tuple stands between one `(` and one `)`"),
            ("( cat ) ( dog )", "tuple 1 is `cat ) ( dog`"),
            ("two dogs", "but this begins with `two`"),
        ];
        for (line, expected) in rows {
            let error = tuples(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
