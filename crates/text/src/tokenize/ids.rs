//! `ids`: a tokenizer for lines of token ids, written as integers between whitespace or as JSON arrays.
//!
//! Rule: every integer is a token. The options can exclude ids, such as the ids of padding and of the begin and
//! end of sequences; see [`IdFilter`].
//!
//! Singular cases: an empty line and `[]` have no tokens. Errors: Returns an error for anything that is not
//! an integer in its shortest decimal form, and for an id outside 0 to 4294967295 that is not excluded.
//! Source: defined by this crate; sacreBLEU has no such tokenizer.

use super::buffer::{TokenBuffer, Tokens, check_len};
use super::{Tokenizer, TokenizerEntry};
use crate::read::{IdFilter, for_each_id};
use bleuprint_core::Result;

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "ids",
    "token ids, as integers between whitespace or JSON arrays; has ids",
    |request| Ok(Box::new(IdTokenizer { filter: request.options.ids.clone() })),
)
.agrees_with("this crate");

/// The integers of a line of token ids, including ids that are dropped later.
#[derive(Default)]
struct LineIds(Vec<i64>);

struct IdTokenizer {
    filter: IdFilter,
}

impl Tokenizer for IdTokenizer {
    fn token_space(&self) -> &str {
        "ids"
    }

    fn refuses_lines(&self) -> bool {
        true
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        check_len(line)?;
        let TokenBuffer { spans, scratches, .. } = &mut *buffer;
        let LineIds(numbers) = scratches.get();
        numbers.clear();
        spans.clear();
        for_each_id(line, |place, id| {
            spans.push(place.start, place.end);
            numbers.push(id);
        })?;
        // The filter is called for its errors alone; the positions to keep come from `kept`.
        self.filter.apply(numbers)?;
        let kept = self.filter.kept(numbers);
        spans.retain_indexed(|index| {
            kept.contains(&index) && numbers.get(index).is_some_and(|&id| !self.filter.exclude.contains(&id))
        });
        buffer.tokens_of(line)
    }

    fn has_ids(&self) -> bool {
        true
    }

    fn ids_are_tokens(&self) -> bool {
        self.has_ids()
    }

    fn ids(&self, line: &str, buffer: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        let LineIds(all) = buffer.scratch();
        all.clear();
        for_each_id(line, |_, id| all.push(id))?;
        ids.extend(self.filter.apply(all)?);
        Ok(())
    }
}
