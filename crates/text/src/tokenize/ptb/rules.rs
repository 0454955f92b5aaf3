//! The rules of `ptb`: patterns over classes of characters, with their actions. The longest match wins; among
//! equal matches, the first rule wins.
//!
//! The rules were derived from the program's output for every character, for all short texts over small
//! alphabets, and for generated sentences. A line of `rules.txt` has one of two forms: a name in braces and
//! its meaning, or an action (`token`, `apostrophe`, `verbatim`, `drop`, `=TEXT`), a part and a pattern.

/// The token, if any, that a match of a rule produces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// The matched text as a token.
    Token,
    /// The matched text as a token, with quotation marks in ASCII.
    Apostrophe,
    /// The matched text as a token, without the replacement of any character.
    Verbatim,
    /// A fixed text as a token.
    As(&'static str),
    /// The match produces no token.
    Drop,
}

/// A rule: a pattern, the part of the match that is the token, and the action.
pub(super) struct PtbRule {
    /// The regular expression, after the names in braces have been replaced.
    pub(super) pattern: String,
    /// The number of character classes at the end of `pattern` that are a condition on the text after the
    /// token, and not part of the token. If negative, its absolute value is the number of character classes
    /// at the start of `pattern` that form the token.
    pub(super) part: isize,
    pub(super) action: Action,
}

/// Parses the rules, in order.
///
/// # Errors
/// Returns an error if a line has neither form.
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
