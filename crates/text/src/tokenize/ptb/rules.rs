//! The rules of `ptb`: a pattern over classes of characters, and its action. The longest match wins, then the first rule.
//!
//! They were found by asking the program: with every character, with all short texts over small alphabets,
//! and with generated sentences. A line of `rules.txt` is a name in braces and its meaning; or an action (`token`,
//! `apostrophe`, `verbatim`, `drop`, `=TEXT`), a part and a pattern.

/// The replacement of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Token,
    /// A token in which quotation marks become those of ASCII.
    Apostrophe,
    /// A token whose characters are not rewritten.
    Verbatim,
    /// This text is the token.
    As(&'static str),
    Drop,
}

pub(super) struct Rule {
    /// Without names.
    pub(super) pattern: String,
    /// The number of last classes that must follow the token without being part of it; negative: the number of first classes
    /// that are the token.
    pub(super) part: isize,
    pub(super) action: Action,
}

/// The rules in order.
///
/// # Errors
/// A line of another form.
pub(super) fn rules() -> Result<Vec<Rule>, String> {
    let (mut names, mut rules) = (Vec::new(), Vec::new());
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
        let pattern = names.iter().fold(pattern.to_owned(), expand);
        rules.push(Rule { pattern, part: part.parse().map_err(|_| malformed())?, action });
    }
    Ok(rules)
}
