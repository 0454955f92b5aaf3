//! Compares the stemmer with its reference implementation, the plain list of rules, and with NLTK's stems.

use bleuprint_stem::porter;
use quickcheck::{Arbitrary, Gen, QuickCheck};

fn stem(word: &str) -> String {
    let mut stem = String::from("left over");
    porter(word, &mut stem);
    stem
}

/// The reference implementation: the rules one by one, over characters.
mod naive {
    const IRREGULAR: &str = "sky:sky skies:sky dying:die lying:lie tying:tie news:news inning:inning innings:inning \
        outing:outing outings:outing canning:canning cannings:canning howe:howe proceed:proceed exceed:exceed \
        succeed:succeed";
    const STEP_2: &str = "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e \
        ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive \
        biliti:ble fulli:ful";
    const STEP_3: &str = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:";
    const STEP_4: &str = "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: \
        ive: ize:";

    fn rules(text: &str) -> impl Iterator<Item = (&str, &str)> {
        text.split_whitespace().filter_map(|rule| rule.split_once(':'))
    }

    fn vowel(word: &[char], i: usize) -> bool {
        "aeiou".contains(word[i]) || word[i] == 'y' && i > 0 && !vowel(word, i - 1)
    }

    fn m(word: &str) -> usize {
        let word: Vec<char> = word.chars().collect();
        (1..word.len()).filter(|&i| vowel(&word, i - 1) && !vowel(&word, i)).count()
    }

    fn has_vowel(word: &str) -> bool {
        let word: Vec<char> = word.chars().collect();
        (0..word.len()).any(|i| vowel(&word, i))
    }

    fn cvc(word: &str) -> bool {
        let word: Vec<char> = word.chars().collect();
        let n = word.len();
        let long = n >= 3 && !vowel(&word, n - 3) && vowel(&word, n - 2) && !vowel(&word, n - 1);
        long && !"wxy".contains(word[n - 1]) || n == 2 && vowel(&word, 0) && !vowel(&word, 1)
    }

    fn doubled(word: &str) -> Option<char> {
        let word: Vec<char> = word.chars().collect();
        let n = word.len();
        (n >= 2 && word[n - 1] == word[n - 2] && !vowel(&word, n - 1)).then(|| word[n - 1])
    }

    fn without_last(word: &str) -> &str {
        word.char_indices().last().map_or("", |(at, _)| &word[..at])
    }

    pub(super) fn porter(word: &str) -> String {
        if let Some((_, stem)) = rules(IRREGULAR).find(|(irregular, _)| *irregular == word) {
            return stem.to_owned();
        }
        if word.chars().count() <= 2 {
            return word.to_owned();
        }
        step_5(&step_4(&step_3(&step_2(&step_1c(&step_1b(&step_1a(word)))))))
    }

    fn step_1a(word: &str) -> String {
        if word.ends_with("ies") && word.chars().count() == 4 {
            return without_last(word).to_owned();
        }
        let found = rules("sses:ss ies:i ss:ss s:").find(|(suffix, _)| word.ends_with(suffix));
        found.map_or(word.to_owned(), |(suffix, by)| replaced(word, suffix, by))
    }

    fn replaced(word: &str, suffix: &str, by: &str) -> String {
        format!("{}{by}", &word[..word.len() - suffix.len()])
    }

    fn step_1b(word: &str) -> String {
        if word.ends_with("ied") {
            return replaced(word, "ied", if word.chars().count() == 4 { "ie" } else { "i" });
        }
        if let Some(rest) = word.strip_suffix("eed") {
            return if m(rest) > 0 { format!("{rest}ee") } else { word.to_owned() };
        }
        let rest =
            ["ed", "ing"].iter().filter_map(|suffix| word.strip_suffix(suffix)).find(|rest| has_vowel(rest));
        let Some(rest) = rest else { return word.to_owned() };
        if ["at", "bl", "iz"].iter().any(|end| rest.ends_with(end)) {
            return format!("{rest}e");
        }
        match doubled(rest) {
            Some('l' | 's' | 'z') => rest.to_owned(),
            Some(_) => without_last(rest).to_owned(),
            None if rest.ends_with("*d") => replaced(rest, "*d", "d"),
            None if m(rest) == 1 && cvc(rest) => format!("{rest}e"),
            None => rest.to_owned(),
        }
    }

