//! The normalizers `nfc`, `nfkc`, `nfd` and `nfkd`, which bring text into a normal form of Unicode 14.0.0.
//!
//! Rule: Unicode Standard Annex 15. Code points that were assigned after Unicode 14.0.0 are treated as
//! unassigned. They are unchanged, and the characters on their two sides never combine with each other. The
//! annex's quick check recognizes texts that are already in the form; most texts are, and are not rewritten.
//!
//! Source: CPython 3.11.7, `unicodedata.normalize`.

use super::{NormalizerEntry, classes, step};
use crate::char_table::CharTable;
use crate::unicode;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

const PROGRAM: &str = "CPython 3.11";

pub(super) const NFC: NormalizerEntry =
    step!("nfc", "Unicode normalization form C, composed", |text, spare| {
        NormalizationForm::Nfc.rewrite(text, spare);
    })
    .agrees_with(PROGRAM);
pub(super) const NFKC: NormalizerEntry =
    step!("nfkc", "form KC, composed, with plain characters for variants", |text, spare| {
        NormalizationForm::Nfkc.rewrite(text, spare);
    })
    .agrees_with(PROGRAM);
pub(super) const NFD: NormalizerEntry = step!("nfd", "form D, decomposed", |text, spare| {
    NormalizationForm::Nfd.rewrite(text, spare);
})
.agrees_with(PROGRAM);
pub(super) const NFKD: NormalizerEntry =
    step!("nfkd", "form KD, decomposed, with plain characters for variants", |text, spare| {
        NormalizationForm::Nfkd.rewrite(text, spare);
    })
    .agrees_with(PROGRAM);

#[derive(Clone, Copy)]
pub(super) enum NormalizationForm {
    Nfc = 1,
    Nfkc = 2,
    Nfd = 4,
    Nfkd = 8,
}

const BLOCKS: usize = 104;
/// For each class of code points, a bit set of Unicode normal forms and a flag. The bits are the forms in
/// which a code point of the class changes or can combine with the code point before it. The flag is `true`
/// if the combining class is not 0.
const CLASSES: [(u8, bool); 9] = [
    (0, false),
    (12, false),
    (10, false),
    (15, false),
    (14, false),
    (3, false),
    (0, true),
    (3, true),
    (15, true),
];

static TABLE: CharTable<BLOCKS> = build();

const fn build() -> CharTable<BLOCKS> {
    let mut table = CharTable::new();
    let mut at = 0;
    while at < unicode::FORMS.len() {
        let (first, last, class) = unicode::FORMS[at];
        table = table.fill(first, last, 1, class);
        at += 1;
    }
    table
}

impl NormalizationForm {
    /// Returns the text in this Unicode normal form; a text that is already in the form is borrowed.
    pub(super) fn apply(self, text: &str) -> Cow<'_, str> {
        if self.first_breach(text).is_none() {
            return Cow::Borrowed(text);
        }
        let mut text = text.to_owned();
        let mut spare = String::new();
        self.rewrite(&mut text, &mut spare);
        Cow::Owned(text)
    }

    pub(super) fn rewrite(self, text: &mut String, spare: &mut String) -> bool {
        let Some(mut place) = self.first_breach(text) else { return false };
        spare.clear();
        let mut rest = text.as_str();
        loop {
            // Only the breaches are rewritten; the text between them is copied, since a breach starts and
            // ends at code points that never combine.
            let (before, breach) = rest.split_at(place);
            spare.push_str(before);
            let end = end_of_breach(breach);
            self.push(&breach[..end], spare);
            rest = &breach[end..];
            match self.first_breach(rest) {
                Some(next) => place = next,
                None => break,
            }
        }
        spare.push_str(rest);
        std::mem::swap(text, spare);
        true
    }

    /// Returns a byte position before the first place where the text may differ from this Unicode normal
    /// form. Returns `None` if the whole text is in the form. The text can be normalized from this position
    /// on, because characters before it do not combine with characters after it.
    fn first_breach(self, text: &str) -> Option<usize> {
        if text.is_ascii() {
            return None;
        }
        // `combining` is the last mark, or NUL after a code point that is no mark.
        let mut start = 0;
        let mut combining = '\0';
        for (at, c) in text.char_indices() {
            if c.is_ascii() {
                (start, combining) = (at, '\0');
                continue;
            }
            let (forms, combines) = CLASSES[usize::from(TABLE.class(c as u32))];
            if forms & self as u8 != 0 {
                return Some(start);
            }
            if !combines {
                (start, combining) = (at, '\0');
            } else {
                // Marks of one base must be in the order of their combining classes: the annex's canonical
                // ordering.
                if combining != '\0' && canonical_combining_class(combining) > canonical_combining_class(c) {
                    return Some(start);
                }
                combining = c;
            }
        }
        None
    }

    fn push(self, part: &str, out: &mut String) {
        // The library knows later versions of Unicode, so text is cut at unassigned code points, which Python
        // 3.11 leaves alone.
        for piece in part.split_inclusive(classes::is_unassigned) {
            let unknown = piece.chars().next_back().filter(|&c| classes::is_unassigned(c));
            let known = &piece[..piece.len() - unknown.map_or(0, char::len_utf8)];
            match self {
                NormalizationForm::Nfc => out.extend(known.nfc()),
                NormalizationForm::Nfkc => out.extend(known.nfkc()),
                NormalizationForm::Nfd => out.extend(known.nfd()),
                NormalizationForm::Nfkd => out.extend(known.nfkd()),
            }
            out.extend(unknown);
        }
    }
}

