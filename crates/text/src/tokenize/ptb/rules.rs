//! The token rules of the tokenizer `ptb`: patterns over character classes, with their actions. The longest
//! match wins; among equal matches, the first rule wins.
//!
//! The rules were derived from the output of Stanford's tokenizer for every character, for all short texts
//! over small alphabets, and for generated sentences. A line of `rules.txt` is a name in braces and its
//! meaning, or a rule. A rule is an action (`token`, `apostrophe`, `verbatim`, `drop`, `=TEXT`), a number
//! (see `PtbRule::part`) and a pattern.

/// The way in which a match of a rule becomes a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// The matched text becomes a token, with its usual character replacements.
    Token,
    /// The matched text becomes a token, and its quotation marks become ASCII.
    Apostrophe,
    /// The matched text becomes a token; no character is replaced.
    Verbatim,
    /// The token is this fixed text, whatever the matched text is.
    As(&'static str),
    /// The matched text is dropped and gives no token.
    Drop,
}

/// A token rule: a pattern, the part of its match that is the token, and the way in which the match becomes a
/// token.
pub(super) struct PtbRule {
    /// The regular expression over character classes; names in braces have been replaced by their meanings.
    pub(super) pattern: String,
    /// The part of the match that is the token. 0: the whole match. `n > 0`: the match without the last `n`
    /// character classes of `pattern`, which are only a condition on the following text. `n < 0`: only the
    /// first `-n` character classes.
    pub(super) part: isize,
    pub(super) action: Action,
}

/// Parses all token rules of the file `rules.txt`, in order.
///
/// # Errors
/// Returns an error if a line of the file is neither a name with its meaning nor a rule.
pub(super) fn rules() -> Result<Vec<PtbRule>, String> {
    let mut names = Vec::new();
    let mut rules = Vec::new();
    for line in include_str!("rules.txt").lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with('{') {
            names.extend(line.split_once(' '));
            continue;
        }
        let malformed = || format!("`{line}` is no rule");
        let (action, rest) = line.split_once(' ').ok_or_else(malformed)?;
        let (part, pattern) = rest.split_once(' ').ok_or_else(malformed)?;
        let action = match action {
            "token" => Action::Token,
            "apostrophe" => Action::Apostrophe,
            "verbatim" => Action::Verbatim,
            "drop" => Action::Drop,
            _ => Action::As(action.strip_prefix('=').ok_or_else(malformed)?),
        };
        let expand = |text: String, (name, meaning): &(&str, &str)| text.replace(name, meaning);
        // A meaning may contain names that follow it in the file, so names are replaced in the order of the
        // file.
        let pattern = names.iter().fold(pattern.to_owned(), expand);
        rules.push(PtbRule { pattern, part: part.parse().map_err(|_| malformed())?, action });
    }
    Ok(rules)
}
