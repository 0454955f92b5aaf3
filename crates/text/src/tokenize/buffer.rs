//! [`TokenBuffer`] and [`Tokens`]: the tokens of a line, stored in reusable memory.

use super::scratch::Scratches;
use bleuprint_core::{InputError, Result};
use std::fmt;

/// The start and end of each token of a line, as byte offsets in the line's text.
#[derive(Debug, Default, Clone)]
pub struct TokenSpans {
    /// The byte ranges of the tokens; only the first `len` are valid. The vector never shrinks, so that later
    /// lines need no allocation.
    spans: Vec<(u32, u32)>,
    /// The number of tokens: the entries of `spans` that are valid.
    len: usize,
    /// `true` if the tokens of the line did not fit in memory; the line is then an error.
    full: bool,
    /// `true` if a tokenizer added a token that is not a slice of the line, which is then an error.
    foreign: bool,
}

impl TokenSpans {
    /// Adds the token from byte `start` up to byte `end`, exclusive, of a line shorter than 4 GiB.
    #[inline(always)]
    pub fn push(&mut self, start: usize, end: usize) {
        self.push_if(true, start, end);
    }

    /// Adds tokens that are slices of `text`, the line being tokenized, such as the pieces that `str::split`
    /// returns. A slice of another text makes the tokenization of the line fail.
    #[inline]
    pub fn push_pieces<'t>(&mut self, text: &'t str, pieces: impl IntoIterator<Item = &'t str>) {
        for piece in pieces {
            // The position of a piece is the difference of two addresses; wrapping arithmetic keeps a foreign
            // piece from overflowing.
            let start = (piece.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
            self.foreign |= start.checked_add(piece.len()).is_none_or(|end| end > text.len());
            self.push(start, start.wrapping_add(piece.len()));
        }
    }

    /// Adds the token from byte `start` up to byte `end`, unless it is empty.
    #[inline(always)]
    pub(crate) fn push_filled(&mut self, start: usize, end: usize) {
        self.push_if(start < end, start, end);
    }

