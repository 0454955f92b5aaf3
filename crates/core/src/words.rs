//! Helpers for the text of messages: plural forms ([`counted`]), and the known name nearest to a misspelt
//! name.

use core::fmt::Display;

use crate::prelude::*;

/// Joins a count and a noun phrase, with the noun in the singular or plural; a verb may follow the noun. The
/// count may contain separators.
///
/// ```
/// use bleuprint_core::counted;
/// assert_eq!((counted(1, "edit"), counted(2, "edit")), ("1 edit".into(), "2 edits".into()));
/// assert_eq!(counted("1,000", "hypothesis is"), "1,000 hypotheses are");
/// ```
pub fn counted(count: impl Display, phrase: &str) -> String {
    in_number(&count.to_string(), phrase)
}

/// Returns a number as the text of an id, an answer or a label. Whole numbers have no fraction: `1.0` becomes
/// `1`. All readers use this function, but read whole numbers beyond 64 bits as text.
///
/// ```
/// use bleuprint_core::number_text;
/// assert_eq!([1.0, -0.0, 1e3, 0.5].map(number_text), ["1", "0", "1000", "0.5"]);
/// ```
pub fn number_text(number: f64) -> String {
    // Adding 0 turns -0 into 0 and changes no other number.
    (number + 0.0).to_string()
}

fn in_number(count: &str, phrase: &str) -> String {
    if count == "1" {
        return format!("1 {phrase}");
    }
    // Messages use few nouns: all form their plural with `s`, or with `es` for `is` (hypothesis, hypotheses).
    let verbs = [(" is", " are"), (" has", " have"), (" was", " were")];
    let verb = verbs.iter().find_map(|(one, several)| Some((phrase.strip_suffix(one)?, *several)));
    let (noun, verb) = verb.unwrap_or((phrase, ""));
    match noun.strip_suffix("is") {
        Some(stem) => format!("{count} {stem}es{verb}"),
        None => format!("{count} {noun}s{verb}"),
    }
}

/// Returns the `most` known names nearest to `given`, for messages. Names that contain `given` come first,
/// then names that need the fewest changed letters.
pub(crate) fn nearest<'n>(given: &str, names: &'n [String], most: usize) -> Vec<&'n str> {
    // A long text is not a misspelling, and comparing it is slow.
    let names = names.iter().filter(|name| given.len() <= 64 && name.len() <= 64);
    let lower = given.to_ascii_lowercase();
    let mut near: Vec<(bool, usize, &str)> = names
        .map(|name| {
            let within = lower.len() > 1 && name.to_ascii_lowercase().contains(&lower);
            // One changed letter is a misspelling, which is likelier than a part of a name.
            let changes = changed_letters(given, name);
            (!within && changes > 1, changes, &**name)
        })
        .collect();
    // The sort is stable, so equally near names keep their order.
    near.sort_by_key(|(far, changes, _)| (*far, *changes));
    near.into_iter().take(most).map(|(_, _, name)| name).collect()
}

/// Returns `true` if at most half of the letters of `given` have to change to make `name`.
pub(crate) fn is_near(given: &str, name: &str) -> bool {
    changed_letters(given, name) <= given.chars().count() / 2
}

/// Counts the letters to insert, delete, replace or swap with their neighbour to turn one text into another,
/// ignoring ASCII case. Messages use it to find the name that a user may have meant.
///
/// ```
/// use bleuprint_core::changed_letters;
/// let names = ["bleu", "blu", "Beu", "belu", "chrf"];
/// assert_eq!(names.map(|name| changed_letters(name, "bleu")), [0, 1, 1, 1, 4]);
/// ```
pub fn changed_letters(one: &str, other: &str) -> usize {
    let letters = |text: &str| text.chars().map(|letter| letter.to_ascii_lowercase()).collect::<Vec<_>>();
    let one = letters(one);
    let other = letters(other);
    // Three rows of the table of distances: `first` is two above the row that is computed.
    let mut first = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut row = vec![at + 1];
        for (place, known) in other.iter().enumerate() {
            let replaced = above[place] + usize::from(letter != known);
            let mut least = replaced.min(row[place] + 1).min(above[place + 1] + 1);
            if at > 0 && place > 0 && *letter == other[place - 1] && one[at - 1] == *known {
                least = least.min(first[place - 1] + 1);
            }
            row.push(least);
        }
        first = core::mem::replace(&mut above, row);
    }
    above[other.len()]
}
