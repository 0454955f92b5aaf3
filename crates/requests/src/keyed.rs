//! [`KeyedSearch`]: finds texts whose lines begin with ids, as kaldi writes them, which would be scored as words.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use bleuprint::text::{LineReader, whitespace};
use bleuprint::{InputError, Location};

use crate::request::StreamsRequest;
use crate::warn;

/// Minimum number of lines for an error that the lines of hypotheses and references begin with the same ids.
const FEW: u64 = 3;

/// Minimum number of lines for a warning that the lines of hypotheses and references begin with the same
/// words. These words do not look like ids.
const MANY: u64 = 10;

/// Search for hypothesis and reference files whose lines begin with the same ids.
#[derive(Debug, Default)]
pub(crate) struct KeyedSearch {
    hypotheses: Vec<FirstWords>,
    references: Vec<FirstWords>,
}

/// Words at the starts of a file's lines, collected until one of them occurs elsewhere in the file.
#[derive(Debug, Clone)]
struct FirstWords {
    name: String,
    /// `true` as long as no first word of a line occurs anywhere else in the file.
    unique: bool,
    /// `true` as long as each first word looks like an id: it has a letter together with a digit, `_` or `-`.
    looks: bool,
    lines: u64,
    /// Number of words, without the first word of each line; `ids` counts those that look like ids.
    words: u64,
    ids: u64,
    /// Number of lines with more than one word.
    texts: u64,
    firsts: HashSet<Box<str>>,
    /// Hashes of all words that are not the first word of their line.
    others: HashSet<u64>,
    /// Hash of all lines, to recognize equal files.
    content: DefaultHasher,
}

fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

impl FirstWords {
    fn new(name: String) -> Self {
        FirstWords {
            name,
            unique: true,
            looks: true,
            lines: 0,
            words: 0,
            ids: 0,
            texts: 0,
            firsts: HashSet::new(),
            others: HashSet::new(),
            content: DefaultHasher::new(),
        }
    }

    /// Examines the next line, unless the search has ended because a first word occurred elsewhere in the
    /// file. Ordinary texts soon repeat such a word, so most of their lines cost nothing.
    fn look_at(&mut self, line: &str) {
        if !self.unique {
            return;
        }
        let mut words = whitespace::split(line);
        let Some(first) = words.next() else { return self.give_up() };
        if self.others.contains(&hash(first)) || !self.firsts.insert(first.into()) {
            return self.give_up();
        }
        let mut any = false;
        for word in words {
            if self.firsts.contains(word) {
                return self.give_up();
            }
            any = true;
            self.words += 1;
            self.ids += u64::from(looks_like_id(word));
            self.others.insert(hash(word));
        }
        self.lines += 1;
        self.texts += u64::from(any);
        self.looks &= looks_like_id(first);
        line.hash(&mut self.content);
    }

    fn give_up(&mut self) {
        *self = FirstWords { unique: false, ..FirstWords::new(std::mem::take(&mut self.name)) };
    }

    /// Returns `true` if the first words look like ids and most other words do not. Texts of made-up words such
    /// as `w1 w2` have no ids.
    fn has_ids(&self) -> bool {
        self.looks && 2 * self.ids < self.words
    }

    /// Returns `true` if the lines of both files begin with the same ids or words, and the files differ.
    fn pairs_with(&self, other: &FirstWords) -> bool {
        self.unique
            && other.unique
            && self.texts > 0
            && other.texts > 0
            && self.firsts == other.firsts
            && self.content.finish() != other.content.finish()
    }
}

fn looks_like_id(word: &str) -> bool {
    word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_numeric() || matches!(c, '_' | '-'))
}

impl KeyedSearch {
    /// Creates a search over these files of hypotheses and of references.
    pub(crate) fn new(hypotheses: Vec<String>, references: Vec<String>) -> Self {
        let of = |names: Vec<String>| names.into_iter().map(FirstWords::new).collect();
        KeyedSearch { hypotheses: of(hypotheses), references: of(references) }
    }

    /// Examines the next line of each file for an id at its start. Files with columns are not examined.
    pub(crate) fn look_at<'t, T: Iterator<Item = &'t str>>(
        &mut self,
        hypotheses: impl Iterator<Item = T>,
        references: impl Iterator<Item = T>,
    ) {
        let files =
            self.hypotheses.iter_mut().zip(hypotheses).chain(self.references.iter_mut().zip(references));
        for (file, mut texts) in files.filter(|(file, _)| file.unique) {
            match (texts.next(), texts.next()) {
                (Some(line), None) => file.look_at(line),
                _ => file.give_up(),
            }
        }
    }

