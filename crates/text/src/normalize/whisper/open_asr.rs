//! The normalizers `open-asr-en` and `open-asr-ml` of the Open ASR leaderboard since June 2026.
//!
//! `open-asr-en` is `whisper-en` with these differences:
//!
//! - It deletes more fillers, such as `ahh`.
//! - `'s` becomes ` is` only after pronouns and similar words; elsewhere it becomes the separate letter `s`.
//! - Compounds are joined before numbers are converted. Variants of a name, such as `zak` and `zach`, get one
//!   spelling.
//! - At the end, single letters are joined into acronyms: at least two letters, or three if `a` or `i` is
//!   among them.
//!
//! `open-asr-ml` is `whisper-basic`; then every character that is neither a letter, a digit nor whitespace is
//! deleted, and whitespace at the ends is removed. The leaderboard then writes digits as words of the
//! language; this crate does not.

use super::basic::{WhisperMarks, basic};
use super::english::{EnglishDialect, part_lone_signs, prepare, whisper_word};
use super::numbers::numbers;
use super::spelling::{OPEN_ASR, respell};
use crate::normalize::classes::{is_space, is_word};
use crate::normalize::text::{collapse, end_of_run, is_boundary, rewrite};
use crate::normalize::{NormalizerEntry, step};
use crate::whitespace;
use std::sync::LazyLock;

const PROGRAM: &str = "open_asr_leaderboard d1e99b2";

pub(in crate::normalize) const OPEN_ASR_ENGLISH: NormalizerEntry = step!(
    "open-asr-en",
    "the Open ASR leaderboard's normalizer for English: whisper-en with names, compounds, acronyms",
    |text, spare| {
        prepare(
            text,
            spare,
            &EnglishDialect {
                filler: |word| FILLERS.contains(&word),
                word: whisper_word,
                is_after: |word| SUBJECTS.contains(&word),
            },
        );
        join_compounds(text, spare);
        numbers(text, spare);
        rewrite(text, spare, |text, out| respell(&OPEN_ASR, text, out));
        rewrite(text, spare, join_acronyms);
        part_lone_signs(text, spare);
    }
)
.agrees_with(PROGRAM);
pub(in crate::normalize) const OPEN_ASR_OTHERS: NormalizerEntry = step!(
    "open-asr-ml",
    "the Open ASR leaderboard's normalizer for other languages; digits are unchanged",
    |text, spare| { others(text, spare, WhisperMarks::ToSpaces) }
)
.agrees_with(PROGRAM);
pub(in crate::normalize) const OPEN_ASR_OTHERS_ASCII: NormalizerEntry =
    step!("open-asr-ml-ascii", "open-asr-ml, with Latin letters stripped to ASCII", |text, spare| {
        others(text, spare, WhisperMarks::Stripped)
    })
    .agrees_with(PROGRAM);

const FILLERS: [&str; 20] = [
    "hmm", "mm", "mhm", "mmm", "uh", "um", "ah", "aha", "ahh", "ahm", "eh", "ehehe", "em", "hm", "huh",
    "hum", "mhum", "uhm", "umm", "uhuh",
];

/// The words after which `'s` is written as ` is`, as in `it's`.
const SUBJECTS: [&str; 13] =
    ["it", "he", "she", "what", "that", "who", "here", "there", "how", "when", "where", "why", "this"];

/// Pairs of words that are joined into one, as `[first, second, joined]`, in the order in which they are
/// joined.
static COMPOUNDS: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    let words = |line: &'static str| line.split(' ').collect::<Vec<_>>().try_into();
    include_str!("compounds.txt").lines().flat_map(words).collect()
});

fn join_compounds(text: &mut String, spare: &mut String) {
    // A joined word may be part of a later pair, so the pairs are applied one after another over the whole
    // text.
    for &[first, second, joined] in COMPOUNDS.iter() {
        if find_compound(text, 0, first, second).is_none() {
            continue;
        }
        rewrite(text, spare, |text, out| {
            let mut from = 0;
            while let Some((start, end)) = find_compound(text, from, first, second) {
                out.push_str(&text[from..start]);
                out.push_str(joined);
                from = end;
            }
            out.push_str(&text[from..]);
        });
    }
}

fn find_compound(text: &str, from: usize, first: &str, second: &str) -> Option<(usize, usize)> {
    // The second word is searched, and the first one is checked backwards from it.
    let found = memchr::memmem::find_iter(&text.as_bytes()[from..], second).map(|at| from + at);
    { found }.find_map(|at| {
        let before = text[from..at].trim_end_matches(is_space);
        let start = from + before.strip_suffix(first)?.len();
        let gap = from + before.len() < at;
        (gap && end_of_run(text, at) == at + second.len() && is_boundary(text, start))
            .then_some((start, at + second.len()))
    })
}

fn join_acronyms(text: &str, out: &mut String) {
    let mut letters: Vec<&str> = Vec::new();
    let mut words = whitespace::split(text);
    loop {
        let word = words.next();
        let single = word.filter(|word| {
            let mut chars = word.chars();
            chars.next().is_some_and(|c| is_word(c) && c != '_') && chars.next().is_none()
        });
        if let Some(letter) = single {
            letters.push(letter);
            continue;
        }
        // `a` and `i` are also words, so two letters with one of them are no sign of an acronym.
        let least = if letters.iter().any(|letter| ["a", "i"].contains(letter)) { 3 } else { 2 };
        let separator = if letters.len() >= least { "" } else { " " };
        if !letters.is_empty() {
            push_word(&letters.join(separator), out);
            letters.clear();
        }
        match word {
            Some(word) => push_word(word, out),
            None => return,
        }
    }
}

fn push_word(word: &str, out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

fn others(text: &mut String, spare: &mut String, marks: WhisperMarks) {
    basic(text, spare, marks);
    rewrite(text, spare, |text, out| out.extend(text.chars().filter(|&c| is_word(c) || is_space(c))));
    collapse(text, spare);
    rewrite(text, spare, |text, out| out.push_str(whitespace::strip(text)));
}
