//! Porter's algorithm of 1980 with NLTK's extensions, which are NLTK's default (`NLTK_EXTENSIONS`).
//!
//! A vowel is one of `a e i o u`, or a `y` after a consonant. Everything else is a consonant, including
//! digits, marks and letters beyond ASCII. `m` is the number of places at which a consonant follows a vowel.
//! The steps remove a plural, a past or continuous form, and then suffixes of derivation. A suffix is removed
//! only if `m` of the rest of the word is large enough.
//!
//! NLTK extends the paper. A table lists irregular words. Words of one or two letters stay unchanged. `ies`
//! and `ied` become `ie` in words of four letters (`ties`, `died`). `y` becomes `i` only after a consonant
//! that does not begin the word (`enjoy` stays). Step 2 has the additional suffixes `bli`, `alli`, `fulli`
//! and `logi`. A word of only a vowel and a consonant counts as consonant-vowel-consonant (`aged` becomes
//! `age`).
//!
//! Source: Porter 1980, An algorithm for suffix stripping; NLTK 3.10.4, compared over 600,000 words. Linear
//! time.

use alloc::string::String;

/// Writes the stem of `word`, which must be in lower case, to `stem`, replacing its content.
///
/// An empty word and words of up to two characters are their own stems. Upper-case letters count as
/// consonants like any other character, so lower-case the word first.
///
/// ```
/// let mut stem = String::new();
/// bleuprint_stem::porter("additionally", &mut stem);
/// assert_eq!(stem, "addit");
/// ```
pub fn porter(word: &str, stem: &mut String) {
    stem.clear();
    // Rules look only at ASCII letters, so an ASCII word is stemmed in place, byte by byte.
    if word.is_ascii() {
        stem.push_str(word);
        strip(stem);
    } else {
        strip_coded(word, stem);
    }
}

/// Stems a word that contains letters beyond ASCII, such as `é`. Every rule of Porter's stemmer treats such a
/// letter as a consonant.
///
/// Only one rule depends on which letter it is: two adjacent letters may be equal. So each letter beyond
/// ASCII is replaced by a temporary ASCII code, which equals the neighbouring code only if the letters are
/// equal.
fn strip_coded(word: &str, stem: &mut String) {
    // Control characters are consonants for every rule. Three codes suffice: one per run, one for the run
    // before and one for a letter after it.
    const CODES: [char; 3] = ['\u{1}', '\u{2}', '\u{3}'];
    let mut before: Option<(char, char)> = None;
    let mut rest = word.chars();
    while let Some(letter) = rest.next() {
        let code = match before {
            _ if letter.is_ascii() => letter,
            Some((same, code)) if same == letter => code,
            _ => {
                // The code must also differ from the letter after a run of this letter, so the end of the run
                // is searched.
                let after = rest.clone().find(|&next| next != letter);
                let taken = |code: char| before.is_some_and(|(_, last)| last == code) || after == Some(code);
                CODES.into_iter().find(|&code| !taken(code)).unwrap_or(CODES[0])
            }
        };
        stem.push(code);
        before = Some((letter, code));
    }
    let coded = core::mem::take(stem);
    *stem = coded.clone();
    strip(stem);
    // Rules only shorten the word or replace its end. So the unchanged start is decoded, and the rest are
    // letters of rules.
    let kept = coded.bytes().zip(stem.bytes()).take_while(|(before, after)| before == after).count();
    let end = stem.split_off(kept);
    stem.clear();
    stem.extend(word.chars().take(kept));
    stem.push_str(&end);
}

/// Replaces an ASCII word by its stem: applies all steps of Porter's algorithm.
fn strip(word: &mut String) {
    if let Some(stem) = irregular(word) {
        word.clear();
        word.push_str(stem);
    } else if word.len() > 2 {
        plural(word);
        past_or_continuous(word);
        final_y(word);
        double_suffix(word);
        replace_first(word, derived(word), 1);
        single_suffix(word);
        final_e(word);
        final_double_l(word);
    }
}

/// Returns the stem of a word in the list of irregular words, or `None` for any other word.
fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "sky" | "skies" => "sky",
        "dying" => "die",
        "lying" => "lie",
        "tying" => "tie",
        "news" => "news",
        "inning" | "innings" => "inning",
        "outing" | "outings" => "outing",
        "canning" | "cannings" => "canning",
        "howe" => "howe",
        "proceed" => "proceed",
        "exceed" => "exceed",
        "succeed" => "succeed",
        _ => return None,
    })
}

