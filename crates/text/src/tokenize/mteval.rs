//! `mteval` and `mteval-intl`: tokenizers with the tokens of NIST's scripts mteval-v13a and v14 for raw text,
//! including the change of case.
//!
//! Rule, in this order:
//!
//! 1. Delete `<skipped>`; replace `&quot;`, `&amp;`, `&lt;`, `&gt;` (and `&apos;` in `mteval-intl`).
//! 2. Apply the case of [`TokenizerOptions::case`](super::TokenizerOptions::case). By default the scripts
//!    lower-case A to Z (`lc-ascii`). With `--international-tokenization` they lower-case every letter (`lc`,
//!    without context: a capital sigma is always `σ`). With `-c` they keep the case.
//! 3. Apply the rules of [`13a`](super::v13a), or the rules of [`intl`](super::intl) for `mteval-intl`.
//! 4. Split at Unicode whitespace, which excludes U+001C to U+001F.
//!
//! `mteval-intl` drops trailing whitespace first, because `1990.` and `1990. ` would differ otherwise.
//!
//! Hence `13a` gives the same tokens as `mteval` with `-c`, except for the four separators of step 4. With
//! lower case there is one more difference: sacreBLEU's `--lowercase` precedes `13a` and turns `&AMP;` into
//! an entity. A line feed within a text is a space; mteval joins lines that end in a dash only in XML files.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Returns an error for a line of 4 GiB or
//! more.
//! Source: NIST mteval v13a and v14, as described. The steps shared with sacreBLEU's `13a` and `intl` are
//! compared with sacreBLEU. Unicode categories are as in `intl`; the case mapping is taken from Unicode 14.0.

use super::buffer::{TokenBuffer, Tokens};
use super::intl::InternationalRules;
use super::runs::{self, RunRules, WORD};
use super::v13a::{V13aRules, unescape};
use super::{Tokenizer, TokenizerEntry};
use crate::lowercase::lowercase_without_context;
use crate::whitespace::rstrip;
use bleuprint_core::{Case, Result};

pub(super) const WESTERN: TokenizerEntry = TokenizerEntry::new(
    "mteval",
    "mteval-v13a and v14 from raw text, which lower-case between their steps; -m bleu:dialect=mteval:v13a",
    |request| Ok(Box::new(Mteval { international: false, case: request.options.case })),
)
.agrees_with("NIST mteval v13a, v14");

pub(super) const INTERNATIONAL: TokenizerEntry =
    TokenizerEntry::new("mteval-intl", "mteval with --international-tokenization", |request| {
        Ok(Box::new(Mteval { international: true, case: request.options.case }))
    })
    .agrees_with("NIST mteval v13a, v14, as described")
    .lower_case(Case::Lower);

struct Mteval {
    international: bool,
    case: Case,
}

impl Tokenizer for Mteval {
    fn token_space(&self) -> &str {
        if self.international { INTERNATIONAL.name } else { WESTERN.name }
    }

    fn case(&self) -> Option<Case> {
        Some(self.case)
    }

    fn raw_lines(&self) -> bool {
        !self.international
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.text.clear();
        // Under the international rules the end of the line counts as a number, and whitespace at the end
        // would hide it.
        buffer.text.push_str(if self.international { rstrip(line) } else { line });
        buffer.replace("<skipped>", "");
        unescape(buffer);
        if self.international {
            buffer.replace("&apos;", "'");
        }
        match self.case {
            // Lower-casing comes after the entities and before the rules: the order is that of the script.
            Case::Mixed => {}
            Case::LowerAscii => buffer.text.make_ascii_lowercase(),
            Case::Lower => {
                let TokenBuffer { text, spare, .. } = &mut *buffer;
                lowercase_without_context(text, spare);
                std::mem::swap(text, spare);
            }
        }
        if self.international {
            buffer.cut_own(runs::cut::<PerlSpaces<InternationalRules>>)
        } else {
            buffer.cut_own(runs::cut::<PerlSpaces<V13aRules>>)
        }
    }
}

/// The tokenizer rules `R` with Perl's definition of whitespace, in which the separators U+001C to U+001F are
/// ordinary characters.
struct PerlSpaces<R>(std::marker::PhantomData<R>);

impl<R: RunRules> RunRules for PerlSpaces<R> {
    const BYTES: &'static [u8; 256] = &without_separators(R::BYTES);
    const EDGE_IS_NUMBER: bool = R::EDGE_IS_NUMBER;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        R::wide(code)
    }
}

const fn without_separators(of: &[u8; 256]) -> [u8; 256] {
    let mut bytes = *of;
    let mut separator = 0x1C;
    while separator < 0x20 {
        bytes[separator] = WORD;
        separator += 1;
    }
    bytes
}