    /// Adds the token from byte `start` up to byte `end` if `wanted` is `true`, without a branch.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, wanted: bool, start: usize, end: usize) {
        // The span is always written and only the length depends on `wanted`: an unpredictable branch would
        // cost more.
        if self.len == self.spans.len() {
            self.grow();
        }
        if let Some(span) = self.spans.get_mut(self.len) {
            // Lines are shorter than 4 GiB, so positions fit in `u32`.
            *span = (start as u32, end as u32);
            self.len += usize::from(wanted);
        }
    }

    /// Adds the tokens of one block of 64 bytes. The bit sets `starts` and `ends` mark the bytes at which
    /// tokens start and end. `offset` is the position of the block in the text. `first_start` and `first_end`
    /// are the numbers of starts and ends added so far; the function increases them. A token may end in a
    /// later block, so the caller sets the number of tokens with [`TokenSpans::set_len`] at the end.
    #[inline(always)]
    pub(crate) fn push_bits(
        &mut self,
        offset: usize,
        (starts, first_start): (u64, &mut usize),
        (ends, first_end): (u64, &mut usize),
    ) {
        // A block has at most 64 starts, so one check of the capacity serves all of them.
        self.len = *first_start;
        while self.spans.len() < self.len + u64::BITS as usize && !self.full {
            self.grow();
        }
        let offset = offset as u32;
        each_bit(starts, self.spans.get_mut(*first_start..), |span, bit| span.0 = offset.wrapping_add(bit));
        each_bit(ends, self.spans.get_mut(*first_end..), |span, bit| span.1 = offset.wrapping_add(bit));
        *first_start += starts.count_ones() as usize;
        *first_end += ends.count_ones() as usize;
    }

    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len.min(self.spans.len());
    }

    /// Grows the list of tokens: doubles the capacity, or adds a quarter from a million tokens on, to save
    /// memory.
    #[cold]
    fn grow(&mut self) {
        if self.full {
            return;
        }
        let more = if self.len < 1 << 20 { self.len.max(64) } else { self.len / 4 };
        // An allocation that fails is reported as an error of the line instead of aborting the program.
        match self.spans.try_reserve_exact(more) {
            Ok(()) => self.spans.resize(self.len + more, (0, 0)),
            Err(_) => self.full = true,
        }
    }

    #[inline]
    fn check(&self) -> Result<()> {
        match (self.full, self.foreign) {
            (false, false) => Ok(()),
            (true, _) => Err(no_memory(self.len, "tokens")),
            (_, true) => {
                Err(InputError::malformed("the tokenizer returned a token that is not a piece of the line"))
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        self.as_slice().iter().map(|&(start, end)| (start as usize, end as usize))
    }

    fn as_slice(&self) -> &[(u32, u32)] {
        &self.spans[..self.len]
    }

    pub(crate) fn retain_indexed(&mut self, mut keep: impl FnMut(usize) -> bool) {
        self.spans.truncate(self.len);
        let mut index = 0;
        self.spans.retain(|_| {
            index += 1;
            keep(index - 1)
        });
        self.len = self.spans.len();
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        (self.len, self.full, self.foreign) = (0, false, false);
    }

    /// Replaces the byte range of each token by the result of `rewrite`, in order. A token is dropped if the
    /// result is `None`.
    pub(crate) fn rewrite(&mut self, mut rewrite: impl FnMut(usize, usize) -> Option<(usize, usize)>) {
        self.spans.truncate(self.len);
        self.spans.retain_mut(|(start, end)| match rewrite(*start as usize, *end as usize) {
            Some((new_start, new_end)) => {
                (*start, *end) = (new_start as u32, new_end as u32);
                true
            }
            None => false,
        });
        self.len = self.spans.len();
    }
}

/// Calls `put` with the number of each set bit, in order, and with one span for each bit. Eight bits are
/// handled at once, because the number of tokens in a block is unpredictable: some spans after the last bit
/// get a number without meaning, which the next block overwrites.
#[inline(always)]
fn each_bit(mut bits: u64, spans: Option<&mut [(u32, u32)]>, put: impl Fn(&mut (u32, u32), u32)) {
    let (eights, _) = spans.unwrap_or_default().as_chunks_mut::<8>();
    for eight in eights {
        if bits == 0 {
            return;
        }
        for span in eight {
            // With bit 63 set, a set without further bits needs no branch.
            put(span, (bits | 1 << 63).trailing_zeros());
            // Clears the lowest set bit.
            bits &= bits.wrapping_sub(1);
        }
    }
}

/// Reusable memory for the tokens of one line at a time. Each thread needs its own buffer.
///
/// The buffer holds the byte ranges of the tokens, and the text if the tokenizer changed it.
#[derive(Debug, Default, Clone)]
pub struct TokenBuffer {
    pub(crate) text: String,
    pub(crate) spare: String,
    pub(crate) spans: TokenSpans,
    pub(crate) scratches: Scratches,
}

impl TokenBuffer {
    /// Returns working memory of a type that the tokenizer chooses, which is kept from line to line. The
    /// first call creates it with `Default`.
    ///
    /// To use the buffer and this memory at the same time, take the value out with `std::mem::take` and put
    /// it back afterwards.
    ///
    /// ```
    /// use bleuprint_text::TokenBuffer;
    /// #[derive(Default)]
    /// struct Lattice(Vec<u64>);
    /// let mut buffer = TokenBuffer::default();
    /// buffer.scratch::<Lattice>().0.push(7);
    /// assert_eq!(buffer.scratch::<Lattice>().0, [7]);
    /// ```
    pub fn scratch<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        self.scratches.get()
    }

    /// Frees memory that grew for a very long line. Memory for ordinary lines is kept for the next line.
    pub fn release(&mut self) {
        // 1 Mi tokens or 1 MiB of text; a buffer above this size would stay with its thread for one rare
        // line.
        const GIANT: usize = 1 << 20;
        if self.spans.spans.capacity() > GIANT {
            self.spans = TokenSpans::default();
        }
        for text in [&mut self.text, &mut self.spare] {
            if text.capacity() > GIANT {
                *text = String::new();
            }
        }
    }

    /// Tokenizes `line` without changing its text. The function `cut` gets the line and adds the byte ranges
    /// of its tokens.
    ///
    /// # Errors
    /// Returns an error if the line has 4 GiB or more, memory is insufficient, or a token is not part of the
    /// line.
    #[inline]
    pub fn cut<'a>(
        &'a mut self,
        line: &'a str,
        cut: impl FnOnce(&str, &mut TokenSpans),
    ) -> Result<Tokens<'a>> {
        check_len(line)?;
        self.spans.clear();
        cut(line, &mut self.spans);
        self.tokens_of(line)
    }

    /// Stores tokens that are not slices of the line, such as rewritten words, and returns them.
    ///
    /// # Errors
    /// Returns an error if the tokens have 4 GiB or more in total.
    pub fn collect<'t>(&mut self, tokens: impl IntoIterator<Item = &'t str>) -> Result<Tokens<'_>> {
        self.text.clear();
        self.spans.clear();
        for token in tokens {
            // Positions may wrap here for more than 4 GiB; the check after the loop rejects such tokens.
            let start = self.text.len();
            self.text.push_str(token);
            self.spans.push(start, self.text.len());
        }
        check_len(&self.text)?;
        self.own_tokens()
    }

    /// Tokenizes the text that is stored in the buffer. The function `cut` gets the text and adds the byte
    /// ranges of its tokens.
    pub(crate) fn cut_own(&mut self, cut: impl FnOnce(&str, &mut TokenSpans)) -> Result<Tokens<'_>> {
        check_len(&self.text)?;
        self.spans.clear();
        cut(&self.text, &mut self.spans);
        self.own_tokens()
    }

    pub(crate) fn tokens_of<'a>(&'a self, text: &'a str) -> Result<Tokens<'a>> {
        Tokens::new(text, &self.spans)
    }

    pub(crate) fn own_tokens(&self) -> Result<Tokens<'_>> {
        self.tokens_of(&self.text)
    }

    /// Replaces every occurrence of `pattern` in the text that is stored in the buffer, in one pass from left
    /// to right.
    pub(crate) fn replace(&mut self, pattern: &str, replacement: &str) {
        // Most lines lack the pattern, and a search without a match copies nothing.
        if memchr::memmem::find(self.text.as_bytes(), pattern.as_bytes()).is_none() {
            return;
        }
        self.spare.clear();
        let mut copied = 0;
        for (at, _) in self.text.match_indices(pattern) {
            self.spare.push_str(&self.text[copied..at]);
            self.spare.push_str(replacement);
            copied = at + pattern.len();
        }
        self.spare.push_str(&self.text[copied..]);
        std::mem::swap(&mut self.text, &mut self.spare);
    }
}

