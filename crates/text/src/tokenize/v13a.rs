//! `13a`: the tokenizer of NIST's script mteval-v13a, which is sacreBLEU's default.
//!
//! Rule, in this order:
//!
//! 1. Delete `<skipped>`; delete each dash before a line feed, together with the line feed.
//! 2. Replace `&quot;`, `&amp;`, `&lt;` and `&gt;`, in this order (so `&amp;lt;` becomes `<`).
//! 3. Separate: every ASCII symbol; `.` and `,` unless they are between ASCII digits; a dash after an ASCII
//!    digit.
//! 4. Split at whitespace.
//!
//! Apostrophes and all characters beyond ASCII stay inside their words.
//!
//! Singular cases: an empty or blank line has no tokens; `...` gives three tokens; `,,1` gives `, ,1`.
//! Errors: Returns an error for a line of 4 GiB or more.
//! Source: `-tok 13a` of sacreBLEU 2.6.0, compared on every scalar value and on real and random text.

use super::buffer::{TokenBuffer, Tokens, check_len};
use super::runs::{self, REWRITE, RunRules, SPACE, WORD};
use super::sets::{self, SetRules};
use super::{Tokenizer, TokenizerEntry};
use crate::whitespace::{is_whitespace_code, rstrip};
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry =
    TokenizerEntry::new("13a", "mteval-v13a: ASCII punctuation cut off, the default of sacreBLEU", |_| {
        Ok(Box::new(V13a))
    })
    .aliases(&["mteval-v13a"])
    .agrees_with("sacreBLEU 2.6.0");

struct V13a;

impl Tokenizer for V13a {
    fn token_space(&self) -> &str {
        "13a"
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        // This path needs no stripping: under these rules trailing whitespace is like any other whitespace.
        // The line is first tried as it is, since few lines have entities, and a copy of the others would be
        // wasted.
        check_len(line)?;
        buffer.spans.clear();
        if sets::try_cut::<V13aRules<true>>(line, &mut buffer.spans) {
            return buffer.tokens_of(line);
        }
        buffer.text.clear();
        // This path needs stripping: a dash and a line feed at the end of the line would be deleted together.
        buffer.text.push_str(rstrip(line));
        buffer.replace("<skipped>", "");
        buffer.replace("-\n", "");
        unescape(buffer);
        buffer.cut_own(sets::cut::<V13aRules>)
    }
}

/// Replaces the four entities that mteval knows, such as `&quot;`, in the buffer's text. The order matters:
/// `&amp;lt;` becomes `<`, but `&amp;quot;` does not become a quote.
pub(super) fn unescape(buffer: &mut TokenBuffer) {
    if memchr::memchr(b'&', buffer.text.as_bytes()).is_none() {
        return;
    }
    buffer.replace("&quot;", "\"");
    buffer.replace("&amp;", "&");
    buffer.replace("&lt;", "<");
    buffer.replace("&gt;", ">");
}

/// The rules of the tokenizer `13a`. The start and end of a text do not count as numbers, because mteval adds
/// spaces around the text. If `RAW` is `true`, the text may still contain `&`, `<` or line feeds that must be
/// rewritten first; tokenization stops there.
pub(super) struct V13aRules<const RAW: bool = false>;

impl<const RAW: bool> RunRules for V13aRules<RAW> {
    const BYTES: &'static [u8; 256] = &bytes(RAW);
    const EDGE_IS_NUMBER: bool = false;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        if is_whitespace_code(code) { SPACE } else { WORD }
    }
}

impl<const RAW: bool> SetRules for V13aRules<RAW> {
    const REWRITES: bool = RAW;
    // A reversed range is empty: no character beyond ASCII is a symbol here.
    const SYMBOL_LEADS: (u8, u8) = (1, 0);
    const OTHER_LEADS: [(u8, u8); 3] = [(0xC2, 0xC2), (0xE1, 0xE3), (0xE1, 0xE3)];
}

const fn bytes(raw: bool) -> [u8; 256] {
    let mut bytes = runs::bytes_of_13a();
    if raw {
        bytes[b'&' as usize] = REWRITE;
        bytes[b'<' as usize] = REWRITE;
        bytes[b'\n' as usize] = REWRITE;
    }
    bytes
}