    /// Returns `true` if lines must still be examined. Otherwise no two files can have the same ids.
    pub(crate) fn is_searching(&self) -> bool {
        self.hypotheses.iter().chain(&self.references).any(|file| file.unique)
    }

    /// Returns an error if the lines of hypotheses and references begin with the same ids. Prints a warning,
    /// unless `quiet`, if they begin with the same words that do not look like ids.
    pub(crate) fn check(&self, quiet: bool) -> Result<(), InputError> {
        let pairs =
            self.hypotheses.iter().flat_map(|one| self.references.iter().map(move |other| (one, other)));
        let Some((one, other)) = pairs.into_iter().find(|(one, other)| one.pairs_with(other)) else {
            return Ok(());
        };
        // The least id is a choice that does not depend on the order of a hash table.
        let example = one.firsts.iter().min().map_or("", |first| first);
        let shared = format!(
            "begins with a word that is in no other line, such as `{example}`, and those of `{}` too",
            one.name
        );
        if one.has_ids() && other.has_ids() && one.lines >= FEW {
            let message = format!(
                "each line {shared}, in any order: --keyed pairs the texts by these ids and does not score them; \
                 --plain scores them as words"
            );
            return Err(InputError::malformed(message).at(Location::file(&*other.name)));
        }
        let made_up = one.looks && !one.has_ids();
        if one.lines >= MANY && !made_up && !quiet {
            warn::note(&format!(
                "warning: {}: each line {shared}; if these are ids, --keyed pairs the texts by them and does not \
                 score them",
                other.name
            ));
        }
        Ok(())
    }
}

/// Checks that the lines of hypotheses and references do not begin with the same ids, before anything is
/// printed. Standard input and pipes are skipped, because they cannot be read twice.
///
/// # Errors
/// Returns the error of [`KeyedSearch::check`], and the errors of the readers.
pub(crate) fn check_keys(request: &StreamsRequest) -> Result<(), InputError> {
    let Some(systems) = request.systems.as_ref().filter(|_| !request.plain && request.num_refs <= 1) else {
        return Ok(());
    };
    let regular = |file: &&String| std::path::Path::new(file.as_str()).is_file();
    let scan = |file: &String| {
        let mut lines = LineReader::open_text(file, request.text())?;
        let mut words = FirstWords::new(file.clone());
        while words.unique && lines.advance()? {
            words.look_at(lines.line());
        }
        Ok(words)
    };
    let hypotheses = systems.iter().filter(regular).map(scan).collect::<Result<_, InputError>>()?;
    let references =
        request.references.iter().filter(regular).map(scan).collect::<Result<_, InputError>>()?;
    // The warning is given when the files are scored.
    KeyedSearch { hypotheses, references }.check(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hypotheses: &str, references: &str) -> Result<(), InputError> {
        let mut search = KeyedSearch::new(vec!["hyp".to_owned()], vec!["ref".to_owned()]);
        for (one, other) in hypotheses.split('\n').zip(references.split('\n')) {
            search.look_at(std::iter::once(std::iter::once(one)), std::iter::once(std::iter::once(other)));
        }
        search.check(true)
    }

    #[test]
    fn the_same_ids_on_both_sides_are_refused() {
        let error = check("u-1 a b\nu-2 c\nu-3 d e", "u-2 c\nu-3 d f\nu-1 a b").unwrap_err().to_string();
        assert!(
            error.starts_with("ref: each line begins with a word") && error.contains("--keyed"),
            "{error}"
        );
        // Other words are before an id, an id is there twice, the files are equal, or there are few lines.
        assert!(check("u-1 a u-2\nu-2 c\nu-3 d", "u-1 a\nu-2 c\nu-3 d f").is_ok());
        assert!(check("u-1 a\nu-1 c\nu-3 d", "u-1 a\nu-1 c\nu-3 d f").is_ok());
        assert!(check("u-1 a\nu-2 c\nu-3 d", "u-1 a\nu-2 c\nu-3 d").is_ok());
        assert!(check("u-1 a\nu-2 c", "u-1 a\nu-2 d").is_ok());
        // The ids of the sides differ, do not look like ids, or are the whole texts.
        assert!(check("u-1 a\nu-2 c\nu-3 d", "u-1 a\nu-2 c\nu-4 d").is_ok());
        assert!(check("one a\ntwo c\nthree d", "one a\ntwo c\nthree f").is_ok());
        assert!(check("u-1\nu-2\nu-3", "u-3\nu-2\nu-1").is_ok());
        // All words of made-up texts look like ids.
        assert!(check("w1 w2\nw4 w5\nw6 w7", "w4 w5\nw1 w2\nw6 w2").is_ok());
    }
}
