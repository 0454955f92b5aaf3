//! Random strings of texts that tokenizers often get wrong: runs at the edges of their rules, halves of entities, every kind of
//! whitespace, the borders of their tables, words that dictionaries cut in more than one way.

use bleuprint_testkit::random::Rng;

use crate::parity::corpus;
use crate::pieces;

/// First and last code points of what `zh`, `tercom` and MeCab's categories treat apart; neighbours are drawn as well.
const BORDERS: &[u32] = &[
    0x2F, 0x3A, 0x40, 0x5B, 0x60, 0x7B, 0x7E, 0x80, 0xA0, 0xBF, 0x2000, 0x2001, 0x2A6D, 0x2E80, 0x2EFF,
    0x2FDF, 0x2FF0, 0x3001, 0x3002, 0x3008, 0x3011, 0x3014, 0x301F, 0x303F, 0x3040, 0x309F, 0x30A0, 0x30FB,
    0x30FF, 0x3100, 0x312F, 0x31A0, 0x31C0, 0x31EF, 0x31F0, 0x31FF, 0x3200, 0x3300, 0x33FF, 0x3400, 0x3F22,
    0x4DB5, 0x4DBF, 0x4E00, 0x9FA5, 0x9FBB, 0x9FFF, 0xAC00, 0xD7A3, 0xD7FF, 0xE000, 0xF900, 0xFA2D, 0xFA30,
    0xFA6A, 0xFA70, 0xFAD9, 0xFAFF, 0xFE10, 0xFE1F, 0xFE30, 0xFE4F, 0xFF00, 0xFF01, 0xFF02, 0xFF08, 0xFF0C,
    0xFF0E, 0xFF1A, 0xFF1F, 0xFF61, 0xFF65, 0xFF9F, 0xFFEF, 0xFFFD, 0xFFFF, 0x1_0000, 0x2_0000, 0x2_A6D6,
    0x2_F800, 0x2_FA1D, 0x10_FFFF,
];

/// Range that contains most characters with a separate class in a tokenizer.
const BUSY: &[(u32, u32)] = &[
    (0x00, 0x7F),
    (0xA0, 0x17F),
    (0x300, 0x6FF),
    (0x900, 0x109F),
    (0x1F00, 0x2BFF),
    (0x2E00, 0x33FF),
    (0xFB00, 0xFFFF),
    (0x1_0100, 0x1_0FFF),
    (0x1_D000, 0x1_D7FF),
    (0x1_EC70, 0x1_FBFF),
];

/// Returns a random string; one in eight mixes all kinds of pieces.
pub(super) fn text(rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => corpus::text(rng),
        1 => repeated(rng, |rng| random_text("runs", rng)),
        2 => repeated(rng, |rng| random_text("entities", rng)),
        3 => repeated(rng, |rng| random_text("spaces", rng)),
        4 => repeated(rng, |rng| random_text("classes", rng)),
        5 => repeated(rng, |rng| random_text("morphemes", rng)),
        6 => repeated(rng, border),
        _ => repeated(rng, anything),
    }
}

fn repeated(rng: &mut Rng, mut piece: impl FnMut(&mut Rng) -> String) -> String {
    let len = if rng.chance(40) { rng.between(20, 80) } else { rng.between(0, 12) };
    (0..len).map(|_| piece(rng)).collect()
}

fn random_text(list: &str, rng: &mut Rng) -> String {
    (*rng.pick(pieces::pieces(list))).to_owned()
}

/// Returns a code point at a border or next to it, sometimes followed by another character.
fn border(rng: &mut Rng) -> String {
    let code = *rng.pick(BORDERS) + rng.below(3) as u32;
    let character = char::from_u32(code.saturating_sub(1)).unwrap_or('\u{FFFD}');
    format!("{character}{}", rng.pick(pieces::pieces("fillers")))
}

fn anything(rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => random_text("runs", rng),
        1 => random_text("entities", rng),
        2 => random_text("spaces", rng),
        3 => random_text("classes", rng),
        4 => random_text("morphemes", rng),
        5 => border(rng),
        6 => {
            let &(first, last) = rng.pick(BUSY);
            character(first, last, rng)
        }
        _ => character(0, 0x10_FFFF, rng),
    }
}

fn character(first: u32, last: u32, rng: &mut Rng) -> String {
    let code = rng.between(first as usize, last as usize) as u32;
    char::from_u32(code).map_or(String::new(), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_the_same_again_and_of_all_kinds() {
        let strings = |seed| {
            let mut rng = Rng::new(seed);
            (0..2_000).map(|_| text(&mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(strings(1), strings(1));
        let strings = strings(2);
        for part in ["&quot;", "<skipped>", "-\n", "'s", "\u{1c}", "\u{3000}", "1.", ",2", "すもも", "아버지"]
        {
            assert!(strings.iter().any(|string| string.contains(part)), "{part:?}");
        }
        assert!(strings.iter().any(String::is_empty));
        assert!(strings.iter().any(|string| string.chars().count() > 80));
    }
}