/// Returns the length in bytes of the prefix of `text` that must be normalized as a whole. The prefix ends
/// before a code point that no normal form changes and that combines with nothing before it.
fn end_of_breach(text: &str) -> usize {
    let free = |&(at, c): &(usize, char)| at > 0 && TABLE.class(c as u32) == 0;
    text.char_indices().find(free).map_or(text.len(), |(at, _)| at)
}

/// Calls `each` with the code points of the compatibility decomposition of `c`.
#[inline]
pub(super) fn decompose(c: char, mut each: impl FnMut(char)) {
    let (forms, _) = CLASSES[usize::from(TABLE.class(c as u32))];
    if forms & NormalizationForm::Nfkd as u8 == 0 {
        each(c);
    } else {
        unicode_normalization::char::decompose_compatible(c, each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(form: NormalizationForm, text: &str) -> String {
        let mut text = text.to_owned();
        let mut spare = String::new();
        form.rewrite(&mut text, &mut spare);
        text
    }

    #[test]
    fn every_code_point_is_written_in_its_form() {
        // Beyond plane 2 nearly all are private.
        let step = bleuprint_testkit::draws(1, 61) as u32;
        let asked = (0..=0x10_FFFF_u32).filter(|code| *code < 0x3_0000 || code.is_multiple_of(step));
        for c in asked.filter_map(char::from_u32).filter(|&c| !classes::is_unassigned(c)) {
            for text in [
                c.to_string(),
                format!("a{c}"),
                format!("é\u{323}{c}\u{301}b"),
                format!("\u{1100}{c}\u{11a8}"),
            ] {
                assert_eq!(
                    rewritten(NormalizationForm::Nfc, &text),
                    text.nfc().collect::<String>(),
                    "{text:?}"
                );
                assert_eq!(
                    rewritten(NormalizationForm::Nfkc, &text),
                    text.nfkc().collect::<String>(),
                    "{text:?}"
                );
                assert_eq!(
                    rewritten(NormalizationForm::Nfd, &text),
                    text.nfd().collect::<String>(),
                    "{text:?}"
                );
                assert_eq!(
                    rewritten(NormalizationForm::Nfkd, &text),
                    text.nfkd().collect::<String>(),
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn later_code_points_stay_and_separate() {
        // U+113C5 joins U+113C2 since Unicode 16; U+1E4EE is a mark since 15.1, of another class than U+0301.
        for text in ["\u{113c2}\u{113c2}", "e\u{1e4ee}\u{301}", "\u{16121}\u{1611e}"] {
            for form in [
                NormalizationForm::Nfc,
                NormalizationForm::Nfkc,
                NormalizationForm::Nfd,
                NormalizationForm::Nfkd,
            ] {
                assert_eq!(rewritten(form, text), text, "{text:?}");
            }
        }
        assert_eq!(rewritten(NormalizationForm::Nfc, "e\u{301}\u{1e4ee}e\u{301}"), "é\u{1e4ee}é");
    }
}