fn no_memory(len: usize, what: &str) -> InputError {
    InputError::malformed(format!("the line does not fit in memory: more than {len} {what}"))
}

pub(crate) fn check_len(text: &str) -> Result<()> {
    if u32::try_from(text.len()).is_ok() {
        return Ok(());
    }
    Err(InputError::limit("the line", format_args!("{} bytes", text.len()), "shorter than 4 GiB"))
}

/// The tokens of one line, as byte ranges of the line, or of a changed text in the buffer.
///
/// `Display` writes the tokens separated by one space, as `bleuprint tokenize` prints them.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    text: &'a str,
    spans: &'a [(u32, u32)],
}

impl<'a> Tokens<'a> {
    /// Creates the tokens of `text` from their byte ranges.
    ///
    /// # Errors
    /// Returns an error if memory was insufficient for the tokens, or if a token is not a slice of the text.
    #[inline]
    pub(crate) fn new(text: &'a str, spans: &'a TokenSpans) -> Result<Self> {
        spans.check()?;
        Ok(Tokens { text, spans: spans.as_slice() })
    }

    /// Returns the number of tokens.
    #[inline]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns `true` if there are no tokens.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Returns an iterator over the tokens, in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a str> + DoubleEndedIterator + Clone + use<'a> {
        let text = self.text;
        // A span that is no valid range of the text gives an empty token instead of a panic.
        self.spans.iter().map(move |&(start, end)| text.get(start as usize..end as usize).unwrap_or_default())
    }

    /// Returns the text whose slices are the tokens: the line, or the text that the tokenizer made from it.
    #[inline]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the start and end of each token, as byte offsets in [`Tokens::text`].
    #[inline]
    pub fn spans(&self) -> &'a [(u32, u32)] {
        self.spans
    }

    /// Appends the tokens to `out`, separated by one space.
    pub fn join(&self, out: &mut String) {
        for (index, token) in self.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(token);
        }
    }
}

impl fmt::Display for Tokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, token) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(token)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Tokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