    fn step_1c(word: &str) -> String {
        let Some(rest) = word.strip_suffix('y') else { return word.to_owned() };
        let letters: Vec<char> = rest.chars().collect();
        let consonant = letters.len() > 1 && !vowel(&letters, letters.len() - 1);
        if consonant { format!("{rest}i") } else { word.to_owned() }
    }

    fn step_2(word: &str) -> String {
        if word.strip_suffix("alli").is_some_and(|rest| m(rest) > 0) {
            return step_2(&replaced(word, "alli", "al"));
        }
        if let Some(rest) = word.strip_suffix("logi") {
            return if m(&format!("{rest}l")) > 0 { format!("{rest}log") } else { word.to_owned() };
        }
        first_rule(word, STEP_2, |rest| m(rest) > 0)
    }

    fn step_3(word: &str) -> String {
        first_rule(word, STEP_3, |rest| m(rest) > 0)
    }

    fn step_4(word: &str) -> String {
        let ion = word.ends_with("ion");
        first_rule(word, STEP_4, |rest| m(rest) > 1 && (!ion || rest.ends_with(['s', 't'])))
    }

    fn first_rule(word: &str, all: &str, holds: impl Fn(&str) -> bool) -> String {
        match rules(all).find(|(suffix, _)| word.ends_with(suffix)) {
            Some((suffix, by)) if holds(&word[..word.len() - suffix.len()]) => replaced(word, suffix, by),
            _ => word.to_owned(),
        }
    }

    fn step_5(word: &str) -> String {
        let mut word = word.to_owned();
        if let Some(rest) = word.strip_suffix('e')
            && (m(rest) > 1 || m(rest) == 1 && !cvc(rest))
        {
            word = rest.to_owned();
        }
        if word.ends_with("ll") && m(without_last(&word)) > 1 {
            word.pop();
        }
        word
    }
}

/// A word of a few letters and many suffixes, sometimes with letters beyond ASCII and the codes used for
/// them.
#[derive(Debug, Clone)]
struct Word(String);

const PIECES: &[&str] = &[
    "a", "e", "i", "y", "b", "c", "t", "l", "s", "z", "x", "w", "g", "d", "é", "ß", "中", "*", "1", "\u{1}",
    "\u{2}", "at", "iz", "ies", "sses", "ied", "eed", "ed", "ing", "ational", "tional", "enci", "anci",
    "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness",
    "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti",
    "ical", "ful", "ness", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize", "ll", "*d",
];

impl Arbitrary for Word {
    fn arbitrary(g: &mut Gen) -> Self {
        let letters = (0..u8::arbitrary(g) % 6).map(|_| PIECES[usize::arbitrary(g) % 21]);
        let mut word: String = letters.collect();
        for _ in 0..u8::arbitrary(g) % 4 {
            word.push_str(PIECES[usize::arbitrary(g) % PIECES.len()]);
        }
        Word(word)
    }
}

#[test]
fn agrees_with_the_naive_twin() {
    fn agrees(word: Word) -> bool {
        stem(&word.0) == naive::porter(&word.0)
    }
    QuickCheck::new().tests(200_000).quickcheck(agrees as fn(Word) -> bool);
}

#[test]
fn agrees_on_all_short_words() {
    let letters = ["a", "e", "y", "s", "l", "d", "i", "é", "n", "g"];
    for len in 0..=5 {
        for number in 0..10_usize.pow(len) {
            let word: String = (0..len).map(|digit| letters[number / 10_usize.pow(digit) % 10]).collect();
            assert_eq!(stem(&word), naive::porter(&word), "{word}");
        }
    }
}

#[test]
fn nltk_stems_alike() {
    let cases = bleuprint_testkit::tables::stems();
    assert!(cases.len() > 1000);
    for (word, expected) in cases {
        assert_eq!(stem(word), expected, "{word}");
        assert_eq!(naive::porter(word), expected, "{word}");
    }
}
