//! Character classes of the tokenizer `ptb`. Each character is replaced by one byte, its class, and the token
//! rules are patterns over these bytes.

use crate::unicode::numbered;

/// Code point ranges with their classes, for characters beyond ASCII; an ASCII character is its own class.
/// The file has these classes, in hexadecimal digits:
///
/// - 80: letters, which are parts of words and joined to digits before them;
/// - 81: digits of other scripts;
/// - 82: marks, which are parts of words only;
/// - 83: symbols, each of which is a token;
/// - 84: symbols of which a run is one token.
const LISTED: &[(u32, u32, u8)] = numbered!("classes.txt");
/// Character class of dashes and ellipses, which are dropped as punctuation.
pub(super) const DROPPED: u8 = 0x85;
/// Character class of right single quotation marks, which are apostrophes within words.
pub(super) const RIGHT: u8 = 0x86;
pub(super) const LEFT: u8 = 0x87;
pub(super) const SOFT_HYPHEN: u8 = 0x88;
pub(super) const HYPHEN: u8 = 0x89;
/// Character class of the decimal signs of the Arabic script.
pub(super) const DECIMAL: u8 = 0x8A;
/// Character class of currency signs, which are rewritten: `£` becomes `#`.
pub(super) const CURRENCY: u8 = 0x8B;
pub(super) const FRACTION: u8 = 0x8C;
pub(super) const SLASH: u8 = 0x8D;
pub(super) const NO_BREAK_SPACE: u8 = 0x8E;
/// Character class of double quotation marks that are dropped. Low or reversed marks (`LOW`) are tokens
/// instead.
pub(super) const DOUBLE: u8 = 0x90;
pub(super) const LOW: u8 = 0x91;
/// Character class of all remaining characters, which separate tokens and are deleted.
pub(super) const OTHER: u8 = 0x8F;

pub(super) fn class(c: char) -> u8 {
    match c {
        '\t' => b' ',
        ' '..='~' => c as u8,
        '\u{80}' | '\u{A2}' | '\u{A3}' | '\u{A4}' | '\u{20A0}' | '\u{20AC}' => CURRENCY,
        '\u{BC}' | '\u{BD}' | '\u{BE}' | '\u{2153}' | '\u{2154}' => FRACTION,
        '\u{91}' | '\u{2018}' | '\u{201B}' | '\u{2039}' => LEFT,
        '\u{92}' | '\u{2019}' | '\u{203A}' => RIGHT,
        '\u{96}' | '\u{97}' | '\u{2013}'..='\u{2015}' | '\u{2026}' => DROPPED,
        '\u{93}' | '\u{94}' | '\u{AB}' | '\u{BB}' | '\u{201C}' | '\u{201D}' => DOUBLE,
        '\u{201A}' | '\u{201E}' | '\u{201F}' => LOW,
        '\u{AD}' => SOFT_HYPHEN,
        '\u{58A}' | '\u{2010}' | '\u{2011}' => HYPHEN,
        '\u{66B}' | '\u{66C}' => DECIMAL,
        '\u{2044}' => SLASH,
        '\u{A0}' => NO_BREAK_SPACE,
        _ => listed(c),
    }
}

fn listed(c: char) -> u8 {
    let code = u32::from(c);
    let next = LISTED.partition_point(|(first, ..)| *first <= code);
    let before = next.checked_sub(1).map(|at| LISTED[at]);
    before.filter(|(_, last, _)| code <= *last).map_or(OTHER, |(.., class)| class)
}

/// Returns the text that replaces this character in every token, such as `-lrb-` for `(`, or `None` if the
/// character is kept.
pub(super) fn rewritten(c: char) -> Option<&'static str> {
    Some(match c {
        '(' => "-lrb-",
        ')' => "-rrb-",
        '\u{80}' | '\u{A4}' | '\u{20A0}' | '\u{20AC}' => "$",
        '\u{A2}' => "cents",
        '\u{A3}' => "#",
        '\u{BC}' => "1/4",
        '\u{BD}' => "1/2",
        '\u{BE}' => "3/4",
        '\u{2153}' => "1/3",
        '\u{2154}' => "2/3",
        '\u{AD}' => "",
        _ => return None,
    })
}
