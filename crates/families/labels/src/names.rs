//! Lists of label names in option values: `red/green`, or a JSON array if a label contains a slash.

use bleuprint_core::ConfigError;

/// Parses the label names in the value of an option, in their order: at least one, and none twice.
pub(crate) fn read(option: &str, text: &str) -> Result<Vec<String>, ConfigError> {
    let refuse = |limit: &str| ConfigError::out_of_range(option, format!("`{text}`"), limit);
    let names: Vec<String> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|_| refuse("a JSON array of strings, or labels with / between"))?
    } else {
        text.split('/').map(str::to_owned).collect()
    };
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) || names.is_empty() {
        Err(refuse("at least one label, and no label twice"))
    } else {
        Ok(names)
    }
}

/// Returns a list of label names as text that [`read`] parses: joined by slashes, or as a JSON array.
pub(crate) fn print(names: &[String]) -> String {
    let plain = names.iter().all(|name| !name.contains('/')) && !names[0].trim_start().starts_with('[');
    if plain { names.join("/") } else { serde_json::to_string(names).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_printed_as_they_are_read() {
        for text in ["a", "b/a", r#"["a/b","c"]"#, r#"["[","c"]"#, "", "a//b"] {
            let names = read("only", text).unwrap();
            assert_eq!(print(&names), text);
        }
        assert_eq!(read("only", r#"["a","b"]"#).unwrap(), ["a", "b"]);
        for refused in ["a/a", "[]", "[1]", "[\"a\"", "/"] {
            assert!(read("only", refused).is_err(), "{refused}");
        }
    }
}
