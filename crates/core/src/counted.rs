//! [`counted`]: the plurals of messages.

use core::fmt::Display;

use crate::prelude::*;

/// A count and its noun, in number; a verb behind the noun follows. A count with separators is a count, too.
///
/// ```
/// use bleuprint_core::counted;
/// assert_eq!((counted(1, "edit"), counted(2, "edit")), ("1 edit".into(), "2 edits".into()));
/// assert_eq!(counted("1,000", "hypothesis is"), "1,000 hypotheses are");
/// ```
pub fn counted(count: impl Display, phrase: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        return format!("1 {phrase}");
    }
    let verbs = [(" is", " are"), (" has", " have"), (" was", " were")];
    let verb = verbs.iter().find_map(|(one, several)| Some((phrase.strip_suffix(one)?, *several)));
    let (noun, verb) = verb.unwrap_or((phrase, ""));
    match noun.strip_suffix("is") {
        Some(stem) => format!("{count} {stem}es{verb}"),
        None => format!("{count} {noun}s{verb}"),
    }
}