/// Removes plural endings such as `-s` and `-es` (step 1a of Porter's algorithm).
fn plural(word: &mut String) {
    let cut = match word.as_bytes() {
        [_, b'i', b'e', b's'] => 1,
        [.., b's', b's', b'e', b's'] | [.., b'i', b'e', b's'] => 2,
        [.., b's', b's'] => 0,
        [.., b's'] => 1,
        _ => 0,
    };
    shorten(word, cut);
}

/// Removes the endings `-ed` and `-ing` (step 1b of Porter's algorithm).
fn past_or_continuous(word: &mut String) {
    let removed = match word.as_bytes() {
        [_, b'i', b'e', b'd'] => return shorten(word, 1),
        [.., b'i', b'e', b'd'] => return shorten(word, 2),
        [stem @ .., b'e', b'e', b'd'] => return shorten(word, usize::from(measure(stem) > 0)),
        [stem @ .., b'e', b'd'] if has_vowel(stem) => 2,
        [stem @ .., b'i', b'n', b'g'] if has_vowel(stem) => 3,
        _ => return,
    };
    shorten(word, removed);
    match word.as_bytes() {
        [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => word.push('e'),
        [.., b'l', b'l'] | [.., b's', b's'] | [.., b'z', b'z'] => {}
        [.., last, b] if last == b && !is_vowel_at_end(word) => shorten(word, 1),
        // NLTK bug, kept: its rule for double consonants is named `*d`, and the name is also compared as a
        // suffix.
        [.., b'*', b'd'] => {
            shorten(word, 2);
            word.push('d');
        }
        stem if measure(stem) == 1 && ends_short(stem) => word.push('e'),
        _ => {}
    }
}

/// Changes a final `y` to `i` after a consonant that does not begin the word (step 1c of Porter's algorithm).
fn final_y(word: &mut String) {
    if let [rest @ .., b'y'] = word.as_bytes()
        && rest.len() > 1
        && vowels(rest).last() == Some(false)
    {
        shorten(word, 1);
        word.push('i');
    }
}

/// A suffix and the text that replaces it, such as `("ational", "ate")`.
type Rule = (&'static str, &'static str);

/// Shortens double suffixes, such as `-ization` to `-ize` (step 2 of Porter's algorithm).
fn double_suffix(word: &mut String) {
    // NLTK applies step 2 again after `alli`, so the loop repeats.
    while let [stem @ .., b'a', b'l', b'l', b'i'] = word.as_bytes()
        && measure(stem) > 0
    {
        shorten(word, 2);
    }
    if let [stem @ .., b'o', b'g', b'i'] = word.as_bytes() {
        // NLTK measures the stem of `logi` together with its `l`.
        let shorter = usize::from(stem.ends_with(b"l") && measure(stem) > 0);
        return shorten(word, shorter);
    }
    replace_first(word, doubled(word), 1);
}

/// Returns the rules of step 2 of Porter's algorithm whose suffix has the same second-to-last letter as the
/// word. The suffixes of all other rules cannot match the word.
fn doubled(word: &str) -> &'static [Rule] {
    match last_but_one(word) {
        b'a' => &[("ational", "ate"), ("tional", "tion")],
        b'c' => &[("enci", "ence"), ("anci", "ance")],
        b'e' => &[("izer", "ize")],
        b'l' => &[
            ("bli", "ble"),
            ("alli", "al"),
            ("entli", "ent"),
            ("eli", "e"),
            ("ousli", "ous"),
            ("fulli", "ful"),
        ],
        b'o' => &[("ization", "ize"), ("ation", "ate"), ("ator", "ate")],
        b's' => &[("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")],
        b't' => &[("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")],
        _ => &[],
    }
}

/// Returns the rules of step 3 of Porter's algorithm (suffixes such as `-ful` and `-ness`) whose suffix has
/// the same second-to-last letter as the word.
fn derived(word: &str) -> &'static [Rule] {
    match last_but_one(word) {
        b'a' => &[("ical", "ic")],
        b's' => &[("ness", "")],
        b't' => &[("icate", "ic"), ("iciti", "ic")],
        b'u' => &[("ful", "")],
        b'v' => &[("ative", "")],
        b'z' => &[("alize", "al")],
        _ => &[],
    }
}

