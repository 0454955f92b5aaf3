//! The search for the next token by the longest match, with one finite automaton for all rules.

use super::rules::{Action, PtbRule, rules};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use std::sync::LazyLock;

/// The finite automaton that matches all token rules at once, and the rules by the number of their pattern.
pub(super) struct PtbLexer {
    pub(super) automaton: DFA,
    rules: Vec<PtbRule>,
}

/// The finite automaton of all token rules of the tokenizer `ptb`, built at the first use.
pub(super) static LEXER: LazyLock<Result<PtbLexer, String>> = LazyLock::new(|| {
    let rules = rules()?;
    let patterns: Vec<&str> = rules.iter().map(|rule| rule.pattern.as_str()).collect();
    let automaton = DFA::builder()
        // All matches are reported, so that the longest one wins, and not the first one that ends.
        .configure(DFA::config().match_kind(MatchKind::All))
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build_many(&patterns)
        .map_err(|error| error.to_string())?;
    Ok(PtbLexer { automaton, rules })
});

/// Finds the longest match of a token rule that starts at index `at`. Returns its end and the rule's action.
/// If no rule matches, the next character is dropped.
///
/// # Errors
/// Returns the errors of the automaton, which cannot occur under its configuration.
pub(super) fn next(
    lexer: &PtbLexer,
    cache: &mut Cache,
    classes: &[u8],
    at: usize,
) -> Result<(usize, Action), String> {
    let input = Input::new(classes).range(at..).anchored(Anchored::Yes);
    let Some(found) = lexer.automaton.try_search_fwd(cache, &input).map_err(|error| error.to_string())?
    else {
        return Ok((at + 1, Action::Drop));
    };
    let PtbRule { part, action, .. } = lexer.rules[found.pattern().as_usize()];
    // A negative `part` counts classes from the start of the match; otherwise it counts the classes at the
    // end that are context only.
    let end =
        if part < 0 { at.saturating_add_signed(-part) } else { found.offset().saturating_add_signed(-part) };
    // A match of context alone would be empty; at least one character is consumed, so that the search
    // advances.
    Ok((end.max(at + 1), action))
}
