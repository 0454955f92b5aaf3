//! Reads abbreviations that keep their full stop, from the built-in English list of Moses or from a file.

use std::collections::HashSet;

use bleuprint_core::ConfigError;

use super::fingerprint::malformed;

const ENGLISH: &str = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Adj Adm Adv Asst Bart Bldg Brig Bros Capt Cmdr Col \
    Comdr Con Corp Cpl DR Dr Drs Ens Gen Gov Hon Hr Hosp Insp Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms Msgr Op Ord Pfc \
    Ph Prof Pvt Rep Reps Res Rev Rt Sen Sens Sfc Sgt Sr St Supt Surg v vs i.e rev e.g Nos Nr";
const ENGLISH_BEFORE_DIGITS: &str = "No Art pp";

/// Abbreviations of a language, such as `Mr`, after which a full stop does not end a sentence.
#[derive(Debug, Clone, Default)]
pub struct Prefixes {
    always: HashSet<Box<str>>,
    before_digits: HashSet<Box<str>>,
}

impl Prefixes {
    pub(super) fn english() -> Self {
        let set = |words: &str| words.split_ascii_whitespace().map(Box::from).collect();
        Prefixes { always: set(ENGLISH), before_digits: set(ENGLISH_BEFORE_DIGITS) }
    }

    /// Parses a list of abbreviations in the format of the Moses tokenizer, which METEOR's jar file uses too.
    /// Each line has an abbreviation without its full stop. `#NUMERIC_ONLY#` after an abbreviation means that
    /// it keeps its full stop only before digits. Other text after `#` is a comment.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] with file and line if an abbreviation contains a space.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        let mut prefixes = Prefixes::default();
        for (number, line) in (1_u64..).zip(text.lines()) {
            let (word, note) = line.split_once('#').unwrap_or((line, ""));
            let word = word.trim();
            if word.contains(char::is_whitespace) {
                let reason = format!("`{word}` has a space");
                return Err(malformed("the list of abbreviations", file, number, &reason));
            }
            let set = if note.starts_with("NUMERIC_ONLY#") {
                &mut prefixes.before_digits
            } else {
                &mut prefixes.always
            };
            if !word.is_empty() {
                set.insert(word.into());
            }
        }
        Ok(prefixes)
    }

    pub(super) fn always(&self, word: &str) -> bool {
        self.always.contains(word)
    }

    pub(super) fn before_digits(&self, word: &str) -> bool {
        self.before_digits.contains(word)
    }
}
