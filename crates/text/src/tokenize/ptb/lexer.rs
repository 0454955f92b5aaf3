//! The search for the longest match, by one automaton over classes of characters.

use super::rules::{Action, NAMES, RULES};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use std::sync::LazyLock;

/// The automaton of all rules, made at the first use.
pub(super) static LEXER: LazyLock<Result<DFA, String>> = LazyLock::new(|| {
    let patterns: Vec<String> = RULES.iter().map(|(pattern, ..)| expand(pattern)).collect();
    DFA::builder()
        .configure(DFA::config().match_kind(MatchKind::All))
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build_many(&patterns)
        .map_err(|error| error.to_string())
});

/// The pattern with the names replaced by their meaning.
fn expand(pattern: &str) -> String {
    NAMES.iter().fold(pattern.to_owned(), |text, (name, meaning)| text.replace(name, meaning))
}

/// The end of the longest match from `at`, and its action. Where no rule fits, the next character is no token.
///
/// # Errors
/// Those of the automaton, which has none under its configuration.
pub(super) fn next(
    lexer: &DFA,
    cache: &mut Cache,
    classes: &[u8],
    at: usize,
) -> Result<(usize, Action), String> {
    let input = Input::new(classes).range(at..).anchored(Anchored::Yes);
    let Some(found) = lexer.try_search_fwd(cache, &input).map_err(|error| error.to_string())? else {
        return Ok((at + 1, Action::Drop));
    };
    let (_, part, action) = RULES[found.pattern().as_usize()];
    let part = isize::from(part);
    let end =
        if part < 0 { at.saturating_add_signed(-part) } else { found.offset().saturating_add_signed(-part) };
    // A rule takes at least one character, so that the search goes on.
    Ok((end.max(at + 1), action))
}
