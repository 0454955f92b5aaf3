//! `13a`: the tokenizer of NIST's mteval-v13a, sacreBLEU's default.
//!
//! Rule: delete `<skipped>`; delete a dash with the line feed after it; replace `&quot;`, `&amp;`, `&lt;` and
//! `&gt;`, in this order (so `&amp;lt;` becomes `<`); then isolate ASCII symbols, isolate `.` and `,` unless
//! they stand between ASCII digits, isolate a dash after a digit, and split at whitespace. Apostrophes and
//! everything beyond ASCII stay inside their words.
//!
//! Singular cases: an empty or blank line has no tokens; `...` gives three; `,,1` gives `, ,1`.
//! Errors: a line of 4 GiB or more.
//! Source: sacreBLEU 2.6.0, `-tok 13a`, compared on every scalar value and on real and random text.

use super::buffer::{TokenBuffer, Tokens};
use super::runs::{self, REWRITE, Rules, SPACE, WORD};
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
        // Here the line needs no strip: in these rules trailing whitespace is like any other.
        let mut cut = false;
        buffer.cut(line, |line, spans| cut = sets::try_cut::<V13aRules<true>>(line, spans))?;
        if cut {
            return buffer.tokens_of(line);
        }
        buffer.text.clear();
        // Here it does: a dash with a line feed at the end of the line would disappear.
        buffer.text.push_str(rstrip(line));
        buffer.replace("<skipped>", "");
        buffer.replace("-\n", "");
        unescape(buffer);
        buffer.cut_own(sets::cut::<V13aRules>)
    }
}

/// Replaces the four entities that mteval knows. The order matters: `&amp;lt;` becomes `<`, `&amp;quot;` does not
/// become a quote.
pub(super) fn unescape(buffer: &mut TokenBuffer) {
    if memchr::memchr(b'&', buffer.text.as_bytes()).is_none() {
        return;
    }
    buffer.replace("&quot;", "\"");
    buffer.replace("&amp;", "&");
    buffer.replace("&lt;", "<");
    buffer.replace("&gt;", ">");
}

/// The text is padded with spaces, so its edges are not numbers. Text as read is `RAW`: it needs rewriting only if it
/// contains one of three characters.
pub(super) struct V13aRules<const RAW: bool = false>;

impl<const RAW: bool> Rules for V13aRules<RAW> {
    const BYTES: &'static [u8; 256] = &bytes(RAW);
    const EDGE_IS_NUMBER: bool = false;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        if is_whitespace_code(code) { SPACE } else { WORD }
    }
}

impl<const RAW: bool> SetRules for V13aRules<RAW> {
    const REWRITES: bool = RAW;
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
