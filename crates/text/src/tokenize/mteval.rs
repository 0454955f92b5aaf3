//! `mteval` and `mteval-intl`: NIST's mteval-v13a and v14 from raw text, case included.
//!
//! Rule, in this order:
//! 1. delete `<skipped>`; replace `&quot;`, `&amp;`, `&lt;`, `&gt;` (and `&apos;` in `mteval-intl`);
//! 2. apply the case of [`TokenizerOptions::case`](super::TokenizerOptions::case): by default the scripts lower-case A
//!    to Z (`lc-ascii`), with `--international-tokenization` every letter (`lc`, without context: a capital sigma is
//!    always `σ`), with `-c` none;
//! 3. the rules of [`13a`](super::v13a), or those of [`intl`](super::intl) for `mteval-intl`;
//! 4. split at Unicode whitespace, which excludes U+001C to U+001F.
//!
//! Trailing whitespace is dropped first in `mteval-intl`, where `1990.` and `1990. ` differ.
//!
//! So `13a` is `mteval` with `-c`, except for those four separators and for entities in capitals (`&AMP;`), which
//! `--lowercase` turns into entities. A line feed within a text is a space: the joining of lines that end in a dash
//! applies to XML files only.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more.
//! Source: NIST mteval v13a, v14, as described; the steps that they share with sacreBLEU's `13a` and `intl` are
//! compared with that. Unicode categories are those of `intl`; case is that of Unicode 14.0.

use super::buffer::{TokenBuffer, Tokens};
use super::intl::InternationalRules;
use super::runs::{self, Rules, WORD};
use super::v13a::{V13aRules, unescape};
use super::{Tokenizer, TokenizerEntry};
use crate::lowercase::lowercase_without_context;
use crate::whitespace::rstrip;
use bleuprint_core::{Case, Result};

pub(super) const WESTERN: TokenizerEntry = TokenizerEntry::new(
    "mteval",
    "mteval-v13a and v14 from raw text on, which lower-case in between; -m bleu:dialect=mteval:v13a",
    |request| Ok(Box::new(Mteval { international: false, case: request.options.case })),
)
.agrees_with("NIST mteval v13a, v14");

pub(super) const INTERNATIONAL: TokenizerEntry =
    TokenizerEntry::new("mteval-intl", "the same with --international-tokenization", |request| {
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
        // In the international rules the end of the line counts as a number, and whitespace there does not.
        buffer.text.push_str(if self.international { rstrip(line) } else { line });
        buffer.replace("<skipped>", "");
        unescape(buffer);
        if self.international {
            buffer.replace("&apos;", "'");
        }
        match self.case {
            Case::Mixed => {}
            Case::LowerAscii => buffer.text.make_ascii_lowercase(),
            Case::Lower => {
                let TokenBuffer { text, spare, .. } = &mut *buffer;
                lowercase_without_context(text, spare);
                std::mem::swap(text, spare);
            }
        }
        match self.international {
            false => buffer.cut_own(runs::cut::<PerlSpaces<V13aRules>>),
            true => buffer.cut_own(runs::cut::<PerlSpaces<InternationalRules>>),
        }
    }
}

/// The same rules with Perl's whitespace: the four information separators are ordinary characters.
struct PerlSpaces<R>(std::marker::PhantomData<R>);

impl<R: Rules> Rules for PerlSpaces<R> {
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