/// Removes a suffix such as `-able` or `-ment`, if Porter's measure of the rest is above 1 (step 4 of
/// Porter's algorithm).
fn single_suffix(word: &mut String) {
    // `-ion` is removed only after `s` or `t`, which the table of rules cannot express.
    if let [stem @ .., b'i', b'o', b'n'] = word.as_bytes() {
        let removed = matches!(stem, [.., b's' | b't']) && measure(stem) > 1;
        return shorten(word, if removed { 3 } else { 0 });
    }
    let rules: &[Rule] = match last_but_one(word) {
        b'a' => &[("al", "")],
        b'c' => &[("ance", ""), ("ence", "")],
        b'e' => &[("er", "")],
        b'i' => &[("ic", "")],
        b'l' => &[("able", ""), ("ible", "")],
        b'n' => &[("ant", ""), ("ement", ""), ("ment", ""), ("ent", "")],
        b'o' => &[("ou", "")],
        b's' => &[("ism", "")],
        b't' => &[("ate", ""), ("iti", "")],
        b'u' => &[("ous", "")],
        b'v' => &[("ive", "")],
        b'z' => &[("ize", "")],
        _ => &[],
    };
    replace_first(word, rules, 2);
}

/// Removes a final `e` if the rest of the word is long enough (step 5a of Porter's algorithm).
fn final_e(word: &mut String) {
    if let [stem @ .., b'e'] = word.as_bytes() {
        let removed = match measure(stem) {
            0 => false,
            1 => !ends_short(stem),
            _ => true,
        };
        shorten(word, usize::from(removed));
    }
}

/// Shortens a final `ll` to `l` if the rest of the word is long enough (step 5b of Porter's algorithm).
fn final_double_l(word: &mut String) {
    if let [stem @ .., b'l'] = word.as_bytes()
        && stem.ends_with(b"l")
        && measure(stem) > 1
    {
        shorten(word, 1);
    }
}

/// Applies the first rule whose suffix matches the word, if Porter's measure of the word without the suffix
/// is at least `least`. Otherwise the word stays unchanged.
fn replace_first(word: &mut String, rules: &[Rule], least: usize) {
    let found = rules.iter().find_map(|(suffix, by)| Some((word.strip_suffix(suffix)?.len(), by)));
    if let Some((rest, by)) = found
        && measure(&word.as_bytes()[..rest]) >= least
    {
        word.truncate(rest);
        word.push_str(by);
    }
}

fn shorten(word: &mut String, by: usize) {
    word.truncate(word.len().saturating_sub(by));
}

/// Returns the second-to-last byte of the word, or 0 if the word is shorter.
fn last_but_one(word: &str) -> u8 {
    word.as_bytes().iter().nth_back(1).copied().unwrap_or(0)
}

/// Returns for each letter whether it is a vowel. `y` is a vowel only after a consonant, so not at the start.
fn vowels(letters: &[u8]) -> impl Iterator<Item = bool> {
    letters.iter().scan(true, |vowel, letter| {
        *vowel = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => true,
            b'y' => !*vowel,
            _ => false,
        };
        Some(*vowel)
    })
}

/// Returns Porter's measure `m` of a word: the number of places at which a consonant follows a vowel.
fn measure(letters: &[u8]) -> usize {
    let mut before = false;
    vowels(letters)
        .map(|vowel| {
            let turn = before && !vowel;
            before = vowel;
            usize::from(turn)
        })
        .sum()
}

fn has_vowel(letters: &[u8]) -> bool {
    vowels(letters).any(|vowel| vowel)
}

fn is_vowel_at_end(word: &str) -> bool {
    vowels(word.as_bytes()).last() == Some(true)
}

/// Returns `true` if the letters end in consonant, vowel, consonant (the last not `w`, `x` or `y`). Also
/// `true` for a vowel and a consonant alone.
fn ends_short(letters: &[u8]) -> bool {
    let mut last = [None; 3];
    for vowel in vowels(letters) {
        last = [last[1], last[2], Some(vowel)];
    }
    match last {
        [None, Some(true), Some(false)] => true,
        [Some(false), Some(true), Some(false)] => !matches!(letters.last(), Some(b'w' | b'x' | b'y')),
        _ => false,
    }
}
