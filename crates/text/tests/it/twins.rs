//! The single-pass tokenizers against their naive twins: short strings exhaustively, random strings over hostile
//! alphabets, and every scalar value alone and between letters and digits.

use crate::naive::list::twins;
use bleuprint_testkit::draws;
use bleuprint_text::{TokenBuffer, Tokenizer, TokenizerOptions, Tokenizers, tokenizer};
use quickcheck::{Arbitrary, Gen, QuickCheck};

#[test]
fn short_strings_agree() {
    let mut buffer = TokenBuffer::default();
    for twin in twins() {
        for alphabet in ["1a.,- ", "1's ,.", "٣a。1 中", "\n-1.'s", "theA “", "an_中e", "a \t\u{a0}b"] {
            let letters: Vec<char> = alphabet.chars().collect();
            for_each_string(&letters, 5, &mut |line| twin.check(line, &mut buffer));
        }
    }
}

pub(crate) fn for_each_string(letters: &[char], longest: u32, found: &mut dyn FnMut(&str)) {
    let mut line = String::new();
    for len in 0..=longest {
        for number in 0..letters.len().pow(len) {
            line.clear();
            let mut rest = number;
            for _ in 0..len {
                line.push(letters[rest % letters.len()]);
                rest /= letters.len();
            }
            found(&line);
        }
    }
}

/// Beyond the planes 0 to 2 there are ideographs, tags, private and unassigned values: one in 61 is asked, and all in the nightly
/// run.
#[test]
fn every_scalar_value_agrees_in_every_context() {
    let step = draws(1, 61) as u32;
    let is_asked = move |code: &u32| *code < 0x3_0000 || code.is_multiple_of(step);
    // The options of `tercom` add nothing to its classes but these, nor does ASCII to those of `mteval`. The table
    // of `squad` is of an older Unicode.
    let ours = |name: &str| {
        (!name.starts_with("tercom") || name == "tercom-norm-asian")
            && !name.ends_with(" lc-ascii")
            && !name.starts_with("squad")
    };
    let twins = twins().into_iter().filter(|twin| ours(&twin.name));
    std::thread::scope(|scope| {
        for twin in twins {
            scope.spawn(move || {
                let (mut buffer, mut line) = (TokenBuffer::default(), String::new());
                for c in (0..=0x10FFFF).filter(is_asked).filter_map(char::from_u32) {
                    line.clear();
                    line.extend([c, 'a', c, '1', c, '2', '.', c, '-']);
                    twin.check(&line, &mut buffer);
                }
            });
        }
    });
}

/// Strings that hit the run rules, the entities and the edges of the tables.
#[derive(Debug, Clone)]
struct Hostile(String);

const PIECES: &str = "1|2|a|b|.|,|.|,|-| |'s|$|&|&amp;|&quot;|&lt;|&gt;|&AMP;|&apos;|A|É|Σ|<skipped>|\
    <SKIPPED>|-\n|\n-|\n|٣|½|²|。|，|、|中|龼|𠀀|か|ｱ|１|—|“|€|\u{a0}|\u{3000}|\u{1c}|\u{85}|\
    \u{200b}|e\u{301}|(|\"|!|\u{2000}|한|/|_|the|The | an|K|İ|running|\r|\t|'";

impl Arbitrary for Hostile {
    fn arbitrary(g: &mut Gen) -> Self {
        // Some longer than the blocks that lines are read in.
        let len = usize::arbitrary(g) % *g.choose(&[16, 16, 16, 120]).unwrap_or(&16);
        let pieces: Vec<&str> = PIECES.split('|').collect();
        // A small alphabet per string, so that runs happen.
        let alphabet: Vec<&str> = (0..5).filter_map(|_| g.choose(&pieces).copied()).collect();
        Hostile((0..len).filter_map(|_| g.choose(&alphabet).copied()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Hostile))
    }
}

#[test]
fn random_hostile_strings_agree() {
    for twin in twins() {
        let name = twin.name.clone();
        let agree = |text: &Hostile| {
            let mut buffer = TokenBuffer::default();
            twin.fast.tokenize(&text.0, &mut buffer).expect("a short line").to_string()
                == (twin.naive)(&text.0)
        };
        let mut generator = Gen::new(100);
        for _ in 0..draws(20_000, 4_000) {
            let text = Hostile::arbitrary(&mut generator);
            if !agree(&text) {
                let smallest =
                    std::iter::successors(Some(text), |text| text.shrink().find(|text| !agree(text)));
                panic!("{name} disagrees with its twin on {:?}", smallest.last());
            }
        }
    }
}

#[test]
fn no_tokenizer_panics() {
    fn nothing_panics(text: String) -> bool {
        let mut buffer = TokenBuffer::default();
        for entry in Tokenizers::default().entries() {
            if let Ok(tokenizer) = tokenizer(entry.name, &TokenizerOptions::default()) {
                let _ = tokenizer.tokenize(&text, &mut buffer).map(|tokens| tokens.len());
                let _ = tokenizer.ids(&text, &mut buffer, &mut Vec::new());
            }
        }
        true
    }
    QuickCheck::new().tests(300).quickcheck(nothing_panics as fn(String) -> bool);
}
