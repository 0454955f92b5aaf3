//! The search for the longest match, by one automaton over classes of characters.

use super::rules::{Action, Rule, rules};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use std::sync::LazyLock;

pub(super) struct Lexer {
    pub(super) automaton: DFA,
    rules: Vec<Rule>,
}

/// The automaton of all rules, made at the first use.
pub(super) static LEXER: LazyLock<Result<Lexer, String>> = LazyLock::new(|| {
    let rules = rules()?;
    let patterns: Vec<&str> = rules.iter().map(|rule| rule.pattern.as_str()).collect();
    let automaton = DFA::builder()
        .configure(DFA::config().match_kind(MatchKind::All))
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build_many(&patterns)
        .map_err(|error| error.to_string())?;
    Ok(Lexer { automaton, rules })
});

/// The end of the longest match from `at`, and its action. Where no rule fits, the next character is no token.
///
/// # Errors
/// Those of the automaton, which has none under its configuration.
pub(super) fn next(
    lexer: &Lexer,
    cache: &mut Cache,
    classes: &[u8],
    at: usize,
) -> Result<(usize, Action), String> {
    let input = Input::new(classes).range(at..).anchored(Anchored::Yes);
    let Some(found) = lexer.automaton.try_search_fwd(cache, &input).map_err(|error| error.to_string())?
    else {
        return Ok((at + 1, Action::Drop));
    };
    let Rule { part, action, .. } = lexer.rules[found.pattern().as_usize()];
    let end =
        if part < 0 { at.saturating_add_signed(-part) } else { found.offset().saturating_add_signed(-part) };
    // A rule takes at least one character, so that the search goes on.
    Ok((end.max(at + 1), action))
}
